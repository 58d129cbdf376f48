"""Layouts that findings ask for are tried on rows; where none can be read, sums decide."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from typing import Any, NoReturn

import pytest

from audit_jobs.findings.model import Confidence, Finding
from audit_jobs.results.result import AuditResult
from tests.scenarios.lake import audit
from tests.workloads.corpus import PAIRS
from tests.workloads.lake import Tables

pytestmark = pytest.mark.slow

# Customers of days, whose files are 13.5 % of what is read once they are sorted.
PAIR = PAIRS["customers_of_days"]
LEFT = 0.135


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(tmp_path_factory.mktemp("lake"))


def audited(tables: Tables, **settings: Any) -> tuple[AuditResult, Finding]:
    """An audit, and its finding."""
    metadata = tables.of(PAIR)
    with chdir(tables.directory):
        result = audit({PAIR.name: metadata}, PAIR.queries, **settings)
    (finding,) = result.findings
    return result, finding


def share(finding: Finding) -> float:
    assert finding.bytes_at_stake is not None
    return finding.bytes_at_stake / finding.bytes_read


def test_what_is_promised_is_what_was_tried(tables: Tables) -> None:
    result, finding = audited(tables)
    assert share(finding) == pytest.approx(1 - LEFT, abs=0.02)
    assert result.run.tables_unmeasured == {}


def test_where_no_rows_are_read_sums_decide(tables: Tables) -> None:
    result, finding = audited(tables, sampled_files=0)
    assert finding.fix.spark
    assert finding.confidence is Confidence.LOW
    assert result.run.tables_unmeasured == {}


@pytest.mark.parametrize("step", ["_task", "kept_of_files", "scores", "rows_of_files"])
def test_a_trial_that_fails_is_told_and_sums_decide(
    step: str, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr(f"audit_jobs.jobs.trials.{step}", fails)
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
