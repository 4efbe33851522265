# `make run` serves Tailscope on this machine, `make class` a class beside it; `make test` checks it in minutes, `make test-all`
# completely.
# Each installs what it needs first, once.
PYTHON    ?= python3
VENV      ?= .venv
VENV_ARGS ?=
TORCH     ?=
ARGS      ?=
WORKERS   ?= 2
export PYTHON VENV_ARGS TORCH
# Tests start Tailscope and its helpers some two hundred times: none of them shall compile the modules again.
unexport PYTHONDONTWRITEBYTECODE

# WORKERS test files at a time, each on a thread of its own; WORKERS=0 for one after the other, as a debugger needs it.
# Files that ask the same server are one worker's and come first (tests/support/shared_servers.py). The rest in the order of
# the folders: with the files of most tests first, a few long tests would be left for one worker's end.
PYTEST = "$(VENV)/bin/python" -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

# What is fast, and one journey through each tab: a browser, an app in a process of its own, training, networks of a published
# model's size and long computing wait for `make test-all`.
ESSENTIAL = journey or not (browser or app or training or large or slow)

.PHONY: run class test test-all test-rest test-processors lint lock clean
.NOTPARALLEL: # both install into VENV

run:
	@sh .ci/install "$(VENV)" requirements.lock
	@exec env TAILSCOPE_RUN_BY_MAKE=1 "$(VENV)/bin/python" app.py $(ARGS)

# The page as ever, on this machine alone, and beside it a class for learners on the local network.
class:
	@sh .ci/install "$(VENV)" requirements.lock
	@exec env TAILSCOPE_RUN_BY_MAKE=1 "$(VENV)/bin/python" app.py --class $(ARGS)

test: lint
	@sh .ci/browser
	$(PYTEST) -m "$(ESSENTIAL)" $(ARGS)

test-all: lint
	@sh .ci/browser
	$(PYTEST) $(ARGS)

# What `make test` leaves of `make test-all`, as CI runs it after the former.
test-rest:
	@sh .ci/browser
	$(PYTEST) -m "not ($(ESSENTIAL))" $(ARGS)

# Tests of computed numbers again, with the instruction sets and threads of other machines, one setting at a time.
test-processors:
	@sh .ci/install "$(VENV)" requirements-dev.lock
	"$(VENV)/bin/python" -m tests.processors $(ARGS)

lint:
	@sh .ci/install "$(VENV)" requirements-dev.lock
	"$(VENV)/bin/ruff" check .
	"$(VENV)/bin/ruff" format --check .
	"$(VENV)/bin/mypy"
	@sh .ci/lint-script "$(VENV)"

# After a change of a requirements file or package.json: every package that it brings, with the hashes of all its files.
lock:
	@sh .ci/install "$(VENV)" requirements.lock
	for file in requirements requirements-dev; do "$(VENV)/bin/uv" pip compile --quiet --universal --python-version 3.11 \
	    --generate-hashes --no-header --no-annotate --output-file $$file.lock $$file.txt; done
	@sh .ci/install "$(VENV)" requirements-dev.lock
	@sh .ci/lint-script "$(VENV)" lock

# Only what the targets above made; VENV goes only where it is a virtual environment.
clean:
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis __pycache__ build
	find explorer models tests -name __pycache__ -prune -exec rm -rf {} +
	if [ -e "$(VENV)/pyvenv.cfg" ]; then rm -rf "$(VENV)"; fi
