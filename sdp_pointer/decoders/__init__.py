"""What makes graphs of encoded sentences: a decoder for each formalism of a model."""

from .decoder import Decoder, Encoded, ProbableArc, parsed_graph
from .options import Options
from .pointer import PointerDecoder

__all__ = ["Decoder", "Encoded", "Options", "PointerDecoder", "ProbableArc", "parsed_graph"]
