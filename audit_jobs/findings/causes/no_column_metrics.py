"""A filter on a column whose bounds the files do not have: metrics were switched off for it, or
the table has more columns than metrics are kept for."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.attribution import claimed_columns
from prunescope.audit_jobs.findings.bounds import (
    are_in_order,
    bytes_ruled_out_by_footers,
    repair_bounds,
)
from prunescope.audit_jobs.findings.building import of_groups
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.selective import (
    is_unmeasured,
    most_selective_in_order,
    reads_old_files,
)
from prunescope.audit_jobs.findings.sorting import bytes_lost_by_order
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.findings.uuid_lookups import has_no_order
from prunescope.audit_jobs.tuning import NEARLY_ALL
from prunescope.collectors.tables.metrics_modes import MetricsModes

_ID = "no_column_metrics"


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    selective = most_selective_in_order(usage, group)
    if selective is None or reads_old_files(usage, group):
        return None
    condition = (
        selective
        if is_unmeasured(usage, group, selective)
        else _in_order(usage, group, selective.columns[0])
    )
    if condition is None:
        return None
    column = condition.columns[0]
    return LayoutClaim(_ID, condition, column, bytes_lost_by_order(group, column))


def _in_order(usage: TableUsage, group: Group, selective: str) -> Condition | None:
    """Condition on a column by which rows are in order, as footers prove, but whose bounds are
    missing; None unless the footers win as much as a sort by the most selective column."""
    by_footers = bytes_ruled_out_by_footers([group]) or 0
    if by_footers < NEARLY_ALL * (bytes_lost_by_order(group, selective) or 0):
        return None
    return next(
        (
            condition
            for condition in group.conditions
            if len(condition.columns) == 1
            and not has_no_order(condition)
            and condition.columns[0] != selective
            and are_in_order(group, condition.columns[0])
            and is_unmeasured(usage, group, condition)
        ),
        None,
    )


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it."""
    for column, groups in claimed_columns(usage, _ID).items():
        yield _finding(usage, column, groups)


def _finding(usage: TableUsage, column: str, groups: list[Group]) -> Finding:
    modes = MetricsModes.of(usage.metadata)
    # Files may be older than their column, or than what the properties say now.
    mode = "full" if modes.is_without_bounds(column) else None
    repair = repair_bounds(usage, groups, column, mode)
    scans = sum(group.count for group in groups)
    known = usage.column(column)
    files = (
        "for it in most of the files they read, so these files are always read."
        if known is not None and known.bounded
        else "for it. Every file is read."
    )
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=repair.confidence,
        columns=(column,),
        lost_at="data_files",
        sentence=(
            f"{wording.scans(scans, 'filter')} on {column}, but manifests have no bounds {files}"
        ),
        bytes_at_stake=repair.bytes_won,
        evidence={
            "metrics_mode": modes.mode(column),
            "columns": len(usage.schema.columns),
            "bounded": None if known is None else known.bounded,
            "clustered": repair.is_clustered,
        },
        fix=repair.fix(_advice(modes, column)),
    )


def _advice(modes: MetricsModes, column: str) -> str:
    if not modes.is_without_bounds(column):
        return (
            f"Present files have no metrics for {column} until they are rewritten; new ones have "
            "them, as the table's properties are."
        )
    why = ""
    if column in modes.beyond:
        why = (
            f"The table has more than {modes.inferred} columns, and writers keep metrics "
            "of the first ones only, unless a column is named. "
        )
    return (
        f"{why}Present files have no metrics for {column} until they are rewritten. Trino "
        "has no such property: set it with Spark, then optimize rewrites the files."
    )


CAUSE = Cause(_ID, "No column bounds in metadata", find, of_layout=_claim, by_rewriting=True)
