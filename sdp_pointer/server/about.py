"""What the page and `/health` tell of a parser."""

from typing import NamedTuple, Optional

from ..parser import Parser


class About(NamedTuple):
    """A model's name and beam, what it needs beside words, and the spaCy pipeline that makes it."""

    model: str
    beam: int
    needs: list[str]
    pipeline: Optional[str]


def about(parser: Parser) -> About:
    """What there is to tell of a parser, for those who do not have it themselves."""
    needs = list(parser.reader.columns)
    return About(parser.name, parser.beam() or 1, needs, parser.text.pipeline)
