"""Tiny transformers of every kind, made here: nothing is downloaded."""

import json
import runpy
import shutil
import socket

import pytest
import torch
from tokenizers import ByteLevelBPETokenizer, Tokenizer, models, pre_tokenizers, trainers
from transformers import AutoConfig, AutoModel, XLMRobertaTokenizer
from transformers.utils import logging

from sdp_pointer.transformer.encoder import WordEncoder
from sdp_pointer.transformer.pretrained import load_model, load_tokenizer
from tests.conftest import FIXTURES

logging.disable_progress_bar()
MAKE = runpy.run_path(str(FIXTURES / "make_bert.py"))
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
KINDS = ["bert", "distilbert", "electra", "roberta", "xlm-roberta"]


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """A cache of the test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("SDP_CACHE", str(folder))
    monkeypatch.delenv("SDP_BERT", raising=False)
    return folder


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("something asked for the network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def make_transformer(kind, folder, max_position_embeddings=60, seed=0):
    """A random transformer of a kind, with a tokenizer trained on the fixtures."""
    if kind in ("bert", "distilbert", "electra"):
        MAKE["make_bert"](folder)
        if kind == "bert" and max_position_embeddings == 60 and not seed:
            return
        vocab_size = len(MAKE["vocabulary"]())
    else:
        vocab_size = _sentence_piece(kind, folder)
    config = AutoConfig.for_model(
        kind,
        vocab_size=vocab_size,
        hidden_size=32,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=64,
        hidden_dim=64,
        max_position_embeddings=max_position_embeddings,
        pad_token_id=0 if kind in ("bert", "distilbert", "electra") else 1,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        AutoModel.from_config(config).save_pretrained(folder)


def _sentence_piece(kind, folder):
    folder.mkdir(exist_ok=True)
    words = [f" {word}" for word in MAKE["words"]()]
    if kind == "roberta":
        bytes_ = ByteLevelBPETokenizer()
        bytes_.train_from_iterator(words, 400, special_tokens=SPECIAL, show_progress=False)
        bytes_.save_model(str(folder))
        return bytes_.get_vocab_size()
    unigram = Tokenizer(models.Unigram())
    unigram.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=200, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False
    )
    unigram.train_from_iterator(words, trainer)
    pieces = json.loads(unigram.to_str())["model"]["vocab"]
    XLMRobertaTokenizer(vocab=[tuple(piece) for piece in pieces]).save_pretrained(folder)
    return len(pieces)


@pytest.fixture(scope="session", params=KINDS)
def any_transformer(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    make_transformer(request.param, folder)
    return folder


@pytest.fixture(scope="session")
def bert(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    make_transformer("bert", folder)
    return folder


@pytest.fixture
def copy(bert, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(bert, folder)
    return folder


@pytest.fixture
def encoder_of():
    """A word encoder of a folder, in evaluation."""

    def load(folder, layers=(3,), pooling="mean"):
        return WordEncoder(load_model(folder), load_tokenizer(folder), layers, pooling).eval()

    return load
