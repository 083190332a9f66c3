// DM with words and tags: the first block of the paper's table.
local sdp = import 'sdp.libsonnet';

sdp.official('dm', ['words', 'pos'])
