"""The parts of networks: embedder, encoder, tagger, LSTM, scorers."""

from . import embedder, encoder, tagger

__all__ = ["embedder", "encoder", "tagger"]
