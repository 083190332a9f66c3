// A parser small enough to be trained on the fixtures in seconds: for the demo and the tests.
// SDP_DATA names the folder of the fixtures, SDP_FORMALISM one of dm, pas and psd, SDP_FEATURES the
// kinds of word representations; with words and characters alone, any text can be parsed.
local sdp = import 'sdp.libsonnet';
local formalism = sdp.setting('SDP_FORMALISM', 'dm');
local prefix = sdp.setting('SDP_DATA', 'fixtures/data') + '/' + formalism;

sdp.parser(
  train=prefix + '.train.sdp',
  validation=prefix + '.dev.sdp',
  formalism=formalism,
  features=std.split(sdp.setting('SDP_FEATURES', 'words,characters'), ','),
) + {
  model+: {
    backbone+: {
      text_field_embedder+: { dropout: 0.1, unk_replacement: 0.2 },
      encoder+: { hidden_size: 64, num_layers: 2, dropout: 0.1 },
    },
    decoders+: {
      [formalism]+: {
        input_size: 64,
        state_size: 64,
        arc_size: 64,
        labeller+: { size: 32 },
        dropout: 0.1,
        shift_score: true,
      },
    },
  },
  data_loader+: { batch_sampler+: { batch_size: 8 } },
  trainer+: {
    num_epochs: std.parseInt(sdp.setting('SDP_EPOCHS', '40')),
    optimizer+: { lr: 0.005, betas: [0.9, 0.999], eps: 1e-8 },
  },
}
