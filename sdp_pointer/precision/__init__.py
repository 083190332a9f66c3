"""In which numbers a model parses: chosen by what the CPU multiplies fast, part by part."""

from .choice import PRECISIONS, chosen, dtype_of, has_bfloat16

__all__ = ["PRECISIONS", "chosen", "dtype_of", "has_bfloat16"]
