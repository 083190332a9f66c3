"""Every patch: what AllenNLP 2.10.1, its last release, misses on today's stack.

Each has one line on why. What replaces something gone is applied only if it is really gone; the
rest makes AllenNLP safer or friendlier.
"""

from . import archives, commands, libraries, recovery, starts, training

__all__ = ["archives", "commands", "libraries", "recovery", "starts", "training"]
