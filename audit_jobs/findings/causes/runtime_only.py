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
    """One finding for all joins, and one for each shape of MERGE, whose filter has no condition
    that planning knows. What the engine skips by runtime filters is not in any plan, so nobody can
    tell the bytes."""
    joins = []
    for group in usage.groups:
        if not group.traits & {"join", "merge"} or not reads_most(group):
            continue
        if all(_is_runtime(c) for c in _conditions(group)):
            if "merge" in group.traits:
                yield _of_merge(usage, group)
            else:
                joins.append(group)
    if joins:
        yield _of_joins(usage, joins)


def _conditions(group: Group) -> list[Condition]:
    return [c for c in group.conditions if not _is_null_check(c)]


def _is_null_check(condition: Condition) -> bool:
    """Spark infers from a join that its keys are not null."""
    predicate = condition.predicate
    return isinstance(predicate, BoundComparison) and predicate.op is Op.NOT_NULL


def _is_runtime(condition: Condition) -> bool:
    predicate = condition.predicate
    return isinstance(predicate, Unsupported) and predicate.reason in _RUNTIME


def _of_joins(usage: TableUsage, groups: list[Group]) -> Finding:
    column = _partition_column(usage)
    name = None if column is None else identifier(groups[0], column)
    return Finding(
        cause=_ID,
        severity=Severity.INFO,
        confidence=Confidence.MEDIUM,
        table=usage.table,
        columns=() if column is None else (column,),
        lost_at="data_files" if column is None else "manifests",
        sentence=(
            "Only joins restrict the table in these queries, so their plans have all of it; what "
            "the engine skips while they run, no plan shows."
        ),
        scans=sum(group.count for group in groups),
        bytes_read=sum(group.bytes_read for group in groups),
        bytes_at_stake=None,
        evidence={
            "merge": False,
            "fingerprints": sorted({group.fingerprint or "" for group in groups}),
            "runtime_conditions": sum(len(_conditions(group)) for group in groups),
            "partition_fields": [field.name for field in usage.partition_fields],
        },
        fix=Fix(
            rewrite=None if name is None else f"{name} >= ? AND {name} < ?",
            advice="Where a range of some column is known before the query runs, add it to WHERE. "
            "Else nothing is wrong: the join decides.",
        ),
    )


def _of_merge(usage: TableUsage, group: Group) -> Finding:
    column = _partition_column(usage)
    name = None if column is None else identifier(group, column)
    conditions = _conditions(group)
    return Finding(
        cause=_ID,
        severity=Severity.INFO,
        confidence=Confidence.MEDIUM,
        table=usage.table,
        fingerprint=group.fingerprint,
        conjunct=" AND ".join(c.text for c in conditions) or None,
        columns=() if column is None else (column,),
        lost_at="data_files" if column is None else "manifests",
        sentence=(
            "Nothing but the rows to merge restricts the table in this MERGE, so its plan has all "
            "of it; what the engine skips while it runs, no plan shows."
        ),
        scans=group.count,
        bytes_read=group.bytes_read,
        bytes_at_stake=None,
        evidence={
            "merge": True,
            "runtime_conditions": len(conditions),
            "partition_fields": [field.name for field in usage.partition_fields],
        },
        fix=Fix(
            rewrite=None if name is None else f"{name} >= ? AND {name} < ?",
            advice="Add a range to ON, of the table that is merged into, where the rows to merge "
            "are known to lie in a part of it, best in some partitions: the planner then skips the "
            "rest.",
        ),
    )


def _partition_column(usage: TableUsage) -> str | None:
    names = (usage.names.get(field.source_id) for field in usage.partition_fields)
    return next((name for name in names if name is not None), None)


CAUSE = Cause(_ID, "Restricted at run time only", find)
