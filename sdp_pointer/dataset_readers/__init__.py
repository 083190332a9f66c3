"""From files of graphs to AllenNLP's instances."""

from .sdp import SdpDatasetReader
from .transitions_field import TransitionsField

__all__ = ["SdpDatasetReader", "TransitionsField"]
