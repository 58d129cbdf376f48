"""Choices that constants decide, and conditions on the rows of queries that read no table.

`CASE WHEN 'EU' = 'ALL' THEN true ELSE region = 'EU' END` is `region = 'EU'`, and
`coalesce('EU', region)` is `'EU'`. Dashboards write filters on one value, or on all, in this way.
Trino's and Spark's optimizers decide them before they push conditions.

Values that are not chosen count for the type of the whole: beside a text, Spark makes text of a
number. So values are chosen only if all are known to be of one kind.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Hashable, Sequence

from sqlglot import exp

from prunescope.collectors.sql.conditions.computed_types import DATE, PLAIN, ZONED, computed_type
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Folded, is_int
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.folding import fold
from prunescope.collectors.sql.text.boolean import (
    Formula,
    Leaf,
    formula,
    nested_queries,
    own_columns,
)
from prunescope.collectors.sql.text.cases import condition_of, parts_of
from prunescope.collectors.sql.text.nodes import IS_OF_ROWS, given, in_brackets, nodes_that_are


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


_CHOICES = (exp.Case, exp.If, exp.Coalesce, exp.Nvl2)
_TEXT, _WHOLE = "string", "whole"
_KINDS = {"int": _WHOLE, "long": _WHOLE}
"""Kinds of columns' types that constants share; other types are their own kinds."""


def may_be_decided(expression: exp.Expr) -> bool:
    """True if constants may decide a choice between columns, for some literals in an expression."""
    return any(map(_may_be_decided, nodes_that_are(_CHOICES, expression)))


def _may_be_decided(choice: exp.Expr) -> bool:
    if isinstance(choice, exp.Coalesce):
        operands = (choice.this, *choice.expressions)
        are_read = [bool(own_columns(operand)) for operand in operands]
        return any(are_read) and not all(are_read[:-1])
    return bool(own_columns(choice))


def decided(leaf: Leaf, reader: Reader) -> Formula | None:
    """The condition that is left of a leaf once constants have decided its choices; None if no
    choice is decided."""
    expression = leaf.expression
    if not dialect_of(reader.session.dialect).is_measured or not may_be_decided(expression):
        return None
    return with_values(
        leaf, _CHOICES, lambda choice, is_condition: _chosen(choice, is_condition, reader)
    )


def with_values(
    leaf: Leaf,
    kinds: tuple[type[exp.Expr], ...],
    value_of: Callable[[exp.Expr, bool], exp.Expr | None],
) -> Formula | None:
    """A leaf with functions of some kinds replaced by values, inner ones first; None if all stay as
    they are. `value_of` also receives whether the function is the condition itself."""
    found = leaf.expression.copy()
    is_changed = False
    for node in reversed(nodes_that_are(kinds, found)):
        if node.arg_key == "ifs":  # a case of a CASE
            continue
        value = value_of(node, node is found)
        if value is None:
            continue
        is_changed = True
        if node is found:
            found = value
        else:
            node.replace(value)
    return formula(found, negated=leaf.negated) if is_changed else None


def _chosen(choice: exp.Expr, is_condition: bool, reader: Reader) -> exp.Expr | None:
    """The expression that is left of a choice; None if nothing is decided, or its type may
    change."""
    session = reader.session
    match choice:
        case exp.Coalesce():
            values = [choice.this, *choice.expressions]
            left = _first_known(choice, values, session)
        case exp.Nvl2(this=value, args={"true": known, "false": unknown}):
            values = [unknown, known]
            is_null = exp.Is(this=value.copy(), expression=exp.Null())
            of_null = exp.If(this=is_null, true=values[0].copy())
            left = _of_cases(None, [of_null], values[1], session)
        case exp.Case() | exp.If():
            base, cases, default = parts_of(choice)
            values = [case.args["true"] for case in cases]
            values += [] if default is None else [default]
            left = _of_cases(base, cases, default, session)
        case _:
            return None
    if left is None or not (is_condition or are_alike(values, reader)):
        return None
    return left


def _of_cases(
    base: exp.Expr | None,
    cases: Sequence[exp.Expr],
    default: exp.Expr | None,
    session: Session,
) -> exp.Expr | None:
    """The cases that may be chosen: without those that never hold, and those after one that
    does."""
    kept: list[exp.Expr] = []
    for case in cases:
        is_chosen = holds(condition_of(base, case), session)
        if is_chosen:
            default = case.args["true"]
            break
        if is_chosen is None:
            kept.append(case)
    else:
        if len(kept) == len(cases):
            return None
    otherwise = exp.Null() if default is None else default.copy()
    if not kept:
        return otherwise
    whole = exp.Case(ifs=[case.copy() for case in kept], default=otherwise)
    if base is not None:
        whole.set("this", base.copy())
    return whole


def holds(condition: exp.Expr, session: Session) -> bool | None:
    """True if constants make a condition true, False if they rule that out; None if neither is
    known."""
    condition = condition.unnest()
    if isinstance(condition, exp.And | exp.Or):
        sides = [holds(part, session) for part in condition.flatten()]
        decisive = isinstance(condition, exp.Or)
        if decisive in sides:
            return decisive
        return None if None in sides else not decisive
    value = _constant(condition, session)
    return None if value is None else value is True


def _first_known(
    choice: exp.Coalesce, values: Sequence[exp.Expr], session: Session
) -> exp.Expr | None:
    """The values that may be the first that is not null: without NULLs, up to a constant."""
    kept: list[exp.Expr] = []
    for value in values:
        constant = None if own_columns(value) else _constant(value, session)
        if constant is NULL:
            continue
        kept.append(value.copy())
        if constant is not None:
            break
    if len(kept) == len(values):
        return None
    if len(kept) < 2:
        return kept[0] if kept else exp.Null()
    found = choice.copy()
    found.set("this", kept[0])
    found.set("expressions", kept[1:])
    return found


def _constant(expression: exp.Expr, session: Session) -> Folded | None:
    """The value of a constant; None for other expressions."""
    try:
        return fold(expression, session)
    except CannotConvert:
        return None


def are_alike(values: Sequence[exp.Expr], reader: Reader) -> bool:
    """True if values are of one kind, so that none of them changes the type of the others."""
    kinds = {_kind(value.unnest(), reader) for value in values} - {None}
    # To Trino, a text and anything else are an error.
    is_text = _TEXT in kinds and dialect_of(reader.session.dialect).is_strict
    return is_text or len(kinds) <= 1


def _kind(value: exp.Expr, reader: Reader) -> Hashable:
    """The kind of a value: the value itself if its kind is unknown, and None for NULL, which is of
    any kind."""
    keeps_zones = dialect_of(reader.session.dialect).keeps_zones
    match value:
        case exp.Null():
            return None
        case exp.Nullif(this=first):
            return _kind(first.unnest(), reader)
        case exp.TimestampTrunc(this=operand) | exp.DateTrunc(this=operand) if keeps_zones:
            return _kind(operand.unnest(), reader)
    known = reader.type_of(value)
    if known is None:
        known = computed_type(value, reader.session, reader.type_of)
        # Trino's literals of times may have a zone, as their texts say.
        known = None if keeps_zones and known in (PLAIN, ZONED) else known
    if known is not None:
        return _KINDS.get(known, known)
    constant = _constant(value, reader.session)
    if is_int(constant):
        return _WHOLE
    return {str: _TEXT, bool: "boolean", dt.date: DATE}.get(type(constant), value)
