"""Tables that only a join restricts, while the query runs: worth knowing, and no fault."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.cause import Cause
from audit_jobs.findings.engines import identifier
from audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from audit_jobs.findings.query_blame import reads_most
from audit_jobs.findings.usage import Condition, Group, TableUsage
from collectors.predicates.model import BoundComparison, Op, Reason, Unsupported

_ID = "runtime_only"
_RUNTIME = (Reason.RUNTIME, Reason.CROSS_TABLE, Reason.SUBQUERY)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group of joins or merges whose filter has no condition that planning knows.
    What the engine skips by runtime filters is not in any plan, so nobody can tell the bytes."""
    for group in usage.groups:
        if not group.traits & {"join", "merge"} or not reads_most(group):
            continue
        conditions = [c for c in group.conditions if not _is_null_check(c)]
        if all(_is_runtime(c) for c in conditions):
            yield _finding(usage, group, conditions)


def _is_null_check(condition: Condition) -> bool:
    """Spark infers from a join that its keys are not null."""
    predicate = condition.predicate
    return isinstance(predicate, BoundComparison) and predicate.op is Op.NOT_NULL


def _is_runtime(condition: Condition) -> bool:
    predicate = condition.predicate
    return isinstance(predicate, Unsupported) and predicate.reason in _RUNTIME


def _finding(usage: TableUsage, group: Group, conditions: list[Condition]) -> Finding:
    merge = "merge" in group.traits
    names = usage.names
    partition = [names[f.source_id] for f in usage.partition_fields if f.source_id in names]
    what = "a MERGE" if merge else "a join"
    return Finding(
        cause=_ID,
        severity=Severity.INFO,
        confidence=Confidence.MEDIUM if conditions else Confidence.LOW,
        table=usage.table,
        fingerprint=group.fingerprint,
        conjunct=" AND ".join(c.text for c in conditions) or None,
        columns=tuple(dict.fromkeys(name for c in conditions for name in c.columns)),
        lost_at="manifests" if partition else "data_files",
        sentence=(
            f"Only {what} restricts the table, so the plan has all of it; what the engine skips "
            "while the query runs, no plan shows."
        ),
        scans=len(group.scans),
        bytes_read=group.bytes_read,
        bytes_at_stake=None,
        evidence={
            "merge": merge,
            "runtime_conditions": len(conditions),
            "partition_fields": [field.name for field in usage.partition_fields],
        },
        fix=_fix(group, partition[0] if partition else None, merge=merge),
    )


def _fix(group: Group, column: str | None, *, merge: bool) -> Fix:
    if column is None:
        return Fix(
            advice="Where a range of some column is known before the query runs, add it "
            + ("to ON." if merge else "to WHERE.")
        )
    name = identifier(group, column)
    where = (
        "Add it to ON, of the table that is merged into, where the rows to merge are known to lie "
        "in some partitions: the planner then skips the others."
        if merge
        else "Add it to WHERE where the range is known before the query runs. Else nothing is "
        "wrong: the join decides."
    )
    return Fix(rewrite=f"{name} >= ? AND {name} < ?", advice=where)


CAUSE = Cause(_ID, "Restricted at run time only", find)
