# Every command of the repository. Those of a project are `walletmodal …`, here as in a project; the others are in scripts/.

PYTHON := $(shell sh scripts/find_python.sh 2>/dev/null)
VENV_PYTHON := .venv/bin/python
WALLETMODAL := $(VENV_PYTHON) -m walletmodal
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: help run dev serve serve-secure serve-recovery reload scripts test test-all test-fast test-browser check bench bench-scale build wheel sbom docs lock messages audit setup setup-server setup-dev clean python

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
	@echo "make bench-scale   what VISITORS=5000 open visitors cost, and go on for SOAK=60 minutes"
	@echo "make build         the loader, the front end and the embedded wallet's page"
	@echo "make wheel         the package, in dist/"
	@echo "make sbom          which packages are shipped, as CycloneDX in dist/ (ARGS='--key FILE': signed)"
	@echo "make docs          the documentation site, in build/site"
	@echo "make lock          what requirements*.txt come to, with hashes (ARGS=--upgrade: the newest versions that are allowed)"
	@echo "make messages      collects the texts of the product for translators, and brings every catalogue up to them"
	@echo "make audit         known vulnerabilities of what is installed"
	@echo "make clean         removes what was built; .venv, node_modules and data stay"

run: setup
	@$(VENV_PYTHON) -m scripts.build --sandbox
	@exec $(WALLETMODAL) run

dev: setup
	@$(VENV_PYTHON) -m scripts.build --sandbox
	@exec $(VENV_PYTHON) -m scripts.dev

serve: scripts
	@exec $(WALLETMODAL) serve

serve-secure: scripts
	@exec $(WALLETMODAL) serve-secure

serve-recovery: setup-server
	@exec $(WALLETMODAL) serve-recovery

reload: setup-server
	@exec $(WALLETMODAL) reload

scripts: setup-server
	@$(VENV_PYTHON) -m scripts.build

build: scripts
	@exec $(WALLETMODAL) build

wheel: setup
	@exec $(VENV_PYTHON) -m scripts.wheel

sbom: setup-dev
	@exec $(VENV_PYTHON) -m scripts.sbom $(ARGS)

docs: setup-dev
	@exec $(VENV_PYTHON) -m scripts.docs

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

bench-scale: setup-dev
	@exec $(VENV_PYTHON) -m scripts.bench_scale --visitors $(or $(VISITORS),5000) --soak $(or $(SOAK),0)

lock: setup-dev
	@exec $(VENV_PYTHON) -m scripts.lock $(ARGS)

messages: setup-dev
	@exec $(VENV_PYTHON) -m scripts.messages $(ARGS)

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
	rm -rf build dist sandbox/static/build secure/static .mypy_cache .ruff_cache .pytest_cache .import_linter_cache test-results
