"""The shape of a predicate: what stays of it without any value."""

from __future__ import annotations

from collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Column,
    Comparison,
    Op,
    Or,
    Predicate,
    Unsupported,
    all_of,
    any_of,
)
from collectors.predicates.render import redact


def shape(predicate: Predicate) -> str:
    """Canonical text of a predicate, bound or unbound: operators and columns, without values,
    order, repetition and case.

    The predicate that Iceberg was given and the sanitised one that it reports have one shape.
    An IN of one value is an equality, as Iceberg binds it; NOT IN is what binding can make of
    it, an AND of inequalities.
    """
    return redact(_skeleton(predicate)).casefold()


def _skeleton(predicate: Predicate) -> Predicate:
    match predicate:
        case Always():
            return predicate
        case And(children):
            return _sorted(all_of(*map(_skeleton, children)))
        case Or(children):
            return _sorted(any_of(*map(_skeleton, children)))
        case Comparison(op, column, values):
            return _leaf(op, ".".join(column.path), column.transform, len(values))
        case BoundComparison(op, field, values):
            return _leaf(op, field.name, field.transform, len(values))
        case Unsupported(reason, redacted=redacted):
            return Unsupported(reason, redacted.casefold(), redacted.casefold())


def _leaf(op: Op, name: str, transform: str | None, values: int) -> Comparison:
    if op is Op.NOT_IN:
        op = Op.NOT_EQ
    if op is Op.IN and values == 1:
        op = Op.EQ
    return Comparison(op, Column((name.casefold(),), transform))


def _sorted(predicate: Predicate) -> Predicate:
    match predicate:
        case And(children) | Or(children):
            return type(predicate)(tuple(sorted(children, key=redact)))
    return predicate
