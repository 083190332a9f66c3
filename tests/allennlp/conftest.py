"""AllenNLP's commands in this process, for a start of another costs seconds."""

import sys

import pytest


@pytest.fixture
def run(monkeypatch, capfd):
    """Runs `allennlp ARGUMENTS` in this process; its exit code and what it wrote to stderr."""
    from allennlp.commands import main

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["allennlp", *map(str, arguments)])
        try:
            main()
        except SystemExit as error:
            return error.code, capfd.readouterr().err
        return 0, capfd.readouterr().err

    return run
