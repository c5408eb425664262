# `make run` and `make test` set up everything they need.
.DEFAULT_GOAL := help
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
# uv caches packages under HOME; if it cannot write there, it runs without a cache
CACHE := "$${UV_CACHE_DIR:-$${XDG_CACHE_HOME:-$$HOME/.cache}/uv}"
UV := env $$(mkdir -p $(CACHE) 2>/dev/null && test -w $(CACHE) || echo UV_NO_CACHE=1) \
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python
export HJSTUDY_DATA_DIR ?= $(CURDIR)/var

.PHONY: help setup setup-dev setup-bench setup-mutants browser run test long browsers providers check lint types imports dead risks docs example example-pages site format migrate demo codebook \
	bench mutants soak outages image upgrades fuzz bare bare-package units screenshots languages release lock clean audit sbom setup-audit defences

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

$(BIN)/uv:
	@test -n "$(PYTHON)" || { echo "hjstudy needs Python 3.11 or newer. Install it, or run make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "hjstudy needs the Python module venv. Run: apt-get install python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/tools.txt

$(VENV)/.run: $(BIN)/uv requirements/run.txt pyproject.toml
	@echo "Installing the server's packages ..."
	@$(UV) --require-hashes -r requirements/run.txt
	@$(UV) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	@echo "Installing the packages for tests ..."
	@$(UV) --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.bench: $(VENV)/.dev requirements/bench.txt
	@$(UV) --require-hashes -r requirements/bench.txt
	@touch $@

$(VENV)/.mutants: $(VENV)/.dev requirements/mutants.txt
	@$(UV) --require-hashes -r requirements/mutants.txt
	@touch $@

$(VENV)/.audit: $(VENV)/.dev requirements/audit.txt
	@$(UV) --require-hashes -r requirements/audit.txt
	@touch $@

setup: $(VENV)/.run ## create .venv and install the pinned packages
setup-dev: $(VENV)/.dev
setup-bench: $(VENV)/.bench
setup-mutants: $(VENV)/.mutants
setup-audit: $(VENV)/.audit

browser:
	@bash tests/e2e/browser.sh

run: setup ## migrate, create the demo study and serve on 127.0.0.1:8000
	@exec $(BIN)/hjstudy demo --serve

migrate: setup ## update the database to the current schema
	@$(BIN)/hjstudy migrate

test: setup-dev browser ## run the tests (both databases, real browser)
	@$(BIN)/python tests/run.py $(TESTS)

long: setup-dev browser ## run the tests that take longer, and the pages' tests on PostgreSQL
	@$(BIN)/python tests/run.py -m long

browsers: setup-dev ## play and rate in Firefox and in WebKit; installs them (root, Debian)
	@bash tests/e2e/engines/install.sh
	@$(BIN)/pytest -q tests/e2e/engines

providers: setup-dev ## log in through a real OpenID Connect provider, which it installs in build/
	@$(BIN)/pytest -q tests/web/people/providers

check: lint types imports dead risks docs ## check layout, lint, types, import contracts, dead code, risky code, secrets and docs

lint: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djlint --check templates
	$(BIN)/oxfmt --check static

types: setup-dev
	$(BIN)/mypy

imports: setup-dev
	$(BIN)/lint-imports

dead: setup-dev
	$(BIN)/vulture

risks: $(VENV)/.audit
	$(BIN)/bandit -q -r app migrations -c pyproject.toml
	@mkdir -p build && cp .secrets.baseline build/secrets.baseline  # the hook notes new line numbers, and ends with 3
	git ls-files -z ':!docs/images' ':!.secrets.baseline' | xargs -0 -P 2 -n 800 sh -c \
	  '$(BIN)/detect-secrets-hook --baseline build/secrets.baseline "$$@" || test $$? = 3' hook

example: setup ## simulate a study and write its reports and replays to build/example
	@rm -rf build/example
	@$(BIN)/hjstudy example build/example

example-pages: setup ## renew the pages of the example in docs/example
	@rm -rf docs/example
	@$(BIN)/hjstudy example docs/example --pages-only --players 12

docs: setup-dev ## build the documentation site in build/docs/site
	@$(BIN)/python -m bench.handbook

site: example setup-dev ## build the documentation site with the whole example study in it, ready to publish
	@$(BIN)/python -m bench.handbook build/docs build/example

format: setup-dev ## format Python, templates, CSS and JavaScript
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/djlint --reformat --quiet templates
	$(BIN)/oxfmt static

codebook: setup ## regenerate docs/codebook.md and docs/schema from the export columns
	@$(BIN)/python -m app.study.export.codebook docs/codebook.md
	@$(BIN)/python -m app.study.export.schema docs/schema

bench: setup-bench ## run all benchmarks
	@$(BIN)/python -m bench

mutants: setup-mutants ## test the tests with mutants (hours; ONLY="world seats" runs a part)
	@$(BIN)/python -m tests.mutants $(ONLY)

defences: setup-dev ## take out each defence, break each promise, and check that its test fails (ONLY="login host" runs a part)
	@$(BIN)/python -m tests.defences $(ONLY)

soak: setup-dev ## let 500 bots play, with and without killing a server
	@$(BIN)/python -m bench.soak

outages: setup-dev ## let 200 bots play through a kill, a deploy, full disks, a database restart and backups
	@$(BIN)/python -m bench.soak --players 200 sqlite-kill sqlite-term sqlite-full sqlite-backup \
	  postgres-kill postgres-term postgres-full postgres-restart postgres-backup

image: ## run the lines of the Dockerfile in a bare Debian, and start its server (root)
	@unshare --mount $(BIN)/python tests/image.py

upgrades: setup-dev ## upgrade databases made by every earlier revision of the code
	@$(BIN)/python -m tests.migrations.old

fuzz: setup-dev ## send unexpected input to forms and the API for an hour (SECONDS=600 for less)
	@$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),3600)

bare: ## try `make run` and `make test` in a bare Debian (root; BARE_TESTS="tests/game ..." limits the tests)
	@bash tests/bare.sh

bare-package: setup-dev ## install the wheel and the sdist in a bare Debian, and follow the tutorial and the README (root)
	@BARE_PACKAGE="wheel sdist" bash tests/bare.sh

units: setup-dev ## boot a bare Debian with systemd, and run the units there as docs/operations.md says (root)
	@BARE_UNITS=1 bash tests/bare.sh

screenshots: setup-dev browser ## retake the screenshots in the documentation
	@$(BIN)/python -m bench.screenshots

release: setup-dev ## set the version, date the changelog, commit and tag (VERSION=1.2.0); never pushes
	@$(BIN)/python -m bench.release $(VERSION)

languages: setup-dev ## collect the texts of players' pages into the catalogues
	@$(BIN)/python -m tests.catalogues

audit: risks ## look for vulnerable packages, risky code and secrets in files
	@$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements/extras.txt || { echo \
	  "The packages are not proved safe: one is vulnerable, or could not be looked up (see above)."; exit 1; }

sbom: $(VENV)/.audit ## list the packages of the server, and with all extras, as CycloneDX (var/sbom*.json)
	@mkdir -p var
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible -o var/sbom.json requirements/run.txt
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible -o var/sbom-extras.json requirements/extras.txt

lock: $(BIN)/uv ## update the pinned packages
	@for k in run extras dev mutants bench audit; do case $$k in run) x="--extra build";; \
	  extras) x="--extra build --extra models --extra mcp --extra telemetry --extra gym --extra reference";; \
	  dev) x="--extra build --extra dev --extra offline";; mutants) x="--extra build --extra dev --extra offline --extra mutants";; bench) x="--extra build --extra dev --extra offline --extra bench";; audit) x="--extra build --extra dev --extra offline --extra audit";; esac; \
	  $(BIN)/uv pip compile -q pyproject.toml $$x --universal --python-version 3.11 --no-header --no-annotate \
	    --no-emit-index-url --generate-hashes -o requirements/$$k.txt; done
	@for k in tools image; do $(BIN)/uv pip compile -q --group $$k --no-deps --universal --python-version 3.11 \
	  --no-header --no-annotate --no-emit-index-url --generate-hashes -o requirements/$$k.txt; done

clean: ## remove the environment, but not the data in var/
	rm -rf $(VENV) .mypy_cache .ruff_cache
