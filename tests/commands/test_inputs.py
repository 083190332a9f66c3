"""What `sdp-pointer parse` is given, and what it refuses before a model is loaded."""

import gzip

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import read
from tests.conftest import FIXTURES


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my notes.txt").write_text("Cats purr.\n")
    (tmp_path / "two.txt").write_text("Go home.\nCome back.\n")
    (tmp_path / "model.bin").write_bytes(b"\0" * 99)
    (tmp_path / "damaged.gz").write_bytes(gzip.compress(b"Go home.\n")[:-12])
    (tmp_path / "some folder").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["my nots.txt"], "no file 'my nots.txt' (is it 'my notes.txt'?); a sentence that looks"),
        (["some folder/a text"], "there is no file 'some folder/a text'; a sentence that looks"),
        (["nowhere"], "there is no file 'nowhere'; a sentence of one word"),
        ([" "], "there are no words in the sentence"),
        (["some folder"], "some folder is a folder: name a file in it"),
        (["model.bin"], "model.bin is no text; if it is a model, name it by --model"),
        (["two.txt", "--to", "svg"], "an SVG holds one graph"),
        (["two.txt", "-o", "two.svg"], "an SVG holds one graph"),
        (["Cats purr. Dogs bark.", "--split", "--to", "svg"], "an SVG holds one graph"),
        ([str(FIXTURES / "data" / "dm.dev.sdp"), "--to", "svg"], "an SVG holds one graph"),
    ],
)
def test_what_cannot_be_parsed_is_refused_before_a_model_is_loaded(arguments, message, capsys):
    assert main(["parse", *arguments, "--model", "no/such/model"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("sdp-pointer: error: ")
    assert message in line


@pytest.mark.parametrize(
    "sentence", ["It is in the file.", "Node.js and some.thing else", "a/b or c", "See 3.14 there"]
)
def test_sentences_are_no_files(sentence, capsys):
    assert main(["parse", sentence, "--model", "no/such/model"]) == 2
    assert "cannot load no/such/model: no such file" in capsys.readouterr().err


def test_a_file_with_a_space_in_its_name_is_read(words_model, capsys):
    assert main(["parse", "my notes.txt", "--model", str(words_model), "--to", "text"]) == 0
    assert "purr" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--from", "--format"])
def test_the_format_has_two_names(option, words_model, folder):
    (folder / "tokens.txt").write_text("Go home, now!\n")
    arguments = ["tokens.txt", option, "tokens", "-o", "out.sdp", "--model", str(words_model)]
    assert main(["parse", *arguments]) == 0
    [graph] = read("out.sdp")
    assert graph.forms == ("Go", "home,", "now!")


def test_lines_of_several_sentences_are_hinted_at(words_model, folder, capsys):
    line = "The dog sleeps in the garden. Nobody likes the old cat.\n"
    (folder / "lines.txt").write_text(3 * line)
    arguments = ["parse", "lines.txt", "-o", "out.jsonl", "--model", str(words_model)]
    assert main(arguments) == 0
    assert capsys.readouterr().err == (
        "sdp-pointer: there are several sentences in the line beginning 'The dog sleeps in' and 2"
        " more: --split parses each\n"
    )
    assert main([*arguments, "--split"]) == 0
    assert capsys.readouterr().err == ""
    assert len(list(read("out.jsonl"))) == 6


def test_an_output_is_named_once(capsys):
    source = str(FIXTURES / "data" / "dm.dev.sdp")
    assert main(["convert", source, "--output", "out.jsonl"]) == 0
    assert list(read("out.jsonl")) == list(read(source))
    for outputs in ([], ["a.sdp", "-o", "b.sdp"]):
        assert main(["convert", source, *outputs]) == 2
        assert "name the output once" in capsys.readouterr().err


def test_a_drawing_is_named_by_an_option(capsys):
    source = str(FIXTURES / "data" / "dm.dev.sdp")
    assert main(["draw", source, "--to", "svg"]) == 0
    assert capsys.readouterr().out.startswith("<svg")
    assert main(["draw", source, "-o", "drawn"]) == 2
    assert "'drawn' does not tell what to draw: add --to text, svg" in capsys.readouterr().err
    assert main(["draw", source, "-o", "drawn", "--to", "dot"]) == 0


@pytest.mark.parametrize("command", ["score", "compare"])
def test_files_that_are_compared_have_a_format(command, folder, capsys):
    data = (FIXTURES / "data" / "dm.dev.sdp").read_bytes()
    (folder / "gold.conllu").write_bytes(data)  # it is not
    files = ["gold.conllu"] * (2 if command == "score" else 3)
    assert main([command, *files, "--from", "sdp"]) == 0
    assert main([command, *files]) == 1
