"""From sentences to graphs: what the trained model does."""

import pytest
import torch

import sdp_pointer.components
import sdp_pointer.decoders.pointer.decoder
from sdp_pointer.decoders.pointer import Options
from sdp_pointer.decoders.pointer.targets import targets
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.graphs.score import pair
from tests.conftest import FIXTURES
from tests.models.conftest import DM, Parser, instances


@pytest.mark.parametrize(
    "tokens",
    [
        [Token("x")],
        [Token("Unseen", "unseen", "UNSEEN-TAG"), Token("字", "_", "_")],
        [Token("a" * 500)],
        [Token("word", "word", "NN")] * 200,
    ],
    ids=["one word", "nothing known", "long word", "long sentence"],
)
def test_sentences_that_broke_the_published_code_are_parsed(parser, tokens):
    with torch.no_grad():
        output = parser.model(**parser.batch([Graph(tokens)], gold=False))
    [graph] = output["graph"]
    assert graph.tokens == tuple(tokens)
    assert graph.is_dag
    assert "loss" not in output


def test_graphs_come_back_in_order_with_their_ids_and_own_words(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))
    with torch.no_grad():
        parsed = parser.model(**parser.batch(graphs))["graph"]
    assert len(list(pair(graphs, parsed))) == len(graphs)


def test_only_real_labels_come_out(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))
    labels = set(parser.vocab.get_token_to_index_vocabulary("arc_labels"))
    with torch.no_grad():
        parsed = parser.model(**parser.batch(graphs))["graph"]
    found = {arc.label for graph in parsed for arc in graph.arcs}
    assert found
    assert found <= labels
    assert not any(label.startswith("@@") for label in labels)


def test_n_best_graphs_come_with_scores_and_probabilities():
    parser = Parser(**{f"{DM}__search": {"beam_size": 4, "n_best": 3}})
    with torch.no_grad():
        output = parser.model(**parser.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:5]))
    for graph, graphs in zip(output["graph"], output["n_best"]):
        assert graphs[0] == graph
        assert len(graphs) == len({(g.tops, g.arcs) for g in graphs}) == 3
        scores = [g.meta["score"] for g in graphs]
        assert scores == sorted(scores, reverse=True)
        for g in graphs:
            pairs = {arc[:2] for arc in g.arcs} | {(0, top) for top in g.tops}
            assert set(g.meta["probabilities"]) == pairs
            assert all(0 <= probability <= 1 for probability in g.meta["probabilities"].values())


def test_an_arcs_probability_is_that_of_its_pointer_and_label(parser):
    [sentence] = list(read(FIXTURES / "data" / "dm.dev.sdp"))[2:3]
    with torch.no_grad():
        [graph] = parser.model(**parser.batch([sentence]))["graph"]
        decoder = parser.model.decoder
        encoded, _ = parser.model.backbone(parser.batch([graph])["tokens"])
        memory = decoder.network.remember(encoded)
        steps = targets([graph], {}, torch.device("cpu"))
        states, logits = decoder.network(memory, steps.focus, steps.features)
    labels = {arc[:2]: arc.label for arc in graph.arcs}
    found = {}
    for step, pointer in enumerate(steps.pointer[0].tolist()):
        focus = steps.focus[0, step].item()
        if pointer != focus:
            probability = logits[0, step].softmax(0)[pointer].item()
            if pointer:
                arc = (states[0, step], memory.words[0, focus], memory.words[0, pointer])
                scores = decoder.labeller(*(part.unsqueeze(0) for part in arc))[0].softmax(0)
                index = parser.vocab.get_token_index(labels[pointer, focus], "arc_labels")
                probability *= scores[index].item()
            found[pointer, focus] = probability
    assert found == pytest.approx(graph.meta["probabilities"], abs=1e-4)


def test_a_parsed_graph_keeps_its_words_and_comments_and_nothing_of_the_old_graph(parser):
    tokens = [Token("Go", "go", "VB", frame="v:e"), Token("home", "home", "NN", frame="n:x")]
    given = Graph(tokens, [(1, 2, "ARG2")], [1], id="7", meta={"source": "x"}, bare_predicates=[2])
    instance = parser.reader.text_to_instance(given.tokens, given)
    parser.reader.apply_token_indexers(instance)
    [[graph]] = parser.model.parse([instance], options=Options(max_heads=0))
    assert (graph.id, graph.forms) == ("7", ("Go", "home"))
    assert {token.frame for token in graph.tokens} == {"_"}
    assert not any((graph.arcs, graph.tops, graph.predicates))
    assert graph.meta == {"source": "x", "score": graph.meta["score"], "probabilities": {}}


def test_scores_and_probabilities_have_four_digits(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:5]
    metas = [graph.meta for [graph] in parser.model.parse(instances(parser, graphs))]
    numbers = [n for meta in metas for n in (meta["score"], *meta["probabilities"].values())]
    assert numbers == [round(number, 4) for number in numbers]
    assert any(number != round(number, 3) for number in numbers)


def test_a_search_has_so_many_tokens_for_all_its_hypotheses(parser, monkeypatch):
    sizes = []
    search = sdp_pointer.decoders.pointer.decoder.search

    def recording(stepper, mask, options):
        sizes.append(tuple(mask.shape))
        return search(stepper, mask, options)

    monkeypatch.setattr("sdp_pointer.decoders.pointer.decoder.search", recording)
    monkeypatch.setattr("sdp_pointer.models.sdp_pointer.MAX_TOKENS", 60)
    sentences = instances(parser, [Graph([Token("word")] * 5)] * 12)
    for beam, expected in ((1, [(12, 6)]), (2, [(6, 6), (6, 6)]), (30, [(1, 6)] * 12)):
        parser.model.parse(sentences, options=Options(beam_size=beam))
        assert sizes == expected
        sizes.clear()


def test_options_can_be_given_with_the_sentences(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))
    options = parser.model.options._replace(max_heads=0)
    parsed = parser.model.parse(instances(parser, graphs), options=options)
    assert not any(graph.arcs or graph.tops for [graph] in parsed)


def test_batch_size_and_company_never_change_a_graph(parser):
    graphs = list(read(FIXTURES / "data" / "dm.train.sdp"))
    sentences = instances(parser, graphs)
    parsed = {
        size: [graph for [graph] in parser.model.parse(sentences, size)] for size in (1, 7, 1000)
    }
    assert parsed[1] == parsed[7] == parsed[1000]
    assert any(graph.arcs for graph in parsed[1])
    backwards = parser.model.parse(sentences[::-1], 7)
    assert [graph for [graph] in backwards][::-1] == parsed[7]


def test_a_sentence_of_2000_words_is_parsed_apart_from_the_short_ones():
    # A random network would attach each word to all others, one after another.
    parser = Parser(**{f"{DM}__search": {"max_heads": 1, "beam_size": 2}})
    long = [Token("word", "word", "NN")] * 2000
    graphs = [Graph(tokens) for tokens in (long[:3], long, long[:5])]
    shapes = []
    backbone = parser.model.backbone
    backbone.register_forward_pre_hook(
        lambda module, given: shapes.append(tuple(given[0]["words"]["tokens"].shape))
    )
    outputs = parser.model.forward_on_instances(instances(parser, graphs))
    assert shapes == [(2, 5), (1, 2000)]
    assert [len(output["graph"]) for output in outputs] == [3, 2000, 5]
    assert all(output["graph"].is_dag for output in outputs)


def test_no_graph_comes_twice_whatever_the_order_of_heads():
    parser = Parser(**{f"{DM}__search": {"beam_size": 8, "n_best": 8, "ascending": False}})
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:6]
    parsed = parser.model.parse(instances(parser, graphs))
    assert all(len(set(n_best)) == len(n_best) for n_best in parsed)
    assert min(map(len, parsed)) < 8


def test_options_of_a_call_are_checked(parser):
    wrong = parser.model.options._replace(n_best=3)
    with pytest.raises(UserError, match="n_best must be between"):
        parser.model.parse([], options=wrong)


def test_steps_of_two_batches_may_alternate(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:8]
    options = [parser.model.options._replace(beam_size=beam) for beam in (1, 3)]
    alone = [parser.model.parse(instances(parser, graphs), options=each) for each in options]
    running = {
        number: parser.model.parse_steps(instances(parser, graphs), options=each)
        for number, each in enumerate(options)
    }
    together, turns = {}, []
    while running:
        for number, steps in list(running.items()):
            turns.append(number)
            assert not torch.is_inference_mode_enabled()
            try:
                next(steps)
            except StopIteration as end:
                together[number] = end.value
                del running[number]
    assert [together[0], together[1]] == alone
    assert min(turns.count(0), turns.count(1)) > 5
