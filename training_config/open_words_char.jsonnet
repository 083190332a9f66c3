// DM with words and characters on open data: what open_words_char_bert is compared with.
local sdp = import 'sdp.libsonnet';

sdp.open(['words', 'characters'])
