# The only front door: every target sets up what it needs. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help install demo test lint bench soak docs clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

install: $(STAMP) ## virtual environment in .venv with everything

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: install ## train a pot agent, compare it, play a frame, write runs/demo/report.html
	$(BIN)/sinuca demo

test: install ## the tests
	$(BIN)/python -m pytest

lint: install ## ruff, mypy and the contract of the rooms
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: install ## speed of the table and of the environment
	$(BIN)/sinuca bench speed
	$(BIN)/sinuca bench env

soak: install ## long tests
	$(BIN)/python -m pytest -m soak

docs: install ## write the generated pages and pictures of docs/ anew
	$(BIN)/python tools/articles_page.py
	$(BIN)/python benchmarks/agreement.py --write
	$(BIN)/python docs/images.py

clean: ## remove what make made
	rm -rf $(VENV) runs build dist *.egg-info
