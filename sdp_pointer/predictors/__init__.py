"""From JSON lines or raw text to graphs."""

from .sdp_pointer import SdpPointerPredictor

__all__ = ["SdpPointerPredictor"]
