"""ScanPlanSummary: what planning one scan of one snapshot considers and keeps, pass by pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from audit_jobs.pruning.estimates import shares_of_rest
from collectors.predicates.model import Predicate
from collectors.statistics import BoolArray, IntArray


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


@dataclass(frozen=True, slots=True)
class Tally:
    """Additive counts of one scan over any part of a snapshot.

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


COUNTERS: Mapping[str, type] = {name: type(count) for name, count in asdict(Tally()).items()}
"""The counts of a Tally, and their types."""

CONJUNCT_COUNTERS = (
    *("manifests_pruned", "manifests_unknown"),
    *("data_files_pruned", "data_files_unknown"),
    *("row_groups_pruned", "row_groups_unknown"),
)
"""Counts of a conjunct: what it alone rules out of what its scan considers, and of how much
nothing is known."""

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


Optional = np.ma.MaskedArray[Any, np.dtype[np.int64]]
"""Numbers, masked where unknown."""

Numbers = Mapping[str, Any]
"""The counts of a Tally, as arrays over scans."""


@dataclass(frozen=True, slots=True, eq=False)
class _Numbers:
    """A column of whole numbers: one for each scan, None where masked, or one for all."""

    values: IntArray | None
    unknown: BoolArray | None
    of_all: int | None = None

    @staticmethod
    def of(column: Any) -> _Numbers:
        if not isinstance(column, np.ndarray):
            return _Numbers(None, None, column)
        if isinstance(column, np.ma.MaskedArray):
            unknown = np.ma.getmaskarray(column)
            return _Numbers(np.ma.getdata(column), unknown if unknown.any() else None)
        return _Numbers(column, None)

    def at(self, place: int) -> int | None:
        if self.values is None:
            return self.of_all
        if self.unknown is not None and self.unknown[place]:
            return None
        number: int = self.values.item(place)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class _Funnels:
    columns: tuple[_Numbers, ...]

    def at(self, place: int) -> Funnel:
        return Funnel(*(column.at(place) for column in self.columns))


@dataclass(frozen=True, slots=True, eq=False)
class _Mappings:
    """Counts by name; with `some`, only those that are not 0."""

    columns: Mapping[str, IntArray]
    some: bool = False

    def at(self, place: int) -> dict[str, int]:
        counts = {name: column.item(place) for name, column in self.columns.items()}
        return {name: count for name, count in counts.items() if count} if self.some else counts


@dataclass(frozen=True, slots=True, eq=False)
class Summaries(Sequence[ScanPlanSummary]):
    """The summaries of scans of one snapshot, as columns: a summary is made when it is asked for.
    `conjuncts` makes those of one of them."""

    snapshot_id: int | None
    schema_id: int
    spec_ids: tuple[int, ...]
    funnels: Mapping[str, _Funnels]
    mappings: Mapping[str, _Mappings]
    numbers: Mapping[str, IntArray]
    footers: tuple[IntArray, ...]
    conjuncts: Callable[[int], tuple[ConjunctSummary, ...]]

    def __len__(self) -> int:
        return len(self.footers[0])

    @overload
    def __getitem__(self, place: int) -> ScanPlanSummary: ...
    @overload
    def __getitem__(self, place: slice) -> list[ScanPlanSummary]: ...

    def __getitem__(self, place: int | slice) -> ScanPlanSummary | list[ScanPlanSummary]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        columns: dict[str, Any] = {
            **{name: column.at(place) for name, column in self.funnels.items()},
            **{name: column.at(place) for name, column in self.mappings.items()},
            **{name: column.item(place) for name, column in self.numbers.items()},
        }
        return ScanPlanSummary(
            snapshot_id=self.snapshot_id,
            schema_id=self.schema_id,
            spec_ids=self.spec_ids,
            **columns,
            footers=Footers(*(column.item(place) for column in self.footers)),
            conjuncts=self.conjuncts(place),
        )


def summarize(
    *,
    snapshot_id: int | None,
    schema_id: int,
    totals: SnapshotTotals,
    tallies: Numbers,
    conjuncts: Callable[[int], tuple[ConjunctSummary, ...]],
) -> Summaries:
    """The summaries of scans of one snapshot from what it holds and what its passes counted."""
    t = tallies
    complete = t["manifests_kept"] == totals.manifests
    if totals.data_files is not None:
        complete = complete | (t["data_files_considered"] == totals.data_files)
    considered = t["data_files_considered"]
    files_total = _total(complete, considered, totals.data_files)
    deletes_complete = t["delete_manifests_kept"] == totals.delete_manifests
    deletes = t["delete_files_considered"]
    kept_deletes = sum(t[f"{kind}_kept"] for kind in DELETE_KINDS)
    read, skipped = t["sampled_files"], t["skipped_files"]
    unread = sum(t[reason] for reason in _UNREAD_FOOTERS)
    return Summaries(
        snapshot_id,
        schema_id,
        totals.spec_ids,
        funnels={
            "manifests": _funnels(totals.manifests, totals.manifests, t["manifests_kept"]),
            "delete_manifests": _funnels(
                totals.delete_manifests, totals.delete_manifests, t["delete_manifests_kept"]
            ),
            "data_files": _funnels(files_total, considered, t["data_files_kept"]),
            "delete_files": _funnels(
                _total(deletes_complete, deletes, totals.delete_files), deletes, kept_deletes
            ),
            "bytes": _bytes(totals, t, complete),
            **_records_and_row_groups(totals, t, complete),
            **_pages(t),
        },
        mappings={
            "delete_files_by": _Mappings({kind: t[f"{kind}_kept"] for kind in DELETE_KINDS}),
            "dangling_delete_files": _Mappings(
                {kind: t[f"dangling_{kind}"] for kind in DELETE_KINDS}
            ),
            "row_groups_by": _Mappings({name: t[f"row_groups_by_{name}"] for name in SOURCES}),
            "unread": _Mappings({name: t[name] for name in UNREAD_REASONS}, some=True),
        },
        numbers={
            "old_spec_files": t["old_spec_files_kept"],
            "old_spec_bytes": t["old_spec_bytes_kept"],
        },
        footers=(read + skipped + unread, read, skipped, unread),
        conjuncts=conjuncts,
    )


def _funnels(*columns: Any) -> _Funnels:
    """Funnels from columns of numbers (masked where unknown), or one number for all."""
    return _Funnels(tuple(map(_Numbers.of, columns)))


def _bytes(totals: SnapshotTotals, t: Numbers, complete: BoolArray) -> _Funnels:
    """Unknown where those of one file are."""
    sized = t["unsized_files"] == 0
    total = np.ma.masked_where(~sized, _total(complete, t["bytes_considered"], totals.bytes))
    return _funnels(total, _known(t["bytes_considered"], sized), _known(t["bytes_kept"], sized))


def _records_and_row_groups(
    totals: SnapshotTotals, t: Numbers, complete: BoolArray
) -> dict[str, _Funnels]:
    """Records are unknown where those of one file are."""
    uncounted = t["uncounted_files"] > 0
    total = _total(complete, t["records_considered"], totals.records)
    total = np.ma.masked_where(uncounted, total)
    records_kept = _known(t["records_kept"], ~uncounted)
    known = sum(t[reason] for reason in UNREAD_REASONS) == 0
    listed = _known(t["row_groups_listed"], complete & (t["unlisted_files"] == 0))
    of_bytes = known & (t["whole_files"] == 0)
    nothing = _known(np.zeros(len(known), np.int64), np.zeros(len(known), np.bool_))
    return {
        "records": _funnels(total, _known(t["records_considered"], ~uncounted), records_kept),
        "row_groups": _sampled(
            (
                listed,
                _known(t["row_groups_considered"] + t["skipped_row_groups"], known),
                _known(t["row_groups_kept"], known),
            ),
            t,
            sampled=t["row_groups_considered"] - t["whole_row_groups"],
            kept=t["row_groups_kept"] - t["whole_row_groups"],
            squares=t["row_groups_squares"],
            skipped=t["skipped_row_groups"],
        ),
        "row_group_bytes": _sampled(
            (
                nothing,
                _known(t["row_group_bytes_considered"] + t["skipped_bytes"], of_bytes),
                _known(t["row_group_bytes_kept"], of_bytes),
            ),
            t,
            sampled=t["row_group_bytes_considered"],
            kept=t["row_group_bytes_kept"],
            squares=t["row_group_bytes_squares"],
            skipped=t["skipped_bytes"],
        ),
        "row_group_records": _sampled(
            (total, records_kept, _known(t["row_group_records_kept"], known & ~uncounted)),
            t,
            sampled=t["row_group_records_considered"],
            kept=t["row_group_records_kept"] - t["whole_records"],
            squares=t["row_group_records_squares"],
            skipped=t["skipped_records"],
        ),
    }


def _known(numbers: IntArray, known: BoolArray) -> Optional:
    return np.ma.masked_array(numbers, ~known)


def _sampled(
    funnel: tuple[Optional, Optional, Optional],
    t: Numbers,
    *,
    sampled: IntArray,
    kept: IntArray,
    squares: npt.NDArray[np.float64],
    skipped: IntArray,
) -> _Funnels:
    """Funnels of which the budget left out `skipped` of what reaches the pass, completed with
    an estimate from the `sampled` ones."""
    total, considered, counted = funnel
    estimated = ~np.ma.getmaskarray(counted) & (t["skipped_files"] > 0)
    if not estimated.any():
        return _funnels(total, considered, counted)
    share = shares_of_rest(
        kept, sampled, squares, read=t["sampled_files"], unread=t["skipped_files"]
    )
    more = np.nan_to_num(np.rint(share.value * skipped)).astype(np.int64)
    number = np.ma.getdata(counted)
    told = ~estimated | ~np.isnan(share.value)
    return _funnels(
        total,
        considered,
        _known(np.where(estimated, number + more, number), ~np.ma.getmaskarray(counted) & told),
        _known(number + np.floor(share.low * skipped).astype(np.int64), estimated),
        _known(number + np.ceil(share.high * skipped).astype(np.int64), estimated),
    )


def _pages(t: Numbers) -> dict[str, _Funnels]:
    """Pages are known where all kept row groups have been looked into."""
    whole = t["whole_row_groups"] + t["skipped_files"] + t["unindexed_row_groups"]
    known = (whole == 0) & (sum(t[reason] for reason in UNREAD_REASONS) == 0)
    return {
        name: _funnels(
            None, _known(t[f"{name}_considered"], known), _known(t[f"{name}_kept"], known)
        )
        for name in ("pages", "page_bytes", "page_records")
    }


def _total(complete: BoolArray, counted: IntArray, declared: int | None) -> Optional:
    """Totals as counted where all of the snapshot was read, else as declared; unknown where
    the declaration contradicts what was counted."""
    if declared is None:
        return _known(counted, complete)
    return _known(np.where(complete, counted, declared), complete | (declared >= counted))
