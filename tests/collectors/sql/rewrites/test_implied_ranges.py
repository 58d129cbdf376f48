"""Functions around columns, choices and rows that mean a range: what is written instead selects the
same rows, what is written beside selects all of them. The truth is computed by plain Python, as the
engines' documents define the functions."""

from __future__ import annotations

import datetime as dt
import operator
from calendar import monthrange
from collections.abc import Callable
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from collectors.predicates.model import And, Predicate, Unsupported, all_of
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
DAYS = [dt.date(2023, 11, 1) + dt.timedelta(n) for n in range(900)]
SECONDS = list(range(1_767_567_600, 1_767_675_600, 600))
"""Since 1970, from 2026-01-04 23:00 UTC on, for 30 hours."""
DATES = ["2024-02-29", "2024-02-28", "2025-02-28", "2025-03-31", "2024-12-31", "2025-05-01"]


def add_months(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def next_monday(day: dt.date) -> dt.date:
    return next(
        later
        for later in (day + dt.timedelta(n) for n in range(1, 8))
        if later.strftime("%a") == "Mon"
    )


def months_between(later: dt.datetime, earlier: dt.datetime) -> float:
    """Spark's: whole months between equal days and between last ones, else months of 31 days."""
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    are_last = all(day.day == monthrange(day.year, day.month)[1] for day in (later, earlier))
    if later.day == earlier.day or are_last:
        return float(months)
    seconds = [
        day.day * 86_400 + day.hour * 3_600 + day.minute * 60 + day.second
        for day in (later, earlier)
    ]
    return round(months + (seconds[0] - seconds[1]) / (31 * 86_400), 8)


def known_part(where: Predicate) -> Predicate:
    """The parts of a conjunction that are known, which hold wherever the whole does."""
    if not isinstance(where, And):
        return where
    return all_of(*(part for part in where.children if not isinstance(part, Unsupported)))


def chosen(where: Predicate, column: str, values: list[Any], kind: pa.DataType) -> list[Any]:
    """The values that a predicate keeps, as far as it is known."""
    text = render(known_part(where))
    rows = _made(column, tuple(values), kind).execute(f"SELECT n FROM made WHERE {text} ORDER BY n")
    return [values[n] for (n,) in rows.fetchall()]


@cache
def _made(column: str, values: tuple[Any, ...], kind: pa.DataType) -> duckdb.DuckDBPyConnection:
    """A database of these values, numbered. Many predicates are asked of the same ones."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("SET TimeZone = 'UTC'")
    connection.register(
        "given", pa.table({"n": range(len(values)), column: pa.array(values, kind)})
    )
    connection.execute("CREATE TABLE made AS FROM given")
    return connection


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    ("sql", "function"),
    [
        ("add_months(d, 1)", lambda day: add_months(day, 1)),
        ("add_months(d, -13)", lambda day: add_months(day, -13)),
        ("next_day(d, 'MON')", next_monday),
        ("next_day(d, 'monday')", next_monday),
    ],
)
def test_moved_days_are_ranges(sign: str, sql: str, function: Callable[[dt.date], dt.date]) -> None:
    moved = [(day, function(day)) for day in DAYS]
    for date in DATES:
        found = condition(f"{sql} {sign} DATE '{date}'", "spark", time_zone="UTC")
        wanted = [d for d, to in moved if SIGNS[sign](to, dt.date.fromisoformat(date))]
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


HOURS = [dt.datetime(d.year, d.month, d.day, h) for d in DAYS[300:600] for h in (0, 13)]


@cache
def _months(date: str, is_since: bool) -> list[tuple[dt.datetime, float]]:
    """The months between a date and each hour."""
    at = dt.datetime.fromisoformat(date)
    return [(h, months_between(h, at) if is_since else months_between(at, h)) for h in HOURS]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("months", ["1", "-2", "0.5", "0", "1.12903226"])
def test_months_between_imply_a_range(sign: str, months: str) -> None:
    for date in DATES:
        for is_since in (False, True):
            inside = f"d, DATE '{date}'" if is_since else f"DATE '{date}', d"
            found = condition(f"months_between({inside}) {sign} {months}", "spark", time_zone="UTC")
            assert not isinstance(found, Unsupported)
            kept = set(chosen(found, "d", HOURS, pa.timestamp("us")))
            for hour, number in _months(date, is_since):
                assert not SIGNS[sign](number, float(months)) or hour in kept, (hour, render(found))


TEXTS = ["", "E", "EU", "EU-", "EU-1", "EUR", "xEU-", "E-U", "EU--", "-EU", "eu-1", None]


@pytest.mark.parametrize(
    ("dialect", "sql", "selects"),
    [
        ("trino", "strpos(s, 'EU-') = 1", lambda s: s.find("EU-") == 0),
        ("trino", "position('EU' IN s) = 1", lambda s: s.find("EU") == 0),
        ("spark", "instr(s, 'E') = 1", lambda s: s.find("E") == 0),
        ("spark", "locate('EU', s) = 1", lambda s: s.find("EU") == 0),
        ("trino", "split_part(s, '-', 1) = 'EU'", lambda s: s.split("-")[0] == "EU"),
        ("spark", "split_part(s, '-', 1) = ''", lambda s: s.split("-")[0] == ""),
        ("spark", "substring_index(s, '-', 1) = 'E'", lambda s: s.split("-")[0] == "E"),
        ("trino", "split_part(s, '-', 1) IN ('E', 'EU')", lambda s: s.split("-")[0] in ("E", "EU")),
        ("trino", "split(s, '-')[1] = 'EU'", lambda s: s.split("-")[0] == "EU"),
        ("trino", "element_at(split(s, '-'), 1) = ''", lambda s: s.split("-")[0] == ""),
        ("spark", "split(s, '-')[0] = 'E'", lambda s: s.split("-")[0] == "E"),
        ("trino", "rtrim(s) = 'EU'", lambda s: s.startswith("EU")),
        ("trino", "split_part(s, '-', 1) = 'EU-'", lambda s: s.split("-")[0] == "EU-"),
    ],
)
def test_starts_of_texts(dialect: str, sql: str, selects: Callable[[str], bool]) -> None:
    found = condition(sql, dialect)
    wanted = [text for text in TEXTS if text is not None and selects(text)]
    assert chosen(found, "s", TEXTS, pa.string()) == wanted, render(found)


@pytest.mark.parametrize(
    "sql",
    [
        "strpos(s, 'EU') > 0",
        "strpos(s, '') = 1",
        "strpos(s, t) = 1",
        "strpos(lower(s), 'eu') = 1",
        "split_part(s, '-', 2) = 'EU'",
        "split(s, '-')[2] = 'EU'",
        "split(s, '-', 1)[1] = 'EU'",
        "rtrim(s) <> 'EU'",
        "trim(s) = 'EU'",
        "ltrim(s) = 'EU'",
        "greatest(a, b) >= 16777217",
        "greatest(a, b) >= 1.5",
        "greatest(a, b) = 2",
        "contains(ARRAY['a', NULL], s)",
        "contains(ARRAY[1, 2.5, 'a'], s)",
        "contains(ARRAY[], s)",
        "contains(split('a.b', '.', 1), s)",
        "contains(ARRAY['a', t], s)",
        "array_position(ARRAY['a', 'b'], s) = 1",
        "CAST(s AS char(3)) >= 'EU'",
        "CAST(s AS char(3)) = '  '",
        "lpad(s, 4, '*') = '**42'",
        "day_of_year(d) = 60",
        "greatest(a, 1.5) >= 2",
        "greatest(a, 1) = 2",
        "nullif(a, b) = 2",
        "year(d) * 100 + month(e) = 202601",
        "year(d) * 100 + month(d) = 202600",
        "year(d) * 100 + month(d) + month(d) = 202604",
        "year(d) * 100 + year(d) * 100 + month(d) = 405204",
        "CAST(date_format(d, '%Y-%m') AS int) = 202601",
        "CAST(date_format(d, '%m%d') AS int) = 202601",
        "year(d) * 10000 + month(d) = 20260001",
        "split_part(s, '-', 1) <> 'EU'",
        "next_day(d, 'MON') = DATE '2026-01-05'",
        "coalesce(lower(a), b) = 'x'",
        "CASE WHEN a = 1 THEN b + c ELSE 2 END = 2",
        "CASE WHEN a = 1 THEN b ELSE c END >= 16777217",
        "CASE WHEN a = 1 THEN 1 END = b",
    ],
)
def test_others_stay_as_they_are(sql: str) -> None:
    assert isinstance(condition(sql, "trino", time_zone="UTC"), Unsupported)


CHOICES = [
    "CASE WHEN a = 1 THEN 'x' ELSE 'y' END = 'x'",
    "CASE WHEN a = 1 THEN 'x' WHEN b > 1 THEN 'y' ELSE 'z' END = 'y'",
    "CASE WHEN a = 1 THEN 'x' WHEN b > 1 THEN 'y' END <> 'x'",
    "CASE a WHEN 1 THEN 10 WHEN 2 THEN 20 ELSE 0 END >= 10",
    "IF(a = 2, 1, 0) = 1",
    "IF(a = 2, 1, 0) = 0",
    "CASE WHEN a = 1 THEN 1 WHEN a + b = 3 THEN 3 ELSE 2 END = 2",
    "CASE WHEN a = 1 THEN 1 ELSE 2 END IN (2, 3)",
    "CASE WHEN a = 1 THEN 1 WHEN b = 1 THEN 4 ELSE 2 END NOT IN (1, 3)",
    "NOT (CASE WHEN a = 1 THEN 1 ELSE 2 END = 2)",
    "CASE WHEN a = 1 THEN 1 WHEN b > 1 THEN 2 ELSE 3 END IN (2)",
    "CASE WHEN a = 1 THEN 1 WHEN b > 1 THEN 2 END IS NOT NULL",
    "CASE WHEN a = 1 THEN 1 WHEN b > 1 THEN 2 END IS NULL",
    "CASE WHEN a = 1 THEN a WHEN b > 1 THEN NULL ELSE b END IS NULL",
    "IF(a = 1, b, NULL) IS NOT NULL",
    "coalesce(a, b) >= 2",
    "coalesce(a, b, 3) = 3",
    "coalesce(a, b) BETWEEN 2 AND 3",
    "coalesce(a, b) NOT IN (1, 2)",
    "(a, b) = (1, 2)",
    "(a, b) > (1, 2)",
    "(a, b) <= (2, 1)",
    "(a, b) >= (2, 3)",
    "coalesce(a = 1, false)",
    "NOT coalesce(a = 1, true)",
    "coalesce(a = 1 OR b = 2, false) IS TRUE",
    "IF(a = 1, b = 2, false)",
    "IF(a = 1, false, b = 2)",
    "IF(a > NULL, false, b = 2)",
    "IF(nullif(a, 2) <> 1, false, b = 2)",
    "CASE a WHEN NULL THEN a = 1 ELSE b = 2 END",
    "CASE WHEN a IN (1, NULL) THEN 3 WHEN b > 2 THEN 4 END = 4",
    "CASE WHEN a IN (1, NULL) THEN 3 ELSE b END = 4",
    "CASE WHEN a = 1 THEN true ELSE false END",
    "CASE WHEN a = 1 THEN b = 2 WHEN b = 3 THEN true END",
    "CASE WHEN a = 1 THEN NULL WHEN b = 2 THEN true ELSE a = 3 END",
    "NOT (CASE WHEN a = 1 THEN b = 2 ELSE true END)",
    "greatest(a, 2) >= 3",
    "greatest(2, a, 1) < 3",
    "least(a, 2) > 1",
    "least(a, 3) >= 3",
    "least(a, 2) < 2",
    "nullif(a, 2) = 1",
    "NOT (nullif(a, 2) = 1)",
    "nullif(a, 2) IN (1, 2)",
    "CASE a WHEN 1 THEN b > 2 WHEN 2 THEN false ELSE b IS NULL END IS FALSE",
]


@pytest.mark.parametrize("sql", CHOICES)
def test_choices_and_rows_keep_their_rows(sql: str) -> None:
    found = condition(sql, "trino")
    assert not isinstance(found, Unsupported)
    known = known_part(found)
    is_beside = known != found
    numbers = "(VALUES (NULL), (1), (2), (3), (4))"
    cells = f"FROM {numbers} _(a), {numbers} __(b)"
    with duckdb.cursor() as connection:
        original, ours = (
            set(connection.execute(f"SELECT a, b {cells} WHERE {where}").fetchall())
            for where in (sql, render(known))
        )
    # DuckDB has null as the greatest value in rows, Trino does not compare it.
    if sql.startswith("("):
        original, ours = ({row for row in rows if None not in row} for rows in (original, ours))
    assert original <= ours
    assert is_beside or original == ours, render(found)


@pytest.mark.parametrize("sign", SIGNS)
def test_null_comes_first_in_rows_of_spark(sign: str) -> None:
    values = [None, 1, 2, 3]
    rows = [(a, b) for a in values for b in values]

    def place(row: tuple[int | None, int | None]) -> list[tuple[bool, int]]:
        return [(value is not None, value or 0) for value in row]

    found = condition(f"(a, b) {sign} (2, 2)", "spark")
    wanted = [row for row in rows if SIGNS[sign](place(row), place((2, 2)))]
    made = pa.table(
        {name: pa.array(part) for name, part in zip("ab", zip(*rows, strict=True), strict=True)}
    )
    with duckdb.connect() as connection:
        connection.register("made", made)
        assert connection.execute(f"FROM made WHERE {render(found)}").fetchall() == wanted


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "year_of_week(d)"),
        ("trino", "yow(d)"),
        ("trino", "EXTRACT(YEAR_OF_WEEK FROM d)"),
        ("spark", "EXTRACT(YEAROFWEEK FROM d)"),
        ("spark", "date_part('yearofweek', d)"),
    ],
)
def test_years_of_weeks_are_ranges(dialect: str, sql: str, sign: str) -> None:
    found = condition(f"{sql} {sign} 2025", dialect, time_zone="UTC")
    wanted = [d for d in DAYS if SIGNS[sign](d.isocalendar().year, 2025)]
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("week", [1, 9, 52])
def test_weeks_of_the_year_of_their_week_are_ranges(sign: str, week: int) -> None:
    for year in (2024, 2025):
        sql = f"year_of_week(d) = {year} AND week(d) {sign} {week}"
        found = condition(sql, "trino", time_zone="UTC")
        dates = [(d, d.isocalendar()) for d in DAYS]
        wanted = [d for d, iso in dates if iso.year == year and SIGNS[sign](iso.week, week)]
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("quarter", [1, 3, 4])
def test_quarters_of_a_year_are_ranges(sign: str, quarter: int) -> None:
    for text in ("quarter(d)", "EXTRACT(QUARTER FROM d)"):
        sql = f"year(d) = 2024 AND {text} {sign} {quarter}"
        found = condition(sql, "trino", time_zone="UTC")
        of_year = [(d, (d.month + 2) // 3) for d in DAYS if d.year == 2024]
        wanted = [d for d, number in of_year if SIGNS[sign](number, quarter)]
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


def test_a_year_has_no_more_weeks() -> None:
    found = condition("year_of_week(d) = 2025 AND week(d) = 53", "trino", time_zone="UTC")
    assert isinstance(found, And)
    assert isinstance(found.children[-1], Unsupported)


def test_spark_takes_parts_of_dates_by_name() -> None:
    by_name = condition("date_part('YEAR', d) = 2024 AND datepart('month', d) = 3", "spark")
    assert render(by_name) == render(condition("year(d) = 2024 AND month(d) = 3", "spark"))


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    ("sql", "value", "function"),
    [
        ("year(d) * 100 + month(d)", 202_502, lambda d: d.year * 100 + d.month),
        ("year(d) * 12 + month(d)", 24_301, lambda d: d.year * 12 + d.month),
        ("12 * year(d) + month(d)", 24_300, lambda d: d.year * 12 + d.month),
        ("CAST(date_format(d, {month}) AS int)", 202_503, lambda d: d.year * 100 + d.month),
        (
            "CAST(date_format(d, {day}) AS bigint)",
            20_250_301,
            lambda d: d.year * 10_000 + d.month * 100 + d.day,
        ),
        (
            "EXTRACT(YEAR_OF_WEEK FROM d) * 100 + EXTRACT(WEEK FROM d)",
            202_501,
            lambda d: d.isocalendar()[0] * 100 + d.isocalendar()[1],
        ),
        ("month(d) + 100 * EXTRACT(YEAR FROM d)", 202_412, lambda d: d.year * 100 + d.month),
        (
            "(year(d) * 10000 + month(d) * 100) + day(d)",
            20_240_229,
            lambda d: d.year * 10_000 + d.month * 100 + d.day,
        ),
    ],
)
@pytest.mark.parametrize("dialect", ["trino", "spark"])
def test_numbers_of_periods_are_ranges(
    dialect: str, sql: str, value: int, function: Callable[[dt.date], int], sign: str
) -> None:
    month, day = ("'yyyyMM'", "'yyyyMMdd'") if dialect == "spark" else ("'%Y%m'", "'%Y%m%d'")
    text = f"{sql.format(month=month, day=day)} {sign} {value}"
    found = condition(text, dialect, time_zone="UTC")
    wanted = [d for d in DAYS if SIGNS[sign](function(d), value)]
    assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    "sql",
    ["instr(s, 'E') = 1", "add_months(d, 1) = DATE '2026-02-01'", "(a, b) = (1, 2)"],
)
def test_no_engine_is_taken_to_push_them(sql: str) -> None:
    for planner in PLANNERS:
        pushed = render(condition(sql, "spark", planner=planner))
        assert ">=" not in pushed
        assert "LIKE" not in pushed
        assert "b = 2" not in pushed
