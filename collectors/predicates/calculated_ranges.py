"""Which values of a column satisfy a comparison of what is calculated of it.

The steps are undone one after the other, from the numbers that satisfy the comparison back to those
of the column (`spans`). What is found holds every row that the engine selects, and is exact where
that is proven:

- Trino (480) raises an error where whole numbers overflow, and where a cast has no result, and so
  does Spark with `spark.sql.ansi.enabled`, the default since 4.0. Without it (3.5's default) Spark
  wraps whole numbers around, and `-x`, `abs(x)` of the least one is itself: what such rows can
  satisfy is held as well, as no log tells the setting for certain. Decimals become null there.
- Floating point is rounded at each step: what is held is wider by more than that.
- Decimals are exact as long as no result needs more than 38 digits; what could is not converted.
  Quotients are rounded: what is held is wider by a unit of their last digit.
- A cast to a whole number cuts towards zero in Spark, where floating point ends at the bounds of
  the type and NaN is 0; in Trino it rounds, halves away from zero.
- Dates are those of the years 1 to 9999, in which no engine overflows.
- Instants of Unix times are exact for whole numbers. Of fractions that were made of these, a
  millisecond more is held: Trino counts seconds as a double, and rounds to milliseconds.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from collectors.predicates.calculated_inverse import numbers
from collectors.predicates.calculated_kinds import Kind, UnknownResult, kind_of, result
from collectors.predicates.calculated_truths import of_truth
from collectors.predicates.calculations import (
    Calculated,
    Conversion,
    DateOfDigits,
    DaysSince,
    DaysUntil,
    Default,
    Elapsed,
    FirstDigits,
    Instant,
    Linear,
    Moved,
    Step,
)
from collectors.predicates.calendar import NANOS_PER_DAY, Interval, nanos_of
from collectors.predicates.defaults import or_default
from collectors.predicates.digits import beginning_with, date_of_digits
from collectors.predicates.instants import parse_zone
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Comparison, Predicate, all_of, any_of
from collectors.predicates.moved_times import (
    elapsed_time,
    moved_date,
    moved_day,
    moved_time,
    rounded_time,
)
from collectors.predicates.operators import FLIPPED, Op
from collectors.predicates.spans import Span, Spans, merged, merged_whole
from collectors.types import MAX_INT64, NANOS_PER_UNIT, from_unscaled, is_floating

# Comparisons that NaN satisfies where it is the greatest number, and wherever.
_ABOVE = frozenset({Op.GT, Op.GT_EQ})
_OTHERS = frozenset({Op.NOT_EQ, Op.NOT_NULL})
_EXACT = 2**53 - 1
"""Whole numbers up to which doubles are exact."""
_KEEPING_MILLISECONDS = frozenset(f"timestamp({digits})" for digits in range(3, 13))
_MILLISECOND = Fraction(1, 1000)
_MAX_SECONDS = 2**40
"""Seconds whose milliseconds doubles tell apart."""


@dataclass(frozen=True, slots=True)
class Selected:
    """An unbound predicate of the column that holds all that a comparison selects, and whether it
    holds nothing else."""

    predicate: Predicate
    is_exact: bool


def selected(found: Calculated, type_name: str, time_zone: str | None) -> Selected | None:
    """What a comparison says of a column of an Iceberg type; None where nothing is known.
    `time_zone` is the session's."""
    column = Column(found.calculation.path)
    try:
        match found.calculation.steps:
            case [Default(value)] if type_name == "string" or type_name in NANOS_PER_UNIT:
                return Selected(*or_default(column, found, value, type_name))
            case [Moved() as step] if type_name == "date":
                return Selected(*moved_day(column, found, step, time_zone))
            case [Linear(1, int(days))] if type_name == "date" and found.is_spark:
                interval = Interval(days=days)
                return Selected(moved_date(column, found.op, found.value, interval), True)
            case [Moved(interval)] if type_name in NANOS_PER_UNIT:
                return Selected(*moved_time(column, found, interval, type_name, time_zone))
            case [DaysSince(date)] if type_name == "date":
                day = date + _days(found.value)
                return Selected(Comparison(found.op, column, (day,)), True)
            case [DaysUntil(date)] if type_name == "date":
                day = date - _days(found.value)
                return Selected(Comparison(FLIPPED[found.op], column, (day,)), True)
            case [DaysSince(date) | DaysUntil(date) as days] if type_name in NANOS_PER_UNIT:
                step = Elapsed(date, NANOS_PER_DAY, is_until=isinstance(days, DaysUntil))
                return Selected(elapsed_time(column, found, step, type_name, time_zone), False)
            case [Elapsed() as step] if found.is_spark or type_name != "date":
                return Selected(elapsed_time(column, found, step, type_name, time_zone), False)
            case [FirstDigits() as step]:
                kind = kind_of(type_name)
                return Selected(beginning_with(column, found, step, kind), True)
            case [DateOfDigits() as step]:
                kind = kind_of(type_name)
                read = replace(found, value=_reading(found.value, time_zone))
                return Selected(date_of_digits(column, read, step, kind), False)
            case [*before, Instant(nanos)]:
                return _of_instant(column, found, tuple(before), nanos, type_name, time_zone)
            case [*before, Instant(nanos), Conversion(name)] if name in _KEEPING_MILLISECONDS:
                if not isinstance(found.value, Timestamp) or found.value.zoned:
                    return None
                return _of_instant(column, found, tuple(before), nanos, type_name, time_zone)
            case [Conversion(name)] if name.startswith("timestamp"):
                digits = int(name[len("timestamp(") : -1])
                return Selected(rounded_time(column, found, digits, type_name), True)
        return _of_number(column, found, type_name)
    except (UnknownResult, OverflowError, ValueError):
        return None


def _of_number(column: Column, found: Calculated, type_name: str) -> Selected:
    if type_name == "boolean":
        return Selected(*of_truth(column, found))
    return _inverted(column, found, kind_of(type_name))


def _of_instant(
    column: Column,
    found: Calculated,
    before: tuple[Step, ...],
    nanos: int,
    type_name: str,
    time_zone: str | None,
) -> Selected:
    """`instant op value` as a comparison of the number of units, of so many nanoseconds each."""
    kind = kind_of(type_name)
    for step in before:
        kind = result(step, kind, is_spark=found.is_spark)
    units = Fraction(_instant(found.value, time_zone), nanos)
    if not kind.is_integer:
        return _of_fractions(column, found, before, units, type_name)
    # Nanoseconds are taken as whole numbers alone, seconds as doubles.
    if abs(units) > (_EXACT if nanos > 1 else MAX_INT64):
        raise UnknownResult
    number = Decimal(units.numerator) / units.denominator
    if Fraction(number) != units:
        raise UnknownResult
    value = int(number) if units.denominator == 1 else number
    calculation = replace(found.calculation, steps=before)
    return _inverted(
        column, replace(found, calculation=calculation, value=value), kind_of(type_name)
    )


def _of_fractions(
    column: Column, found: Calculated, before: tuple[Step, ...], units: Fraction, type_name: str
) -> Selected:
    """The same where whole numbers were made fractions of seconds of: Trino rounds these to
    milliseconds, and Spark cuts them to microseconds."""
    if not kind_of(type_name).is_integer or abs(units) > _MAX_SECONDS:
        raise UnknownResult

    def beyond(op: Op, margin: Fraction) -> Predicate:
        end = units + margin
        value = Decimal(end.numerator) / end.denominator
        calculation = replace(found.calculation, steps=before)
        part = replace(found, calculation=calculation, op=op, value=value)
        return _inverted(column, part, kind_of(type_name)).predicate

    match found.op:
        case Op.LT | Op.LT_EQ:
            return Selected(beyond(Op.LT_EQ, _MILLISECOND), is_exact=False)
        case Op.GT | Op.GT_EQ:
            return Selected(beyond(Op.GT_EQ, -_MILLISECOND), is_exact=False)
        case Op.EQ:
            ends = beyond(Op.GT_EQ, -_MILLISECOND), beyond(Op.LT_EQ, _MILLISECOND)
            return Selected(all_of(*ends), is_exact=False)
    return Selected(Comparison(Op.NOT_NULL, column), is_exact=False)


def _instant(value: LiteralValue, time_zone: str | None) -> int:
    """Nanoseconds since 1970 in UTC of a literal, whose clock is the session's."""
    match value:
        case Timestamp(nanos, zoned=True):
            return nanos
        case Timestamp(nanos) if time_zone is not None and parse_zone(time_zone) == dt.UTC:
            return nanos
        case dt.date():
            return _instant(Timestamp(nanos_of(value), zoned=False), time_zone)
    raise UnknownResult


def _reading(value: LiteralValue, time_zone: str | None) -> LiteralValue:
    """What the session's clock reads at a literal."""
    if isinstance(value, Timestamp) and value.zoned:
        return Timestamp(_instant(replace(value, zoned=False), time_zone), zoned=False)
    return value


def _days(number: LiteralValue) -> dt.timedelta:
    if isinstance(number, bool) or not isinstance(number, int):
        raise UnknownResult
    return dt.timedelta(number)


def _inverted(column: Column, found: Calculated, kind: Kind) -> Selected:
    satisfying = numbers(found, kind)
    spans, is_exact = satisfying.spans, satisfying.is_exact
    spans = merged(spans)
    arms = list(_arms(column, spans, kind, is_exact=is_exact))
    if kind.is_floating:
        is_exact = is_exact and all(map(_is_of_floats, spans))
        ops = {arm.op for arm in arms if isinstance(arm, Comparison)}
        has_nan = bool(ops & (_ABOVE | _OTHERS if found.orders_nan else _OTHERS))
        # Ranges with NaN above all rule out what statistics have no NaN of, as engines do.
        is_told = bool(ops & _OTHERS) if _becomes_number(found, kind) else has_nan
        if satisfying.takes_nan and not is_told:
            arms.append(Comparison(Op.IS_NAN, column))
        # Binding rounds literals to singles, either way.
        is_exact = is_exact and (bool(satisfying.takes_nan) or not has_nan) and kind.name != "float"
    if satisfying.takes_null:
        arms.append(Comparison(Op.IS_NULL, column))
    return Selected(any_of(*arms), is_exact)


def _becomes_number(found: Calculated, kind: Kind) -> bool:
    """Whether a step makes a number of NaN, as Spark's casts to whole numbers do."""
    for step in found.calculation.steps:
        kind = result(step, kind, is_spark=found.is_spark)
        if not kind.is_floating:
            return True
    return False


def _arms(column: Column, spans: Spans, kind: Kind, *, is_exact: bool) -> Iterator[Predicate]:
    """The values of a column in spans, of which each is a comparison or two."""
    if is_floating(kind.name):
        meeting = _meeting(spans)
        if meeting is not None and is_exact:
            yield Comparison(Op.NOT_EQ, column, (float(meeting),))
            return
        yield from (_rounded(column, span) for span in spans)
        return
    scale = kind.scale
    low, high = kind.limits if kind.is_integer else (1 - 10**kind.digits, 10**kind.digits - 1)
    ranges = merged_whole([span.times(Fraction(10**scale)) for span in spans], low, high)

    def value(number: int) -> LiteralValue:
        return number if kind.is_integer else from_unscaled(number, scale)

    match ranges:
        case [(None, int(before)), (int(after), None)] if after - before == 2:
            yield Comparison(Op.NOT_EQ, column, (value(before + 1),))
            return
    for first, last in ranges:
        if (low if first is None else first) == (high if last is None else last):
            yield Comparison(Op.EQ, column, (value(low if first is None else first),))
            continue
        yield _between(
            column,
            None if first is None else (Op.GT_EQ, value(first)),
            None if last is None else (Op.LT_EQ, value(last)),
        )


def _meeting(spans: Spans) -> Fraction | None:
    """The only number that is in none of the spans."""
    match spans:
        case [
            Span(None, Fraction() as before, _, True),
            Span(Fraction() as after, None, True, _),
        ] if before == after:
            return before
    return None


def _rounded(column: Column, span: Span) -> Predicate:
    """The floats of a span: bounds that are none are moved outwards to the next one."""
    low = None if span.low is None else _float(span.low, -math.inf)
    high = None if span.high is None else _float(span.high, math.inf)
    if low is not None and low == high and not (span.low_open or span.high_open):
        return Comparison(Op.EQ, column, (low,))
    is_above = span.low_open and low == span.low
    is_below = span.high_open and high == span.high
    return _between(
        column,
        None if low is None else (Op.GT if is_above else Op.GT_EQ, low),
        None if high is None else (Op.LT if is_below else Op.LT_EQ, high),
    )


def _is_of_floats(span: Span) -> bool:
    return all(
        Fraction(found) == bound
        for bound in (span.low, span.high)
        if bound is not None and (found := _float(bound, math.inf)) is not None
    )


def _float(number: Fraction, outwards: float) -> float | None:
    try:
        nearest = float(number)
    except OverflowError:
        return None
    found = nearest if Fraction(nearest) == number else math.nextafter(nearest, outwards)
    return None if math.isinf(found) else found


def _between(
    column: Column, low: tuple[Op, LiteralValue] | None, high: tuple[Op, LiteralValue] | None
) -> Predicate:
    ends = [Comparison(op, column, (value,)) for op, value in (e for e in (low, high) if e)]
    return all_of(*ends) if ends else Comparison(Op.NOT_NULL, column)
