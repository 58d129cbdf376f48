"""Many files much smaller than the table's target, where fewer would hold the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from prunescope.audit_jobs.findings.additive import total
from prunescope.audit_jobs.findings.building import of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.disturbance import columns_kept
from prunescope.audit_jobs.findings.many_files import ManyFiles
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix
from prunescope.audit_jobs.findings.statements import (
    spark_identifier,
    trino_identifier,
)
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.tuning import NEWEST, SMALL
from prunescope.audit_jobs.units import size
from prunescope.collectors.types import NANOS_PER_UNIT

_ID = "small_files"


_MAY_BE_DAYS = frozenset({"string", "int", "long"})


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding per table: most files are small, its scans open many of them, and a
    rewrite within partitions leaves at most half as many."""
    health = usage.health
    if health is None or 2 * health.small_files < health.data_files:
        return
    found = [g.sums.many_files for g in usage.groups if g.sums.many_files is not None]
    if not found:
        return
    many = total(found)
    rewritten = _files_rewritten(health)
    if (
        many.bytes / many.files < SMALL * health.target_file_bytes
        and 2 * rewritten <= health.data_files
    ):
        yield _finding(usage, health, many)


def _files_rewritten(health: TableHealth) -> int:
    """Files that a rewrite leaves: none spans partitions."""
    return max(health.partitions or 1, ceil(health.bytes / max(1, health.target_file_bytes)))


def _finding(usage: TableUsage, health: TableHealth, many: ManyFiles) -> Finding:
    opened, mean = many.files // many.scans, many.bytes // many.files
    return of_table(
        usage,
        usage.groups,
        _ID,
        confidence=Confidence.HIGH,
        lost_at="data_files",
        sentence=(
            f"A scan opens {opened:,} files of {size(mean)} on average. Compaction to "
            f"{size(health.target_file_bytes)} would leave about {_files_rewritten(health):,} of "
            f"{health.data_files:,} files."
        ),
        scans=many.scans,
        bytes_read=many.bytes,
        bytes_at_stake=None,
        evidence={
            "files": health.data_files,
            "small_files": health.small_files,
            "files_after_rewrite": _files_rewritten(health),
            "target_file_bytes": health.target_file_bytes,
            "files_opened_per_scan": opened,
            "mean_file_bytes": mean,
        },
        fix=_fix(usage, health, columns_kept(usage)),
    )


def _fix(usage: TableUsage, health: TableHealth, order: Sequence[str]) -> Fix:
    """Files are packed as planners list them, or, so that scans skip as much as now, in order."""
    keeps = (
        f" Queries skip files thanks to the order of {', '.join(order)}, so rows are sorted: use "
        f"Spark, because Trino's optimize merges files in any order."
    )
    return Fix(
        change=Change(files=Files.SMALL, keeps=tuple(order)),
        advice=(
            f"Compaction saves requests and planning time, not bytes. Schedule it, or make writers "
            f"produce larger files (`write.distribution-mode` = hash, less frequent "
            f"commits).{keeps if order else ''}{_newest(usage, health)}"
        ),
    )


def _newest(usage: TableUsage, health: TableHealth) -> str:
    """Advice to limit a rewrite to the newest partitions, if small files are in these alone; else
    empty."""
    for field in usage.partition_fields:
        known = health.column(usage.names.get(field.source_id, ""))
        if known is None or (known.small_from or 0.0) < NEWEST:
            continue
        # Of texts and numbers, partitions of single values may be days.
        is_day = field.transform == "identity" and known.type in _MAY_BE_DAYS
        if known.type not in NANOS_PER_UNIT and not is_day:
            continue
        name, part = known.name, max(0.01, 1 - (known.small_from or 0.0))
        return (
            f" Nearly all small files are in the last {part:.0%} of {name}: a condition limits a "
            f"rewrite to those, in Spark `where => '{spark_identifier(name)} >= …'`, in Trino "
            f"`WHERE {trino_identifier(name)} >= …`."
        )
    return ""


CAUSE = Cause(_ID, "Many small files", find)
