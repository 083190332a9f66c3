# Two commands: `make demo` and `make test`. Both first set up .venv, which needs Python >= 3.11 and
# the package registry.

PYTHON := $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PIP := .venv/bin/python -m pip install --disable-pip-version-check --quiet --constraint constraints.txt
READY := .venv/ready

.PHONY: demo test lint types install clean

test: lint types
	.venv/bin/python -m pytest

lint: $(READY)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: $(READY)
	.venv/bin/mypy

demo: $(READY)
	CLASSIFIER_DATA=fixtures/classifier .venv/bin/allennlp train fixtures/classifier/config.jsonnet -s demo --force
	.venv/bin/allennlp evaluate demo/model.tar.gz fixtures/classifier/dev.jsonl

install: $(READY)

$(READY): setup.py pyproject.toml constraints.txt sdp_pointer.pth
	@test -n "$(PYTHON)" || { echo "sdp_pointer needs Python 3.11 or later: install it, or run make PYTHON=/path/to/python" >&2; exit 1; }
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	$(PIP) --editable '.[dev]'
	$(PIP) --no-deps 'allennlp==2.10.1'
	touch $(READY)

clean:
	rm -rf .venv demo build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
