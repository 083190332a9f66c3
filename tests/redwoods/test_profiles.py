"""Profiles: gzipped and plain, whole and broken."""

import gzip
import shutil

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.redwoods.profiles import is_profile, read_profile, read_texts


@pytest.fixture
def profile(treebank, tmp_path):
    """A profile of its own, to be damaged."""
    shutil.copytree(treebank / "ws213", tmp_path / "ws213")
    return tmp_path / "ws213"


def rows(path):
    return gzip.decompress(path.read_bytes()).decode().splitlines(keepends=True)


def test_the_readings_are_those_of_items_with_a_result(treebank):
    read = list(read_profile(treebank / "ws201"))
    assert [reading.item for reading in read] == [str(n) for n in range(101, 118) if n != 112]
    assert len(read_texts(treebank / "ws201")) == 17
    assert read[1].text == "Of course Don't ship it!"
    assert read[1].mrs.startswith("[ LTOP: h0 INDEX: e2")
    assert read[1].derivation.startswith("(root_strict ")


def test_tables_may_be_gzipped_or_not(profile):
    before = list(read_profile(profile))
    for name in ("item", "parse"):
        (profile / f"{name}.gz").write_bytes(gzip.compress((profile / name).read_bytes()))
        (profile / name).unlink()
    (profile / "result").write_text("".join(rows(profile / "result.gz")))
    (profile / "result.gz").unlink()
    assert list(read_profile(profile)) == before


def test_escapes_of_the_tables_are_undone(profile):
    (profile / "item").write_text("201@@@@@@a\\s\\\\b\\nc\n202@@@@@@\n203@@@@@@\n")
    assert next(read_profile(profile)).text == "a@\\b\nc"


def test_of_several_readings_the_first_counts(profile):
    lines = rows(profile / "result.gz")
    again = lines[0].replace("[ LTOP: h0", "[ LTOP: h9")
    (profile / "result.gz").write_bytes(gzip.compress("".join([*lines, again]).encode()))
    assert [r.item for r in read_profile(profile)] == ["201", "202", "203"]
    assert "h9" not in next(read_profile(profile)).mrs


def test_a_folder_without_results_is_no_profile(tmp_path):
    assert not is_profile(tmp_path)
    with pytest.raises(UserError, match="is no profile: there is no table 'item', gzipped or not"):
        list(read_profile(tmp_path))


def test_a_gzipped_table_that_is_cut_off_is_named_with_the_last_item(profile):
    path = profile / "result.gz"
    packed = gzip.compress(b"".join(line.encode() for line in rows(path)), compresslevel=0)
    path.write_bytes(packed[: packed.index(b"\n2@") + 9])
    message = r"ws213/result.gz:2: the compressed data is damaged: .*; broken after item 201: get"
    with pytest.raises(UserError, match=message):
        list(read_profile(profile))


def test_a_row_that_is_cut_off_is_named_with_the_item_before(profile):
    lines = rows(profile / "result.gz")
    (profile / "result.gz").unlink()
    (profile / "result").write_text("".join(lines)[:-4])
    message = r"ws213/result:3: 14 columns, expected 15; broken after item 202: get it again$"
    with pytest.raises(UserError, match=message):
        list(read_profile(profile))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"201@\xff\n", "not UTF-8"),
        (b"201@@@@@@a\\x\n", "invalid escape sequence"),
        (b"201\n", "1 columns, expected 7"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(profile, text, reason):
    (profile / "item").write_bytes(text)
    with pytest.raises(UserError, match=f"ws213/item:1: {reason}.*; broken after the beginning"):
        list(read_profile(profile))


def test_a_result_of_no_item_is_told(profile):
    (profile / "parse").write_text("1@1@201@1\n2@1@999@1\n")
    with pytest.raises(UserError, match="ws213: the result of parse 2 is that of no item"):
        list(read_profile(profile))
