"""Layouts that findings ask for are tried on rows, or, where none may or can be read, on rows that
bounds tell; where that fails, sums decide."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from typing import Any, NoReturn

import pytest

from prunescope.audit_jobs.findings.model import Confidence, Finding
from prunescope.audit_jobs.results.result import AuditResult
from tests.scenarios.lake import audit
from tests.workloads.corpus import PAIRS
from tests.workloads.lake import Tables

pytestmark = pytest.mark.slow

# Customers of days, whose files are 13.5 % of what is read once they are sorted.
PAIR = PAIRS["customers_of_days"]
LEFT = 0.135

BY_BOUNDS = [PAIR.name, "two_lookups", "payments_in_order_of_senders", "days_of_tenants_in_buckets"]
"""Pairs that formulas would tell otherwise, or not at all, are among these."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(tmp_path_factory.mktemp("lake"))


def audited(tables: Tables, name: str = PAIR.name, **settings: Any) -> tuple[AuditResult, Finding]:
    """An audit of a pair, and its finding."""
    pair = PAIRS[name]
    metadata = tables.of(pair)
    with chdir(tables.directory):
        result = audit({name: metadata}, pair.queries, **settings)
    (finding,) = result.findings
    return result, finding


def share(finding: Finding) -> float:
    assert finding.bytes_at_stake is not None
    return finding.bytes_at_stake / finding.bytes_read


def test_what_is_promised_is_what_was_tried(tables: Tables) -> None:
    result, finding = audited(tables)
    assert share(finding) == pytest.approx(1 - LEFT, abs=0.02)
    assert result.run.tables_unmeasured == {}


@pytest.mark.parametrize("name", BY_BOUNDS)
def test_bounds_tell_of_independent_columns_what_rows_tell(name: str, tables: Tables) -> None:
    _, by_rows = audited(tables, name)
    _, by_bounds = audited(tables, name, sampled_files=0)
    assert sorted(by_bounds.columns) == sorted(by_rows.columns)
    assert share(by_bounds) == pytest.approx(share(by_rows), abs=0.03)
    assert by_bounds.fix.spark
    assert (by_rows.confidence, by_bounds.confidence) == (Confidence.MEDIUM, Confidence.LOW)


@pytest.mark.parametrize("sampled_files", [0, 16])
def test_where_no_rows_are_there_bounds_decide(sampled_files: int, tmp_path: Path) -> None:
    copy = Tables(tmp_path)
    copy.of(PAIRS["two_lookups"])
    _, with_rows = audited(copy, "two_lookups", sampled_files=0)
    for file in tmp_path.rglob("*.parquet"):
        file.unlink()
    result, finding = audited(copy, "two_lookups", sampled_files=sampled_files)
    assert sorted(finding.columns) == ["customer_id", "product_id"]
    assert share(finding) == pytest.approx(share(with_rows), abs=0.02)
    assert finding.confidence is Confidence.LOW
    assert result.run.tables_unmeasured == {}


def test_where_no_rows_may_be_read_trials_read_nothing(tables: Tables) -> None:
    pair = PAIRS["two_lookups"]
    nothing_to_try = {"min_scans": len(pair.queries) + 1, "high_bytes": 1 << 60}
    metadata = tables.of(pair)
    with chdir(tables.directory):
        one = audit({pair.name: metadata}, pair.queries, sampled_files=0, thresholds=nothing_to_try)
    assert not one.findings
    by_bounds, _ = audited(tables, pair.name, sampled_files=0)
    by_rows, _ = audited(tables, pair.name, sampled_files=1)
    read = [found.run.read_bytes or 0 for found in (one, by_bounds, by_rows)]
    assert read[0] == read[1] < read[2]


@pytest.mark.parametrize("step", ["trial_task", "kept_of_files", "scores", "rows_of_files"])
def test_a_trial_that_fails_is_told_and_sums_decide(
    step: str, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr(f"prunescope.audit_jobs.jobs.trials.{step}", fails)
    result, finding = audited(tables)
    assert finding.fix.spark
    (message,) = result.run.tables_unmeasured.values()
    assert "ZeroDivisionError in prunescope while" in message
    assert result.run.status == "succeeded"


def test_files_that_are_gone_have_no_rows(tmp_path: Path) -> None:
    copy = Tables(tmp_path)
    copy.of(PAIR)
    for number, file in enumerate(sorted(tmp_path.rglob("*.parquet"))):
        if number % 2:
            file.unlink()
    result, finding = audited(copy)
    assert share(finding) == pytest.approx(1 - LEFT, abs=0.05)
    assert result.run.tables_unmeasured == {}
