// DM with nothing but the words, by a fine-tuned BERT: beyond the paper.
local sdp = import 'sdp.libsonnet';

sdp.official('dm', ['transformer']) + sdp.finetuned
