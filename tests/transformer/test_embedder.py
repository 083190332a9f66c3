"""Indexer and embedder: batches, cache, fine-tuning, freezing."""

import shutil

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, TokenIndexer, Vocabulary
from allennlp.data.batch import Batch
from allennlp.data.fields import TextField
from allennlp.data.tokenizers import Token
from allennlp.modules.token_embedders import TokenEmbedder
from allennlp.nn.util import get_text_field_mask
from allennlp.training.optimizers import Optimizer

import sdp_pointer.components  # noqa: F401
from sdp_pointer.transformer import frozen
from tests.transformer.conftest import make_transformer

TEXTS = ["The old cat sleeps .", "Cats", "Zoë bought a \u200b book in internationalisation ."]


def tensors(folder, texts=TEXTS):
    """A batch as the model gets it."""
    params = Params({"type": "mismatched_transformer", "model_name": str(folder)})
    indexer = TokenIndexer.from_params(params)
    fields = [
        TextField([Token(word) for word in text.split(" ")], {"transformer": indexer})
        for text in texts
    ]
    batch = Batch([Instance({"tokens": field}) for field in fields])
    batch.index_instances(Vocabulary())
    return batch.as_tensor_dict()["tokens"]


def embedder(folder, **options):
    params = {"type": "mismatched_transformer", "model_name": str(folder), **options}
    return TokenEmbedder.from_params(Params(params))


def embed(folder, texts=TEXTS, **options):
    return embedder(folder, **options)(**tensors(folder, texts)["transformer"])


@pytest.fixture
def runs(monkeypatch):
    """How many sentences each pass of a frozen encoder had."""
    numbers = []
    compute = frozen.FrozenEncoder._compute

    def counting(self, sentences, device):
        numbers.append(len(sentences))
        return compute(self, sentences, device)

    monkeypatch.setattr(frozen.FrozenEncoder, "_compute", counting)
    return numbers


def test_the_mask_of_a_batch_is_that_of_the_words(any_transformer):
    batch = tensors(any_transformer)
    assert batch["transformer"]["token_ids"].shape[1] > 8
    mask = get_text_field_mask(batch)
    assert mask.sum(1).tolist() == [5, 1, 8]
    assert mask.shape == (3, 8)
    vectors = embed(any_transformer)
    assert vectors.shape == (3, 8, 32)
    assert (vectors.abs().sum(2) > 0).equal(mask)


def test_no_tokens_are_indexed_as_some_are(bert):
    params = Params({"type": "mismatched_transformer", "model_name": str(bert)})
    indexer = TokenIndexer.from_params(params)
    assert indexer.get_empty_token_list() == indexer.tokens_to_indices([], Vocabulary())


def test_the_default_is_the_mean_in_the_second_to_last_layer(bert, encoder_of):
    from sdp_pointer.transformer.embedder import unpad

    batch = tensors(bert)["transformer"]
    with torch.no_grad():
        expected = encoder_of(bert, layers=[3])(unpad(batch["token_ids"], batch["pieces_per_word"]))
    found = embed(bert, cache="")
    for row, vectors in zip(found, expected):
        torch.testing.assert_close(row[: len(vectors)], vectors.half().float())


def test_the_cache_changes_nothing_and_saves_every_pass(bert, cache, runs):
    without = embed(bert, cache="")
    assert runs == [3]
    cold = embed(bert)
    assert runs == [3, 3]
    warm = embed(bert)
    assert runs == [3, 3]
    assert torch.equal(without, cold)
    assert torch.equal(cold, warm)
    embed(bert, texts=["Cats", "Dogs", "Dogs"])
    assert runs == [3, 3, 1]


def test_with_a_warm_cache_the_encoder_is_not_even_loaded(bert, monkeypatch):
    expected = embed(bert)

    def refuse(*args):
        raise AssertionError("the encoder was loaded")

    monkeypatch.setattr("sdp_pointer.transformer.encoder.load_model", refuse)
    assert torch.equal(embed(bert), expected)
    with pytest.raises(AssertionError, match="was loaded"):
        embed(bert, texts=["Dogs"])


@pytest.mark.parametrize("options", [{"layers": -1}, {"pooling": "first"}, {"layers": [-2, -3]}])
def test_the_cache_knows_layers_and_pooling(bert, runs, options):
    embed(bert)
    embed(bert, **options)
    assert runs == [3, 3]


def test_the_cache_knows_the_model_and_the_tokenizer(bert, tmp_path, runs):
    embed(bert)
    other = tmp_path / "other"
    make_transformer("bert", other, seed=3)
    embed(other)
    shutil.copy(bert / "model.safetensors", other)
    shutil.copy(bert / "config.json", other)
    embed(other)  # it is in another place, but the same
    assert runs == [3, 3]
    settings = (other / "tokenizer_config.json").read_text()
    (other / "tokenizer_config.json").write_text(settings.replace('"do_lower_case"', '"unused"'))
    embed(other)
    assert runs == [3, 3, 3]


def test_huge_values_stay_finite(bert, monkeypatch):
    def huge(self, sentences):
        return [torch.full((len(sentence.counts), 32), 1e30) for sentence in sentences]

    monkeypatch.setattr("sdp_pointer.transformer.encoder.WordEncoder.forward", huge)
    assert torch.isfinite(embed(bert)).all()


def test_layers_are_mixed_with_learned_weights(bert):
    mixed = embedder(bert, layers=[-1, -2, 0])
    batch = tensors(bert)["transformer"]
    mixed(**batch).sum().backward()
    assert all(parameter.grad is not None for parameter in mixed.parameters())
    weights = torch.tensor([0.5, -1.0, 2.0])
    for scalar, weight in zip(mixed.mix.scalar_parameters, weights):
        scalar.data.fill_(weight)
    mixed.mix.gamma.data.fill_(3.0)
    layers = [embed(bert, layers=layer) for layer in (-1, -2, 0)]
    shares = weights.softmax(0)
    expected = 3.0 * sum(share * layer for share, layer in zip(shares, layers))
    torch.testing.assert_close(mixed(**batch), expected)


def trained(model, batch, **optimizer):
    """The weights that two steps of training change."""
    before = {name: parameter.clone() for name, parameter in model.named_parameters()}
    probe = torch.nn.Linear(32, 1)
    parameters = [
        (name, parameter)
        for name, parameter in [*model.named_parameters(), *probe.named_parameters("probe")]
        if parameter.requires_grad
    ]
    params = Params({"type": "adamw", "lr": 0.01, **optimizer})
    steps = Optimizer.from_params(params, model_parameters=parameters)
    model.train()
    for _ in range(2):
        steps.zero_grad()
        probe(model(**batch)).pow(2).mean().backward()
        steps.step()
    model.eval()
    return {name for name, p in model.named_parameters() if not torch.equal(p, before[name])}


def test_a_frozen_encoder_has_nothing_to_train_or_to_save(bert):
    model = embedder(bert)
    batch = tensors(bert)["transformer"]
    before = model(**batch)
    assert not list(model.parameters())
    assert not model.state_dict()
    assert trained(model, batch) == set()
    assert torch.equal(model(**batch), before)


def test_fine_tuning_changes_all_that_is_used(any_transformer):
    model = embedder(any_transformer, trainable=True, layers=[-1, -2])
    changed = trained(model, tensors(any_transformer)["transformer"])
    names = {name for name, _ in model.named_parameters()}
    assert any("word_embeddings" in name for name in changed)
    assert any("layer.0." in name for name in changed)
    assert any("layer.3." in name for name in changed)
    # A bias that the softmax of attention cancels has no gradient but rounding.
    assert all("bias" in name for name in names - changed)


def test_fine_tuning_starts_from_the_pretrained_vectors(any_transformer):
    model = embedder(any_transformer, trainable=True).eval()
    with torch.no_grad():
        vectors = model(**tensors(any_transformer)["transformer"])
    torch.testing.assert_close(vectors.half().float(), embed(any_transformer), rtol=2e-3, atol=1e-5)


def test_the_lowest_layers_can_stay_as_they_are(any_transformer):
    model = embedder(any_transformer, trainable=True, layers=-1, frozen_layers=2)
    changed = trained(model, tensors(any_transformer)["transformer"])
    assert {name.split("layer.")[1][0] for name in changed} == {"2", "3"}


def test_layers_above_those_that_are_used_are_not_trained(any_transformer):
    model = embedder(any_transformer, trainable=True, layers=2)
    for name, parameter in model.named_parameters():
        above = "layer.2." in name or "layer.3." in name
        assert parameter.requires_grad != above


def test_parameter_groups_freeze_and_set_rates(bert):
    model = embedder(bert, trainable=True, layers=-1)
    groups = [
        [["layer.[01].", "embeddings"], {"requires_grad": False}],
        [["layer.2."], {"lr": 0.0}],
    ]
    changed = trained(model, tensors(bert)["transformer"], parameter_groups=groups)
    assert {name.split("layer.")[1][0] for name in changed} == {"3"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layers": 5}, "layers \\[5\\]"),
        ({"layers": [-1, -6]}, "layers"),
        ({"layers": []}, "layers"),
        ({"pooling": "max"}, "pooling must be"),
        ({"frozen_layers": 2}, "frozen_layers needs"),
    ],
)
def test_options_that_make_no_sense_are_refused(bert, options, message):
    with pytest.raises(ConfigurationError, match=message):
        embedder(bert, **options)
