"""The shape of a predicate: what stays of it without any value."""

from __future__ import annotations

from collections.abc import Iterable

from collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Comparison,
    Op,
    Or,
    Predicate,
    Unsupported,
)


def shape(predicate: Predicate) -> str:
    """Canonical text of a predicate, bound or unbound: operators and columns, without values,
    order and repetition. An IN of one value is an equality, as Iceberg binds it.

    Two predicates of one shape can differ in their literals only.
    """
    match predicate:
        case Always(value):
            return "TRUE" if value else "FALSE"
        case And(children):
            return _joined("AND", map(shape, children))
        case Or(children):
            return _joined("OR", map(shape, children))
        case Comparison(op, column, values):
            return _leaf(op, str(column), len(values))
        case BoundComparison(op, field, values):
            return _leaf(op, str(field), len(values))
        case Unsupported(reason, columns=columns):
            return f"{reason}({', '.join(sorted(name.casefold() for name in columns))})"


def _joined(word: str, shapes: Iterable[str]) -> str:
    distinct = sorted(set(shapes))
    return distinct[0] if len(distinct) == 1 else f"({f' {word} '.join(distinct)})"


def _leaf(op: Op, term: str, values: int) -> str:
    if values == 1:
        op = {Op.IN: Op.EQ, Op.NOT_IN: Op.NOT_EQ}.get(op, op)
    return f"{term.casefold()} {op}" + (" ?" if values else "")
