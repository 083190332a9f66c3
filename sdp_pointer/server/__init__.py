"""A page and a JSON interface for one parser: `sdp-pointer serve`; see docs/server.md.

`connections` limits what clients do, `app` connects the rest to HTTP. A request is read by `bodies`
and `questions`; in the thread of `engine`, it is a `work` that is split into words, parsed, and
written by `answers`. `finding` runs patterns, `page` holds the files of the folder `static`, and
`schemas` describes requests and answers. It needs the extra `serve`.
"""
