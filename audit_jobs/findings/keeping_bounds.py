"""Bounds that files have, and those that a rewrite makes of them would not: what is written anew
has the bounds that the table's properties ask for now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from audit_jobs.findings.model import Finding
from audit_jobs.findings.statements import is_rewrite, spark_properties
from audit_jobs.findings.usage import TableUsage
from collectors.tables.metrics_modes import (
    DEFAULT_MODE,
    WITHOUT_BOUNDS,
    MetricsModes,
    mode_property,
)


def keeping_bounds(usage: TableUsage, finding: Finding) -> Finding:
    """A finding whose rewrite, if there is one, has bounds written of the columns by which scans
    skip files now, and of those that it sorts by."""
    fix = finding.fix
    if not any(map(is_rewrite, fix.spark)):
        return finding
    asked = " ".join(fix.spark)
    lost = dict.fromkeys((*_ordered_without(usage, finding), *_used_without(usage)))
    columns = [column for column in lost if f"{mode_property(column)}'" not in asked]
    if not columns:
        return finding
    properties = {mode_property(column): DEFAULT_MODE for column in columns}
    advice = (
        f"What is written from now on has no bounds of {', '.join(columns)}, unless the first "
        "statement is run before the others. Trino has no such property: set it with Spark."
    )
    return replace(
        finding,
        fix=replace(
            fix,
            spark=(spark_properties(usage.table, properties), *fix.spark),
            advice=" ".join(part for part in (fix.advice, advice) if part),
        ),
    )


def _ordered_without(usage: TableUsage, finding: Finding) -> Iterator[str]:
    """Columns that a table is sorted by have bounds whatever the default is, but not against a
    property of their own."""
    for column in finding.fix.layout.order:
        if usage.metadata.properties.get(mode_property(column), "").lower() in WITHOUT_BOUNDS:
            yield column


def _used_without(usage: TableUsage) -> Iterator[str]:
    """Columns by whose bounds scans skip files, and of which new files have none."""
    modes = MetricsModes.of(usage.metadata)
    for group in usage.groups:
        for condition in group.conditions:
            for column in condition.columns if condition.data_files_pruned else ():
                known = None if usage.health is None else usage.health.column(column)
                if known is not None and known.bounded and modes.is_without_bounds(column):
                    yield column
