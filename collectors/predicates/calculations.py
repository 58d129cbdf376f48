"""Casts of a column to numbers, and comparisons of the results: `CAST(amount AS bigint) > 1980`.

The column's type decides which of these restrict the column itself; planners look at it
(`sql.planners`). Until then no planner understands them.
"""

from __future__ import annotations

from dataclasses import dataclass

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.types import decimal_parameters, is_floating

_WHOLE_DIGITS = {"int": 10, "long": 20}
"""Digits of whole numbers as decimals: Spark's DecimalType.forType."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """The types that a column is cast to, the first one first, by Iceberg's names."""

    path: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Calculated:
    """`calculation op value`. With `matches_nan`, NaN satisfies it."""

    calculation: Calculation
    op: Op
    value: LiteralValue
    matches_nan: bool


def widens(types: tuple[str, ...], kind: str) -> bool:
    """True if casts to `types`, one after the other, keep every number of an Iceberg type."""
    for target in types:
        if target != kind and not _widens(target, kind):
            return False
        kind = target
    return True


def _widens(target: str, kind: str) -> bool:
    if is_floating(kind) or is_floating(target):
        return target == "double" and kind in ("int", "float")
    return (kind, target) != ("long", "int") and _holds(target, kind)


def _holds(target: str, kind: str) -> bool:
    room, needed = _digits(target), _digits(kind)
    return room is not None and needed is not None and room[0] >= needed[0] and room[1] >= needed[1]


def _digits(kind: str) -> tuple[int, int] | None:
    """The digits before and behind the point of a decimal or whole number type; None for others."""
    if kind in _WHOLE_DIGITS:
        return _WHOLE_DIGITS[kind], 0
    if not kind.startswith("decimal"):
        return None
    digits, scale = decimal_parameters(kind)
    return digits - scale, scale
