"""Noise on word representations: dropped kinds, and words taken for unknown."""

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.data.batch import Batch
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.modules.token_embedders import Embedding

import sdp_pointer.components  # noqa: F401
from sdp_pointer.dataset_readers import SdpDatasetReader
from sdp_pointer.graphs import Graph, Token
from sdp_pointer.nn.embedder import UNKNOWN_ID, TokenDropoutEmbedder


@pytest.fixture
def instances():
    reader = SdpDatasetReader(
        {
            "words": SingleIdTokenIndexer("words"),
            "pos": SingleIdTokenIndexer("pos", feature_name="tag_"),
        }
    )
    tokens = [Token("often", pos="X"), Token("often", pos="X"), Token("once", pos="Y")]
    instance = reader.text_to_instance(tokens, Graph(tokens))
    reader.apply_token_indexers(instance)
    return [instance]


@pytest.fixture
def vocab(instances):
    return Vocabulary.from_params(Params({"type": "sdp_pointer"}), instances=instances)


def embedder(vocab, **options):
    words = Embedding(4, vocab=vocab, vocab_namespace="words")
    pos = Embedding(2, vocab=vocab, vocab_namespace="pos")
    return TokenDropoutEmbedder({"words": words, "pos": pos}, vocab, **options)


def tensors(instances, vocab):
    batch = Batch(instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["tokens"]


def test_the_vocabulary_remembers_words_seen_once_also_on_disk(vocab, tmp_path):
    vocab.save_to_files(tmp_path)
    for some in (vocab, Vocabulary.from_files(tmp_path)):
        assert set(some.get_token_to_index_vocabulary("words_once_labels")) == {"once"}


def test_only_words_seen_once_are_taken_for_unknown(instances, vocab):
    noisy = embedder(vocab, dropout=0.0, unk_replacement=1.0).train()
    text = tensors(instances, vocab)
    embedded = noisy(text)[0, :, 2:]  # pos first, in alphabetical order
    words = noisy._token_embedders["words"].weight
    often = vocab.get_token_index("often", "words")
    assert torch.equal(embedded, words[torch.tensor([often, often, UNKNOWN_ID])])


def test_about_as_many_as_asked_for_are_taken_for_unknown(instances, vocab):
    torch.manual_seed(0)
    noisy = embedder(vocab, dropout=0.0, unk_replacement=0.25).train()
    text = {
        name: {"tokens": ids["tokens"].repeat(1000, 1)}
        for name, ids in tensors(instances, vocab).items()
    }
    unknown = noisy._token_embedders["words"].weight[UNKNOWN_ID]
    replaced = (noisy(text)[:, :, 2:] == unknown).all(2).float().mean(0)
    assert replaced[:2].tolist() == [0.0, 0.0]
    assert 0.2 < replaced[2] < 0.3


def test_the_namespaces_to_watch_can_be_chosen_and_rare_words_left_out(instances):
    config = {"type": "sdp_pointer", "once": ["pos"], "min_count": {"words": 2}}
    vocab = Vocabulary.from_params(Params(config), instances=instances)
    assert set(vocab.get_token_to_index_vocabulary("pos_once_labels")) == {"Y"}
    assert not vocab.get_token_to_index_vocabulary("words_once_labels")
    assert set(vocab.get_index_to_token_vocabulary("words").values()) >= {"often"}
    assert vocab.get_token_index("once", "words") == UNKNOWN_ID
    noisy = embedder(vocab, dropout=0.0, unk_replacement=1.0).train()
    embedded = noisy(tensors(instances, vocab))[0, :, :2]
    pos = noisy._token_embedders["pos"].weight
    often = vocab.get_token_index("X", "pos")
    assert torch.equal(embedded, pos[torch.tensor([often, often, UNKNOWN_ID])])


def test_words_and_lemmas_are_watched_unless_told_otherwise():
    indexers = {"lemmas": SingleIdTokenIndexer("lemmas", feature_name="lemma_")}
    reader = SdpDatasetReader(indexers)
    tokens = [Token(form, lemma="go") for form in ("goes", "went")] + [Token("cat", lemma="cat")]
    instance = reader.text_to_instance(tokens, Graph(tokens))
    reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_params(Params({"type": "sdp_pointer"}), instances=[instance])
    assert set(vocab.get_token_to_index_vocabulary("lemmas_once_labels")) == {"cat"}


def test_a_word_seen_once_may_be_too_rare_for_the_vocabulary(instances):
    config = {"type": "sdp_pointer", "min_count": {"words": 2}}
    vocab = Vocabulary.from_params(Params(config), instances=instances)
    assert set(vocab.get_token_to_index_vocabulary("words_once_labels")) == {"once"}
    noisy = embedder(vocab, dropout=0.0, unk_replacement=1.0).train()
    text = tensors(instances, vocab)
    assert torch.equal(noisy(text), noisy.eval()(text))


def test_words_with_a_vector_are_in_the_vocabulary_as_allennlp_has_it(instances, tmp_path):
    (tmp_path / "vectors.txt").write_text("once 1 2 3 4\nnever 1 2 3 4\nnor 1 2 3 4\n")
    config = {
        "type": "sdp_pointer",
        "min_count": {"words": 2},
        "pretrained_files": {"words": str(tmp_path / "vectors.txt")},
        "min_pretrained_embeddings": {"words": 2},
    }
    vocab = Vocabulary.from_params(Params(config), instances=instances)
    words = set(vocab.get_index_to_token_vocabulary("words").values())
    assert {"often", "once", "never"} <= words
    assert "nor" not in words


def test_what_was_seen_once_is_no_part_of_the_weights(vocab):
    keys = set(embedder(vocab).state_dict())
    assert keys == {"token_embedder_words.weight", "token_embedder_pos.weight"}


def test_nothing_is_replaced_or_dropped_outside_of_training(instances, vocab):
    noisy = embedder(vocab, dropout=0.9, unk_replacement=1.0).eval()
    text = tensors(instances, vocab)
    plain = torch.cat(
        [noisy._token_embedders[key](text[key]["tokens"]) for key in ("pos", "words")], dim=2
    )
    assert torch.equal(noisy(text), plain)


def test_a_token_loses_whole_vectors_of_one_kind_and_the_rest_is_scaled_up(instances, vocab):
    torch.manual_seed(0)
    noisy = embedder(vocab, dropout=0.5, unk_replacement=0.0).train()
    text = tensors(instances, vocab)
    plain = noisy.eval()(text)
    noisy.train()
    seen = set()
    for _ in range(50):
        ratio = noisy(text) / plain
        for kind in (ratio[0, :, :2], ratio[0, :, 2:]):
            for token in kind:
                assert len(set(token.round(decimals=4).tolist())) == 1
        seen.add(tuple(ratio[0, 0, [0, 2]].round(decimals=4).tolist()))
    # The two kinds are dropped independently of each other.
    assert seen == {(0.0, 0.0), (0.0, 2.0), (2.0, 0.0), (2.0, 2.0)}


def test_every_kind_is_brought_to_the_same_scale(instances, vocab):
    normalizing = embedder(vocab, dropout=0.0, normalize=True).eval()
    normalizing._token_embedders["words"].weight.data *= 1000
    pos, words = normalizing(tensors(instances, vocab))[0].split([2, 4], dim=1)
    for kind in (pos, words):
        torch.testing.assert_close(kind.mean(1), torch.zeros(3), atol=1e-4, rtol=0)
        torch.testing.assert_close(kind.var(1, correction=0), torch.ones(3), atol=1e-2, rtol=0)
