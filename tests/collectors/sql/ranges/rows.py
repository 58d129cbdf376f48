"""Random rows of a table with a column of each type that functions of dates, times, numbers and
texts take: leap days, ends of years and of the calendar, and changes of clocks among them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo

from tests.unseen_forms.value_sets import Row, Value

COLUMNS: Mapping[str, str] = {
    "dt": "date",
    "tsn": "timestamp",
    "tsz": "timestamptz",
    "n": "int",
    "l": "long",
    "d": "decimal(12,2)",
    "f": "double",
    "s": "string",
    "g": "string",
}
"""Iceberg types by name; the texts of `s` are mostly dates, those of `g` digits."""

ZONES = (
    *("UTC", "America/New_York", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe"),
    "Asia/Kolkata",
)

_DAYS = (
    *("0001-01-01", "0999-12-31", "1000-01-01", "1582-10-10", "1899-12-31", "1900-02-28"),
    *("1969-12-31", "1970-01-01", "2000-02-29", "2019-12-30", "2020-02-29", "2020-12-31"),
    *("2021-01-03", "2023-02-28", "2023-12-31", "2024-02-29", "2024-03-01", "2024-03-31"),
    *("2024-09-30", "2024-12-30", "2024-12-31", "2025-01-01", "2100-02-28", "9999-12-31"),
)
_INTS = (0, 1, 2, 7, 12, 13, 60, 99, 100, 366, 2024, 202402, 20240229, 2**31 - 1)
_LONGS = (*_INTS, 2**31, 1709164800, 1709251199, 1709164800000, 1709164800123456, 2**63 - 1)
_DECIMALS = ("0", "0.01", "0.5", "1", "1.5", "2.49", "2.5", "10", "99.99", "1234567890.12")
_DOUBLES = (0.0, -0.0, 0.1, 0.5, 1.5, 2.5, 100.0, 1.7091648e9, 1e15, 1e300, float("nan"))
_TEXTS = ("", " ", "-", "a", "A1b22C", " a b ", "a-b_c", "x|y|z", "aé😀", "0042", "K5", "~")
_DIGITS = ("0", "-7", " 42 ", "007", "1.5", "+3", "2147483648", "-0.005", "1e3", "x1", "")
_CHANGES = ((2018, 2019), (2024, 2025))


@lru_cache
def _changes() -> tuple[datetime, ...]:
    """Moments of UTC at which clocks of `ZONES` change, and what they read there."""
    found = []
    for zone in map(ZoneInfo, ZONES):
        for first, last in _CHANGES:
            moment = datetime(first, 1, 1, tzinfo=UTC)
            while moment.year < last:
                after = moment + timedelta(hours=1)
                offsets = {moment.astimezone(zone).utcoffset(), after.astimezone(zone).utcoffset()}
                if len(offsets) > 1:
                    found += [after + (offset or timedelta()) for offset in offsets] + [after]
                moment = after
    return tuple(moment.replace(tzinfo=None) for moment in found)


def rows(seed: int, count: int) -> list[Row]:
    """So many rows of `COLUMNS`."""
    source = random.Random(seed)  # noqa: S311  # nothing secret
    draw = {
        "dt": _day, "tsn": _time, "tsz": _time, "s": _text,
        "n": _whole(_INTS, 32), "l": _whole(_LONGS, 64),
        "d": _decimal, "f": _double, "g": _digits,
    }  # fmt: skip
    return [
        {name: None if source.random() < 0.04 else draw[name](source) for name in COLUMNS}
        for _ in range(count)
    ]


def _day(source: random.Random) -> Value:
    kind = source.random()
    if kind < 0.3:
        return date.fromisoformat(source.choice(_DAYS))
    if kind < 0.9:
        return date(1995, 1, 1) + timedelta(source.randrange(13_000))
    return date.fromordinal(source.randint(1, date.max.toordinal()))


def _time(source: random.Random) -> Value:
    if source.random() < 0.25:
        return source.choice(_changes()) + _beside(source)
    day: date = _day(source)
    midnight = datetime(day.year, day.month, day.day)
    second = timedelta(seconds=source.choice((0, 43_200, source.randrange(86_400))))
    moved = source.choice((0, 0, 1, 999_600, 999_999, source.randrange(1_000_000)))
    return midnight + second + timedelta(microseconds=moved)


def _beside(source: random.Random) -> timedelta:
    return timedelta(
        minutes=source.choice((0, 0, -30, 30, 15)), microseconds=source.choice((0, -1, 1))
    )


def _whole(known: tuple[int, ...], bits: int) -> Callable[[random.Random], Value]:
    def draw(source: random.Random) -> Value:
        kind = source.random()
        if kind < 0.4:
            return source.choice(known) * source.choice((1, 1, -1))
        if kind < 0.7:
            return source.randrange(-50, 3_000)
        if kind < 0.8:
            return int(f"{_day(source):%Y%m%d}")
        if kind < 0.9:
            return source.randrange(1_000_000_000, 2**31)
        return source.randrange(-(1 << bits - 1), 1 << bits - 1)

    return draw


def _decimal(source: random.Random) -> Value:
    if source.random() < 0.4:
        return Decimal(source.choice(_DECIMALS)) * source.choice((1, -1))
    return Decimal(source.randrange(-200_000, 300_000)).scaleb(-2)


def _double(source: random.Random) -> Value:
    if source.random() < 0.4:
        return source.choice(_DOUBLES) * source.choice((1, -1))
    return source.choice((source.uniform(-50, 3_000), float(source.randrange(-50, 3_000))))


def _text(source: random.Random) -> Value:
    kind = source.random()
    if kind < 0.2:
        return source.choice(_TEXTS)
    day: date = _day(source)
    plain = f"{day}"
    short = f"{day:%Y}-{day.month}-{day.day}"
    return source.choice((plain, plain, f"{day} 10:00:00", short, f"{day:%Y%m%d}"))


def _digits(source: random.Random) -> Value:
    if source.random() < 0.3:
        return source.choice(_DIGITS)
    return str(source.randrange(-50, 3_000))


def values_of(row: Row, names: frozenset[str]) -> Iterator[str]:
    """What a row holds in some columns, as text."""
    return (f"{name} = {row[name]!r}" for name in COLUMNS if name in names)
