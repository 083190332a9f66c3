"""The parser as an AllenNLP model."""

from .backbone import Backbone
from .graph_parser import GraphParser
from .sdp_pointer import SdpPointer
from .trained import TrainedWeights

__all__ = ["Backbone", "GraphParser", "SdpPointer", "TrainedWeights"]
