"""Statistics of data files that their footers have and their bounds in manifests lack."""

from __future__ import annotations

from collections.abc import Iterable

from prunescope.audit_jobs.findings.usage import Group
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.tuning import ABOUT_ONE


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
