"""What a constant SQL expression can evaluate to, and the refusal to evaluate one."""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeGuard

from collectors.predicates.calendar import Interval
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Reason


class Null(Enum):
    """SQL's NULL, which is no LiteralValue."""

    NULL = "NULL"


NULL: Final = Null.NULL
Folded = LiteralValue | Interval | Null | tuple[str, ...]
"""A tuple is an array of texts."""


def is_int(value: object) -> TypeGuard[int]:
    """Whether it is a whole number, and no boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


class CannotConvert(Exception):
    """An expression has no exact meaning as a constant or comparison."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def not_constant() -> CannotConvert:
    """The refusal of what has no value that is known before the query runs."""
    return CannotConvert(Reason.NOT_CONSTANT)
