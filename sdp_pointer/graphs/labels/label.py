"""One row of the tables."""

from typing import NamedTuple


class Label(NamedTuple):
    """A label, what it says about the two words of its arc, and an example of such an arc.

    >>> print(Label("ARG1", "The dependent acts.", "Kim sleeps", "sleeps", "Kim").shown)
    Kim sleeps: sleeps -ARG1-> Kim
    """

    name: str
    meaning: str
    sentence: str
    head: str
    dependent: str

    @property
    def shown(self) -> str:
        """The example in one line."""
        return f"{self.sentence}: {self.head} -{self.name}-> {self.dependent}"
