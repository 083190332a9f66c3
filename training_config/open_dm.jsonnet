// DM with words, characters, lemmas and tags on open data.
local sdp = import 'sdp.libsonnet';

sdp.open(['words', 'characters', 'lemmas', 'pos'])
