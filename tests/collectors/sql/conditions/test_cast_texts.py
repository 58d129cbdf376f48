"""Texts that Spark casts to dates and timestamps: what 3.5.9, 4.0.5 and 4.1.4 were seen to push."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.instants import cast_text
from prunescope.collectors.predicates.model import Unsupported, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed

TYPES = {"d": "date", "ts": "timestamptz", "tsn": "timestamp", "s": "string", "i": "int"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
# A text, and the date and the time of day that Spark makes of it; None where it makes none.
SEEN = [
    ("2026", "2026-01-01", "00:00:00"),
    ("2026-11", "2026-11-01", "00:00:00"),
    ("  2026-1  ", "2026-01-01", "00:00:00"),
    ("2026-1-5", "2026-01-05", "00:00:00"),
    ("2026-11-20 ", "2026-11-20", "00:00:00"),
    ("2026-11-20 00:00:00", "2026-11-20", "00:00:00"),
    ("2026-11-20T00:00:00", "2026-11-20", "00:00:00"),
    ("2026-11-20 10:30:00", "2026-11-20", "10:30:00"),
    ("2026-11-26 12", "2026-11-26", "12:00:00"),
    ("2026-11-26T12", "2026-11-26", "12:00:00"),
    ("2026-11-26 12:3", "2026-11-26", "12:03:00"),
    ("2026-11-26 1:2:3", "2026-11-26", "01:02:03"),
    ("2026-11-26 12:30:15.", "2026-11-26", "12:30:15"),
    ("2026-11-26 12:30:15.1234567", "2026-11-26", "12:30:15.123456"),
    ("2026-11-26 12:30:15.123Z", "2026-11-26", "12:30:15.123"),
    ("2026-11-20T", "2026-11-20", None),
    ("2026-11-20 abc", "2026-11-20", None),
    ("2026-11-26 12:", "2026-11-26", None),
    ("2026-11-26 12Z", "2026-11-26", None),
    ("2026-11-26 24:00", "2026-11-26", None),
    ("2026-11-26 12:30:60", "2026-11-26", None),
    ("20261120", None, None),
    ("026-11-20", None, None),
    ("2026-", None, None),
    ("2026-11-", None, None),
    ("2026-13", None, None),
    ("2026-11-31", None, None),
    ("2026-011-2", None, None),
    ("2026 10", None, None),
    ("2026-11 10:30", None, None),
    ("2026-11T00", None, None),
    ("2026Z", None, None),
    ("2026-11-20Z", None, None),
    ("12:30:00", None, None),
]


def pushed(where: str, version: tuple[int, ...] = (4, 1)) -> str:
    planner = Planner("spark", version)
    found = condition(where, "spark", time_zone="UTC", planner=planner, types=TYPES)
    return render(bind_pushed(planner, found, SCHEMA, time_zone="UTC"))


@pytest.mark.parametrize("version", [(3, 5), (4, 0), (4, 1)])
@pytest.mark.parametrize(("text", "day", "clock"), SEEN)
def test_a_text_is_cast_to_the_type_of_the_column(
    text: str, day: str | None, clock: str | None, version: tuple[int, ...]
) -> None:
    of_date = f"d IS NOT NULL AND d >= DATE '{day}'" if day else "d IS NOT NULL"
    assert pushed(f"d >= '{text}'", version) == of_date
    for column, zone in (("ts", " UTC"), ("tsn", "")):
        found = f" AND {column} >= TIMESTAMP '{day} {clock}{zone}'" if clock else ""
        assert pushed(f"{column} >= '{text}'", version) == f"{column} IS NOT NULL{found}"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("d = '2026-11-20 10:30:00'", "d IS NOT NULL AND d = DATE '2026-11-20'"),
        ("d < '2026-11-20 10:30:00'", "d IS NOT NULL AND d < DATE '2026-11-20'"),
        ("d <> '2026-11-20 10:30:00'", "d IS NOT NULL AND d != DATE '2026-11-20'"),
        ("'2026-11-20T10:30' <= d", "d IS NOT NULL AND d >= DATE '2026-11-20'"),
        ("NOT (d >= '2026-11-20 10:30:00')", "d IS NOT NULL AND d < DATE '2026-11-20'"),
        ("d <=> '2026-11-20 10:30:00'", "d = DATE '2026-11-20'"),
        (
            "d BETWEEN '2026-11-01 00:00:00' AND '2026-11-30 23:59:59'",
            "d IS NOT NULL AND d >= DATE '2026-11-01' AND d <= DATE '2026-11-30'",
        ),
        ("d >= date'2026-11'", "d IS NOT NULL AND d >= DATE '2026-11-01'"),
        ("d >= to_date('2026-11')", "d IS NOT NULL AND d >= DATE '2026-11-01'"),
        ("d >= CAST('2026' AS DATE)", "d IS NOT NULL AND d >= DATE '2026-01-01'"),
        (
            "ts >= timestamp'2026-11-26 12'",
            "ts IS NOT NULL AND ts >= TIMESTAMP '2026-11-26 12:00:00 UTC'",
        ),
        (
            "tsn >= timestamp_ntz'2026-11'",
            "tsn IS NOT NULL AND tsn >= TIMESTAMP '2026-11-01 00:00:00'",
        ),
        (
            "CAST(ts AS DATE) >= '2026-11-20 10:30:00'",
            "ts IS NOT NULL AND ts >= TIMESTAMP '2026-11-20 00:00:00 UTC'",
        ),
        ("CAST(d AS TIMESTAMP) >= '2026-11'", "d IS NOT NULL AND d >= DATE '2026-11-01'"),
        ("s >= '2026-11-20 10:30:00'", "s IS NOT NULL AND s >= '2026-11-20 10:30:00'"),
        ("i >= '2026'", "i IS NOT NULL AND i >= 2026"),
    ],
)
def test_in_every_comparison_and_constant(where: str, expected: str) -> None:
    assert pushed(where) == expected


@pytest.mark.parametrize(
    ("where", "before_4", "since_4"),
    [
        (
            "d IN ('2026-11-20 00:00:00')",
            "d IS NOT NULL",
            "d IS NOT NULL AND d = DATE '2026-11-20'",
        ),
        (
            "d IN ('2026-11-20 00:00:00', '2026-11')",
            "TRUE",
            "d IN (DATE '2026-11-01', DATE '2026-11-20')",
        ),
    ],
)
def test_a_list_is_cast_with_ansi_types(where: str, before_4: str, since_4: str) -> None:
    assert [pushed(where, version) for version in ((3, 5), (4, 0))] == [before_4, since_4]


def test_not_in_excludes_what_is_the_same_as_text_alone() -> None:
    # Without ANSI types the column is text there, and no text of a date has a time.
    found = condition("d NOT IN ('2026-11-20', '2026-11-21 00:00:00')", "spark", types=TYPES)
    told, rest = conjuncts(bind(found, SCHEMA))
    assert render(told) == "d != DATE '2026-11-20'"
    assert isinstance(rest, Unsupported)


@pytest.mark.parametrize("dialect", ["trino", "hive", "spark2", "snowflake", "duckdb", "mysql"])
def test_nothing_is_taken_for_other_engines(dialect: str) -> None:
    for text in ("2026-11-20 10:30:00", "2026-11"):
        found = bind(condition(f"d < '{text}'", dialect, types=TYPES), SCHEMA)
        assert render(found) == f"d < '{text}'"


@pytest.mark.parametrize("text", ["2026-11-20", "2026-11-20 10:30:00"])
def test_whole_ones_stay(text: str) -> None:
    assert cast_text(text, is_date=False) == text


@pytest.mark.parametrize("text", ["", "x", "EU", "-2026", "2026-11-26 12:30 UTC"])
def test_others_are_none(text: str) -> None:
    assert cast_text(text, is_date=False) is None


_NO_TIMES = ("2026-11-26 12:30 UTC", "2026-11-26 12 Z", "2026-11-26 12:30:00 +19:00", "2026-13-01")


@pytest.mark.parametrize(
    "where",
    [
        *(f"ts {op} '{text}'" for text in _NO_TIMES for op in ("<=>", "IS DISTINCT FROM")),
        *(f"({name} = '{text}') IS NULL" for text in _NO_TIMES for name in ("ts", "tsn")),
        *(f"if(ts = '{text}', 'a', 'b') = 'b'" for text in _NO_TIMES),
        "ts <=> CAST('2026-11-26 12:30 UTC' AS TIMESTAMP)",
        *("d <=> '2026-02-30'", "d <=> '2026-11-26x'", "i <=> 'x'", "i <=> '5000000000'"),
    ],
)
def test_a_text_that_may_be_cast_to_null_says_nothing(where: str) -> None:
    """Without ANSI types, Spark makes null of it, which `<=>` finds: no file of nulls is left out,
    and none of the time that others read there."""
    for planner in (None, Planner("spark", (3, 5))):
        found = condition(where, "spark", time_zone="UTC", planner=planner, types=TYPES)
        for part in conjuncts(bind(found, SCHEMA, time_zone="UTC")):
            assert any(isinstance(leaf, Unsupported) for leaf in leaves(part))


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("ts <=> '2026-11-26 12:30:00 UTC'", "ts = TIMESTAMP '2026-11-26 12:30:00 UTC'"),
        ("ts <=> '2026-11-26'", "ts = TIMESTAMP '2026-11-26 00:00:00 UTC'"),
        ("d <=> '2026-11-26 12:30 UTC'", "d = DATE '2026-11-26'"),
        ("i <=> '5'", "i = 5"),
        ("s <=> '2026-11-26 12:30 UTC'", "s = '2026-11-26 12:30 UTC'"),
        ("s IS DISTINCT FROM 'x'", "s != 'x' OR s IS NULL"),
        ("ts IS DISTINCT FROM '2026-11-26'",
         "ts != TIMESTAMP '2026-11-26 00:00:00 UTC' OR ts IS NULL"),
    ],
)  # fmt: skip
def test_others_are_compared_with_nulls(where: str, expected: str) -> None:
    assert pushed(where) == expected
