"""Iceberg's expressions in their JSON form (org.apache.iceberg.expressions.ExpressionParser,
Iceberg 1.11; the Expression schemas of the REST catalog specification)."""

from __future__ import annotations

from typing import Any

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Column,
    Comparison,
    Predicate,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import SET, UNARY, Op
from prunescope.collectors.predicates.walks import negate

_OPERATORS = {
    "lt": Op.LT,
    "lt-eq": Op.LT_EQ,
    "gt": Op.GT,
    "gt-eq": Op.GT_EQ,
    "eq": Op.EQ,
    "not-eq": Op.NOT_EQ,
    "in": Op.IN,
    "not-in": Op.NOT_IN,
    "is-null": Op.IS_NULL,
    "not-null": Op.NOT_NULL,
    "is-nan": Op.IS_NAN,
    "not-nan": Op.NOT_NAN,
    "starts-with": Op.STARTS_WITH,
    "not-starts-with": Op.NOT_STARTS_WITH,
}
_MAX_DEPTH = 500


class MalformedExpression(QueryError):
    """A JSON document is no Iceberg expression."""

    code = Outcome.MALFORMED_EXPRESSION


def parse_expression(document: object) -> Predicate:
    """The unbound predicate that a decoded JSON document stands for.

    A term is one name, whatever dots it holds: `st.a` is a field of a struct as often as a
    column, and only a schema tells. Values stay as JSON has them (text for dates and the like).
    Raises MalformedExpression; its message holds no value.
    """
    return _expression(document, 0)


def _expression(document: Any, depth: int) -> Predicate:
    if depth > _MAX_DEPTH:
        raise MalformedExpression("the expression is nested too deeply")
    match document:
        case bool():
            return TRUE if document else FALSE
        case "true" | "false":
            return TRUE if document == "true" else FALSE
        case {"type": "true"}:
            return TRUE
        case {"type": "false"}:
            return FALSE
        case {"type": "literal", "value": bool(value)}:
            return TRUE if value else FALSE
        case {"type": "and" | "or" as kind, "left": left, "right": right}:
            combine = all_of if kind == "and" else any_of
            return combine(_expression(left, depth + 1), _expression(right, depth + 1))
        case {"type": "not", "child": child}:
            return negate(_expression(child, depth + 1))
        case {"type": str(kind), "term": term} if kind in _OPERATORS:
            return _comparison(_OPERATORS[kind], _column(term), document)
    raise MalformedExpression(
        "the filter is not an Iceberg expression in its JSON form; check what wrote it"
    )


def _comparison(op: Op, column: Column, document: dict[str, Any]) -> Predicate:
    if op in UNARY:
        return Comparison(op, column)
    if op in SET:
        values = document.get("values")
        if not isinstance(values, list) or not values:
            raise MalformedExpression(f"{op} of the filter has no list of values")
        return Comparison(op, column, tuple(map(_value, values)))
    return Comparison(op, column, (_value(document.get("value")),))


def _value(value: object) -> LiteralValue:
    match value:
        case bool() | int() | float() | str():
            return value
    raise MalformedExpression("a value of the filter is neither text, a number nor a boolean")


def _column(term: object) -> Column:
    match term:
        case str(name) if name:
            return Column((name,))
        case {"type": "reference", "term": str(name)} if name:
            return Column((name,))
        case {"type": "transform", "transform": str(transform), "term": inner}:
            return Column(_column(inner).path, transform)
    raise MalformedExpression("a term of the filter is neither a name nor a transform of one")
