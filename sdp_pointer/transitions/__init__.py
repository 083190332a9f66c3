"""The paper's multi-head transition system, without torch.

A focus word moves from left to right. Pointing at another position attaches the focus word to that
head (0 is ROOT); pointing at the focus word itself shifts the focus to the next word.

>>> from sdp_pointer.graphs import Graph, Token
>>> graph = Graph([Token("Cats"), Token("like"), Token("fish")],
...               [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
>>> oracle(graph)
(2, 1, 0, 2, 2, 3)
>>> execute(3, oracle(graph))
((2, 1), (0, 2), (2, 3))
"""

from .features import FEATURES, Step, steps
from .oracle import break_cycles, execute, oracle
from .reachability import Reachability
from .system import Configuration, TransitionError

__all__ = [
    "FEATURES",
    "Configuration",
    "Reachability",
    "Step",
    "TransitionError",
    "break_cycles",
    "execute",
    "oracle",
    "steps",
]
