# Two commands: `make run` starts the product, `make test` tries all of it. Needs Python 3.11 or newer with venv, git and make; nothing else.

PYTHON ?= python3
VENV := .venv/bin
TESTS ?= tests
DATA_DIR ?=
.DEFAULT_GOAL := help

.PHONY: help run check test accuracy lock methodology translations wheel bench

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## start everything on http://127.0.0.1:8000 (PORT=…, DATA_DIR=…, DATABASE_URL=… change what they say)
	@$(PYTHON) scripts/environment.py runtime
	@exec $(VENV)/gpuplan serve $(if $(DATA_DIR),--data-dir "$(DATA_DIR)")

check: ## format, lint, types, layers, templates, translations, seed data, schema, unit and architecture tests
	@$(PYTHON) scripts/environment.py dev
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .
	$(VENV)/mypy
	$(VENV)/lint-imports
	$(VENV)/djlint templates --lint --quiet
	$(VENV)/python scripts/translations.py --check
	$(VENV)/python scripts/methodology.py --check
	$(VENV)/gpuplan check-seed
	$(VENV)/python scripts/schema_check.py
	$(VENV)/pytest -q -n auto tests/unit tests/architecture

test: ## every test, the walks through a real browser included
	@$(PYTHON) scripts/environment.py dev
	$(VENV)/pytest -q -n auto --dist loadfile $(TESTS)

accuracy: ## how wrong estimates are against published measurements; writes docs/accuracy.md
	@$(PYTHON) scripts/environment.py dev
	$(VENV)/python -m tests.accuracy.report --write

methodology: ## write docs/methodology.md from the code that computes
	@$(PYTHON) scripts/environment.py dev
	$(VENV)/python scripts/methodology.py

wheel: ## build dist/gpuplan-….whl: pip install it anywhere, then `gpuplan serve`
	@$(PYTHON) scripts/environment.py dev
	$(VENV)/hatchling build -t wheel

bench: ## twenty people at work for a minute: what the server took for each page, and its memory
	@$(PYTHON) scripts/environment.py dev
	$(VENV)/python -m bench --json var/bench.json

translations: ## bring the catalogues up to date with the sentences in code and templates
	@$(PYTHON) scripts/environment.py dev
	$(VENV)/python scripts/translations.py

lock: ## compile both locks from pyproject.toml (needs uv)
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile -q pyproject.toml --group build --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-find-links -o requirements.lock
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile -q pyproject.toml --group build --group dev --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-find-links -o requirements-dev.lock
