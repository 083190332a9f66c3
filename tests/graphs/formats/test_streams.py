"""Paths, pipes, the standard streams and open files; which format a file is in."""

import gzip
import io
import os
import stat
import subprocess
import sys
import tempfile
import threading
import tracemalloc
from pathlib import Path

import pytest

from sdp_pointer.graphs import FormatError, Token, dumps, loads, read, write
from sdp_pointer.graphs.formats import FORMATS, streams
from tests.graphs.formats.examples import CATS, GO, back, every_format

ROOT = Path(__file__).parents[3]


@every_format
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_files_are_recognised_by_their_names(format, suffix, tmp_path):
    path = tmp_path / f"graphs{FORMATS[format].suffix}{suffix}"
    write([CATS, GO], path)
    assert list(read(path)) == list(read(str(path))) == back(format, CATS, GO)
    assert path.read_bytes().startswith(b"\x1f\x8b") == bool(suffix)
    unpacked = gzip.decompress(path.read_bytes()) if suffix else path.read_bytes()
    assert unpacked.decode() == dumps([CATS, GO], format)


@every_format
def test_files_of_any_name_are_recognised_by_their_content(format, tmp_path):
    path = tmp_path / "graphs.txt"
    path.write_text(dumps([CATS, GO], format))
    assert list(read(path)) == back(format, CATS, GO)
    (tmp_path / "graphs").write_bytes(gzip.compress(path.read_bytes()))
    assert list(read(tmp_path / "graphs")) == back(format, CATS, GO)


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_truncated_gzip_file_is_a_format_error_and_no_shorter_graph(cut):
    data = gzip.compress(dumps([CATS, GO], "sdp").encode(), mtime=0)[:-cut]
    problems = []
    kept = list(read(io.BytesIO(data), "sdp", on_problem=problems.append))
    assert problems
    assert kept in ([], [CATS], [CATS, GO])


def test_a_corrupt_gzip_file_is_the_same_graphs_or_a_format_error():
    data = gzip.compress(dumps([CATS, GO], "sdp").encode(), mtime=0)
    for position in range(2, len(data)):
        corrupt = bytearray(data)
        corrupt[position] ^= 0x55
        problems = []
        kept = list(read(io.BytesIO(corrupt), "sdp", on_problem=problems.append))
        assert problems or kept == [CATS, GO]


def test_open_files_are_left_open(tmp_path):
    path = tmp_path / "graphs.sdp"
    for mode in ("w", "wb"):
        with open(path, mode) as file:
            write([CATS, GO], file)
            assert not file.closed
    for mode in ("r", "rb"):
        with open(path, mode) as file:
            assert list(read(file)) == [CATS, GO]
            assert not file.closed
    buffer = io.BytesIO()
    write([CATS], buffer, "conllu")
    buffer.seek(0)
    assert list(read(buffer)) == [CATS]
    assert not buffer.closed


@pytest.mark.parametrize("mode", ["w+", "w+b"])
def test_temporary_files_are_files(mode):
    with tempfile.NamedTemporaryFile(mode) as file:
        write([CATS, GO], file, "sdp")
        file.seek(0)
        assert list(read(file, "sdp")) == [CATS, GO]


def test_an_error_half_way_leaves_the_old_file(tmp_path):
    path = tmp_path / "graphs.sdp.gz"
    write([CATS], path)
    before = path.read_bytes()
    with pytest.raises(FormatError, match=r"graph 2.*not for .sdp: the form of token 1"):
        write([CATS, GO.replace(tokens=[Token("a\tb")])], path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


def test_a_gzipped_file_tells_neither_its_name_nor_the_time(tmp_path):
    for name in ("a.sdp.gz", "b.sdp.gz"):
        write([CATS, GO], tmp_path / name)
    content = (tmp_path / "a.sdp.gz").read_bytes()
    assert content == (tmp_path / "b.sdp.gz").read_bytes()
    assert content[4:8] == b"\0\0\0\0"


def test_a_link_is_written_through_and_a_pipe_is_written_to(tmp_path):
    (tmp_path / "link.sdp").symlink_to(tmp_path / "file.sdp")
    write([CATS], tmp_path / "link.sdp")
    assert (tmp_path / "link.sdp").is_symlink()
    assert list(read(tmp_path / "file.sdp")) == [CATS]

    pipe = tmp_path / "pipe.sdp"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.extend(read(pipe)), daemon=True)
    reader.start()
    write([CATS, GO], pipe)
    reader.join(timeout=10)
    assert received == [CATS, GO]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


ECHO = """
from sdp_pointer.graphs import read, write
for graph in read("-"):
    write([graph], "-", "jsonl")
"""


@pytest.fixture
def echo():
    """A process that writes each graph of its standard input as JSON as soon as it has it."""
    command = [sys.executable, "-c", ECHO]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        yield process
        process.kill()


def test_standard_input_and_output_carry_graphs(echo):
    output, _ = echo.communicate(gzip.compress(dumps([CATS, GO], "conllu").encode()), timeout=60)
    assert loads(output.decode(), "jsonl") == [CATS, GO]
    assert echo.returncode == 0


def test_a_graph_is_read_from_a_pipe_before_the_next_one_is_written(echo):
    echo.stdin.write(dumps([CATS], "jsonl").encode())
    echo.stdin.flush()
    patience = threading.Timer(30, echo.kill)
    patience.start()
    line = echo.stdout.readline()
    patience.cancel()
    assert loads(line.decode(), "jsonl") == [CATS]


def test_graphs_are_read_one_after_another():
    endless = (dumps([CATS], "jsonl").encode() for _ in iter(int, 1))

    class Endless(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            line = next(endless)
            buffer[: len(line)] = line
            return len(line)

    assert next(read(Endless(), "jsonl")) == CATS


def test_importing_the_package_imports_no_slow_module():
    code = (
        "import sys; before = set(sys.modules); import sdp_pointer.graphs;"
        "print(*sorted(set(sys.modules) - before))"
    )
    command = [sys.executable, "-S", "-c", code]
    modules = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "sdp_pointer.graphs.formats.jsonl" in modules.split()
    assert not {"json", "gzip", "torch", "dataclasses", "inspect"} & set(modules.split())


@pytest.mark.parametrize("format", ["sdp", "sdp2014", "allennlp", "conllu"])
def test_a_file_without_a_final_empty_line_is_told_at_its_last_line(format):
    text = dumps([CATS, GO], format)
    whole = text.count("\n")
    message = "the file ends without an empty line after the last graph; is it cut off?"
    for cut in (text[:-1], text[:-2]):
        problems = []
        reading = read(io.StringIO(cut), format, lenient=True, on_problem=problems.append)
        assert list(reading) == [CATS, GO]
        assert problems == [("<stream>", whole - 1, message, True)]
        assert [reading.place(word) for word in (1, 2)] == [
            f"<stream>:{whole - 2}",
            f"<stream>:{whole - 1}",
        ]
    problems = []
    assert list(read(io.StringIO(text), format, on_problem=problems.append)) == [CATS, GO]
    assert problems == []


def test_a_header_alone_needs_no_empty_line():
    assert loads("#SDP 2015\n", "sdp") == loads("#SDP 2015", "sdp") == []


def test_the_last_graph_is_dropped_if_a_line_is_no_text_though_no_empty_line_follows():
    data = dumps([CATS, GO], "sdp").encode().replace(b"Go", b"G\xff").removesuffix(b"\n")
    problems = []
    assert list(read(io.BytesIO(data), "sdp", lenient=True, on_problem=problems.append)) == [CATS]
    assert [problem.message for problem in problems] == ["not UTF-8: byte 0xff at offset 3"]


def test_a_gzipped_file_that_is_cut_says_that_the_rest_is_lost():
    data = gzip.compress(dumps([CATS, GO], "sdp").encode(), mtime=0)[:-8]
    problems = []
    assert list(read(io.BytesIO(data), "sdp", on_problem=problems.append)) == [CATS, GO]
    [problem] = problems
    assert problem.message.startswith("the compressed data is damaged: ")
    assert problem.message.endswith("; what follows is lost")


class Unending(io.RawIOBase):
    """The start of a file, then a row with a cell of many bytes, which nobody has in memory."""

    def __init__(self, start, size):
        self.start = start
        self.left = size

    def readable(self):
        return True

    def readinto(self, buffer):
        size = min(len(buffer), len(self.start) or self.left)
        buffer[:size] = self.start[:size] or b"x" * size
        if not self.start:
            self.left -= size
        self.start = self.start[size:]
        return size


def test_a_row_without_end_is_never_in_memory():
    stream = Unending(dumps([CATS], "sdp").encode() + b"#2\n1\t", 10 * streams.LONGEST_LINE)
    problems = []
    tracemalloc.start()
    try:
        assert list(read(stream, "sdp", on_problem=problems.append)) == [CATS]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    row = dumps([CATS], "sdp").count("\n") + 2
    message = "a line of more than 10,000,000 bytes is too long: split it"
    assert problems == [("<stream>", row, message, False)]
    assert peak < 5 * streams.LONGEST_LINE


@every_format
@pytest.mark.parametrize("opened", [io.StringIO, lambda text: io.BytesIO(text.encode())])
def test_of_a_file_with_a_line_that_is_too_long_only_that_graph_is_lost(
    format, opened, monkeypatch
):
    text = dumps([CATS, GO, CATS], format)
    longest = max(map(len, text.splitlines(keepends=True)))
    monkeypatch.setattr(streams, "LONGEST_LINE", longest)
    assert list(read(opened(text), format)) == back(format, CATS, GO, CATS)

    text = text.replace("Go", "o" * 3 * longest, 1)
    number = 1 + next(n for n, line in enumerate(text.split("\n")) if len(line) > longest)
    problems = []
    kept = list(read(opened(text), format, on_problem=problems.append))
    assert kept == back(format, CATS, CATS)
    message = f"a line of more than {longest:,} bytes is too long: split it"
    assert problems == [("<stream>", number, message, False)]


@pytest.mark.parametrize("end", ["", "\n"])
def test_lines_that_are_no_file_are_bounded_one_by_one(end, monkeypatch):
    monkeypatch.setattr(streams, "LONGEST_LINE", 5)
    given = ["", "Go", "x" * 20, "home"]
    first, *lines = streams.readable_lines([line + end for line in given])
    assert first == end
    assert lines == [
        f"Go{end}",
        streams.Unreadable("a line of more than 5 bytes is too long: split it"),
        f"home{end}",
    ]
