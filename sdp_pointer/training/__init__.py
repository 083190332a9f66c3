"""What the paper's training schedule, and its speed, add to AllenNLP's trainer."""

from .fused_adam import FusedAdam
from .progress import Progress
from .reload_best import ReloadBest

__all__ = ["FusedAdam", "Progress", "ReloadBest"]
