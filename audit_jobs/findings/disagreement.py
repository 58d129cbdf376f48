"""Scans of which an engine read another number of files than it should have, summed up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prunescope.audit_jobs.agreement import DATA_FILES, Agreement
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.records import ScanRecord

_SIZE = "total_file_size_in_bytes"
_MOST_IDS = 10


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Scans of one kind. `files_read` and `bytes_read` are those that the engine read (bytes as
    reported, else files times the table's mean size), `files_kept` and `bytes_kept` those that its
    planner keeps, `files_allowed` those that the statistics allow. `query_ids` are the first ten,
    in their own order."""

    scans: int
    files_read: int
    bytes_read: int
    files_kept: int
    bytes_kept: int
    files_allowed: int
    engines: frozenset[str]
    query_ids: tuple[str, ...]


Disagreements = Mapping[Agreement, Disagreement]
"""Disagreements by agreement: `over_read` and `over_prune`."""


def disagreements(records: Iterable[ScanRecord], health: TableHealth | None) -> Disagreements:
    """The sums of replayed scans."""
    found: Disagreements = {}
    for record in records:
        if record.agreement in (Agreement.OVER_READ, Agreement.OVER_PRUNE):
            found = merge_disagreements(found, {record.agreement: _of_scan(record, health)})
    return found


def _of_scan(record: ScanRecord, health: TableHealth | None) -> Disagreement:
    # Where the two differ, both are there.
    assert record.observed is not None
    assert record.summary is not None
    assert record.potential is not None
    files = record.observed[DATA_FILES]
    mean = 0.0 if health is None else health.bytes / max(1, health.data_files)
    return Disagreement(
        scans=1,
        files_read=files,
        bytes_read=record.observed.get(_SIZE, round(files * mean)),
        files_kept=record.summary.data_files.kept or 0,
        bytes_kept=record.summary.bytes.kept or 0,
        files_allowed=record.potential.data_files.kept or 0,
        engines=frozenset({f"{record.engine} {record.engine_version or '?'}"}),
        query_ids=(record.query_id or "",),
    )


def merge_disagreements(some: Disagreements, others: Disagreements) -> Disagreements:
    """The sums of two parts."""
    if not some or not others:
        return some or others
    both = {name: merge_disagreement(some[name], others[name]) for name in some if name in others}
    return {**some, **others, **both}


def merge_disagreement(some: Disagreement, others: Disagreement) -> Disagreement:
    """The sums of two parts of the scans of one agreement."""
    return Disagreement(
        some.scans + others.scans,
        some.files_read + others.files_read,
        some.bytes_read + others.bytes_read,
        some.files_kept + others.files_kept,
        some.bytes_kept + others.bytes_kept,
        some.files_allowed + others.files_allowed,
        some.engines | others.engines,
        tuple(sorted({*some.query_ids, *others.query_ids})[:_MOST_IDS]),
    )
