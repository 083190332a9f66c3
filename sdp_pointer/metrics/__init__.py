"""The official scores as a metric of AllenNLP's."""

from .sdp_scores import SdpScores

__all__ = ["SdpScores"]
