"""What is calculated of a column before it is compared, and the comparison: `amount * 2 > 1980`.

Which values of the column that selects depends on the column's type, which is known when the
predicate is bound (`calculated_ranges`). Until then it stays what no planner understands.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from collectors.predicates.calendar import Interval
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.operators import Op


@dataclass(frozen=True, slots=True)
class Linear:
    """`factor * x + offset`, in one operation of the engine: one of the two is trivial, or the
    factor -1."""

    factor: int | Decimal
    offset: int | Decimal


@dataclass(frozen=True, slots=True)
class Quotient:
    """`x / divisor`; with `is_whole`, cut towards zero."""

    divisor: int | Decimal
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Absolute:
    """`abs(x)`."""


class Towards(Enum):
    """Which number of so many digits a number is rounded to."""

    NEAREST = "nearest"  # halves away from zero
    LESS = "less"
    GREATER = "greater"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class Rounded:
    """`round(x, digits)`, `floor(x)`, `ceil(x)` or `truncate(x, digits)`."""

    towards: Towards
    digits: int


@dataclass(frozen=True, slots=True)
class Multiple:
    """`x - x % of`: the multiple of a whole number that is next to a whole one, towards zero."""

    of: int


@dataclass(frozen=True, slots=True)
class Shifted:
    """`x >> bits`; with `is_logical`, zeros come in where x is negative."""

    bits: int
    is_logical: bool


@dataclass(frozen=True, slots=True)
class Banded:
    """The number of the band in which `x` is, of `count` equal ones from `low` to `high`: 0 before
    them, and `count + 1` from `high` on."""

    low: Decimal
    high: Decimal
    count: int


@dataclass(frozen=True, slots=True)
class Default:
    """`coalesce(x, value)`."""

    value: LiteralValue


@dataclass(frozen=True, slots=True)
class Conversion:
    """`CAST(x AS type)`, by Iceberg's name of the type."""

    type: str


@dataclass(frozen=True, slots=True)
class Moved:
    """`x + interval`; with `is_time`, of which a date becomes a timestamp first."""

    interval: Interval
    is_time: bool = False


@dataclass(frozen=True, slots=True)
class DaysSince:
    """The number of days from a date to `x`."""

    date: dt.date


@dataclass(frozen=True, slots=True)
class DaysUntil:
    """The number of days from `x` to a date."""

    date: dt.date


@dataclass(frozen=True, slots=True)
class Elapsed:
    """How many units of so many nanoseconds there are from a moment to `x`, or from `x` to it with
    `is_until`, cut towards zero."""

    moment: dt.date | Timestamp
    nanos: int
    is_until: bool


@dataclass(frozen=True, slots=True)
class Instant:
    """The instant `x` units of so many nanoseconds after 1970-01-01 00:00:00 UTC."""

    nanos: int


@dataclass(frozen=True, slots=True)
class FirstDigits:
    """The first characters of the text of `x`, at most so many."""

    count: int


@dataclass(frozen=True, slots=True)
class DateOfDigits:
    """The date whose year, month and, if it `has_days`, day are the digits of `x`."""

    has_days: bool


Step = (
    Linear
    | Quotient
    | Absolute
    | Rounded
    | Multiple
    | Shifted
    | Banded
    | Default
    | Conversion
    | Moved
    | DaysSince
    | DaysUntil
    | Elapsed
    | Instant
    | FirstDigits
    | DateOfDigits
)


@dataclass(frozen=True, slots=True)
class Calculation:
    """The steps from a column to what is compared, the first one first."""

    path: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Calculated:
    """`calculation op value` in the family of Spark or of Trino. With `matches_nan`, NaN satisfies
    it; with `orders_nan`, it does so as the greatest number."""

    calculation: Calculation
    op: Op
    value: LiteralValue
    is_spark: bool
    matches_nan: bool
    orders_nan: bool
