"""Constant dates and times of BigQuery, as its documentation has them."""

from __future__ import annotations

import pytest

from prunescope.collectors.sql.constants.values import CannotConvert
from prunescope.collectors.sql.functions.folding import may_read_clock
from prunescope.collectors.sql.text.parse import parse_condition
from tests.collectors.sql.constants.test_documented import folded, told

_HERE = "America/Los_Angeles"
_KNOWN = [
    ("TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY)", "2026-12-03 03:04:05 UTC"),
    ("TIMESTAMP_ADD(CURRENT_TIMESTAMP(), INTERVAL -1 HOUR)", "2026-12-04 02:04:05 UTC"),
    ("TIMESTAMP_SUB(TIMESTAMP '2008-12-25 15:30:00+00', INTERVAL 10 MINUTE)",
     "2008-12-25 15:20:00 UTC"),
    ("TIMESTAMP_SUB(TIMESTAMP '2008-12-25', INTERVAL 10 MINUTE)", "2008-12-24 23:50:00 UTC"),
    ("TIMESTAMP_TRUNC(TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY), DAY)",
     "2026-12-03 00:00:00 UTC"),
    ("TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), HOUR)", "2026-12-04 03:00:00 UTC"),
    ("DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY)", "2026-11-27"),
    ("DATE_ADD(DATE '2008-12-25', INTERVAL 5 DAY)", "2008-12-30"),
    ("DATE_ADD(DATE '2026-01-31', INTERVAL 1 MONTH)", "2026-02-28"),
    ("DATE_TRUNC(DATE '2017-11-05', WEEK(MONDAY))", "2017-10-30"),
    ("DATE_TRUNC(DATE '2017-11-05', ISOWEEK)", "2017-10-30"),
    ("DATE_TRUNC(DATE '2017-11-05', WEEK)", "2017-11-05"),
    ("DATE_TRUNC(DATE '2017-11-08', WEEK(THURSDAY))", "2017-11-02"),
    ("DATETIME_TRUNC(DATETIME '2017-11-08 10:00:00', WEEK)", "2017-11-05 00:00:00"),
    ("DATE_TRUNC(DATE_SUB(CURRENT_DATE(), INTERVAL 1 MONTH), MONTH)", "2026-11-01"),
    ("CURRENT_DATE() - 7", "2026-11-27"),
    (f"CURRENT_DATE('{_HERE}')", "2026-12-03"),
    ("DATE(2016, 12, 25)", "2016-12-25"),
    (f"DATE(TIMESTAMP '2016-12-25 05:30:00+07', '{_HERE}')", "2016-12-24"),
    ("LAST_DAY(DATE '2008-11-25', MONTH)", "2008-11-30"),
    ("PARSE_DATE('%Y%m%d', '20081225')", "2008-12-25"),
    ("PARSE_TIMESTAMP('%Y-%m-%d %H:%M:%S', '2008-12-25 01:02:03')", "2008-12-25 01:02:03 UTC"),
    ("FORMAT_DATE('%Y%m%d', DATE_SUB(CURRENT_DATE(), INTERVAL 1 DAY))", "20261203"),
    ("FORMAT_TIMESTAMP('%Y-%m-%d', CURRENT_TIMESTAMP())", "2026-12-04"),
    ("TIMESTAMP('2008-12-25 15:30:00+00')", "2008-12-25 15:30:00 UTC"),
    (f"TIMESTAMP('2008-12-25 15:30:00', '{_HERE}')", "2008-12-25 23:30:00 UTC"),
    ("TIMESTAMP(DATE '2008-12-25')", "2008-12-25 00:00:00 UTC"),
    ("DATETIME(2008, 12, 25, 5, 30, 0)", "2008-12-25 05:30:00"),
    ("DATETIME(TIMESTAMP '2008-12-25 05:30:00+00')", "2008-12-25 05:30:00"),
    ("DATETIME_SUB(DATETIME '2008-12-25 15:30:00', INTERVAL 10 MINUTE)", "2008-12-25 15:20:00"),
    ("DATETIME_SUB(CURRENT_DATETIME(), INTERVAL 1 MONTH)", "2026-11-04 03:04:05"),
    (f"CURRENT_DATETIME('{_HERE}')", "2026-12-03 19:04:05"),
    ("UNIX_SECONDS(TIMESTAMP '2008-12-25 15:30:00+00')", "1230219000"),
    ("UNIX_MILLIS(TIMESTAMP '2008-12-25 15:30:00+00')", "1230219000000"),
    ("UNIX_MICROS(TIMESTAMP '2008-12-25 15:30:00+00')", "1230219000000000"),
    ("TIMESTAMP_SECONDS(1230219000)", "2008-12-25 15:30:00 UTC"),
    ("TIMESTAMP_MILLIS(1230219000000)", "2008-12-25 15:30:00 UTC"),
    ("TIMESTAMP_MICROS(1230219000000000)", "2008-12-25 15:30:00 UTC"),
    ("UNIX_DATE(DATE '2008-12-25')", "14238"),
    ("DATE_FROM_UNIX_DATE(14238)", "2008-12-25"),
    ("EXTRACT(MONTH FROM DATE '2013-12-25')", "12"),
    ("DATE_DIFF(DATE '2010-07-07', DATE '2008-12-25', DAY)", "559"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "expected"), _KNOWN)
def test_constants_are_what_the_documentation_says(sql: str, expected: str) -> None:
    assert told(folded("bigquery", sql)) == expected


@pytest.mark.parametrize(
    "sql",
    [
        "TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 MONTH)",
        "TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 WEEK)",
        "TIMESTAMP_SUB(DATE '2008-12-25', INTERVAL 1 DAY)",
        "DATE_SUB(CURRENT_DATE(), INTERVAL 7 HOUR)",
        "DATE_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)",
        "DATETIME_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)",
        "DATE(2026, 13, 1)",
        "PARSE_DATE('%Y%m%d', '2008125')",
        "PARSE_DATE('%b %e %Y', 'Dec 25 2008')",
        "TIMESTAMP_MILLIS(1.5)",
    ],
)
def test_what_it_does_not_say_or_refuses_is_unknown(sql: str) -> None:
    with pytest.raises(CannotConvert):
        folded("bigquery", sql)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # A day has 24 hours, also where the clock is put back, on 2026-11-01.
        ("TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 60 DAY)", "2026-10-05 03:04:05 UTC"),
        ("TIMESTAMP_ADD(TIMESTAMP '2026-11-01 00:00:00', INTERVAL 1 DAY)",
         "2026-11-02 07:00:00 UTC"),
        ("TIMESTAMP('2026-12-04')", "2026-12-04 08:00:00 UTC"),
        ("DATE_SUB(CURRENT_DATE(), INTERVAL 1 DAY)", "2026-12-02"),
        ("DATETIME(TIMESTAMP '2026-12-04 03:04:05+00')", "2026-12-03 19:04:05"),
    ],
)  # fmt: skip
def test_what_has_no_zone_is_of_the_sessions(sql: str, expected: str) -> None:
    assert told(folded("bigquery", sql, _HERE)) == expected
    if "CURRENT_TIMESTAMP" not in sql:
        with pytest.raises(CannotConvert):
            folded("bigquery", sql, None)


@pytest.mark.parametrize("zone", ["Asia/Kolkata", None])
def test_hours_of_a_clock_that_are_none_of_utc_are_unknown(zone: str | None) -> None:
    with pytest.raises(CannotConvert):
        folded("bigquery", "TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), HOUR)", zone)


@pytest.mark.parametrize("sql", ["CURRENT_DATETIME()", "CURRENT_DATE('Asia/Tokyo')"])
def test_the_clock_is_asked(sql: str) -> None:
    assert may_read_clock(parse_condition(sql, "bigquery"))
