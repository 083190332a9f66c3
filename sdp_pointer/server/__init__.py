"""A page and a JSON interface for one parser: `sdp-pointer serve`; see docs/server.md.

`questions` reads requests, `batching` parses them together, `answers` writes what goes back, `app`
connects the three to HTTP. `finding` runs patterns, `page` holds the files of the folder `static`.
It needs the extra `serve`.
"""
