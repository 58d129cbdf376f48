"""How the text of a time begins, and how many days lie between dates: what is told selects the rows
that Python finds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import DAYS, chosen

_NOVEMBER = [day for day in DAYS if day.strftime("%Y-%m") == "2024-11"]
_DAY = dt.date(2024, 11, 20)
_TYPES = {"d": "date", "ts": "timestamp", "tz": "timestamptz"}


@pytest.mark.parametrize(
    ("dialect", "sql", "wanted"),
    [
        ("trino", "strpos(CAST(d AS varchar), '2024-11') = 1", _NOVEMBER),
        ("trino", "regexp_like(CAST(d AS varchar), '^2024-11')", _NOVEMBER),
        ("trino", "split_part(CAST(d AS varchar), ' ', 1) = '2024-11-20'", [_DAY]),
        ("trino", "regexp_like(CAST(d AS varchar), '^(2024-11-20|2024-11-20)')", [_DAY]),
        ("spark", "CAST(d AS string) RLIKE '^2024-11'", _NOVEMBER),
    ],
)
def test_texts_of_times(dialect: str, sql: str, wanted: list[dt.date]) -> None:
    found = condition(sql, dialect, time_zone="UTC")
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted


@pytest.mark.parametrize(
    ("sql", "known"),
    [
        ("date_format(d, '%Y-%m-%d') LIKE '2024-11-%'", ("d >= DATE '2024-11-01' AND "
         "d < DATE '2024-12-01'")),
        # As a prefix of all texts of the month.
        ("date_format(d, '%Y-%m-01') NOT LIKE '2024-11-0%'", ("d < DATE '2024-11-01' OR "
         "d >= DATE '2024-12-01'")),
        # Years of five digits begin so, whatever stands between the digits of shorter ones.
        ("date_format(d, '%Y-%m') LIKE '2024%'", ("(d >= DATE '2024-01-01' AND "
         "d < DATE '2025-01-01') OR d > DATE '9999-12-31'")),
    ],
)  # fmt: skip
def test_how_what_is_written_of_a_date_begins(sql: str, known: str) -> None:
    found = condition(sql, "trino", time_zone="UTC", types=_TYPES)
    assert render(found) == known.format(sql.replace("date_format", "DATE_FORMAT"))


@pytest.mark.parametrize(
    ("sql", "holds"),
    [
        ("date_diff('day', d, DATE '2024-11-20') <= 7", lambda n: n <= 7),
        ("date_diff('day', CAST(d AS date), DATE '2024-11-20') = 1", lambda n: n == 1),
        ("date_diff('day', DATE '2024-11-20', date(d)) >= 0", lambda n: n <= 0),
        ("date_diff('day', date_trunc('day', d), DATE '2024-11-20') BETWEEN 0 AND 3",
         lambda n: 0 <= n <= 3),
    ],
)  # fmt: skip
def test_days_between_dates_of_trino(sql: str, holds: Callable[[int], bool]) -> None:
    found = condition(sql, "trino", time_zone="UTC", types=_TYPES)
    wanted = [day for day in DAYS if holds((_DAY - day).days)]
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted


@pytest.mark.parametrize(
    "sql",
    [
        "strpos(CAST(ts AS varchar), '2024-11') = 2",
        "NOT regexp_like(CAST(ts AS varchar), '^2024-11')",
        "split_part(CAST(ts AS varchar), ' ', 2) = '03:00:00'",
        "NOT split_part(CAST(ts AS varchar), ' ', 1) = '2024-11-20'",
        "date_diff('day', ts, DATE '2024-11-20') = 1",
        "date_diff('day', date_trunc('day', tz), DATE '2024-11-20') = 1",
        "date_diff('day', CAST(ts AS date), TIMESTAMP '2024-11-20 05:00:00') = 1",
    ],
)
def test_others_say_nothing(sql: str) -> None:
    found = condition(sql, "trino", time_zone="UTC", types=_TYPES)
    assert isinstance(found, Unsupported)
