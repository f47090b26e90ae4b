# Two commands matter: `make run` and `make test`. Both install what they need; the second time they are quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Most tests wait for other processes more than they compute, so there are more workers than cores.
WORKERS ?= 3

.DEFAULT_GOAL := help
.PHONY: help install run test lint bench lock clean

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

run: install ## Start the server on 127.0.0.1:4653 with SQLite and the demo agent
	@$(BIN)/holdfast serve

lint: $(VENV)/.installed-dev ## ruff, pyright (strict), import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright
	$(BIN)/lint-imports

test: lint ## Everything that CI runs: lint, then all tests, on SQLite and a private PostgreSQL
	@.ci/packages
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile $(PYTEST_ARGS)

bench: $(VENV)/.installed-dev ## Measure against the obvious design and against bare asyncio (takes some minutes)
	$(BIN)/python -m bench

lock: $(VENV)/.installed-dev ## Resolve the dependencies anew into the two lock files
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --python-version 3.11 --extra postgres -o requirements.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --python-version 3.11 --extra postgres --group dev -o requirements-dev.lock pyproject.toml

clean: ## Remove .venv and what was built
	rm -rf $(VENV) dist build .ruff_cache .pytest_cache
