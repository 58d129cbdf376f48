"""Bands that numbers are put into, as the last step of a calculation, and the numbers: so many
equal ones between two ends, those of a power of two, and those between multiples of a number."""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calculations import Banded, Multiple, Shifted, Step
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import is_int
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import own_columns

_TRINO_SHIFTS = {"bitwise_right_shift": True, "bitwise_right_shift_arithmetic": False}
"""Trino's shifts, and whether they take the bits of a negative number for those of a large one."""
_SPARK_SHIFTS = {"shiftrightunsigned": True}
_MAX_BITS = 31
_MAX_BANDS = 2**31 - 1


def may_be_shift(expression: exp.Anonymous, dialect: str) -> bool:
    """Whether a function that sqlglot knows by name alone is a shift."""
    return expression.name.lower() in _shifts(dialect)


def band(
    expression: exp.WidthBucket | exp.BitwiseRightShift | exp.Anonymous, session: Session
) -> tuple[Step, exp.Expr] | None:
    """The band that an expression is, and of what; None for what is none of constant ends."""
    match expression:
        case exp.WidthBucket(this=operand):
            found = [
                fold(end, session)
                if isinstance(end := expression.args.get(name), exp.Expr)
                else None
                for name in ("min_value", "max_value", "num_buckets")
            ]
            return _banded(operand, *found)
        case exp.BitwiseRightShift(this=operand, expression=count):
            is_known = dialect_of(session.dialect).is_spark
            return _shifted(operand, count, False, session) if is_known else None
        case exp.Anonymous(this=str() as name, expressions=[operand, count]):
            is_logical = _shifts(session.dialect).get(name.lower())
            return None if is_logical is None else _shifted(operand, count, is_logical, session)
    return None


def _shifts(dialect: str) -> dict[str, bool]:
    own = dialect_of(dialect)
    return _SPARK_SHIFTS if own.is_spark else _TRINO_SHIFTS if own.is_trino else {}


def _banded(
    operand: exp.Expr, low: object, high: object, count: object
) -> tuple[Step, exp.Expr] | None:
    first, last = _end(low), _end(high)
    if first is None or last is None or first >= last:
        return None
    is_known = isinstance(count, int) and not isinstance(count, bool) and 0 < count < _MAX_BANDS
    return (Banded(first, last, count), operand) if is_known and isinstance(count, int) else None


def _end(value: object) -> Decimal | None:
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Decimal(value) if is_number and isinstance(value, int | Decimal) else None


def _shifted(
    operand: exp.Expr, count: exp.Expr, is_logical: bool, session: Session
) -> tuple[Step, exp.Expr] | None:
    bits = fold(count, session)
    is_known = isinstance(bits, int) and not isinstance(bits, bool) and 0 < bits <= _MAX_BITS
    return (Shifted(bits, is_logical), operand) if is_known and isinstance(bits, int) else None


def multiple(expression: exp.Binary, session: Session) -> tuple[Step, exp.Expr] | None:
    """What `x - x % n` does to x; None for anything else."""
    operand, remainder = expression.this.unnest(), expression.expression.unnest()
    if not isinstance(expression, exp.Sub) or not isinstance(remainder, exp.Mod):
        return None
    if remainder.this.unnest() != operand or own_columns(remainder.expression):
        return None
    of = fold(remainder.expression, session)
    return (Multiple(of), operand) if is_int(of) and of > 0 else None
