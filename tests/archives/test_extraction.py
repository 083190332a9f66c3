"""Archives of strangers: what is in them is written below a fresh folder, or not at all."""

import gzip
import json
import os
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import sdp_pointer
from sdp_pointer.archives import ArchiveError, extract, extracted_archive
from sdp_pointer.archives.limits import MEGABYTE
from sdp_pointer.commands import main
from tests.archives.conftest import link, make_archive, member


def contents(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def refusal(archive):
    with pytest.raises(ArchiveError) as refused, extracted_archive(str(archive)):
        pass
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_an_archive_holds_what_the_folder_held(model, tmp_path, temporary):
    with extracted_archive(str(make_archive(tmp_path / "theirs.tar.gz", model))) as folder:
        assert contents(Path(folder)) == contents(model)
        for name in contents(model):
            assert Path(folder, name).read_bytes() == (model / name).read_bytes()
        assert os.stat(folder).st_mode & 0o777 == 0o700


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("prefix", ["", "./"])
def test_archives_of_every_tar_are_read(model, tmp_path, temporary, format, prefix):
    long = "ä" * 40 + "x" * 150 + ".txt"
    if format != tarfile.USTAR_FORMAT:
        (model / "vocabulary" / long).write_text("a\n")
    with tarfile.open(tmp_path / "theirs.tar.gz", "w:gz", format=format) as tar:
        for path in [model, *sorted(model.rglob("*"))]:
            tar.add(path, f"{prefix}{path.relative_to(model)}", recursive=False)
    with extracted_archive(str(tmp_path / "theirs.tar.gz")) as folder:
        assert contents(Path(folder)) == contents(model)


def test_what_no_model_has_is_left_in_the_archive(model, tmp_path, temporary):
    extra = ("._config.json", ".allennlp_plugins", "sitecustomize.py", "vocabulary/deep/er.txt")
    strangers = [member(name, b"evil") for name in (*extra, "transformer/tokenizer_evil.py")]
    archive = make_archive(tmp_path / "theirs.tar.gz", model, *strangers)
    with extracted_archive(str(archive)) as folder:
        assert contents(Path(folder)) == contents(model)


def test_what_the_training_was_told_to_include_is_there(model, tmp_path, temporary):
    config = json.loads((model / "config.json").read_text())
    config["include_in_archive"] = ["extra/*", "notes.txt"]
    (model / "config.json").write_text(json.dumps(config))
    (model / "extra" / "deep").mkdir(parents=True)
    for name in ("extra/deep/a.txt", "extra/.hidden", "notes.txt", "zebra.txt"):
        (model / name).write_text(name)
    first = member("config.json", (model / "config.json").read_bytes())
    deep = member("extra/" + "a/" * 1500 + "a.txt", b"deep")
    archive = make_archive(tmp_path / "theirs.tar.gz", model, first, deep)
    with extracted_archive(str(archive)) as folder:
        left_out = {"extra/.hidden", "zebra.txt"}
        assert contents(Path(folder)) == contents(model) - left_out


def chain_of_links(depth=16, length=247):
    """Links whose path is too long to be followed by who checks it, and not by who writes."""
    folder, members, short = "", [], [chr(ord("a") + number) for number in range(depth)]
    for name in short:
        members.append(member(os.path.join(folder, "d" * length), kind=tarfile.DIRTYPE, mode=0o755))
        members.append(link(os.path.join(folder, name), "d" * length))
        folder = os.path.join(folder, "d" * length)
    top = os.path.join(*short, "l" * 254)
    return [*members, link(top, "../" * depth)], top


def test_a_chain_of_links_with_long_names_writes_nothing_elsewhere(
    model, tmp_path, temporary, capsys
):
    (tmp_path / "elsewhere").mkdir()
    chain, top = chain_of_links()
    # Of the folder in which the archive is unpacked, this is two above.
    escape = link("escape", f"{top}/../../elsewhere")
    written = member("escape/written", b"evil")
    archive = make_archive(tmp_path / "theirs.tar.gz", model, *chain, escape, written)
    assert "link" in refusal(archive)
    parse = ["parse", "--model", str(archive), "Go home!"]
    for arguments in (parse, ["pack", str(archive), "packed"]):
        assert main(arguments) == 2
        assert "link; a model has files and folders only" in capsys.readouterr().err
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_hard_link_does_not_overwrite_a_file(model, tmp_path, temporary):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "precious").write_text("precious")
    chain, top = chain_of_links()
    hard = link("notes.txt", "escape/precious", tarfile.LNKTYPE)
    escape = link("escape", f"{top}/../../elsewhere")
    evil = member("notes.txt", b"evil")
    archive = make_archive(tmp_path / "theirs.tar.gz", model, *chain, escape, hard, evil)
    assert "link" in refusal(archive)
    assert (tmp_path / "elsewhere" / "precious").read_text() == "precious"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (tarfile.SYMTYPE, "a symbolic link"),
        (tarfile.LNKTYPE, "a hard link"),
        (tarfile.FIFOTYPE, "a pipe"),
        (tarfile.CHRTYPE, "a device"),
        (tarfile.BLKTYPE, "a device"),
        (tarfile.GNUTYPE_SPARSE, "a sparse file"),
        (b"Z", "no plain file"),
    ],
)
def test_what_is_neither_a_file_nor_a_folder_is_refused(model, tmp_path, temporary, kind, said):
    for target in ("config.json", "/etc/passwd", "nowhere"):
        strange = link("vocabulary/words.txt", target, kind)
        archive = make_archive(tmp_path / "theirs.tar.gz", model, strange)
        assert f"its member 'vocabulary/words.txt' is {said}" in refusal(archive)


def test_a_sparse_file_by_its_header_is_refused(model, tmp_path, temporary):
    header = {"GNU.sparse.major": "1", "GNU.sparse.realsize": str(10**15)}
    sparse = member("weights.th", b"0\n", pax_headers=header)
    assert "sparse" in refusal(make_archive(tmp_path / "theirs.tar.gz", model, sparse))


@pytest.mark.parametrize("name", ["../out", "/{}/out", "vocabulary/../../out", "..\\out", "c:out"])
def test_a_path_out_of_the_folder_is_refused(model, tmp_path, temporary, name):
    name = name.format(str(tmp_path).strip("/"))
    archive = make_archive(tmp_path / "theirs.tar.gz", model, member(name, b"evil"))
    assert "outside of the folder" in refusal(archive)
    assert not (tmp_path / "out").exists()


class Zeros:
    """A file of so many zeros, which takes no room."""

    def __init__(self, size):
        self.left = size

    def read(self, size):
        size = min(size, self.left)
        self.left -= size
        return bytes(size)


def bomb(path, name, size, kind=tarfile.REGTYPE, model=None):
    """An archive with a member that is small in it, and large outside."""
    with tarfile.open(path, "w:gz", compresslevel=9) as tar:
        info, _ = member(name, kind=kind)
        info.size = size
        tar.addfile(info, Zeros(size))
    return path


@pytest.mark.parametrize(
    ("name", "most", "kind"),
    [
        ("vocabulary/words.txt", 24, "vocabulary"),
        ("config.json", 1, "settings"),
        ("transformer/tokenizer.json", 64, "tokenizer"),
        ("weights.th", 64, "weights"),
        ("whatever", 64, "other files"),
    ],
)
def test_a_bomb_is_refused_before_it_is_written(tmp_path, temporary, monkeypatch, name, most, kind):
    def write(member, target):
        raise AssertionError("it was written")

    monkeypatch.setattr("sdp_pointer.archives.extraction._write", write)
    archive = bomb(tmp_path / "theirs.tar.gz", name, most * MEGABYTE + 1)
    assert archive.stat().st_size < MEGABYTE
    message = refusal(archive)
    assert f"the size of its {kind}, in MB, is more than {most}:" in message
    assert "SDP_MODEL_LIMITS=2" in message


def test_the_user_may_raise_the_limits(model, tmp_path, temporary, monkeypatch):
    words = b"".join(b"word%d\n" % number for number in range(100_000))
    (model / "vocabulary" / "others.txt").write_bytes(words)
    archive = make_archive(tmp_path / "theirs.tar.gz", model)
    monkeypatch.setenv("SDP_MODEL_LIMITS", "0.03")
    assert "SDP_MODEL_LIMITS" in refusal(archive)
    monkeypatch.setenv("SDP_MODEL_LIMITS", "1.5")
    with extracted_archive(str(archive)) as folder:
        assert Path(folder, "vocabulary", "others.txt").read_bytes() == words


def test_weights_may_be_twenty_times_as_large_as_their_archive(model, tmp_path, temporary):
    (model / "weights.th").write_bytes(os.urandom(4 * MEGABYTE) + bytes(70 * MEGABYTE))
    with extracted_archive(str(make_archive(tmp_path / "theirs.tar.gz", model))) as folder:
        assert Path(folder, "weights.th").stat().st_size == 74 * MEGABYTE


def test_very_many_files_are_refused(tmp_path, temporary):
    empty = [member(f"vocabulary/{number}.txt") for number in range(10_001)]
    archive = make_archive(tmp_path / "theirs.tar.gz", None, *empty)
    assert "the number of its files is more than 10,000" in refusal(archive)


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE])
def test_a_header_that_is_a_bomb_is_refused(tmp_path, temporary, kind):
    archive = bomb(tmp_path / "theirs.tar.gz", "././@LongLink", 70_000, kind)
    assert "too long" in refusal(archive)


@pytest.mark.parametrize(
    ("kind", "other", "content"),
    [
        (tarfile.XHDTYPE, tarfile.XHDTYPE, b"13 comment=x\n"),
        (tarfile.XGLTYPE, tarfile.XGLTYPE, b"13 comment=x\n"),
        (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, b"11 size=10\n"),
        (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, b"10 path=x\n"),
    ],
)
def test_two_headers_of_a_kind_are_refused(model, tmp_path, temporary, kind, other, content):
    """Without end they would be a bomb, and one of them a lie to other programs."""
    one, two = member("x", content, kind), member("x", content, other)
    archive = make_archive(tmp_path / "theirs.tar.gz", model, one, two)
    assert "a member of it has two headers of a kind" in refusal(archive)


def test_what_follows_the_last_member_is_a_bomb(model, tmp_path, temporary):
    archive = make_archive(tmp_path / "theirs.tar.gz", model)
    content = gzip.decompress(archive.read_bytes())
    archive.write_bytes(gzip.compress(content + bytes(65 * MEGABYTE)))
    assert "the size of its other files, in MB, is more than 64:" in refusal(archive)


@pytest.mark.parametrize("header", [b"11 size=10\n", b"10 path=x\n", b"22 GNU.sparse.major=1\n"])
def test_a_header_for_all_members_says_nothing_of_one(model, tmp_path, temporary, header):
    everywhere = member("x", header, tarfile.XGLTYPE)
    comment = member("x", b"13 comment=x\n", tarfile.XGLTYPE)
    with extracted_archive(str(make_archive(tmp_path / "theirs.tar.gz", model, comment))) as folder:
        assert contents(Path(folder)) == contents(model)
    archive = make_archive(tmp_path / "theirs.tar.gz", model, everywhere)
    assert "the same name or size" in refusal(archive)


def test_a_lie_about_a_size_is_found(model, tmp_path, temporary):
    size = str(10**12).encode()
    for lie in (b"%d size=%s\n" % (len(size) + 9, size), b"11 size=-5\n", b"99 size=1\n", b"x"):
        lying = member("x", lie, tarfile.XHDTYPE)
        refusal(make_archive(tmp_path / "theirs.tar.gz", model, lying, member("weights.th", b"x")))


def test_a_full_disk_is_told_before_it_is_full(model, tmp_path, temporary, monkeypatch):
    class Usage:
        free = 100

    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage)
    message = refusal(make_archive(tmp_path / "theirs.tar.gz", model))
    assert "there is no room for" in message
    assert "TMPDIR" in message


def test_a_file_that_cannot_be_written_is_not_called_damage(
    model, tmp_path, temporary, monkeypatch
):
    def write(member, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sdp_pointer.archives.extraction._write", write)
    message = refusal(make_archive(tmp_path / "theirs.tar.gz", model))
    assert message == "cannot unpack it: [Errno 28] No space left on device"


def test_a_member_that_comes_twice_counts_as_it_came_last(model, tmp_path, temporary):
    archive = make_archive(tmp_path / "theirs.tar.gz", model, member("README.md", b"old"))
    with tarfile.open(tmp_path / "again.tar.gz", "w:gz") as tar, tarfile.open(archive) as source:
        for info in source:
            tar.addfile(info, source.extractfile(info) if info.isfile() else None)
        tar.add(model / "config.json", "README.md")
    with extracted_archive(str(tmp_path / "again.tar.gz")) as folder:
        assert Path(folder, "README.md").read_bytes() == (model / "config.json").read_bytes()


def test_nothing_is_written_beside_the_folder(model, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    before = contents(tmp_path)
    extract(str(make_archive(tmp_path / "theirs.tar.gz", model)), str(folder))
    assert contents(tmp_path) == before | {"theirs.tar.gz"} | {
        f"folder/{name}" for name in contents(model)
    }


def test_a_program_that_is_terminated_while_it_loads_leaves_no_folder(
    model, tmp_path, temporary, offline
):
    (tmp_path / "slow.py").write_text(
        "import sdp_pointer.archives.extraction as extraction\n"
        "import sys\n"
        "def check(folder):\n"
        "    print(folder, flush=True)\n"
        "    sys.stdin.read()\n"
        "extraction.check = check\n"
        "from allennlp.models.archival import load_archive\n"
        "load_archive(sys.argv[1])\n"
    )
    archive = make_archive(tmp_path / "theirs.tar.gz", model)
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "slow.py"), str(archive)],
        env={**offline, "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert Path(process.stdout.readline().strip()).is_dir()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 128 + signal.SIGTERM


def test_a_failure_leaves_no_folder(model, tmp_path, temporary):
    (model / "weights.th").write_bytes(b"damaged")
    with pytest.raises(ArchiveError, match="weights are damaged"):
        sdp_pointer.load(str(make_archive(tmp_path / "theirs.tar.gz", model)))
