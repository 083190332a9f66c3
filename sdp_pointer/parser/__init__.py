"""The parser as people use it: from anything that can be parsed to graphs, or why there are none.

A sentence goes one way through this folder, and each module knows only those before it:

    raw text ─► text, tokenizer ─┐
    words, tokens, JSON objects ─┼─► sentences ─► preparation ─┬──────────────► parser ─► Result
    graphs ──────────────────────┘   a Graph      with what    │                ▲
                                                  the model    └─► sources ─────┘
                                                  needs            of a file: sentences or Refusals

`sentences` turns what stands for a sentence into a `Graph` without arcs. `preparation` adds tags
and lemmas where the model needs them, or names what is missing. `sources` does both for a file:
each of its lines or graphs becomes a prepared sentence, or a `Refusal` with its place. `Parser`
parses prepared sentences in batches; `loading` makes one from a model's files.
"""

from ..archives.shipped import ENGLISH_DM
from .loading import load
from .parser import Parser
from .results import Refusal, Result, with_alternatives

__all__ = ["ENGLISH_DM", "Parser", "Refusal", "Result", "load", "with_alternatives"]
