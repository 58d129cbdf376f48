"""Summaries of many scans, from the counts of their passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.pruning.estimates import shares_of_rest
from prunescope.audit_jobs.pruning.summary import (
    ConjunctSummary,
    Footers,
    Funnel,
    ScanPlanSummary,
    SnapshotTotals,
)
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS, FILTER_LEVELS, UNREAD_REASONS
from prunescope.collectors.arrays import BoolArray, IntArray

_UNREAD_FOOTERS = ("unread_missing", "unread_unreachable", "unread_encrypted", "unread_corrupt")

Optional = np.ma.MaskedArray[Any, np.dtype[np.int64]]
"""Numbers, masked where unknown."""

Numbers = Mapping[str, Any]
"""The counts of a Tally, as arrays over scans."""


@dataclass(frozen=True, slots=True, eq=False)
class Summaries(Sequence[ScanPlanSummary]):
    """The summaries of scans of one snapshot: a summary is made when it is asked for. `of_scans`
    has a value for each scan, by the field of ScanPlanSummary that it is; `conjuncts` makes those
    of one of the scans."""

    snapshot_id: int | None
    schema_id: int
    spec_ids: tuple[int, ...]
    of_scans: Mapping[str, Sequence[Any]]
    conjuncts: Callable[[int], tuple[ConjunctSummary, ...]]

    def __len__(self) -> int:
        return len(self.of_scans["footers"])

    @overload
    def __getitem__(self, place: int) -> ScanPlanSummary: ...
    @overload
    def __getitem__(self, place: slice) -> list[ScanPlanSummary]: ...

    def __getitem__(self, place: int | slice) -> ScanPlanSummary | list[ScanPlanSummary]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        return ScanPlanSummary(
            snapshot_id=self.snapshot_id,
            schema_id=self.schema_id,
            spec_ids=self.spec_ids,
            conjuncts=self.conjuncts(place),
            **{name: values[place] for name, values in self.of_scans.items()},
        )


def summarize(
    *,
    snapshot_id: int | None,
    schema_id: int,
    totals: SnapshotTotals,
    tallies: Numbers,
    conjuncts: Callable[[int], tuple[ConjunctSummary, ...]],
) -> Summaries:
    """The summaries of scans of one snapshot, from the snapshot's totals and the counts of its
    passes."""
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
        {
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
            "delete_files_by": _mappings({kind: t[f"{kind}_kept"] for kind in DELETE_KINDS}),
            "dangling_delete_files": _mappings(
                {kind: t[f"dangling_{kind}"] for kind in DELETE_KINDS}
            ),
            "row_groups_by": _mappings(
                {name: t[f"row_groups_by_{name}"] for name in FILTER_LEVELS}
            ),
            "unread": _without_zeros({name: t[name] for name in UNREAD_REASONS}),
            "old_spec_files": t["old_spec_files_kept"].tolist(),
            "old_spec_bytes": t["old_spec_bytes_kept"].tolist(),
            "footers": _rows(Footers, read + skipped + unread, read, skipped, unread),
        },
        conjuncts,
    )


_Funnels = Sequence[Funnel]
_Row = TypeVar("_Row")


def _funnels(*columns: Any) -> _Funnels:
    """Funnels from columns of numbers, masked where unknown; a single number stands in each
    funnel."""
    return _rows(Funnel, *columns)


def _rows(kind: Callable[..., _Row], *columns: Any) -> list[_Row]:
    """One of a kind for each place of some columns."""
    same = (
        column.tolist() if isinstance(column, np.ndarray) else repeat(column) for column in columns
    )
    return list(map(kind, *same))


def _mappings(columns: Mapping[str, IntArray]) -> list[dict[str, int]]:
    """The values of columns by their names, for each place."""
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _without_zeros(columns: Mapping[str, IntArray]) -> list[dict[str, int]]:
    return [{name: count for name, count in found.items() if count} for found in _mappings(columns)]


def _bytes(totals: SnapshotTotals, t: Numbers, complete: BoolArray) -> _Funnels:
    """Funnels of bytes, unknown if the size of any considered file is."""
    sized = t["unsized_files"] == 0
    total = np.ma.masked_where(~sized, _total(complete, t["bytes_considered"], totals.bytes))
    return _funnels(total, _known(t["bytes_considered"], sized), _known(t["bytes_kept"], sized))


def _records_and_row_groups(
    totals: SnapshotTotals, t: Numbers, complete: BoolArray
) -> dict[str, _Funnels]:
    """Funnels of records, unknown if the count of any considered file is, and of row groups."""
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
    """Funnels completed with an estimate, from the `sampled` containers, for the `skipped` ones
    that the budget left out."""
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
    """Funnels of pages, known if all kept row groups have been looked into."""
    whole = t["whole_row_groups"] + t["skipped_files"] + t["unindexed_row_groups"]
    known = (whole == 0) & (sum(t[reason] for reason in UNREAD_REASONS) == 0)
    return {
        name: _funnels(
            None, _known(t[f"{name}_considered"], known), _known(t[f"{name}_kept"], known)
        )
        for name in ("pages", "page_bytes", "page_records")
    }


def _total(complete: BoolArray, counted: IntArray, declared: int | None) -> Optional:
    """Totals as counted if all of the snapshot was read, else as declared; unknown if the
    declaration contradicts the count."""
    if declared is None:
        return _known(counted, complete)
    return _known(np.where(complete, counted, declared), complete | (declared >= counted))
