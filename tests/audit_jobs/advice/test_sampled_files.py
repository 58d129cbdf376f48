"""What scans keep of sampled files as they are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyiceberg.transforms import BucketTransform
from pyiceberg.types import DateType

from prunescope.audit_jobs.advice.arrival import places_as_written
from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.sampled_files import SampledFiles, kept_of_files
from prunescope.audit_jobs.advice.scores import replayed, scores
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.advice.samples import fields, layouts, numbers, rows_of

TYPES = {"k": "long", "day": "date"}
K, DAY = fields(TYPES).values()
ROWS = 40
"""Of a file."""
_IN_TWO = BucketTransform(2).transform(DateType())
IN_BUCKET = [_IN_TWO(day) for day in range(4)].count(_IN_TWO(2))
"""Of four days, those in one bucket with the third."""


def between(low: int, high: int) -> list[Scan]:
    """Scans of a range of k, and of one value of it."""
    return [
        Scan(0, BoundComparison(Op.LT_EQ, K, (high,)), FLOOR),
        Scan(1, BoundComparison(Op.EQ, K, (low,)), FLOOR),
    ]


def bounds(values: np.ndarray) -> list[dict[tuple[int, str], tuple[int, int]]]:
    """Of each file, as its manifest has them."""
    key = (K.field_id, K.type)
    return [{key: (int(file.min()), int(file.max()))} for file in values.reshape(-1, ROWS)]


@given(st.lists(st.integers(0, 99), min_size=2, max_size=12), st.integers(0, 110))
def test_files_of_which_bounds_are_known_are_kept_as_planning_keeps_them(
    lows: list[int], asked: int
) -> None:
    values = np.concatenate([low + np.arange(ROWS) % 7 for low in lows])
    rows = rows_of({"k": numbers(values.tolist())}, {"k": "long"}, clusters=len(lows))
    files = SampledFiles(bounds(values), [()] * len(lows), [()] * len(lows))
    size, count = kept_of_files(layouts(rows, len(lows)), files, replayed(between(asked, asked)))
    of_file = values.reshape(-1, ROWS)
    low, high = of_file.min(axis=1), of_file.max(axis=1)
    expected = [(low <= asked).sum(), ((low <= asked) & (asked <= high)).sum()]
    assert count.tolist() == pytest.approx(expected)
    assert size.tolist() == pytest.approx([n * ROWS * rows.row_bytes for n in expected])


@pytest.mark.parametrize(
    ("terms", "kept"),
    [
        pytest.param((Term("identity", DAY),), 1, id="of partitions"),
        pytest.param((Term("bucket[2]", DAY),), IN_BUCKET, id="of larger ones"),
        pytest.param((), 4, id="written before there were any"),
    ],
)
def test_partitions_tell_of_files_by_the_spec_of_each(terms: tuple[Term, ...], kept: int) -> None:
    days = np.repeat(np.arange(4), ROWS)
    columns = {"k": numbers([1] * len(days)), "day": numbers(days.tolist())}
    laid = layouts(rows_of(columns, TYPES, clusters=4), 4)
    files = SampledFiles([{}] * 4, [terms] * 4, [()] * 4)
    asked = replayed([Scan(0, BoundComparison(Op.EQ, DAY, (2,)), FLOOR)])
    assert kept_of_files(laid, files, asked)[1].tolist() == [kept]


def test_where_nothing_is_known_everything_is_kept() -> None:
    rows = rows_of({"k": numbers(range(80))}, {"k": "long"}, clusters=2)
    files = SampledFiles([{}, {}], [(), ()], [(), ()])
    assert kept_of_files(layouts(rows, 2), files, replayed(between(5, 9)))[1].tolist() == [2, 2]


@pytest.mark.parametrize("is_told", [True, False])
def test_a_file_of_nulls_is_ruled_out_only_if_its_manifest_says_so(*, is_told: bool) -> None:
    """A column that was added later is null in older files, whose manifests do not have it."""
    rows = rows_of({"k": numbers([None] * ROWS + [5] * ROWS)}, {"k": "long"}, clusters=2)
    key = (K.field_id, K.type)
    files = SampledFiles([{}, {key: (5, 5)}], [(), ()], [() if is_told else (key,), ()])
    kept = kept_of_files(layouts(rows, 2), files, replayed(between(5, 9)))[1]
    assert kept.tolist() == ([1, 1] if is_told else [2, 2])


def test_rows_that_nothing_sorts_stay_with_those_of_their_file() -> None:
    # Files of ten values each that were drawn in any order, and a column that is in none.
    firsts = np.random.default_rng(3).permutation(20) * 10
    k = np.concatenate([first + np.arange(ROWS) % 10 for first in firsts])
    other = np.random.default_rng(4).integers(0, 1_000, len(k))
    rows = rows_of(
        {"k": numbers(k.tolist()), "other": numbers(other.tolist())},
        {"k": "long", "other": "long"},
        clusters=20,
    )
    in_order = [int(k[place]) // 10 for place in np.argsort(places_as_written(rows), kind="stable")]
    assert all(first <= second for first, second in pairwise(in_order))
    as_written = Candidate((), Order(Curve.SORT, ()))
    sorted_by_k = Candidate((), Order(Curve.SORT, (K,)))
    found = scores(layouts(rows, 20), [as_written, sorted_by_k], replayed(between(55, 59)))
    assert found.files[0].tolist() == pytest.approx(found.files[1].tolist())
