"""Simulated files, against files that are cut from the rows by other code."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.layouts import metrics, partition_values
from prunescope.audit_jobs.advice.scores import replayed, scores
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.advice.samples import fields, layouts, numbers, rows_of
from tests.workloads.physical import cut, split

TYPES = {"a": "long", "b": "long", "day": "date"}
FIELDS = fields(TYPES)
COUNT = 4_000
FILES = 20


def _columns() -> dict[str, pa.Array]:
    draw = np.random.default_rng(5)
    return {
        "a": numbers(draw.permutation(COUNT).tolist()),
        "b": numbers((np.arange(COUNT) % 5).tolist()),
        "day": numbers((np.arange(COUNT) // 400).tolist()),
    }


def _sort(*names: str) -> Order:
    return Order(Curve.SORT, tuple(FIELDS[name] for name in names))


@pytest.mark.parametrize("partition", [(), ("b",), ("b", "day")])
def test_files_are_those_that_a_rewrite_cuts(partition: tuple[str, ...]) -> None:
    columns = _columns()
    found = layouts(rows_of(columns, TYPES), FILES)
    candidate = Candidate(tuple(Term("identity", FIELDS[n]) for n in partition), _sort("a"))
    laid = found.lay(candidate)
    told = metrics(found.rows, [laid], [(FIELDS["a"].field_id, "long")]).columns

    table = pa.table(columns)
    parts = split(table, partition)
    files = [file for part in parts for file in cut(part.sort_by("a"), COUNT // FILES)]
    expected = sorted((min(f["a"].to_pylist()), max(f["a"].to_pylist()), len(f)) for f in files)
    column = told[FIELDS["a"].field_id, "long"]
    bounds = zip(column.lower.to_pylist(), column.upper.to_pylist(), strict=True)
    sizes = np.rint(laid.weight).astype(int).tolist()
    assert sorted((*b, size) for b, size in zip(bounds, sizes, strict=True)) == expected


def test_rows_of_each_range_are_in_order_of_another_column() -> None:
    columns = _columns()
    found = layouts(rows_of(columns, TYPES), FILES)
    order = Order(Curve.SORT, (FIELDS["a"], FIELDS["day"]), "truncate[500]")
    laid = found.lay(Candidate((), order))
    a, day = (columns[name].to_numpy()[laid.order] for name in ("a", "day"))
    keys = list(zip((a // 500).tolist(), day.tolist(), strict=True))
    assert keys == sorted(keys)
    told = metrics(found.rows, [laid], [(FIELDS["a"].field_id, "long")]).columns
    column = told[FIELDS["a"].field_id, "long"]
    lows, highs = column.lower.to_pylist(), column.upper.to_pylist()
    assert all(high // 500 - low // 500 <= 1 for low, high in zip(lows, highs, strict=True))


def test_no_file_with_a_matching_row_is_lost() -> None:
    columns = _columns()
    found = layouts(rows_of(columns, TYPES), FILES)
    candidate = Candidate((Term("bucket[4]", FIELDS["a"]),), _sort("day", "a"))
    laid = found.lay(candidate)
    values = columns["a"].to_numpy()[laid.order]
    asked = [17, 399, 2_500, 3_999]
    scans = [
        Scan(n, BoundComparison(Op.EQ, FIELDS["a"], (value,))) for n, value in enumerate(asked)
    ]
    kept = scores(found, [candidate], replayed(scans)).bytes[0]
    for number, value in enumerate(asked):
        file = np.searchsorted(laid.starts, np.flatnonzero(values == value)[0], "right") - 1
        assert kept[number] >= laid.bytes[file]


def test_a_sample_predicts_what_all_rows_show() -> None:
    """Of a quarter of the rows: ranges of a sorted column, and of one that is spread."""
    draw = np.random.default_rng(6)
    columns = _columns()
    chosen = pa.array(np.sort(draw.choice(COUNT, COUNT // 4, replace=False)))
    few = rows_of({n: v.take(chosen) for n, v in columns.items()}, TYPES, times=4)
    whole = rows_of(columns, TYPES)
    scans = replayed(
        [
            Scan(n, BoundComparison(Op.LT, FIELDS["a"], (value,)))
            for n, value in enumerate((60, 200, 1_999, 3_800))
        ]
    )
    for order in (_sort("a"), _sort("b", "a"), _sort("day")):
        candidate = Candidate((), order)
        shares = [
            scores(layouts(rows, FILES), [candidate], scans).bytes[0] / rows.bytes
            for rows in (few, whole)
        ]
        more = shares[0] - shares[1]
        # No less but for chance, and of columns in order no more than a file.
        assert more.min() >= -0.1, order
        assert more.max() <= 0.06, order


def test_bytes_and_files_add_up() -> None:
    found = layouts(rows_of(_columns(), TYPES, times=3), FILES)
    for terms in ((), (Term("day", FIELDS["day"]),), (Term("bucket[3]", FIELDS["b"]),)):
        laid = found.lay(Candidate(terms, _sort("a")))
        assert laid.bytes.sum() == pytest.approx(found.rows.bytes)
        assert laid.files.sum() >= FILES * 0.9


def test_partition_values_are_those_of_the_rows() -> None:
    columns = _columns()
    found = layouts(rows_of(columns, TYPES), FILES)
    candidate = Candidate((Term("truncate[2]", FIELDS["b"]),), _sort("a"))
    laid = found.lay(candidate)
    (told,) = partition_values(found, candidate, [laid]).columns.values()
    values = columns["b"].to_numpy()[laid.order]
    for start, value in zip(laid.starts, told.lower.to_pylist(), strict=True):
        assert value == values[start] // 2 * 2


def test_nulls_sort_first_and_nan_last() -> None:
    values = pa.array([1.0, None, float("nan"), -2.0] * 50, pa.float64())
    found = layouts(rows_of({"x": values}, {"x": "double"}), 4)
    x = fields({"x": "double"})["x"]
    laid = found.lay(Candidate((), Order(Curve.SORT, (x,))))
    (told,) = metrics(found.rows, [laid], [(x.field_id, "double")]).columns.values()
    assert told.upper.to_pylist() == [None, -2.0, 1.0, None]
    assert told.all_nan.to_pylist() == [False, False, False, True]
    assert told.all_null.to_pylist() == [True, False, False, False]
