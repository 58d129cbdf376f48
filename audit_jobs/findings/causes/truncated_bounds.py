"""A filter on texts that all begin alike, so that their bounds, cut short, are all the same."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.attribution import claimed_columns
from prunescope.audit_jobs.findings.bounds import repair_bounds
from prunescope.audit_jobs.findings.building import of_groups
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.selective import (
    begins_alike,
    most_selective_in_order,
    reads_old_files,
)
from prunescope.audit_jobs.findings.sorting import bytes_lost_by_order
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.tuning import LONGEST_BOUND
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.tables.metrics_modes import USUAL_LENGTH, MetricsModes, truncated_to

_ID = "truncated_bounds"
_SET_BY_SPARK = "Trino has no such property: set it with Spark, then optimize rewrites the files. "
_ONLY_WRITTEN = " New files keep longer bounds. Existing files need a rewrite."


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    condition = most_selective_in_order(usage, group)
    if condition is None or reads_old_files(usage, group):
        return None
    if not begins_alike(usage, group, condition):
        return None
    column = condition.columns[0]
    return LayoutClaim(_ID, condition, column, bytes_lost_by_order(group, column))


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it."""
    for column, groups in claimed_columns(usage, _ID).items():
        yield _finding(usage, column, groups)


def _finding(usage: TableUsage, column: str, groups: list[Group]) -> Finding:
    mode = MetricsModes.of(usage.metadata).mode(column)
    width = _width(groups, column)
    is_set = mode == "full" or (truncated_to(mode) or 0) >= width
    repair = repair_bounds(usage, groups, column, None if is_set else f"truncate({width})")
    scans = sum(group.count for group in groups)
    known = usage.column(column)
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=repair.confidence,
        columns=(column,),
        lost_at="data_files",
        sentence=(
            f"{wording.scans(scans, 'filter')} "
            f"on {column}. Its values share a prefix longer than the stored bounds, so all files "
            f"look alike."
            f"{_ONLY_WRITTEN if is_set else ''}"
        ),
        bytes_at_stake=repair.bytes_won,
        evidence={
            "metrics_mode": mode,
            "common_bounds": None if known is None else known.common_bounds,
            "clustered": repair.is_clustered,
        },
        fix=repair.fix(
            f"{'' if is_set else _SET_BY_SPARK}If values share a still longer prefix, filter by a "
            "column that holds only the part that differs.",
        ),
    )


def _width(groups: list[Group], column: str) -> int:
    """Characters that tell the values of filters apart, as far as sampled: the next power of two,
    and more than are kept now."""
    lengths = [
        len(value)
        for group in groups
        for scan in group.sample
        for part in scan.conjuncts
        for leaf in comparisons(part.predicate)
        if leaf.field.name == column
        for value in leaf.values
        if isinstance(value, bytes)
    ]
    wanted = max([2 * USUAL_LENGTH, *lengths])
    return min(LONGEST_BOUND, 1 << (wanted - 1).bit_length())


CAUSE = Cause(_ID, "Column bounds truncated", find, of_layout=_claim, by_rewriting=True)
