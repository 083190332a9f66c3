// DM parser with words, characters, lemmas and tags on the open data beside the repository.
local sdp = import 'sdp.libsonnet';
local folder = sdp.setting('SDP_DATA', '../shared/data/dm');

sdp.parser(
  train=folder + '/train.sdp',
  validation=folder + '/dev.sdp',
  features=['words', 'characters', 'lemmas', 'pos'],
)
