"""Functions of constants, and comparisons of these, where engines that were compared with agree."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_SECOND, nanos_of
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.values import NULL, Folded, Null, not_constant
from collectors.sql.dialects import Dialect

Fold = Callable[[exp.Expr], Folded]

_HOLDS: dict[type[exp.Expr], Callable[[int], bool]] = {
    exp.EQ: lambda order: order == 0,
    exp.NEQ: lambda order: order != 0,
    exp.LT: lambda order: order < 0,
    exp.LTE: lambda order: order <= 0,
    exp.GT: lambda order: order > 0,
    exp.GTE: lambda order: order >= 0,
}
# Parts of patterns of strftime, as sqlglot has those of Trino, whose texts have all their digits:
# Trino reads others as well.
_PARTS = {"Y": r"\d{4}", **dict.fromkeys("mdHMS", r"\d{2}")}
_FORMAT = re.compile(r"%([YmdHMS])|[-/.:, T]")
# Trino's names without arguments.
_NUMBERS = {"nan": math.nan, "infinity": math.inf}
# Spark's functions of Unix times.
_UNIX_TIMES = {"timestamp_seconds": 1_000_000_000, "timestamp_millis": 1_000_000}
_MILLISECOND = 1_000_000


def called(expression: exp.Expr, fold: Fold, dialect: Dialect) -> Folded:
    """The value of a call; raises CannotConvert for others."""
    if not dialect.is_measured:
        raise not_constant()
    match expression:
        case exp.Abs(this=operand):
            return _absolute(fold(operand))
        case (
            exp.Least(this=first, expressions=others) | exp.Greatest(this=first, expressions=others)
        ):
            return _extreme([fold(each) for each in (first, *others)], expression)
        case exp.Lower(this=operand) | exp.Upper(this=operand):
            return _cased(fold(operand), expression)
        case exp.Not(this=operand):
            return _opposite(fold(operand))
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            return _compared(expression, fold(expression.this), fold(expression.expression))
        case exp.StrToTime(this=operand) if dialect.is_trino:
            return _parsed(fold(operand), expression.args.get("format"))
        case exp.UnixToTime(this=operand) if dialect.is_trino and _is_alone(expression):
            return _of_seconds(fold(operand))
        case exp.Anonymous(this=str() as name, expressions=[]) if dialect.is_trino:
            return _number(name.lower())
        case exp.Anonymous(this=str() as name, expressions=[operand]) if dialect.is_spark:
            return _of_units(fold(operand), _UNIX_TIMES.get(name.lower()))
    raise not_constant()


def order(left: object, right: object) -> int:
    """-1, 0 or 1 for values of the same kind; raises CannotConvert for others."""
    numbers = int | float | Decimal
    if isinstance(left, numbers) and isinstance(right, numbers):
        return (left > right) - (left < right)
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    if isinstance(left, dt.date) and isinstance(right, dt.date):
        return (left > right) - (left < right)
    if isinstance(left, Timestamp) and isinstance(right, Timestamp) and left.zoned == right.zoned:
        return (left.nanos > right.nanos) - (left.nanos < right.nanos)
    raise not_constant()


def _absolute(value: Folded) -> Folded:
    if value is NULL:
        return NULL
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    return value.copy_abs() if isinstance(value, Decimal) else abs(value)


def _extreme(values: Sequence[Folded], expression: exp.Expr) -> Folded:
    """The least or the greatest of values of one kind. Of NULL, Spark takes the others, and of NaN
    engines think otherwise."""
    found = values[0]
    for value in values:
        if isinstance(value, Null) or (isinstance(value, float) and math.isnan(value)):
            raise not_constant()
        if isinstance(value, float) is not isinstance(found, float):
            raise not_constant()
        is_less = order(value, found) < 0
        if is_less == isinstance(expression, exp.Least) and order(value, found):
            found = value
    return found


def _cased(value: Folded, expression: exp.Expr) -> Folded:
    """In lower or upper case, of the letters on which all agree."""
    if not isinstance(value, str) or not value.isascii():
        raise not_constant()
    return value.lower() if isinstance(expression, exp.Lower) else value.upper()


def _opposite(value: Folded) -> Folded:
    if value is NULL:
        return NULL
    if not isinstance(value, bool):
        raise not_constant()
    return not value


def _compared(expression: exp.Expr, left: Folded, right: Folded) -> Folded:
    if left is NULL or right is NULL:
        return NULL
    if any(isinstance(value, float) and math.isnan(value) for value in (left, right)):
        raise not_constant()
    return _HOLDS[type(expression)](order(left, right))


def _parsed(value: Folded, pattern: object) -> Folded:
    """Trino's date_parse() of a text that has all digits of its parts, a date among them."""
    if not isinstance(value, str) or not isinstance(pattern, exp.Literal):
        raise not_constant()
    parts = list(_FORMAT.finditer(pattern.name))
    names = [part[1] for part in parts if part[1]]
    is_whole = "".join(part[0] for part in parts) == pattern.name
    if not is_whole or len(set(names)) < len(names) or not {*"Ymd"} <= {*names}:
        raise not_constant()
    found = re.fullmatch(
        "".join(f"({_PARTS[part[1]]})" if part[1] else re.escape(part[0]) for part in parts),
        value,
        re.ASCII,
    )
    if found is None:
        raise not_constant()
    read = {name: int(digits) for name, digits in zip(names, found.groups(), strict=True)}
    day = dt.date(read["Y"], read["m"], read["d"])
    clock = dt.time(read.get("H", 0), read.get("M", 0), read.get("S", 0))
    seconds = clock.hour * 3600 + clock.minute * 60 + clock.second
    return Timestamp(nanos_of(day) + seconds * NANOS_PER_SECOND, zoned=False)


def _is_alone(expression: exp.Expr) -> bool:
    return [name for name, value in expression.args.items() if value] == ["this"]


def _of_seconds(value: Folded) -> Folded:
    """Trino's from_unixtime() of a number that is one of milliseconds, to which it rounds."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    nanos = Decimal(value) * NANOS_PER_SECOND
    if nanos % _MILLISECOND:
        raise not_constant()
    return Timestamp(int(nanos), zoned=True)


def _of_units(value: Folded, nanos: int | None) -> Folded:
    if nanos is None or isinstance(value, bool) or not isinstance(value, int):
        raise not_constant()
    return Timestamp(value * nanos, zoned=True)


def _number(name: str) -> Folded:
    if name not in _NUMBERS:
        raise not_constant()
    return _NUMBERS[name]
