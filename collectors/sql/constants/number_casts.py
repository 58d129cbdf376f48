"""Casts of constants to numbers."""

from __future__ import annotations

import math
import re
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from sqlglot import exp

from prunescope.collectors.predicates.calendar import NANOS_PER_SECOND
from prunescope.collectors.predicates.literals import Timestamp, is_nan
from prunescope.collectors.sql.constants.clocks import (
    instant_of,
)
from prunescope.collectors.sql.constants.numbers import (
    BITS_OF,
    UNSIGNED_BITS_OF,
    beyond,
    ends_of,
    exact,
    holds,
    written,
)
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.unreadable import no_number
from prunescope.collectors.sql.constants.values import (
    CannotConvert,
    Folded,
    Overflows,
    Whole,
    fails,
    not_constant,
)
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.types import MAX_DECIMAL_DIGITS

_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


_REAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


_NO_NUMBER = re.compile(r"nan|[+-]?inf(?:inity)?", re.IGNORECASE)


_SPARK_DECIMAL_DIGITS = 10
_BITS_OF_CASTS = (32, 64)
"""Bits of the whole numbers to which Java casts doubles directly; shorter ones go through these."""


def decimal(expression: exp.Cast, value: Folded, sizes: list[int], dialect: Dialect) -> Folded:
    """A decimal of the precision and scale in `sizes` that a cast names."""
    if isinstance(value, str):
        value = Decimal(_trimmed(value, _REAL, dialect))
    if not isinstance(value, int | Decimal):
        raise not_constant()
    number = Decimal(value)
    if not number.is_finite():
        raise not_constant()
    # sqlglot reads DECIMAL '0.99' and CAST('0.99' AS DECIMAL), which is an integer, as the same
    # node; only the latter carries CAST's other arguments.
    if not sizes and "format" not in expression.args:
        return written(f"{number:f}", dialect) if "." in f"{number:f}" else number
    default = _SPARK_DECIMAL_DIGITS if dialect.has_java_time else MAX_DECIMAL_DIGITS
    size = (sizes[0] if sizes else default, (*sizes, 0, 0)[1])
    found = exact(number, size, dialect)
    if not sizes and found != number:
        raise not_constant()
    return found


def integer(value: Folded, kind: exp.DType, session: Session) -> int:
    """A whole number. Spark and ClickHouse truncate a fraction, DuckDB rounds halves in doubles to
    even, and others round halves away from 0."""
    dialect = dialect_of(session.dialect)
    has_one_type = dialect.whole_bits is not None and dialect.overflow_fails
    bits = dialect.whole_bits if has_one_type else BITS_OF.get(kind)
    if isinstance(value, str):
        found = int(_trimmed(value, _WHOLE, dialect))
    elif isinstance(value, int):
        found = int(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise _not_finite(value, bits, dialect)
    elif isinstance(value, float | Decimal):
        found = int(Decimal(value).to_integral_value(_rounding(value, dialect)))
    elif isinstance(value, Timestamp) and kind is exp.DType.BIGINT and dialect.has_java_time:
        found = instant_of(value, session) // NANOS_PER_SECOND
    else:
        raise not_constant()
    if kind in UNSIGNED_BITS_OF and not 0 <= found < 1 << UNSIGNED_BITS_OF[kind]:
        raise beyond(found > 0, (0, (1 << UNSIGNED_BITS_OF[kind]) - 1), dialect)
    if bits is None:
        return found
    if not holds(found, bits):
        raise _beyond(value, found > 0, bits, dialect)
    return Whole(found, bits) if dialect.has_known_functions else found


def _beyond(value: Folded, is_above: bool, bits: int, dialect: Dialect) -> CannotConvert:
    """The refusal of a number that a type of whole numbers does not hold. Without ANSI types, Spark
    takes the nearest number for a double, NULL for a text, and the last bits of others."""
    ends = ends_of(bits)
    if dialect.overflow_by_mode and isinstance(value, str):
        return fails(ends[is_above])
    if dialect.has_java_time and isinstance(value, float) and bits in _BITS_OF_CASTS:
        ends = ends[is_above], ends[is_above]
    return beyond(is_above, ends, dialect)


def _not_finite(value: float, bits: int | None, dialect: Dialect) -> CannotConvert:
    """The refusal of an infinite number, and of NaN, which Spark casts to 0."""
    if bits is None or not (dialect.overflow_fails or dialect.has_java_time):
        return not_constant()
    if not is_nan(value):
        return _beyond(value, value > 0, bits, dialect)
    zero = Whole(0, bits)
    return fails() if dialect.overflow_fails else Overflows(zero, zero)


def _rounding(value: float | Decimal, dialect: Dialect) -> str:
    if dialect.has_java_time or dialect.plain_are_moments:
        return ROUND_DOWN
    if not dialect.has_joda_time and not dialect.has_documented_dates:
        if value != int(value):
            raise not_constant()
        return ROUND_DOWN
    is_even = isinstance(value, float) and dialect.has_strftime
    return ROUND_HALF_EVEN if is_even else ROUND_HALF_UP


def _trimmed(text: str, known: re.Pattern[str], dialect: Dialect) -> str:
    """The text of a number, in Spark without the spaces around it; raises CannotConvert for other
    texts."""
    number = text if dialect.is_strict else text.strip(" \t\n\r\f\v")
    if not known.fullmatch(number):
        raise no_number(text)
    return number


def double(value: Folded, dialect: Dialect) -> float:
    """A number of 64 bits with a floating point."""
    if not isinstance(value, int | float | Decimal | str):
        raise not_constant()
    if isinstance(value, str) and not _NO_NUMBER.fullmatch(value.strip()):
        value = _trimmed(value, _REAL, dialect)
    return float(value)
