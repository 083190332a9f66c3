"""From JSON lines or raw text to graphs."""

from .manager import Manager
from .sdp_pointer import SdpPointerPredictor

__all__ = ["Manager", "SdpPointerPredictor"]
