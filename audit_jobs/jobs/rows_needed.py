"""LIMIT, ORDER BY with LIMIT, min() and max(): the bytes of a table that they could skip, by
bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.advice.beyond_filters import AskedRows, RowsSkip
from prunescope.audit_jobs.advice.needed_files import (
    Column,
    Files,
    may_fail,
    names_of,
    needed_files,
)
from prunescope.audit_jobs.jobs.kept_files import kept_files
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.audit_jobs.pruning.ordered import ordered
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.needed_rows import AnyRows, FewRows, FirstRows
from prunescope.collectors.predicates.bind import field_of
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.schema import Schema
from prunescope.collectors.statistics import ColumnStatistics, FileBatch, unknown
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.types import arrow_type


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """N files of a table, and masks over S scans: files that a scan's plan keeps (`planned`), that
    all of its filter keeps (`kept`), and in which all rows pass the filter (`sure`)."""

    size: IntArray
    records: IntArray
    parquet: BoolArray
    columns: Mapping[str, Column]
    planned: BoolArray
    kept: BoolArray
    sure: BoolArray


def rows_skipped(
    context: TableContext, schema: Schema, asked: Mapping[AskedRows, int]
) -> tuple[RowsSkip, ...]:
    """The bytes that runs that need few rows could skip, most first. Raises PrunescopeError."""
    columns = {name: field_of(schema, name) for one in asked for name in names_of(one.needed)}
    known = {name: column for name, column in columns.items() if column is not None}
    told = [one for one in asked if known.keys() >= set(names_of(one.needed))]
    if not told:
        return ()
    judged = _judged(context, told, known)
    sums: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for number, one in enumerate(told):
        files = Files(judged.records, judged.parquet, judged.kept[number], judged.sure[number])
        found, runs = needed_files(one.needed, files, judged.columns), asked[one]
        read = found.files & judged.planned[number] & (not found.in_metadata)
        now = int(judged.size[judged.planned[number]].sum())
        counts = sums.setdefault((_kind(one.needed), tuple(names_of(one.needed))), [0, 0, 0, 0])
        values = (runs, runs * found.in_metadata, runs * now, runs * int(judged.size[read].sum()))
        counts[:] = [a + b for a, b in zip(counts, values, strict=True)]
    skips = [
        RowsSkip(*kind, runs, in_metadata, now / runs, then / runs)
        for kind, (runs, in_metadata, now, then) in sums.items()
        if then < now
    ]
    return tuple(sorted(skips, key=lambda one: one.runs * (one.then - one.now)))


def _kind(needed: FewRows) -> str:
    match needed:
        case AnyRows():
            return "limit"
        case FirstRows():
            return "top_k"
        case _:
            return "min_max"


def _judged(
    context: TableContext, asked: Sequence[AskedRows], columns: Mapping[str, Field]
) -> _Judged:
    count = len(asked)
    filters = [(one.scan.planned, one.scan.rules) for one in asked]
    filters += [(one.scan.whole, FLOOR) for one in asked]
    filters += [(may_fail(one.scan.whole), FLOOR) for one in asked]
    # So that bounds of these columns are read.
    filters += [(BoundComparison(Op.NOT_NULL, column), FLOOR) for column in columns.values()]
    scans = [Scan(number, *one) for number, one in enumerate(filters)]
    batches: list[FileBatch] = []
    masks: list[BoolArray] = []
    for files, parts in kept_files(context, scans):
        mask = np.zeros((len(scans), len(files.size)), np.bool_)
        for part in parts:
            mask[part.scans] = part.kept
        batches.append(files)
        masks.append(mask[: 3 * count])
    planned, kept, fails = np.concatenate(masks, axis=1).reshape(3, count, -1)
    records = np.concatenate([batch.records for batch in batches])
    return _Judged(
        np.maximum(np.concatenate([batch.size for batch in batches]), 0),
        records,
        np.concatenate([batch.parquet for batch in batches]),
        {name: _column(batches, column) for name, column in columns.items()},
        planned,
        kept,
        kept & ~fails & (records > 0) & (not _has_deletes(context)),
    )


def _has_deletes(context: TableContext) -> bool:
    """True if row-level deletes may have removed rows of any file."""
    (snapshot,) = context.snapshots.values()
    listed = read_manifest_list(snapshot, context.storage)
    return any(manifest.deletes and manifest.live_files != 0 for manifest in listed)


def _column(batches: Sequence[FileBatch], column: Field) -> Column:
    parts = [_known(batch, column) for batch in batches]
    joined = {
        fact.name: pa.concat_arrays([getattr(part, fact.name) for part in parts])
        for fact in fields(ColumnStatistics)
    }
    return Column(column.type, ordered(ColumnStatistics(**joined)))


def _known(batch: FileBatch, column: Field) -> ColumnStatistics:
    found = batch.metrics.columns.get((column.field_id, column.type))
    if found is not None:
        return found
    count = len(batch.size)
    values = pa.nulls(count, arrow_type(column.type))
    return ColumnStatistics(values, values, *[unknown(count)] * 6)
