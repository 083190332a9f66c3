"""The model: AllenNLP's own checks, its loss, and sentences that broke the published code."""

import json

import pytest
import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.predictors import Predictor

from sdp_pointer.decoders.pointer import Options
from sdp_pointer.decoders.pointer.targets import targets
from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.predictors import SdpPointerPredictor
from sdp_pointer.transitions import oracle
from tests.conftest import FIXTURES
from tests.models.conftest import CONFIG, DM, Parser


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

    from sdp_pointer.decoders import PointerDecoder
    from sdp_pointer.models import Backbone, SdpPointer
    from sdp_pointer.nn.encoder import VariationalBiLstm

    vocab = Vocabulary()
    vocab.add_token_to_namespace("ARG1", "arc_labels")
    embedder = BasicTextFieldEmbedder({"words": Embedding(100, num_embeddings=2)})
    backbone = Backbone(embedder, Lazy(VariationalBiLstm))
    model = SdpPointer(vocab, backbone, {"dm": Lazy(PointerDecoder)})
    assert len(backbone.encoder.rightward) == len(backbone.encoder.leftward) == 3
    assert backbone.encoder.leftward[0].hidden_size == 512
    network, labeller = model.decoder.network, model.decoder.labeller
    assert network.lstm.hidden_size == 512
    assert network.lstm.num_layers == 1
    assert network.pointer.f1[0].out_features == 512
    assert labeller.g1[0].out_features == 128
    assert network.lstm.input_size == 256
    assert network.features == ("co_parent",)
    assert network.shift is network.skip is backbone.tagger is None
    dropouts = (network.dropout, network.pointer.f1[2], labeller.g1[2])
    assert [dropout.p for dropout in dropouts] == [0.33] * 3
    assert model.decoder.label_loss_weight == 1.0
    assert model.options == Options()
    assert model.formalisms == ("dm",)


def test_the_loss_is_that_of_the_gold_steps(parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:5]
    batch = parser.batch(graphs)
    decoder = parser.model.decoder
    labels = parser.vocab.get_token_to_index_vocabulary("arc_labels")
    found = targets(graphs, labels, torch.device("cpu"))
    with torch.no_grad():
        loss = parser.model(**batch)["loss"].item()
        memory = decoder.network.remember(parser.model.backbone(batch["tokens"])[0])
        states, logits = decoder.network(memory, found.focus, found.features)
    expected, steps = 0.0, 0
    for number, graph in enumerate(graphs):
        names = {arc[:2]: arc.label for arc in graph.arcs}
        for step, is_real in enumerate(found.mask[number].tolist()):
            if is_real:
                steps += 1
                focus = found.focus[number, step].item()
                pointer = found.pointer[number, step].item()
                expected -= logits[number, step].log_softmax(0)[pointer].item()
                label = labels.get(names.get((pointer, focus)))
                if label is not None:
                    words = memory.words[number]
                    arc = (states[number, step], words[focus], words[pointer])
                    scores = decoder.labeller(*(part.unsqueeze(0) for part in arc))
                    expected -= scores[0].log_softmax(0)[label].item()
    assert loss == pytest.approx(expected / steps, rel=1e-4)


def test_a_batch_without_any_arc_has_a_loss_that_is_a_number(parser):
    arcless = [Graph([Token("Hello"), Token("!")]), Graph([Token("Go")])]
    parser.model.train()
    try:
        output = parser.model(**parser.batch(arcless))
        output["loss"].backward()
        # A process of a distributed training that has no such gradient would let the others wait.
        assert parser.model.decoder.labeller.bilinear.grad is not None
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
            steps.append(sum(len(oracle(graph)) for graph in graphs))
    assert losses[2] * steps[2] == pytest.approx(
        losses[0] * steps[0] + losses[1] * steps[1], rel=1e-4
    )


def test_training_yields_a_loss_and_no_graphs(parser):
    parser.model.get_metrics(reset=True)
    parser.model.train()
    output = parser.model(**parser.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:2]))
    parser.model.eval()
    assert set(output) == {"loss"}
    assert parser.model.get_metrics(reset=True)["LF"] == 0.0


@pytest.mark.parametrize("features", [[], ["co_parent", "grandparent", "sibling"]])
def test_other_features_train_and_parse(features):
    other = Parser(**{f"{DM}__features": features, f"{DM}__search__beam_size": 3})
    with torch.no_grad():
        output = other.model(**other.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]))
    assert torch.isfinite(output["loss"])
    assert all(graph.is_dag for graph in output["graph"])


def test_an_unknown_feature_is_refused():
    with pytest.raises(ConfigurationError, match="cousin"):
        Parser(**{f"{DM}__features": ["cousin"]})


def test_training_data_without_arcs_is_refused(tmp_path):
    (tmp_path / "arcless.sdp").write_text("#SDP 2015\n#20001001\n1\tGo\tgo\tVB\t+\t-\t_\n\n")
    with pytest.raises(ConfigurationError, match="no arcs"):
        Parser(train_data_path=str(tmp_path / "arcless.sdp"))


def test_the_label_loss_is_weighted():
    batch_of = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]
    losses = []
    for weight in (0.0, 1.0, 2.0):
        weighted = Parser(**{f"{DM}__label_loss_weight": weight})
        with torch.no_grad():
            losses.append(weighted.model(**weighted.batch(batch_of))["loss"].item())
    assert losses[2] - losses[1] == pytest.approx(losses[1] - losses[0], rel=1e-4)
    assert losses[1] > losses[0]


def test_mixed_precision_learns_the_same():
    # As before words had marks around them: for one or two characters the CNN has no window.
    mixed = Parser(
        model__backbone__text_field_embedder__normalize=True,
        model__decoders__dm__skip_connection=True,
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
    embedder = parser.model.backbone.text_field_embedder.token_embedder_characters
    with torch.no_grad():
        [vectors] = embedder(**tokens)
    assert len(vectors.unique(dim=0)) == len(words)
    assert (vectors.amax(1) > 0).all()


def test_first_weights_can_be_set_by_the_config():
    regexes = [["labeller.bilinear", {"type": "constant", "val": 0.25}]]
    other = Parser(model__initializer={"regexes": regexes})
    assert (other.model.decoder.labeller.bilinear == 0.25).all()
    assert not (other.model.decoder.network.root == 0.25).any()


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(ConfigurationError, match="n_best must be between 1 and the beam"):
        Parser(**{f"{DM}__search__n_best": 2})


def test_a_skip_connection_trains_and_parses():
    search = {"beam_size": 3, "label_weight": 0.5}
    other = Parser(**{f"{DM}__skip_connection": True, f"{DM}__search": search})
    with torch.no_grad():
        output = other.model(**other.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3]))
    assert torch.isfinite(output["loss"])
    assert all(graph.is_dag for graph in output["graph"])


def test_all_tensors_are_made_where_the_sentences_are():
    tagging = Parser(
        dataset_reader__tags=True,
        model__backbone__tagger={},
        model__decoders__dm__skip_connection=True,
    )
    batch = tagging.batch(list(read(FIXTURES / "data" / "dm.dev.sdp"))[:3])
    expected = tagging.model(**batch)
    # As if the sentences were on a GPU: whatever is not told where to be is somewhere else.
    with torch.device("meta"):
        output = tagging.model(**batch)
        tagging.model.train()
        tagging.model(**batch)["loss"].backward()
    assert output["graph"] == expected["graph"]
    assert output["loss"] == expected["loss"]
