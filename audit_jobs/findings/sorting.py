"""What a rewrite sorted by one column would let planners skip."""

from __future__ import annotations

from audit_jobs.findings.sample import SampledConjunct, SampledScan
from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.findings.usage import Group
from audit_jobs.health.model import TableHealth
from audit_jobs.pruning.scans import comparisons
from collectors.predicates.model import all_of


def bytes_lost_by_order(group: Group, column: str, *, across: bool = False) -> int | None:
    """The part of a group's loss by layout that a rewrite sorted by `column` wins, within the
    partitions that there are, or `across` all of them; None where nothing tells how many rows
    match.

    A sorted scan reads the rows that the conditions on the column select, and in each partition
    one file more, as the ends of a range lie within files (files of the table's target size, as
    the rewrite writes them). Other conditions win nothing: their columns stay spread.
    """
    return group.once(
        ("bytes_lost_by_order", column, across),
        lambda: _bytes_lost_by_order(group, column, across=across),
    )


def _bytes_lost_by_order(group: Group, column: str, *, across: bool) -> int | None:
    lost = group.bytes_lost_by_layout
    if group.health is None or lost is None:
        return None
    won = 0
    for scan in group.sample:
        share, allowed = share_of_column(scan, group.health, column), scan.bytes_allowed
        if share is None or allowed is None or scan.potential is None:
            return None
        files = scan.potential.files_kept
        won += max(0, allowed - _bytes_sorted(group.health, share, allowed, files, across))
    return min(round(group.extrapolated(won)), lost)


def other_columns(group: Group, column: str) -> tuple[str, ...]:
    """The other columns that the filter of a group compares."""
    names = dict.fromkeys(leaf.field.name for leaf in comparisons(group.predicate))
    return tuple(name for name in names if name != column)


def _bytes_sorted(health: TableHealth, share: float, allowed: int, files: int, across: bool) -> int:
    """Bytes that a scan reads once the table is sorted, of which it reads `allowed` in so many
    `files` now."""
    if across or health.partition_files is None or health.partition_bytes is None:
        file = min(health.target_file_bytes, health.bytes)
        return round(share * health.bytes) + file
    partitions = max(1.0, files / max(1.0, health.partition_files))
    file = min(health.target_file_bytes, round(health.partition_bytes))
    return round(share * allowed + partitions * file)


def share_of_column(scan: SampledScan, health: TableHealth, column: str) -> float | None:
    """The share of rows that the conditions on one column match: as sampled where there is one of
    them, else as bounds tell of all together; at least those that match the whole filter."""
    whole = scan.share
    if whole is None:
        return None
    own = [part for part in scan.conjuncts if _is_of(part, column)]
    if len(own) == len(scan.conjuncts):
        return whole
    bounds = share_by_bounds(all_of(*(part.predicate for part in own)), health)
    sampled = min((part.share for part in own if part.share is not None), default=None)
    if sampled is None or (bounds is not None and len(own) > 1):
        known = bounds
    else:
        known = sampled
    return 1.0 if known is None else max(known, whole)


def _is_of(part: SampledConjunct, column: str) -> bool:
    leaves = list(comparisons(part.predicate))
    return bool(leaves) and all(leaf.field.name == column for leaf in leaves)
