"""The files of the page, made for one model.

The HTML holds all that depends on the model: its name, its own beam, what it needs, and a sentence
that suits it. So the page asks nothing when it loads, and no late answer can change what somebody
has typed or chosen in the meantime.
"""

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import NamedTuple

from .. import __version__
from ..graphs.draw.svg_style import STYLE
from ..parser import Parser
from .limits import Limits

KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
BEAMS = (1, 2, 4, 5, 8, 16)
EXAMPLE = "The results were in line with analysts' expectations."
TAGGED = {
    "tokens": ["Kim", "likes", "the", "old", "house", "."],
    "lemmas": ["Kim", "like", "the", "old", "house", "_"],
    "pos": ["NNP", "VBZ", "DT", "JJ", "NN", "."],
}


class File(NamedTuple):
    """What is sent, and its media type."""

    content: bytes
    kind: str


def page_files(parser: Parser, limits: Limits) -> dict[str, File]:
    """The files by their paths."""
    content = {
        file.name: file.read_bytes() for file in files(__package__).joinpath("static").iterdir()
    }
    template = Template(content.pop("page.html").decode("utf-8"))
    page = template.substitute(_values(parser, limits)).encode("utf-8")
    # The drawings' own style, which the policy of the page keeps out of the drawings.
    content["drawing.css"] = STYLE.encode("utf-8")
    kinds = {name: KINDS[name.rpartition(".")[2]] for name in content}
    return {
        "/": File(page, "text/html"),
        **{f"/{name}": File(content[name], kind) for name, kind in kinds.items()},
    }


def _values(parser: Parser, limits: Limits) -> dict[str, str]:
    """What stands in the HTML, as HTML."""
    missing = parser.columns if parser.text.pipeline is None else []
    return {
        "sentence": escape(json.dumps(TAGGED) if missing else EXAMPLE),
        "hint": _hint(missing),
        "beam": str(parser.beam()),
        "beams": _options(beam for beam in BEAMS if beam <= limits.beam),
        "numbers": _options(range(1, limits.beam + 1)),
        "model": escape(parser.name),
        "version": __version__,
    }


def _options(numbers: Iterable[int]) -> str:
    return "".join(f'<option value="{number}">{number}</option>' for number in numbers)


def _hint(missing: Sequence[str]) -> str:
    """What to type for a model that needs these columns beside the words.

    >>> _hint(["lemma", "pos"])[:59]
    'This model was trained with lemmas and part-of-speech tags:'
    """
    if not missing:
        return (
            "One sentence or several, or a JSON object with <code>tokens</code>,"
            " <code>lemmas</code> and <code>pos</code>."
        )
    names = {"lemma": "lemmas", "pos": "part-of-speech tags"}
    return (
        f"This model was trained with {' and '.join(names[column] for column in missing)}: give"
        " them in a JSON object as above, or restart the server with <code>--pipeline</code> and"
        " the name of a spaCy pipeline that makes them."
    )
