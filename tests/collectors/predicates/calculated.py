"""Conditions around columns of every type that is calculated with, bound and told as values."""

from __future__ import annotations

from collectors.predicates.calculated_ranges import Selected, selected

from collectors.predicates.bind import bind
from collectors.predicates.model import And, Or, Predicate, Unsupported, all_of, any_of
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition

TYPES = {
    "i": "int",
    "l": "long",
    "f": "float",
    "x": "double",
    "m": "decimal(10, 2)",
    "wide": "decimal(38, 4)",
    "s": "string",
    "d": "date",
    "ts": "timestamp",
    "tz": "timestamptz",
    "large": "decimal(12, 2)",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)


def bound(where: str, dialect: str, time_zone: str | None = "UTC") -> Predicate:
    """A condition as it is bound."""
    return bind(condition(where, dialect, time_zone=time_zone), SCHEMA, time_zone=time_zone)


def told(where: str, dialect: str, time_zone: str | None = "UTC") -> str:
    """The values that a condition is known to select, with `…` where it selects only some of
    these, or where none are known."""
    return _told(bound(where, dialect, time_zone))


def _told(predicate: Predicate) -> str:
    match predicate:
        case Unsupported():
            return "…"
        case And(children) | Or(children):
            word = " AND " if isinstance(predicate, And) else " OR "
            return word.join(
                f"({_told(child)})" if isinstance(child, And | Or) else _told(child)
                for child in children
            )
    return render(predicate)


def values_of(where: str, dialect: str) -> Selected:
    """The values of its columns, unbound, that a condition is known to select in a session in UTC,
    and whether it selects all of them; any where nothing is known."""
    return _values(condition(where, dialect, time_zone="UTC"))


def _values(predicate: Predicate) -> Selected:
    match predicate:
        case Unsupported(calculated=None):
            return Selected(all_of(), False)
        case Unsupported(calculated=calculated):
            assert calculated is not None
            (name,) = calculated.calculation.path
            found = selected(calculated, TYPES[name], "UTC")
            return Selected(all_of(), False) if found is None else found
        case And(children) | Or(children):
            parts = [_values(child) for child in children]
            combine = all_of if isinstance(predicate, And) else any_of
            whole = combine(*(part.predicate for part in parts))
            return Selected(whole, all(part.is_exact for part in parts))
    return Selected(predicate, True)
