"""Which profiles make which files, and what may be done with their texts.

`docs/data.md` says the latter in words.
"""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple, Optional

from ..errors import UserError

EVALUATION = ("dev", "test", "ood")
# Profiles that others test on, and so do we: they are never trained on.
KEPT_APART = (
    *("jhk", "jhu", "psk", "psu", "rondane", "tgk", "tgu"),  # for tourists
    *("ecpr", "vm32"),  # e-mail, dialogue
    *("cb", "rtc000", "rtc001", "trec", "wlb03"),  # an essay, single sentences, questions, blogs
)
# Profiles that are not converted, and why.
WITHHELD = {
    **dict.fromkeys(("bcs", "peted", "petet", "scm"), "its text needs a licence"),
    "handp12": "its sentences are a book's examples",
    "ntucle": "its sentences are learners' own",
}
# Profiles for those who have the licence of their text.
LICENSED = "wsj*"


class File(NamedTuple):
    """The name of a file, without `.sdp`, and its profiles, which may be patterns.

    Ids count up from after `last_id`; without it, they are those of the treebank's items.
    """

    name: str
    profiles: tuple[str, ...]
    last_id: Optional[int] = None

    @property
    def is_for_evaluation(self) -> bool:
        """Whether its sentences must not be in a file for training.

        >>> files = File("dev", ("ws213",)), File("questions", ("trec",)), File("train", ("ws201",))
        >>> [file.is_for_evaluation for file in files]
        [True, True, False]
        """
        return self.name in EVALUATION or set(self.profiles) <= set(KEPT_APART)


class Split(NamedTuple):
    """Several files. If it is `cleaned`, training files lose repeats and what is evaluated on."""

    files: tuple[File, ...]
    cleaned: bool = True


SPLITS = {
    # WeScience 201 to 214 is Wikipedia, sh-spec a story by Conan Doyle.
    "open": Split(
        (
            File("train", tuple(f"ws2{number:02}" for number in range(1, 13)), 22000000),
            File("dev", ("ws213",), 22100000),
            File("test", ("ws214",), 22200000),
            File("ood", ("sh-spec",), 22300000),
            File("extra", ("omw", "csli", "mrs", "fracas", "esd", "ccs", "control"), 22304108),
            File("more-written", ("wnb03", "hike", "ps", "tg"), 24000000),
            File("more-email", ("ecoc", "ecos", "ecpa"), 25000000),
            File("more-dialogue", ("vm6", "vm13", "vm31"), 26000000),
        )
    ),
    # Sections of the Wall Street Journal, as in the paper, with all of their sentences.
    "deepbank": Split(
        (
            File("train", ("wsj0*", "wsj1*")),
            File("dev", ("wsj20*",)),
            File("test", ("wsj21*",)),
        ),
        cleaned=False,
    ),
}


def chosen(files: Iterable[str]) -> Split:
    """A split of one's own: `PROFILE`, or `NAME=PROFILE,PROFILE` with patterns.

    >>> for file in chosen(["trec", "train=ws20*,vm6"]).files:
    ...     print(file.name, file.profiles)
    trec ('trec',)
    train ('ws20*', 'vm6')
    """
    found = []
    for text in files:
        name, given, profiles = text.partition("=")
        file = File(name, tuple(profiles.split(",") if given else [name]))
        if not all([name.strip("."), *file.profiles]) or set(name) & set("*?[]/"):
            raise UserError(f"{text!r}: expected a profile, or a file's NAME=PROFILE,PROFILE")
        found.append(file)
    return Split(tuple(found))


def resolve(split: Split, available: Sequence[str]) -> tuple[Split, dict[str, list[str]]]:
    """The split with the names of profiles that are there, and what is missing of other files.

    >>> split, missing = resolve(chosen(["train=vm*", "ood=cb"]), ["vm13", "vm6"])
    >>> split.files[0].profiles, missing
    (('vm13', 'vm6'), {'ood': ['cb']})

    Raises a `UserError` if a profile is not to be used as the split would use it.
    """
    files = []
    missing = {}
    for file in split.files:
        fitting = {p: [a for a in available if fnmatchcase(a, p)] for p in file.profiles}
        lacking = [pattern for pattern, names in fitting.items() if not names]
        if lacking:
            missing[file.name] = lacking
            continue
        names = dict.fromkeys(name for names in fitting.values() for name in names)
        files.append(file._replace(profiles=tuple(names)))
    _check(files)
    return split._replace(files=tuple(files)), missing


def _check(files: Iterable[File]) -> None:
    names = set()
    given: dict[str, str] = {}
    for file in files:
        if file.name in names:
            raise UserError(f"two files are called {file.name}")
        names.add(file.name)
        for profile in file.profiles:
            if profile in WITHHELD:
                raise UserError(f"{profile} is not converted: {WITHHELD[profile]}")
            if profile in given:
                raise UserError(f"{profile} is in two files, {given[profile]} and {file.name}")
            given[profile] = file.name
            if profile in KEPT_APART and not file.is_for_evaluation:
                raise UserError(
                    f"{profile} is kept apart, since parsers are tested on it: give it a file of"
                    f" its own, or one called {', '.join(EVALUATION[:-1])} or {EVALUATION[-1]}"
                )


def needs_licence(split: Split) -> list[str]:
    """Profiles of the split that only those may use who have the licence of their text."""
    return [p for file in split.files for p in file.profiles if fnmatchcase(p, LICENSED)]
