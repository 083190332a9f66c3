"""The Python interface: text, words or graphs in, graphs out, in order."""

import threading
import warnings

import pytest

import sdp_pointer.components  # noqa: F401
from sdp_pointer.dataset_readers.sdp import LONGEST_WORD
from sdp_pointer.decoders.pointer import Labeller
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.parser import Parser, Refusal, with_alternatives
from sdp_pointer.parser.parser import WINDOW
from sdp_pointer.steps import completed
from tests.conftest import FIXTURES
from tests.models.conftest import Parser as Untrained


def untrained(features):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDP_DATA", str(FIXTURES / "data"))
        patch.setenv("SDP_FEATURES", features)
        made = Untrained(model__max_heads=2)
    return Parser(made.model, made.reader)


@pytest.fixture(scope="module")
def parser():
    return untrained("words,characters")


@pytest.fixture(scope="module")
def needy():
    return untrained("words,lemmas,pos")


def test_text_words_tokens_and_graphs_are_parsed_alike(parser):
    words = ["Cats", "purr", "."]
    graph = Graph(map(Token, words), id="7")
    given = ["Cats purr.", words, list(map(Token, words)), graph, {"sentence": "Cats purr."}]
    parsed = [parser.parse(sentence) for sentence in given]
    assert len({(graph.tops, graph.arcs) for graph in parsed}) == 1
    assert parsed[3].id == "7"
    assert parsed[0].meta["offsets"] == ((0, 4), (5, 9), (9, 10))
    assert {"score", "probabilities"} <= set(parsed[1].meta)


def test_frames_are_not_copied_from_what_is_parsed_again(parser):
    graph = Graph([Token("Cats", "cat", "NNS", "n:x"), Token("purr", "purr", "VBP", "v:e-i")])
    parsed = parser.parse(graph).tokens
    assert [token.frame for token in parsed] == ["_", "_"]
    assert [token.lemma for token in parsed] == ["cat", "purr"]


def test_a_graph_that_is_parsed_again_loses_its_old_alternatives(parser):
    first = with_alternatives(parser.n_best("Cats purr.", 2))
    assert len(first.meta["n_best"]) == 2
    again = parser.parse(first)
    assert "n_best" not in again.meta
    assert again.meta["text"] == "Cats purr."


def test_any_labeller_can_weigh_in():
    class Own(Labeller):
        def forward(self, states, dependents, heads):
            return states.new_tensor([0.0, 9.0]).expand(len(states), 2)

    parser = untrained("words")
    parser.model.decoder.labeller = Own()
    parser.model.options = parser.model.options._replace(label_weight=1.0)
    names = parser.model.vocab.get_index_to_token_vocabulary("arc_labels")
    graphs = parser.n_best("Kim likes the old house.", 8)
    assert {arc.label for graph in graphs for arc in graph.arcs} == {names[1]}


def test_many_sentences_stream_and_keep_their_order(parser):
    taken = []

    def sentences():
        for number in range(200):
            taken.append(number)
            yield ["word"] * (1 + number * 7 % 9) + [str(number)]

    stream = parser.parse_batch(sentences(), batch_size=2)
    assert next(stream).forms[-1] == "0"
    assert len(taken) == 2 * WINDOW
    assert [graph.forms[-1] for graph in stream] == [str(number) for number in range(1, 200)]


def test_a_batch_gives_the_same_graphs_as_single_sentences(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))
    assert list(parser.parse_batch(graphs, batch_size=5)) == [parser.parse(g) for g in graphs]


def test_n_best_graphs_come_best_first(parser):
    graphs = parser.n_best("Kim likes the old house.", 4)
    assert len({(graph.tops, graph.arcs) for graph in graphs}) == 4
    assert graphs[0].meta["score"] >= graphs[3].meta["score"]


def test_the_number_of_graphs_is_the_models_own_unless_given(parser, monkeypatch):
    sentence = "Kim likes the old house."
    own = parser.model.options._replace(beam_size=3, n_best=3)
    monkeypatch.setattr(parser.model, "options", own)
    assert len(parser.n_best(sentence)) == 3
    [result] = parser.parse_prepared([parser.prepare(sentence)])
    assert len(result.graphs) == 3
    assert len(parser.n_best(sentence, 2)) == 2
    assert len(parser.n_best(sentence, beam=2)) == 2


def test_in_steps_the_graphs_are_the_same(parser):
    sentences = [parser.prepare(text) for text in ("Cats purr.", "Kim likes the old house.")]
    assert completed(parser.parse_steps(sentences, 2)) == list(parser.n_best_batch(sentences, 2))


def test_the_beam_is_for_one_call(parser):
    before = parser.model.options
    parser.parse("Cats purr.", beam=5)
    assert parser.model.options == before


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda parser: parser.n_best("a b", 3, beam=2), "n_best must be between 1 and the beam"),
        (lambda parser: parser.parse("a b", beam=0), "the beam must be at least 1"),
        (lambda parser: parser.parse([]), "no words in an empty list"),
        (lambda parser: parser.parse(" "), "no words in the sentence"),
        (lambda parser: list(parser.parse_batch(["a"], batch_size=0)), "batch_size"),
        (lambda parser: list(parser.parse_batch("Cats purr.")), "this is one sentence"),
        (lambda parser: parser.parse(None), "a sentence is text.*not NoneType"),
        (lambda parser: parser.parse(b"Cats"), "a sentence is text.*not bytes"),
        (lambda parser: parser.parse({"text": "Cats"}), 'neither "sentence" nor "tokens"'),
        (lambda parser: parser.parse("a\ud800b"), r"half of a character .* in 'a\\ud800b'"),
        (lambda parser: parser.parse(["a\ud800b"]), r"half of a character .* in 'a\\ud800b'"),
        (lambda parser: list(parser.parse_batch(["a", " "])), "sentence 2: there are no words"),
        (lambda parser: parser.parse(["a", ""]), "token 2 is not a Token of non-empty texts"),
        (lambda parser: parser.parse("a " * 5_001), "5,001 words is too long: at most 5,000"),
        (lambda parser: parser.parse(["a"] * 5_001), "5,001 words is too long: at most 5,000"),
    ],
)
def test_what_makes_no_sense_is_told(parser, call, message):
    with pytest.raises(UserError, match=message):
        call(parser)


def test_what_was_refused_keeps_its_place(parser):
    refused = Refusal(2, "no")
    prepared = [parser.prepare("Cats purr."), refused, parser.prepare("Dogs bark.")]
    first, second, third = parser.parse_prepared(prepared)
    assert second.refusal is refused
    assert not second.graphs
    assert (first.graphs[0].forms[0], third.graphs[0].forms[0]) == ("Cats", "Dogs")


def test_a_model_that_needs_tags_says_so(needy):
    with pytest.raises(UserError, match=r"lemmas and part-of-speech tags.*'Cats purr \.'"):
        needy.parse("Cats purr.")
    assert needy.parse([Token("Cats", "cat", "NNS"), Token(".")]).forms == ("Cats", ".")
    assert needy.parse(["."]).forms == (".",)


def test_a_word_of_any_length_is_parsed_and_kept(parser):
    widths = []
    recording = parser.model.backbone.register_forward_pre_hook(
        lambda _, given: widths.append(given[0]["characters"]["token_characters"].shape[2])
    )
    words = ["Cats", "x" * 20_000, "purr"]
    graph = parser.parse([Token(word, lemma=word) for word in words])
    recording.remove()
    assert graph.forms == tuple(words)
    assert graph.tokens[1].lemma == words[1]
    [width] = widths
    assert width == LONGEST_WORD + len(["@start@", "@end@"])


def test_threads_share_a_parser(parser):
    sentences = [["word"] * n for n in range(1, 13)]
    expected = list(parser.parse_batch(sentences))
    found = {}

    def parse(number):
        beam = 1 + number % 3
        found[number] = (
            list(parser.parse_batch(sentences, beam=beam))
            if beam > 1
            else [parser.parse(sentence) for sentence in sentences]
        )

    threads = [threading.Thread(target=parse, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[3] == expected
    assert found[1] == found[4]
    assert found[2] == found[5]


SENTENCES = ["The dog sleeps in the garden.", "Nobody likes the old cat."]
TEXT = " ".join(SENTENCES)


def test_each_sentence_of_a_text_is_parsed_by_itself(parser):
    graphs = parser.parse_text(TEXT)
    assert [graph.meta["text"] for graph in graphs] == SENTENCES
    assert graphs == list(parser.parse_batch(SENTENCES))
    assert parser.parse(TEXT, split=True) == graphs
    assert parser.parse_text("") == []


def test_only_text_is_split(parser):
    with pytest.raises(UserError, match="only raw text can be split into sentences, not list"):
        parser.parse(["The", "dog", "sleeps", "."], split=True)


def test_several_sentences_that_are_parsed_as_one_cause_a_warning(parser):
    for parse in (parser.parse, parser.n_best, lambda text: list(parser.parse_batch([text]))):
        with pytest.warns(UserWarning, match="parse_text parses each by itself") as caught:
            parse(TEXT)
        assert caught[0].filename == __file__  # not in the package
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parser.parse("The dog sleeps in the garden.")
        parser.parse(TEXT.split())  # whoever gives words knows
        parser.parse_text(TEXT)
