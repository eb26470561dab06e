# Two commands matter: `make run` and `make test`. Each sets up what it needs; scripts/setup.py does the work.

PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
SETUP = @test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found."; \
	echo "→ Install it, or say where it is: make $@ PYTHON=/path/to/python3.11"; exit 1; }; "$(PYTHON)" scripts/setup.py

.DEFAULT_GOAL := help
.PHONY: help run demo test quick lint format eval bench lock clean

help: ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

run: ## set up what is missing and start pilotfish
	$(SETUP) run
	@$(BIN)/pilotfish

demo: ## one whole job: ask the embedded model about a page, print the streamed answer
	$(SETUP) run
	@$(BIN)/pilotfish models pull
	@$(BIN)/pilotfish ask --model embedded: examples/ferry.html "What does a return ticket cost, and how long is the crossing?"

# Without compiled files each process of the tests compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

# Slow tests wait for browsers more than they compute, so there are more of them at once than processors.
WORKERS = 3

# Checks wait for nothing and tests wait a lot, so they go side by side.
TOGETHER = @$(MAKE) --no-print-directory -j2

test: ## every check there is (set-up included)
	$(SETUP) dev
	$(TOGETHER) checks tests

quick: ## the checks that take no browser, model or database server
	$(SETUP) dev
	$(TOGETHER) checks tests WORKERS=2 ONLY='-m "not slow"'

lint: ## style, types and import contracts
	$(SETUP) dev
	@$(MAKE) --no-print-directory checks

.PHONY: checks tests
checks:
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/lint-imports
	@"$(PYTHON)" scripts/setup.py ui
	@$(BIN)/pyright

tests:
	@$(BIN)/python scripts/run_tests.py -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ONLY)

format: ## put the code into shape
	$(SETUP) dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

eval: ## try the embedded model on the practice site's questions and short tasks
	$(SETUP) run
	@$(BIN)/pilotfish models pull
	@$(BIN)/pilotfish eval questions --model embedded:
	@$(BIN)/pilotfish eval short --model embedded:

# Left out: helpers, and scripts that need a run, another program or the network.
bench: ## run the benchmarks that need nothing else
	$(SETUP) dev
	@for script in $(filter-out $(addprefix bench/,clients.py install.py peer.py prefix.py versus.py),$(wildcard bench/*.py)); do echo "— $$script"; $(BIN)/python $$script || exit 1; done

lock: ## resolve pyproject.toml into the lock files again
	$(SETUP) lock

clean: ## remove what was built and installed here (models and runs stay)
	rm -rf .venv .setup dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage \
		src/pilotfish/interfaces/static ui/node_modules
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +
