"""What a model needs and has not is named, be it a folder or an archive."""

import shutil

import pytest
from allennlp.predictors import Predictor

import sdp_pointer
from sdp_pointer.archives import MissingError
from sdp_pointer.errors import UserError
from sdp_pointer.parser import ENGLISH_DM


@pytest.fixture
def english(tmp_path):
    """A copy of the model of the package."""
    return shutil.copytree(ENGLISH_DM, tmp_path / "english")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["config.json"], "it is not the folder of a training"),
        (["weights.safetensors"], "it contains no weights"),
        (["vocabulary"], "it contains no vocabulary/non_padded_namespaces.txt"),
        (["vocabulary/non_padded_namespaces.txt"], "it contains no vocabulary/non_padded_name"),
        (["transformer"], "it contains no folder 'transformer', with config and tokenizer"),
        (
            ["transformer/tokenizer.json", "transformer/vocab.txt"],
            "its folder 'transformer' holds no tokenizer.json, and no vocabulary",
        ),
    ],
)
def test_what_is_missing_is_named(english, names, message):
    for name in names:
        path = english / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = sorted(english.rglob("*"))
    with pytest.raises(MissingError, match=f"cannot load {english}: {message}"):
        sdp_pointer.load(str(english))
    assert sorted(english.rglob("*")) == before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("transformer/config.json", "cannot load the transformer in .*transformer"),
        ("vocabulary/arc_labels.txt", "those of a trained model are in vocabulary/arc_labels.txt"),
    ],
)
def test_the_rest_is_told_in_one_line(english, name, message):
    (english / name).unlink()
    with pytest.raises(UserError, match=message) as refused:
        sdp_pointer.load(str(english))
    assert "\n" not in str(refused.value)


def test_a_label_without_a_name_is_told_before_it_is_used(english):
    labels = english / "vocabulary" / "arc_labels.txt"
    _, *others = labels.read_text().split("\n")
    labels.write_text("\n".join(["", *others]))
    with pytest.raises(UserError, match=r"a label in vocabulary/arc_labels\.txt is empty"):
        sdp_pointer.load(str(english))


def test_a_tokenizer_of_another_transformer_is_refused(english):
    vocabulary = english / "transformer" / "vocab.txt"
    (english / "transformer" / "tokenizer.json").unlink()
    vocabulary.write_text(vocabulary.read_text() + "zzmore\nzzmuchmore\n")
    with pytest.raises(UserError, match="the tokenizer has 30,524 pieces, and its transformer"):
        sdp_pointer.load(str(english))


def test_a_piece_without_a_vector_is_told(english):
    tokenizer = english / "transformer" / "tokenizer.json"
    text = tokenizer.read_text()
    assert '"kim":5035' in text
    tokenizer.write_text(text.replace('"kim":5035', '"kim":99999'))
    parser = sdp_pointer.load(str(english))
    assert parser.parse("The cat sleeps.").arcs
    with pytest.raises(UserError, match="the tokenizer has a piece 99,999, and its transformer"):
        parser.parse("Kim sleeps.")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"words": {"type": "single_id", "namespace": "others"}}, "index out of range"),
        ({"words": {"type": "single_id", "namespace": None}}, "too many dimensions"),
        ({"others": {"type": "single_id", "namespace": "words"}}, "Mismatched token keys"),
        ({"words": {"type": "spacy"}}, "requires you to use a Tokenizer"),
    ],
)
def test_parts_that_do_not_belong_together_are_found_when_it_is_loaded(
    model, configure, change, why
):
    (model / "vocabulary" / "others.txt").write_text("@@UNKNOWN@@\n1\n2\n3\n4\n5\n6\n7\n8")
    configure("dataset_reader", token_indexers=change)
    for load in (sdp_pointer.load, Predictor.from_path):
        with pytest.raises(UserError, match=why) as refused:
            load(str(model))
        assert "\n" not in str(refused.value)
