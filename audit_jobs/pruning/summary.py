"""ScanPlanSummary: what planning one scan of one snapshot considers and keeps, pass by pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from collectors.predicates.model import Predicate


@dataclass(frozen=True, slots=True)
class Funnel:
    """Containers of one kind in the snapshot, reaching a pass, and surviving it. None where
    the count is not known."""

    total: int | None
    considered: int | None
    kept: int | None

    @property
    def pruned_ratio(self) -> float | None:
        """1 − kept / total; None where either is unknown or there was nothing."""
        if self.total is None or self.kept is None or self.total == 0:
            return None
        return 1 - self.kept / self.total


@dataclass(slots=True)
class Tally:
    """Additive counts of one scan (or, for the three `*_pruned` and `*_unknown` pairs, of one
    of its conjuncts) over any part of a snapshot; the two `*_read` counts are of a whole run.
    Bytes are file sizes; of row groups,
    compressed column chunks.

    The `unread_*` fields count kept data files whose row groups are unknown, by cause:
    another format than Parquet, a file that is missing, storage that cannot be reached or
    refuses access, a footer that cannot be parsed, and files of which neither footer nor split
    offsets say how many row groups they have.
    """

    manifests_read: int = 0
    footers_read: int = 0
    manifests_kept: int = 0
    delete_manifests_kept: int = 0
    data_files_considered: int = 0
    data_files_kept: int = 0
    bytes_considered: int = 0
    bytes_kept: int = 0
    records_considered: int = 0
    records_kept: int = 0
    delete_files_kept: int = 0
    row_groups_listed: int = 0
    unlisted_files: int = 0
    row_groups_considered: int = 0
    row_groups_kept: int = 0
    row_group_records_kept: int = 0
    row_group_bytes_considered: int = 0
    row_group_bytes_kept: int = 0
    footers_not_read: int = 0
    unread_format: int = 0
    unread_missing: int = 0
    unread_unreachable: int = 0
    unread_corrupt: int = 0
    unread_unlisted: int = 0
    manifests_pruned: int = 0
    manifests_unknown: int = 0
    data_files_pruned: int = 0
    data_files_unknown: int = 0
    row_groups_pruned: int = 0
    row_groups_unknown: int = 0

    def add(self, other: Tally) -> None:
        """Adds every count of `other` to this one."""
        for name in COUNTERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))


COUNTERS: tuple[str, ...] = tuple(f.name for f in fields(Tally))
UNREAD_REASONS = {
    "unread_format": "not a Parquet file",
    "unread_missing": "data file missing",
    "unread_unreachable": "storage unreachable or access refused",
    "unread_corrupt": "footer corrupt, or refused by Arrow",
    "unread_unlisted": "no footer read and no split offsets recorded",
}

Tallies = dict[tuple[int, int], Tally]
"""Tallies by scan id and conjunct position; position -1 is the scan itself."""

WHOLE_SCAN = -1
WHOLE_RUN = (-1, WHOLE_SCAN)
"""The key of the tally that counts what was read for all scans together."""


def merge(into: Tallies, counted: Tallies) -> None:
    """Adds tallies to tallies."""
    for key, tally in counted.items():
        if key in into:
            into[key].add(tally)
        else:
            into[key] = replace(tally)


@dataclass(frozen=True, slots=True)
class SnapshotTotals:
    """What the manifest list and the snapshot summary say of a whole snapshot. Counts are None
    where a manifest does not carry them. `bytes` comes from the snapshot summary, which counts
    delete files in: None where there are any."""

    manifests: int
    delete_manifests: int
    data_files: int | None
    delete_files: int | None
    records: int | None
    bytes: int | None
    spec_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConjunctSummary:
    """One AND-ed part of a scan's filter: how many containers it alone rules out among those
    that the scan considers, and for each pass in which it rules out none, why.

    `reasons` maps pass names (`manifests`, `data_files`, `row_groups`) to reason codes.
    """

    predicate: Predicate
    manifests_pruned: int
    data_files_pruned: int
    row_groups_pruned: int | None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScanPlanSummary:
    """The plan of one scan. Bytes and records are those of data files; `row_group_bytes` and
    `row_group_records` those of row groups. `unread` maps causes to numbers of kept files whose
    row groups are unknown."""

    snapshot_id: int | None
    schema_id: int
    spec_ids: tuple[int, ...]
    manifests: Funnel
    delete_manifests: Funnel
    data_files: Funnel
    delete_files: Funnel
    bytes: Funnel
    records: Funnel
    row_groups: Funnel
    row_group_bytes: Funnel
    row_group_records: Funnel
    conjuncts: tuple[ConjunctSummary, ...]
    unread: Mapping[str, int]


def summarize(
    *,
    snapshot_id: int | None,
    schema_id: int,
    totals: SnapshotTotals,
    tally: Tally,
    conjuncts: tuple[ConjunctSummary, ...],
) -> ScanPlanSummary:
    """The summary of one scan from what its snapshot holds and what its passes counted."""
    everything_read = tally.manifests_kept == totals.manifests or (
        totals.data_files is not None and tally.data_files_considered == totals.data_files
    )
    unread = {name: getattr(tally, name) for name in UNREAD_REASONS if getattr(tally, name)}
    row_groups_known = not unread
    footers_read = row_groups_known and not tally.footers_not_read
    return ScanPlanSummary(
        snapshot_id=snapshot_id,
        schema_id=schema_id,
        spec_ids=totals.spec_ids,
        manifests=Funnel(totals.manifests, totals.manifests, tally.manifests_kept),
        delete_manifests=Funnel(
            totals.delete_manifests, totals.delete_manifests, tally.delete_manifests_kept
        ),
        data_files=Funnel(
            tally.data_files_considered if everything_read else totals.data_files,
            tally.data_files_considered,
            tally.data_files_kept,
        ),
        delete_files=Funnel(totals.delete_files, None, tally.delete_files_kept),
        bytes=Funnel(
            _total(everything_read, tally.bytes_considered, totals.bytes),
            tally.bytes_considered,
            tally.bytes_kept,
        ),
        records=Funnel(
            _total(everything_read, tally.records_considered, totals.records),
            tally.records_considered,
            tally.records_kept,
        ),
        row_groups=Funnel(
            tally.row_groups_listed if everything_read and not tally.unlisted_files else None,
            tally.row_groups_considered if row_groups_known else None,
            tally.row_groups_kept if row_groups_known else None,
        ),
        row_group_bytes=Funnel(
            None,
            tally.row_group_bytes_considered if footers_read else None,
            tally.row_group_bytes_kept if footers_read else None,
        ),
        row_group_records=Funnel(
            _total(everything_read, tally.records_considered, totals.records),
            tally.records_kept,
            tally.row_group_records_kept if row_groups_known else None,
        ),
        conjuncts=conjuncts,
        unread=unread,
    )


def _total(everything_read: bool, counted: int, declared: int | None) -> int | None:
    """A total as counted where all of the snapshot was read, else as declared; unknown where
    the declaration contradicts what was counted."""
    if everything_read:
        return counted
    return declared if declared is not None and declared >= counted else None
