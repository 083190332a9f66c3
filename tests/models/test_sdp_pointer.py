"""The model: AllenNLP's own checks, its loss, and sentences that broke the published code."""

import json

import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.batch import Batch
from allennlp.models import Model
from allennlp.predictors import Predictor

import sdp_pointer.components
import sdp_pointer.models.sdp_pointer
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.graphs.score import pair
from sdp_pointer.nn.search import Options
from sdp_pointer.predictors import SdpPointerPredictor
from tests.conftest import FIXTURES

CONFIG = FIXTURES.parent / "training_config" / "tiny.jsonnet"


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    monkeypatch.setenv("SDP_DATA", str(FIXTURES / "data"))
    monkeypatch.setenv("SDP_EPOCHS", "2")
    monkeypatch.setenv("SDP_FEATURES", "words,characters,lemmas,pos")


def params(formalism="dm", **overrides):
    overrides = {key.replace("__", "."): value for key, value in overrides.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDP_FORMALISM", formalism)
        return Params.from_file(CONFIG, json.dumps(overrides))


class Parser:
    """A small untrained parser, its reader, and a way to run it."""

    def __init__(self, **overrides):
        torch.manual_seed(0)
        config = params(**overrides)
        self.reader = DatasetReader.from_params(config["dataset_reader"])
        instances = list(self.reader.read(config["train_data_path"]))
        for instance in instances:
            self.reader.apply_token_indexers(instance)
        self.vocab = Vocabulary.from_params(config["vocabulary"], instances=instances)
        self.model = Model.from_params(config["model"], vocab=self.vocab).eval()

    def batch(self, graphs, gold=True):
        instances = [self.reader.text_to_instance(g.tokens, g if gold else None) for g in graphs]
        for instance in instances:
            self.reader.apply_token_indexers(instance)
        batch = Batch(instances)
        batch.index_instances(self.vocab)
        return batch.as_tensor_dict()


@pytest.fixture(scope="module")
def parser():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDP_DATA", str(FIXTURES / "data"))
        patch.setenv("SDP_FEATURES", "words,characters,lemmas,pos")
        return Parser()


class TestByAllenNLP(ModelTestCase):
    @pytest.mark.parametrize("formalism", ["dm", "pas", "psd"])
    def test_it_trains_saves_loads_and_predicts_the_same(self, formalism, monkeypatch):
        monkeypatch.setenv("SDP_FORMALISM", formalism)
        self.set_up_model(CONFIG, str(FIXTURES / "data" / f"{formalism}.dev.sdp"))
        # AllenNLP compares the batches of two loaders, so they must come in the same order.
        in_order = {"shuffle": False, "padding_noise": 0.0}
        overrides = {f"data_loader.batch_sampler.{key}": value for key, value in in_order.items()}
        self.ensure_model_can_train_save_and_load(CONFIG, overrides=json.dumps(overrides))

    @pytest.mark.parametrize("formalism", ["dm", "pas", "psd"])
    def test_predictions_do_not_depend_on_the_batch(self, formalism, monkeypatch):
        monkeypatch.setenv("SDP_FORMALISM", formalism)
        self.set_up_model(CONFIG, str(FIXTURES / "data" / f"{formalism}.dev.sdp"))
        self.ensure_batch_predictions_are_consistent(keys_to_ignore=["loss"])


def test_its_predictor_needs_no_name():
    assert Predictor.by_name(Model.by_name("sdp_pointer").default_predictor) is SdpPointerPredictor


def test_the_defaults_are_the_papers_table_1():
    from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
    from allennlp.modules.token_embedders import Embedding

    from sdp_pointer.models import SdpPointer
    from sdp_pointer.nn.encoder import VariationalBiLstm

    vocab = Vocabulary()
    vocab.add_token_to_namespace("ARG1", "arc_labels")
    embedder = BasicTextFieldEmbedder({"words": Embedding(100, num_embeddings=2)})
    model = SdpPointer(vocab, embedder, Lazy(VariationalBiLstm))
    assert len(model.encoder.rightward) == len(model.encoder.leftward) == 3
    assert model.encoder.leftward[0].hidden_size == 512
    assert model.decoder.lstm.hidden_size == 512
    assert model.decoder.lstm.num_layers == 1
    assert model.decoder.pointer.f1[0].out_features == 512
    assert model.labeller.g1[0].out_features == 128
    assert model.decoder.lstm.input_size == 256
    assert model.decoder.features == ("co_parent",)
    assert model.decoder.shift is model.decoder.skip is model.tagger is None
    dropouts = (model.decoder.dropout, model.decoder.pointer.f1[2], model.labeller.g1[2])
    assert [dropout.p for dropout in dropouts] == [0.33] * 3
    assert model.label_loss_weight == model.tag_loss_weight == 1.0
    assert model.options == Options()


def test_the_loss_is_that_of_the_gold_steps(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:5]
    batch = parser.batch(graphs)
    with torch.no_grad():
        loss = parser.model(**batch)["loss"].item()
        memory = parser.model._encode(batch["tokens"])[0]
        transitions = batch["transitions"]
        states, logits = parser.model.decoder(memory, transitions["focus"], transitions["features"])
    expected, steps = 0.0, 0
    labels = parser.vocab.get_token_to_index_vocabulary("arc_labels")
    for number, graph in enumerate(graphs):
        names = {arc[:2]: arc.label for arc in graph.arcs}
        for step, is_real in enumerate(transitions["mask"][number].tolist()):
            if is_real:
                steps += 1
                focus = transitions["focus"][number, step].item()
                pointer = transitions["pointer"][number, step].item()
                expected -= logits[number, step].log_softmax(0)[pointer].item()
                label = labels.get(names.get((pointer, focus)))
                if label is not None:
                    words = memory.words[number]
                    arc = (states[number, step], words[focus], words[pointer])
                    scores = parser.model.labeller(*(part.unsqueeze(0) for part in arc))
                    expected -= scores[0].log_softmax(0)[label].item()
    assert loss == pytest.approx(expected / steps, rel=1e-4)


def test_a_batch_without_any_arc_has_a_loss_that_is_a_number(parser):
    arcless = [Graph([Token("Hello"), Token("!")]), Graph([Token("Go")])]
    parser.model.train()
    try:
        output = parser.model(**parser.batch(arcless))
        output["loss"].backward()
        # A process of a distributed training that has no such gradient would let the others wait.
        assert parser.model.labeller.bilinear.grad is not None
    finally:
        parser.model.zero_grad()
        parser.model.eval()
    assert torch.isfinite(output["loss"])


def test_padding_does_not_change_the_loss(parser):
    short, *_, long = sorted(read(FIXTURES / "data" / "dm.dev.sdp"), key=len)
    with torch.no_grad():
        losses, steps = [], []
        for graphs in ([short], [long], [short, long]):
            batch = parser.batch(graphs)
            losses.append(parser.model(**batch)["loss"].item())
            steps.append(batch["transitions"]["mask"].sum().item())
    assert losses[2] * steps[2] == pytest.approx(
        losses[0] * steps[0] + losses[1] * steps[1], rel=1e-4
    )


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


def test_training_yields_a_loss_and_no_graphs(parser):
    parser.model.get_metrics(reset=True)
    parser.model.train()
    output = parser.model(**parser.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:2]))
    parser.model.eval()
    assert set(output) == {"loss"}
    assert parser.model.get_metrics(reset=True)["LF"] == 0.0


@pytest.mark.parametrize("features", [[], ["co_parent", "grandparent", "sibling"]])
def test_other_features_train_and_parse(features):
    other = Parser(model__features=features, model__beam_size=3)
    with torch.no_grad():
        output = other.model(**other.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]))
    assert torch.isfinite(output["loss"])
    assert all(graph.is_dag for graph in output["graph"])


def test_an_unknown_feature_is_refused():
    with pytest.raises(ConfigurationError, match="cousin"):
        Parser(model__features=["cousin"])


def test_training_data_without_arcs_is_refused(tmp_path):
    (tmp_path / "arcless.sdp").write_text("#SDP 2015\n#20001001\n1\tGo\tgo\tVB\t+\t-\t_\n\n")
    with pytest.raises(ConfigurationError, match="no arcs"):
        Parser(train_data_path=str(tmp_path / "arcless.sdp"))


def test_the_label_loss_is_weighted():
    batch_of = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]
    losses = []
    for weight in (0.0, 1.0, 2.0):
        weighted = Parser(model__label_loss_weight=weight)
        with torch.no_grad():
            losses.append(weighted.model(**weighted.batch(batch_of))["loss"].item())
    assert losses[2] - losses[1] == pytest.approx(losses[1] - losses[0], rel=1e-4)
    assert losses[1] > losses[0]


def test_mixed_precision_learns_the_same():
    # As before words had marks around them: for one or two characters the CNN has no window.
    mixed = Parser(
        model__text_field_embedder__normalize=True,
        model__skip_connection=True,
        dataset_reader__token_indexers__characters__character_tokenizer={},
    )
    batch = mixed.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:6])
    gradients = []
    for enabled in (False, True):
        mixed.model.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=enabled):
            loss = mixed.model(**batch)["loss"]
        loss.backward()
        gradients.append(
            torch.cat([p.grad.flatten() for p in mixed.model.parameters() if p.grad is not None])
        )
    assert torch.cosine_similarity(*gradients, dim=0) > 0.99


def test_words_of_one_and_two_characters_have_vectors_of_their_own(parser):
    words = ["a", "I", ",", "of", "to", "4"]
    tokens = parser.batch([Graph(map(Token, words))], gold=False)["tokens"]["characters"]
    embedder = parser.model.text_field_embedder.token_embedder_characters
    with torch.no_grad():
        [vectors] = embedder(**tokens)
    assert len(vectors.unique(dim=0)) == len(words)
    assert (vectors.amax(1) > 0).all()


def test_n_best_graphs_come_with_scores_and_probabilities():
    parser = Parser(model__beam_size=4, model__n_best=3)
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
        batch = parser.batch([graph])
        memory = parser.model._encode(batch["tokens"])[0]
        transitions = batch["transitions"]
        states, logits = parser.model.decoder(memory, transitions["focus"], transitions["features"])
    labels = {arc[:2]: arc.label for arc in graph.arcs}
    found = {}
    for step, pointer in enumerate(transitions["pointer"][0].tolist()):
        focus = transitions["focus"][0, step].item()
        if pointer != focus:
            probability = logits[0, step].softmax(0)[pointer].item()
            if pointer:
                arc = (states[0, step], memory.words[0, focus], memory.words[0, pointer])
                scores = parser.model.labeller(*(part.unsqueeze(0) for part in arc))[0].softmax(0)
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
    search = sdp_pointer.models.sdp_pointer.search

    def recording(network, memory, options):
        sizes.append(tuple(memory.mask.shape))
        return search(network, memory, options)

    monkeypatch.setattr("sdp_pointer.models.sdp_pointer.search", recording)
    monkeypatch.setattr("sdp_pointer.models.sdp_pointer.MAX_TOKENS", 60)
    sentences = instances(parser, [Graph([Token("word")] * 5)] * 12)
    for beam, expected in ((1, [(12, 6)]), (2, [(6, 6), (6, 6)]), (30, [(1, 6)] * 12)):
        parser.model.parse(sentences, options=Options(beam_size=beam))
        assert sizes == expected
        sizes.clear()


def test_first_weights_can_be_set_by_the_config():
    regexes = [["labeller.bilinear", {"type": "constant", "val": 0.25}]]
    other = Parser(model__initializer={"regexes": regexes})
    assert (other.model.labeller.bilinear == 0.25).all()
    assert not (other.model.decoder.root == 0.25).any()


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(ConfigurationError, match="n_best must be between 1 and the beam"):
        Parser(model__n_best=2)


def test_options_can_be_given_with_the_sentences(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))
    options = parser.model.options._replace(max_heads=0)
    parsed = parser.model.parse(instances(parser, graphs), options=options)
    assert not any(graph.arcs or graph.tops for [graph] in parsed)


def test_a_skip_connection_trains_and_parses():
    other = Parser(model__skip_connection=True, model__beam_size=3, model__label_weight=0.5)
    with torch.no_grad():
        output = other.model(**other.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]))
    assert torch.isfinite(output["loss"])
    assert all(graph.is_dag for graph in output["graph"])


def instances(parser, graphs):
    made = [parser.reader.text_to_instance(graph.tokens) for graph in graphs]
    for instance in made:
        parser.reader.apply_token_indexers(instance)
    return made


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


def test_a_sentence_of_2000_words_is_parsed_apart_from_the_short_ones(monkeypatch):
    # A random network would attach each word to all others, one after another.
    parser = Parser(model__max_heads=1, model__beam_size=2)
    long = [Token("word", "word", "NN")] * 2000
    graphs = [Graph(tokens) for tokens in (long[:3], long, long[:5])]
    shapes = []
    encode = parser.model._encode

    def recording(tokens):
        shapes.append(tuple(tokens["words"]["tokens"].shape))
        return encode(tokens)

    monkeypatch.setattr(parser.model, "_encode", recording)
    outputs = parser.model.forward_on_instances(instances(parser, graphs))
    assert shapes == [(2, 5), (1, 2000)]
    assert [len(output["graph"]) for output in outputs] == [3, 2000, 5]
    assert all(output["graph"].is_dag for output in outputs)


def test_a_tagger_learns_with_the_parser_and_needs_no_tags_to_parse(monkeypatch):
    monkeypatch.setenv("SDP_FEATURES", "words,characters")
    tagging = Parser(dataset_reader__tags=True, model__tagger={"hidden_size": 16, "tag_size": 8})
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
        Parser(model__tagger={})


def test_tags_without_a_tagger_change_nothing(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]
    with_tags = Parser(dataset_reader__tags=True)
    batch = with_tags.batch(graphs)
    assert "tags" in batch
    with torch.no_grad():
        loss = with_tags.model(**batch)["loss"]
        assert loss == parser.model(**parser.batch(graphs))["loss"]
    assert "tag_accuracy" not in with_tags.model.get_metrics()


def test_a_tagger_is_not_blamed_for_data_without_tags():
    tagging = Parser(dataset_reader__tags=True, model__tagger={}, model__tag_loss_weight=0.0)
    batch = tagging.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3])
    with torch.no_grad():
        loss_of_the_parser = tagging.model(**batch)["loss"]
        tagging.model.tag_loss_weight = 1.0
        del batch["tags"]
        assert tagging.model(**batch)["loss"] == loss_of_the_parser


def test_the_tag_loss_is_weighted_and_unknown_tags_do_no_harm():
    strange = [Graph([Token("Go", "go", "NEVER-SEEN")], tops=[1])]
    losses = []
    for weight in (0.0, 1.0, 2.0):
        tagging = Parser(dataset_reader__tags=True, model__tagger={}, model__tag_loss_weight=weight)
        with torch.no_grad():
            losses.append(tagging.model(**tagging.batch(strange))["loss"].item())
    assert losses[2] - losses[1] == pytest.approx(losses[1] - losses[0], rel=1e-4)
    assert losses[1] > losses[0]


def test_no_graph_comes_twice_whatever_the_order_of_heads():
    parser = Parser(model__beam_size=8, model__n_best=8, model__ascending=False)
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:6]
    parsed = parser.model.parse(instances(parser, graphs))
    assert all(len(set(n_best)) == len(n_best) for n_best in parsed)
    assert min(map(len, parsed)) < 8


def test_options_of_a_call_are_checked(parser):
    wrong = parser.model.options._replace(n_best=3)
    with pytest.raises(UserError, match="n_best must be between"):
        parser.model.parse([], options=wrong)


def test_all_tensors_are_made_where_the_sentences_are():
    tagging = Parser(dataset_reader__tags=True, model__tagger={}, model__skip_connection=True)
    batch = tagging.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3])
    expected = tagging.model(**batch)
    # As if the sentences were on a GPU: whatever is not told where to be is somewhere else.
    with torch.device("meta"):
        output = tagging.model(**batch)
        tagging.model.train()
        tagging.model(**batch)["loss"].backward()
    assert output["graph"] == expected["graph"]
    assert output["loss"] == expected["loss"]
