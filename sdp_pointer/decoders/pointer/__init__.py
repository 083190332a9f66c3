"""The paper's decoder: a pointer network over transitions."""

from .decoder import PointerDecoder
from .labeller import Labeller
from .search import Options

__all__ = ["Labeller", "Options", "PointerDecoder"]
