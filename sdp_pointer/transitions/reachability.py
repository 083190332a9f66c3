"""Exact acyclicity, incrementally: who reaches whom in the arcs built so far."""


class Reachability:
    """For every word, the words that can be reached from it, itself included, as bits of an int.

    Arcs into a word are only added while it is in focus, and an arc into a word never changes what
    that word reaches. So the heads that are forbidden to a focus word, its descendants, stay the
    same for as long as it is in focus, and one update when it is shifted is enough: O(n) operations
    on bit sets of n bits, so O(n^3 / 64) machine steps for a sentence, however many arcs it has.

    The paper's test in O(1) (same weak component, and greater topological number) is necessary for
    a cycle but not sufficient: it would forbid arcs that close none.

    >>> table = Reachability(3)
    >>> table.attach([1], 2)
    >>> table.attach([2], 3)
    >>> table.reaches(1, 3), table.reaches(3, 1)
    (True, False)
    """

    def __init__(self, n: int) -> None:
        self._descendants = [1 << word for word in range(n + 1)]

    def reaches(self, word: int, other: int) -> bool:
        """Whether there is a path, possibly empty, from the one to the other."""
        return bool(self._descendants[word] >> other & 1)

    def attach(self, heads: list[int], dependent: int) -> None:
        """Take note of all heads of a word at once, ROOT among them or not."""
        head_bits = sum(1 << head for head in heads)
        gained = self._descendants[dependent]
        for word, descendants in enumerate(self._descendants):
            if descendants & head_bits:
                self._descendants[word] = descendants | gained
