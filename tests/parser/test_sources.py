"""Sentences of files, good and bad, line by line."""

import bz2
import gzip
import io
import json
import lzma
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.commands import main
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, dumps, loads
from sdp_pointer.graphs.formats import jsonl
from sdp_pointer.graphs.formats.streams import LONGEST_LINE, open_source
from sdp_pointer.parser import Refusal, with_alternatives
from sdp_pointer.parser.preparation import Preparation
from sdp_pointer.parser.sentences import LONGEST_SENTENCE
from sdp_pointer.parser.sources import read_graphs, read_json, read_text
from sdp_pointer.parser.text import Text
from sdp_pointer.predictors import Manager, SdpPointerPredictor
from tests.graphs.strategies import HOLDABLE

# For a parser that needs nothing but words.
WORDS = Preparation(Text())


def test_bad_lines_keep_their_place_and_number():
    lines = ['{"tokens": ["a"]}\n', "\n", "not json\n", '{"id": "x", "tokens": []}\n', "[" * 99999]
    good, *bad = read_json(lines, WORDS)
    assert good.forms == ("a",)
    assert [(refused.line, refused.id) for refused in bad] == [(3, ""), (4, "x"), (5, "")]
    assert all(isinstance(refused, Refusal) and refused.error for refused in bad)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"sentence": "caf\xe9"}\n', "not UTF-8"),
        ('{"sentence": "caf\udce9"}\n', "not UTF-8"),
        (b'{"sentence": "\\ud800"}\n', "half of a character"),
        ('{"sentence": "a", "x": NaN}\n', "NaN is not JSON"),
        ('{"sentence": "a", "sentence": "b"}\n', "given twice"),
        ('{"sentence": "a", "x": ' + "[" * 40 + "]" * 40 + "}", "nested too deeply"),
    ],
)
def test_a_line_that_could_not_be_written_back_is_refused_and_the_next_is_read(line, message):
    refused, good = read_json([line, b'{"sentence": "caf\xc3\xa9"}'], WORDS)
    assert refused.line == 1
    assert message in refused.error
    assert good.forms == ("café",)


def test_text_in_another_encoding_is_refused_line_by_line():
    refused, good = read_text([b"caf\xe9\n", b"caf\xc3\xa9\n"], WORDS)
    assert "not UTF-8" in refused.error
    assert good.forms == ("café",)


def test_a_byte_order_mark_is_no_word():
    [graph] = read_text([b"\xef\xbb\xbfGo home\r\n"], WORDS)
    assert graph.forms == ("Go", "home")
    [graph] = read_json([b'\xef\xbb\xbf{"sentence": "Go"}'], WORDS)
    assert graph.forms == ("Go",)


def test_text_is_a_sentence_a_line_or_split_or_tokens():
    lines = ["Dogs bark. Cats purr.\r\n", "   \n", "Mr. Smith sleeps.\n"]
    whole = list(read_text(lines, WORDS))
    assert [len(graph) for graph in whole] == [6, 4]
    split = list(read_text(lines[:1], WORDS, split=True))
    assert [graph.forms for graph in split] == [("Dogs", "bark", "."), ("Cats", "purr", ".")]
    assert split[1].meta["text"] == "Cats purr."
    assert split[1].meta["offsets"][0] == (0, 4)
    [tokens] = read_text(["can not.\n"], WORDS, tokens=True)
    assert tokens.forms == ("can", "not.")


@given(
    st.sampled_from(sorted(HOLDABLE)).flatmap(
        lambda format: st.tuples(st.just(format), HOLDABLE[format])
    )
)
def test_every_line_that_we_write_can_be_parsed_again(case):
    """As `convert` writes it from any format, with a syntax tree, and after a parse."""
    format, graph = case
    syntax = [("0", "root"), *[("1", "dep")] * (len(graph) - 1)]
    tree = {"syntax": syntax} if format in ("conllu", "allennlp") else {}
    [read] = loads(dumps([graph.replace(meta=tree)], format), format, lenient=True)
    probabilities = {(0, top): 0.5 for top in read.tops} | {arc[:2]: 0.5 for arc in read.arcs}
    said = {"score": -1.5, "probabilities": probabilities}
    parsed = with_alternatives([read.replace(meta={**read.meta, **said, "page": [3, None]})] * 2)
    [line] = jsonl.render([parsed])
    [again] = read_json([line], WORDS)
    assert (again.tokens, again.id) == (read.tokens, read.id)
    assert (again.arcs, again.tops, again.bare_predicates) == ((), (), ())
    kept = {key: item for key, item in read.meta.items() if key != "conllu"}
    assert dict(again.meta) == {**kept, "page": [3, None]}
    if format == "mrp":
        assert {"text", "offsets", "mrp"} <= set(kept)
    assert ("syntax" in kept) == bool(tree)


def test_raw_text_that_was_parsed_keeps_its_text_and_offsets(words_parser):
    first = with_alternatives(words_parser.n_best("Kim's  cat purrs.", 2))
    [line] = jsonl.render([first])
    [given] = read_json([line], words_parser.preparation)
    for again in (given, first):
        second = words_parser.parse(again, beam=1)
        assert second.meta["text"] == "Kim's  cat purrs."
        assert second.meta["offsets"] == first.meta["offsets"]
        assert "n_best" not in second.meta


def test_of_a_line_that_is_split_only_the_sentence_that_is_too_long_is_refused(words_parser):
    line = f"Dogs bark. {'word ' * (LONGEST_SENTENCE + 1)}. Cats purr."
    first, second, third = read_text([line], words_parser.preparation, split=True)
    assert (first.forms[0], third.forms[0]) == ("Dogs", "Cats")
    assert second.line == 1
    assert "words is too long: at most 5,000" in second.error


LONG = "x" * 2 * LONGEST_LINE


class Endless(io.RawIOBase):
    """A file with a line of a hundred million bytes, which nobody has in memory."""

    def __init__(self):
        self.left = 100_000_000

    def readable(self):
        return True

    def readinto(self, buffer):
        if not self.left:
            return 0
        size = min(len(buffer), self.left)
        self.left -= size
        buffer[:size] = b"x" * size
        if not self.left:
            buffer[size - 1 : size] = b"\n"
        return size


@pytest.mark.parametrize("read", [read_json, read_text])
def test_a_line_without_end_is_passed_over_and_never_in_memory(read):
    tracemalloc.start()
    try:
        [refused] = read(io.BufferedReader(Endless()), WORDS)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert refused == Refusal(1, "a line of more than 10,000,000 bytes is too long: split it")
    assert peak < 5 * LONGEST_LINE


@pytest.mark.parametrize("kind", ["text", "bytes", "list"])
@pytest.mark.parametrize("end", ["\n", ""])
def test_after_a_line_that_is_too_long_the_next_is_read(kind, end):
    lines = ["Dogs bark.\n", f"{LONG}\n", "Cats purr.\n", LONG + end]
    source = {
        "text": lambda: io.StringIO("".join(lines)),
        "bytes": lambda: io.BytesIO("".join(lines).encode()),
        "list": lambda: lines,
    }[kind]()
    first, second, third, fourth = read_text(source, WORDS)
    assert (first.forms[0], third.forms[0]) == ("Dogs", "Cats")
    assert [refused.line for refused in (second, fourth)] == [2, 4]


def test_a_line_as_long_as_may_be_is_read():
    value = json.dumps({"tokens": ["Go"], "x": ""})
    whole = value.replace('""', '"' + "x" * (LONGEST_LINE - len(value) - 1) + '"') + "\n"
    assert len(whole) == LONGEST_LINE
    [graph] = read_json(io.BytesIO(whole.encode()), WORDS)
    assert graph.forms == ("Go",)


@pytest.mark.parametrize(
    "line",
    [
        b"word " * 250_000,
        b"\xff\xfeC\0a\0t\0s\0",
        b"\0" * 4096,
        b"Cats\0purr",
        "\u200b\u2060 \u200b".encode(),
        "\u3000\u2003".encode(),
        b"\x1c \x1d",
        b"\x01\x02",
        b"x" * 20_000,
    ],
)
@pytest.mark.parametrize("kind", ["text", "tokens", "split", "jsonl"])
def test_no_line_ends_the_run(line, kind, words_parser):
    """Whatever becomes of it: a refusal, a graph, or nothing if it has no characters."""
    if kind == "jsonl":
        value = {"sentence": line.decode("utf-8", "replace")}
        lines = [json.dumps(value).encode() + b"\n", b'{"tokens": ["Cats", "purr"]}\n']
        prepared = list(read_json(lines, words_parser.preparation))
    else:
        options = {"tokens": {"tokens": True}, "split": {"split": True}}.get(kind, {})
        lines = [line + b"\n", b"Cats purr\n"]
        prepared = list(read_text(lines, words_parser.preparation, **options))
    assert prepared[-1].forms == ("Cats", "purr")
    for before in prepared[:-1]:
        assert isinstance(before, (Graph, Refusal))
    assert len(list(words_parser.parse_prepared(prepared))) == len(prepared)


def cut(lines, share):
    """Gzipped lines of which only the beginning is left, and how many that still are."""
    whole = gzip.compress("".join(lines).encode())
    part = whole[: int(len(whole) * share)]
    return part, zlib.decompressobj(31).decompress(part).count(b"\n")


@pytest.mark.parametrize("share", [0.3, 0.8, 0.999])
@pytest.mark.parametrize("read", [read_json, read_text])
def test_of_a_gzipped_file_that_was_cut_the_lines_before_are_read(read, share, tmp_path):
    lines = [json.dumps({"sentence": f"word{n * n}"}) + "\n" for n in range(2000)]
    part, number = cut(lines, share)
    (tmp_path / "cut.gz").write_bytes(part)
    with open_source(tmp_path / "cut.gz") as stream:
        *good, bad = read(stream, WORDS)
    assert len(good) == number > 0
    assert all(isinstance(graph, Graph) for graph in good)
    assert bad.line == number + 1
    assert "the compressed data is damaged" in bad.error


def test_a_gzipped_file_with_a_wrong_checksum_is_read_to_its_end(tmp_path):
    whole = bytearray(gzip.compress(b"Dogs bark.\nCats purr.\n"))
    whole[-8] ^= 1
    (tmp_path / "broken.gz").write_bytes(whole)
    with open_source(tmp_path / "broken.gz") as stream:
        first, second, bad = read_text(stream, WORDS)
    assert (first.forms[0], second.forms[0], bad.line) == ("Dogs", "Cats", 3)


@pytest.mark.parametrize("suffix", ["txt", "jsonl"])
def test_the_command_writes_what_came_before_the_damage(suffix, words_model, tmp_path, capsys):
    texts = [f"Kim likes {n * n} cats." for n in range(300)]
    given = {"txt": texts, "jsonl": [json.dumps({"sentence": text}) for text in texts]}[suffix]
    part, number = cut([line + "\n" for line in given], 0.5)
    source, target = tmp_path / f"cut.{suffix}.gz", tmp_path / "out.jsonl"
    source.write_bytes(part)
    assert main(["parse", "--model", str(words_model), str(source), "-o", str(target)]) == 1
    values = [json.loads(line) for line in target.read_text().splitlines()]
    assert [value.get("text") for value in values[:-1]] == texts[:number]
    assert values[-1]["line"] == number + 1
    errors = capsys.readouterr().err
    assert f"{source}:{number + 1}: the compressed data is damaged" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip), ("bz2", bz2), ("xz", lzma)])
@pytest.mark.parametrize("damage", ["cut", "broken"])
def test_predict_writes_what_came_before_the_damage(
    words_parser, tmp_path, monkeypatch, suffix, pack, damage
):
    def given_back(instances, batch_size=32, options=None):
        return [[instance["metadata"].metadata] for instance in instances]

    monkeypatch.setattr(words_parser.model, "parse", given_back)
    lines = [json.dumps({"sentence": f"Kim likes {n * n * n} cats."}) for n in range(3000)]
    whole = bytearray(pack.compress("\n".join(lines).encode()))
    middle = len(whole) // 2
    whole[middle:] = b"" if damage == "cut" else b"\xff" * middle
    source, target = tmp_path / f"damaged.jsonl.{suffix}", tmp_path / "out.jsonl"
    source.write_bytes(whole)
    predictor = SdpPointerPredictor(words_parser.model, words_parser.reader)
    with pytest.raises(SystemExit) as ended:
        Manager(predictor, str(source), str(target), None, False, False).run()
    assert ended.value.code == 1
    values = [json.loads(line) for line in target.read_text().splitlines()]
    assert "the compressed data is damaged" in values[-1]["error"]
    assert values[-1]["line"] == len(values)
    if suffix != "bz2":  # whose one block cannot be read in part
        assert values[0]["text"] == "Kim likes 0 cats."
    if damage == "cut":
        assert all("tokens" in value for value in values[:-1])


def test_a_gzipped_file_of_which_nothing_is_left_is_told_in_one_line(words_model, tmp_path, capsys):
    source = tmp_path / "cut.txt.gz"
    source.write_bytes(gzip.compress(b"Dogs bark.\n")[:6])
    assert main(["parse", "--model", str(words_model), str(source)]) == 2
    assert "cut.txt.gz is damaged: nothing of it can be unpacked" in capsys.readouterr().err


def test_a_text_with_a_nul_is_no_model(words_model, tmp_path, capsys):
    source = tmp_path / "text.txt"
    source.write_bytes(b"Dogs\0bark.\nCats purr.\n")
    assert main(["parse", "--model", str(words_model), str(source), "--to", "jsonl"]) == 1
    refused, parsed = map(json.loads, capsys.readouterr().out.splitlines())
    assert "NUL" in refused["error"]
    assert parsed["text"] == "Cats purr."


def test_a_bad_graph_is_refused_and_the_next_is_read():
    class Strict(Preparation):
        def prepare(self, graph, to):
            if graph.id == "2":
                raise UserError("no")
            return graph

    rows = ["#SDP 2015\n"]
    rows += [f"#{n}\n1\tGo\tgo\tVB\t+\t-\t_\n\n" for n in (1, 2, 3)]
    rows[3] = rows[3].replace("\tVB", "")
    rows.append(rows[1].replace("#1", "#4"))
    one, two, three, four = read_graphs(io.StringIO("".join(rows)), "sdp", Strict(Text()))
    assert (one.id, four.id) == ("1", "4")
    assert two == Refusal(6, "no", "2")
    assert three.line == 9
    assert "columns" in three.error
