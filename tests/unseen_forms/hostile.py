"""Rows at which a form is judged: both sides of each bound of its truth, what a wrong zone, week,
month or factor would make of the bound, and values that are hard for any condition."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain, product, zip_longest

from tests.unseen_forms.forms import Form
from tests.unseen_forms.value_sets import Row, Value

_DAYS = (
    "0001-01-01 0004-02-29 1899-12-31 1900-03-01 1969-12-31 1970-01-01 1970-01-02 1972-02-29 "
    "1999-12-31 2000-02-29 2019-12-30 2020-12-31 2021-01-03 2021-01-04 2023-02-28 2023-09-30 "
    "2023-12-31 2024-01-01 2024-01-31 2024-02-28 2024-02-29 2024-03-01 2024-03-31 2024-12-30 "
    "2024-12-31 2025-01-01 2100-02-28 2262-04-12 9999-12-31"
)
_CLOCKS = (
    "0001-01-01 00:00 1969-12-31 23:59:59.999999 1970-01-01 00:00 1972-02-29 12:00 "
    "2020-12-31 23:59:59.999999 2023-12-31 19:00 2024-02-29 00:00 2024-02-29 23:59:59.999999 "
    "2024-03-01 00:00 2024-03-10 02:30 2024-03-10 07:00 2024-03-31 01:30 2024-07-01 12:00 "
    "2024-11-03 01:30 2024-11-03 05:30 2024-11-03 06:30 2024-12-31 23:59:59.999999 "
    "2038-01-19 03:14:08 9999-12-31 23:59:59.999999"
)
_INTS = (
    0, 1, 2, 3, 5, 9, 10, 11, 12, 13, 42, 99, 100, 127, 128, 255, 256, 1000, 1970, 2023, 2024, 2025,
    9999, 32767, 32768, 202403, 2024031, 20240229, 20240301, 2**31 - 1,
)  # fmt: skip
_LONGS = (2**31, 1709251199, 1709251200, 1709251200000, 253402300799, 253402300800, 10**12)
_TEXTS = (
    "", " ", "-", "a", "A", "ab", "aB", "Ab", "abc", "ABC", " abc", "abc ", "abcd", "xabc", "b",
    "k", "K", "\u212a", "\u017f", "ss", "\xdf", "\xe9", "\u0663", "~", "\U0001f600", "5", " 5",
    "-5", "+5", "005", "2024", "2024-", "2024-03-01", "2024-3-1", "20240301", "24", "7", "007",
)  # fmt: skip
_REALS = (0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 3.5, 19.5, 29.5, 127.5, 128.0, 1e9, 1e18)
_SPANS = (
    timedelta(microseconds=1), timedelta(milliseconds=1), timedelta(seconds=1), timedelta(hours=1),
    timedelta(hours=5), timedelta(hours=9), timedelta(days=1), timedelta(days=7),
    timedelta(days=31), timedelta(days=366),
)  # fmt: skip
_MOST_ROWS = 2800  # of a form of several columns: 52 values of each of two, 14 of each of three
_CLICKHOUSE_YEARS = range(1970, 2149)  # of its Date: many functions have one, undefined beyond


def rows(form: Form) -> list[Row]:
    """Rows of the form's columns, of which each value is within the limits of its engine."""
    boxes = form.boxes + form.witnesses
    values = []
    for column, type_name in form.columns.items():
        sets = [box.axes[column] for box in boxes if column in box.axes]
        bounds = sorted(set(chain.from_iterable(each.bounds for each in sets)))
        others = chain(_around(bounds, type_name), _plain(type_name))
        held = (value for value in others if _is_held(value, form, type_name))
        values.append(list(dict.fromkeys(chain([None], bounds, held))))
    if len(values) > 1:
        width = int(_MOST_ROWS ** (1 / len(values)))
        values = [_thinned(each, width) for each in values]
    return [dict(zip(form.columns, row, strict=True)) for row in product(*values)]


def _thinned(values: list[Value], width: int) -> list[Value]:
    """The first values, which are the bounds and what is around them, and some of the others."""
    if len(values) <= width:
        return values
    first = width * 3 // 4
    rest = values[first:]
    return values[:first] + rest[:: math.ceil(len(rest) / (width - first))]


def _plain(type_name: str) -> Iterable[Value]:
    """Values of a type that are hard for any condition."""
    match type_name:
        case "date":
            return map(date.fromisoformat, _DAYS.split())
        case "timestamp" | "timestamptz":
            parts = _CLOCKS.split()
            pairs = zip(parts[::2], parts[1::2], strict=True)
            return (datetime.fromisoformat(f"{day} {time}") for day, time in pairs)
        case "int":
            return chain(_INTS, (-value for value in _INTS))
        case "long":
            return chain(_INTS, _LONGS, (-value for value in _INTS + _LONGS))
        case "string":
            return _TEXTS
        case "double":
            return chain(_REALS, (-value for value in _REALS))
        case _:
            return (Decimal(str(sign * value)) for value in _REALS[:-2] for sign in (1, -1))


def _around(bounds: Iterable[Value], type_name: str) -> Iterator[Value]:
    """Neighbours of bounds, the nearest of all of them first."""
    steps = [_neighbours(type_name)(bound) for bound in bounds]
    for of_each in zip_longest(*steps, fillvalue=()):
        yield from chain.from_iterable(of_each)


def _neighbours(type_name: str) -> Callable[[Value], Iterator[tuple[Value, ...]]]:
    return _NEIGHBOURS[type_name.partition("(")[0]]


def _moments(bound: datetime) -> Iterator[tuple[Value, ...]]:
    for span in _SPANS:
        yield tuple(_moved(bound, span))


def _days(bound: date) -> Iterator[tuple[Value, ...]]:
    for days in (1, 2, 3, 7, 28, 31, 92, 365, 366):
        yield tuple(_moved(bound, timedelta(days=days)))


def _moved(bound: date, span: timedelta) -> Iterator[date]:
    """The bound less and plus the span, where these are dates at all."""
    for sign in (-1, 1):
        try:
            yield bound + sign * span
        except OverflowError:
            continue


def _whole_numbers(bound: int) -> Iterator[tuple[Value, ...]]:
    for step in (1, 2, 9, 10, 60, 999, 1000, 3600, 86400):
        yield bound - step, bound + step
    yield -bound, bound * 10
    yield bound // 10, bound * 1000
    yield (bound // 1000,)


def _decimals(bound: Decimal) -> Iterator[tuple[Value, ...]]:
    for step in ("0.01", "0.05", "0.5", "1"):
        yield bound - Decimal(step), bound + Decimal(step)
    yield (-bound,)


def _reals(bound: float) -> Iterator[tuple[Value, ...]]:
    yield math.nextafter(bound, -math.inf), math.nextafter(bound, math.inf)
    for step in (0.25, 0.5, 1.0, 10.0):
        yield bound - step, bound + step
    yield (-bound,)


def _texts(bound: str) -> Iterator[tuple[Value, ...]]:
    if bound:
        before, last = bound[:-1], ord(bound[-1])
        yield before + chr(last - 1), before + chr(last + 1)
        yield before + chr(last - 1) + "\U0010ffff", bound + "!"
        yield before, bound + "~"
    yield bound + " ", " " + bound
    yield bound.upper(), bound.lower()
    yield bound[1:], bound + bound
    yield ("-" + bound, bound + "-x", bound.swapcase())


_NEIGHBOURS: Mapping[str, Callable[[Value], Iterator[tuple[Value, ...]]]] = {
    "date": _days,
    "decimal": _decimals,
    "double": _reals,
    "int": _whole_numbers,
    "long": _whole_numbers,
    "string": _texts,
    "timestamp": _moments,
    "timestamptz": _moments,
}


def _is_held(value: Value, form: Form, type_name: str) -> bool:
    """Tells whether a column of the type holds the value, in the engine of the form."""
    match value:
        case int():
            return bool(abs(value) < 1 << (31 if type_name == "int" else 62))
        case date() if form.dialect == "clickhouse":
            return value.year in _CLICKHOUSE_YEARS
        case Decimal():
            return bool(abs(value) < 10**9)
        case _:
            return True
