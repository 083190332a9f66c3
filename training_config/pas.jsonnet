// PAS with words and tags: the first block of the paper's table.
local sdp = import 'sdp.libsonnet';

sdp.official('pas', ['words', 'pos'])
