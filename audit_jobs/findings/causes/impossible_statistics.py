"""Invalid column statistics: a lower bound above the upper one, or more nulls than values. A
planner that believes them skips rows that match."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings.building import fingerprints, of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Severity
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth

_ID = "impossible_statistics"


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column that the workload filters by."""
    if usage.health is None:
        return
    for column in usage.health.columns:
        groups = [g for g in usage.groups if _filters_by(g, column)]
        if column.impossible and groups:
            yield _finding(usage, column, groups)


def _filters_by(group: Group, column: ColumnHealth) -> bool:
    return any(column.field_id in condition.field_ids for condition in group.conditions)


def _finding(usage: TableUsage, column: ColumnHealth, groups: list[Group]) -> Finding:
    return of_table(
        usage,
        groups,
        _ID,
        severity=Severity.CRITICAL,
        confidence=Confidence.HIGH,
        columns=(column.name,),
        lost_at="data_files",
        sentence=(
            f"{column.impossible:,} files have invalid statistics for {column.name}, such as lower "
            f"bound > upper bound. Filters on it may miss rows."
        ),
        bytes_at_stake=None,
        evidence={
            "files": column.impossible,
            "fingerprints": fingerprints(groups),
        },
        fix=Fix(
            change=Change(files=Files.ALL),
            advice=(
                "Find the writer before it writes again: the snapshots that added the files name "
                "their engine. Results of these filters since then are in doubt. The data itself "
                "may be sound: a rewrite reads it without a filter and recomputes the statistics."
            ),
        ),
    )


CAUSE = Cause(_ID, "Invalid column statistics", find)
