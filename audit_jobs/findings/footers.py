"""What the footers of data files know that their bounds in manifests do not."""

from __future__ import annotations

from collections.abc import Iterable

from audit_jobs.findings.sorting import bytes_lost_by_order
from audit_jobs.findings.usage import Group


def bytes_lost_by_bounds(group: Group, column: str) -> int | None:
    """The part of a group's loss by layout that bounds of a column win, in files that are sorted by
    it: no less than bounds as good as those of the footers do, in the files as they are. None where
    nothing tells how many rows match."""
    by_order = bytes_lost_by_order(group, column)
    if by_order is None:
        return None
    by_footers = bytes_ruled_out_by_footers([group]) or 0
    return max(by_order, min(by_footers, group.bytes_lost_by_layout or 0))


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
