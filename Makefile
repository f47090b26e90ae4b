# Two commands matter: `make run` and `make test`. Both install what they need; the second time they are quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AGENTS := tests/npm/node_modules
# npm writes it when it has installed what package-lock.json names; hatch_build.py goes by the same file.
NODE := node_modules/.package-lock.json
# Most tests wait for other processes more than they compute, so there are more workers than cores.
WORKERS ?= 3
# Two checks at a time; what each of them says comes in one piece, when it is done.
SIDE_BY_SIDE := $(MAKE) --no-print-directory --jobs 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
# The tests start hundreds of Python processes. Where bytecode may not be kept, each would compile Holdfast anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help install ui run test test-typescript lint lint-types lint-python lint-web bench pictures lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## Install Holdfast into .venv

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

$(NODE): package-lock.json package.json web/package.json clients/typescript/package.json
	@.ci/packages
	npm ci
	@touch $@

ui: ## Build the web UI, if it is not current
	@.ci/packages ui
	@$(PYTHON) hatch_build.py

run: install ui ## Start the server on 127.0.0.1:4653 with SQLite and the demo agent, and the web UI
	@$(BIN)/holdfast serve

lint: $(VENV)/.installed-dev $(NODE) ## ruff, pyright (strict), import-linter, biome, tsc
	@$(SIDE_BY_SIDE) lint-types lint-python lint-web

lint-types: $(VENV)/.installed-dev
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright

lint-python: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

lint-web: $(NODE)
	npm run --silent lint

test: ## Everything that CI runs: lint, then all tests, on SQLite and a private PostgreSQL, in Chromium
	@.ci/packages
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/.installed-dev $(NODE) $(AGENTS)/.installed
	@$(MAKE) --no-print-directory ui
	@$(SIDE_BY_SIDE) test-typescript lint-types lint-python lint-web
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

test-typescript: $(NODE)
	npm test --silent

# The real agents that the tests drive; half a gigabyte of programs, so only if the lock has changed.
$(AGENTS)/.installed: tests/npm/package.json tests/npm/package-lock.json
	@.ci/packages
	npm ci --prefix tests/npm
	@touch $@

bench: $(VENV)/.installed-dev ## Measure against the obvious design and against bare asyncio (takes some minutes)
	$(BIN)/python -m bench

pictures: $(VENV)/.installed-dev ui ## Take the README's pictures anew, in Chromium
	@.ci/packages
	$(BIN)/python -m tests.web.screenshots docs/images

lock: $(VENV)/.installed-dev ## Resolve the dependencies anew into the two lock files
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --python-version 3.11 --extra postgres --extra mcp -o requirements.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --python-version 3.11 --extra postgres --extra mcp --extra claude --group dev -o requirements-dev.lock pyproject.toml

clean: ## Remove .venv and what was built
	rm -rf $(VENV) $(AGENTS) node_modules web/node_modules clients/typescript/node_modules src/holdfast/_web
	rm -rf dist build .ruff_cache .pytest_cache
