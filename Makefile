# Everything runs in virtual environments that are made on first use. `make help` lists targets.

SHELL := /bin/sh
.SHELLFLAGS := -eu -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
OLDER_SPARKS := 35 40
# Programs that look at the dependencies, kept apart from them; and a library beside them.
VENV_SUPPLY := .venv-supply
VENV_DOCS := .venv-docs
FUZZER := .venv-fuzz
BIN := $(VENV)/bin
# Tests start hundreds of processes: none compiles what another has compiled, whatever is set.
unexport PYTHONDONTWRITEBYTECODE
# Programs that .ci/run, or a developer, puts beside the code.
export PATH := $(CURDIR)/.tools/bin:$(PATH)

# A seed: tests run in another order.
SHUFFLE ?=

# loadfile: the tests of a file share what its fixtures build, so they go to one worker. Files come
# in the order of tests/conftest.py, not of their number of tests.
IN_ORDER := --dist loadfile --no-loadscope-reorder $(SHUFFLE:%=--shuffle %)
# On two cores: slow tests wait for servers and for the clock, so a third worker has a core to take.
PYTEST := $(BIN)/pytest -n 3 $(IN_ORDER)
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-annotate --custom-compile-command "make constraints" $(UPGRADE)
PIP_INSTALL := -m pip --disable-pip-version-check install --quiet

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F '|' '{printf "  make %-18s %s\n", $$1, $$2}'

.PHONY: test test-all
test: ## Check the code and run the tests, of long sweeps a sample
test: MARKED := -m "not exhaustive"
test-all: ## Check the code and run all tests, as CI does
test test-all: java check
	@$(BIN)/python -m tests.class_data
	@$(PYTEST) $(MARKED)

.PHONY: test-fast
test-fast: $(VENV)/.ready ## Run the tests that need no Spark, no server and no random input, in a few cases of each
	@$(BIN)/python scripts/test_in_parts.py 2 --cases 2 $(SHUFFLE:%=--shuffle %) -m "not slow and not spark and not hypothesis"

SINCE ?= main

.PHONY: test-changed
test-changed: java $(VENV)/.ready ## Run the tests that a change may concern (SINCE=main)
	@tests=$$($(BIN)/python scripts/changed_tests.py $(SINCE)); \
		if [ -n "$$tests" ]; then $(PYTEST) $$tests; else echo "no test is concerned"; fi

.PHONY: test-spark35 test-spark40
# Only files with such tests are read: to read all takes each worker 15 s of CPU more.
test-spark35: ## Run what Spark's version decides with Spark 3.5
test-spark40: ## Run what Spark's version decides with Spark 4.0
$(OLDER_SPARKS:%=test-spark%): test-spark%: java .venv-spark%/.ready
	@.venv-spark$*/bin/pytest -n 2 $(IN_ORDER) -m spark $$(grep -rl --include='test_*.py' 'mark\.spark' tests)

.PHONY: check
check: $(VENV)/.ready $(VENV_DOCS)/.ready ## Lint, check format, types, the direction of imports, and links of the documentation
	@$(MAKE) --jobs 2 types docs lint imports

.PHONY: lint types imports
lint: $(VENV)/.ready
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --quiet --check
types: $(VENV)/.ready
	@$(BIN)/mypy --no-error-summary
imports: $(VENV)/.ready
	@$(BIN)/lint-imports --no-logo

.PHONY: format
format: $(VENV)/.ready ## Format the code and apply the linter's safe fixes
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format

.PHONY: docs
docs: $(VENV_DOCS)/.ready ## Build the documentation as a site, into build/site
	@NO_MKDOCS_2_WARNING=1 $(VENV_DOCS)/bin/mkdocs build --quiet --strict

.PHONY: demo
demo: java $(VENV)/.ready ## Audit a small lakehouse that the demo makes
	@$(BIN)/prunescope demo

.PHONY: generated
generated: $(VENV)/.ready ## Write what follows from code anew: dashboards, rules, files of the chart, tables in docs
	@$(BIN)/python -m prunescope.dashboards
	@$(BIN)/python -m scripts.chart_files
	@$(BIN)/python -m scripts.config_docs
	@$(BIN)/python -m scripts.reference_docs

.PHONY: dashboard-pictures
dashboard-pictures: $(VENV)/.ready ## Draw what dashboards show of three weeks, into the documentation
	@$(BIN)/python -m tests.dashboards.pictures docs/images/dashboards

.PHONY: report-picture
report-picture: $(VENV)/.ready ## Draw the report of the demo's day, into the documentation
	@$(BIN)/python -m tests.audit_jobs.report.picture docs/images/report.png

.PHONY: funnel-picture
funnel-picture: $(VENV)/.ready ## Draw the funnel of one of the demo's queries, into the documentation
	@$(BIN)/python -m tests.audit_jobs.demo.funnel_picture docs/images/funnel.svg

IMAGE ?= prunescope:$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)

.PHONY: image
image: ## Build the image with docker, podman or buildah (IMAGE=name:tag PULL=never)
	@scripts/build_image.sh $(IMAGE)

.PHONY: image-bases
image-bases: ## Make stand-ins for the image's bases of Debian's packages (then: PULL=never make image)
	@scripts/stand_in_bases.sh

.PHONY: cluster-test
cluster-test: $(VENV)/.ready ## Install, test, upgrade and uninstall the chart in a real API server
	@mkdir -p .tools/bin
	@$(BIN)/python -m tests.cluster .tools/bin/kubernetes

.PHONY: findings-report
findings-report: $(VENV)/.ready ## Compare findings on made tables with an engineer's, and apply their fixes
	@$(BIN)/python -m tests.workloads.report

.PHONY: backtest
backtest: $(VENV)/.ready ## Try advised layouts on the week after, and compare with all layouts and with findings
	@$(BIN)/python -m tests.backtest
	@$(BIN)/python -m tests.workloads.report --promises

.PHONY: fuzz
fuzz: $(VENV)/.ready ## Run the property tests with 20,000 examples each
	@HYPOTHESIS_PROFILE=fuzz $(PYTEST) -m "hypothesis and not spark"

SECONDS_PER_PARSER ?= 60

.PHONY: fuzz-parsers
fuzz-parsers: $(VENV)/.ready $(FUZZER)/.ready ## Fuzz each parser, led by coverage (SECONDS_PER_PARSER=60)
	@mkdir -p build/fuzz
	@for parser in $$(ls tests/fuzz/corpus); do echo "$$parser"; mkdir -p build/fuzz/$$parser; \
		PYTHONPATH=$(FUZZER) $(BIN)/python -W ignore -m tests.fuzz $$parser \
			-max_total_time=$(SECONDS_PER_PARSER) -timeout=20 -rss_limit_mb=2048 -max_len=8000 \
			-artifact_prefix=build/fuzz/$$parser- -verbosity=0 -print_final_stats=1 \
			build/fuzz/$$parser tests/fuzz/corpus/$$parser; done

KILLS ?= 200

.PHONY: chaos
chaos: java $(VENV)/.ready ## Audit while everything fails, and count what readers would be misled by (KILLS=200)
	@$(BIN)/python -m tests.chaos --kills $(KILLS)

.PHONY: soak
soak: $(VENV)/.ready ## Run 100 audits in one process, and the receiver for 10 minutes
	@$(BIN)/python -m tests.chaos.soak

.PHONY: sbom
sbom: $(VENV)/.ready $(VENV_SUPPLY)/.ready ## Write the image's bill of materials (CycloneDX)
	@$(BIN)/python scripts/sbom.py $(VENV_SUPPLY)/bin/cyclonedx-py constraints-image.txt build/sbom.cdx.json

.PHONY: dependency-audit
dependency-audit: $(VENV_SUPPLY)/.ready ## Compare the pins with known vulnerabilities, where these can be reached
	@scripts/dependency_audit.sh $(VENV_SUPPLY)/bin/pip-audit constraints-image.txt

SCANS_PER_TABLE ?= 50

.PHONY: differential
differential: java $(VENV)/.ready ## Compare plans with those of Iceberg Java and of engines, and write the table of docs/differential.md
	@mkdir -p build && rm -f build/compared.jsonl
	@PRUNESCOPE_SCANS_PER_TABLE=$(SCANS_PER_TABLE) PRUNESCOPE_COMPARED=build/compared.jsonl \
		$(PYTEST) tests/differential/iceberg_java tests/differential/trino \
		tests/differential/spark tests/differential/readers tests/differential/clickhouse tests/scenarios/test_event_log_conditions.py
	@$(BIN)/python -m tests.differential.summary build/compared.jsonl docs/differential.md

.PHONY: engines
engines: java $(VENV)/.ready ## Write what was measured of engines into docs/engines.md anew
	@PRUNESCOPE_WRITE_ENGINES=1 $(BIN)/pytest tests/differential/trino tests/differential/spark \
		tests/differential/readers tests/differential/clickhouse -k 'page or material'

.PHONY: bench
bench: java $(VENV)/.ready ## Measure what has a peer, beside it, as one table
	@$(BIN)/python -m tests.benchmarks

QUERIES ?= 1000 10000 30000

.PHONY: bench-night
bench-night: java $(VENV)/.ready ## Audit nights of many queries on Spark, and print what each costs (QUERIES="1000 10000")
	@$(BIN)/python -m tests.benchmarks.bench_night --spark --queries $(QUERIES) --templates 2000 --tables 40 --wide 2

# What the image holds beside the dependencies that everybody has, of the versions that are tested.
IMAGE_EXTRAS := audit collect glue hive otlp s3fs

# UPGRADE=--upgrade moves every pin to the newest version; without it, pins that still fit stay.
.PHONY: constraints
constraints: $(VENV)/.tools ## Resolve the pinned dependencies anew (UPGRADE=--upgrade moves all)
	@echo 'pip setuptools uv' | tr ' ' '\n' | $(COMPILE) - --output-file constraints-tools.txt
	@echo 'pyspark>=4.1' | $(COMPILE) pyproject.toml --extra dev - --output-file constraints.txt
	@echo 'pyspark<4' | $(COMPILE) pyproject.toml --extra test - --output-file constraints-spark35.txt
	@echo 'pyspark>=4,<4.1' | $(COMPILE) pyproject.toml --extra test - --output-file constraints-spark40.txt
	@echo 'pyspark>=4.1' | $(COMPILE) pyproject.toml $(IMAGE_EXTRAS:%=--extra %) - \
		--constraint constraints.txt --output-file constraints-image.txt
	@echo 'apache-airflow>=3' | $(COMPILE) - --output-file constraints-airflow.txt
	@echo 'cyclonedx-bom pip-audit' | tr ' ' '\n' | $(COMPILE) - --output-file constraints-supply.txt
	@echo 'mkdocs-material>=9.7,<10' | $(COMPILE) - --output-file constraints-docs.txt
	@echo 'atheris<3.1' | $(COMPILE) - --output-file constraints-fuzz.txt

.PHONY: clean
clean: ## Remove the virtual environments, caches and build output
	@rm -rf $(VENV) $(OLDER_SPARKS:%=.venv-spark%) $(VENV_SUPPLY) $(VENV_DOCS) $(FUZZER) build dist demo spark-warehouse metastore_db derby.log ./*.egg-info \
		.hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: java
java:
	@scripts/check_programs.sh java

# PySpark comes as a source distribution, and pip checks no hashes of what a build needs: so the
# build tools are pinned and installed first, and builds use them instead of fetching their own.
%/.tools: constraints-tools.txt
	@scripts/check_programs.sh python $(PYTHON)
	@echo "Setting up $* (some minutes, once)"
	@test -x $*/bin/python || $(PYTHON) -m venv $*
	@$*/bin/python $(PIP_INSTALL) --require-hashes -r constraints-tools.txt
	@touch $@

$(VENV)/.ready: constraints.txt
$(OLDER_SPARKS:%=.venv-spark%/.ready): .venv-spark%/.ready: constraints-spark%.txt
%/.ready: %/.tools pyproject.toml
	@$*/bin/python $(PIP_INSTALL) --require-hashes --no-build-isolation -r $(filter constraints%,$^)
	@$*/bin/python $(PIP_INSTALL) --quiet --no-deps --no-build-isolation --editable .
	@$*/bin/python -m pip --disable-pip-version-check check >/dev/null
	@touch $@

$(VENV_SUPPLY)/.ready: constraints-supply.txt
$(VENV_DOCS)/.ready: constraints-docs.txt
$(VENV_SUPPLY)/.ready $(VENV_DOCS)/.ready: %/.ready: %/.tools
	@$*/bin/python $(PIP_INSTALL) --require-hashes -r $(filter constraints%,$^)
	@touch $@

$(FUZZER)/.ready: $(VENV)/.tools constraints-fuzz.txt
	@$(BIN)/python $(PIP_INSTALL) --require-hashes --target $(FUZZER) --upgrade -r constraints-fuzz.txt
	@touch $@

.PRECIOUS: %/.tools
