"""Bounds as numbers compare with values as they do themselves, however far these lie apart."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.pruning.literals import as_values
from prunescope.audit_jobs.pruning.ordered import Ordered, ordered
from prunescope.collectors.statistics import from_values

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
COMPARED = (
    *((np.less, operator.lt), (np.less_equal, operator.le)),
    *((np.greater, operator.gt), (np.greater_equal, operator.ge), (np.equal, operator.eq)),
)

spreads = st.sampled_from([0, 1, 1 << 32, 1 << 53, GREATEST])
firsts = st.sampled_from([LEAST, -(1 << 53), -1, 0, 1_767_225_600_000_000, GREATEST - (1 << 24)])


@st.composite
def integers(draw: st.DrawFn) -> tuple[list[int | None], list[int]]:
    """Bounds near each other, and as far apart as can be, and values about them."""
    first = draw(firsts)
    last = min(first + draw(spreads), GREATEST)
    bounds = draw(st.lists(st.none() | st.integers(first, last), max_size=4))
    about = st.integers(max(first - 2, LEAST), min(last + 2, GREATEST))
    values = draw(st.lists(about | st.integers(LEAST, GREATEST), max_size=4))
    return [first, *bounds, last], [first, *values, last, LEAST, GREATEST]


def compares(column: Ordered, bounds: Sequence[Any], values: Sequence[Any], type_name: str) -> None:
    numbers = column.comparable(as_values(values, type_name))
    for compare, plain in COMPARED:
        wanted = [[bound is None or plain(bound, value) for bound in bounds] for value in values]
        assert column.low(compare, numbers).tolist() == wanted
        assert column.high(compare, numbers).tolist() == wanted


@given(integers())
def test_integers(drawn: tuple[list[int | None], list[int]]) -> None:
    bounds, values = drawn
    compares(ordered(from_values(pa.array(bounds, pa.int64()))), bounds, values, "long")


@given(st.lists(st.none() | st.binary(max_size=2), max_size=5), st.lists(st.binary(max_size=2)))
def test_bytes(bounds: list[bytes | None], values: list[bytes]) -> None:
    compares(ordered(from_values(pa.array(bounds, pa.binary()))), bounds, values, "binary")


def test_bounds_that_are_not_there() -> None:
    column = ordered(from_values(pa.nulls(2, pa.int64())))
    compares(column, [None, None], [LEAST, 0, GREATEST], "long")
