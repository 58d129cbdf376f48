"""Which range of partitions is worth writing anew, and of which times it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.advice.candidates import Term
from prunescope.audit_jobs.advice.parts import Calendar, range_worth_most
from prunescope.audit_jobs.findings.model import Times
from prunescope.audit_jobs.pruning.transforms import apply
from prunescope.collectors.predicates.model import Field

KINDS = [
    ("identity", "date"),
    *(("year", kind) for kind in ("date", "timestamp", "timestamptz")),
    *(("month", kind) for kind in ("date", "timestamp", "timestamptz")),
    *(("day", kind) for kind in ("date", "timestamp", "timestamptz")),
    *(("hour", kind) for kind in ("timestamp", "timestamptz")),
]


def calendar(transform: str, kind: str, *spans: int) -> Calendar:
    """Partitions of one size."""
    term = Term(transform, Field(1, "at", kind))
    return Calendar(term, np.array(spans, np.int64), np.ones(len(spans)))


@given(kind=st.sampled_from(KINDS), span=st.integers(-1_900, 7_000), width=st.integers(1, 40))
def test_a_range_begins_and_ends_with_partitions(
    kind: tuple[str, str], span: int, width: int
) -> None:
    of = calendar(*kind, span - 7, *range(span, span + width), span + width + 5)
    found = of.times(slice(1, width + 1))
    assert found is not None
    assert found.start is not None
    assert found.until is not None
    ends = [apply(*kind, value) for value in (found.start - 1, found.start, found.until - 1)]
    assert ends == [span - 1, span, span + width - 1]


@pytest.mark.parametrize(
    ("part", "ends"),
    [
        pytest.param(slice(0, 2), (None, 21), id="the first ones"),
        pytest.param(slice(1, 2), (20, 21), id="in the middle"),
        pytest.param(slice(1, 3), (20, None), id="the last ones, and later ones"),
        pytest.param(slice(0, 3), None, id="all"),
    ],
)
def test_limits_are_where_there_is_something_beyond(
    part: slice, ends: tuple[int | None, int | None] | None
) -> None:
    found = calendar("identity", "date", 10, 20, 30).times(part)
    assert found == (None if ends is None else Times("at", "date", *ends))


def test_no_statement_names_years_beyond_9999() -> None:
    known = calendar("year", "date", 50, 8_029, 8_030)
    assert known.times(slice(0, 2)) is None
    assert known.times(slice(0, 1)) == Times("at", "date", None, 51 * 365 + 13)


numbers = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12)


@given(each=numbers, beside=st.integers(0, 10), most=st.integers(1, 60))
def test_the_smallest_range_that_wins_nearly_all(
    each: list[tuple[int, int]], beside: int, most: int
) -> None:
    won, sizes = (np.array(values, np.float64) for values in zip(*each, strict=True))
    found = range_worth_most(won, sizes, beside, most, scans=1_000_000)
    count = len(won)
    ranges = [slice(i, j) for i in range(count) for j in range(i + 1, count + 1)]
    needed = won.sum() - beside
    if needed <= 0:
        assert found is None
        return
    enough = min(sizes[one].sum() for one in ranges if won[one].sum() >= needed)
    small = [won[one].sum() for one in ranges if sizes[one].sum() <= most]
    if enough <= most:
        assert found is not None
        assert won[found].sum() >= needed
        assert sizes[found].sum() <= enough
    elif max(small, default=0.0) == 0:
        assert found is None
    else:
        assert found is not None
        assert sizes[found].sum() <= most
        assert won[found].sum() >= max(small) - 0.001 * won.sum()


def test_of_ranges_that_a_sample_does_not_tell_apart_the_latest() -> None:
    won, sizes = np.array([10.0, 12.0, 9.0, 10.0]), np.ones(4)
    assert range_worth_most(won, sizes, 0, 1, scans=41) == slice(3, 4)
    assert range_worth_most(won, sizes, 0, 1, scans=10_000) == slice(1, 2)
