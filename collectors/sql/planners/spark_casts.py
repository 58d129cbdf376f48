"""Numbers that Spark casts for what they are compared with, and does not undo, as Spark 3.5 and 4.1
were seen to do it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.planners.profile import Version
from prunescope.collectors.types import MAX_DECIMAL_DIGITS, decimal_parameters

# spark.sql.ansi.enabled by default: SPARK-44444, Spark 4.0.
_ANSI = (4,)


def is_cast(kind: str, values: Sequence[LiteralValue]) -> bool:
    """True if Spark casts a number to a type of the compared value that does not hold all of its
    values, and leaves the cast: doubles, and decimals of more digits before the point."""
    if kind == "long":
        return any(isinstance(value, float) for value in values)
    if not kind.startswith("decimal"):
        return False
    precision, scale = map(int, kind[len("decimal(") : -1].split(","))
    limit = 10 ** (precision - scale)
    return any(
        isinstance(value, str | float)
        or (isinstance(value, int | Decimal) and not -limit < value < limit)
        for value in values
    )


def is_cast_before_4(compared: Comparison, kind: str, version: Version) -> bool:
    """True for further casts that Spark makes only without ANSI types: a column that is looked for
    in a list with text to text; an integer compared with a FLOAT, here not told from a DOUBLE; and
    a decimal compared with one of so many more places that no type holds both."""
    if not version or version >= _ANSI:
        return False
    values = compared.values
    if kind.startswith("decimal"):
        precision, scale = decimal_parameters(kind)
        places = max((_places(value) for value in values), default=0)
        return places > scale and precision - scale + places > MAX_DECIMAL_DIGITS
    if (compared.in_list or compared.op in (Op.IN, Op.NOT_IN)) and kind != "string":
        return any(isinstance(value, str) for value in values)
    return kind == "int" and any(isinstance(value, float) for value in values)


def _places(value: object) -> int:
    exponent = value.as_tuple().exponent if isinstance(value, Decimal) else 0
    return -exponent if isinstance(exponent, int) else 0


def is_no_float(value: object) -> bool:
    """True if no float equals a number."""
    with np.errstate(over="ignore"):  # beyond the largest float is infinity, and no float
        return isinstance(value, Decimal) and float(np.float32(float(value))) != float(value)
