"""Weights of strangers: plain numbers that fit, or one line on what is wrong with them."""

import functools
import io
import re
import struct
import zipfile

import pytest
import torch
from safetensors.torch import load_file, save_file

import sdp_pointer
from sdp_pointer.archives import ArchiveError
from sdp_pointer.archives.eight_bits import unpacked
from sdp_pointer.archives.limits import MEGABYTE
from sdp_pointer.archives.packing import pack
from sdp_pointer.archives.torch_files import check_torch_file


def refusal(model):
    with pytest.raises(ArchiveError) as refused:
        sdp_pointer.load(str(model))
    message = str(refused.value)
    assert message.startswith(f"cannot load {model}: ")
    assert "its weights" in message
    assert "\n" not in message
    return message


def a_matrix(state):
    return next(name for name, tensor in state.items() if tensor.dim() == 2)


@pytest.fixture
def state(model):
    return torch.load(model / "weights.th")


@pytest.fixture
def change(model, state):
    """Changes the weights of the model by name; None leaves them out."""

    def save(**changes):
        state.update(changes)
        torch.save({k: v for k, v in state.items() if v is not None}, model / "weights.th")
        return model

    return save


@pytest.fixture
def packed(model, tmp_path):
    pack(str(model), str(tmp_path / "packed"))
    return tmp_path / "packed"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_finite_is_refused(model, state, change, tmp_path, number):
    name = a_matrix(state)
    state[name][1, 1] = number
    change()
    assert f"not every number of {name} is finite" in refusal(model)
    with pytest.raises(ArchiveError, match=f"not every number of {name} is finite"):
        pack(str(model), str(tmp_path / "packed"))


@pytest.fixture
def begins_with(monkeypatch):
    """Does something to each parser when it is made, before its weights are read."""
    from sdp_pointer.models import SdpPointer

    original = SdpPointer.__init__

    def change(do):
        @functools.wraps(original)  # AllenNLP looks at its arguments
        def changed(self, *args, **kwargs):
            original(self, *args, **kwargs)
            do(self)

        monkeypatch.setattr(SdpPointer, "__init__", changed)

    return change


def test_what_memory_held_before_is_no_excuse(model, state, change, begins_with):
    def leave_as_it_was(parser):
        for parameter in parser.parameters():
            parameter.data.fill_(float("nan"))

    begins_with(leave_as_it_was)
    name = a_matrix(state)
    state[name][1, 1] = float("nan")
    change()
    assert f"not every number of {name} is finite" in refusal(model)


def test_a_mask_that_the_model_begins_with_may_be_infinite(model, change, begins_with):
    mask = torch.tensor([0.0, float("-inf")])
    begins_with(lambda parser: parser.register_buffer("mask", mask.clone()))
    change(mask=mask)
    assert sdp_pointer.load(str(model)).model.mask[1] == float("-inf")


def test_another_shape_is_told(model, state, change):
    name = a_matrix(state)
    rows, columns = state[name].shape
    change(**{name: torch.zeros(rows + 1, columns)})
    message = refusal(model)
    assert f"{name} is {rows + 1} × {columns} in the file, and {rows} × {columns} in" in message


@pytest.mark.parametrize("name", ["missing", "unexpected"])
def test_missing_and_unexpected_names_are_told(model, state, change, name):
    matrix = a_matrix(state)
    change(**{"missing": {matrix: None}, "unexpected": {"stranger": torch.zeros(1)}}[name])
    assert {"missing": matrix, "unexpected": "stranger"}[name] in refusal(model)


def test_whole_numbers_are_no_weights(model, state, change):
    name = a_matrix(state)
    change(**{name: torch.zeros(state[name].shape, dtype=torch.int64)})
    assert f"{name} has whole numbers in the file, and fractions in the model" in refusal(model)


def test_complex_numbers_are_no_weights(model, state, change):
    name = a_matrix(state)
    change(**{name: torch.zeros(state[name].shape, dtype=torch.complex64)})
    assert f"{name} has complex numbers in the file, and fractions in the model" in refusal(model)


def test_numbers_that_are_too_large_for_the_model_are_refused(model, state, change, tmp_path):
    name = a_matrix(state)
    change(**{name: torch.full(state[name].shape, 1e300, dtype=torch.float64)})
    assert f"not every number of {name} is finite" in refusal(model)
    with pytest.raises(ArchiveError, match=f"not every number of {name} is finite"):
        pack(str(model), str(tmp_path / "packed"))


STRANGE = {
    "meta": lambda shape: torch.empty(shape, device="meta"),
    "quantized": lambda shape: torch.quantize_per_tensor(torch.ones(shape), 0.1, 0, torch.qint8),
    "nested": lambda shape: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
    "sparse": lambda shape: torch.zeros(shape).to_sparse(),
}


@pytest.mark.filterwarnings("ignore")  # torch's own, of what it makes seldom
@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("make", STRANGE.values(), ids=STRANGE)
def test_tensors_that_are_not_plain_are_refused(model, state, tmp_path, make, zipped):
    name = a_matrix(state)
    state[name] = make(state[name].shape)
    torch.save(state, model / "weights.th", _use_new_zipfile_serialization=zipped)
    assert "its weights.th is unsafe: it calls 'torch._utils _rebuild_" in refusal(model)
    with pytest.raises(ArchiveError, match="which plain numbers do not need"):
        pack(str(model), str(tmp_path / "packed"))


def pickled(path, content, zipped):
    """Puts a pickle in the place of the one that names the tensors."""
    if not zipped:
        path.write_bytes(content)
        return
    kept = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    with zipfile.ZipFile(path, "w") as new:
        for entry in kept.infolist():
            is_pickle = entry.filename.endswith("data.pkl")
            name = entry.filename.replace("data.pkl", zipped)
            new.writestr(name, content if is_pickle else kept.read(entry))


def call(function, number):
    return b"c%s\nI%d\n\x85R" % (function.encode(), number)


@pytest.mark.parametrize("zipped", ["data.pkl", "DATA.PKL", None])
@pytest.mark.parametrize(
    "function", ["__builtin__\nbytearray", "torch\nTensor", "torch\nFloatTensor", "posix\nsystem"]
)
def test_what_is_called_to_make_weights_makes_no_others(model, function, zipped):
    content = b"\x80\x02" + call(function, 10**10) + b"."
    pickled(model / "weights.th", content, zipped)
    message = refusal(model)
    assert f"its weights.th is unsafe: it calls '{function}'".replace("\n", " ") in message


@pytest.mark.parametrize("zipped", ["data.pkl", "others.pkl", None])
def test_a_pickle_that_is_a_bomb_is_refused(model, zipped):
    pickled(model / "weights.th", b"\x80\x02" + b"(" * (2 * MEGABYTE + 1), zipped)
    assert "names of its weights, in MB, is more than 2: " in refusal(model)


@pytest.mark.parametrize(
    "weights",
    [
        [torch.zeros(1)],
        {"a": "text"},
        {"a": [1.0]},
        {7: torch.zeros(1)},
        torch.zeros(1),
        {},
    ],
    ids=str,
)
def test_what_is_no_dictionary_of_tensors_is_refused(model, weights):
    torch.save(weights, model / "weights.th")
    refusal(model)


def test_a_tensor_that_repeats_few_numbers_very_often_is_refused(model, state, change, tmp_path):
    name = a_matrix(state)
    change(**{name: torch.zeros(1).expand(10**7, 10**7)})
    assert "many times as large as their file" in refusal(model)
    with pytest.raises(ArchiveError, match="many times as large as their file"):
        pack(str(model), str(tmp_path / "packed"))


def deflated(path, compression=zipfile.ZIP_DEFLATED):
    content = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(content) as old, zipfile.ZipFile(path, "w", compression) as new:
        for entry in old.infolist():
            new.writestr(entry.filename, old.read(entry))


def test_compressed_weights_are_a_bomb(model, change):
    change(extra=torch.zeros(2**22))
    deflated(model / "weights.th")
    assert "compressed" in refusal(model)


def test_a_zip_file_that_nobody_compressed_is_read(model, tmp_path):
    deflated(model / "weights.th", zipfile.ZIP_STORED)
    check_torch_file(str(model / "weights.th"))
    sdp_pointer.load(str(model))


@pytest.mark.parametrize("place", ["before", "behind", "table"])
def test_a_zip_file_with_two_tables_of_contents_is_refused(model, place):
    path = model / "weights.th"
    content = path.read_bytes()
    if place == "table":  # of the 64-bit end, which is not where the last one says
        at = content.rindex(b"PK\6\7")
        offset = struct.unpack_from("<Q", content, at + 8)[0]
        content = content[: at + 8] + struct.pack("<Q", offset - 1) + content[at + 16 :]
    else:
        content = b"x" + content if place == "before" else content + b"x"
    path.write_bytes(content)
    refusal(model)


def test_weights_of_an_old_torch_are_read(model, state):
    torch.save(state, model / "weights.th", _use_new_zipfile_serialization=False)
    sdp_pointer.load(str(model))


@pytest.mark.parametrize("rows", [1, 2, 10**9])
def test_a_scale_of_another_shape_is_refused_before_it_is_multiplied(packed, rows, monkeypatch):
    weights = packed / "weights.safetensors"
    state = {name: tensor.clone() for name, tensor in load_file(weights).items()}
    matrix = torch.ones(60_000, 1, dtype=torch.int8)
    if rows == 10**9:
        state |= {"matrix": matrix, "matrix.scale": torch.ones(1, 60_000)}
    else:
        name = a_matrix(state)
        shape = state[name].shape
        state[name] = torch.ones(shape, dtype=torch.int8)
        state[f"{name}.scale"] = torch.ones(rows, shape[0])
    save_file(state, weights)
    assert re.search(r" × |one scale for each row|of no part of", refusal(packed))


def test_a_packed_weight_of_another_shape_is_refused_before_it_is_read(packed, monkeypatch):
    weights = packed / "weights.safetensors"
    state = load_file(weights)
    name = a_matrix(state)
    state[name] = torch.zeros(10, 10)
    save_file(state, weights)
    monkeypatch.setattr("sdp_pointer.archives.weights.unpacked", lambda state: pytest.fail("read"))
    assert f"{name} is 10 × 10 in the file" in refusal(packed)


def test_a_packed_weight_that_the_model_has_not_is_refused(packed):
    weights = packed / "weights.safetensors"
    save_file({**load_file(weights), "stranger": torch.zeros(1)}, weights)
    assert "'stranger' are of no part of the model" in refusal(packed)


@pytest.mark.parametrize("scale", [float("nan"), float("inf"), 3e38])
def test_scales_that_are_not_finite_or_become_so_are_refused(packed, state, scale):
    weights = packed / "weights.safetensors"
    name = a_matrix(state)
    shape = state[name].shape
    ours = {
        name: torch.full(shape, 127, dtype=torch.int8),
        f"{name}.scale": torch.full((*shape[:-1], 1), scale).bfloat16(),
    }
    save_file({**load_file(weights), **ours}, weights)
    assert f"not every number of {name} is finite" in refusal(packed)


def test_a_scale_of_another_shape_is_refused_by_itself():
    matrix = torch.ones(60_000, 1, dtype=torch.int8)
    with pytest.raises(ArchiveError, match="'matrix' have not one scale for each row"):
        unpacked({"matrix": matrix, "matrix.scale": torch.ones(1, 60_000)})
