"""Queries for all since a time are replayed with an end."""

from __future__ import annotations

import datetime as dt

from audit_jobs.advice.open_ranges import ended
from audit_jobs.advice.workload import Asked, AskedScan
from audit_jobs.pruning.rules import ICEBERG_1_11
from collectors.predicates.model import BoundComparison, Field, Predicate, conjuncts
from collectors.predicates.operators import Op

TS = Field(1, "ts", "timestamptz")
DUE = Field(2, "due", "date")
DAY = 86_400_000_000
FIRST = dt.date(2026, 1, 10)
NUMBER = (FIRST - dt.date(1970, 1, 1)).days


def _ended(
    predicate: Predicate, day: dt.date | None, high: dict[tuple[int, str], int]
) -> Predicate:
    asked = Asked()
    asked.add(AskedScan(predicate, ICEBERG_1_11, predicate, "f"), day)
    (scan,) = ended(asked, dict(high)).runs
    assert scan.whole == scan.planned
    return scan.planned


SINCE = BoundComparison(Op.GT_EQ, TS, ((NUMBER - 1) * DAY,))


def test_the_end_is_that_of_the_day() -> None:
    found = conjuncts(_ended(SINCE, FIRST, {(1, "timestamptz"): NUMBER * DAY}))
    assert found == (SINCE, BoundComparison(Op.LT, TS, ((NUMBER + 1) * DAY,)))


def test_a_range_with_an_end_stays() -> None:
    at = BoundComparison(Op.EQ, TS, (NUMBER * DAY,))
    assert _ended(at, FIRST, {(1, "timestamptz"): NUMBER * DAY}) == at


def test_a_column_of_the_future_stays() -> None:
    since = BoundComparison(Op.GT, DUE, (NUMBER,))
    assert _ended(since, FIRST, {(2, "date"): NUMBER + 60}) == since
    assert _ended(since, FIRST, {}) == since


def test_a_query_of_no_known_day_stays() -> None:
    assert _ended(SINCE, None, {(1, "timestamptz"): NUMBER * DAY}) == SINCE


def test_a_time_after_the_query_stays() -> None:
    later = BoundComparison(Op.GT_EQ, TS, ((NUMBER + 9) * DAY,))
    assert _ended(later, FIRST, {(1, "timestamptz"): NUMBER * DAY}) == later
