// PSD with words, tags, characters, lemmas and frozen BERT: the third block of the paper's table.
local sdp = import 'sdp.libsonnet';

sdp.official('psd', ['words', 'pos', 'characters', 'lemmas', 'transformer'])
