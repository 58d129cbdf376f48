"""The values of constant SQL expressions, and the refusal to evaluate one.

Values carry their type if something depends on it: `Whole`, `Exact`, `Single` and `Padded` beside
the plain types of Python, and the digits and the zone of a `Timestamp`. A plain `int` or `Decimal`
has an unknown type.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Self, TypeGuard

from prunescope.collectors.predicates.calendar import NANOS_PER_DAY, Interval, nanos_of
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import Reason


class Null(Enum):
    """SQL's NULL, which is no LiteralValue."""

    NULL = "NULL"


CALENDAR = nanos_of(dt.date.min), nanos_of(dt.date.max) + NANOS_PER_DAY - 1
"""The first and the last time of the years 1 to 9999, in nanoseconds since 1970-01-01."""
NULL: Final = Null.NULL
Folded = LiteralValue | Interval | Null | tuple[str, ...]
"""A tuple is an array of texts."""


HIDDEN = "…"
"""Text in the place of an argument that a plan does not print."""


class Whole(int):
    """A whole number of a type of `bits` bits. `is_written` if it is a literal of the query, which
    Spark takes for a decimal of its own digits instead of its type's."""

    bits: int
    is_written: bool

    def __new__(cls, value: int, bits: int = 64, *, is_written: bool = False) -> Self:
        """The number `value` of that type."""
        made = super().__new__(cls, value)
        made.bits, made.is_written = bits, is_written
        return made


class Exact(Decimal):
    """A decimal of a type with `precision` digits; its scale is that of the value."""

    precision: int

    def __new__(cls, value: Decimal | str, precision: int) -> Self:
        """The number `value` of that type."""
        made = super().__new__(cls, value)
        made.precision = precision
        return made

    def __reduce__(self) -> Any:
        return Exact, (str(self), self.precision)

    @property
    def scale(self) -> int:
        """The number of digits behind the point."""
        exponent = self.as_tuple().exponent
        assert isinstance(exponent, int)
        return -exponent


class Single(float):
    """A floating-point number of 32 bits."""


class Padded(str):
    """A text of a CHAR, without the spaces at its end, which comparisons ignore."""

    __slots__ = ()


def is_in_calendar(value: Timestamp) -> bool:
    """True if a time lies in the years 1 to 9999."""
    return CALENDAR[0] <= value.nanos <= CALENDAR[1]


def is_int(value: object) -> TypeGuard[int]:
    """True for a whole number that is no boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


class CannotConvert(Exception):
    """An expression has no exact meaning as a constant or comparison."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class NoValue(CannotConvert):
    """An expression has no value in its type: it is beyond the calendar, or fails."""


class Fails(CannotConvert):
    """An expression certainly has no value: the engine raises an error, or returns NULL if its
    settings say so. No row matches a condition that fails. For a number beyond its type, `end` is
    the end of the type that it exceeds."""

    def __init__(self, reason: Reason, end: Folded | None = None) -> None:
        super().__init__(reason)
        self.end = end


class Varies(CannotConvert):
    """A setting of sessions decides a value, which lies from `low` to `high`."""

    def __init__(self, low: Folded, high: Folded) -> None:
        super().__init__(Reason.NOT_CONSTANT)
        self.low, self.high = low, high


class Overflows(Varies):
    """A number exceeds an end of its type, if it has this type: an error in some sessions, in
    others `wrapped` around, or replaced by the nearest number that the type holds."""

    def __init__(
        self,
        low: Folded,
        high: Folded,
        *,
        end: Folded | None = None,
        wrapped: Folded | None = None,
    ) -> None:
        super().__init__(low, high)
        self.end, self.wrapped = end, wrapped


def fails(end: Folded | None = None) -> Fails:
    """The failure of an expression that has no value in any engine of the dialect."""
    return Fails(Reason.NOT_CONSTANT, end)


def not_constant() -> CannotConvert:
    """The refusal of an expression whose value is unknown before the query runs."""
    return CannotConvert(Reason.NOT_CONSTANT)
