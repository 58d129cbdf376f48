"""A function, cast or arithmetic around a column that planning could have used.

The most common cause by far. What the engine itself unwraps (Trino: `year`, `date_trunc`, casts to
date) is pushed and never gets here.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.cause import Cause
from audit_jobs.findings.model import Confidence, Finding, Fix
from audit_jobs.findings.usage import Condition, Group, TableUsage
from collectors.predicates.model import BoundComparison, Reason, Unsupported

_WRAPPED = (Reason.FUNCTION, Reason.CAST, Reason.ARITHMETIC)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group and column: with the range to write instead where the condition is
    one, and with its bytes; else that no range says the same."""
    for group in usage.groups:
        found: dict[tuple[str, ...], list[Condition]] = {}
        for condition in group.conditions:
            if _is_wrapped(condition):
                found.setdefault(condition.columns, []).append(condition)
        for columns, conditions in found.items():
            yield _finding(usage, group, columns, conditions)


def _is_wrapped(condition: Condition) -> bool:
    """A range that the engine does not push though planning could use it was wrapped in the text;
    what no range expresses stays as it was written."""
    if isinstance(condition.predicate, BoundComparison):
        return condition.pushed is False
    return (
        isinstance(condition.predicate, Unsupported)
        and condition.predicate.reason in _WRAPPED
        and bool(condition.columns)
    )


def _finding(
    usage: TableUsage, group: Group, columns: tuple[str, ...], conditions: list[Condition]
) -> Finding:
    partition = [field.name for c in conditions for field in usage.partition_fields_of(c)]
    ranges = [c.text for c in conditions if isinstance(c.predicate, BoundComparison)]
    what = "the partition column" if partition else "the column"
    stake = group.bytes_lost_by_query if ranges else None
    return Finding(
        cause=CAUSE.id,
        severity=usage.thresholds.severity(stake),
        confidence=Confidence.HIGH,
        table=usage.table,
        fingerprint=group.fingerprint,
        conjunct=" AND ".join(c.text for c in conditions),
        columns=columns,
        lost_at="manifests" if partition else "data_files",
        sentence=(
            f"The filter wraps {what} {', '.join(columns)}, so the engine gives the planner "
            "nothing to prune by; compare the bare column with a range instead."
            if ranges
            else f"The filter wraps {what} {', '.join(columns)} in a way that no range of it "
            "expresses, so it prunes nothing; add a range, or filter by a column that has the "
            "value."
        ),
        scans=len(group.scans),
        bytes_read=group.bytes_read,
        bytes_at_stake=stake,
        evidence={"partition_fields": partition, "conditions": len(conditions)},
        fix=Fix(
            rewrite=" AND ".join(ranges) if ranges else None,
            advice=None
            if ranges
            else "A generated column, or a range that is implied by the condition, lets the "
            "planner prune.",
        ),
    )


CAUSE = Cause("wrapped_column", "Function around a column", find)
