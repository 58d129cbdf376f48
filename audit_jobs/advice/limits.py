"""What advice does not know, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.advice.model import Advice
from audit_jobs.units import plural, size

_DRIFT = 0.2
"""How much the last week may differ from the time before, as a part of it, and be no drift."""
_FEW_DAYS = 5
_WELL_SIZED = 0.75, 1.8
"""Parts of the target between which Iceberg's and Trino's compactions leave files alone
(`min-file-size-bytes` and `max-file-size-bytes` of rewrite_data_files)."""


def limits(advice: Advice) -> tuple[str, ...]:
    """The limits of one table's advice."""
    return tuple(_limits(advice))


def _limits(advice: Advice) -> Iterator[str]:
    now = advice.now
    if advice.of_bounds:
        yield (
            "No row could be read. Values are taken to be spread evenly between the bounds of each "
            "file, and columns of one file not to depend on each other: of texts, nulls and row "
            "groups nothing is known, and the interval holds none of that."
        )
    rows = "values between the bounds" if advice.of_bounds else "rows"
    yield (
        f"It rests on {advice.sampled_rows:,} {rows} of {advice.sampled_files:,} of {now.files:,} "
        f"files and {plural(advice.scans, 'distinct scan')} of {plural(advice.days, 'day')}. Rows "
        "are taken to need as many bytes in any order, and what is written after the rewrite is "
        "not counted."
    )
    if advice.stopped:
        yield (
            f"{advice.stopped:,.0f} runs had what LIMIT asks for before they read most of what "
            "they keep: they are left out."
        )
    if advice.resolution < now.bytes / now.target_bytes:
        yield (
            f"The sample tells no more than {advice.resolution:,} files apart: a scan that would "
            f"keep less than {size(now.bytes / advice.resolution)} is predicted to keep that."
        )
    mean = now.bytes / max(1, now.files)
    if advice.layout is not None and _WELL_SIZED[0] <= mean / now.target_bytes <= _WELL_SIZED[1]:
        yield (
            f"Files have a good size ({size(mean)} on average): a compaction without an order "
            "finds nothing to do, and says so nowhere."
        )
    if advice.days < _FEW_DAYS:
        yield (
            f"The log has {plural(advice.days, 'day')}: the interval holds other draws of the same "
            "scans, not other days."
        )
    if advice.unread:
        yield f"No row tells of {', '.join(advice.unread)}: no layout by them was scored."
    if now.partition is None:
        yield "The table has a partition field whose transform is not known: no layout keeps it."
    if now.overwritten:
        yield (
            "Statements of the log overwrite or drop partitions, and by others would mean other "
            "rows: only layouts with the partitions that there are were scored."
        )
    drift = advice.drift
    if drift is not None and abs(drift.last - drift.before) > _DRIFT * max(drift.before, 1.0):
        yield (
            f"The workload changes: a scan kept {size(drift.last)} in the last seven days, and "
            f"{size(drift.before)} before."
        )
    if advice.inside is not None and advice.inside.costs_more:
        yield (
            "Another layout has scans keep less of files, but what they read of row groups now, by "
            "their bounds, dictionaries and filters, costs less than what they would read by it."
        )
    if advice.best is not None and advice.losers:
        yield (
            f"{len(advice.losers):,} of {len(advice.effects):,} shapes of queries would read more "
            "than now."
        )
    if advice.layout is not None:
        yield (
            "Findings of an audit may ask for another layout: each is for one cause of one window. "
            "Take one of the two, this one if the log tells what the table is for, and audit again."
        )
