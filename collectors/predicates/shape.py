"""The shape of a predicate: its operators and columns, without any value."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from prunescope.collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Column,
    Comparison,
    Or,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import redact

_Outline = tuple[Any, ...]
"""A predicate without its values, as nested tuples: quick to make, to compare and to hash."""


def shape(predicate: Predicate) -> str:
    """Canonical text of a predicate, bound or unbound: operators and columns, without values,
    order, repetition and case.

    The predicate that Iceberg was given and the sanitised one that it reports have one shape.
    An IN of one value is an equality, as Iceberg binds it; NOT IN is what binding can make of
    it, an AND of inequalities.
    """
    return _text(_outline(predicate))


def _outline(predicate: Predicate) -> _Outline:
    match predicate:
        # Nearly all are comparisons; `fold` asks for others first.
        case BoundComparison(op, field, values):
            return op, field.name, field.transform, op is Op.IN and len(values) == 1
        case Comparison(op, column, values):
            name = ".".join(column.path)
            return op, name, column.transform, op is Op.IN and len(values) == 1
        case And(children) | Or(children):
            return type(predicate), *map(_outline, children)
        case Unsupported(reason, redacted=redacted):
            return Unsupported, reason, redacted
        case Always(value):
            return Always, value


@lru_cache(maxsize=16_384)
def _text(outline: _Outline) -> str:
    return redact(_skeleton(outline)).casefold()


def _skeleton(outline: _Outline) -> Predicate:
    kind, *rest = outline
    if kind is Always:
        return Always(*rest)
    if kind is And:
        return _sorted(all_of(*map(_skeleton, rest)))
    if kind is Or:
        return _sorted(any_of(*map(_skeleton, rest)))
    if kind is Unsupported:
        return _unsupported(*rest)
    return _leaf(*outline)


def _unsupported(reason: Reason, redacted: str) -> Unsupported:
    return Unsupported(reason, redacted.casefold(), redacted.casefold())


def _leaf(op: Op, name: str, transform: str | None, is_one: bool) -> Comparison:
    if op is Op.NOT_IN:
        op = Op.NOT_EQ
    if is_one:
        op = Op.EQ
    return Comparison(op, Column((name.casefold(),), transform))


def _sorted(predicate: Predicate) -> Predicate:
    match predicate:
        case And(children) | Or(children):
            return type(predicate)(tuple(sorted(children, key=redact)))
    return predicate
