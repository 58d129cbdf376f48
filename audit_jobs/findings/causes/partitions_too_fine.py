"""Many partitions of little data: each is a file at least, whatever compaction does.

A scan costs its bytes and, for each file, what opening one costs (Iceberg's
`read.split.open-file-cost`, 4 MB by default). Coarser partitions mean fewer files; but filters that
asked for a part of them read more. Which of them wins, if any, is tried.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from prunescope.audit_jobs.findings.alignment import unused_fields
from prunescope.audit_jobs.findings.building import of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.granularity import asked_of, ladder
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Wish
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.pruning.transforms import width
from prunescope.audit_jobs.tuning import TINY
from prunescope.collectors.partitioning import PartitionField

_ID = "partitions_too_fine"

_BUCKET = re.compile(r"bucket\[(\d+)\]")
_STEPS = {"date": "day", "int": "truncate[1]", "long": "truncate[1]"}
"""Transforms that have a partition for each value of a type."""


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding, which wishes for any change of one field. Fields that no filter uses
    come first: `misaligned_partitioning` drops them."""
    health = usage.health
    if health is None or not health.partitions or health.partition_bytes is None:
        return
    if health.partition_bytes >= TINY * health.target_file_bytes or unused_fields(usage):
        return
    coarser = tuple(_coarser(usage, health))
    if coarser:
        yield _finding(usage, health, coarser)


def _coarser(usage: TableUsage, health: TableHealth) -> Iterator[Change]:
    """Changes of one field to a coarser one, first those that change least."""
    for field in usage.partition_fields:
        if field.source_id not in usage.names:
            continue
        name = usage.names[field.source_id]
        for transform in _transforms(usage, field, health.column(name)):
            yield Change(
                added=((transform, name),),
                dropped=((field.transform, name),),
                files=Files.ALL,
            )


def _transforms(
    usage: TableUsage, field: PartitionField, column: ColumnHealth | None
) -> Iterator[str]:
    """Coarser transforms of the same kind than that of a field, and the one that is as wide as what
    filters ask for most often, of several ranges."""
    buckets = _BUCKET.fullmatch(field.transform)
    if buckets is not None:
        count = int(buckets[1])
        while count % 2 == 0 and count > 2:
            count //= 2
            yield f"bucket[{count}]"
        return
    present, source_type = field.transform, field.source_type or ""
    if present == "identity":
        present = _STEPS.get(source_type, present)
    steps = ladder(present, source_type)
    yield from reversed(steps[: steps.index(present) if present in steps else 0])
    if column is None or not present.startswith("truncate["):
        return
    distinct = {one for ranges in asked_of(usage.groups, column) for one in ranges}
    asked = Counter(high - low + 1 for low, high in distinct)
    usual = max(asked, key=lambda length: (asked[length], length), default=0)
    is_usual = asked[usual] > 1 and usual > width(present)
    if is_usual and usual % width(present) == 0:
        yield f"truncate[{usual}]"


def _finding(usage: TableUsage, health: TableHealth, coarser: tuple[Change, ...]) -> Finding:
    share = (health.partition_bytes or 0) / max(1, health.target_file_bytes)
    first = coarser[0]
    return of_table(
        usage,
        usage.groups,
        _ID,
        confidence=Confidence.MEDIUM,
        columns=tuple(name for _, name in first.added),
        sentence=(
            f"The table has {health.partitions:,} partitions, each about {share:.1%} of a target "
            "file: scans open a file of each at least."
        ),
        bytes_at_stake=None,
        evidence={
            "fields": [field.name for field in usage.partition_fields],
            "partitions": health.partitions,
            "partition_files": health.partition_files,
            "partition_bytes": health.partition_bytes,
            "target_file_bytes": health.target_file_bytes,
            "data_files": health.data_files,
            "manifests": health.manifests,
        },
        fix=Fix(
            advice=(
                "Jobs that overwrite whole partitions must know the new ones. Cost: one rewrite of "
                "the whole table."
            ),
            change=first,
            wish=Wish(fewer_files=True, any_of=coarser),
        ),
    )


CAUSE = Cause(_ID, "Partitions too small", find)
