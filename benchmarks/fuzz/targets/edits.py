"""What strangers may do to the files of a model, and how to see that it had no effect."""

import json
import random
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile, is_zipfile

from atheris import FuzzedDataProvider

import sdp_pointer
from sdp_pointer.archives.packing import pack
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph

from .formats import one_line
from .mutations import ODD, change, places

# A module that a config may name: whoever imports it has run a stranger's code.
CANARY = "sdp_canary"
# What is outside of a model's folder, to be neither changed nor copied.
SECRET = b"nobody else's business\n"
PLACES = [
    *(
        "../outside/new",
        "../outside/secret",
        "a/../../outside/new",
        "WORK/outside/secret",
        "/etc/hosts",
    ),
    *(".", "..", "/", "", "a\\..\\..\\b", "C:\\new", "new\n", "\u2028\u202e", "x" * 300),
    *(
        "config.json",
        "./config.json",
        "config.json/x",
        "weights.th",
        "vocabulary",
        "vocabulary/x.txt",
    ),
    *("link", "link/new", "link/link/new", "/".join("d" * 120 for _ in range(30))),
]
STRINGS = [
    *(
        f"{CANARY}.Model",
        f"{CANARY}.sub.Model",
        "os.system",
        "unittest.__main__.X",
        "torch.nn.SiLU",
    ),
    *("http://127.0.0.1:9/x", "https://example.com/x.tar.gz", "hf://a/b", "s3://a/b", "gs://a/b"),
    *("from_archive", "from_files", "extend", "pretrained", "spacy", "mismatched_transformer"),
    *("bert-base-uncased", "0-99999999999", *PLACES[:5]),
]
OPERATIONS = [
    *(b"cos\nsystem\nV/bin/true\n\x85R", b"c__builtin__\nbytearray\nL9999999999L\n\x85R"),
    *(b"ctorch\nTensor\nL99999999999L\n\x85R", b"(" * 10**7, b"(l0" * 10**6, b"."),
    *(b"\x8a\xff", b"X\xff\xff\xff\x7f", b"r\xff\xff\xff\x7f", b"b", b"0", b"Q", b"2", b"a"),
]
KINDS = [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE]


class Member(NamedTuple):
    """What an archive or a folder has under a name."""

    name: str
    content: bytes = b""
    kind: bytes = tarfile.REGTYPE
    target: str = ""
    lie: int = 0
    """How many bytes more than there are the archive says that there are."""


Members = list[Member]


def edited(members: Members, choices: FuzzedDataProvider) -> Members:
    members = [*members]
    for _ in range(choices.ConsumeIntInRange(0, 4)):
        if members:
            choices.PickValueInList(EDITS)(members, choices)
    return members


def _flip(members: Members, choices: FuzzedDataProvider) -> None:
    at, content = _chosen(members, choices)
    place = choices.ConsumeIntInRange(0, len(content))
    changed = choices.ConsumeBytes(choices.ConsumeIntInRange(1, 12))
    rest = content[place + len(changed) :] if choices.ConsumeBool() else content[place:]
    members[at] = members[at]._replace(content=content[:place] + changed + rest)


def _cut(members: Members, choices: FuzzedDataProvider) -> None:
    at, content = _chosen(members, choices)
    end = choices.ConsumeIntInRange(0, len(content))
    members[at] = members[at]._replace(content=content[:end])


def _drop(members: Members, choices: FuzzedDataProvider) -> None:
    del members[_chosen(members, choices)[0]]


def _rename(members: Members, choices: FuzzedDataProvider) -> None:
    at, _ = _chosen(members, choices)
    name = choices.PickValueInList([*PLACES, *(member.name for member in members)])
    members[at] = members[at]._replace(name=name)


def _add(members: Members, choices: FuzzedDataProvider) -> None:
    at, content = _chosen(members, choices)
    name = choices.PickValueInList(PLACES)
    members.insert(at, Member(name, content[:1000]))


def _link(members: Members, choices: FuzzedDataProvider) -> None:
    at, content = _chosen(members, choices)
    kind, target = choices.PickValueInList(KINDS), choices.PickValueInList(PLACES)
    name = members[at].name if choices.ConsumeBool() else choices.PickValueInList(PLACES)
    members.insert(at, Member(name, content[:100], kind, target))


def _lie(members: Members, choices: FuzzedDataProvider) -> None:
    at, _ = _chosen(members, choices)
    members[at] = members[at]._replace(lie=choices.ConsumeIntInRange(-(2**20), 2**40))


def _config(members: Members, choices: FuzzedDataProvider) -> None:
    """Changes a value in a file of JSON."""
    files = [at for at, member in enumerate(members) if member.name.endswith(".json")]
    if files:
        at = choices.PickValueInList(files)
        members[at] = members[at]._replace(content=_changed(members[at].content, choices))


def _name(members: Members, choices: FuzzedDataProvider) -> None:
    """Has a part of the config built by something else, named as a string or as an object."""
    for at, member in enumerate(members):
        typed = _typed(member.content) if member.name == "config.json" else []
        if typed:
            config, holder, key = choices.PickValueInList(typed)
            name = choices.PickValueInList(STRINGS)
            holder[key] = name if choices.ConsumeBool() else holder[key] | {"type": name}
            members[at] = member._replace(content=json.dumps(config).encode())


def _typed(content: bytes) -> list[list[Any]]:
    """A config, and where it has an object with a type in it: for each a holder and a key."""
    try:
        config = json.loads(content)
    except ValueError:
        return []
    found = places(config) if isinstance(config, dict) else ()
    return [
        [config, holder, key]
        for holder, key in found
        if isinstance(holder[key], dict) and "type" in holder[key]
    ]


def _numbers(members: Members, choices: FuzzedDataProvider) -> None:
    """Makes weights infinite or none."""
    at = max(range(len(members)), key=lambda at: len(members[at].content))
    content = members[at].content
    place = 4 * choices.ConsumeIntInRange(0, len(content) // 4)
    odd = choices.PickValueInList([b"\0\0\xc0\x7f", b"\0\0\x80\xff"]) * 20
    changed = content[:place] + odd + content[place + len(odd) :]
    members[at] = members[at]._replace(content=changed)


def _chain(members: Members, choices: FuzzedDataProvider) -> None:
    """A link through folders of such long names that a resolved path ends before its end."""
    long, steps = "d" * choices.ConsumeIntInRange(200, 250), "abcdefghijklmnop"
    path = ""
    for step in steps:
        members.append(Member(f"{path}{long}", kind=tarfile.DIRTYPE))
        members.append(Member(f"{path}{step}", kind=tarfile.SYMTYPE, target=long))
        path += f"{long}/"
    up = f"{'/'.join(steps)}/{'l' * 254}"
    members.append(Member(up, kind=tarfile.SYMTYPE, target="../" * len(steps)))
    beside = "../" * choices.ConsumeIntInRange(1, 3) + "outside"
    members.append(Member("escape", kind=tarfile.SYMTYPE, target=f"{up}/{beside}"))
    if choices.ConsumeBool():
        members.append(Member("hard", kind=tarfile.LNKTYPE, target="escape/secret"))
        members.append(Member("hard", b"changed\n"))
    else:
        members.append(Member("escape/new", b"new\n"))


def _header(members: Members, choices: FuzzedDataProvider) -> None:
    """Changes a name, shape, type or place in the header of safetensors."""
    for at, member in enumerate(members):
        if member.name.endswith(".safetensors"):
            length = int.from_bytes(member.content[:8], "little")
            header = _changed(member.content[8 : 8 + length], choices)
            content = len(header).to_bytes(8, "little") + header + member.content[8 + length :]
            members[at] = member._replace(content=content)


def _pickle(members: Members, choices: FuzzedDataProvider) -> None:
    """Puts a few operations into the pickle of torch's weights, with checksums that are right."""
    for at, member in enumerate(members):
        if not is_zipfile(content := BytesIO(member.content)):
            continue
        try:
            with ZipFile(content) as old:
                parts = {name: old.read(name) for name in old.namelist()}
        except (BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, zlib.error):
            continue  # another edit has damaged it
        changed = BytesIO()
        with ZipFile(changed, "w") as new:
            for name, part in parts.items():
                if name.endswith(".pkl"):
                    place = choices.ConsumeIntInRange(0, len(part))
                    part = part[:place] + choices.PickValueInList(OPERATIONS) + part[place:]
                new.writestr(name, part)
        members[at] = member._replace(content=changed.getvalue())


EDITS: list[Callable[[Members, FuzzedDataProvider], None]] = [
    *(_flip, _cut, _drop, _rename, _add, _link, _lie, _config, _config, _name, _name),
    *(_numbers, _chain, _header, _pickle),
]


def _chosen(members: Members, choices: FuzzedDataProvider) -> tuple[int, bytes]:
    at = choices.ConsumeIntInRange(0, len(members) - 1)
    return at, members[at].content


def _changed(content: bytes, choices: FuzzedDataProvider) -> bytes:
    try:
        value = json.loads(content)
    except ValueError:
        return content
    rng = random.Random(choices.ConsumeInt(4))
    if not isinstance(value, dict):
        return content
    try:
        for _ in range(choices.ConsumeIntInRange(1, 3)):
            change(value, rng, [*ODD, *STRINGS, *({"type": name} for name in STRINGS)])
        return json.dumps(value).encode()
    except RecursionError:  # deeper than this Python writes
        return content


@contextmanager
def stranger(work: str) -> Iterator[Path]:
    """A folder for one input, with somebody else's file, a module and a place for temporary files.

    At the end, nothing but the model and what was packed may have come to it.
    """
    before = tempfile.tempdir
    with TemporaryDirectory(dir=work) as name:
        folder = Path(name)
        for part in ("outside", "temporary"):
            (folder / part).mkdir()
        (folder / "outside" / "secret").write_bytes(SECRET)
        (folder / f"{CANARY}.py").write_text("class Model:\n    pass\n")
        sys.path.append(name)
        tempfile.tempdir = str(folder / "temporary")
        try:
            yield folder
        finally:
            tempfile.tempdir = before
            sys.path.remove(name)
        assert CANARY not in sys.modules, "a stranger's module was imported"
        assert (folder / "outside" / "secret").read_bytes() == SECRET, "somebody's file was changed"
        for part in ("outside/secret", f"{CANARY}.py"):
            (folder / part).unlink()
        ours = ("model", "packed")
        left = [path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir()]
        left = [str(path) for path in left if not path.parts[0].startswith(ours)]
        assert not left, f"files were made or left: {left}"


def load_and_pack(model: str, folder: Path) -> None:
    """A model is loaded and parses, or is refused in a line; and so it is packed."""
    try:
        parser = sdp_pointer.load(model)
    except UserError as error:
        refused(error)
    else:
        numbers = parser.model.state_dict().items()
        unknown = [name for name, tensor in numbers if not tensor.isfinite().all()]
        assert not unknown, f"loaded with weights that are no numbers: {unknown}"
        assert isinstance(parser.parse("Cats purr."), Graph)
    try:
        pack(model, str(folder / "packed"))
    except UserError as error:
        refused(error)
    else:
        files = [path for path in (folder / "packed").rglob("*") if path.is_file()]
        assert not any(path.read_bytes() == SECRET for path in files), "packed what is outside"


def refused(error: BaseException) -> None:
    """A refusal is a line, and no excuse for having asked for all of the memory."""
    one_line(str(error))
    cause: Any = error
    while cause is not None:
        no_memory = isinstance(cause, MemoryError) or "allocate memory" in str(cause)
        assert not no_memory, f"asked for too much memory: {cause}"
        cause = cause.__cause__ or cause.__context__
