// DM with words, characters and a frozen transformer on open data.
local sdp = import 'sdp.libsonnet';

sdp.open(['words', 'characters', 'transformer'])
