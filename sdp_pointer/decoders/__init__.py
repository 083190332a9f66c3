"""What makes graphs of encoded sentences: a decoder for each formalism of a model."""

from .decoder import Decoder, Encoded, ProbableArc, parsed_graph
from .pointer import PointerDecoder

__all__ = ["Decoder", "Encoded", "PointerDecoder", "ProbableArc", "parsed_graph"]
