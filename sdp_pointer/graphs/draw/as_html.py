"""A page of drawings that needs nothing else: no scripts, no fonts, no network."""

from collections.abc import Iterable
from typing import Optional, Union

from ..graph import Graph
from .as_svg import escape, sentence, svg
from .svg_style import BACKGROUND, FONT, INK, PALE

_STYLE = f"""
body {{ margin: 2rem; font-family: {FONT}; background: {BACKGROUND[0]}; color: {INK[0]} }}
figure {{ margin: 0 0 2.5rem; overflow-x: auto }}
figcaption {{ position: sticky; left: 0; margin-bottom: .5rem; line-height: 1.4 }}
h1 {{ font-size: 1.3rem }}
.id {{ color: {PALE[0]}; margin-right: .8em }}
@media (prefers-color-scheme: dark) {{
body {{ background: {BACKGROUND[1]}; color: {INK[1]} }}
.id {{ color: {PALE[1]} }}
}}"""


def html(
    graphs: Iterable[Union[Graph, tuple[Graph, Graph]]],
    title: str = "Semantic dependency graphs",
    width: Optional[int] = None,
) -> str:
    """A page of graphs, or of pairs (graph, gold) to compare, each with its id and sentence.

    Longer sentences are drawn in rows of as many pixels as `width`, by default in one row.

    >>> from ..graph import Token
    >>> page = html([Graph([Token("Go"), Token("!")], tops=[1], id="7")], title="One")
    >>> '<span class="id">7</span><bdi>Go !</bdi>' in page, page.count("<svg")
    (True, 1)
    """
    figures = []
    for item in graphs:
        graph, gold = (item, None) if isinstance(item, Graph) else item
        name = f'<span class="id">{escape(graph.id)}</span>' if graph.id else ""
        caption = f"<figcaption>{name}<bdi>{escape(sentence(graph))}</bdi></figcaption>"
        figures.append(f"<figure>\n{caption}\n{svg(graph, gold, width)}</figure>\n")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}\n</style>\n</head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{''.join(figures)}</body>\n</html>\n"
    )
