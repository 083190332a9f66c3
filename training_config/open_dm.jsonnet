// DM with words, characters, lemmas and tags on open data: three files train.sdp, dev.sdp and test.sdp
// in the folder SDP_DATA, by default the one beside the repository. Narrower than the paper's parser,
// with a score of its own for Shift and a learning rate that falls to 0, for a few hours on a CPU.
local sdp = import 'sdp.libsonnet';
local folder = sdp.setting('SDP_DATA', '../shared/data/dm');

sdp.parser(
  train=folder + '/train.sdp',
  validation=folder + '/dev.sdp',
  features=['words', 'characters', 'lemmas', 'pos'],
) + {
  model+: {
    encoder+: { hidden_size: 256 },
    decoder_size: 256,
    arc_size: 256,
    shift_score: true,
  },
  trainer+: {
    num_epochs: std.parseInt(sdp.setting('SDP_EPOCHS', '24')),
    optimizer+: { lr: 0.002, eps: 1e-8 },
    learning_rate_scheduler: { type: 'linear_with_warmup', warmup_steps: 200 },
    callbacks: [],
  },
}
