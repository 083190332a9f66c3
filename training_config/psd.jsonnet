// PSD with words and tags: the first block of the paper's table.
local sdp = import 'sdp.libsonnet';

sdp.official('psd', ['words', 'pos'])
