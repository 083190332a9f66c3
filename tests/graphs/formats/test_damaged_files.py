"""A file that lost something, or has it twice, is never read as something else in silence.

Some damage makes another valid file: two labels are swapped, the last full stop is gone. No reader
can tell, and it must read what is there. So the measure is a second reader, which takes valid files
alone: what it refuses has to be refused, or read as the graphs that were there before.
"""

import warnings

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sdp_pointer.graphs import FormatError, FormatWarning, Graph, Token, dumps, loads
from tests.graphs.formats.damages import damaged
from tests.graphs.formats.examples import back, every_format
from tests.graphs.formats.reference import holds
from tests.graphs.strategies import HOLDABLE, strings

FISH = Graph(
    [
        Token("Cats", "cat", "NNS"),
        Token("like", "like", "VBP"),
        Token("raw", "raw", "JJ"),
        Token("fish", "fish", "NN"),
        Token(".", "_", "."),
    ],
    arcs=[(2, 1, "ARG1"), (2, 4, "ARG2"), (3, 4, "ARG1")],
    tops=[2],
    id="20001001",
)


@st.composite
def valid(draw, format):
    """A graph that a valid file can hold, with a tree or a text where the format has them."""
    graph = draw(st.sampled_from(back(format, FISH)) | HOLDABLE[format])
    if format in ("sdp", "sdp2014", "allennlp"):
        graph = graph.replace(bare_predicates=())
    meta = {}
    if draw(st.booleans()):
        words = len(graph)
        heads = st.integers(0, words).map(str)
        relations = strings(without="\t\r\n ")
        meta["syntax"] = [(draw(heads), draw(relations)) for _ in range(words)]
    if draw(st.booleans()) and format in ("mrp", "jsonl"):
        meta["text"] = " ".join(graph.forms)
        ends = [sum(len(form) + 1 for form in graph.forms[: n + 1]) - 1 for n in range(len(graph))]
        meta["offsets"] = [(end - len(form), end) for form, end in zip(graph.forms, ends)]
    return graph.replace(meta=meta)


def read(text, format, lenient):
    """The graphs, or None if they are refused, and what was told."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", FormatWarning)
        try:
            graphs = loads(text, format, lenient=lenient)
        except FormatError:
            graphs = None
    return graphs, {str(warning.message) for warning in told}


@every_format
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damage_is_refused_or_does_no_harm(format, data):
    graphs = data.draw(st.lists(valid(format), min_size=1, max_size=2))
    text = dumps(graphs, format)
    spoilt = data.draw(damaged(text, format))
    for declared in (format, None):
        assert read(text, declared, lenient=False)[0] == graphs
        assert holds(text, format, loads(text, declared))
        before = read(text, declared, lenient=True)[1]
        for lenient in (False, True):
            found, told = read(spoilt, declared, lenient)
            silent = not lenient or told <= before
            if found not in (None, graphs) and silent:
                assert holds(spoilt, format, found)
