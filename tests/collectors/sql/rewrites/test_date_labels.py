"""Labels of dates, and dates that are read from texts of times, are the ranges of the days of which
Python writes such texts."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import DAYS, SIGNS, chosen

LABELS = [
    ("spark", "date_format(d, 'MMM yyyy')", "%b %Y"),
    ("spark", "date_format(d, 'MMMM, yyyy')", "%B, %Y"),
    ("spark", "date_format(d, 'dd.MM.yyyy')", "%d.%m.%Y"),
    ("spark", "date_format(d, 'd/M/yyyy')", "%-d/%-m/%Y"),
    ("spark", "date_format(d, 'E, dd MMM yyyy')", "%a, %d %b %Y"),
    ("spark", "date_format(d, 'MM/yyyy')", "%m/%Y"),
    ("spark", "date_format(d, 'ddMMyyyy')", "%d%m%Y"),
    ("trino", "date_format(d, '%b %Y')", "%b %Y"),
    ("trino", "date_format(d, '%M %e, %Y')", "%B %-d, %Y"),
    ("trino", "date_format(d, '%c-%Y')", "%-m-%Y"),
    ("trino", "date_format(d, '%W %d.%m.%Y')", "%A %d.%m.%Y"),
    ("trino", "date_format(d, '%x-%v')", "%G-%V"),
    ("trino", "date_format(d, '%xW%v')", "%GW%V"),
    ("trino", "format_datetime(d, 'MMM yyyy')", "%b %Y"),
    ("trino", "format_datetime(d, 'xxxx-''W''ww')", "%G-W%V"),
    ("trino", "format_datetime(d, 'EEEE dd/MM/yyyy')", "%A %d/%m/%Y"),
    ("trino", "format_datetime(d, 'd MMMM yyyy')", "%-d %B %Y"),
]


EACH = pytest.mark.parametrize(
    "step", [6, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.exhaustive])]
)


@EACH
@pytest.mark.parametrize("sign", ["=", "<>", "IN"])
@pytest.mark.parametrize(("dialect", "sql", "form"), LABELS)
def test_labels_are_those_of_python(
    sign: str, dialect: str, sql: str, form: str, step: int
) -> None:
    labels = [(day, f"{day:{form}}") for day in DAYS]
    for day in (*DAYS[:: 41 * step], dt.date(2024, 12, 30), dt.date(2025, 12, 31)):
        label = f"{day:{form}}"
        value = f"('{label}')" if sign == "IN" else f"'{label}'"
        found = condition(f"{sql} {sign} {value}", dialect, time_zone="UTC")
        wanted = [other for other, its in labels if (its == label) == (sign != "<>")]
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


READ = [
    ("trino", "CAST(date_format(d, '%Y-%m-%d') AS date)", "%Y-%m-%d"),
    ("trino", "date(date_format(d, '%Y-%m-01'))", "%Y-%m-01"),
    ("trino", "TRY_CAST(format_datetime(d, 'yyyy-01-01') AS date)", "%Y-01-01"),
    ("trino", "date_parse(date_format(d, '%Y-%m'), '%Y-%m')", "%Y-%m-01"),
    ("trino", "date_parse(date_format(d, '%Y%m%d'), '%Y%m%d')", "%Y-%m-%d"),
    ("trino", "CAST(substr(CAST(d AS varchar), 1, 10) AS date)", "%Y-%m-%d"),
    ("spark", "to_date(date_format(d, 'yyyy-MM-01'))", "%Y-%m-01"),
    ("spark", "CAST(date_format(d, 'yyyy-MM-dd') AS DATE)", "%Y-%m-%d"),
    ("spark", "to_date(date_format(d, 'yyyyMM'), 'yyyyMM')", "%Y-%m-01"),
    ("spark", "to_timestamp(date_format(d, 'yyyy-MM-dd'), 'yyyy-MM-dd')", "%Y-%m-%d"),
    ("spark", "to_timestamp(date_format(d, 'yyyy-MM-dd'))", "%Y-%m-%d"),
    ("spark", "to_date(date_format(d, 'yyyy-MM-01'), 'yyyy-MM-dd')", "%Y-%m-01"),
    ("spark", "CAST(CONCAT(TO_DATE(d), ' 00:00:00') AS TIMESTAMP)", "%Y-%m-%d"),
    ("trino", "date_parse(date_format(d, '%Y-%m-01'), '%Y-%m-%d')", "%Y-%m-01"),
    ("trino", "CAST(date_format(d, '%Y-%m-01') AS timestamp)", "%Y-%m-01"),
    ("trino", "CAST(CAST(date(d) AS varchar) || ' 00:00:00' AS timestamp)", "%Y-%m-%d"),
]


@EACH
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("dialect", "sql", "form"), READ)
def test_dates_that_are_read_back(sign: str, dialect: str, sql: str, form: str, step: int) -> None:
    texts = [(day, f"{day:{form}}") for day in DAYS]
    for day in (*DAYS[:: 83 * step], dt.date(2025, 2, 1), dt.date(2025, 1, 1)):
        found = condition(f"{sql} {sign} DATE '{day}'", dialect, time_zone="UTC")
        wanted = [other for other, text in texts if SIGNS[sign](text, f"{day}")]
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "date_format(d, '%b %Y') = 'Foo 2026'"),
        ("trino", "date_format(d, '%b %Y') = 'feb 2026'"),
        ("trino", "date_format(d, '%b %Y') > 'Feb 2026'"),
        ("trino", "date_format(d, '%W %d.%m.%Y') = 'Monday 20.01.2026'"),
        ("trino", "date_format(d, '%x-%v') = '2026-54'"),
        ("trino", "date_format(d, '%Y-%v') = '2026-05'"),
        ("trino", "date_format(d, '%b %y') = 'Feb 26'"),
        ("trino", "date_format(d, '%e%m%Y') = '1012026'"),
        ("trino", "date_format(d, '%e1%m%Y') = '11012026'"),
        ("trino", "date_format(d, '%d.%Y') = '01.2026'"),
        ("trino", "date_format(d, '%m.%m.%Y') = '01.01.2026'"),
        ("trino", "date_format(ts, '%d.%m.%Y %H') = '20.01.2026 05'"),
        ("spark", "date_format(d, 'yyyy-QQ') = '2026-01'"),
        ("spark", "date_format(d, 'MMM yyyy') = 'Feb 0026'"),
        ("trino", "date_parse(date_format(d, '%Y-%m'), '%Y-%d') = DATE '2026-01-01'"),
        ("trino", "date_parse(date_format(d, '%d.%m.%Y'), '%d.%m.%Y') = DATE '2026-01-01'"),
        ("trino", "CAST(date_format(d, '%Y-%m') AS date) = DATE '2026-01-01'"),
        ("trino", "CAST(date_format(d, '%Y-%m-02') AS date) = DATE '2026-01-02'"),
        ("trino", "date_parse(date_format(d, '%Y-%m-02'), '%Y-%m-%d') = DATE '2026-01-02'"),
        ("spark", "CAST(concat(to_date(d), ' 01:00:00') AS timestamp) = DATE '2026-01-01'"),
        ("spark", "CAST(concat(s, ' 00:00:00') AS timestamp) = DATE '2026-01-01'"),
        ("spark", "to_date(substring(s, 1, 10)) = DATE '2026-01-01'"),
    ],
)
def test_others_stay_as_they_are(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect, time_zone="UTC"), Unsupported)


@pytest.mark.parametrize("zone", ["Europe/Berlin", None])
def test_times_are_read_back_in_utc_alone(zone: str | None) -> None:
    sql = "date_parse(date_format(ts, '%Y-%m'), '%Y-%m') = TIMESTAMP '2026-01-01 00:00:00'"
    assert isinstance(condition(sql, "trino", time_zone=zone), Unsupported)
