// DM from words alone on open data: a parser for raw text, which guesses tags by itself.
local sdp = import 'sdp.libsonnet';

sdp.open(['words', 'characters']) + sdp.tagged
