"""The parts of networks: embedder, encoder, LSTM, scorers."""

from . import embedder, encoder

__all__ = ["embedder", "encoder"]
