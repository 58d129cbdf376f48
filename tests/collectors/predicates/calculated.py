"""Conditions around columns of every type that is calculated with, told as values."""

from __future__ import annotations

from dataclasses import dataclass

from prunescope.collectors.predicates.model import And, Or, Predicate, Unsupported, all_of, any_of
from prunescope.collectors.sql.extraction.extract import condition

TYPES = {
    "i": "int",
    "l": "long",
    "f": "float",
    "x": "double",
    "m": "decimal(10, 2)",
    "s": "string",
    "d": "date",
    "ts": "timestamp",
}


@dataclass(frozen=True, slots=True)
class Selected:
    """The values of columns that a condition is known to select, and whether these are all."""

    predicate: Predicate
    is_exact: bool


def values_of(where: str, dialect: str) -> Selected:
    """The values of its columns that a condition selects in a session in UTC; any where nothing is
    known."""
    return _values(condition(where, dialect, time_zone="UTC", types=TYPES))


def _values(predicate: Predicate) -> Selected:
    match predicate:
        case Unsupported():
            return Selected(all_of(), False)
        case And(children) | Or(children):
            parts = [_values(child) for child in children]
            combine = all_of if isinstance(predicate, And) else any_of
            whole = combine(*(part.predicate for part in parts))
            return Selected(whole, all(part.is_exact for part in parts))
    return Selected(predicate, True)
