# hjstudy: `make run` and `make test` do everything on a fresh machine.
.DEFAULT_GOAL := help
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
UV := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python
export HJSTUDY_DATA_DIR ?= $(CURDIR)/var

.PHONY: help setup setup-dev setup-bench browser run test check lint types imports format migrate demo codebook \
	bench mutants soak screenshots lock clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(BIN)/uv:
	@test -n "$(PYTHON)" || { echo "hjstudy needs Python 3.11 or newer: install it, or say make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "hjstudy needs Python's venv: apt-get install python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.9

$(VENV)/.run: $(BIN)/uv requirements/run.txt pyproject.toml
	@echo "Installing what the server needs ..."
	@$(UV) -r requirements/run.txt
	@$(UV) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	@echo "Installing what the tests need ..."
	@$(UV) -r requirements/dev.txt
	@touch $@

$(VENV)/.bench: $(VENV)/.dev requirements/bench.txt
	@$(UV) -r requirements/bench.txt
	@touch $@

$(VENV)/.mutants: $(VENV)/.dev requirements/mutants.txt
	@$(UV) -r requirements/mutants.txt
	@touch $@

setup: $(VENV)/.run ## make .venv and install the pinned packages
setup-dev: $(VENV)/.dev
setup-bench: $(VENV)/.bench
setup-mutants: $(VENV)/.mutants

browser:
	@bash tests/e2e/browser.sh

run: setup ## migrate, seed the demo study, serve on 127.0.0.1:8000
	@mkdir -p $(HJSTUDY_DATA_DIR)
	@$(BIN)/hjstudy migrate
	@$(BIN)/hjstudy demo
	@exec $(BIN)/hjstudy serve

migrate: setup ## bring the database to the newest schema
	@$(BIN)/hjstudy migrate

test: setup-dev browser ## run every test (both databases, real browser)
	@$(BIN)/python tests/run.py

check: lint types imports ## lint, types, import contracts

lint: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: setup-dev
	$(BIN)/mypy

imports: setup-dev
	$(BIN)/lint-imports

format: setup-dev ## let ruff rewrite the layout
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

codebook: setup ## write docs/codebook.md anew from the columns of the exports
	@$(BIN)/python -m app.study.codebook docs/codebook.md

bench: setup-bench ## benchmarks, each a ratio within one run
	@$(BIN)/python -m bench

mutants: setup-mutants ## change the program in small ways: does a test notice? (hours; ONLY="world seats" for some)
	@$(BIN)/python -m tests.mutants $(ONLY)

soak: setup-dev ## 500 bots at once on both databases, and with a server that is killed
	@$(BIN)/python -m bench.soak

screenshots: setup-dev browser ## take the README's pictures again
	@$(BIN)/python -m bench.screenshots

lock: $(BIN)/uv ## resolve the pinned packages anew
	@for k in run dev mutants bench; do case $$k in run) x="--extra build";; \
	  dev) x="--extra build --extra dev --extra offline";; mutants) x="--extra build --extra dev --extra offline --extra mutants";; bench) x="--extra build --extra dev --extra offline --extra bench";; esac; \
	  $(BIN)/uv pip compile -q pyproject.toml $$x --universal --python-version 3.11 --no-header --no-annotate \
	    --no-emit-index-url -o requirements/$$k.txt; done

clean: ## remove the environment (never the data under var/)
	rm -rf $(VENV) .mypy_cache .ruff_cache
