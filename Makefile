# Every command of the project. The work is done in scripts/; this file finds a Python and hands over.

PYTHON := $(shell sh scripts/find_python.sh 2>/dev/null)
VENV_PYTHON := .venv/bin/python
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: help run dev serve serve-secure serve-recovery reload test test-all test-fast test-browser check bench build lock audit setup setup-server setup-dev clean python

help:
	@echo "make run           the modal, the sandbox and the demo host page on this machine"
	@echo "make dev           the same with live reload"
	@echo "make serve         production: settings from the environment or .env"
	@echo "make serve-secure  the secure site of the embedded wallet (serve-recovery: its recovery service)"
	@echo "make reload        after an update and make build: migrates, then replaces the workers of make serve"
	@echo "make test          the tests, within 8 minutes on two processors (test-fast: without a browser)"
	@echo "make test-all      the slow ones too (test-browser: all with a browser)"
	@echo "make check         lint, types, import rules"
	@echo "make bench         the benchmarks"
	@echo "make build         the loader, the front end and the embedded wallet's page"
	@echo "make lock          what requirements*.txt come to, with hashes (ARGS=--upgrade: the newest versions that are allowed)"
	@echo "make audit         known vulnerabilities of what is installed"
	@echo "make clean         removes what was built; .venv, node_modules and data stay"

run: setup
	@exec $(VENV_PYTHON) -m scripts.run

dev: setup
	@exec $(VENV_PYTHON) -m scripts.dev

serve: setup-server
	@exec $(VENV_PYTHON) -m scripts.serve

serve-secure: setup-server
	@exec $(VENV_PYTHON) -m secure

serve-recovery: setup-server
	@exec $(VENV_PYTHON) -m secure.recovery

reload: setup-server
	@exec $(VENV_PYTHON) -m scripts.reload

build: setup-server
	@exec $(VENV_PYTHON) -m scripts.build

test: setup-dev
	@exec $(VENV_PYTHON) -m scripts.test -- $(ARGS)

test-all: setup-dev
	@exec $(VENV_PYTHON) -m scripts.test --all -- $(ARGS)

test-fast: setup-dev
	@exec $(VENV_PYTHON) -m scripts.test --fast -- $(ARGS)

test-browser: setup-dev
	@exec $(VENV_PYTHON) -m scripts.test --browser -- $(ARGS)

check: setup-dev
	@exec $(VENV_PYTHON) -m scripts.check

bench: setup-dev
	@exec $(VENV_PYTHON) -m scripts.bench

lock: setup-dev
	@exec $(VENV_PYTHON) -m scripts.lock $(ARGS)

audit: setup-dev
	@exec $(VENV_PYTHON) -m scripts.audit

setup: python
	@$(PYTHON) -m scripts.setup

setup-server: python
	@$(PYTHON) -m scripts.setup --server

setup-dev: python
	@$(PYTHON) -m scripts.setup --dev

python:
ifeq ($(PYTHON),)
	@sh scripts/find_python.sh
endif

clean:
	rm -rf .web .dev .states assets/walletmodal.js assets/walletmodal-wallets.js assets/walletmodal-onramp.js assets/walletmodal.d.ts assets/walletmodal.js.map assets/v assets/external
	rm -rf sandbox/static/build secure/static .mypy_cache .ruff_cache .pytest_cache .import_linter_cache test-results
