"""From files of graphs to AllenNLP's instances."""

from .graph_field import GraphField
from .sdp import SdpDatasetReader

__all__ = ["GraphField", "SdpDatasetReader"]
