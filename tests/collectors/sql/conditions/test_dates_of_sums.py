"""Dates that are read from digits or formatted numbers say of these what the dates do."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable

import duckdb
import pyarrow as pa
import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS
from tests.collectors.sql.rewrites.test_implied_ranges import SIGNS, known_part

Row = tuple[int | None, int | None, int | None]
_YEARS = [-1, 0, 26, 202, 999, 1000, 2025, 2026, 2027, 9999, 20260]
_MONTHS = [-1, 0, 1, 2, 3, 12, 13, 131]
_DAYS = [-28, 0, 1, 3, 4, 5, 28, 29, 31, 131]
WHOLE = list(itertools.product(_YEARS, _MONTHS, _DAYS))
ROWS: list[Row] = [*WHOLE, (None, 2, 3), (2026, None, 3), (2026, 2, None)]
_TABLE = pa.table(
    {c: pa.array(v, pa.int32()) for c, v in zip("ymd", zip(*ROWS, strict=True), strict=True)}
)
_SCHEMA = Schema(
    0, tuple(SchemaColumn(n, (c,), "int", False, False, False) for n, c in enumerate("ymd", 1))
)


def _strict(text: str) -> dt.date | None:
    """As java.time reads yyyyMMdd in Spark: eight digits."""
    is_whole = len(text) == 8 and text.isdecimal()
    return _made(int(text[:4]), int(text[4:6]), int(text[6:])) if is_whole else None


def _lenient(text: str) -> dt.date | None:
    """As Joda-Time reads yyyyMMdd: a number of up to nine digits, but for those of what follows."""
    digits = text.removeprefix("-")
    if not digits.isdecimal() or len(digits) < 5:
        return None
    year = int(digits[:-4]) * (-1 if text != digits else 1)
    return _made(year, int(digits[-4:-2]), int(digits[-2:]))


def _made(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _sum(y: int, m: int, d: int) -> str:
    return str(y * 10_000 + m * 100 + d)


def _padded(number: int) -> str:
    """Spark's lpad() to two characters, which cuts."""
    return str(number).rjust(2, "0")[:2]


_SUM = "y * 10000 + m * 100 + d"
_CONCAT = "concat(y, lpad(m, 2, '0'), lpad(d, 2, '0'))"
_FORMAT = "format('%d-%02d-%02d', y, m, d)"
FORMS: list[tuple[str, str, str, Callable[[int, int, int], dt.date | None]]] = [
    (
        "spark",
        f"to_date(CAST({_SUM} AS string), 'yyyyMMdd')",
        "= < <= > >=",
        lambda y, m, d: _strict(_sum(y, m, d)),
    ),
    (
        "spark",
        f"to_date({_CONCAT}, 'yyyyMMdd')",
        "=",
        lambda y, m, d: _strict(f"{y}{_padded(m)}{_padded(d)}"),
    ),
    (
        "trino",
        f"date_parse(CAST({_SUM} AS varchar), '%Y%m%d')",
        "=",
        lambda y, m, d: _lenient(_sum(y, m, d)),
    ),
    ("trino", f"CAST({_FORMAT} AS date)", "= < <= > >=", _made),
    ("trino", f"date_parse({_FORMAT}, '%Y-%m-%d')", "= < <= > >=", _made),
]


def _kept(sql: str, dialect: str) -> set[Row]:
    found = bind(condition(sql, dialect, time_zone="UTC"), _SCHEMA, time_zone="UTC")
    where = render(known_part(found))
    with duckdb.connect() as connection:
        connection.register("made", _TABLE)
        return set(connection.execute(f"SELECT y, m, d FROM made WHERE {where}").fetchall())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form[0]} {form[1]}")
@pytest.mark.parametrize("date", ["2026-02-03", "2026-01-01", "1000-12-31"])
def test_all_rows_are_found(
    form: tuple[str, str, str, Callable[[int, int, int], dt.date | None]], date: str
) -> None:
    dialect, sql, signs, made = form
    day = dt.date.fromisoformat(date)
    constant = f"TIMESTAMP '{date} 00:00:00'" if "parse" in sql else f"DATE '{date}'"
    dates = {(y, m, d): made(y, m, d) for y, m, d in WHOLE}
    for sign in signs.split():
        kept = _kept(f"{sql} {sign} {constant}", dialect)
        assert len(kept) < len(ROWS)
        wanted = {row for row, of in dates.items() if of is not None and SIGNS[sign](of, day)}
        assert wanted <= kept, sign


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        ("2026-02-03", "2026-02-05", "y = 2026 AND m = 2 AND d >= 3 AND d <= 5"),
        ("2026-02-28", "2026-03-01", "y = 2026 AND m >= 2 AND m <= 3"),
        ("2025-12-28", "2026-01-03", "y >= 2025 AND y <= 2026"),
        ("2026-02-03", "2026-02-03", "y = 2026 AND m = 2 AND d = 3"),
    ],
)
def test_trino_is_told_what_both_ends_have_in_common(low: str, high: str, said: str) -> None:
    sql = f"CAST({_FORMAT} AS date) BETWEEN DATE '{low}' AND DATE '{high}'"
    assert render(known_part(condition(sql, "trino"))) == said
    ends = [dt.date.fromisoformat(end) for end in (low, high)]
    dates = [(row, made) for row in WHOLE if (made := _made(*row)) is not None]
    assert {row for row, made in dates if ends[0] <= made <= ends[1]} <= _kept(sql, "trino")


@pytest.mark.parametrize(
    "sql",
    [
        f"date_parse(CAST({_SUM} AS varchar), '%Y%m%d') = TIMESTAMP '2026-02-03 12:00:00'",
        f"date_parse(CAST({_SUM} AS varchar), '%Y%d%m') = TIMESTAMP '2026-02-03 00:00:00'",
        f"date_parse(CAST({_SUM} AS varchar), '%Y%m%d') >= TIMESTAMP '2026-02-03 00:00:00'",
        f"date_parse({_CONCAT}, '%Y%m%d') = TIMESTAMP '2026-02-03 00:00:00'",
        "CAST(format('%02d-%02d-%d', d, m, y) AS date) = DATE '2026-02-03'",
        "CAST(format('%d-%02d-%02d', y, m, d + 1) AS date) = DATE '2026-02-03'",
    ],
)
def test_others_stay(sql: str) -> None:
    assert isinstance(condition(sql, "trino", time_zone="UTC"), Unsupported)


def test_no_engine_is_taken_to_push_them() -> None:
    sql = f"to_date(CAST({_SUM} AS string), 'yyyyMMdd') = DATE '2026-02-03'"
    for planner in PLANNERS:
        assert "m = 2" not in render(condition(sql, "spark", planner=planner))
