"""Forms that look like a rewrite's, and say less: what is told of them holds for all their rows."""

from __future__ import annotations

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import chosen, known_part


@pytest.mark.parametrize("delimiter", ["aa", "aba", "-", "ab"])
@pytest.mark.parametrize("value", ["", "a", "b", "ab", "xa", "xab", "ba", "x-"])
@pytest.mark.parametrize(
    ("dialect", "form"),
    [
        ("trino", "split_part(c, '{}', 1) = '{}'"),
        ("spark", "split_part(c, '{}', 1) = '{}'"),
        ("spark", "substring_index(c, '{}', 1) = '{}'"),
        ("spark", "split(c, '{}')[0] = '{}'"),
        ("trino", "split(c, '{}')[1] = '{}'"),
    ],
)
def test_the_first_part_ends_where_the_delimiter_is_first(
    dialect: str, form: str, delimiter: str, value: str
) -> None:
    texts = ["", "a", "aa", "aaa", "xa", "xaa", "xaaa", "xaaaa", "aba", "ababa", "xababa", "xab"]
    texts += ["xabab", "baba", "babab", "b", "ba", "x-", "x--", "-", "b-a", "bab", "ab", "abab"]
    found = condition(form.format(delimiter, value), dialect)
    wanted = [text for text in texts if text.split(delimiter)[0] == value]
    assert render(found) == "FALSE" or chosen(found, "c", texts, pa.string()) == wanted
    assert wanted == [] or render(found) != "FALSE"


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "="])
@pytest.mark.parametrize("day", ["1969-12-31", "1970-01-01", "1970-01-02"])
def test_fractions_of_seconds_are_cut_towards_zero(sign: str, day: str) -> None:
    # Spark casts n to a whole number first, which int() does as well.
    numbers = [
        whole + part
        for whole in (-86_401, -86_400, -1, 0, 86_399, 86_400)
        for part in (0.0, 0.5, -0.5)
    ]
    found = condition(
        f"to_date(from_unixtime(seconds)) {sign} DATE '{day}'", "spark", time_zone="UTC"
    )
    by_days = {"1969-12-31": -1, "1970-01-01": 0, "1970-01-02": 1}
    compared = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "=": "__eq__"}
    wanted = [
        number for number in numbers if getattr(int(number) // 86_400, compared[sign])(by_days[day])
    ]
    assert chosen(found, "seconds", numbers, pa.float64()) == wanted


@pytest.mark.parametrize(
    "sql",
    [
        # Spark makes null of these texts.
        "to_date(from_unixtime(n, 'yyyyMMdd')) = DATE '2026-01-05'",
        "CAST(from_unixtime(n, 'yyyy/MM/dd') AS DATE) = DATE '2026-01-05'",
        "CAST(from_unixtime(n, 'yyyy-MM-dd-HH') AS DATE) = DATE '2026-01-05'",
        # 202602 is none of these types' numbers.
        "CAST(date_format(x, 'yyyyMM') AS SMALLINT) = 202602",
        "CAST(date_format(x, 'yyyyMM') AS TINYINT) <= 202602",
        # Nulls match, or texts are compared.
        "coalesce(year(d), 2024) = 2024",
        "coalesce(year(d), 0) <> 2024",
        "coalesce(to_date(ts), '') = '2026-01-05'",
        "coalesce(round(f), 0) = 1",
        # To a float, 16777217 is 16777216.
        "greatest(f, 16777217) <= 16777216",
        "least(f, 16777217) > 16777216",
    ],
)
def test_nothing_is_said_of_these(sql: str) -> None:
    assert isinstance(condition(sql, "spark", time_zone="UTC"), Unsupported)


@pytest.mark.parametrize("sql", ["greatest(f, 16777216) <= 16777216", "least(f, 100) > 50"])
def test_constants_that_stay_as_they_are(sql: str) -> None:
    assert not isinstance(known_part(condition(sql, "spark")), Unsupported)
