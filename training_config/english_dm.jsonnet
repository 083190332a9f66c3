// The model of the package (docs/models.md): DM from the words alone, by a small transformer that is
// fine-tuned, on all of the open data.
local sdp = import 'sdp.libsonnet';
local folder = sdp.setting('SDP_DATA', '../shared/data/dm');
local transformer = sdp.setting('SDP_BERT', 'sentence-transformers/all-MiniLM-L6-v2');

sdp.open(['transformer']) + sdp.tuned(transformer, lr=2e-4) + {
  train_data_path: [folder + '/train.sdp', folder + '/extra.sdp'],
  trainer+: { num_epochs: std.parseInt(sdp.setting('SDP_EPOCHS', '12')) },
}
