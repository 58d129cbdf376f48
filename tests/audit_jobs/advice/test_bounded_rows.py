"""Rows that bounds of files tell."""

from __future__ import annotations

from decimal import Decimal
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyiceberg.transforms import BucketTransform
from pyiceberg.types import LongType

from prunescope.audit_jobs.advice.bounded_rows import may_rule_out, rows_of_bounds
from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.rows import sampled_rows
from prunescope.audit_jobs.advice.scores import replayed, scores
from prunescope.audit_jobs.health.sketch import SampledFile
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import ColumnKey, Statistics
from prunescope.collectors.tables.metrics_modes import MetricsModes
from tests.audit_jobs.advice.samples import layouts, numbers, rows_of

K, TEXT = Field(1, "k", "long"), Field(2, "text", "string")
KEY, TEXT_KEY = (K.field_id, K.type), (TEXT.field_id, TEXT.type)


def file(key: ColumnKey, *bounds: object, records: int = 40, untold: bool = False) -> SampledFile:
    known = {key: (bounds[0], bounds[1])} if bounds else {}
    not_told = frozenset({key} if untold else ())
    return SampledFile("f", 1, records, True, known, untold=not_told)  # type: ignore[arg-type]


def drawn(one: SampledFile, key: ColumnKey, *terms: Term, each: int = 40) -> list[object] | None:
    """The values of a column in the rows of a file; None where they are not drawn."""
    (rows,) = rows_of_bounds([one], [key], {0: terms}, 0, each)
    found = rows.columns.get(key)
    return None if found is None else found.lower.to_pylist()


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1), st.integers(0, 99))
def test_whole_numbers_reach_from_bound_to_bound(one: int, other: int, records: int) -> None:
    low, high = sorted((one, other))
    values = drawn(file(KEY, low, high, records=records), KEY, each=50)
    assert values is not None
    assert len(values) == min(records, 50)
    assert all(low <= value <= high for value in values)  # type: ignore[operator]
    assert len(values) < 2 or {low, high} <= set(values)


def test_values_are_as_frequent_as_each_other() -> None:
    values = drawn(file(KEY, 0, 3), KEY)
    assert values is not None
    assert np.bincount(np.array(values)).tolist() == [10, 10, 10, 10]


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        ("double", -0.5, 7.25),
        ("decimal(38, 2)", Decimal("-1.25"), Decimal(10**35) + Decimal("0.01")),
        ("boolean", 0, 1),
        ("timestamp", -1, 1_800_000_000_000_000),
    ],
)
def test_types_of_numbers_and_times_are_drawn(kind: str, low: object, high: object) -> None:
    values = drawn(file((1, kind), low, high), (1, kind))
    assert values is not None
    assert (min(values), max(values)) == (low, high)  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("kind", "bounds"),
    [
        pytest.param("string", (b"a", b"b"), id="nothing is known of texts between two"),
        pytest.param("long", (2, 1), id="bounds contradict each other"),
        pytest.param("double", (1.0, nan), id="no number"),
        pytest.param("double", (-inf, 1.0), id="no end"),
        pytest.param("double", (-1.7e308, 1.7e308), id="too far apart"),
    ],
)
def test_what_cannot_be_drawn_is_not(kind: str, bounds: tuple[object, object]) -> None:
    assert drawn(file((1, kind), *bounds), (1, kind)) is None


def test_what_bounds_leave_no_choice_of_is_known() -> None:
    assert drawn(file(TEXT_KEY, b"a", b"a", records=2), TEXT_KEY) == [b"a", b"a"]
    assert drawn(file(TEXT_KEY, records=2), TEXT_KEY) == [None, None]
    assert drawn(file(TEXT_KEY, untold=True), TEXT_KEY) is None


def test_rows_of_a_file_are_in_its_bucket() -> None:
    bucket = BucketTransform(8).transform(LongType())
    of_one = [value for value in range(10_000) if bucket(value) == 3]
    values = drawn(file(KEY, of_one[0], of_one[-1]), KEY, Term("bucket[8]", K))
    assert values is not None
    assert len(values) == 40
    assert {bucket(value) for value in values} == {3}
    other = next(value for value in range(10_000, 20_000) if bucket(value) != 3)
    assert drawn(file(KEY, of_one[0], other), KEY, Term("bucket[8]", K)) is None


@pytest.mark.parametrize(
    ("bounds", "terms", "may"),
    [
        pytest.param([(b"a", b"z"), (b"b", b"y"), (b"a", b"x")], (), False, id="in no order"),
        pytest.param([(b"a", b"c"), (b"d", b"k"), (b"k", b"x")], (), True, id="in order"),
        pytest.param([(b"a", b"z")] * 2, (Term("identity", TEXT),), True, id="partitions"),
        pytest.param([()] * 2, (), False, id="no bounds"),
    ],
)
def test_which_columns_rule_out_files(
    bounds: list[tuple[bytes, ...]], terms: tuple[Term, ...], *, may: bool
) -> None:
    files = [file(TEXT_KEY, *of_file, untold=not of_file) for of_file in bounds]
    assert may_rule_out(files, [TEXT_KEY], {0: terms}) is may


def test_columns_that_go_together_inside_of_files_err_to_more_that_is_kept() -> None:
    """A sort by one of two columns that are the same serves the other, which bounds do not tell;
    of one that goes by itself they tell what rows do."""
    n = 2_000
    k = np.random.default_rng(1).permutation(n)
    other = Field(2, "other", "long")
    columns = {"k": numbers(k.tolist()), "other": numbers(k.tolist())}
    by_rows = rows_of(columns, {"k": "long", "other": "long"})
    keys = {KEY: (0, n - 1), (2, "long"): (0, n - 1)}
    samples: list[Statistics] = rows_of_bounds(
        [SampledFile("f", 1, n, True, keys)], list(keys), {}, 0, n
    )
    by_bounds = sampled_rows(
        samples,
        [n],
        {KEY: "k", (2, "long"): "other"},
        table=(by_rows.bytes, n, 1),
        modes=MetricsModes({}, 100, frozenset(), frozenset()),
    )
    scans = [
        Scan(number, BoundComparison(Op.LT, of, (n // 10,)), FLOOR)
        for number, of in enumerate((K, other))
    ]
    kept = [
        scores(layouts(rows, 10), [Candidate((), Order(Curve.SORT, (K,)))], replayed(scans)).files[
            0
        ]
        for rows in (by_rows, by_bounds)
    ]
    assert kept[0].tolist() == [1, 1]
    assert kept[1].tolist() == [1, 10]
