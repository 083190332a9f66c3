"""Word vectors by a pretrained transformer such as BERT: see docs/bert.md."""

from .embedder import MismatchedTransformerEmbedder
from .indexer import MismatchedTransformerIndexer

__all__ = ["MismatchedTransformerEmbedder", "MismatchedTransformerIndexer"]
