"""Ranges of date functions agree with the functions themselves."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.sql.extraction.extract import condition
from tests.collectors.predicates.row_evaluator import SIGNS, matches

_TRUNCATIONS = {
    "day": lambda date: date,
    "week": lambda date: date - dt.timedelta(days=date.weekday()),
    "month": lambda date: date.replace(day=1),
    "quarter": lambda date: date.replace(month=(date.month - 1) // 3 * 3 + 1, day=1),
    "year": lambda date: date.replace(month=1, day=1),
}
_dates = st.one_of(
    st.dates(dt.date(1890, 1, 1), dt.date(2100, 12, 31)),
    st.dates(dt.date(2023, 12, 25), dt.date(2024, 1, 10)),
)


@given(
    row=_dates,
    literal=_dates,
    unit=st.sampled_from(sorted(_TRUNCATIONS)),
    op=st.sampled_from(sorted(SIGNS)),
    negated=st.booleans(),
)
@pytest.mark.slow
def test_a_truncation_selects_exactly_the_days_that_it_does_in_sql(
    row: dt.date, literal: dt.date, unit: str, op: str, negated: bool
) -> None:
    sql = f"date_trunc('{unit}', x) {op} DATE '{literal}'"
    predicate = condition(f"NOT ({sql})" if negated else sql, "trino")
    expected = SIGNS[op](_TRUNCATIONS[unit](row), literal)
    assert matches(predicate, {"x": row}) == (expected != negated)


@given(
    row=_dates,
    literal=st.integers(1889, 2101) | st.just(2023.5),
    op=st.sampled_from(sorted(SIGNS)),
)
def test_a_year_selects_exactly_the_days_that_it_does_in_sql(
    row: dt.date, literal: float, op: str
) -> None:
    predicate = condition(f"year(x) {op} {literal}", "trino")
    assert matches(predicate, {"x": row}) == SIGNS[op](row.year, literal)
