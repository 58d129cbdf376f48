"""Texts that are put together of the parts of a date are the range of the days of which Python puts
the same texts together."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.predicates.walks import leaves
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import DAYS, SIGNS, chosen

DAY = dt.timedelta(1)
FAR = [dt.date(y, m, d) for y in (1, 203, 999, 1000, 9999) for m, d in ((1, 1), (11, 5), (12, 31))]
"""Years whose texts are shorter, and the last ones whose texts are not longer."""
MONTHS: list[tuple[str, str, str]] = [
    ("trino", "CAST(year(d) AS varchar) || lpad(CAST(month(d) AS varchar), 2, '0')", "{}{:02}"),
    (
        "trino",
        "concat(CAST(year(d) AS varchar), '-', lpad(CAST(month(d) AS varchar), 2, '0'))",
        "{}-{:02}",
    ),
    ("trino", "format('%d-%02d', year(d), month(d))", "{}-{:02}"),
    ("trino", "format('%04d%02d', year(d), month(d))", "{:04}{:02}"),
    ("spark", "concat(year(d), '-', lpad(month(d), 2, '0'))", "{}-{:02}"),
    ("spark", "concat(lpad(year(d), 4, '0'), lpad(month(d), 2, '0'))", "{:04}{:02}"),
    ("spark", "format_string('%d/%02d', year(d), month(d))", "{}/{:02}"),
]
WHOLE: list[tuple[str, str, str]] = [
    (
        "spark",
        "concat(year(d), '-', lpad(month(d), 2, '0'), '-', lpad(day(d), 2, '0'))",
        "{}-{:02}-{:02}",
    ),
    (
        "trino",
        "format('%d%02d%02d', EXTRACT(YEAR FROM d), EXTRACT(MONTH FROM d), day_of_month(d))",
        "{}{:02}{:02}",
    ),
]
HOLDS: dict[str, Callable[[str, str], bool]] = {**SIGNS, "<>": operator.ne}


@pytest.mark.parametrize("sign", HOLDS)
@pytest.mark.parametrize(("dialect", "sql", "form"), MONTHS + WHOLE)
def test_texts_are_those_of_python(sign: str, dialect: str, sql: str, form: str) -> None:
    days = [*FAR, *DAYS]
    texts = [form.format(day.year, day.month, day.day) for day in days]
    for day in (dt.date(2024, 2, 29), dt.date(2025, 11, 1)):
        asked = form.format(day.year, day.month, day.day)
        found = condition(f"{sql} {sign} '{asked}'", dialect, time_zone="UTC")
        assert not any(isinstance(leaf, Unsupported) for leaf in leaves(found))
        wanted = [day for day, text in zip(days, texts, strict=True) if HOLDS[sign](text, asked)]
        kept = chosen(found, "d", days, pa.date32())
        assert set(wanted) <= set(kept), render(found)
        # Of years with fewer digits, nothing is told.
        assert {day for day in kept if day.year >= 1000} <= set(wanted), render(found)


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("IN ('2024-02', '2025-11')", lambda text: text in ("2024-02", "2025-11")),
        ("NOT IN ('2024-02', '2025-11')", lambda text: text not in ("2024-02", "2025-11")),
        ("BETWEEN '2024-11' AND '2025-02'", lambda text: "2024-11" <= text <= "2025-02"),
    ],
)
def test_lists_and_ranges(asked: str, holds: Callable[[str], bool]) -> None:
    for dialect, sql, form in MONTHS:
        if form == "{}-{:02}":
            found = condition(f"{sql} {asked}", dialect, time_zone="UTC")
            assert not any(isinstance(leaf, Unsupported) for leaf in leaves(found))
            wanted = [day for day in DAYS if holds(f"{day:%Y-%m}")]
            assert wanted
            assert chosen(found, "d", DAYS, pa.date32()) == wanted, render(found)


@pytest.mark.parametrize("sign", HOLDS)
def test_what_is_formatted_has_a_text_of_null(sign: str) -> None:
    formatted = "format('%d-%02d', year(d), month(d))"
    for sql in (formatted, f"{formatted} || ''"):
        found = condition(f"{sql} {sign} '2024-11'", "trino")
        kept = chosen(found, "d", [None], pa.date32())
        assert (None in kept) == HOLDS[sign]("null-null", "2024-11")
    joined = condition(f"concat(year(d), '-', lpad(month(d), 2, '0')) {sign} '2024-11'", "spark")
    assert chosen(joined, "d", [None], pa.date32()) == []


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        # In another order, or without it.
        ("spark", "concat(month(d), '-', year(d)) >= '11-2024'"),
        ("spark", "concat(year(d), '-', month(d)) >= '2024-11'"),
        ("spark", "concat('M', year(d), lpad(month(d), 2, '0')) >= 'M202411'"),
        ("spark", "concat(year(d), lpad(day(d), 2, '0')) >= '202411'"),
        ("spark", "concat(lpad(year(d), 3, '0'), lpad(month(d), 2, '0')) >= '202411'"),
        ("spark", "concat(year(d), rpad(month(d), 2, '0')) >= '202411'"),
        ("spark", "concat(year(d), lpad(month(d), 2, '1')) >= '202411'"),
        ("spark", "concat(year(d), lpad(month(d), 2.5, '0')) >= '202411'"),
        ("spark", "concat(year(d), lpad(month(d), n, '0')) >= '202411'"),
        # Of several dates.
        ("spark", "concat(year(d), lpad(month(e), 2, '0')) >= '202411'"),
        ("spark", "concat_ws('-', year(d), lpad(month(d), 2, '0')) >= '2024-11'"),
        ("trino", "format('%d-%02d', year(d)) = '2024-11'"),
        ("trino", "format('%d-%02d', year(d), month(d), day(d)) = '2024-11'"),
        ("trino", "format('%d-%02d%%', year(d), month(d)) = '2024-11%'"),
        ("trino", "format('%s-%02d', year(d), month(d)) = '2024-11'"),
        ("trino", "format('%d-%02d', year(d), month(d)) = '2024-13'"),
        ("trino", "format('%d-%02d', year(d), month(d)) = f"),
        ("postgres", "concat(year(d), lpad(month(d), 2, '0')) >= '202411'"),
    ],
)
def test_others_stay_as_they_are(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect, time_zone="UTC"), Unsupported)
