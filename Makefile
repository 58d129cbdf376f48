# Everything runs in virtual environments that are made on first use. `make help` lists targets.

SHELL := /bin/sh
.SHELLFLAGS := -eu -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SUPPLY := .venv-supply/bin
# A library for one program of $(VENV), with which it shares no pins.
FUZZER := .venv-fuzz
# Tests start hundreds of processes: none compiles what another has compiled, whatever is set.
unexport PYTHONDONTWRITEBYTECODE
# Programs that .ci/run, or a developer, puts beside the code.
export PATH := $(CURDIR)/.tools/bin:$(PATH)

# A seed: tests run in another order.
SHUFFLE ?=
SINCE ?= main
IMAGE ?= prunescope:$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
SECONDS_PER_PARSER ?= 60
KILLS ?= 200
SCANS_PER_TABLE ?= 50
QUERIES ?= 1000 10000 30000

# loadfile: the tests of a file share what its fixtures build, so they go to one worker. Files come
# in the order of tests/conftest.py, not of their number of tests.
IN_ORDER := --dist loadfile --no-loadscope-reorder $(SHUFFLE:%=--shuffle %)
# On two cores: slow tests wait for servers and for the clock, so a third worker has a core to take.
PYTEST := $(BIN)/pytest -n 3 $(IN_ORDER)
INSTALL := -m pip --disable-pip-version-check install --quiet

.PHONY: java lint types imports $(shell sed -n 's/^\([a-z0-9-]*\):.*## .*/\1/p' Makefile)
help: ## List the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F '|' '{printf "  make %-18s %s\n", $$1, $$2}'

test: ## Check the code and run the tests, of long sweeps a sample
test: MARKED := -m "not exhaustive"
test-all: ## Check the code and run all tests, as CI does
test test-all: java check
	@$(BIN)/python -m tests.class_data
	@$(PYTEST) $(MARKED)
test-fast: $(VENV)/.ready ## Run the tests that need no Spark, no server and no random input, in a few cases of each
	@$(BIN)/python scripts/test_in_parts.py 2 --cases 2 $(SHUFFLE:%=--shuffle %) -m "not slow and not spark and not hypothesis"
test-changed: java $(VENV)/.ready ## Run the tests that a change may concern (SINCE=main)
	@tests=$$($(BIN)/python scripts/changed_tests.py $(SINCE)); \
		if [ -n "$$tests" ]; then $(PYTEST) $$tests; else echo "no test is concerned"; fi
# Only files with such tests are read: to read all takes each worker 15 s of CPU more.
test-spark35: ## Run what Spark's version decides with Spark 3.5
test-spark40: ## Run what Spark's version decides with Spark 4.0
test-spark35 test-spark40: test-spark%: java .venv-spark%/.ready
	@.venv-spark$*/bin/python -m tests.class_data
	@.venv-spark$*/bin/pytest -n 2 $(IN_ORDER) -m spark $$(grep -rl --include='test_*.py' 'mark\.spark' tests)

check: $(VENV)/.ready .venv-docs/.ready ## Lint, check format, types, the direction of imports, and links of the documentation
	@$(MAKE) --jobs 2 types docs lint imports
lint: $(VENV)/.ready
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --quiet --check
types: $(VENV)/.ready
	@$(BIN)/mypy --no-error-summary
imports: $(VENV)/.ready
	@$(BIN)/lint-imports --no-logo
docs: .venv-docs/.ready ## Build the documentation as a site, into build/site
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet --strict
format: $(VENV)/.ready ## Format the code and apply the linter's safe fixes
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format

demo: java $(VENV)/.ready ## Audit a small lakehouse that the demo makes
	@$(BIN)/prunescope demo
generated: $(VENV)/.ready ## Write what follows from code anew: dashboards, rules, files of the chart, tables in docs
	@for module in prunescope.dashboards scripts.chart_files scripts.config_docs scripts.reference_docs; do $(BIN)/python -m $$module; done
pictures: $(VENV)/.ready ## Draw the documentation's pictures: panels of dashboards, the demo's report, a funnel
	@$(BIN)/python -m tests.dashboards.pictures docs/images/dashboards
	@$(BIN)/python -m tests.audit_jobs.report.picture docs/images/report.png
	@$(BIN)/python -m tests.audit_jobs.demo.funnel_picture docs/images/funnel.svg

image: ## Build the image with docker, podman or buildah (IMAGE=name:tag PULL=never)
	@scripts/build_image.sh $(IMAGE)
image-bases: ## Make stand-ins for the image's bases of Debian's packages (then: PULL=never make image)
	@scripts/stand_in_bases.sh
cluster-test: $(VENV)/.ready ## Install, test, upgrade and uninstall the chart in a real API server
	@mkdir -p .tools/bin
	@$(BIN)/python -m tests.cluster .tools/bin/kubernetes

findings-report: $(VENV)/.ready ## Compare findings on made tables with an engineer's, and those of commands
	@$(BIN)/python -m tests.workloads.report && PRUNESCOPE_RANDOM_TABLES=300 $(PYTEST) tests/workloads/test_same_everywhere.py
backtest: $(VENV)/.ready ## Try advised layouts on the week after, and compare with all layouts and with findings
	@$(BIN)/python -m tests.backtest
	@$(BIN)/python -m tests.workloads.report --promises
differential: java $(VENV)/.ready ## Compare plans with those of Iceberg Java and of engines, and write the table of docs/differential.md
	@mkdir -p build && rm -f build/compared.jsonl
	@PRUNESCOPE_SCANS_PER_TABLE=$(SCANS_PER_TABLE) PRUNESCOPE_COMPARED=build/compared.jsonl $(PYTEST) \
		$(addprefix tests/differential/,iceberg_java trino spark readers clickhouse) tests/scenarios/test_event_log_conditions.py
	@$(BIN)/python -m tests.differential.summary build/compared.jsonl docs/differential.md
engines: java $(VENV)/.ready ## Write what was measured of engines into docs/engines.md anew
	@PRUNESCOPE_WRITE_ENGINES=1 $(BIN)/pytest $(addprefix tests/differential/,trino spark readers clickhouse) -k 'page or material'
fuzz: $(VENV)/.ready ## Run the property tests with 20,000 examples each
	@HYPOTHESIS_PROFILE=fuzz $(PYTEST) -m "hypothesis and not spark"
fuzz-parsers: $(VENV)/.ready $(FUZZER)/.ready ## Fuzz each parser, led by coverage (SECONDS_PER_PARSER=60)
	@PYTHONPATH=$(FUZZER) scripts/fuzz_parsers.sh $(BIN)/python $(SECONDS_PER_PARSER)
chaos: java $(VENV)/.ready ## Audit while everything fails, and count what readers would be misled by (KILLS=200)
	@$(BIN)/python -m tests.chaos --kills $(KILLS)
soak: $(VENV)/.ready ## Run 100 audits in one process, and the receiver for 10 minutes
	@$(BIN)/python -m tests.chaos.soak
bench: java $(VENV)/.ready ## Measure what has a peer, beside it, as one table
	@$(BIN)/python -m tests.benchmarks
bench-night: java $(VENV)/.ready ## Audit nights of many queries on Spark, and print what each costs (QUERIES="1000 10000")
	@$(BIN)/python -m tests.benchmarks.bench_night --spark --queries $(QUERIES) --templates 2000 --tables 40 --wide 2

locks = $(patsubst %,requirements/%.txt,$(1))
pins = $(filter-out requirements/tools.txt,$(filter requirements/%,$^))

lock: $(VENV)/.ready ## Resolve the pinned dependencies anew (UPGRADE=--upgrade moves all)
	@$(BIN)/python -m scripts.lock $(UPGRADE)
sbom: $(VENV)/.ready .venv-supply/.ready ## Write the image's bill of materials (CycloneDX)
	@$(BIN)/python scripts/sbom.py $(SUPPLY)/cyclonedx-py build/sbom.cdx.json $(call locks,image spark-4.1)
dependency-audit: .venv-supply/.ready ## Compare the pins with known vulnerabilities, where these can be reached
	@scripts/dependency_audit.sh $(SUPPLY)/pip-audit $(call locks,image spark-4.1)
dist: java $(VENV)/.ready .venv-supply/.ready ## Build sdist and wheel into dist, and run the wheel in fresh environments
	@scripts/dist.sh $(BIN)/python $(SUPPLY)/twine
release: $(VENV)/.ready ## Set the version and date of a release in all files that have it (VERSION=0.2.0)
	@$(BIN)/python -m scripts.release $(VERSION)
clean: ## Remove the virtual environments, caches and build output
	@rm -rf .venv .venv-* build dist demo spark-warehouse metastore_db derby.log ./*.egg-info \
		.hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
java:
	@scripts/check_programs.sh java

$(VENV)/.ready: $(call locks,image test dev spark-4.1)
.venv-spark35/.ready: $(call locks,image test spark-3.5)
.venv-spark40/.ready: $(call locks,image test spark-4.0)
.venv-supply/.ready: $(call locks,supply-chain)
.venv-docs/.ready: $(call locks,docs)
%/.ready: requirements/tools.txt pyproject.toml
	@scripts/environment.sh $(PYTHON) $* $(pins)
	@$*/bin/python $(INSTALL) --no-deps --no-build-isolation --editable .
	@$*/bin/python -m pip --disable-pip-version-check check >/dev/null
	@touch $@
.venv-supply/.ready .venv-docs/.ready: %/.ready: requirements/tools.txt
	@scripts/environment.sh $(PYTHON) $* $(pins)
	@touch $@
$(FUZZER)/.ready: $(call locks,fuzz) $(VENV)/.ready
	@$(BIN)/python $(INSTALL) --require-hashes --target $(FUZZER) --upgrade --requirement $<
	@touch $@
