"""A parser that was loaded is saved, with the weights that it has now."""

import pytest
import torch

import sdp_pointer
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import PatternError
from sdp_pointer.parser import Parser

TEXT = "Kim likes the old house."


@pytest.mark.parametrize("kind", ["archive", "folder", "packed"])
def test_a_saved_parser_parses_the_same(kind, words_model, packed_model, tmp_path, monkeypatch):
    model = {"archive": words_model, "folder": words_model.parent, "packed": packed_model}[kind]
    monkeypatch.chdir(model.parent)
    parser = sdp_pointer.load(model.name)
    monkeypatch.chdir(tmp_path)
    parser.save(tmp_path / "saved")
    assert sdp_pointer.load("saved").parse(TEXT) == parser.parse(TEXT)
    sdp_pointer.load("saved").save("again")
    assert sdp_pointer.load("again").parse(TEXT) == parser.parse(TEXT)


def test_the_weights_are_those_of_now(words_model, tmp_path):
    parser = sdp_pointer.load(str(words_model))
    name, parameter = next(iter(parser.model.named_parameters()))
    with torch.no_grad():
        parameter += 1
    parser.save(tmp_path / "saved")
    saved = sdp_pointer.load(str(tmp_path / "saved")).model.get_parameter(name)
    assert torch.equal(saved, parameter)


def test_a_folder_that_is_there_is_kept(words_parser, tmp_path):
    with pytest.raises(UserError, match="exists already"):
        words_parser.save(tmp_path)


def test_a_parser_without_files_cannot_be_saved(words_parser, tmp_path):
    parser = Parser(words_parser.model, words_parser.reader)
    with pytest.raises(UserError, match="only a parser that was loaded"):
        parser.save(tmp_path / "saved")


def test_a_pattern_is_found_in_parsed_sentences(words_parser):
    sentences = [TEXT, "Cats purr."]
    matches = list(words_parser.find("?head -?label-> ?argument", sentences))
    found = [
        (match["head"].position, match["argument"].position, match["label"]) for match in matches
    ]
    arcs = [arc[:3] for graph in words_parser.parse_batch(sentences) for arc in graph.arcs]
    assert sorted(found) == sorted(arcs)
    assert found
    with pytest.raises(PatternError):
        words_parser.find("?head -?label->", sentences)
