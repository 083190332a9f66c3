// What all configs share: the parser of the paper's Table 1, its training schedule, and the settings
// that come from environment variables:
//   SDP_DATA     folder of the data files
//   SDP_VECTORS  pretrained word vectors in GloVe's text format, gzipped or not; '' for none
//   SDP_SEED, SDP_EPOCHS, SDP_DEVICE (-1 is the CPU, 0 the first GPU)
// Everything can also be changed by --overrides '{"trainer.num_epochs": 3}'.
local environment = std.parseJson(std.extVar('SDP_ENVIRONMENT'));
local setting(name, default) = std.get(environment, name, default);

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

// The kinds of word representations, each an indexer, an embedder and its size.
local kinds(vectors) = {
  words: {
    indexer: single('words', 'text', lowercase=true),
    embedder: embedding('words', 100, vectors),
    size: 100,
  },
  lemmas: {
    indexer: single('lemmas', 'lemma_', lowercase=true),
    embedder: embedding('lemmas', 100, vectors),
    size: 100,
  },
  pos: {
    indexer: single('pos', 'tag_'),
    embedder: embedding('pos', 100),
    size: 100,
  },
  characters: {
    indexer: { type: 'characters', namespace: 'characters', min_padding_length: 3 },
    embedder: {
      type: 'character_encoding',
      embedding: { vocab_namespace: 'characters', embedding_dim: 100 },
      encoder: { type: 'cnn', embedding_dim: 100, num_filters: 50, ngram_filter_sizes: [3] },
    },
    size: 50,
  },
};

{
  setting:: setting,

  // The same for the official files of SemEval-2015 Task 18, as they are: Wall Street Journal sections
  // 00-19 of en.FORMALISM.sdp for training, section 20 for validation.
  official(formalism, features)::
    local file = setting('SDP_DATA', 'data') + '/en.' + formalism + '.sdp';
    self.parser(file, file, features) + {
      dataset_reader+: { sections: '00-19' },
      validation_dataset_reader: self.dataset_reader { sections: '20' },
    },

  // A training set-up for the given files, with the given kinds of word representations.
  parser(train, validation, features, vectors_default=null):: {
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
      text_field_embedder: {
        type: 'token_dropout',
        token_embedders: { [name]: chosen[name].embedder for name in features },
      },
      encoder: {
        type: 'variational_bilstm',
        input_size: std.sum([chosen[name].size for name in features]),
      },
    },
    data_loader: {
      batch_sampler: { type: 'bucket', batch_size: 32, sorting_keys: ['tokens'] },
    },
    validation_data_loader: {
      batch_sampler: { type: 'bucket', batch_size: 64, sorting_keys: ['tokens'], padding_noise: 0 },
    },
    trainer: {
      num_epochs: std.parseInt(setting('SDP_EPOCHS', '500')),
      cuda_device: std.parseInt(setting('SDP_DEVICE', '-1')),
      validation_metric: '+LF',
      grad_norm: 5.0,
      optimizer: { type: 'fused_adam', lr: 0.001, betas: [0.9, 0.9], eps: 1e-4 },
      learning_rate_scheduler: { type: 'reduce_on_plateau', mode: 'max', factor: 0.75, patience: 20 },
      callbacks: ['reload_best'],
    },
  },
}
