"""Many partitions of little data: each is a file at least, whatever compaction does.

A scan pays for each file that it opens (Iceberg's `read.split.open-file-cost`, 4 MB by default).
Larger partitions have fewer files, but filters that ask for a part of them read more: which of them
win, if any, their trials tell.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from prunescope.audit_jobs.findings.alignment import unused_fields
from prunescope.audit_jobs.findings.building import of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.granularity import Cuts, asked_of, cuts_of, ladder, length_of
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Wish
from prunescope.audit_jobs.findings.trials import cost_of, opening_cost
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.pruning.transforms import TIME_TRANSFORMS, width
from prunescope.audit_jobs.tuning import TINY
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.types import NANOS_PER_UNIT

_ID = "partitions_too_fine"


_BUCKET = re.compile(r"bucket\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class _Coarser:
    """A coarser transform for a field: a partition of it takes in `merged` of today's."""

    field: PartitionField
    transform: str
    merged: float


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding, which asks for larger partitions of one field, those first that are
    about as large as a file. Fields that no filter uses come first: `misaligned_partitioning` drops
    them."""
    health = usage.health
    if health is None or not health.partitions or health.partition_bytes is None:
        return
    if health.partition_bytes >= TINY * health.target_file_bytes or unused_fields(usage):
        return
    coarser = [*_coarser(usage, health)]
    opened, filled = _files(usage, health)
    beyond = opening_cost(usage) * (opened - filled)
    if not coarser or beyond <= usage.thresholds.min_share * cost_of(usage):
        return
    size = health.partition_bytes / max(1, health.target_file_bytes)
    coarser.sort(key=lambda one: abs(math.log(one.merged * size)))
    yield _finding(usage, health, coarser, opened, filled)


def _files(usage: TableUsage, health: TableHealth) -> tuple[int, int]:
    """The number of files that scans open, and that which their bytes would fill, one for each
    scan at least."""
    opened = filled = 0
    for group in usage.groups:
        plans = group.sums.potential
        whole = math.ceil(group.bytes_allowed / max(1, health.target_file_bytes))
        opened += plans.files_kept
        filled += min(plans.files_kept, max(plans.plans, whole))
    return opened, filled


def _coarser(usage: TableUsage, health: TableHealth) -> Iterator[_Coarser]:
    for field in usage.partition_fields:
        if field.source_id not in usage.names:
            continue
        buckets = _BUCKET.fullmatch(field.transform)
        if buckets is not None:
            count = int(buckets[1])
            while count % 2 == 0 and count > 2:
                count //= 2
                yield _Coarser(field, f"bucket[{count}]", int(buckets[1]) / count)
        elif field.source_type is not None:
            column = health.column(usage.names.get(field.source_id, ""))
            present, filled = _as_steps(field), 1.0
            if field.transform == "identity":
                filled = _share_filled(usage, health, field)
            for transform in _steps(usage, present, field.source_type, column):
                merged = _merged(present, transform, field.source_type, column)
                if merged is not None and merged * filled > 1:
                    yield _Coarser(field, transform, merged * filled)


def _steps(
    usage: TableUsage, present: str, source_type: str, column: ColumnHealth | None
) -> Iterator[str]:
    """Coarser transforms of the same kind than a present one, and that which is as wide as what
    filters ask for most often, of several ranges."""
    steps = ladder(present, source_type)
    yield from steps[: steps.index(present) if present in steps else 0]
    if column is None or not present.startswith("truncate["):
        return
    distinct = {one for ranges in asked_of(usage.groups, column) for one in ranges}
    asked = Counter(high - low + 1 for low, high in distinct)
    usual = max(asked, key=lambda length: (asked[length], length), default=0)
    is_usual = asked[usual] > 1 and usual > width(present)
    if is_usual and usual % width(present) == 0:
        yield f"truncate[{usual}]"


def _as_steps(field: PartitionField) -> str:
    """The transform; of each value a partition, that of steps of one day, or of one."""
    if field.transform != "identity":
        return field.transform
    return {"date": "day", "int": "truncate[1]", "long": "truncate[1]"}.get(
        field.source_type or "", field.transform
    )


def _share_filled(usage: TableUsage, health: TableHealth, field: PartitionField) -> float:
    """Share of a field's values between the table's bounds that have a partition, at least; 0 if
    unknown. Each value has at most as many partitions as the other fields together have values."""
    cuts = _cuts(usage, health, field)
    others = [_values(usage, health, f) for f in usage.partition_fields if f is not field]
    if cuts is None or health.partitions is None:
        return 0.0
    most = math.prod(math.inf if count is None else count for count in others)
    return min(1.0, health.partitions / most * cuts.length / cuts.span)


def _values(usage: TableUsage, health: TableHealth, field: PartitionField) -> float | None:
    """Number of values that a field can have between the table's bounds; None if unknown."""
    buckets = _BUCKET.fullmatch(field.transform)
    if buckets is not None:
        return float(buckets[1])
    cuts = _cuts(usage, health, field)
    return None if cuts is None else math.ceil(cuts.span / cuts.length)


def _cuts(usage: TableUsage, health: TableHealth, field: PartitionField) -> Cuts | None:
    return cuts_of(_as_steps(field), health.column(usage.names.get(field.source_id, "")))


def _merged(old: str, new: str, source_type: str, column: ColumnHealth | None) -> float | None:
    """Number of partitions that become one, capped by the values that the table holds; None if
    unknown."""
    now, then = cuts_of(old, column), cuts_of(new, column)
    if now is not None and then is not None:
        return then.length / now.length
    if old not in TIME_TRANSFORMS or source_type not in NANOS_PER_UNIT:
        return None
    return length_of(new, source_type) / length_of(old, source_type)


def _finding(
    usage: TableUsage,
    health: TableHealth,
    coarser: list[_Coarser],
    opened: int,
    filled: int,
) -> Finding:
    changes = [
        Change(
            added=((one.transform, usage.names[one.field.source_id]),),
            dropped=((one.field.transform, usage.names[one.field.source_id]),),
            files=Files.ALL,
        )
        for one in coarser
    ]
    assert health.partition_bytes is not None
    share = health.partition_bytes / max(1, health.target_file_bytes)
    return of_table(
        usage,
        usage.groups,
        _ID,
        confidence=Confidence.MEDIUM,
        columns=(usage.names[coarser[0].field.source_id],),
        sentence=(
            f"The table has {health.partitions:,} partitions, each about {share:.1%} of a target "
            f"file: scans open {opened:,} files for what would fill {filled:,}."
        ),
        bytes_at_stake=None,
        evidence={
            "partitions": health.partitions,
            "partition_files": health.partition_files,
            "partition_bytes": health.partition_bytes,
            "target_file_bytes": health.target_file_bytes,
            "data_files": health.data_files,
            "manifests": health.manifests,
            "files_opened": opened,
            "files_filled": filled,
        },
        fix=Fix(
            advice=(
                "Jobs that overwrite whole partitions must know the new ones. Cost: one rewrite of "
                "the whole table."
            ),
            change=changes[0],
            wish=Wish(fewer_files=True, instead=tuple(changes[1:])),
        ),
    )


CAUSE = Cause(_ID, "Partitions too small", find)
