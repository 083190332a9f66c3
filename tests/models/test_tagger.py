"""Taggers in the model: between embedder and encoder, and on the encoder."""

import pytest
import torch
from allennlp.common.checks import ConfigurationError

from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.namespaces import TAGS
from tests.conftest import FIXTURES
from tests.models.conftest import Parser, instances


def test_a_tagger_learns_with_the_parser_and_needs_no_tags_to_parse(monkeypatch):
    monkeypatch.setenv("SDP_FEATURES", "words,characters")
    tagger = {"hidden_size": 16, "tag_size": 8}
    tagging = Parser(dataset_reader__tags=True, model__backbone__tagger=tagger)
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:8]
    batch = tagging.batch(graphs)
    optimizer = torch.optim.Adam(tagging.model.parameters(), lr=0.02)
    tagging.model.train()
    for _ in range(60):
        optimizer.zero_grad()
        tagging.model(**batch)["loss"].backward()
        optimizer.step()
    tagging.model.get_metrics(reset=True)
    tagging.model.eval()
    tagging.model(**batch)
    assert tagging.model.get_metrics(reset=True)["tag_accuracy"] > 0.8
    assert tagging.reader.columns == []
    untagged = [Graph([Token(form) for form in graph.forms]) for graph in graphs]
    assert all(graph.is_dag for [graph] in tagging.model.parse(instances(tagging, untagged)))


def test_a_tagger_without_tags_is_refused():
    with pytest.raises(ConfigurationError, match="set tags: true in the dataset_reader"):
        Parser(model__backbone__tagger={})


def test_tags_without_a_tagger_change_nothing(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]
    with_tags = Parser(dataset_reader__tags=True)
    assert with_tags.vocab.get_vocab_size(TAGS) > 2
    with torch.no_grad():
        loss = with_tags.model(**with_tags.batch(graphs))["loss"]
        assert loss == parser.model(**parser.batch(graphs))["loss"]
    assert "tag_accuracy" not in with_tags.model.get_metrics()


def test_a_tagger_is_not_blamed_for_data_without_tags():
    tagging = Parser(dataset_reader__tags=True, model__backbone__tagger={})
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]
    batch = tagging.batch(graphs)
    batch["gold"] = [g.replace(tokens=[t._replace(pos="_") for t in g.tokens]) for g in graphs]
    with torch.no_grad():
        loss = tagging.model(**batch)["loss"]
        tagging.model.backbone.tagger.loss_weight = 0.0
        assert tagging.model(**batch)["loss"] == loss
    assert tagging.model.get_metrics(reset=True)["tag_accuracy"] == 0.0


def test_the_tag_loss_is_weighted_and_unknown_tags_do_no_harm():
    strange = [Graph([Token("Go", "go", "NEVER-SEEN")], tops=[1])]
    losses = []
    for weight in (0.0, 1.0, 2.0):
        tagging = Parser(dataset_reader__tags=True, model__backbone__tagger={"loss_weight": weight})
        with torch.no_grad():
            losses.append(tagging.model(**tagging.batch(strange))["loss"].item())
    assert losses[2] - losses[1] == pytest.approx(losses[1] - losses[0], rel=1e-4)
    assert losses[1] > losses[0]


def test_a_tagger_on_the_encoder_learns_with_the_parser_and_fills_the_graphs(monkeypatch):
    monkeypatch.setenv("SDP_FEATURES", "words,characters")
    taggers = {"pos": {"type": "softmax", "dropout": 0.0}}
    tagging = Parser(dataset_reader__tags=["pos"], model__taggers=taggers)
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:8]
    batch = tagging.batch(graphs)
    optimizer = torch.optim.Adam(tagging.model.parameters(), lr=0.005)
    tagging.model.train()
    for _ in range(120):
        optimizer.zero_grad()
        tagging.model(**batch)["loss"].backward()
        optimizer.step()
    tagging.model.get_metrics(reset=True)
    tagging.model.eval()
    tagging.model(**batch)
    assert tagging.model.get_metrics(reset=True)["pos_accuracy"] > 0.8
    words = [Graph([Token(form) for form in graph.forms]) for graph in graphs]
    words[0] = words[0].replace(tokens=[Token(graphs[0].forms[0], pos="OWN"), *words[0].tokens[1:]])
    parsed = [graph for [graph] in tagging.model.parse(instances(tagging, words), batch_size=3)]
    assert [graph.forms for graph in parsed] == [graph.forms for graph in graphs]
    assert parsed[0].tokens[0].pos == "OWN"
    pairs = [
        (guess.pos, token.pos)
        for graph, gold in zip(parsed, graphs)
        for guess, token in zip(graph.tokens, gold.tokens)
    ]
    assert sum(guess == tag for guess, tag in pairs) > 0.8 * len(pairs)


def test_the_loss_of_a_tagger_on_the_encoder_is_weighted():
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]
    losses = []
    for weight in (0.0, 1.0, 2.0):
        taggers = {"pos": {"type": "softmax", "loss_weight": weight}}
        tagging = Parser(dataset_reader__tags=True, model__taggers=taggers)
        with torch.no_grad():
            losses.append(tagging.model(**tagging.batch(graphs))["loss"].item())
    assert losses[2] - losses[1] == pytest.approx(losses[1] - losses[0], rel=1e-4)
    assert losses[1] > losses[0]


def test_a_column_that_nothing_can_guess_is_refused():
    with pytest.raises(ConfigurationError, match="no tagger can guess the column 'frames': one of"):
        Parser(dataset_reader__tags=True, model__taggers={"frames": {}})
    with pytest.raises(ConfigurationError, match="tags is true, or some of pos"):
        Parser(dataset_reader__tags=["frames"])
