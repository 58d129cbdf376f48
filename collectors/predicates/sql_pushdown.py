"""Which conditions of a SELECT hold for the rows of each source that the query needs.

A condition may be applied to a source if dropping the rows that fail it leaves the result of
the query as it is. WHERE reaches both sides of an inner join, and only the kept side of an
outer join, unless it fails for every row that the join fills with nulls: then the join is as
good as an inner one. ON reaches the sides of which no row is kept without a partner, and with it
what holds for every row of the other side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from collectors.predicates.sql_boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    leaves,
    nested_queries,
    own_columns,
)
from collectors.predicates.sql_scope import Scope
from collectors.predicates.sql_sources import FromTree, Join, Source, sources_of

# Functions of one value that are null for null.
_STRICT = (
    exp.Paren,
    exp.Neg,
    exp.Cast,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.Mod,
    exp.Date,
    exp.TsOrDsToDate,
    exp.TimestampTrunc,
    exp.Year,
    exp.Lower,
    exp.Upper,
    exp.Dot,
)
_STRICT_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def push_down(
    tree: FromTree, conditions: Sequence[Formula], scope: Scope
) -> Iterator[tuple[Source, tuple[Formula, ...]]]:
    """Each source, from left to right, with the conjuncts that hold for its rows. They may name
    columns of other sources as well."""
    if isinstance(tree, Source):
        yield tree, () if tree.is_sealed else tuple(conditions)
        return
    if tree.is_opaque:
        yield from push_down(tree.left, (), scope)
        yield from push_down(tree.right, (), scope)
        return
    yield from push_down(tree.left, _left_conditions(tree, conditions, scope), scope)
    yield from push_down(tree.right, _right_conditions(tree, conditions, scope), scope)


def _left_conditions(
    join: Join, conditions: Sequence[Formula], scope: Scope
) -> tuple[Formula, ...]:
    keeps_left, keeps_right = _kept_sides(join, conditions, scope)
    from_where = _only_of(join.right, conditions, scope) if keeps_right else tuple(conditions)
    if keeps_left or join.is_anti:
        return tuple(from_where)
    return (*from_where, *join.on, *_certain(join.right))


def _right_conditions(
    join: Join, conditions: Sequence[Formula], scope: Scope
) -> tuple[Formula, ...]:
    keeps_left, keeps_right = _kept_sides(join, conditions, scope)
    loses_where = keeps_left or join.hides_right
    from_where = _only_of(join.left, conditions, scope) if loses_where else tuple(conditions)
    if keeps_right:
        return tuple(from_where)
    return (*from_where, *join.on, *_certain(join.left))


def _certain(tree: FromTree) -> Iterator[Formula]:
    """The ON conditions that hold for every row of a join."""
    if isinstance(tree, Source) or tree.is_opaque:
        return
    if not tree.keeps_right:
        yield from _certain(tree.left)
    if not (tree.keeps_left or tree.hides_right):
        yield from _certain(tree.right)
    if not (tree.keeps_left or tree.keeps_right or tree.hides_right):
        yield from tree.on


def _only_of(side: FromTree, conditions: Sequence[Formula], scope: Scope) -> tuple[Formula, ...]:
    """The conditions on one side of a join alone. A row of the other side only matters for
    partners that satisfy them: without it, a partner that fails them is dropped all the same."""
    sources = set(sources_of(side))

    def is_of_side(leaf: Leaf) -> bool:
        owners = [scope.owners(column) for column in own_columns(leaf.expression)]
        is_plain = not nested_queries(leaf.expression)  # a nested query may name the other side
        return is_plain and all(found and sources.issuperset(found) for found in owners)

    return tuple(c for c in conditions if all(map(is_of_side, leaves(c))))


def _kept_sides(join: Join, conditions: Sequence[Formula], scope: Scope) -> tuple[bool, bool]:
    """Whether left and right rows without a partner can pass the conditions."""
    keeps_left, keeps_right = join.keeps_left, join.keeps_right
    if keeps_left:
        right = set(sources_of(join.right))
        keeps_left = not any(rejects_nulls(condition, right, scope) for condition in conditions)
    if keeps_right:
        left = set(sources_of(join.left))
        keeps_right = not any(rejects_nulls(condition, left, scope) for condition in conditions)
    return keeps_left, keeps_right


def rejects_nulls(condition: Formula, sources: set[Source], scope: Scope) -> bool:
    """Whether the condition cannot be true where every column of `sources` is null."""

    def is_null(column: exp.Column) -> bool:
        owners = scope.owners(column)
        return bool(owners) and sources.issuperset(owners)

    match condition:
        case AllOf(parts):
            return any(rejects_nulls(part, sources, scope) for part in parts)
        case AnyOf(parts):
            return all(rejects_nulls(part, sources, scope) for part in parts)
        case Leaf():
            return _leaf_rejects(condition, lambda side: _is_null(side, is_null))


def _leaf_rejects(leaf: Leaf, is_null: Callable[[exp.Expr], bool]) -> bool:
    expression, negated = leaf.expression, leaf.negated
    match expression:
        case exp.Boolean(this=value):
            return bool(value) == negated
        case exp.Column():
            return is_null(expression)
        case exp.Is(this=operand, expression=exp.Null()):
            return negated and is_null(operand)
        case exp.Is(this=operand, expression=exp.Boolean()):
            return not negated and is_null(operand)
        case exp.NullSafeEQ(this=operand, expression=exp.Literal()):
            return not negated and is_null(operand)
        case exp.In(this=operand):
            has_query = expression.args.get("query") is not None
            return not (has_query and negated) and is_null(operand)
        case exp.Between(this=operand) | exp.Like(this=operand):
            return is_null(operand)
        case exp.Escape(this=exp.Like(this=operand)):
            return is_null(operand)
    if isinstance(expression, _STRICT_COMPARISONS):
        sides = expression.this, expression.expression
        # x > ALL (SELECT …) is true for null if the query has no rows.
        return any(map(is_null, sides)) and not any(isinstance(s, exp.All) for s in sides)
    return False


def _is_null(expression: exp.Expr, is_null_column: Callable[[exp.Column], bool]) -> bool:
    if isinstance(expression, exp.Column):
        return is_null_column(expression)
    if not isinstance(expression, _STRICT):
        return False
    operands = (expression.this, expression.args.get("expression"))
    return any(isinstance(o, exp.Expr) and _is_null(o, is_null_column) for o in operands)
