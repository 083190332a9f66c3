// PSD with words, tags, characters and lemmas: the second block of the paper's table.
local sdp = import 'sdp.libsonnet';

sdp.official('psd', ['words', 'pos', 'characters', 'lemmas'])
