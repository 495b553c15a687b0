# `make` lists the targets. Everything is installed into .venv; the only thing kept outside is the model cache.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROMPT ?= What is 37*91? Use the calculator.
export PROMPT

.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint types format bench clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

setup: $(BIN)/agentctl ## install everything into .venv

demo: $(BIN)/agentctl ## a real conversation on the embedded model: make demo PROMPT="..."
	@$(BIN)/agentctl models pull
	@home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT INT TERM && \
	unset AGENTCTL_MODEL AGENTCTL_USER && \
	export AGENTCTL_HOME="$$home" AGENTCTL_DB="$$home/demo.db" XDG_RUNTIME_DIR="$$home" AGENTCTL_LOCAL_IDLE=0 && \
	$(BIN)/agentctl --quiet apply --yes >/dev/null && \
	$(BIN)/agentctl chat default "$$PROMPT"

test: $(BIN)/agentctl ## run the tests
	@$(BIN)/python -m pytest

check: lint types test ## what CI runs: lint, types and tests

lint: $(BIN)/agentctl
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(BIN)/agentctl
	@$(BIN)/mypy

format: $(BIN)/agentctl ## format the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(BIN)/agentctl ## print the speed of the promised paths, as ratios to named baselines
	@$(BIN)/python -m tests.bench $(if $(LOCOMO),--locomo $(LOCOMO))

clean: ## remove the environment and every cache in this folder
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The console script exists only when everything before it went well.
$(BIN)/agentctl: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: Python 3.11 or later is needed; $(PYTHON) is older or missing. Name another one: make PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "error: $(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "installing agentctl into $(VENV)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[local,dev]' || { \
	  echo "error: the packages could not be installed; see the lines above" >&2; exit 1; }
	@$(BIN)/python -m compileall -q agentctl
	@touch $@
