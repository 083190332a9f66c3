"""The official scores as a metric of AllenNLP's, and a metric for the tagger."""

from .sdp_scores import SdpScores
from .share import Share

__all__ = ["SdpScores", "Share"]
