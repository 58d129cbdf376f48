"""Iceberg's own negations in SQL's words: its `notEq`, `notIn` and `notStartsWith` match nulls."""

from __future__ import annotations

from prunescope.collectors.predicates.model import (
    FALSE,
    And,
    BoundComparison,
    Or,
    Predicate,
    all_of,
    any_of,
    conjuncts,
)
from prunescope.collectors.predicates.operators import NEGATIONS, Op
from prunescope.collectors.schema import Schema


def matching_nulls(predicate: Predicate, schema: Schema) -> Predicate:
    """A bound predicate whose negations match nulls, written as one whose negations do not: `x !=
    1` becomes `x != 1 OR x IS NULL`, unless IS NOT NULL stands beside it, as Spark pushes `<>`."""
    return _matching_nulls(predicate, schema, frozenset())


def _matching_nulls(predicate: Predicate, schema: Schema, checked: frozenset[int]) -> Predicate:
    match predicate:
        case And(children):
            checked |= {
                child.field.field_id
                for child in children
                if isinstance(child, BoundComparison) and child.op is Op.NOT_NULL
            }
            return all_of(*(_matching_nulls(child, schema, checked) for child in children))
        case Or(children):
            return any_of(*(_matching_nulls(child, schema, checked) for child in children))
        case BoundComparison(op, field) if op in NEGATIONS and field.field_id not in checked:
            return any_of(predicate, _is_null(predicate, schema))
        case _:
            return predicate


def _is_null(leaf: BoundComparison, schema: Schema) -> Predicate:
    column = schema.by_id(leaf.field.field_id)
    if column is not None and column.required:
        return FALSE
    return BoundComparison(Op.IS_NULL, leaf.field._replace(transform=None))


def as_written(pushed: Predicate, written: Predicate, schema: Schema) -> Predicate:
    """The filter that an engine pushed, with the conditions of its query in place of those that
    Iceberg's negations widened."""
    narrower = {matching_nulls(part, schema): part for part in conjuncts(written)}
    return all_of(*(narrower.get(part, part) for part in conjuncts(pushed)))
