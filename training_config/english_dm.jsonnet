// The model of the package (docs/models.md): DM from the words alone, by a small transformer that is
// fine-tuned, on all of the open data.
local sdp = import 'sdp.libsonnet';
local folder = sdp.setting('SDP_DATA', '../shared/data/dm');
local transformer = {
  model_name: sdp.setting('SDP_BERT', 'sentence-transformers/all-MiniLM-L6-v2'),
};

sdp.open(['transformer']) + {
  train_data_path: [folder + '/train.sdp', folder + '/extra.sdp'],
  dataset_reader+: { token_indexers+: { transformer+: transformer } },
  model+: {
    backbone+: {
      text_field_embedder+: {
        // A word that lost its only vector would have nothing left.
        dropout: 0.0,
        token_embedders+: { transformer+: transformer { trainable: true, layers: -1 } },
      },
    },
  },
  trainer+: {
    num_epochs: std.parseInt(sdp.setting('SDP_EPOCHS', '12')),
    optimizer+: { parameter_groups: [[['token_embedder_transformer\\.encoder'], { lr: 2e-4 }]] },
    learning_rate_scheduler+: { warmup_steps: 500 },
  },
}
