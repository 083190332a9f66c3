"""What the paper's training schedule adds to AllenNLP's trainer."""

from .reload_best import ReloadBest

__all__ = ["ReloadBest"]
