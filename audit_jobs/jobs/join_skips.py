"""Joins: the bytes of a table that they could skip, with one more condition: the range of values
that the other side's column has in the files that its own filter keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from prunescope.audit_jobs.advice.beyond_filters import AskedKey, JoinSkip
from prunescope.audit_jobs.jobs.kept_files import kept_sums, snapshot_context
from prunescope.audit_jobs.jobs.key_ranges import KeyRange, key_ranges
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import field_of
from prunescope.collectors.predicates.model import Field, Predicate, all_of
from prunescope.collectors.schema import Schema
from prunescope.collectors.tables.catalog import Table

_LEAST = 0.01
"""The share of the bytes that runs keep below which what joins skip is not reported."""

_Pair = tuple[Predicate, Field]


def joins_skipped(
    tables: Mapping[TableName, Table],
    context: TableContext,
    schema: Schema,
    keys: Mapping[AskedKey, int],
) -> tuple[tuple[JoinSkip, ...], int]:
    """The bytes that joins could skip, most first, and the number of runs whose keys nothing
    bounds. Raises PrunescopeError."""
    ranges = _ranges(tables, keys)
    bounded: dict[AskedKey, Predicate] = {}
    for key in keys:
        field = field_of(schema, key.column)
        range_ = None if field is None or key not in ranges else ranges[key].of(field)
        if range_ is not None:
            bounded[key] = range_
    if not bounded:
        return (), sum(keys.values())
    filters = [key.scan.planned for key in bounded]
    filters += [all_of(key.scan.planned, range_) for key, range_ in bounded.items()]
    rules = [key.scan.rules for key in bounded]
    scans = [Scan(n, *one) for n, one in enumerate(zip(filters, rules * 2, strict=True))]
    now, then = kept_sums(context, scans)[0].reshape(2, -1)
    runs = np.array([keys[key] for key in bounded])
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, key in enumerate(bounded):
        kind = (key.column, key.other, key.other_column, key.merge)
        alike.setdefault(kind, []).append(number)
    pairs = list(bounded.items())
    skips = []
    for numbers in alike.values():
        often = runs[numbers]
        key, range_ = pairs[numbers[int(often.argmax())]]
        skip = JoinSkip(
            key.column,
            key.other,
            key.other_column,
            key.merge,
            int(often.sum()),
            float(now[numbers] @ often / often.sum()),
            float(then[numbers] @ often / often.sum()),
            range_,
        )
        if skip.then < skip.now * (1 - _LEAST):
            skips.append(skip)
    told = tuple(sorted(skips, key=lambda one: one.runs * (one.then - one.now)))
    return told, sum(keys.values()) - int(runs.sum())


def _ranges(
    tables: Mapping[TableName, Table], keys: Iterable[AskedKey]
) -> dict[AskedKey, KeyRange]:
    """The range of the other side's column of each key, if its table has that column now."""
    asked: dict[AskedKey, list[_Pair]] = {}
    wanted: dict[TableName, dict[_Pair, None]] = {}
    for key in keys:
        field = field_of(tables[key.other].metadata.schema(None), key.other_column)
        if field is not None:
            asked[key] = [(passed, field) for passed in key.filters]
            wanted.setdefault(key.other, {}).update(dict.fromkeys(asked[key]))
    found = {name: _of_table(tables[name], list(pairs)) for name, pairs in wanted.items()}
    return {
        key: KeyRange.of_all(found[key.other][pair] for pair in pairs)
        for key, pairs in asked.items()
    }


def _of_table(table: Table, pairs: Sequence[_Pair]) -> dict[_Pair, KeyRange]:
    context = snapshot_context(table, table.metadata.current_snapshot())
    return dict(zip(pairs, key_ranges(context, pairs), strict=True))
