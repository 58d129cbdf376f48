"""Where the type of a column is known, Trino reads it by one clock: with a time zone by that of
UTC, without one as it is, whatever the session's is."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition

TYPES = {"zoned": "timestamptz", "plain": "timestamp", "day": "date"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)


def _said(where: str, types: dict[str, str]) -> str:
    found = condition(where, "trino", time_zone="America/New_York", types=types)
    return render(bind(found, SCHEMA, time_zone="America/New_York"))


@pytest.mark.parametrize(
    ("where", "since"),
    [
        ("date_format({}, '%Y-%m-%d') >= '2026-01-04'", "2026-01-03 23:59:59.9995"),
        ("format_datetime({}, 'yyyy-MM') >= '2026-02'", "2026-01-31 23:59:59.9995"),
        ("CAST({} AS varchar) >= '2026-01-04 06:00:00'", "2026-01-04 06:00:00"),
        ("year({}) >= 2026", "2026-01-01 00:00:00"),
        ("CAST({} - INTERVAL '5' HOUR AS date) >= DATE '2026-01-04'", "2026-01-04 05:00:00"),
        ("last_day_of_month({}) >= DATE '2026-01-31'", "2026-01-01 00:00:00"),
    ],
)
def test_times_are_read_by_one_clock(where: str, since: str) -> None:
    assert _said(where.format("zoned"), TYPES) == f"zoned >= TIMESTAMP '{since} UTC'"
    assert _said(where.format("plain"), TYPES) == f"plain >= TIMESTAMP '{since}'"


def test_of_a_type_that_is_not_known_it_may_be_either() -> None:
    assert _said("year(zoned) >= 2026", {}) == (
        "zoned >= TIMESTAMP '2026-01-01 05:00:00 UTC'"
        " OR zoned >= TIMESTAMP '2026-01-01 00:00:00 UTC'"
    )


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("date_format(day, '%Y-%m-%d') >= '2026-01-04'", "day >= DATE '2026-01-04'"),
        # The text of a time goes on behind that of its day.
        # The literal is a moment of the session's clock, at which no day of UTC begins.
        ("date_trunc('day', zoned) = TIMESTAMP '2026-01-04 00:00:00'", "FALSE"),
        (
            "date_trunc('day', zoned) >= TIMESTAMP '2026-01-04 00:00:00 UTC'",
            "zoned >= TIMESTAMP '2026-01-04 00:00:00 UTC'",
        ),
        # A zone that is named.
        (
            "CAST(zoned AT TIME ZONE 'Europe/Berlin' AS date) >= DATE '2026-01-04'",
            "zoned >= TIMESTAMP '2026-01-03 23:00:00 UTC'",
        ),
    ],
)
def test_other_clocks(where: str, expected: str) -> None:
    assert _said(where, TYPES) == expected
