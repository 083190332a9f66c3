"""Which profiles make which files, and which may not."""

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.redwoods.splits import (
    KEPT_APART,
    SPLITS,
    WITHHELD,
    chosen,
    needs_licence,
    resolve,
)

OPEN = SPLITS["open"]
ALL = sorted(
    [
        *(name for file in OPEN.files for name in file.profiles),
        *KEPT_APART,
        *WITHHELD,
        *("wsj00a", "wsj00b", "wsj19d", "wsj20a", "wsj21a"),
    ]
)


def test_the_open_split_needs_no_licence_and_trains_on_nothing_kept_apart():
    split, missing = resolve(OPEN, ALL)
    assert (split, missing) == (OPEN, {})
    assert needs_licence(split) == []
    assert [file.name for file in split.files if file.is_for_evaluation] == ["dev", "test", "ood"]


def test_the_sections_of_the_paper():
    split, missing = resolve(SPLITS["deepbank"], ALL)
    train, dev, test = split.files
    assert train.profiles == ("wsj00a", "wsj00b", "wsj19d")
    assert (dev.profiles, test.profiles, missing) == (("wsj20a",), ("wsj21a",), {})
    assert needs_licence(split) == ["wsj00a", "wsj00b", "wsj19d", "wsj20a", "wsj21a"]


def test_a_file_that_lacks_a_profile_is_left_out():
    split, missing = resolve(OPEN, [name for name in ALL if name not in ("vm6", "hike", "tg")])
    left = [file.name for file in split.files]
    assert left == ["train", "dev", "test", "ood", "extra", "more-email"]
    assert missing == {"more-written": ["hike", "tg"], "more-dialogue": ["vm6"]}


def test_a_profile_that_fits_two_patterns_is_there_once():
    split, _ = resolve(chosen(["train=ws201,ws2*1"]), ALL)
    assert split.files[0].profiles == ("ws201", "ws211")


@pytest.mark.parametrize(
    "text", ["", "=ws201", "train=", "train=ws201,", "vm*", "a/b=vm6", "..=vm6"]
)
def test_what_is_no_choice_of_profiles_is_told(text):
    with pytest.raises(UserError, match="expected a profile, or a file's NAME=PROFILE,PROFILE"):
        chosen([text])


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (["bcs"], "bcs is not converted: its text needs a licence"),
        (["train=hand*,ws201"], "handp12 is not converted: its sentences are a book's examples"),
        (
            ["train=ws201,trec"],
            "trec is kept apart, since parsers are tested on it: give it a file",
        ),
        (["train=ws201", "more=ws20*"], "ws201 is in two files, train and more"),
        (["ws201", "ws201=ws202"], "two files are called ws201"),
    ],
)
def test_what_should_not_be_used_so_is_refused(choice, message):
    with pytest.raises(UserError) as error:
        resolve(chosen(choice), ALL)
    assert message in str(error.value)


@pytest.mark.parametrize("choice", ["trec", "questions=trec,rondane", "dev=trec,ws213"])
def test_a_profile_kept_apart_may_be_evaluated_on(choice):
    split, _ = resolve(chosen([choice]), ALL)
    assert split.files[0].is_for_evaluation
