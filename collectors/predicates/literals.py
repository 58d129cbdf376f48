"""Values that columns are compared with."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A timestamp literal: nanoseconds since the epoch, of UTC if `zoned`, else wall clock.
    `is_ntz` tells that its type has no zone either, as that of Spark's other literals has. `zone`
    is the one that it was made with, on whose clock it is read: None for that of the session.
    `digits` are those of its type behind the seconds, None where that is not known."""

    nanos: int
    zoned: bool
    is_ntz: bool = False
    zone: str | None = field(default=None, compare=False)
    digits: int | None = field(default=None, compare=False)


# What SQL text can hold. Strings stay strings until the column's type is known.
LiteralValue = bool | int | float | Decimal | str | bytes | dt.date | dt.time | Timestamp

# Iceberg's physical representation: int for dates (days), times and timestamps (units of the
# type), bytes for strings (UTF-8), binary, fixed and UUID, Decimal at the column's scale.
PhysicalValue = bool | int | float | Decimal | bytes


def is_nan(value: object) -> bool:
    """True if a value is a float that is not a number."""
    return isinstance(value, float) and math.isnan(value)
