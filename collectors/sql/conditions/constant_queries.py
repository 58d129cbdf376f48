"""Conditions on the rows of queries that read no table, as conditions on constants."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import Leaf, nested_queries
from prunescope.collectors.sql.text.nodes import IS_OF_ROWS, given, in_brackets


def without_queries(expression: exp.Expr) -> exp.Expr | None:
    """A condition with its queries replaced by their values: `d = (SELECT 5)`, `d IN (VALUES 5,
    6)`, `d = ANY (VALUES 5, 6)`. None if it has no query, or one that reads anything."""
    match expression:
        case exp.In(this=operand):
            rows = _rows(expression.args.get("query") or _only(expression.expressions))
            return None if rows is None else _listed(operand, rows)
        case exp.EQ(this=operand, expression=exp.Any(this=query)):
            rows = _rows(query)
            return None if rows is None else _listed(operand, rows)
    if not nested_queries(expression):
        return None
    found = expression.copy()
    for query in nested_queries(found):
        values = _rows(query)
        if values is None or len(values) > 1 or not isinstance(query, exp.Subquery):
            return None
        query.replace(exp.Paren(this=values[0].copy()))
    return found


def is_listed(expression: exp.Expr) -> bool:
    """True if a condition looks for a value among the rows of a query."""
    return isinstance(expression, exp.In) or expression.find(exp.Any) is not None


def is_joined(leaf: Leaf) -> bool:
    """True if engines make a join of a condition that `is_listed`, so that nothing is known of it
    before the query runs: under an OR or a NOT."""
    parent = leaf.expression.parent
    while isinstance(parent, exp.And | exp.Paren):
        parent = parent.parent
    return leaf.negated or isinstance(parent, exp.Or | exp.Not)


def _listed(operand: exp.Expr, rows: Sequence[exp.Expr]) -> exp.In:
    listed = exp.In(this=operand.copy(), expressions=[row.copy() for row in rows])
    listed.meta[IS_OF_ROWS] = True
    return listed


def _only(items: Sequence[exp.Expr]) -> exp.Expr | None:
    return items[0] if len(items) == 1 else None


def _rows(query: object) -> Sequence[exp.Expr] | None:
    """The values of a query of one column that reads no table; None for other queries."""
    match in_brackets(query) if isinstance(query, exp.Expr) else None:
        case exp.Values(expressions=rows):
            if all(isinstance(row, exp.Tuple) and len(row.expressions) == 1 for row in rows):
                return [row.expressions[0] for row in rows]
        case exp.Select(expressions=[value]) as found if given(found) == {"expressions"}:
            return [value.unalias()]
    return None
