"""No row that a condition finds is ruled out where clocks are put forward or back, in any zone.

What is true of a moment is told by `zoneinfo` alone, by the rules of java.time, with which Spark
computes: a reading that the clock skips is moved by what it skips, one that it repeats is the
earlier of both, and a day starts at the first moment that the clock reads it.
"""

from __future__ import annotations

import datetime as dt
import operator
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial, reduce
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import numpy as np
import numpy.typing as npt
import pytest
from sqlglot import exp

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Or,
    Predicate,
    Unsupported,
    Written,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.conditions.convert import convert
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.text.boolean import formula
from prunescope.collectors.sql.text.parse import parse_condition
from tests.sampled import one_in

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
MICROSECOND = dt.timedelta(microseconds=1)
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
SCHEMA = Schema(0, (SchemaColumn(1, ("x",), "timestamptz", False, False, False),))
ORDER: dict[type[exp.Expr], Callable[[Any, Any], Any]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
}
OPS = dict(zip((Op.EQ, Op.NOT_EQ, Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ), ORDER.values(), strict=True))
# Whole days skipped or repeated, midnights within what is skipped or repeated, and others.
NAMED = (
    "Pacific/Apia", "Pacific/Kwajalein", "Pacific/Enderbury", "Asia/Manila", "America/Toronto",
    "America/St_Johns", "America/Sao_Paulo", "Africa/Cairo", "Asia/Amman", "Australia/Lord_Howe",
    "Africa/Monrovia", "Europe/Berlin", "America/Juneau", "Antarctica/Casey", "Asia/Pyongyang",
)  # fmt: skip


@cache
def local(moment: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """What the clock of a zone reads."""
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)


def moment_of(reading: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """The moment of a reading: Python's fold of 0 is what java.time does."""
    return reading.replace(tzinfo=zone).astimezone(dt.UTC)


@cache
def start_of(day: dt.date, zone: ZoneInfo) -> dt.datetime:
    """The first moment of a day; where the clock skips it all, the first after it."""
    midnight = dt.datetime.combine(day, dt.time())
    if local(moment_of(midnight, zone), zone) == midnight:
        return moment_of(midnight, zone)
    low, high = moment_of(midnight, zone) - 2 * DAY, moment_of(midnight, zone)
    while high - low > dt.timedelta(seconds=1):
        middle = low + (high - low) // 2
        low, high = (middle, high) if local(middle, zone) < midnight else (low, middle)
    return high.replace(microsecond=0)


def first_day(unit: str, day: dt.date) -> dt.date:
    match unit:
        case "year":
            return day.replace(month=1, day=1)
        case "month":
            return day.replace(day=1)
        case "week":
            return day - day.weekday() * DAY
    return day


@dataclass(frozen=True)
class Case:
    """A condition, in which `<=>` stands for a sign, and what it compares of a moment, with what,
    and how."""

    sql: str
    sign: type[exp.Expr]
    of: Callable[[dt.datetime], object]
    holds_for: Callable[[Any, Any], bool]
    value: object

    def holds(self, moment: dt.datetime) -> bool:
        return self.holds_for(self.of(moment), self.value)


def cases(reading: dt.datetime, zone: ZoneInfo) -> Iterator[Case]:
    """Conditions on column x with a reading of the clock, its day and its parts."""
    text, day = f"TIMESTAMP '{reading}'", reading.date()
    at, start = moment_of(reading, zone), start_of(day, zone)
    later = moment_of(local(at, zone) + DAY, zone)
    year, month = f"year(x) = {day.year}", day.year * 12 + day.month
    month_of = partial(_month_of, zone, day.year)
    for sign, order in ORDER.items():
        compared: list[tuple[str, Callable[[dt.datetime], object], str, object]] = [
            ("x", _itself, text, at),
            ("x", _itself, f"DATE '{day}'", start),
            ("x", _itself, f"{text} + INTERVAL '1' HOUR", at + HOUR),
            ("x", _itself, f"{text} + INTERVAL '1' DAY", later),
            ("CAST(x AS DATE)", partial(_day_of, zone), f"DATE '{day}'", day),
            ("CAST(x AS DATE)", partial(_day_of, zone), f"CAST({text} AS DATE)", _day_of(zone, at)),
            ("year(x)", partial(_formatted, zone, "%Y"), str(day.year), f"{day:%Y}"),
            *_texts(reading, zone),
            *(
                (f"date_trunc('{unit}', x)", partial(_truncated, zone, unit), text, at)
                for unit in ("day", "week", "month", "year")
            ),
        ]
        for left, of, right, value in compared:
            yield Case(f"{left} <=> {right}", sign, of, order, value)
        yield Case(f"{year} AND month(x) <=> {day.month}", sign, month_of, _both(order), month)
    yield Case(f"x BETWEEN DATE '{day}' AND {text}", exp.Between, _itself, _between, (start, at))
    sql = f"date_trunc('day', x) BETWEEN {text} AND {text}"
    truncated = partial(_truncated, zone, "day")
    yield Case(sql, exp.Between, truncated, operator.eq, at)


def _texts(
    reading: dt.datetime, zone: ZoneInfo
) -> Iterator[tuple[str, Callable[[dt.datetime], object], str, object]]:
    for sql, pattern in (
        ("date_format(x, 'yyyy-MM-dd')", "%Y-%m-%d"),
        ("date_format(x, 'yyyy-MM-dd HH')", "%Y-%m-%d %H"),
    ):
        value = reading.strftime(pattern)
        yield sql, partial(_formatted, zone, pattern), f"'{value}'", value
    day = str(reading.date())
    yield "CAST(x AS string)", lambda moment: str(local(moment, zone)), f"'{day}'", day


def _itself(moment: dt.datetime) -> dt.datetime:
    return moment


def _day_of(zone: ZoneInfo, moment: dt.datetime) -> dt.date:
    return local(moment, zone).date()


def _month_of(zone: ZoneInfo, year: int, moment: dt.datetime) -> int | None:
    """The number of a month of the year; None for those of other years."""
    reading = local(moment, zone)
    return reading.year * 12 + reading.month if reading.year == year else None


def _both(order: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda found, value: found is not None and order(found, value)


def _formatted(zone: ZoneInfo, pattern: str, moment: dt.datetime) -> str:
    return local(moment, zone).strftime(pattern)


def _truncated(zone: ZoneInfo, unit: str, moment: dt.datetime) -> dt.datetime:
    return start_of(first_day(unit, local(moment, zone).date()), zone)


def _between(value: Any, bounds: Any) -> bool:
    return bool(bounds[0] <= value <= bounds[1])


def converted(case: Case, zone: str) -> Predicate:
    # What is printed of a condition is not looked at here, and takes longer than to convert it.
    reader = Reader(
        lambda column: (column.name,),
        Session("spark", time_zone=zone),
        printer=lambda _: Written("", ""),
    )
    tree = parsed(case.sql).transform(_with_sign, case.sign)
    return bind(convert(formula(tree), reader), SCHEMA, time_zone=zone)


@cache
def parsed(sql: str) -> exp.Expr:
    """Once for all signs."""
    return parse_condition(sql, "spark")


def _with_sign(node: exp.Expr, sign: type[exp.Expr]) -> exp.Expr:
    if isinstance(node, exp.NullSafeEQ):
        return sign(this=node.this, expression=node.expression)
    return node


def matches(predicate: Predicate, micros: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether each of some moments can be found."""
    match predicate:
        case Always(constant):
            return np.full(len(micros), constant)
        case And(children):
            return ~_any(~matches(child, micros) for child in children)
        case Or(children):
            return _any(matches(child, micros) for child in children)
        case BoundComparison(op, _, values) if op in OPS:
            return np.array(OPS[op](micros, values[0]), np.bool_)
    return np.ones(len(micros), np.bool_)


def _any(found: Iterable[npt.NDArray[np.bool_]]) -> npt.NDArray[np.bool_]:
    return reduce(operator.or_, found)


@cache
def transitions(zone: ZoneInfo) -> tuple[dt.datetime, ...]:
    """The moments since 1900 at which the offset of a zone changes."""
    found = []
    week = dt.timedelta(days=7)
    before = dt.datetime(1900, 1, 1, tzinfo=dt.UTC)
    old = before.astimezone(zone).utcoffset()
    while before.year < 2038:
        low, high = before, before + week
        new = high.astimezone(zone).utcoffset()
        if new != old:
            while high - low > dt.timedelta(seconds=1):
                middle = low + (high - low) // 2
                is_old = middle.astimezone(zone).utcoffset() == old
                low, high = (middle, high) if is_old else (low, middle)
            found.append(high.replace(microsecond=0))
        before, old = before + week, new
    return tuple(found)


def lost(
    at: dt.datetime, zone: ZoneInfo, chosen: Callable[[Sequence[Case]], Sequence[Case]]
) -> list[str]:
    """The conditions that rule out a moment near a transition of which they are true."""
    skipped_from, skipped_to = local(at - MICROSECOND, zone) + MICROSECOND, local(at, zone)
    low, high = sorted((skipped_from, skipped_to))
    midnight = dt.datetime.combine(high.date(), dt.time())
    readings = {low, low + (high - low) // 2, high, midnight, midnight - DAY, midnight + DAY}
    # Texts of readings with fractions of seconds, as of local mean times, are not written here.
    found = chosen(
        [case for r in sorted(readings) for case in cases(r.replace(microsecond=0), zone)]
    )
    moments = [at + i * dt.timedelta(minutes=47) for i in range(-70, 71)]
    moments += [at - MICROSECOND, at, at + MICROSECOND, at + HOUR / 2]
    micros = np.array([(moment - EPOCH) // MICROSECOND for moment in moments])
    return [
        f"{case.sql} ({case.sign.__name__}) at {moments[number]} in {zone.key}"
        for case in found
        for number in np.flatnonzero(~matches(converted(case, zone.key), micros))
        if case.holds(moments[number])
    ]


@cache
def of_known_oddity() -> dict[str, list[dt.datetime]]:
    """The last transition of each shape that no zone before has."""
    seen: set[object] = set()
    found = {}
    for name in NAMED:
        zone = ZoneInfo(name)
        by_shape = {_shape(at, zone): at for at in transitions(zone)}
        found[name] = [at for shape, at in by_shape.items() if shape not in seen]
        seen.update(by_shape)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in(8, NAMED, str))
def test_rows_near_transitions_of_known_oddity_stay(name: str) -> None:
    zone = ZoneInfo(name)
    assert not [text for at in of_known_oddity()[name] for text in lost(at, zone, list)][:5]


@pytest.mark.parametrize(
    ("hour", "expected"),
    [
        (
            "2026-03-29 01",
            "x >= TIMESTAMP '2026-03-29 00:00:00 UTC' AND x < TIMESTAMP '2026-03-29 01:00:00 UTC'",
        ),  # skipped
        (
            "2026-03-29 03",
            "x >= TIMESTAMP '2026-03-29 01:00:00 UTC' AND x < TIMESTAMP '2026-03-29 02:00:00 UTC'",
        ),  # the next one is repeated
    ],
)
def test_an_hour_ends_where_the_clock_skips_the_next(hour: str, expected: str | None) -> None:
    sql, zone = f"date_format(x, 'yyyy-MM-dd HH') = '{hour}'", "Europe/Berlin"
    found = condition(sql, "spark", time_zone=zone, types={"x": "timestamptz"})
    schema = Schema(0, (SchemaColumn(1, ("x",), "timestamptz", False, False, False),))
    bound = bind(found, schema, time_zone=zone)
    assert isinstance(bound, Unsupported) if expected is None else render(bound) == expected


def test_a_day_that_the_clock_skips_keeps_the_rows_of_the_next() -> None:
    zone = ZoneInfo("Pacific/Apia")
    (at,) = [at for at in transitions(zone) if at.date() == dt.date(2011, 12, 30)]
    wanted = "'day', x) <=>"
    assert not lost(
        at, zone, lambda cases: [c for c in cases if wanted in c.sql and c.sign is exp.EQ]
    )


@pytest.mark.slow
@pytest.mark.exhaustive
def test_rows_near_any_transition_of_any_zone_stay() -> None:
    seen = set()
    generator = random.Random(20)  # noqa: S311  # the same conditions each time
    found: list[str] = []
    for name in sorted(available_timezones()):
        zone = ZoneInfo(name)
        for at in transitions(zone):
            shape = _shape(at, zone)
            if shape not in seen:
                seen.add(shape)
                found += lost(at, zone, lambda cases: generator.sample(cases, 12))
    assert len(seen) > 300
    assert not found[:5]


def _shape(at: dt.datetime, zone: ZoneInfo) -> tuple[object, ...]:
    """What a transition is as far as conditions can tell: the readings before and after."""
    before, after = local(at - MICROSECOND, zone) + MICROSECOND, local(at, zone)
    is_first = (before.day == 1, after.day == 1, before.month == 1)
    return (before.time(), after - before, is_first)
