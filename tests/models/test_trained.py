"""A new model begins with the weights of another, whose vocabulary it extends."""

import pytest
import torch
from allennlp.data import Vocabulary

from sdp_pointer.errors import UserError
from sdp_pointer.models import TrainedWeights
from sdp_pointer.nn.embedder import CountingVocabulary, once_namespace


def test_what_is_larger_keeps_the_rest_of_its_numbers(packed_model, words_parser):
    name = "backbone.text_field_embedder.token_embedder_words.weight"
    known = words_parser.model.state_dict()[name]
    larger = torch.full((len(known) + 3, known.shape[1]), 7.0)
    TrainedWeights(str(packed_model))(larger, parameter_name=name)
    assert torch.allclose(larger[:-3], known, atol=0.05)  # it has 8 bits
    assert (larger[-3:] == 7).all()


@pytest.mark.parametrize(
    ("name", "shape"),
    [("no.such.weight", (3,)), ("backbone.encoder.rightward.0.weight_hh_l0", (3, 3))],
)
def test_weights_that_do_not_fit_are_named(packed_model, name, shape):
    with pytest.raises(UserError, match=f"it has no weights that fit {name}"):
        TrainedWeights(str(packed_model))(torch.zeros(shape), parameter_name=name)


def test_an_extended_vocabulary_keeps_its_numbers(tmp_path):
    known = Vocabulary()
    for word in ("cats", "purr"):
        known.add_token_to_namespace(word, "words")
    known.save_to_files(tmp_path / "vocabulary")
    extended = CountingVocabulary.from_instances_and_counts(
        [], extends=str(tmp_path / "vocabulary")
    )
    assert extended.get_token_to_index_vocabulary("words") == known.get_token_to_index_vocabulary(
        "words"
    )
    assert not extended.get_token_to_index_vocabulary(once_namespace("words"))
    with pytest.raises(UserError, match="there is no vocabulary in"):
        CountingVocabulary.from_instances_and_counts([], extends=str(tmp_path / "nowhere"))
