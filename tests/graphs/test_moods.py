"""Questions and imperatives, by words and tags."""

import pytest

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.graphs.score import mood


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who/WP knows/VBZ ?/.", "question"),
        ("“/`` Why/WRB ?/. ”/''", "question"),
        ("Stop/VB !?/.", "question"),
        ("?/.", "question"),
        ("Stop/VB shipping/VBG it/PRP ./.", "imperative"),
        ("“/`` please/UH never/RB stop/VB ”/''", "imperative"),
        ("so/RB ,/, do/VBP n't/RB go/VB", "imperative"),
        ("Don't/VBP go/VB", "imperative"),
        ("They/PRP stop/VB ./.", "other"),
        ("How/WRB ?/. she/PRP asked/VBD ./.", "other"),
        ("Stop/NN", "other"),
        ("yes/UH ./.", "other"),
        ("_/_", "other"),
    ],
)
def test_the_mood_of_a_sentence(text, expected):
    words = (word.rsplit("/", 1) for word in text.split())
    assert mood(Graph(Token(form, pos=pos) for form, pos in words)) == expected
