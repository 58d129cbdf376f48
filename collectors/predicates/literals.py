"""Values that columns are compared with."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A timestamp literal: nanoseconds since the epoch, of UTC if `zoned`, else wall clock.
    `is_ntz` tells that its type has no zone either, as that of Spark's other literals has."""

    nanos: int
    zoned: bool
    is_ntz: bool = False


# What SQL text can hold. Strings stay strings until the column's type is known.
LiteralValue = bool | int | float | Decimal | str | bytes | dt.date | dt.time | Timestamp

# Iceberg's physical representation: int for dates (days), times and timestamps (units of the
# type), bytes for strings (UTF-8), binary, fixed and UUID, Decimal at the column's scale.
PhysicalValue = bool | int | float | Decimal | bytes


def is_nan(value: object) -> bool:
    """Whether a value is a float that is no number."""
    return isinstance(value, float) and math.isnan(value)
