"""Findings that are too small to be told are counted, and told on demand."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.findings_config import Findings
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.windows import named


@pytest.mark.slow
def test_what_is_too_small_is_counted_and_told_on_demand(demo_lake: Path) -> None:
    config = load_config(demo_lake)
    window = named(DAY.isoformat(), ZoneInfo("UTC"))
    inputs = read_inputs(config, window, LocalRunner())

    def audited(findings: Findings) -> AuditResult:
        changed = config.model_copy(update={"findings": findings})
        return run_audit(changed, window, inputs, LocalRunner(), lambda _: None)

    usual, everything = audited(Findings()), audited(Findings().however_small())
    assert {f.severity for f in usual.findings} <= {Severity.CRITICAL}
    assert usual.run.too_small > 5
    assert usual.run.too_small_bytes > 1_000_000
    assert len(usual.small_findings) == usual.run.too_small
    stakes = [finding.bytes_at_stake or 0 for finding in usual.small_findings]
    assert sum(stakes) == usual.run.too_small_bytes
    assert stakes == sorted(stakes, reverse=True)
    assert everything.small_findings == ()
    assert (everything.run.too_small, everything.run.too_small_bytes) == (0, 0)
    causes = {finding.cause for finding in everything.findings}
    assert "wrapped_column" in causes
    assert len(causes) > 2


def test_severities_and_tables_stay_as_they_are_configured() -> None:
    lowered = Findings.model_validate(
        {"thresholds": [{"table": "lake.web.*", "high_bytes": 7, "min_scans": 9}]}
    ).however_small()
    first, last = lowered.thresholds
    assert (first.table, first.high_bytes, first.min_scans) == ("lake.web.*", 7, 1)
    assert (last.table, last.min_bytes_at_stake, last.small_table_bytes) == ("*", 0, 0)
    assert last.high_bytes == 100_000_000_000
