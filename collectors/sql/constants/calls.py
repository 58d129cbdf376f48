"""Comparisons of constants, and functions of numbers, on which the compared engines agree; each
function raises CannotConvert if they do not."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

from sqlglot import exp

from prunescope.collectors.predicates.calendar import NANOS_PER_DAY, Interval
from prunescope.collectors.predicates.lattices import single
from prunescope.collectors.predicates.literals import Timestamp, is_nan
from prunescope.collectors.sql.constants import numbers
from prunescope.collectors.sql.constants.arithmetic import arithmetic, negative
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import to_date, to_timestamp
from prunescope.collectors.sql.constants.clocks import clock_of, in_one_type, instant_of
from prunescope.collectors.sql.constants.number_casts import integer
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import (
    NULL,
    Exact,
    Fails,
    Folded,
    Overflows,
    Padded,
    Single,
    Whole,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.types import MAX_DECIMAL_DIGITS

_Number = int | float | Decimal
_NUMBERS = (int, float, Decimal)
_CERTAIN_PLACES = 6
"""Digits behind the point that a number keeps beside columns with up to 32 digits before it."""
_LARGEST_EXPONENT = 64
_LARGEST_WHOLE = 1 << 63
_SQUARE = 2
_LARGEST_EXACT = 1 << 51  # of doubles, beyond which halves are none
_NEAR_TIE = Decimal("1e-9")  # of tens and the like, where doubles may be rounded before
_WIDE = Context(prec=100, rounding=ROUND_HALF_UP)
_TO_EVEN = Context(prec=100, rounding=ROUND_HALF_EVEN)

HOLDS: dict[type[exp.Expr], Callable[[int], bool]] = {
    exp.EQ: lambda order: order == 0,
    exp.NEQ: lambda order: order != 0,
    exp.LT: lambda order: order < 0,
    exp.LTE: lambda order: order <= 0,
    exp.GT: lambda order: order > 0,
    exp.GTE: lambda order: order >= 0,
}
"""A function for each comparison that is True if it holds of values in an order (`order`)."""


def order(left: object, right: object) -> int:
    """The order of two values of one kind: -1, 0 or 1. Raises CannotConvert for other values, for
    NaN, and for numbers that some of their possible types round to another order."""
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        orders = {(a > b) - (a < b) for a, b in _as_rounded(left, right)}
        if len(orders) > 1 or any(is_nan(n) for n in (left, right)):
            raise not_constant()
        return orders.pop()
    if isinstance(left, str) and isinstance(right, str):
        if isinstance(left, Padded) or isinstance(right, Padded):
            left, right = left.rstrip(" "), right.rstrip(" ")
        first, second = (text.encode("utf-8", "surrogateescape") for text in (left, right))
        return (first > second) - (first < second)
    if isinstance(left, dt.date) and isinstance(right, dt.date):
        return (left > right) - (left < right)
    if isinstance(left, Interval) and isinstance(right, Interval):
        return _order_of_spans(left, right)
    if isinstance(left, Timestamp) and isinstance(right, Timestamp) and left.zoned == right.zoned:
        return (left.nanos > right.nanos) - (left.nanos < right.nanos)
    raise not_constant()


def _order_of_spans(left: Interval, right: Interval) -> int:
    """The order of intervals of months, or of intervals of days, of 24 hours, and time."""
    first, second = (span.days * NANOS_PER_DAY + span.nanos for span in (left, right))
    if (left.months or right.months) and (first or second):
        raise not_constant()
    if left.months or right.months:
        first, second = left.months, right.months
    return (first > second) - (first < second)


def _as_rounded(left: _Number, right: _Number) -> Iterator[tuple[_Number, _Number]]:
    """Two numbers as they are, and as floating-point if one of them is; decimals also with fewer
    digits, which Spark keeps beside columns with many digits."""
    if isinstance(left, float) or isinstance(right, float):
        yield float(left), float(right)
        if isinstance(left, Single) or isinstance(right, Single):
            yield single(float(left)), single(float(right))
        return
    yield left, right
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        exponents = (Decimal(number).as_tuple().exponent for number in (left, right))
        places = max(-exponent for exponent in exponents if isinstance(exponent, int))
        for scale in range(_CERTAIN_PLACES, places):
            unit = Decimal(1).scaleb(-scale)
            rounded = [Decimal(number).quantize(unit, context=_WIDE) for number in (left, right)]
            yield rounded[0], rounded[1]


def compared(comparison: type[exp.Expr], left: Folded, right: Folded, session: Session) -> Folded:
    """The result of a comparison of two values; NULL if one is NULL. Raises CannotConvert."""
    if left is NULL or right is NULL:
        return NULL
    if any(is_nan(value) for value in (left, right)):
        raise not_constant()
    if dialect_of(session.dialect).coerces_texts:
        left, right = _coerced(left, right, session), _coerced(right, left, session)
    if all(isinstance(value, dt.date | Timestamp) for value in (left, right)):
        return HOLDS[comparison](order(*in_one_type(left, right, session)))
    return HOLDS[comparison](order(left, right))


def _coerced(value: Folded, other: Folded, session: Session) -> Folded:
    """A text cast to a date or a time if it is compared with one; other values unchanged."""
    if not isinstance(value, str):
        return value
    match other:
        case dt.date():
            return to_date(value, session)
        case Timestamp(zoned=True):
            read = to_timestamp(value)
            return Timestamp(instant_of(read, clock_of(other, session)), zoned=True)
        case Timestamp():
            read = to_timestamp(value)
            if read.zoned or dialect_of(session.dialect).timestamps_are_instants:
                raise not_constant()
            return read
    return value


def opposite(_call: Call, value: Folded) -> bool:
    """NOT."""
    if not isinstance(value, bool):
        raise not_constant()
    return not value


def unchanged(_call: Call, value: Folded) -> Folded:
    """The value, of functions that change none but NULL."""
    return value


def absolute(call: Call, value: Folded) -> Folded:
    """abs()."""
    number = _number(value)
    if isinstance(number, float):
        return Single(abs(number)) if isinstance(number, Single) else abs(number)
    return number if number >= 0 else numbers.opposite(number, dialect_of(call.session.dialect))


def power(_call: Call, base: Folded, exponent: Folded) -> float:
    """power() of whole numbers, as a double; raises CannotConvert for inexact results, and for
    other arguments."""
    if not (is_int(base) and is_int(exponent)) or not 0 <= exponent <= _LARGEST_EXPONENT:
        raise not_constant()
    if exponent == _SQUARE and abs(base) <= _LARGEST_EXACT:
        return float(base) * float(base)
    found = base**exponent
    if float(found) != found:
        raise not_constant()
    return float(found)


def positive_remainder(_call: Call, value: Folded, divisor: Folded) -> Folded:
    """Spark's pmod() of whole numbers with a positive divisor."""
    if not (isinstance(value, Whole) and isinstance(divisor, Whole)) or divisor <= 0:
        raise not_constant()
    return Whole(value % divisor, max(value.bits, divisor.bits))


def rounded_down(call: Call, value: Folded) -> Folded:
    """floor(), which stays a double for doubles in Trino."""
    return _whole(call, value, is_up=False)


def rounded_up(call: Call, value: Folded) -> Folded:
    """ceil(), which stays a double for doubles in Trino."""
    return _whole(call, value, is_up=True)


def rounded(call: Call, value: Folded, places: Folded = 0) -> Folded:
    """round(), with halves away from zero, or in ClickHouse to even for doubles. Spark rounds a
    double's text; elsewhere, doubles are only rounded to whole numbers."""
    number, dialect = _number(value), dialect_of(call.session.dialect)
    if not is_int(places) or isinstance(number, Single):
        raise not_constant()
    if isinstance(number, int):
        return number if places >= 0 else _rounded_whole(number, places)
    if places < 0:
        is_known = not (dialect.has_known_functions or dialect.plain_are_moments)
        if isinstance(number, Decimal) and not is_known:
            raise not_constant()
        return _rounded_to_tens(number, places)
    if isinstance(number, Exact) and dialect.has_known_functions:
        return numbers.rounded(number, places, dialect, is_told=len(call.arguments) > 1)
    if not isinstance(number, float):
        if isinstance(number, Exact) and number.precision == MAX_DECIMAL_DIGITS:
            raise not_constant()  # beside which others have fewer digits
        exponent = number.as_tuple().exponent
        kept = places if not isinstance(exponent, int) else min(places, max(0, -exponent))
        return Decimal(number.quantize(Decimal(1).scaleb(-kept), context=_WIDE))
    if abs(number) < _LARGEST_WHOLE and number == int(number):
        return number or (0.0 if dialect.has_known_functions else number)
    if not math.isfinite(number) or abs(number) >= _LARGEST_EXACT:
        raise not_constant()
    if not dialect.has_java_time and places:
        raise not_constant()
    exact = Decimal(repr(number)) if dialect.has_java_time else Decimal(number)
    context = _TO_EVEN if dialect.plain_are_moments else _WIDE
    found = float(exact.quantize(Decimal(1).scaleb(-places), context=context))
    return found or (0.0 if dialect.has_java_time else math.copysign(0.0, number))


def _rounded_to_tens(number: float | Decimal, places: int) -> Folded:
    """A number rounded to tens or hundreds; raises CannotConvert for doubles in the middle between
    two of them, where engines differ."""
    if not math.isfinite(number) or not -_LARGEST_EXACT < number < _LARGEST_EXACT:
        raise not_constant()
    unit = Decimal(1).scaleb(-places)
    quotient = abs(Decimal(number)) / unit
    if isinstance(number, float) and abs(quotient % 1 - Decimal("0.5")) < _NEAR_TIE:
        raise not_constant()
    found = quotient.quantize(Decimal(1), context=_WIDE) * unit
    if isinstance(number, float):
        return math.copysign(float(found), number)
    return found.copy_sign(number)


def _rounded_whole(number: int, places: int) -> int:
    unit = Decimal(1).scaleb(-places)
    found = int((Decimal(number) / unit).quantize(Decimal(1), context=_WIDE) * unit)
    return numbers.whole(found, number.bits) if isinstance(number, Whole) else found


def rounded_to_even(call: Call, value: Folded) -> Folded:
    """Spark's bround() of a decimal."""
    if not isinstance(value, Exact):
        raise not_constant()
    found = value.quantize(Decimal(1), context=_TO_EVEN)
    size = value.precision - value.scale + 1, 0
    return numbers.exact(found, size, dialect_of(call.session.dialect))


def negated(call: Call, value: Folded) -> Folded:
    """negative()."""
    return negative(value, dialect_of(call.session.dialect))


def result_or_null(operation: type[exp.Binary]) -> Callable[[Call, Folded, Folded], Folded]:
    """try_add() and the like: the result of the operation, or NULL if it fails."""

    def of(call: Call, left: Folded, right: Folded) -> Folded:
        dialect = dialect_of(call.session.dialect)
        try:
            return arithmetic(operation(this=None, expression=None), left, right, dialect)
        except (Fails, Overflows):
            return NULL

    return of


def quotient_or_null(call: Call, left: Folded, right: Folded) -> Folded:
    """try_divide() and SAFE_DIVIDE() of numbers; a double for whole ones."""
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        raise not_constant()
    return result_or_null(exp.Div)(call, left, right)


def quotient_of_ieee(_call: Call, left: Folded, right: Folded) -> float:
    """BigQuery's IEEE_DIVIDE()."""
    first, second = float(_number(left)), float(_number(right))
    if second:
        return first / second
    return math.copysign(math.inf, math.copysign(1, second) * first) if first else math.nan


def nan(_call: Call) -> float:
    """Trino's nan()."""
    return math.nan


def infinity(_call: Call) -> float:
    """Trino's infinity()."""
    return math.inf


def _number(value: Folded) -> int | float | Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    return value


def _whole(call: Call, value: Folded, *, is_up: bool) -> Folded:
    number, dialect = _number(value), dialect_of(call.session.dialect)
    if isinstance(number, int):
        if dialect.rounds_to_doubles:
            return float(number)
        return Whole(number, 64) if dialect.has_java_time else number
    if isinstance(number, Decimal):
        return numbers.to_whole(number, is_up=is_up, dialect=dialect)
    found = float(number)
    if math.isfinite(number):
        found = math.copysign(float(math.ceil(number) if is_up else math.floor(number)), number)
    if dialect.has_java_time:
        return integer(found, exp.DType.BIGINT, call.session)
    return Single(found) if isinstance(number, Single) else found
