"""What is written appears when it is whole, over nothing that is still needed."""

import gzip
import io
import os
import random
import signal
import stat
import tempfile

import pytest

from sdp_pointer.graphs import read, write
from sdp_pointer.graphs.formats.targets import check_target, new_folder, write_text
from sdp_pointer.interrupts import interruptible
from tests.graphs.formats.examples import CATS, GO, every_format

pytestmark = pytest.mark.usefixtures("heeded_signals")


def until_a(number, *pieces):
    """Pieces of a text, and then a signal while the next one is made."""
    yield from pieces
    signal.raise_signal(number)
    yield "not reached"


def interrupted(texts, target, capsys):
    """What is on standard error after an interrupt, and the exit code."""
    with pytest.raises(SystemExit) as end, interruptible("program"):
        write_text(texts, target)
    return end.value.code, capsys.readouterr().err


def permissions(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_an_old_file_keeps_its_mode_and_a_new_one_has_that_of_the_umask(tmp_path):
    (tmp_path / "old.sdp").touch()
    (tmp_path / "old.sdp").chmod(0o640)
    before = os.umask(0o027)
    try:
        write([CATS], tmp_path / "old.sdp")
        write([CATS], tmp_path / "new.sdp")
        os.umask(0o022)
        write([GO], tmp_path / "old.sdp")
        write([GO], tmp_path / "other.sdp")
    finally:
        os.umask(before)
    assert permissions(tmp_path / "old.sdp") == permissions(tmp_path / "new.sdp") == 0o640
    assert permissions(tmp_path / "other.sdp") == 0o644


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_what_was_written_until_a_signal_is_kept_beside_the_old_file(
    number, code, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graphs.jsonl").write_text("old")
    for kept in ("graphs.interrupted.jsonl", "graphs.interrupted2.jsonl"):
        assert interrupted(until_a(number, "1\n", "2\n"), "graphs.jsonl", capsys) == (
            code,
            f"program: interrupted; what was written until then is in {kept};"
            " graphs.jsonl is as it was\n",
        )
        assert (tmp_path / kept).read_text() == "1\n2\n"
    assert (tmp_path / "graphs.jsonl").read_text() == "old"
    assert len(os.listdir(tmp_path)) == 3


def test_nothing_is_kept_if_nothing_was_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, message = interrupted(until_a(signal.SIGTERM), "new.html", capsys)
    assert (code, message) == (143, "program: interrupted; nothing was written\n")
    assert os.listdir(tmp_path) == []


def test_a_signal_waits_while_a_gzipped_file_is_written(tmp_path, monkeypatch, capsys):
    # Otherwise it would come between the data and their checksum.
    whole = gzip.GzipFile.write
    signals = []

    def write_and_be_signalled(self, data):
        if len(data) and not signals:
            signals.append(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)
        return whole(self, data)

    monkeypatch.setattr(gzip.GzipFile, "write", write_and_be_signalled)
    letters = random.Random(1)
    pieces = ["".join(letters.choices("abcdefgh", k=10000)) + "\n" for _ in range(5)]
    target = tmp_path / "graphs.txt.gz"
    code, _ = interrupted(pieces, target, capsys)
    assert code == 143
    kept = gzip.decompress((tmp_path / "graphs.interrupted.txt.gz").read_bytes()).decode()
    assert kept == pieces[0]
    assert not target.exists()


def test_a_signal_at_the_last_moment_ends_the_command_when_its_file_is_whole(tmp_path, monkeypatch):
    replace = os.replace

    def replace_and_be_signalled(source, target):
        signal.raise_signal(signal.SIGTERM)
        replace(source, target)

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    monkeypatch.setattr("os.replace", replace_and_be_signalled)
    with pytest.raises(SystemExit) as end, interruptible("program"):
        write_text(["whole"], tmp_path / "command")
    assert end.value.code == 128 + signal.SIGTERM
    monkeypatch.undo()
    write_text(["whole"], tmp_path / "afterwards")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["whole", "whole"]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_in_python_an_interrupt_keeps_what_was_written_and_says_so(tmp_path):
    def graphs():
        yield CATS
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as end:
        write(graphs(), tmp_path / "graphs.sdp")
    [note] = end.value.__notes__
    assert str(tmp_path / "graphs.interrupted.sdp") in note
    assert list(read(tmp_path / "graphs.interrupted.sdp")) == [CATS]


@every_format
def test_an_interrupt_before_the_first_graph_leaves_nothing(format, tmp_path):
    def graphs():
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        write(graphs(), tmp_path / "graphs", format)
    assert os.listdir(tmp_path) == []


def test_a_file_that_is_read_is_not_written_by_whatever_name(tmp_path, monkeypatch):
    file = tmp_path / "in.jsonl"
    write([CATS], file)
    (tmp_path / "link.jsonl").symlink_to(file)
    os.link(file, tmp_path / "hard.jsonl")
    for name in ("in.jsonl", "link.jsonl", "hard.jsonl", "../" + tmp_path.name + "/in.jsonl"):
        with pytest.raises(OSError, match=r"in.jsonl cannot be read and written at once: name an"):
            check_target(str(tmp_path / name), "nowhere", None, str(file))
    with file.open() as stdin, file.open("a") as stdout:
        monkeypatch.setattr("sys.stdin", stdin)
        monkeypatch.setattr("sys.stdout", stdout)
        for target, source in ((str(file), "-"), ("-", str(file))):
            with pytest.raises(OSError, match="cannot be read and written at once"):
                check_target(target, source)
    assert list(read(file)) == [CATS]


def test_what_is_no_file_may_be_read_and_written(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    check_target("-", "-")
    check_target(os.devnull, os.devnull)
    check_target("-", "a sentence that is no file" * 1000)
    check_target(str(tmp_path / "new.sdp"), str(tmp_path / "new.sdp"))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder", "Is a directory"),
        ("nowhere/graphs.sdp", "there is no such folder"),
        ("file/graphs.sdp", "Not a directory"),
        ("x" * 300, "File name too long"),
    ],
)
@pytest.mark.parametrize("attempt", [check_target, lambda path: write([CATS], path, "sdp")])
def test_what_cannot_be_written_is_named(tmp_path, name, message, attempt):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=message) as refused:
        attempt(str(tmp_path / name))
    assert refused.value.filename == str(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


@pytest.fixture
def open_folder():
    """A folder in which everybody may write, and nobody is root."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)


def test_what_is_read_only_stays_as_it_is(open_folder):
    path = os.path.join(open_folder, "graphs.sdp")
    write([CATS], path)
    os.chmod(path, 0o444)
    for attempt in (check_target, lambda path: write([GO], path)):
        with pytest.raises(PermissionError) as refused:
            attempt(path)
        assert refused.value.filename == path
    assert list(read(path)) == [CATS]
    assert os.listdir(open_folder) == ["graphs.sdp"]


def test_a_folder_appears_when_it_is_whole(tmp_path):
    folder = tmp_path / "a" / "b"
    with new_folder(f"{folder}/") as part:
        assert not folder.exists()
        with open(os.path.join(part, "file"), "w") as file:
            file.write("content")
    assert (folder / "file").read_text() == "content"
    assert os.listdir(folder.parent) == ["b"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_half_a_folder_is_removed(error, tmp_path):
    def fill(part):
        os.mkdir(os.path.join(part, "half"))
        raise error

    with pytest.raises(error), new_folder(str(tmp_path / "folder")) as part:
        fill(part)
    assert os.listdir(tmp_path) == []
