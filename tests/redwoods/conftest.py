"""The toy treebank of fixtures/redwoods, made once."""

import runpy
from pathlib import Path

import pytest

from sdp_pointer.redwoods.rules import Rules, read_rules
from tests.conftest import FIXTURES

MAKE = runpy.run_path(str(FIXTURES / "make_treebank.py"))
EXPECTED = FIXTURES / "redwoods" / "expected"


@pytest.fixture(scope="session")
def treebank(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("treebank") / "erg"
    MAKE["make_treebank"](folder)
    return folder


@pytest.fixture(scope="session")
def rules() -> Rules:
    return read_rules(FIXTURES / "redwoods" / "etc")
