"""What Trino leaves out of conditions before it looks for columns, as Trino 483 was seen to do."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import TRUE
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, as_expression, bind_pushed

_KINDS = {"ts": "timestamp", "tz": "timestamptz", "d": "date", "i": "int", "l": "long"}
_SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(_KINDS.items(), 1)
    ),
)
_FROM = "ts >= TIMESTAMP '2026-11-20 00:00:00'"
_UTC = "TIMESTAMP '2026-11-20 00:00:00 UTC'"
_LATER = "TIMESTAMP '2026-11-22 00:00:00 UTC'"
_ZONED = "CAST(ts AS timestamp with time zone)"
_DAY = f"{_FROM} AND ts < TIMESTAMP '2026-11-21 00:00:00'"
_MONTHS = "ts >= TIMESTAMP '2026-11-01 00:00:00'"


def _pushed(where: str, version: int = 483, zone: str = "UTC") -> str:
    planner = Planner("trino", (version,))
    found = condition(where, "trino", planner=planner, time_zone=zone, types=_KINDS)
    return render(as_expression(planner, bind_pushed(planner, found, _SCHEMA, time_zone=zone)))


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # Casts of dates.
        ("CAST(CAST(ts AS date) AS timestamp) = TIMESTAMP '2026-11-20 00:00:00'", _DAY),
        ("CAST(date(ts) AS timestamp(6)) >= TIMESTAMP '2026-11-20 00:00:00'", _FROM),
        (
            "CAST(CAST(ts AS date) AS timestamp) >= TIMESTAMP '2026-11-20 01:00:00'",
            "ts >= TIMESTAMP '2026-11-21 00:00:00'",
        ),
        (
            f"CAST(CAST(tz AS date) AS timestamp with time zone) >= {_UTC}",
            f"tz >= {_UTC}",
        ),
        ("CAST(CAST(d AS timestamp) AS date) >= DATE '2026-11-20'", "d >= DATE '2026-11-20'"),
        (
            "date_trunc('month', CAST(d AS timestamp)) = DATE '2026-11-01'",
            "d >= DATE '2026-11-01' AND d < DATE '2026-12-01'",
        ),
        # Casts to more digits, and to a time zone.
        ("date(CAST(ts AS timestamp(9))) = DATE '2026-11-20'", _DAY),
        ("CAST(ts AS timestamp with time zone) >= TIMESTAMP '2026-11-20 00:00:00 UTC'", _FROM),
        ("CAST(ts AS timestamp(6) with time zone) >= DATE '2026-11-20'", _FROM),
        ("CAST(year(ts) AS double) >= 2026", "ts >= TIMESTAMP '2026-01-01 00:00:00'"),
        # The coarser of two periods.
        ("CAST(date_trunc('day', ts) AS date) >= DATE '2026-11-20'", _FROM),
        ("DATE '2026-11-01' <= CAST(date_trunc('month', ts) AS date)", _MONTHS),
        (
            "CAST(date_trunc('month', ts) AS date) >= DATE '2026-11-05'",
            "ts >= TIMESTAMP '2026-12-01 00:00:00'",
        ),
        (
            "NOT (CAST(date_trunc('month', ts) AS date) >= DATE '2026-11-01')",
            "ts < TIMESTAMP '2026-11-01 00:00:00'",
        ),
        ("date_trunc('month', date_trunc('day', ts)) >= TIMESTAMP '2026-11-01 00:00:00'", _MONTHS),
        ("year(date_trunc('hour', ts)) >= 2026", "ts >= TIMESTAMP '2026-01-01 00:00:00'"),
        # TRY around what never fails.
        ("TRY(date(ts)) = DATE '2026-11-20'", _DAY),
        ("TRY(ts) >= TIMESTAMP '2026-11-20 00:00:00'", _FROM),
        ("TRY(ts >= TIMESTAMP '2026-11-20 00:00:00' AND i = 1)", f"i = 1 AND {_FROM}"),
        ("NOT TRY(i = 1 OR i = 3)", "i < 1 OR (i > 1 AND i < 3) OR i > 3"),
        ("TRY(CAST(i AS bigint)) = 5", "i = 5"),
    ],
)
def test_what_changes_nothing_is_left_out(where: str, expected: str) -> None:
    assert set(_pushed(where).split(" AND ")) == set(expected.split(" AND "))


@pytest.mark.parametrize(
    "where",
    [
        f"CAST(CAST(ts AS date) AS timestamp) IN (TIMESTAMP '2026-11-21 00:00:00', {_UTC})",
        f"CAST(ts AS timestamp with time zone) IN ({_UTC}, {_LATER})",
        f"{_ZONED} = {_UTC} OR {_ZONED} = {_LATER}",
        "CAST(ts AS timestamp(3) with time zone) >= TIMESTAMP '2026-11-20 00:00:00.1234567 UTC'",
        "CAST(CAST(d AS timestamp(6)) AS date) IN (DATE '2026-11-20', DATE '2026-11-22')",
        "CAST(CAST(ts AS date) AS timestamp) IS NULL",
        "TRY_CAST(CAST(ts AS date) AS timestamp) >= TIMESTAMP '2026-11-20 00:00:00'",
        "CAST(CAST(ts AS timestamp) AS date) >= DATE '2026-11-20'",
        "CAST(CAST(tz AS timestamp) AS date) >= DATE '2026-11-20'",
        "CAST(CAST(tz AS timestamp(9) with time zone) AS date) >= DATE '2026-11-20'",
        "CAST(date_trunc('day', ts) AS date) = DATE '2026-11-20'",
        "CAST(date_trunc('day', ts) AS date) <> DATE '2026-11-20'",
        "CAST(date_trunc('day', ts) AS date) BETWEEN DATE '2026-11-20' AND DATE '2026-11-22'",
        "CAST(date_trunc('day', tz) AS date) >= DATE '2026-11-20'",
        "CAST(date_trunc('week', ts) AS date) >= DATE '2026-11-16'",
        "year(date_trunc('quarter', ts)) >= 2026",
        "TRY(date_trunc('month', ts)) = TIMESTAMP '2026-11-01 00:00:00'",
        "TRY(CAST(tz AS date)) >= DATE '2026-11-20'",
        "TRY(i + 1) = 3",
        "TRY(i = 1 AND l + 1 = 3)",
        "TRY(CAST(l AS integer)) = 5",
    ],
)
def test_what_stays(where: str) -> None:
    assert _pushed(where) == render(TRUE)


_BETWEEN = [
    (
        "year({}) BETWEEN 2025 AND 2026",
        "TIMESTAMP '2025-01-01 00:00:00 UTC'",
        "TIMESTAMP '2027-01-01 00:00:00 UTC'",
    ),
    (
        "extract(YEAR FROM {}) BETWEEN 2025 AND 2025",
        "TIMESTAMP '2025-01-01 00:00:00 UTC'",
        "TIMESTAMP '2026-01-01 00:00:00 UTC'",
    ),
    (
        "date_trunc('month', {}) BETWEEN DATE '2026-10-01' AND DATE '2026-11-01'",
        "TIMESTAMP '2026-10-01 00:00:00 UTC'",
        "TIMESTAMP '2026-12-01 00:00:00 UTC'",
    ),
    (
        f"date_trunc('hour', {{}}) BETWEEN {_UTC} AND {_LATER}",
        _UTC,
        "TIMESTAMP '2026-11-22 01:00:00 UTC'",
    ),
]


@pytest.mark.parametrize(("where", "low", "high"), _BETWEEN)
def test_the_connector_splits_between_of_columns_with_a_time_zone(
    where: str, low: str, high: str
) -> None:
    assert _pushed(where.format("tz")) == f"tz >= {low} AND tz < {high}"
    for column in ("ts", "d"):  # whose functions the optimizer unwraps, in comparisons alone
        assert _pushed(where.format(column)) == render(TRUE)


@pytest.mark.parametrize(
    "where",
    [
        "year(tz) NOT BETWEEN 2025 AND 2026",
        "NOT (year(tz) BETWEEN 2025 AND 2026)",
        "year(tz) BETWEEN SYMMETRIC 2025 AND 2026",
        "year(tz) BETWEEN 2025 AND 2026 OR tz IS NULL",
        "month(tz) BETWEEN 3 AND 4",
        "date_trunc('week', tz) BETWEEN DATE '2026-11-16' AND DATE '2026-11-23'",
        "date_trunc('minute', tz) BETWEEN DATE '2026-11-16' AND DATE '2026-11-23'",
        "year(date_trunc('month', tz)) BETWEEN 2025 AND 2026",
    ],
)
def test_it_splits_no_other(where: str) -> None:
    assert _pushed(where) == render(TRUE)


@pytest.mark.parametrize(
    "where", ["TRY(ts) >= TIMESTAMP '2026-11-20 00:00:00'", "year(tz) BETWEEN 2025 AND 2026"]
)
def test_older_versions_were_not_seen_to(where: str) -> None:
    assert _pushed(where, 482) == render(TRUE)


def test_times_without_a_zone_have_that_of_the_session() -> None:
    where = "CAST(ts AS timestamp with time zone) >= TIMESTAMP '2026-11-20 00:00:00 UTC'"
    assert _pushed(where, zone="Europe/Berlin") == "ts >= TIMESTAMP '2026-11-20 01:00:00'"
