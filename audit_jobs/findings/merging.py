"""What scans read of small files once these are merged in the order that they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit_jobs.findings.disturbance import (
    Disturbance,
    columns_in_order,
    columns_skipped_by,
    of_groups,
)
from audit_jobs.findings.early_stop import STOPPED
from audit_jobs.findings.repartition import is_in_order
from audit_jobs.findings.sample import SampledScan
from audit_jobs.findings.sorting import files_of_list, listed, partitions_read
from audit_jobs.findings.trials import opening_cost
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.health.model import TableHealth
from audit_jobs.tuning import SLACK
from collectors.predicates.model import BoundComparison
from collectors.predicates.operators import Op

_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class Merged:
    """What scans lose by a merge, and whether that is more than opening fewer files wins."""

    lost: Disturbance
    is_worse: bool


def columns_kept(usage: TableUsage) -> tuple[str, ...]:
    """The columns that rows are to be sorted by where files are written anew, so that scans skip
    files as they do now: few, as those that come after tell hardly any rows apart."""
    return columns_in_order(usage)[:_COLUMNS]


def merged(usage: TableUsage, health: TableHealth, order: Sequence[str]) -> Merged:
    """What becomes of scans where files of the target size, with rows in order of columns, take the
    place of small ones."""
    opening = opening_cost(usage)
    more = cost = 0.0
    lost: list[tuple[Group, int]] = []
    columns: dict[str, None] = {}
    for group in usage.groups:
        if STOPPED in group.traits:
            continue
        skipped_by = columns_skipped_by(usage, group)
        stays = skipped_by if _stays(usage, group, skipped_by, order) else ()
        of_sample = files = now = 0.0
        for scan in group.sample:
            plan, allowed = scan.potential, scan.bytes_allowed
            if plan is not None and allowed is not None:
                read, opened = float(allowed), allowed / health.target_file_bytes
                if skipped_by:
                    partitions = _partitions(group, health, scan, skipped_by)
                    read, opened = _read(health, scan, allowed, partitions, stays)
                of_sample += read - allowed
                files += opened - plan.files_kept
                now += allowed + opening * plan.files_kept
        size = group.extrapolated(of_sample)
        more += size + opening * group.extrapolated(files)
        cost += group.extrapolated(now)
        if size > 0:
            lost.append((group, round(size)))
            columns |= dict.fromkeys(skipped_by)
    return Merged(of_groups(lost, columns), more > SLACK * cost)


def _stays(
    usage: TableUsage, group: Group, skipped_by: Sequence[str], order: Sequence[str]
) -> bool:
    """Whether a group skips files by an order of rows as well as now: by the first column alone, by
    the others within values of it, or by what is in one order with it, as times are with keys that
    grow with them. By a box of a Z-order it does not."""
    first, *others = order
    beside = [name for name in skipped_by if name != first]
    if all(is_in_order(usage, name) for name in (first, *beside)):
        return True
    is_within = not beside or (_names_values(group, first) and set(beside) <= set(others))
    return first in skipped_by and is_within


def _names_values(group: Group, column: str) -> bool:
    return any(
        isinstance(leaf := condition.predicate, BoundComparison)
        and leaf.op in (Op.EQ, Op.IN)
        and leaf.field.name == column
        for condition in group.conditions
    )


def _partitions(
    group: Group, health: TableHealth, scan: SampledScan, skipped_by: Sequence[str]
) -> float:
    """In how many partitions a scan reads files, about; one where there are none. Those that have
    a value that it skips files by may be more than files are of one."""
    assert scan.potential is not None
    kept = scan.potential.files_kept
    known = [health.column(name) for name in skipped_by]
    of_value = [health.partitions_of_value(one) for one in known if one is not None]
    told = min((count for count in of_value if count is not None), default=1.0)
    return max(1.0, partitions_read(group, scan, kept) or 1.0, min(kept, told))


def _read(
    health: TableHealth,
    scan: SampledScan,
    allowed: int,
    partitions: float,
    stays: Sequence[str],
) -> tuple[float, float]:
    """The bytes that a scan reads then, and the files that it opens: in each partition what it
    reads now lies together where it is told apart by columns of which the order `stays`, or values
    of a list in several places, and the ends of each place are within files."""
    assert scan.potential is not None
    now = allowed / partitions
    whole = max(now, health.partition_bytes or health.bytes)
    file = min(health.target_file_bytes, whole)
    lists = [files_of_list(listed(scan, name), health.column(name), whole / file) for name in stays]
    places = min(scan.potential.files_kept / partitions, max(lists, default=1.0))
    read = min(whole, now + max(1.0, places) * file) if stays else whole
    return partitions * read, partitions * max(1.0, read / file)
