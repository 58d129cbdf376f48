"""Many partitions of little data: each is a file at least, whatever compaction does.

A scan costs its bytes and, for each file, what opening one costs (Iceberg's
`read.split.open-file-cost`, 4 MB by default). Files that it opens beyond those that its bytes would
fill are lost; what coarser partitions win of that, and make others read, their trial tells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from audit_jobs.findings.alignment import unused_fields
from audit_jobs.findings.building import of_table
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.granularity import asked_of, cuts_of, ladder, length_of
from audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Wish
from audit_jobs.findings.usage import TableUsage
from audit_jobs.health.model import ColumnHealth, TableHealth
from audit_jobs.pruning.transforms import width
from audit_jobs.tuning import TINY
from collectors.partitioning import PartitionField
from collectors.tables.properties import OPEN_FILE_COST, count_of
from collectors.types import Physical, physical

_ID = "partitions_too_fine"

_BUCKET = re.compile(r"bucket\[(\d+)\]")
_STEPS = {"date": "day", "int": "truncate[1]", "long": "truncate[1]"}
"""Steps of which a field of each value is the finest, by the type of its column."""


def find(usage: TableUsage) -> Iterator[Finding]:
    """A finding for each field that may be coarser, of which the layout has one at most. Fields
    that no filter uses come first: `misaligned_partitioning` drops them."""
    health = usage.health
    if health is None or not health.partitions or health.partition_bytes is None:
        return
    if health.partition_bytes >= TINY * health.target_file_bytes or unused_fields(usage):
        return
    read, opened, filled = _files(usage, health)
    known = count_of(usage.metadata.properties, OPEN_FILE_COST.name)
    cost = OPEN_FILE_COST.default if known is None else known
    least = usage.thresholds.min_share * (read + cost * opened)
    if opened <= filled or cost * (opened - filled) < least:
        return
    for field in usage.partition_fields:
        transforms = _coarser(usage, health, field)
        if transforms:
            yield _finding(usage, health, field, transforms, (round(opened), round(filled)))


def _files(usage: TableUsage, health: TableHealth) -> tuple[float, float, float]:
    """The bytes that scans read; the files that they open once those of a partition are merged,
    which is another cause; and as many as these bytes would fill."""
    read = opened = filled = 0.0
    for group in usage.groups:
        opening = [scan for scan in group.sample if scan.files_read]
        partitions = [scan.files_read / (health.partition_files or 1) for scan in opening]
        full = [scan.bytes_read / max(1, health.target_file_bytes) for scan in opening]
        read += group.extrapolated(sum(scan.bytes_read for scan in opening))
        opened += group.extrapolated(sum(map(max, full, (max(1.0, n) for n in partitions))))
        filled += group.extrapolated(sum(max(1.0, files) for files in full))
    return read, opened, filled


def _coarser(usage: TableUsage, health: TableHealth, field: PartitionField) -> list[str]:
    """Coarser transforms of the same kind than that of a field: the finest whose partitions are not
    tiny, if there is one, and then all others."""
    if field.source_id not in usage.names or health.partition_bytes is None:
        return []
    found = dict(_merging(usage, health, field))
    least = TINY * health.target_file_bytes / max(1.0, health.partition_bytes)
    fine = sorted(found, key=lambda one: found[one])
    return sorted(fine, key=lambda one: found[one] < least)


def _merging(
    usage: TableUsage, health: TableHealth, field: PartitionField
) -> Iterator[tuple[str, float]]:
    """Coarser transforms, and how many partitions become one by each at most."""
    buckets = _BUCKET.fullmatch(field.transform)
    if buckets is not None:
        count = int(buckets[1])
        while count % 2 == 0 and count > 2:
            count //= 2
            yield f"bucket[{count}]", int(buckets[1]) / count
        return
    kind, present = field.source_type or "", field.transform
    present = _STEPS.get(kind, present) if present == "identity" else present
    is_truncated = present.startswith("truncate[")
    if is_truncated and physical(kind) is not Physical.INTEGER:
        return
    column = health.column(usage.names[field.source_id])
    steps = ladder(present, kind)
    coarser = [*steps[: steps.index(present) if present in steps else 0]]
    if is_truncated:
        coarser += _asked(usage, column, width(present))
    for transform in coarser:
        merged = length_of(transform, kind) / length_of(present, kind)
        cuts = cuts_of(transform, column) if field.transform == "identity" else None
        if cuts is not None:  # values may be far apart
            merged = min(merged, (health.partitions or 0) * cuts.length / cuts.span)
        if merged > 1:
            yield transform, merged


def _asked(usage: TableUsage, column: ColumnHealth | None, now: int) -> Iterator[str]:
    """A width of numbers as filters ask for most often, of several ranges."""
    if column is None:
        return
    distinct = {one for ranges in asked_of(usage.groups, column) for one in ranges}
    asked = Counter(high - low + 1 for low, high in distinct)
    usual = max(asked, key=lambda length: (asked[length], length), default=0)
    if asked[usual] > 1 and usual > now and usual % now == 0:
        yield f"truncate[{usual}]"


def _finding(
    usage: TableUsage,
    health: TableHealth,
    field: PartitionField,
    transforms: Sequence[str],
    files: tuple[int, int],
) -> Finding:
    name = usage.names[field.source_id]
    assert health.partitions is not None
    assert health.partition_bytes is not None
    share = health.partition_bytes / max(1, health.target_file_bytes)
    opened, filled = files
    first, *others = [_changed(field, name, transform) for transform in transforms]
    return of_table(
        usage,
        usage.groups,
        _ID,
        confidence=Confidence.MEDIUM,
        columns=(name,),
        sentence=(
            f"The table has {health.partitions:,} partitions, which fill about {share:.1%} of a "
            f"file of the usual size each, so scans open {opened:,} files, where what they read "
            f"would fill {filled:,}."
        ),
        bytes_at_stake=None,
        evidence={
            "field": field.name,
            "transform": field.transform,
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
            advice="Rewriting reads and writes the whole table once. Jobs that overwrite whole "
            "partitions must know of the new ones.",
            change=first,
            wish=Wish(fewer_files=True, instead=tuple(others)),
        ),
    )


def _changed(field: PartitionField, name: str, transform: str) -> Change:
    return Change(added=((transform, name),), dropped=((field.transform, name),), files=Files.ALL)


CAUSE = Cause(_ID, "Partitions of little data", find)
