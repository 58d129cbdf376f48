"""Bounds that files do not have, or that say too little: how to have them written, and what that
wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prunescope.audit_jobs.findings.disturbance import columns_in_order, is_in_order
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Fix, Wish
from prunescope.audit_jobs.findings.sorting import bytes_lost_by_order
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.tuning import ABOUT_ONE


@dataclass(frozen=True, slots=True)
class BoundsRepair:
    """A rewrite of a column's bounds in a metrics mode (None: that of new files), and the bytes
    that it wins.

    `is_clustered` tells whether the footers prove that bounds alone win most of what is lost: the
    writers' order is good as it is. `order` is the column by which the rewrite sorts: another one
    where files are in order of that, and queries skip files by it; None where no row comes into
    another file.
    """

    column: str
    mode: str | None
    bytes_won: int | None
    is_clustered: bool
    order: str | None

    @property
    def confidence(self) -> Confidence:
        """Confidence of the repair: high if the footers prove it."""
        return Confidence.HIGH if self.is_clustered else Confidence.MEDIUM

    def fix(self, advice: str) -> Fix:
        """Returns the fix. Trino has no such property, and rewrites the files only."""
        if self.order not in (None, self.column):
            advice = f"{advice} Rows stay in order of {self.order}, by which queries skip files."
        modes = () if self.mode is None else ((self.column, self.mode),)
        columns = () if self.order is None else (self.order,)
        order, keeps = ((), columns) if self.is_clustered else (columns, ())
        return Fix(
            advice=advice,
            change=Change(order=order, keeps=keeps, modes=modes, files=Files.ALL),
            wish=Wish(bytes_by_order=0 if self.is_clustered else self.bytes_won or 0),
        )


def repair_bounds(
    usage: TableUsage, groups: Sequence[Group], column: str, mode: str | None
) -> BoundsRepair:
    """Proposes to write the bounds of a column in a metrics mode (None: that of new files). A
    property holds for new files only, so all are rewritten: sorted by the column, as packing small
    files together loses any order, or in the order that they have."""
    parts = [bytes_lost_by_order(group, column) for group in groups]
    lost = None if None in parts else sum(part for part in parts if part is not None)
    by_footers = bytes_ruled_out_by_footers(groups)
    if not by_footers or by_footers < (lost or 0) / 2:
        return BoundsRepair(column, mode, lost, False, column)
    if lost is not None:
        by_footers = min(by_footers, lost)
    if has_files_alone(usage.health):
        return BoundsRepair(column, mode, by_footers, True, None)
    # Files that are made anew do not end where values do.
    ends = 0 if usage.health is None else usage.health.target_file_bytes
    won = max(0, by_footers - ends * sum(group.count for group in groups))
    return BoundsRepair(column, mode, won, True, _kept_order(usage, column))


def _kept_order(usage: TableUsage, column: str) -> str:
    """The column that keeps rows where they are, of a table whose files tell values of `column`
    apart as they are: the one that files are in order of, if queries skip files by it."""
    skipping = columns_in_order(usage, but=column)
    return next((name for name in skipping if is_in_order(usage, name)), column)


def are_in_order(group: Group, column: str) -> bool:
    """True if footers tell apart the values of a column that a group asks for: the conditions on it
    alone rule out most row groups of the files that planners keep."""
    pruned = sum(c.row_groups_pruned for c in group.conditions if c.columns == (column,))
    return 2 * pruned > group.sums.potential.row_groups_considered


def has_files_alone(health: TableHealth | None) -> bool:
    """True if each partition has about one file, so that a sort within partitions moves no row to
    another file."""
    return health is not None and 0 < (health.partition_files or 0) <= ABOUT_ONE


def bytes_ruled_out_by_footers(groups: Iterable[Group]) -> int | None:
    """Bytes of the data files that manifests make planners keep, and that bounds as good as those
    in the footers would rule out: the share of bytes of row groups that their own statistics rule
    out. None where not all footers are known."""
    ruled_out = 0
    for group in groups:
        if group.sums.potential.footers_known < group.count:
            return None
        ruled_out += group.sums.potential.bytes_by_footers
    return ruled_out
