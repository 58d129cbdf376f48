"""A table that is partitioned by other columns than its queries filter by.

A judgement of the table. The bytes that a better spec saves are those of the columns that it leaves
out (`no_partition_filter`), so that this finding puts none at stake itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import fmean

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.alignment import (
    droppable_fields,
    field_uses,
    unserved_columns,
    unused_fields,
)
from prunescope.audit_jobs.findings.attribution import columns_lacking
from prunescope.audit_jobs.findings.building import of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import Lack
from prunescope.audit_jobs.findings.disturbance import columns_in_order
from prunescope.audit_jobs.findings.granularity import (
    bucket_count,
    least_partition_bytes,
    time_transform,
)
from prunescope.audit_jobs.findings.model import (
    Change,
    Confidence,
    Files,
    Finding,
    Fix,
    Severity,
    Wish,
)
from prunescope.audit_jobs.findings.selectivity import share_by_bounds
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.tuning import HALF, NEARLY_ALL, VALUES_OF_BUCKET
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.types import NANOS_PER_UNIT

_ID = "misaligned_partitioning"

_EQUALITIES = frozenset({Op.EQ, Op.IN})
_NO_BUCKETS = ("boolean", "float", "double")


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding, where no filter uses a partition field: of what filters ask for that no
    field serves `no_partition_filter` tells."""
    if not usage.partition_fields:
        return
    unused = unused_fields(usage)
    if unused:
        yield _finding(usage, unused, _missing_field(usage, droppable_fields(usage)))


def _missing_field(
    usage: TableUsage, dropped: tuple[PartitionField, ...]
) -> tuple[str, str] | None:
    """The transform and the column that serve the filters which lose most bytes by columns that
    no field serves."""
    by_column = columns_lacking(usage, Lack.FIELD)
    lost = {c: sum(g.bytes_lost_by_layout or 0 for g in gs) for c, gs in by_column.items()}
    read = _read(usage.groups)
    if not lost or sum(lost.values()) < usage.thresholds.min_share * read:
        return None
    column = max(lost, key=lambda c: lost[c])
    transform = _transform_for(usage, column, by_column[column], dropped)
    return None if transform is None else (transform, column)


def _transform_for(
    usage: TableUsage, column: str, groups: list[Group], dropped: tuple[PartitionField, ...]
) -> str | None:
    """Transform to partition a column by, so that no partition gets small: the filters' unit for
    times; `identity` if filters ask for each of a few values, `bucket[N]` for many, both only if
    fields are dropped and all filters have values. None if none fits. If no field is dropped,
    `no_partition_filter` adds one instead."""
    health = usage.column(column)
    if usage.health is None or health is None:
        return None
    all_go = len(dropped) == len(usage.partition_fields)
    if health.type in NANOS_PER_UNIT:
        replaced = usage.health.partitions if all_go else None
        return time_transform(usage, groups, column, replaced=replaced or 1)
    leaves = [c.predicate for group in groups for c in group.conditions if column in c.columns]
    have_values = all(isinstance(p, BoundComparison) and p.op in _EQUALITIES for p in leaves)
    whole = usage.health.bytes if all_go else usage.health.partition_bytes or 0
    count = bucket_count(usage, whole)
    if not dropped or health.type in _NO_BUCKETS or not have_values or count is None:
        return None
    files = whole / max(1.0, least_partition_bytes(usage))
    shares = _shares_of_values(groups, health.field_id, usage.health)
    if VALUES_OF_BUCKET * count * sum(shares) <= len(shares):
        return (
            f"bucket[{count}]"
            if shares and _share_of_buckets(groups, column, count) <= HALF
            else None
        )
    is_of_all = sum(shares) >= NEARLY_ALL and len(shares) <= files
    return "identity" if is_of_all else None


def _share_of_buckets(groups: list[Group], column: str, count: int) -> float:
    """Mean share of buckets that a sampled scan reads, if its values are drawn at random."""
    lists = [
        len(leaf.values)
        for scan in (scan for group in groups for scan in group.sample)
        for part in scan.conjuncts
        if isinstance(leaf := part.predicate, BoundComparison) and leaf.field.name == column
    ]
    return fmean(1 - (1 - 1 / count) ** values for values in lists)


def _shares_of_values(groups: list[Group], field_id: int, health: TableHealth) -> list[float]:
    """Shares of rows that have each value of a column for which sampled scans ask: of sampled rows
    or, if none were sampled, as bounds tell. Omits values of unknown share."""
    found: dict[PhysicalValue, float] = {}
    for part in (part for group in groups for scan in group.sample for part in scan.conjuncts):
        leaf = part.predicate
        if not isinstance(leaf, BoundComparison) or leaf.field.field_id != field_id:
            continue
        share = share_by_bounds(leaf, health) if part.matching is None else part.matching.share
        if share is not None:
            found |= dict.fromkeys(leaf.values, share / len(leaf.values))
    return list(found.values())


def _finding(
    usage: TableUsage, unused: tuple[PartitionField, ...], added: tuple[str, str] | None
) -> Finding:
    groups = [group for group in usage.groups if group.conditions]
    names = usage.names
    columns = [names[field.source_id] for field in unused if field.source_id in names]
    certain = len(droppable_fields(usage)) == len(unused)
    joined = any(group.traits & {"join", "merge"} for group in usage.groups)
    return of_table(
        usage,
        groups,
        _ID,
        severity=_severity(usage, added),
        confidence=Confidence.MEDIUM if certain and not joined else Confidence.LOW,
        columns=tuple(dict.fromkeys(columns + ([added[1]] if added else []))),
        lost_at="manifests" if added else None,
        sentence=_sentence(usage, [field.name for field in unused], added),
        bytes_at_stake=None,
        evidence={
            "fields": [
                {
                    "field": use.field.name,
                    "transform": use.field.transform,
                    "column": names.get(use.field.source_id),
                    "share_filtered": use.filtered,
                    "share_used": use.used,
                    "share_answered": use.answered,
                }
                for use in field_uses(usage)
            ],
            "unused_fields": [field.name for field in unused],
            "unserved_columns": unserved_columns(usage),
            "days_seen": usage.days_seen,
        },
        fix=_fix(usage, added, is_certain=certain),
    )


def _severity(usage: TableUsage, added: tuple[str, str] | None) -> Severity:
    """Severity of the misalignment: info if no field is added and none is known to be unused."""
    if added is None and not droppable_fields(usage):
        return Severity.INFO
    return usage.thresholds.severity(None)


def _costs_no_files(usage: TableUsage) -> bool:
    """True if dropping the fields saves at most half of the files, as a partition holds at least
    half a file of the target size."""
    size = None if usage.health is None else usage.health.partition_bytes
    return size is not None and 2 * size >= least_partition_bytes(usage)


def _sentence(usage: TableUsage, unused: list[str], added: tuple[str, str] | None) -> str:
    if added is not None:
        return (
            f"The table is partitioned by {', '.join(unused)}, but queries filter on {added[1]}: "
            f"no partition is pruned."
        )
    does = "rules out nothing" if _costs_no_files(usage) else "only adds files"
    return f"No filter uses the partition field {', '.join(unused)}. For these queries it {does}."


def _read(groups: Iterable[Group]) -> int:
    return sum(group.bytes_read for group in groups)


def _fix(usage: TableUsage, added: tuple[str, str] | None, *, is_certain: bool) -> Fix:
    """Fix that drops unused fields only if enough windows show that they are unused. Rows that were
    in order inside partitions are put in order of the whole table."""
    dropped = droppable_fields(usage)
    new = () if added is None else (added,)
    if not dropped and not new:
        return Fix(advice=wording.MORE_WINDOWS)
    named = [(f.transform, usage.names[f.source_id]) for f in dropped if f.source_id in usage.names]
    return Fix(
        advice=wording.ASK_FIRST if is_certain else f"{wording.ASK_FIRST} {wording.MORE_WINDOWS}",
        change=Change(
            added=new,
            dropped=tuple(named),
            keeps=() if new else columns_in_order(usage)[:1],
            files=Files.ALL,
        ),
        wish=Wish(fewer_files=not new and not _costs_no_files(usage)),
    )


CAUSE = Cause(_ID, "Partitioning does not match the filters", find)
