"""The parser as an AllenNLP model."""

from .sdp_pointer import SdpPointer

__all__ = ["SdpPointer"]
