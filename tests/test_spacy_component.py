"""The component of a spaCy pipeline."""

import re
import subprocess
import sys

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.spacy_component import SdpPointerComponent
from tests.conftest import FIXTURES
from tests.models.conftest import Parser as Untrained

TEXTS = ["Kim likes the old house.", "Cats purr.  Dogs\nbark at cats. Go!", "Go!", "The cats."]


@pytest.fixture(scope="module")
def nlp(words_model):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("sdp_pointer", config={"model": str(words_model)})
    return nlp


def structure(graph):
    return graph.forms, graph.arcs, graph.tops


def test_each_sentence_has_a_graph(nlp, words_parser):
    doc = nlp(TEXTS[1])
    expected = [words_parser.parse(text) for text in ("Cats purr.", "Dogs bark at cats.", "Go!")]
    assert [structure(graph) for graph in doc._.sdp] == [structure(graph) for graph in expected]


def test_positions_lead_back_to_the_tokens_and_the_text(nlp):
    doc = nlp(TEXTS[1])
    assert any(token.is_space for token in doc)
    for graph, sentence in zip(doc._.sdp, doc.sents, strict=True):
        assert graph.meta["text"] == sentence.text
        for form, index, (start, end) in zip(
            graph.forms, graph.meta["token_indices"], graph.meta["offsets"], strict=True
        ):
            assert doc[index].text == form == sentence.text[start:end]


def test_a_document_without_boundaries_is_one_sentence(words_model, words_parser):
    nlp = spacy.blank("en")
    nlp.add_pipe("sdp_pointer", config={"model": str(words_model), "beam": 3, "batch_size": 2})
    [graph] = nlp("Cats purr. Go!")._.sdp
    assert structure(graph) == structure(words_parser.parse("Cats purr. Go!", beam=3))


@pytest.mark.parametrize("text", ["", "  \n "])
def test_a_document_without_words_has_no_graphs(nlp, text):
    assert nlp(text)._.sdp == []


def test_a_document_that_was_not_parsed_has_nothing(nlp):
    assert nlp.make_doc("Go!")._.sdp is None


def test_a_stream_gives_what_single_documents_give_in_their_order(nlp):
    texts = [f"{text} {n}" for n in range(20) for text in TEXTS] + [""]
    docs = list(nlp.pipe(iter(texts), batch_size=7))
    assert [doc.text for doc in docs] == texts
    for doc in docs:
        assert list(map(structure, doc._.sdp)) == list(map(structure, nlp(doc.text)._.sdp))


def test_a_stream_is_parsed_in_batches(nlp):
    backbone = nlp.get_pipe("sdp_pointer").parser.model.backbone
    sizes = []
    recording = backbone.register_forward_pre_hook(
        lambda _, given: sizes.append(len(given[0]["words"]["tokens"]))
    )
    list(nlp.pipe(["Cats purr."] * 64))
    recording.remove()
    assert sizes == [32, 32]


def test_the_users_own_words_are_neither_forgotten_nor_cut(nlp, monkeypatch):
    def no_zone():
        raise AssertionError("the pipeline is the user's")

    monkeypatch.setattr(nlp, "memory_zone", no_zone)
    word = "x" * 5_000
    doc = nlp(f"{word} purrs. Newword purrs.")
    list(nlp.pipe(f"Other{n} purrs." for n in range(40)))
    assert (doc[0].text, doc[3].text) == (word, "Newword")
    assert [graph.forms[0] for graph in doc._.sdp] == [word, "Newword"]


def test_the_tokens_own_tags_and_lemmas_are_used():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDP_DATA", str(FIXTURES / "data"))
        patch.setenv("SDP_FEATURES", "words,lemmas,pos")
        untrained = Untrained(model__max_heads=1)
    from sdp_pointer.parser import Parser

    parser = Parser(untrained.model, untrained.reader)
    component = SdpPointerComponent(parser)
    gold = next(iter(read(FIXTURES / "data" / "dm.dev.sdp")))
    vocab = spacy.blank("en").vocab
    tags = {"tags": [token.pos for token in gold.tokens]}
    lemmas = {"lemmas": [token.lemma for token in gold.tokens]}
    [graph] = component(Doc(vocab, gold.forms, **tags, **lemmas))._.sdp
    assert graph.tokens == tuple(token._replace(frame="_") for token in gold.tokens)
    assert structure(graph) == structure(parser.parse(Graph(graph.tokens)))
    with pytest.raises(UserError, match="trained with lemmas, and the"):
        component(Doc(vocab, gold.forms, **tags))
    with pytest.raises(UserError, match="lemmas and part-of-speech tags"):
        component(Doc(vocab, gold.forms))


def test_graphs_survive_being_stored(nlp):
    doc = nlp(TEXTS[0])
    [again] = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    assert again._.sdp == doc._.sdp
    assert isinstance(again._.sdp[0].tokens[0], Token)
    assert again._.sdp[0].meta["probabilities"] == doc._.sdp[0].meta["probabilities"]


def test_a_pipeline_with_it_can_be_saved_and_loaded(nlp, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert again(TEXTS[0])._.sdp == nlp(TEXTS[0])._.sdp


def test_spacy_finds_it_by_its_entry_point(words_model):
    program = (
        "import spacy; nlp = spacy.blank('en');"
        f"nlp.add_pipe('sdp_pointer', config={{'model': {str(words_model)!r}}});"
        "print(*nlp('Cats purr.')._.sdp[0].forms)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout == "Cats purr .\n", result.stderr


def test_the_examples_of_the_document_run(words_model, capsys):
    document = (FIXTURES.parent / "docs" / "spacy.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", document, re.DOTALL)
    assert len(programs) == 3
    names = {}
    for program in programs[:2]:
        exec(program.replace("MODEL", str(words_model)), names)
        assert re.search(r"^\w+ \w+ \w+$", capsys.readouterr().out, re.MULTILINE)
    exec(programs[2], names)


def test_tokens_know_their_arcs(nlp):
    doc = nlp(" ".join(TEXTS))
    arcs = {
        (doc[indices[arc.head - 1]], arc.label, doc[indices[arc.dependent - 1]])
        for graph in doc._.sdp
        for arc in graph.arcs
        for indices in [graph.meta["token_indices"]]
    }
    assert arcs
    assert arcs == {(head, label, token) for token in doc for label, head in token._.sdp_heads}
    assert arcs == {(token, label, other) for token in doc for label, other in token._.sdp_args}


def test_a_sentence_is_a_span_with_a_graph(nlp):
    doc = nlp(TEXTS[1])
    assert [sentence._.sdp for sentence in doc.sents] == doc._.sdp
    part = next(iter(list(doc.sents)[1:]))[1:5]
    assert part._.sdp.forms == tuple(word.text for word in part if not word.is_space)
    for form, index in zip(part._.sdp.forms, part._.sdp.meta["token_indices"], strict=True):
        assert doc[index].text == form
    with pytest.raises(ValueError, match="has words of 3 sentences"):
        _ = doc[:]._.sdp


def test_without_graphs_there_is_nothing_to_say(nlp):
    doc = nlp.make_doc("Go  home!")
    assert (doc[0]._.sdp_heads, doc[0]._.sdp_args, doc[:2]._.sdp) == (None, None, None)
    assert list(doc._.sdp_find("?a --> ?b")) == []
    doc = nlp("Go  home!")
    assert (doc[1].is_space, doc[1]._.sdp_heads, doc[1]._.sdp_args) == (True, [], [])
    assert doc[1:2]._.sdp is None


def test_patterns_are_found_as_tokens(nlp):
    doc = nlp(" ".join(TEXTS))
    found = [(m["head"], m["label"], m["other"]) for m in doc._.sdp_find("?head -?label-> ?other")]
    expected = [(token, label, other) for token in doc for label, other in token._.sdp_args]
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_a_stored_document_answers_in_another_process(nlp, tmp_path):
    doc = nlp(TEXTS[0])
    doc.to_disk(tmp_path / "doc")
    program = (
        "import spacy, sdp_pointer.spacy_component\n"
        "from spacy.tokens import Doc\n"
        f"doc = Doc(spacy.blank('en').vocab).from_disk({str(tmp_path / 'doc')!r})\n"
        "print(*(label for token in doc for label, _ in token._.sdp_heads))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    labels = [label for token in doc for label, _ in token._.sdp_heads]
    assert result.stdout.split() == labels, result.stderr
