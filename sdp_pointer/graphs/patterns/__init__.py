"""Find the matches of a pattern in graphs: who is the ARG1 of `like`?

>>> from sdp_pointer.graphs import Graph, Token
>>> graph = Graph([Token("Cats"), Token("like"), Token("fish")],
...               arcs=[(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
>>> [match] = find("like -ARG1-> ?who", [graph])
>>> match["who"].form
'Cats'
"""

from .pattern import Match, Pattern, find
from .syntax import PatternError

__all__ = ["Match", "Pattern", "PatternError", "find"]
