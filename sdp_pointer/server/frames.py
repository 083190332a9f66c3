"""How the server and the process that parses talk: frames of a number, a kind, and bytes.

The number is that of a request. The kind of an answer is its status in HTTP.
"""

import struct
from typing import NamedTuple

HEAD = struct.Struct("!QHQ")

# To the process.
ASK, FORGET, PING = 1, 2, 3
# From the process: it is ready, it cannot be, and for how many seconds its present turn has lasted.
READY, FAILED, PONG = 4, 5, 6


class Frame(NamedTuple):
    """
    >>> HEAD.unpack(Frame(7, ASK, b"{}").packed[: HEAD.size])
    (7, 1, 2)
    """

    number: int
    kind: int
    content: bytes = b""

    @property
    def packed(self) -> bytes:
        return HEAD.pack(self.number, self.kind, len(self.content)) + self.content
