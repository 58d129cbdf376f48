"""Of what type the results of calculations are, in Spark and in Trino."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from collectors.predicates.calculations import (
    Absolute,
    Banded,
    Conversion,
    Default,
    Linear,
    Multiple,
    Quotient,
    Rounded,
    Shifted,
    Step,
    Towards,
)
from collectors.predicates.literals import LiteralValue
from collectors.types import (
    INT64_RANGE,
    INTEGER_RANGE,
    MAX_DECIMAL_DIGITS,
    decimal_parameters,
    is_floating,
)

# As decimals: Spark's DecimalType.forType, and Trino has no more.
_WHOLE_DIGITS = {"int": 10, "long": 20}
_SAFE_DIGITS = 18
SPARK_QUOTIENT_DIGITS = 6
"""How many digits of a fraction Spark's quotients of decimals have at least, where there is room
for them."""


class UnknownResult(Exception):
    """Nothing is known of a calculation for a column's type."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a number: `int`, `long`, `float`, `double`, or `decimal` with so many digits, of
    which `scale` are a fraction, or, with `has_more`, perhaps more."""

    name: str
    digits: int = 0
    scale: int = 0
    has_more: bool = False

    @property
    def is_integer(self) -> bool:
        """Whether it holds whole numbers of 32 or 64 bits."""
        return self.name in _WHOLE_DIGITS

    @property
    def is_floating(self) -> bool:
        """Whether it rounds."""
        return is_floating(self.name)

    @property
    def whole_digits(self) -> int:
        """The number of digits before the point."""
        return _WHOLE_DIGITS.get(self.name, self.digits - self.scale)

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest whole number of an integer type."""
        return INTEGER_RANGE.get(self.name, INT64_RANGE)


INT, LONG, DOUBLE = Kind("int"), Kind("long"), Kind("double")


def kind_of(type_name: str) -> Kind:
    """The kind of an Iceberg type; raises UnknownResult for what is no number."""
    if type_name in ("int", "long", "float", "double"):
        return Kind(type_name)
    if type_name.startswith("decimal"):
        return Kind("decimal", *decimal_parameters(type_name))
    raise UnknownResult


def kind_of_literal(value: LiteralValue) -> Kind:
    """The kind of a literal; raises UnknownResult for what is no exact number."""
    if isinstance(value, int) and not isinstance(value, bool):
        for kind in (INT, LONG):
            if kind.limits[0] <= value <= kind.limits[1]:
                return kind
        return _decimal(len(str(abs(value))), 0)
    if isinstance(value, Decimal) and value.is_finite():
        exponent = value.as_tuple().exponent
        assert isinstance(exponent, int)
        scale = max(0, -exponent)
        return _decimal(max(0, value.adjusted() + 1), scale)
    raise UnknownResult


def common(left: Kind, right: Kind) -> Kind:
    """The type in which two exact numbers are compared; raises UnknownResult where it may not
    hold both."""
    if left.is_integer and right.is_integer:
        return LONG if LONG in (left, right) else INT
    return _decimal(max(left.whole_digits, right.whole_digits), max(left.scale, right.scale))


def result(step: Step, kind: Kind, *, is_spark: bool) -> Kind:
    """The kind of what a step makes of a kind; raises UnknownResult."""
    match step:
        case Absolute():
            return kind
        case Linear():
            return _linear(step, kind)
        case Quotient():
            return _quotient(step, kind, is_spark)
        case Rounded():
            return _rounded(step, kind, is_spark)
        case Shifted() | Multiple():
            if not kind.is_integer:
                raise UnknownResult
            return kind
        case Banded():
            return LONG
        case Default(value):
            if kind.is_floating:
                if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
                    raise UnknownResult
                return kind
            return common(kind, kind_of_literal(value))
        case Conversion(name):
            return _converted(kind, kind_of(name), is_spark)
    raise UnknownResult


def widens(steps: Sequence[Step], type_name: str) -> bool:
    """Whether steps are casts of numbers to types that hold each of them as it is."""
    try:
        kind = kind_of(type_name)
        for step in steps:
            if not isinstance(step, Conversion):
                return False
            target = result(step, kind, is_spark=True)
            if target != kind and not _widens(target, kind):
                return False
            kind = target
    except UnknownResult:
        return False
    return True


def _widens(target: Kind, kind: Kind) -> bool:
    if target.name == "double":
        return kind.name in ("int", "float")
    return not kind.is_floating and _holds(target, kind)


def _decimal(whole: int, scale: int) -> Kind:
    if whole + scale > MAX_DECIMAL_DIGITS:
        raise UnknownResult
    return Kind("decimal", max(1, whole + scale), scale)


def _rounded(step: Rounded, kind: Kind, is_spark: bool) -> Kind:
    is_nearest = step.towards is Towards.NEAREST
    if kind.is_integer or kind.is_floating:
        return LONG if is_spark and not is_nearest else kind
    if kind.has_more:
        return _decimal(kind.whole_digits + 1, step.digits)
    # Trino's round() of one argument has no scale: it holds no more than is said here.
    scale = min(kind.scale, step.digits) if is_spark or not is_nearest else kind.scale
    return _decimal(kind.whole_digits + 1, scale)


def _linear(step: Linear, kind: Kind) -> Kind:
    if kind.is_floating or step == Linear(-1, 0):
        return kind
    if kind.has_more:
        raise UnknownResult  # it is rounded again where there is no room
    if step.offset == 0 and step.factor not in (1, -1):
        other = kind_of_literal(step.factor)
        if kind.is_integer and other.is_integer:
            return common(kind, other)
        return _decimal(kind.whole_digits + other.whole_digits + 1, kind.scale + other.scale)
    other = kind_of_literal(step.offset)
    if kind.is_integer and other.is_integer:
        return common(kind, other)
    wider = common(kind, other)
    return _decimal(wider.whole_digits + 1, wider.scale)


def _quotient(step: Quotient, kind: Kind, is_spark: bool) -> Kind:
    if kind.is_floating and not (is_spark and step.is_whole):
        return kind
    if kind.is_floating:
        raise UnknownResult
    divisor = kind_of_literal(step.divisor)
    if not (kind.is_integer and divisor.is_integer):
        return _quotient_of_decimals(step, kind, divisor, is_spark)
    # The least number has no negative.
    if step.is_whole and step.divisor == -1:
        raise UnknownResult
    return common(kind, divisor) if step.is_whole else DOUBLE


def _quotient_of_decimals(step: Quotient, kind: Kind, divisor: Kind, is_spark: bool) -> Kind:
    """Trino rounds to as many digits as the operands have (483). How many Spark has depends on the
    divisor's type and on a setting, but six at least (4.1)."""
    whole = kind.whole_digits + divisor.scale
    if not is_spark:
        return _decimal(whole, max(kind.scale, divisor.scale))
    if step.is_whole and whole <= _SAFE_DIGITS:
        return LONG
    if step.is_whole or whole > MAX_DECIMAL_DIGITS - SPARK_QUOTIENT_DIGITS:
        raise UnknownResult
    return Kind("decimal", whole + SPARK_QUOTIENT_DIGITS, SPARK_QUOTIENT_DIGITS, has_more=True)


def _converted(kind: Kind, target: Kind, is_spark: bool) -> Kind:
    if target == kind or target.name == "double":
        return target
    if target.is_integer:
        if kind.is_integer:
            is_known = target == LONG or not is_spark  # which wraps around
        else:
            # Spark cuts decimals by way of 64 bits.
            is_known = kind.is_floating or not is_spark or kind.whole_digits <= _SAFE_DIGITS
        if is_known:
            return target
    elif not (kind.is_floating or target.is_floating or kind.has_more) and _holds(target, kind):
        return target
    raise UnknownResult


def _holds(target: Kind, kind: Kind) -> bool:
    return target.whole_digits >= kind.whole_digits and target.scale >= kind.scale
