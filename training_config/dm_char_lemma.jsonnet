// DM with words, tags, characters and lemmas: the second block of the paper's table.
local sdp = import 'sdp.libsonnet';

sdp.official('dm', ['words', 'pos', 'characters', 'lemmas'])
