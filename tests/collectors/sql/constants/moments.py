"""Days, moments and zones of which constants are computed, where calendars and clocks are odd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Folded
from prunescope.collectors.sql.functions.folding import fold
from prunescope.collectors.sql.text.parse import parse_condition

ZONES = ("UTC", "America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe")
_DAYS = (
    *("1969-12-31", "1999-12-31", "2000-02-29", "2023-02-28", "2024-01-31", "2024-02-29"),
    *("2024-12-30", "2026-03-31", "2026-05-31", "2026-08-16", "2027-01-01", "2027-01-03"),
)
_TIMES = (
    *("1969-12-31 23:59:59", "2026-01-01 00:00:00", "2026-03-08 01:59:59", "2026-03-08 12:30:00"),
    *("2026-03-29 00:30:00", "2026-04-04 14:45:00", "2026-10-04 03:00:00", "2026-10-25 05:10:00"),
    *("2026-11-01 09:59:59", "2026-12-31 23:59:59.123"),
)


def filled(templates: Sequence[str]) -> Iterator[str]:
    """Each expression with all of the days, or times, in place of its `{day}` or `{time}`."""
    for template in templates:
        if "{day}" in template:
            yield from (template.replace("{day}", day) for day in _DAYS)
        else:
            yield from (template.replace("{time}", time) for time in _TIMES)


def known(expressions: Sequence[str], dialect: str, zone: str) -> dict[str, Folded]:
    """The values of those expressions that are computed in a zone."""
    found = {}
    for sql in expressions:
        try:
            found[sql] = fold(parse_condition(sql, dialect), Session(dialect, time_zone=zone))
        except CannotConvert:
            continue
    return found


def plain(value: object) -> object:
    """A value without what it says of its type."""
    for kind in (bool, int, Decimal, float, str):
        if isinstance(value, kind):
            return kind(value)
    return value


def is_same(value: Folded, told: str | None, moment: Timestamp | None) -> bool:
    """Whether a value is the text that an engine tells of it, or of a time the `moment` there."""
    match value:
        case Timestamp():
            return moment is not None and moment.nanos == value.nanos
        case bool():
            return told == str(value).lower()
        case int() | Decimal():
            return told is not None and Decimal(told) == value
        case float():
            return told is not None and float(told) == value
    return told is None if value is NULL else told == str(value)
