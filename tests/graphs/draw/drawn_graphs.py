"""Random graphs to draw: any Unicode, cycles, self-loops, several tops."""

from hypothesis import strategies as st

from sdp_pointer.graphs import Graph, Token

# Lone surrogates and control characters included.
ANY_TEXT = st.text(st.characters(), min_size=1, max_size=12)
ODD_TEXT = st.sampled_from(
    [
        "_",
        "<b>&amp;\"'",
        "\x1b[31m",
        "日本語",
        "שלום",
        "أحب",
        "\u202e!",
        "\u0301",
        "\ufeff",
        "a" * 99,
    ]
)
TEXT = ANY_TEXT | ODD_TEXT
PLAIN_LABEL = st.text("ABCxyz123", min_size=1, max_size=9)


@st.composite
def graphs(draw, size=None, text=TEXT, label=TEXT, pos=TEXT):
    size = size or draw(st.integers(1, 9))
    word = st.integers(1, size)
    tokens = [Token(draw(text), pos=draw(pos)) for _ in range(size)]
    pairs = draw(st.sets(st.tuples(word, word), max_size=3 * size))
    arcs = [(*pair, draw(label)) for pair in sorted(pairs)]
    return Graph(tokens, arcs, draw(st.sets(word)), id=draw(st.just("") | text))


@st.composite
def pairs(draw, **settings):
    """Two graphs over as many words."""
    size = draw(st.integers(1, 7))
    return draw(graphs(size=size, **settings)), draw(graphs(size=size, **settings))
