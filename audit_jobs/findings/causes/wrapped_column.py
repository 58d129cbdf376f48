"""A function, cast or arithmetic around a column that planning could have used.

The most common cause by far. What the engine itself unwraps (Trino: `year`, `date_trunc`, casts to
date) is pushed and never gets here.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.cause import Cause
from audit_jobs.findings.engines import engine_of, identifier, original, written
from audit_jobs.findings.model import Confidence, Finding, Fix
from audit_jobs.findings.opaque import named, opaque_conditions, partition_fields
from audit_jobs.findings.query_blame import WRAPPED, cause_of, query_blame
from audit_jobs.findings.statements import spark_transform
from audit_jobs.findings.usage import Condition, Group, TableUsage
from audit_jobs.pruning.transforms import TIME_TRANSFORMS
from collectors.predicates.model import Or, Reason

_REASONS = (Reason.FUNCTION, Reason.CAST, Reason.ARITHMETIC)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group for all conditions that are ranges, with what to write beside them and
    the bytes of all together; and one for each set of columns that is wrapped in what is not
    known as a range, where no other condition prunes by them."""
    for group in usage.groups:
        if query_blame(group) == WRAPPED:
            yield _of_ranges(usage, group)
        for columns, conditions in opaque_conditions(usage, group, _REASONS):
            yield _of_opaque(usage, group, columns, conditions)


def _of_ranges(usage: TableUsage, group: Group) -> Finding:
    conditions = [c for c in group.conditions if cause_of(group, c) == WRAPPED]
    columns = tuple(dict.fromkeys(name for c in conditions for name in c.columns))
    partition = partition_fields(usage, conditions)
    stake = group.bytes_lost_by_query
    return Finding(
        cause=WRAPPED,
        severity=usage.thresholds.severity(stake),
        confidence=Confidence.HIGH,
        table=usage.table,
        fingerprint=group.fingerprint,
        conjunct=" AND ".join(dict.fromkeys(original(c) for c in conditions)),
        columns=columns,
        lost_at="manifests" if partition else "data_files",
        sentence=(
            f"The filter wraps {named(columns, partition)}, so the engine gives the planner "
            "nothing to prune by; add the range of the bare column beside it."
        ),
        scans=group.count,
        bytes_read=group.bytes_read,
        bytes_at_stake=stake,
        evidence={"partition_fields": partition, "conditions": len(conditions)},
        fix=Fix(
            rewrite=" AND ".join(_operand(group, c) for c in conditions),
            advice=_advice(usage, group, conditions),
        ),
    )


def _operand(group: Group, condition: Condition) -> str:
    text = written(group, condition)
    return f"({text})" if isinstance(condition.predicate, Or) else text


def _advice(usage: TableUsage, group: Group, conditions: list[Condition]) -> str:
    """The range holds all rows of the condition, and perhaps others."""
    hint = _hint(usage, group, conditions)
    beside = "Add it beside the condition, which stays: the range alone may hold more rows."
    return beside if hint is None else f"{beside} {hint}"


def _hint(usage: TableUsage, group: Group, conditions: list[Condition]) -> str | None:
    """Spark pushes Iceberg's own functions, which name a partition."""
    if engine_of(group) != "spark":
        return None
    terms = [
        f"system.{spark_transform(field.transform, usage.names[field.source_id])}"
        for condition in conditions
        for field in usage.partition_fields_of(condition)
        if field.transform in TIME_TRANSFORMS and field.source_id in usage.names
    ]
    if not terms:
        return None
    return f"Spark's planner also understands the partition's own function: {terms[0]} = ?."


def _of_opaque(
    usage: TableUsage, group: Group, columns: tuple[str, ...], conditions: list[Condition]
) -> Finding:
    partition = partition_fields(usage, conditions)
    bare = identifier(group, columns[0])
    return Finding(
        cause=WRAPPED,
        severity=usage.thresholds.severity(None),
        confidence=Confidence.HIGH,
        table=usage.table,
        fingerprint=group.fingerprint,
        conjunct=" AND ".join(c.text for c in conditions),
        columns=columns,
        lost_at="manifests" if partition else "data_files",
        sentence=(
            f"The filter wraps {named(columns, partition)} in a function that nothing prunes by; "
            "compare the bare column where that says the same, add a range beside it, or filter "
            "by a column that has the value."
        ),
        scans=group.count,
        bytes_read=group.bytes_read,
        bytes_at_stake=None,
        evidence={"partition_fields": partition, "conditions": len(conditions)},
        fix=Fix(
            advice=f"A range that the condition implies, such as {bare} >= ? AND {bare} < ? beside "
            "it, lets the planner prune; so does a column that has the value itself."
        ),
    )


CAUSE = Cause(WRAPPED, "Function around a column", find)
