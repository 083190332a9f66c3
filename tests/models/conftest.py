"""What the tests of the model share: the tiny parser, untrained."""

import json

import pytest
import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.batch import Batch
from allennlp.models import Model

import sdp_pointer.components  # noqa: F401
from tests.conftest import FIXTURES

# The decoder in a config, with __ for dots.
DM = "model__decoders__dm"

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
        self.config = config["model"].duplicate().as_dict(quiet=True)
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


def instances(parser, graphs):
    made = [parser.reader.text_to_instance(graph.tokens) for graph in graphs]
    for instance in made:
        parser.reader.apply_token_indexers(instance)
    return made
