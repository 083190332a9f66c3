// DM with words, characters, lemmas and tags on open data: the files train.sdp and dev.sdp in the folder
// SDP_DATA, and word vectors, by default those beside the repository. Half as wide as the paper's
// parser, and with what was found to learn faster (docs/results.md), for an hour or two on a CPU.
local sdp = import 'sdp.libsonnet';
local folder = sdp.setting('SDP_DATA', '../shared/data/dm');

sdp.parser(
  train=folder + '/train.sdp',
  validation=folder + '/dev.sdp',
  features=['words', 'characters', 'lemmas', 'pos'],
  vectors_default='../shared/embeddings/glove.100d.60k.txt.gz',
) + {
  model+: {
    text_field_embedder+: { normalize: true },
    encoder+: { hidden_size: 256 },
    decoder_size: 256,
    arc_size: 256,
    shift_score: true,
    skip_connection: true,
  },
  data_loader+: { batch_sampler+: { batch_size: 16 } },
  trainer+: {
    num_epochs: std.parseInt(sdp.setting('SDP_EPOCHS', '32')),
    optimizer+: { lr: 0.003, eps: 1e-8 },
    learning_rate_scheduler: { type: 'linear_with_warmup', warmup_steps: 200 },
    callbacks: [],
  },
}
