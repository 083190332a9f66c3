"""A page and a JSON interface for one parser: `sdp-pointer serve`; see docs/server.md.

`questions` reads requests, `batching` parses them together, `answers` writes what goes back, `app`
connects the three to HTTP. It needs the extra `serve`.
"""
