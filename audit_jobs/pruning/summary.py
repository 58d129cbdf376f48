"""ScanPlanSummary: what planning one scan of one snapshot considers and keeps, pass by pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from math import ceil, floor

from audit_jobs.pruning.estimates import share_of_rest
from collectors.predicates.model import Predicate


@dataclass(frozen=True, slots=True)
class Funnel:
    """Containers of one kind in the snapshot, reaching a pass, and surviving it. None where
    the count is not known.

    `low` and `high` are set where `kept` is estimated from a sample: its 95 % interval.
    """

    total: int | None
    considered: int | None
    kept: int | None
    low: int | None = None
    high: int | None = None

    @property
    def pruned_ratio(self) -> float | None:
        """1 − kept / total; None where either is unknown or there was nothing."""
        if self.total is None or self.kept is None or self.total == 0:
            return None
        return 1 - self.kept / self.total


@dataclass(slots=True)
class Tally:
    """Additive counts of one scan (or, for the three `*_pruned` and `*_unknown` pairs, of one
    of its conjuncts) over any part of a snapshot; `manifests_read`, `footers_read` and
    `footers_unread` (which could not be read) are of a whole run.

    Bytes are file sizes; `old_spec_*` those of files under another spec than new files; of row
    groups, compressed column chunks; of pages, compressed pages. `uncounted_files` and
    `unsized_files` are considered ones of which nobody knows how many records they hold, or how
    many bytes. `dangling_*` are kept delete files that apply to no data file of the snapshot.

    `whole_*` are the row groups of kept files whose footers need no reading. `skipped_*` are
    those of kept files whose footers the budget left out: what they keep is estimated from the
    others, of which `*_squares` sum up the squares of what each file adds to the pass.
    `unindexed_row_groups` are kept ones whose pages are unknown.

    The `unread_*` fields count kept data files whose row groups are unknown, by cause:
    another format than Parquet, a file that is missing, storage that cannot be reached or
    refuses access, places that the table must not name, encrypted columns, a footer that cannot
    be parsed, and files of which neither footer nor split offsets say how many row groups they
    have.
    """

    manifests_read: int = 0
    footers_read: int = 0
    footers_unread: int = 0
    manifests_kept: int = 0
    delete_manifests_kept: int = 0
    data_files_considered: int = 0
    data_files_kept: int = 0
    bytes_considered: int = 0
    unsized_files: int = 0
    bytes_kept: int = 0
    old_spec_files_kept: int = 0
    old_spec_bytes_kept: int = 0
    records_considered: int = 0
    uncounted_files: int = 0
    records_kept: int = 0
    delete_files_considered: int = 0
    position_delete_files_kept: int = 0
    equality_delete_files_kept: int = 0
    deletion_vectors_kept: int = 0
    dangling_position_delete_files: int = 0
    dangling_equality_delete_files: int = 0
    dangling_deletion_vectors: int = 0
    row_groups_listed: int = 0
    unlisted_files: int = 0
    row_groups_considered: int = 0
    row_groups_kept: int = 0
    row_groups_squares: float = 0.0
    row_group_records_considered: int = 0
    row_group_records_kept: int = 0
    row_group_records_squares: float = 0.0
    row_group_bytes_considered: int = 0
    row_group_bytes_kept: int = 0
    row_group_bytes_squares: float = 0.0
    row_groups_by_statistics: int = 0
    row_groups_by_dictionary: int = 0
    row_groups_by_bloom: int = 0
    pages_considered: int = 0
    pages_kept: int = 0
    page_bytes_considered: int = 0
    page_bytes_kept: int = 0
    page_records_considered: int = 0
    page_records_kept: int = 0
    unindexed_row_groups: int = 0
    whole_files: int = 0
    whole_row_groups: int = 0
    whole_records: int = 0
    sampled_files: int = 0
    skipped_files: int = 0
    skipped_row_groups: int = 0
    skipped_records: int = 0
    skipped_bytes: int = 0
    unread_format: int = 0
    unread_missing: int = 0
    unread_unreachable: int = 0
    unread_not_allowed: int = 0
    unread_encrypted: int = 0
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


COUNTERS: Mapping[str, type] = {name: type(count) for name, count in asdict(Tally()).items()}
"""The counts of a Tally, and their types."""

SOURCES = ("statistics", "dictionary", "bloom")
"""What rules out row groups, in the order in which readers ask."""
UNREAD_REASONS = {
    "unread_format": "not a Parquet file",
    "unread_missing": "data file missing",
    "unread_unreachable": "storage unreachable or access refused",
    "unread_not_allowed": "outside of the places that may be read",
    "unread_encrypted": "columns encrypted",
    "unread_corrupt": "footer corrupt, or refused by Arrow",
    "unread_unlisted": "no footer read and no split offsets recorded",
}

_UNREAD_FOOTERS = ("unread_missing", "unread_unreachable", "unread_encrypted", "unread_corrupt")

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
class Footers:
    """Kept files whose footers a scan needs, those that were read for it, those that the budget of
    the run left out, and those that could not be read."""

    needed: int
    read: int
    skipped: int
    unread: int = 0


@dataclass(frozen=True, slots=True)
class ScanPlanSummary:
    """The plan of one scan.

    Bytes and records are those of data files; `row_group_bytes` and `row_group_records` those
    of row groups. Of delete files, `kept` are those that the planner indexes, `delete_files_by`
    how many of each kind (DELETE_KINDS), and `dangling_delete_files` how many of these are known to
    apply to no data file of the snapshot. `row_groups_by` counts row groups by what ruled them
    out first (`statistics`, `dictionary`, `bloom`). `old_spec_files` and `old_spec_bytes` are kept
    data files under another partition spec than the table's current one. `pages` and `page_bytes`
    are those of the columns that the filter compares, in kept row groups that have column indexes,
    and `page_records` all their rows: what a reader that uses column indexes skips. `unread` maps
    causes to numbers of kept files whose row groups are unknown.
    """

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
    pages: Funnel
    page_bytes: Funnel
    page_records: Funnel
    delete_files_by: Mapping[str, int]
    dangling_delete_files: Mapping[str, int]
    row_groups_by: Mapping[str, int]
    old_spec_files: int
    old_spec_bytes: int
    footers: Footers
    conjuncts: tuple[ConjunctSummary, ...]
    unread: Mapping[str, int]


DELETE_KINDS = ("position_delete_files", "equality_delete_files", "deletion_vectors")
"""What delete files are, as Iceberg counts them: each is one of these."""


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
    by_kind = {kind: getattr(tally, f"{kind}_kept") for kind in DELETE_KINDS}
    return ScanPlanSummary(
        snapshot_id=snapshot_id,
        schema_id=schema_id,
        spec_ids=totals.spec_ids,
        manifests=Funnel(totals.manifests, totals.manifests, tally.manifests_kept),
        delete_manifests=Funnel(
            totals.delete_manifests, totals.delete_manifests, tally.delete_manifests_kept
        ),
        data_files=Funnel(
            _total(everything_read, tally.data_files_considered, totals.data_files),
            tally.data_files_considered,
            tally.data_files_kept,
        ),
        delete_files=Funnel(
            _total(
                tally.delete_manifests_kept == totals.delete_manifests,
                tally.delete_files_considered,
                totals.delete_files,
            ),
            tally.delete_files_considered,
            sum(by_kind.values()),
        ),
        bytes=_bytes(totals, tally, everything_read=everything_read),
        records=_records(totals, tally, everything_read=everything_read),
        **_row_groups(totals, tally, everything_read=everything_read),
        **_pages(tally),
        delete_files_by=by_kind,
        dangling_delete_files={kind: getattr(tally, f"dangling_{kind}") for kind in DELETE_KINDS},
        row_groups_by={name: getattr(tally, f"row_groups_by_{name}") for name in SOURCES},
        old_spec_files=tally.old_spec_files_kept,
        old_spec_bytes=tally.old_spec_bytes_kept,
        footers=_footers(tally),
        conjuncts=conjuncts,
        unread=_unread(tally),
    )


def _bytes(totals: SnapshotTotals, tally: Tally, *, everything_read: bool) -> Funnel:
    """Unknown where those of one file are."""
    if tally.unsized_files:
        return Funnel(None, None, None)
    return Funnel(
        _total(everything_read, tally.bytes_considered, totals.bytes),
        tally.bytes_considered,
        tally.bytes_kept,
    )


def _records(totals: SnapshotTotals, tally: Tally, *, everything_read: bool) -> Funnel:
    """Unknown where the records of one file are."""
    if tally.uncounted_files:
        return Funnel(None, None, None)
    return Funnel(
        _total(everything_read, tally.records_considered, totals.records),
        tally.records_considered,
        tally.records_kept,
    )


def _footers(tally: Tally) -> Footers:
    unread = sum(getattr(tally, reason) for reason in _UNREAD_FOOTERS)
    read, skipped = tally.sampled_files, tally.skipped_files
    return Footers(needed=read + skipped + unread, read=read, skipped=skipped, unread=unread)


def _unread(tally: Tally) -> dict[str, int]:
    return {name: getattr(tally, name) for name in UNREAD_REASONS if getattr(tally, name)}


def _row_groups(
    totals: SnapshotTotals, tally: Tally, *, everything_read: bool
) -> dict[str, Funnel]:
    known = not _unread(tally)
    records = _records(totals, tally, everything_read=everything_read)
    all_listed = everything_read and not tally.unlisted_files
    return {
        "row_groups": _sampled(
            Funnel(
                tally.row_groups_listed if all_listed else None,
                tally.row_groups_considered + tally.skipped_row_groups,
                tally.row_groups_kept,
            )
            if known
            else Funnel(tally.row_groups_listed if all_listed else None, None, None),
            tally,
            sampled=tally.row_groups_considered - tally.whole_row_groups,
            kept=tally.row_groups_kept - tally.whole_row_groups,
            squares=tally.row_groups_squares,
            skipped=tally.skipped_row_groups,
        ),
        "row_group_bytes": _sampled(
            Funnel(
                None,
                tally.row_group_bytes_considered + tally.skipped_bytes,
                tally.row_group_bytes_kept,
            )
            if known and not tally.whole_files
            else Funnel(None, None, None),
            tally,
            sampled=tally.row_group_bytes_considered,
            kept=tally.row_group_bytes_kept,
            squares=tally.row_group_bytes_squares,
            skipped=tally.skipped_bytes,
        ),
        "row_group_records": _sampled(
            Funnel(
                records.total,
                records.kept,
                tally.row_group_records_kept if known and records.kept is not None else None,
            ),
            tally,
            sampled=tally.row_group_records_considered,
            kept=tally.row_group_records_kept - tally.whole_records,
            squares=tally.row_group_records_squares,
            skipped=tally.skipped_records,
        ),
    }


def _sampled(
    funnel: Funnel, tally: Tally, *, sampled: int, kept: int, squares: float, skipped: int
) -> Funnel:
    """A funnel of which the budget left out `skipped` of what reaches the pass, completed with
    an estimate from the `sampled` ones."""
    if funnel.kept is None or not tally.skipped_files:
        return funnel
    share = share_of_rest(
        kept, sampled, squares, read=tally.sampled_files, unread=tally.skipped_files
    )
    estimate = None if share.value is None else funnel.kept + round(share.value * skipped)
    return replace(
        funnel,
        kept=estimate,
        low=funnel.kept + floor(share.low * skipped),
        high=funnel.kept + ceil(share.high * skipped),
    )


def _pages(tally: Tally) -> dict[str, Funnel]:
    """Pages are known where all kept row groups have been looked into."""
    whole = tally.whole_row_groups or tally.skipped_files or tally.unindexed_row_groups
    if whole or _unread(tally):
        return dict.fromkeys(("pages", "page_bytes", "page_records"), Funnel(None, None, None))
    return {
        "pages": Funnel(None, tally.pages_considered, tally.pages_kept),
        "page_bytes": Funnel(None, tally.page_bytes_considered, tally.page_bytes_kept),
        "page_records": Funnel(None, tally.page_records_considered, tally.page_records_kept),
    }


def _total(everything_read: bool, counted: int, declared: int | None) -> int | None:
    """A total as counted where all of the snapshot was read, else as declared; unknown where
    the declaration contradicts what was counted."""
    if everything_read:
        return counted
    return declared if declared is not None and declared >= counted else None
