"""Many partitions of little data: each is a file at least, whatever compaction does.

A scan costs its bytes and, for each file, what opening one costs (Iceberg's
`read.split.open-file-cost`, 4 MB by default). Coarser partitions mean fewer files; but filters that
asked for a part of them read more. The finding is for what wins.
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
from prunescope.audit_jobs.findings.granularity import (
    Cuts,
    Ranges,
    asked_of,
    cuts_of,
    ladder,
    length_of,
    ranges_asked,
)
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Wish
from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.pruning.transforms import TIME_TRANSFORMS, width
from prunescope.audit_jobs.tuning import TINY
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.properties import OPEN_FILE_COST, count_of
from prunescope.collectors.types import NANOS_PER_UNIT

_ID = "partitions_too_fine"


_BUCKET = re.compile(r"bucket\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class _Change:
    """A coarser transform for a field: a partition of it takes in `merged` of today's."""

    field: PartitionField
    transform: str
    merged: float


@dataclass(frozen=True, slots=True)
class _Cost:
    """Cost of the scans of a workload: the bytes that they read, plus `open_cost` bytes for each
    file."""

    bytes: float
    files: float
    open_cost: int

    @property
    def total(self) -> float:
        return self.bytes + self.files * self.open_cost


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding, with the change of one field that wins most. Fields that no filter
    uses come first: `misaligned_partitioning` drops them."""
    health = usage.health
    if health is None or not health.partitions or health.partition_bytes is None:
        return
    if health.partition_bytes >= TINY * health.target_file_bytes or unused_fields(usage):
        return
    now = _cost(usage, health, None)
    costs = {change: _cost(usage, health, change) for change in _changes(usage, health)}
    best = min(costs, key=lambda change: costs[change].total, default=None)
    # Where scans open no file there is nothing to win.
    if (
        best is None
        or not now.files
        or costs[best].total > (1 - usage.thresholds.min_share) * now.total
    ):
        return
    yield _finding(usage, health, best, now, costs[best])


def _changes(usage: TableUsage, health: TableHealth) -> Iterator[_Change]:
    for field in usage.partition_fields:
        if field.source_id not in usage.names:
            continue
        buckets = _BUCKET.fullmatch(field.transform)
        if buckets is not None:
            count = int(buckets[1])
            while count % 2 == 0 and count > 2:
                count //= 2
                yield _Change(field, f"bucket[{count}]", int(buckets[1]) / count)
        elif field.source_type is not None:
            column = health.column(usage.names.get(field.source_id, ""))
            present, filled = _as_steps(field), 1.0
            if field.transform == "identity":
                filled = _share_filled(usage, health, field)
            for transform in _coarser(usage, present, field.source_type, column):
                merged = _merged(present, transform, field.source_type, column)
                if merged is not None and merged * filled > 1:
                    yield _Change(field, transform, merged * filled)


def _coarser(
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


def _cost(usage: TableUsage, health: TableHealth, change: _Change | None) -> _Cost:
    """The cost of the workload with a change, or as it is, with files compacted in both: those
    that could be merged as they are are another cause."""
    size = files = 0.0
    for group in usage.groups:
        growths = _growths(usage, health, group, change)
        found = [
            _read(health, scan, growth, 1.0 if change is None else change.merged)
            for scan, growth in zip(group.sample, growths, strict=True)
            if scan.files_read
        ]
        size += group.extrapolated(sum(read for read, _ in found))
        files += group.extrapolated(sum(opened for _, opened in found))
    cost = count_of(usage.metadata.properties, OPEN_FILE_COST.name)
    return _Cost(size, files, OPEN_FILE_COST.default if cost is None else cost)


def _read(
    health: TableHealth, scan: SampledScan, growth: float, merged: float
) -> tuple[float, float]:
    """The bytes that a scan reads, and the files."""
    partitions = max(1.0, scan.files_read / (health.partition_files or 1))
    grown = min(growth, merged)
    read = scan.bytes_read * grown
    partitions = max(1.0, partitions * grown / merged)
    return read, max(partitions, read / max(1, health.target_file_bytes))


def _growths(
    usage: TableUsage, health: TableHealth, group: Group, change: _Change | None
) -> list[float]:
    """Factors by which the sampled scans read more; 1 if a scan's filter does not use the field."""
    unchanged = [1.0] * len(group.sample)
    column = None
    if change is not None:
        column = health.column(usage.names.get(change.field.source_id, ""))
    if change is None or column is None:
        return unchanged
    if _BUCKET.fullmatch(change.transform):
        return [_bucket_growth(scan, column, change) for scan in group.sample]
    now, then = cuts_of(_as_steps(change.field), column), cuts_of(change.transform, column)
    if now is None or then is None:
        return unchanged
    return [_ratio(then, now, ranges) for ranges in ranges_asked(group, column)]


def _ratio(then: Cuts, now: Cuts, ranges: Ranges | None) -> float:
    if not ranges:
        return 1.0
    return max(1.0, then.covered(ranges) / max(now.covered(ranges), 1e-9))


def _bucket_growth(scan: SampledScan, column: ColumnHealth, change: _Change) -> float:
    """One value is in one bucket, however many there are; many values are in all of them."""
    for part in scan.conjuncts:
        predicate = part.predicate
        if (
            isinstance(predicate, BoundComparison)
            and predicate.op in (Op.EQ, Op.IN)
            and predicate.field.field_id == column.field_id
        ):
            count = len(predicate.values)
            now, then = width(change.field.transform), width(change.transform)
            return (min(count, then) / then) / (min(count, now) / now)
    return 1.0


def _finding(
    usage: TableUsage, health: TableHealth, change: _Change, now: _Cost, then: _Cost
) -> Finding:
    name = usage.names[change.field.source_id]
    assert health.partitions is not None
    assert health.partition_bytes is not None
    partitions = max(1, round(health.partitions / change.merged))
    share = health.partition_bytes / max(1, health.target_file_bytes)
    return of_table(
        usage,
        usage.groups,
        _ID,
        confidence=Confidence.MEDIUM,
        columns=(name,),
        sentence=(
            f"The table has {health.partitions:,} partitions, each about {share:.1%} of a target "
            f"file. With about {partitions:,} larger ones, scans would open "
            f"about {1 - then.files / now.files:.0%} fewer files."
        ),
        bytes_at_stake=None,
        evidence={
            "field": change.field.name,
            "transform": change.field.transform,
            "better_transform": change.transform,
            "partitions": health.partitions,
            "better_partitions": partitions,
            "partition_files": health.partition_files,
            "partition_bytes": health.partition_bytes,
            "target_file_bytes": health.target_file_bytes,
            "data_files": health.data_files,
            "manifests": health.manifests,
            "files_opened": round(now.files),
            "better_files_opened": round(then.files),
            "bytes_read": round(now.bytes),
            "better_bytes_read": round(then.bytes),
        },
        fix=Fix(
            advice=(
                "Jobs that overwrite whole partitions must know the new ones. Cost: one rewrite of "
                "the whole table."
            ),
            change=Change(
                added=((change.transform, name),),
                dropped=((change.field.transform, name),),
                files=Files.ALL,
            ),
            wish=Wish(fewer_files=True),
        ),
    )


CAUSE = Cause(_ID, "Partitions too small", find)
