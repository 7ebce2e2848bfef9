# Every target sets up what it needs and runs again at once: see scripts/bootstrap.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo test e2e check bench docs messages lock format clean

PORT ?= 8000
ARGS ?=
export PORT ARGS REQUIRE_ALL

help: ## List what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: ## Set everything up and run Champollion with demo data; PORT=8000; ARGS=--generated-ratings
	@exec scripts/demo $(ARGS)

test: ## Run the tests with their own PostgreSQL and Redis; ARGS= goes to pytest; REQUIRE_ALL=1 allows no skip
	@exec scripts/test $(ARGS)

e2e: ## Run the whole story in a browser, with a real worker, PostgreSQL and Redis
	@exec scripts/e2e $(ARGS)

check: ## Lint, format, types, templates, import direction, migrations, translations, deployment settings
	@exec scripts/check

bench: ## Run the benchmarks; each prints one line of figures; ARGS=--quick for short ones
	@exec scripts/bench $(ARGS)

docs: ## Write the generated reference pages and check every link in the documentation
	@scripts/bootstrap dev && .venv/bin/python -m scripts.docs

messages: ## Collect the translatable strings into locale/ and compile them (needs gettext)
	@exec scripts/messages

lock: ## Compile requirements/*.in to exact pins with hashes
	@exec scripts/lock

format: ## Put Python and templates into the project's format
	@scripts/bootstrap dev && .venv/bin/ruff check --fix . && .venv/bin/ruff format .

clean: ## Throw away the demo's data and what the tools cached; the environment stays
	@rm -rf .state .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis test-results
