"""Constants are what a real Trino computes, on odd days, around changes of clocks, and in zones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from prunescope.collectors.predicates.instants import parse_timestamp
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.values import Folded, Single
from tests.collectors.sql.constants.compared import Told, by_typeof, compared
from tests.collectors.sql.constants.drawn import drawn
from tests.collectors.sql.constants.grammars import GRAMMARS
from tests.collectors.sql.constants.moments import ZONES, filled, is_same, known
from tests.collectors.sql.constants.texts import texts_filled
from tests.differential.trino.engine import Refused, Trino

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

_OF_DAYS = (
    *(f"{part}(DATE '{{day}}')" for part in ("year", "quarter", "month", "day", "dow", "week")),
    *(f"{part}(DATE '{{day}}')" for part in ("doy", "yow", "day_of_month", "last_day_of_month")),
    *(f"extract({field} FROM DATE '{{day}}')" for field in ("DOW", "DOY", "YOW", "WEEK", "MONTH")),
    *(f"date_add('{unit}', -1, DATE '{{day}}')" for unit in ("month", "week", "year", "quarter")),
    *(f"date_trunc('{unit}', DATE '{{day}}')" for unit in ("month", "week", "quarter")),
    *(f"date_diff('{u}', DATE '{{day}}', DATE '2026-02-14')" for u in ("day", "week", "month")),
    *(f"date_diff('{u}', DATE '2024-03-15', DATE '{{day}}')" for u in ("day", "week", "year")),
    "year(DATE '{day}') * 100 + month(DATE '{day}')",
    "DATE '{day}' - INTERVAL '1' MONTH",
    *("date_format(DATE '{day}', '%Y%m%d')", "CAST(date_format(DATE '{day}', '%Y%m') AS integer)"),
    *("format_datetime(DATE '{day}', 'yyyyMM')", "CAST(DATE '{day}' AS varchar)"),
    "CAST(year(DATE '{day}') AS varchar) || '-'",
    "lpad(CAST(month(DATE '{day}') AS varchar), 2, '0')",
    *("to_unixtime(DATE '{day}')", "CAST(to_unixtime(CAST('{day}' AS timestamp)) AS bigint)"),
    *("from_iso8601_timestamp('{day}')", "CAST(DATE '{day}' AS timestamp with time zone)"),
    "IF(day(DATE '{day}') IN (28, 29), 'a', 'b')",
    "CASE WHEN month(DATE '{day}') BETWEEN 1 AND 3 THEN 1 END",
    "COALESCE(NULL, DATE '{day}')",
    "replace(substr('{day}', 1, 7), '-', '')",
)
_PLACES = ("UTC", "America/Los_Angeles", "Australia/Lord_Howe")
_OF_TIMES = (
    *("to_unixtime(TIMESTAMP '{time}')", "to_unixtime(TIMESTAMP '{time} Asia/Tokyo')"),
    *("hour(TIMESTAMP '{time}')", "second(TIMESTAMP '{time} Asia/Tokyo')"),
    *(
        form.replace("{time}", f"{{time}} {place}")
        for place in _PLACES
        for form in (
            "CAST(TIMESTAMP '{time}' AS timestamp)",
            "date(TIMESTAMP '{time}')",
            "hour(TIMESTAMP '{time}')",
            "date_trunc('hour', TIMESTAMP '{time}')",
            "date_trunc('week', TIMESTAMP '{time}')",
            "date_add('day', 1, TIMESTAMP '{time}')",
            "date_add('hour', -24, TIMESTAMP '{time}')",
            "date_add('month', 1, TIMESTAMP '{time}')",
            "TIMESTAMP '{time}' + INTERVAL '1' DAY",
            "TIMESTAMP '{time}' - INTERVAL '1' MONTH",
            "date(TIMESTAMP '{time}' AT TIME ZONE 'Europe/Berlin')",
            "CAST(at_timezone(TIMESTAMP '{time}', 'Asia/Kolkata') AS timestamp)",
            "date_format(TIMESTAMP '{time}', '%Y-%m-%d %H:%i:%s')",
            "date_format(date_trunc('day', TIMESTAMP '{time}'), '%Y-%m-%d %T')",
        )
    ),
    "with_timezone(TIMESTAMP '{time}', 'Europe/Berlin')",
    "date(with_timezone(TIMESTAMP '{time}', 'Asia/Tokyo') AT TIME ZONE 'UTC')",
    "CAST(TIMESTAMP '{time}' AS timestamp(3) with time zone)",
    "TIMESTAMP '{time}' AT TIME ZONE 'UTC'",
    "from_unixtime(to_unixtime(TIMESTAMP '{time} UTC'))",
    "date(from_unixtime(CAST(to_unixtime(TIMESTAMP '{time} UTC') AS bigint)))",
    "date(from_unixtime(0, 'Asia/Tokyo')) + INTERVAL '1' DAY",
    "CAST(from_iso8601_timestamp(replace('{time}', ' ', 'T') || '+09:00') AS timestamp)",
    "CAST(to_unixtime(TIMESTAMP '{time} UTC') * 1000 AS bigint)",
    "floor(to_unixtime(TIMESTAMP '{time} UTC') / 86400)",
    *(
        f"date_diff('{unit}', TIMESTAMP '2026-03-07 12:00:00', TIMESTAMP '{{time}}')"
        for unit in ("second", "minute", "hour", "day")
    ),
)
_BATCH = 40


@pytest.mark.parametrize("zone", ZONES)
def test_constants_are_what_trino_computes(zone: str, trino: Trino) -> None:
    _compare(list(filled((*_OF_DAYS, *_OF_TIMES))), zone, trino)


def test_functions_of_texts_are_what_trino_computes(trino: Trino) -> None:
    _compare(list(texts_filled("trino")), "UTC", trino)


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles"])
def test_random_constants_are_what_trino_computes(zone: str, trino: Trino) -> None:
    told = Told("trino", zone, by_typeof(lambda sql: trino.run(sql, zone=zone)[0]), Refused, _text)
    found = compared(drawn(GRAMMARS["trino"], seed=1, count=4_000), told)
    assert found.faults == []
    assert found.known > 0.8 * found.drawn


def _text(name: str, value: Folded) -> str:
    match value:
        case bytes():
            return f"to_hex({name})"
        case Timestamp(zoned=True):
            return f"CAST({name} AT TIME ZONE 'UTC' AS varchar)"
        case Single():
            return f"CAST(CAST({name} AS double) AS varchar)"
    return f"CAST({name} AS varchar)"


def _compare(expressions: Sequence[str], zone: str, trino: Trino) -> None:
    found = known(expressions, "trino", zone)
    faults = []
    asked = list(found)
    for start in range(0, len(asked), _BATCH):
        batch = asked[start : start + _BATCH]
        rows = trino.run(
            f"SELECT {', '.join(map(_as_text, batch, map(found.get, batch)))}", zone=zone
        )
        for sql, text in zip(batch, rows[0], strict=True):
            moment = parse_timestamp(text) if isinstance(found[sql], Timestamp) else None
            if not is_same(found[sql], text, moment):
                faults.append((sql, found[sql], text))
    assert faults == []
    assert len(found) > 0.8 * len(set(expressions))


def _as_text(sql: str, value: Folded | None) -> str:
    if isinstance(value, Timestamp) and value.zoned:
        return f"CAST(({sql}) AT TIME ZONE 'UTC' AS varchar)"
    return f"CAST(({sql}) AS varchar)"
