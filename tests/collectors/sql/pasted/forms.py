"""Conditions around columns whose range is to be said by the names of their literals.

Written from what dashboards and reports have, before the search for such forms was. `:name` in a
condition stands for a literal, and is the name that is to be told. The first values are those that
the query has; the others are never seen by the search, and are as far apart as literals are in one
dashboard: leap days, ends of months and of years, and numbers of one digit and of many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Values = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Form:
    """A condition on columns of Iceberg types, with values as SQL has them. `is_named` tells
    whether each end is to be said by names."""

    dialect: str
    condition: str
    types: Mapping[str, str]
    values: tuple[Values, ...]
    is_named: bool = True

    @property
    def id(self) -> str:
        """A name for a test."""
        return f"{self.dialect}: {self.condition}"


_DAYS = ("'2026-03-17'", "'2024-02-29'", "'2023-12-31'", "'1999-01-01'", "'2031-11-30'")
_TYPED_DAYS = tuple(f"DATE {day}" for day in _DAYS)
_MONTHS = ("'2026-03'", "'2024-02'", "'2023-12'", "'1999-01'", "'2031-09'")
_DENSE_DAYS = ("'20260317'", "'20240229'", "'20231231'", "'19990101'", "'20311130'")
_DENSE_MONTHS = ("202603", "202402", "202312", "199901", "203109")
_FIRSTS = ("DATE '2026-03-01'", "DATE '2024-02-01'", "DATE '2023-12-01'", "DATE '1999-01-01'")
_YEARS = ("2026", "2024", "1999", "2000", "2031")
_PARTS = ("3", "2", "12", "1", "9")
_NUMBERS = ("4711", "12", "990000", "1", "70")
_TIMES = ("'2026-03-17 10:00:00'", "'2024-02-29 23:59:59'", "'1999-01-01 00:00:00'")
_HOURS = ("'2026-03-17 08'", "'2024-02-29 23'", "'2023-12-31 00'", "'1999-01-01 12'")


def _of(name: str, values: tuple[str, ...]) -> tuple[Values, ...]:
    return tuple({name: value} for value in values)


def _together(**values: tuple[str, ...]) -> tuple[Values, ...]:
    return tuple(dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True))


_TS, _AT, _D = {"ts": "timestamp"}, {"at": "timestamptz"}, {"d": "date"}
_S, _N, _I = {"s": "string"}, {"n": "long"}, {"i": "int"}


def _everywhere(
    *forms: tuple[str, str], types: Mapping[str, str], values: tuple[Values, ...]
) -> Iterator[Form]:
    for dialect, condition in forms:
        yield Form(dialect, condition, types, values)


def _forms() -> Iterator[Form]:
    # A day, by its text.
    yield from _everywhere(
        ("trino", "date_format(ts, '%Y-%m-%d') = :ts"),
        ("spark", "date_format(ts, 'yyyy-MM-dd') = :ts"),
        ("bigquery", "format_datetime('%Y-%m-%d', ts) = :ts"),
        ("snowflake", "to_char(ts, 'YYYY-MM-DD') = :ts"),
        ("clickhouse", "formatDateTime(ts, '%Y-%m-%d') = :ts"),
        ("duckdb", "strftime(ts, '%Y-%m-%d') = :ts"),
        types=_TS,
        values=_of("ts", _DAYS),
    )
    # A year and a month of it.
    yield from (
        Form(
            dialect,
            "year(ts) = :year AND month(ts) = :month",
            _TS,
            _together(year=_YEARS, month=_PARTS),
        )
        for dialect in ("trino", "spark", "snowflake", "duckdb")
    )
    yield Form(
        "bigquery",
        "EXTRACT(YEAR FROM ts) = :year AND EXTRACT(MONTH FROM ts) = :month",
        _TS,
        _together(year=_YEARS, month=_PARTS),
    )
    yield Form(
        "clickhouse",
        "toYear(ts) = :year AND toMonth(ts) = :month",
        _TS,
        _together(year=_YEARS[:2] + _YEARS[4:], month=_PARTS[:2] + _PARTS[4:]),
    )
    # A year.
    yield from _everywhere(
        ("trino", "year(ts) = :year"),
        ("spark", "year(ts) >= :year"),
        ("snowflake", "year(ts) = :year"),
        ("bigquery", "EXTRACT(YEAR FROM ts) <= :year"),
        ("duckdb", "year(ts) = :year"),
        types=_TS,
        values=_of("year", _YEARS),
    )
    # A day, by a cast.
    yield from _everywhere(
        ("trino", "CAST(ts AS date) = :ts"),
        ("spark", "to_date(ts) = :ts"),
        ("bigquery", "DATE(ts) = :ts"),
        ("snowflake", "ts::date = :ts"),
        ("duckdb", "ts::date > :ts"),
        types=_TS,
        values=_of("ts", _TYPED_DAYS),
    )
    yield Form("clickhouse", "toDate(ts) = :ts", _TS, _of("ts", _DAYS[:2] + _DAYS[4:]))
    # Times with a zone are compared with such times alone.
    yield Form("bigquery", "DATE(at) = :at", _AT, _of("at", _TYPED_DAYS))
    yield Form("bigquery", "EXTRACT(YEAR FROM at) = :year", _AT, _of("year", _YEARS))
    # A month.
    yield from _everywhere(
        ("trino", "date_trunc('month', ts) = :ts"),
        ("spark", "trunc(ts, 'MM') = :ts"),
        ("snowflake", "date_trunc('month', ts) = :ts"),
        ("duckdb", "date_trunc('month', ts) = :ts"),
        types=_TS,
        values=_of("ts", _FIRSTS),
    )
    yield from _everywhere(
        ("trino", "substr(CAST(d AS varchar), 1, 7) = :d"),
        ("spark", "substring(d, 1, 7) = :d"),
        ("duckdb", "CAST(d AS varchar)[1:7] = :d"),
        ("snowflake", "LEFT(TO_CHAR(d, 'YYYY-MM-DD'), 7) = :d"),
        types=_D,
        values=_of("d", _MONTHS),
    )
    yield from _everywhere(
        ("trino", "year(d) * 100 + month(d) = :d"),
        ("duckdb", "strftime(d, '%Y%m')::int = :d"),
        types=_D,
        values=_of("d", _DENSE_MONTHS),
    )
    # Text that stands for days.
    yield from _everywhere(
        ("spark", "date_format(ts, 'yyyyMMdd') = :ts"),
        ("duckdb", "strftime(ts, '%Y%m%d') >= :ts"),
        types=_TS,
        values=_of("ts", _DENSE_DAYS),
    )
    yield Form("spark", "date_format(ts, 'yyyy-MM-dd HH') = :ts", _TS, _of("ts", _HOURS))
    # Moved and calculated.
    days = ("3", "1", "30", "365")
    yield from (
        Form(
            dialect,
            "d + INTERVAL :days DAY >= :d",
            _D,
            _together(days=tuple(f"'{day}'" for day in days), d=_TYPED_DAYS[:4]),
        )
        for dialect in ("trino", "spark", "duckdb")
    )
    yield from (
        Form(dialect, "i + :i > :i_2", _I, _together(i=_PARTS, i_2=_NUMBERS))
        for dialect in ("trino", "bigquery")
    )
    yield Form("duckdb", "n * 100 + 7 >= :n_3", _N, _of("n_3", _NUMBERS), is_named=False)
    # Zones of sessions.
    yield from _everywhere(
        ("spark", "date_format(at, 'yyyy-MM-dd') = :at"),
        ("trino", "date_format(at, '%Y-%m-%d') = :at"),
        types=_AT,
        values=_of("at", _DAYS),
    )
    yield Form(
        "spark",
        "CAST(at AS date) BETWEEN :at AND :at_2",
        _AT,
        _together(
            at=_TYPED_DAYS[1:4],
            at_2=("DATE '2025-01-31'", "DATE '2024-02-29'", "DATE '2000-12-31'"),
        ),
    )
    # Texts by how they begin.
    yield from _everywhere(
        ("trino", "substr(s, 1, 7) = :s"),
        ("spark", "left(s, 7) = :s"),
        types=_S,
        values=_of("s", _MONTHS),
    )
    # Counted from a day, and from 1970.
    yield Form(
        "trino",
        "date_diff('day', :d, d) < :d_2",
        _D,
        _together(d=_TYPED_DAYS, d_2=("30", "7", "1", "400", "12")),
    )
    yield Form("spark", "CAST(at AS bigint) < :at", _AT, _of("at", ("1709251200", "1", "86399")))
    # What is so for some literals alone: those of a list in order, and days without a change of
    # clocks.
    yield Form(
        "trino",
        "year(ts) IN (:year, :year_2)",
        _TS,
        _together(year=_YEARS[:2], year_2=("2027", "1999")),
        is_named=False,
    )
    yield Form(
        "spark",
        "to_date(at) = :at AND hour(at) = :hour",
        _AT,
        _together(at=_DAYS, hour=_PARTS),
        is_named=False,
    )
    # Text is read in the zone of the column there, and a function of text in the session's.
    yield Form("clickhouse", "at >= :at", _AT, _of("at", _TIMES))
    # What no name says.
    yield Form("duckdb", "month(ts) = :month", _TS, _of("month", _PARTS), is_named=False)
    yield Form("trino", "lower(s) = :s", _S, _of("s", _MONTHS), is_named=False)


FORMS = tuple(_forms())
