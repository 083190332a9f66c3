import subprocess
import sys

import pytest
import torch

from sdp_pointer.errors import UserError
from sdp_pointer.precision import PRECISIONS, chosen, dtype_of


@pytest.fixture
def cpu(monkeypatch):
    """A CPU of our own making."""

    def make(bfloat16=False, vnni=False, avx2=False, capability="AVX512"):
        monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: bfloat16)
        monkeypatch.setattr(torch.cpu, "_is_vnni_supported", lambda: vnni)
        monkeypatch.setattr(torch.cpu, "_is_avx2_supported", lambda: avx2)
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
        for name in ("ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"):
            monkeypatch.delenv(name, raising=False)

    return make


def test_auto_is_what_the_cpu_has_instructions_for(cpu):
    cpu(bfloat16=True, vnni=True, avx2=True)
    assert chosen("auto") == "bfloat16"
    cpu(vnni=True, avx2=True)
    assert chosen("auto") == "int8"
    cpu(avx2=True, capability="AVX2")
    assert chosen("auto") == "int8"
    cpu(capability="DEFAULT")
    assert chosen("auto") == "float32"


def test_auto_heeds_what_torch_and_onednn_are_forbidden(cpu, monkeypatch):
    cpu(bfloat16=True, vnni=True, avx2=True, capability="AVX2")
    assert chosen("auto") == "int8"
    cpu(bfloat16=True, vnni=True, avx2=True)
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "avx512_core_vnni")
    assert chosen("auto") == "int8"
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "ALL")
    assert chosen("auto") == "bfloat16"


@pytest.mark.parametrize("precision", PRECISIONS[1:])
def test_what_is_named_is_taken(cpu, precision):
    cpu()
    assert chosen(precision) == precision


def test_a_gpu_keeps_float32_unless_told_otherwise(cpu):
    cpu(bfloat16=True)
    assert chosen("auto", "cuda") == "float32"
    assert dtype_of("bfloat16", "cuda") == torch.bfloat16
    with pytest.raises(UserError, match="int8 is for CPUs"):
        chosen("int8", "cuda")


def test_beside_8_bits_there_is_bfloat16_if_the_cpu_has_it(cpu):
    cpu(bfloat16=True)
    assert dtype_of("int8") == torch.bfloat16
    cpu()
    assert dtype_of("int8") == torch.float32


def test_an_unknown_precision_is_refused_with_the_known_ones():
    with pytest.raises(UserError, match="'half'; expected one of auto, float32, bfloat16, int8"):
        chosen("half")


def test_the_names_are_known_without_torch():
    program = "import sys, sdp_pointer.precision; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
