PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?=

.DEFAULT_GOAL := help
.PHONY: secrets-forms help venv demo up token fuzz doors test lint bench conformance sam lock schemas clean

help:  ## Print this list.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/.ready: requirements/dev.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

venv: $(VENV)/.ready  ## Make the virtual environment that every other command uses.

demo: venv  ## Score real model outputs on the local stack and print a table; DATA=folder for more data sets.
	@$(BIN)/python -m devstack.demo $(if $(DATA),--data $(DATA))

up: venv  ## Start the local stack and leave it running; Ctrl-C stops it.
	@$(BIN)/python -m devstack up

fuzz: venv  ## Fuzz the HTTP API on the local stack, in an environment of its own; EXAMPLES=… an operation.
	@$(BIN)/python -m devstack.fuzz $(if $(EXAMPLES),--examples $(EXAMPLES))

doors: venv  ## Try 10,000 messages, HTTP bodies, lines and documents that are nearly right; EXAMPLES=… for another number.
	EVALBOOK_EXAMPLES=$(or $(EXAMPLES),10000) $(BIN)/python -m pytest -q -n 2 \
	  tests/unit/services/scoring/test_fuzzed_messages.py tests/unit/api/test_fuzzed_bodies.py \
	  tests/unit/cli/test_fuzzed_lines.py tests/unit/traces/formats/test_fuzzed_documents.py

token: venv  ## Print a token for the running stack's HTTP API; SCOPES="…" ORG=… PROJECTS="…" SUB=….
	@$(BIN)/python -m devstack token $(if $(SCOPES),--scopes "$(SCOPES)") $(if $(ORG),--org "$(ORG)") \
	  $(if $(PROJECTS),--projects "$(PROJECTS)") $(if $(SUB),--sub "$(SUB)")

secrets-forms: venv  ## Print which forms of credentials secret_scan finds, and since when.
	@$(BIN)/python -m benchmarks.secrets_forms

lint: venv  ## Check style, types and the direction of imports.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test: venv  ## Run everything that CI runs.
	@$(MAKE) --no-print-directory -j 2 --output-sync lint sam
	$(BIN)/python -m pytest -n 3 --dist loadfile --cov --cov-report=term:skip-covered

bench: .venv-bench/.ready  ## Measure speed against peers and the bare libraries, in one run.
	PYTHONPATH=shared .venv-bench/bin/python -m benchmarks $(ONLY)

.venv-%/.ready: requirements/%.txt
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

conformance: .venv-conformance/.ready .venv-litellm/.ready  ## Compare with reference implementations, official suites and a real gateway.
	.venv-conformance/bin/python -m pytest -s tests/conformance --ignore tests/conformance/test_litellm_proxy.py
	.venv-litellm/bin/python -m pytest -s tests/conformance/test_litellm_proxy.py

sam: venv  ## Validate, lint and build the template (needs the packages of requirements/sam.txt and Python 3.13 to build).
	$(BIN)/python -m devstack.emulator.sam

lock:  ## Compile requirements/ from pyproject.toml (needs uv).
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet pyproject.toml -o requirements/runtime.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet pyproject.toml --group dev -o requirements/dev.txt
	for group in emulator fuzz sam; do \
	  uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet --group $$group -o requirements/$$group.txt; done
	for group in bench conformance litellm; do \
	  uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet pyproject.toml --group $$group -o requirements/$$group.txt; done
	cp requirements/runtime.txt layers/dependencies/requirements.txt

schemas: venv  ## Write the wire models' JSON Schemas, the table of codes and what the pages say of scorers and formats to docs.
	$(BIN)/python -m evalbook.contracts.export docs/schemas
	$(BIN)/python -m evalbook.api.export docs
	$(BIN)/python -m evalbook.contracts.codes_page docs/codes.md
	$(BIN)/python -m tests.unit.scorers.page docs/scorers.md
	$(BIN)/python -m tests.unit.traces.formats.page docs/traces.md

clean:  ## Remove everything that was made here.
	rm -rf .venv* .aws-sam .devstack .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage dist
