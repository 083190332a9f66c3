// What all configs share: the parser of the paper's Table 1, its training schedule, and the settings
// that come from environment variables:
//   SDP_DATA     folder of the data files
//   SDP_VECTORS  pretrained word vectors in GloVe's text format, gzipped or not; '' for none. The paper's
//                configs, which have words or lemmas, warn if it is not set
//   SDP_BERT     a transformer: its folder, or its name on the hub
//   SDP_SEED, SDP_EPOCHS, SDP_DEVICE (-1 is the CPU, 0 the first GPU)
// Everything can also be changed by --overrides '{"trainer.num_epochs": 3}'.
local environment = std.parseJson(std.extVar('SDP_ENVIRONMENT'));
local setting(name, default) = std.get(environment, name, default);

local transformer = setting('SDP_BERT', 'bert-base-uncased');
local seed = std.parseInt(setting('SDP_SEED', '1'));

local single(namespace, feature, lowercase=false) = {
  type: 'single_id',
  namespace: namespace,
  feature_name: feature,
  lowercase_tokens: lowercase,
};
local embedding(namespace, size, vectors=null) = {
  type: 'embedding',
  vocab_namespace: namespace,
  embedding_dim: size,
  [if vectors != null then 'pretrained_file']: vectors,
};

// The kinds of word representations, each an indexer and an embedder.
local kinds(vectors) = {
  words: {
    indexer: single('words', 'text', lowercase=true),
    embedder: embedding('words', 100, vectors),
  },
  lemmas: {
    indexer: single('lemmas', 'lemma_', lowercase=true),
    embedder: embedding('lemmas', 100, vectors),
  },
  pos: {
    indexer: single('pos', 'tag_'),
    embedder: embedding('pos', 100),
  },
  characters: {
    // With marks around a word, so that one of a single character has a window of three, too.
    indexer: {
      type: 'characters',
      namespace: 'characters',
      character_tokenizer: { start_tokens: ['@start@'], end_tokens: ['@end@'] },
      min_padding_length: 3,
    },
    embedder: {
      type: 'character_encoding',
      embedding: { vocab_namespace: 'characters', embedding_dim: 100 },
      encoder: { type: 'cnn', embedding_dim: 100, num_filters: 50, ngram_filter_sizes: [3] },
    },
  },
  // The paper's: the mean of a word's pieces in the second-to-last layer, not trained.
  transformer: {
    indexer: { type: 'mismatched_transformer', model_name: transformer },
    embedder: { type: 'mismatched_transformer', model_name: transformer, layers: -2 },
  },
};

{
  setting:: setting,

  // The same for the official files of SemEval-2015 Task 18, as they are: Wall Street Journal sections
  // 00-19 of en.FORMALISM.sdp for training, section 20 for validation; and the paper's beam.
  official(formalism, features)::
    local file = setting('SDP_DATA', 'data') + '/en.' + formalism + '.sdp';
    local wanted = std.setInter(['lemmas', 'words'], std.set(features)) != [];
    self.parser(file + '#00-19', file + '#20', features, formalism=formalism) + {
      model+: { decoders+: { [formalism]+: { search+: { beam_size: 5 } } } },
      // Told when the config is read, and no part of it then.
      [if wanted && setting('SDP_VECTORS', null) == null then 'warning']:
        "SDP_VECTORS is not set, so the words have no pretrained vectors, unlike the paper's: name a file of vectors"
        + " in SDP_VECTORS, or set it to '' for none",
    },

  // DM on open data: the files train.sdp and dev.sdp in the folder SDP_DATA, and word vectors, by default
  // those beside the repository, for an hour or two on a CPU.
  open(features)::
    local folder = setting('SDP_DATA', '../shared/data/dm');
    self.parser(
      train=folder + '/train.sdp',
      validation=folder + '/dev.sdp',
      features=features,
      vectors_default='../shared/embeddings/glove.100d.60k.txt.gz',
      formalism='dm',
    ) + self.quick('dm'),

  // To be added to a parser: narrower than the paper's, with less dropout, and with what was found to learn
  // faster (docs/results.md).
  quick(formalism, size=320, batch_size=16):: {
    model+: {
      backbone+: {
        text_field_embedder+: { normalize: true, dropout: 0.15 },
        encoder+: { hidden_size: size, dropout: 0.2 },
      },
      decoders+: {
        [formalism]+: {
          state_size: size,
          arc_size: size,
          dropout: 0.2,
          shift_score: true,
          skip_connection: true,
        },
      },
    },
    data_loader+: { batch_sampler+: { batch_size: batch_size } },
    trainer+: {
      num_epochs: std.parseInt(setting('SDP_EPOCHS', '36')),
      optimizer+: { lr: 0.003, eps: 1e-8 },
      learning_rate_scheduler: { type: 'linear_with_warmup', warmup_steps: 200 },
      callbacks: [],
    },
  },

  // To be added after `quick`, if the one kind of word representation is the transformer: fine-tune its last
  // layer's vectors, and all below, at a rate of its own.
  tuned(model_name, lr):: {
    local named = { model_name: model_name },
    dataset_reader+: { token_indexers+: { transformer+: named } },
    model+: {
      backbone+: {
        text_field_embedder+: {
          // A word that lost its only vector would have nothing left.
          dropout: 0.0,
          token_embedders+: { transformer+: named { trainable: true, layers: -1 } },
        },
      },
    },
    trainer+: {
      optimizer+: { parameter_groups: [[['token_embedder_transformer\\.encoder'], { lr: lr }]] },
      learning_rate_scheduler+: { warmup_steps: 500 },
    },
  },

  // Goes on with the training of the model in a folder, whose config.json is `trained`: its vocabulary is
  // extended by new labels and words. `transformer` replaces the model_name of its transformer.
  continued(trained, folder, train, validation, batch_size=16, transformer=null)::
    local moved(value) =
      if std.isArray(value) then std.map(moved, value)
      else if !std.isObject(value) then value
      else { [key]: moved(value[key]) for key in std.objectFields(value) } + {
        [if transformer != null && std.get(value, 'type') == 'mismatched_transformer' then 'model_name']: transformer,
      };
    self.parser(train, validation, []) + {
      dataset_reader: moved(trained.dataset_reader),
      model: moved(trained.model) + { initializer: { regexes: [['.', { type: 'trained', folder: folder }]] } },
      vocabulary: { type: 'sdp_pointer', extends: folder + '/vocabulary' },
      data_loader+: { batch_sampler+: { batch_size: batch_size } },
      trainer+: {
        optimizer+: {
          lr: 0.001,
          eps: 1e-8,
          [if transformer != null then 'parameter_groups']:
            [[['token_embedder_transformer\\.encoder'], { lr: 5e-5 }]],
        },
        callbacks: [],
      },
    },

  // To be added to a parser that knows only words: guess the tags.
  tagged:: {
    dataset_reader+: { tags: true },
    model+: { backbone+: { tagger: {} } },
  },

  // To be added to a parser whose one kind of word representation is the transformer: fine-tune it.
  // The BiLSTM stays, because the decoder starts from a summary of the sentence that the transformer,
  // which reads long sentences in windows, does not give, and so that only the words' vectors differ
  // from the other configs. Rates are the usual ones: small for what is pretrained, large for the rest.
  finetuned:: {
    model+: {
      backbone+: {
        text_field_embedder+: {
          // A word that lost its only vector would have nothing left.
          dropout: 0.0,
          token_embedders+: { transformer+: { trainable: true, layers: [-4, -3, -2, -1] } },
        },
      },
    },
    trainer+: {
      num_epochs: std.parseInt(setting('SDP_EPOCHS', '30')),
      optimizer: {
        type: 'adamw',
        lr: 1e-3,
        parameter_groups: [[['token_embedder_transformer\\.encoder'], { lr: 5e-5 }]],
      },
      learning_rate_scheduler: { type: 'linear_with_warmup', warmup_steps: 1000 },
      callbacks: [],
    },
  },

  // A training set-up for the given files, with the given kinds of word representations. The decoder is called
  // by the formalism that it learns.
  parser(train, validation, features, vectors_default=null, formalism='graph'):: {
    local path = setting('SDP_VECTORS', vectors_default),
    local vectors = if path == '' then null else path,
    local chosen = { [name]: kinds(vectors)[name] for name in features },
    random_seed: seed,
    numpy_seed: seed,
    pytorch_seed: seed,
    dataset_reader: {
      type: 'sdp',
      token_indexers: { [name]: chosen[name].indexer for name in features },
    },
    // Scores are against all gold graphs, whatever is trained on.
    validation_dataset_reader: self.dataset_reader { cyclic: 'break' },
    train_data_path: train,
    validation_data_path: validation,
    datasets_for_vocab_creation: ['train'],
    vocabulary: {
      type: 'sdp_pointer',
      [if vectors != null then 'pretrained_files']: {
        [name]: vectors
        for name in ['words', 'lemmas']
        if std.member(features, name)
      },
      [if vectors != null then 'min_pretrained_embeddings']: {
        [name]: 1000000
        for name in ['words', 'lemmas']
        if std.member(features, name)
      },
    },
    model: {
      type: 'sdp_pointer',
      backbone: {
        text_field_embedder: {
          type: 'token_dropout',
          token_embedders: { [name]: chosen[name].embedder for name in features },
        },
        encoder: { type: 'variational_bilstm' },
      },
      decoders: {
        [formalism]: { type: 'pointer', labeller: { type: 'biaffine' }, search: { beam_size: 1 } },
      },
    },
    data_loader: {
      batch_sampler: { type: 'bucket', batch_size: 32, sorting_keys: ['tokens'] },
    },
    validation_data_loader: {
      // By tokens, so that one long sentence does not make 63 others pay for its padding.
      batch_sampler: {
        type: 'max_tokens_sampler',
        max_tokens: 2048,
        sorting_keys: ['tokens'],
        padding_noise: 0,
      },
    },
    trainer: {
      num_epochs: std.parseInt(setting('SDP_EPOCHS', '500')),
      cuda_device: std.parseInt(setting('SDP_DEVICE', '-1')),
      validation_metric: '+LF',
      grad_norm: 5.0,
      optimizer: { type: 'fused_adam', lr: 0.001, betas: [0.9, 0.9], eps: 1e-4 },
      // After 20 evaluations without a better one: torch waits for one more than its patience.
      learning_rate_scheduler: { type: 'reduce_on_plateau', mode: 'max', factor: 0.75, patience: 19 },
      callbacks: ['reload_best'],
    },
  },
}
