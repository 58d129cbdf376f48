"""Pushdown of a SELECT's conditions to the rows of each relation that the query needs.

A condition may be applied to a relation if dropping the rows that fail it leaves the result of
the query as it is. WHERE reaches both sides of an inner join, and only the kept side of an
outer join, unless it fails for every row that the join fills with nulls: then the join is as
good as an inner one. ON reaches the sides of which no row is kept without a partner, and with it
what holds for every row of the other side.

With that goes the clause to which one more condition on the relation could be added: WHERE drops
what an outer join fills with nulls, and ON none of the rows that a join keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

from sqlglot import exp

from prunescope.collectors.observed import Clause
from prunescope.collectors.sql.scopes.relations import (
    FromTree,
    Join,
    Relation,
    kept_by_pivots,
    relations_of,
)
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.text.boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    Moved,
    moved_at,
    time_moved,
)
from prunescope.collectors.sql.text.cost import spend

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
# Conditions are handed on together, and looked at once for all relations.
_CONDITIONS_PER_STEP = 16
_STRICT_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


class Reached(NamedTuple):
    """A relation, the conjuncts that hold for its rows, which may name columns of others as well,
    and the clause for more. `is_filled` tells that Spark takes a join to fill it with nulls when it
    infers conditions."""

    relation: Relation
    held: tuple[Formula, ...]
    clause: Clause
    is_filled: bool


def push_down(
    tree: FromTree, conditions: Sequence[Formula], scope: Scope, clause: Clause
) -> Iterator[Reached]:
    """Pushes conditions to each relation, from left to right; `clause` is that for the rows of the
    whole tree."""
    waiting: list[tuple[FromTree, Sequence[Formula], Clause, bool]] = [
        (tree, conditions, clause, False)
    ]
    while waiting:
        found, held, clause, is_filled = waiting.pop()
        spend(1 + len(held) // _CONDITIONS_PER_STEP)
        if isinstance(found, Relation):
            of_rows = _behind_pivots(found, held, scope) if found.is_sealed else held
            yield Reached(found, tuple(of_rows), clause, is_filled)
        elif found.is_opaque:
            neither = clause if clause is Clause.ABSENCE else Clause.NONE
            waiting += (
                (found.right, (), neither, is_filled),
                (found.left, (), neither, is_filled),
            )
        else:
            kept = _kept_sides(found, held, scope)
            of_left, of_right = _of_sides(found, kept, held, scope)
            early = (False, False)
            if scope.infers_constraints and (found.keeps_left or found.keeps_right):
                early = _kept_sides(found, held, scope, is_early=True)
                if early != kept:
                    before = _of_sides(found, early, held, scope)
                    of_left = _later(of_left, {*held, *before[0]})
                    of_right = _later(of_right, {*held, *before[1]})
            left, right = _clauses(found, kept, held, scope, clause)
            waiting.append((found.right, of_right, right, is_filled or early[0]))
            waiting.append((found.left, of_left, left, is_filled or early[1]))


def _of_sides(
    join: Join, kept: tuple[bool, bool], conditions: Sequence[Formula], scope: Scope
) -> tuple[tuple[Formula, ...], tuple[Formula, ...]]:
    """The conditions on left and right rows of a join."""
    if any(kept) and scope.infers_constraints:
        conditions = _moved_by_spark(join, conditions, scope)
    return (
        _left_conditions(join, kept, conditions, scope),
        _right_conditions(join, kept, conditions, scope),
    )


def _later(conditions: Sequence[Formula], known: Container[Formula]) -> tuple[Formula, ...]:
    """Conditions, of which Spark moves those that are not `known` after it has inferred others."""
    return tuple(c if c in known else moved_at(c, Moved.INFERRED) for c in conditions)


def _moved_by_spark(join: Join, conditions: Sequence[Formula], scope: Scope) -> tuple[Formula, ...]:
    """The conditions of which Spark moves a part below an outer join: none of an OR over both
    sides, as 4.1.4 was seen to do (PushPredicateThroughJoin)."""
    return tuple(c for c in conditions if not _is_across(c, join, scope))


def _is_across(condition: Formula, join: Join, scope: Scope) -> bool:
    read = scope.reads(condition).relations if isinstance(condition, AnyOf) else frozenset()
    return all(not read.isdisjoint(relations_of(side)) for side in (join.left, join.right))


def _behind_pivots(
    relation: Relation, conditions: Sequence[Formula], scope: Scope
) -> Iterator[Formula]:
    """The conditions on columns of a sealed relation that are the same behind its PIVOT."""
    names = kept_by_pivots(relation)
    for condition in conditions if names else ():
        reads = scope.reads(condition)
        paths = [scope.path(column, relation) for column in reads.columns]
        are_kept = all(path is not None and path[0].lower() in names for path in paths)
        if are_kept and not (reads.has_constant or reads.has_query):
            yield condition


def clause_of_merge(tree: FromTree) -> Clause:
    """The clause for more conditions in a MERGE, which has no WHERE. If rows of the target without
    a match change, a row that loses its match by a condition is deleted."""
    keeps_target = isinstance(tree, Join) and tree.keeps_right
    return Clause.ABSENCE if keeps_target else Clause.NONE


def _clauses(
    join: Join, kept: tuple[bool, bool], conditions: Sequence[Formula], scope: Scope, clause: Clause
) -> tuple[Clause, Clause]:
    """The clauses for more conditions on left and right rows of a join."""
    if clause is Clause.ABSENCE:
        return clause, clause

    def of_side(side: FromTree, own: bool, other: bool, *, is_hidden: bool) -> Clause:
        if (is_hidden and join.is_anti) or (other and _pass_nulls(conditions, side, scope)):
            return Clause.ABSENCE
        if own or (join.is_anti and not is_hidden):
            return Clause.NONE if other else clause
        return Clause.ON if other or is_hidden or clause is Clause.NONE else clause

    keeps_left, keeps_right = kept
    return (
        of_side(join.left, keeps_left, keeps_right, is_hidden=join.chooses_left),
        of_side(
            join.right, keeps_right, keeps_left, is_hidden=join.hides_right or join.chooses_right
        ),
    )


def _pass_nulls(conditions: Sequence[Formula], side: FromTree, scope: Scope) -> bool:
    """True if conditions name columns of a side that a join fills with nulls, and none rejects
    these: they may ask for rows that found no partner, as `u IS NULL` does."""
    relations = set(relations_of(side))
    return any(scope.reads(condition).relations & relations for condition in conditions)


def _left_conditions(
    join: Join, kept: tuple[bool, bool], conditions: Sequence[Formula], scope: Scope
) -> tuple[Formula, ...]:
    keeps_left, keeps_right = kept
    loses_where = keeps_right or join.chooses_left
    from_where = _only_of(join.right, conditions, scope) if loses_where else tuple(conditions)
    if keeps_left or join.is_anti:
        return tuple(from_where)
    return (*from_where, *join.on, *certain_conditions(join.right))


def _right_conditions(
    join: Join, kept: tuple[bool, bool], conditions: Sequence[Formula], scope: Scope
) -> tuple[Formula, ...]:
    keeps_left, keeps_right = kept
    loses_where = keeps_left or join.hides_right or join.chooses_right
    from_where = _only_of(join.left, conditions, scope) if loses_where else tuple(conditions)
    if keeps_right:
        return tuple(from_where)
    return (*from_where, *join.on, *certain_conditions(join.left))


def certain_conditions(tree: FromTree) -> Iterator[Formula]:
    """The ON conditions that hold for every row of a join."""
    waiting: list[FromTree | tuple[Formula, ...]] = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, tuple):
            yield from found
        elif isinstance(found, Join) and not found.is_opaque:
            if not (found.keeps_left or found.keeps_right or found.hides_right):
                waiting.append(found.on)
            if not (found.keeps_left or found.hides_right):
                waiting.append(found.right)
            if not found.keeps_right:
                waiting.append(found.left)


def _only_of(side: FromTree, conditions: Sequence[Formula], scope: Scope) -> tuple[Formula, ...]:
    """The conditions on one side of a join alone. A row of the other side only matters for
    partners that satisfy them: without it, a partner that fails them is dropped all the same."""
    relations = set(relations_of(side))

    def is_of_side(condition: Formula) -> bool:
        reads = scope.reads(condition)
        # A nested query may name the other side.
        return reads.is_placed and not reads.has_query and relations >= reads.relations

    return tuple(filter(is_of_side, conditions))


def _kept_sides(
    join: Join, conditions: Sequence[Formula], scope: Scope, *, is_early: bool = False
) -> tuple[bool, bool]:
    """Tells whether left and right rows without a partner can pass the conditions; `is_early`
    judges by the conditions that Spark has before it infers any."""
    if scope.infers_constraints and (join.keeps_left or join.keeps_right):
        conditions = _asked_by_spark(join, conditions, scope, is_early=is_early)
    return (
        join.keeps_left and not (join.fills_nulls and _rejects(conditions, join.right, scope)),
        join.keeps_right and not (join.fills_nulls and _rejects(conditions, join.left, scope)),
    )


def _asked_by_spark(
    join: Join, conditions: Sequence[Formula], scope: Scope, *, is_early: bool
) -> list[Formula]:
    """The conditions by which Spark decides that an outer join is an inner one
    (EliminateOuterJoin): those on this join alone, which stand right above it. Conditions on other
    joins as well are keys of joins above it, and imply only IS NOT NULL, once that is inferred
    (InferFiltersFromConstraints, which runs once)."""
    relations = set(relations_of(join))

    def is_asked(condition: Formula) -> bool:
        time = time_moved(condition)
        if scope.reads(condition).relations <= relations:
            return time is Moved.EARLY or (time is Moved.INFERRED and not is_early)
        return time is Moved.EARLY and not is_early

    return list(filter(is_asked, conditions))


def _rejects(conditions: Sequence[Formula], side: FromTree, scope: Scope) -> bool:
    """True if some condition cannot be true for the nulls that fill a side of a join."""
    relations = set(relations_of(side))
    spend(1 + len(conditions) // _CONDITIONS_PER_STEP)
    near = [
        c for c in conditions if scope.reads(c).has_constant or scope.reads(c).relations & relations
    ]
    if scope.infers_constraints:  # which asks ORs over both sides of neither (EliminateOuterJoin)
        near = [c for c in near if isinstance(c, Leaf) or scope.reads(c).relations <= relations]
    return any(rejects_nulls(condition, relations, scope) for condition in near)


def rejects_nulls(condition: Formula, relations: set[Relation], scope: Scope) -> bool:
    """True if the condition cannot be true when every column of `relations` is null."""

    def is_null(column: exp.Column) -> bool:
        owners = scope.owners(column)
        return bool(owners) and relations.issuperset(owners)

    match condition:
        case AllOf(parts):
            return any(rejects_nulls(part, relations, scope) for part in parts)
        case AnyOf(parts):
            return all(rejects_nulls(part, relations, scope) for part in parts)
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
