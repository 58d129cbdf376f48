"""Boolean structure of SQL conditions: AND, OR and NOT with NOT pushed down to the leaves.

What is left is monotone: replacing a leaf by "true" makes the whole weaker, never stronger.
Pushing NOT down is valid in SQL's three-valued logic, and a filter keeps the rows for which
the whole is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from sqlglot import exp

from prunescope.collectors.sql.text.cost import spend
from prunescope.collectors.sql.text.nodes import nodes_of


class Moved(IntEnum):
    """The time at which Spark moves a condition: before it infers others, after that, or once it
    has simplified all of them."""

    EARLY = 0
    INFERRED = 1
    LAST = 2


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A condition that is neither AND, OR nor NOT.

    It is written `level` queries outside of the one whose columns it names; None for a condition on
    groups, in a HAVING. `is_made` tells that its columns replace those that it is written with,
    which are computed by them. `is_above` tells that it holds below a node through which Spark
    moves no condition, and `is_converted` that it reads the values of its columns after a
    conversion to another type. `moved` is the time at which Spark moves it there.
    """

    expression: exp.Expr
    negated: bool
    level: int | None = 0
    is_made: bool = False
    is_above: bool = False
    is_converted: bool = False
    moved: Moved = Moved.EARLY


@dataclass(frozen=True, slots=True, eq=False)
class AllOf:
    """A conjunction."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AnyOf:
    """A disjunction."""

    parts: tuple[Formula, ...]


Formula = Leaf | AllOf | AnyOf


def formula(expression: exp.Expr, *, negated: bool = False) -> Formula:
    """The boolean structure of `expression`, or of its negation."""
    expression = expression.unnest()
    match expression:
        case exp.Not(this=part):
            return formula(part, negated=not negated)
        case exp.And() | exp.Or():
            parts = tuple(formula(part, negated=negated) for part in expression.flatten())
            return AllOf(parts) if isinstance(expression, exp.And) != negated else AnyOf(parts)
        case (
            exp.Like(expression=exp.Any() | exp.All()) | exp.ILike(expression=exp.Any() | exp.All())
        ):
            return _of_patterns(expression, negated)
    return Leaf(expression, negated)


def _of_patterns(expression: exp.Expr, negated: bool) -> Formula:
    """`s LIKE ANY ('a%', 'b%')`, which is `s LIKE 'a%' OR s LIKE 'b%'`; of ALL, AND. A NOT before
    LIKE is one before each of them."""
    listed = expression.expression
    match listed.this:
        case exp.Tuple(expressions=patterns):
            pass
        case exp.Paren(this=pattern):
            patterns = [pattern]
        case _:
            return Leaf(expression, negated)
    parts = []
    for pattern in patterns:
        part = expression.copy()
        part.set("expression", pattern.copy())
        parts.append(Leaf(part, negated))
    is_all = isinstance(listed, exp.All)
    return AllOf(tuple(parts)) if is_all != negated else AnyOf(tuple(parts))


def conjuncts_of(condition: Formula) -> Iterator[Formula]:
    """The AND-ed parts."""
    if isinstance(condition, AllOf):
        for part in condition.parts:
            yield from conjuncts_of(part)
    else:
        yield condition


def leaves(condition: Formula) -> Iterator[Leaf]:
    """The leaves, from left to right."""
    if isinstance(condition, Leaf):
        yield condition
    else:
        for part in condition.parts:
            yield from leaves(part)


def weaken(condition: Formula, keep: Callable[[Leaf], Formula | None]) -> Formula | None:
    """Replaces each leaf by `keep(leaf)`, which must follow from that leaf; the result follows from
    `condition`. None stands for "true": an AND drops it, an OR with it is lost."""
    if isinstance(condition, Leaf):
        return keep(condition)
    parts = tuple(weaken(part, keep) for part in condition.parts)
    kept = tuple(part for part in parts if part is not None)
    if isinstance(condition, AnyOf):
        return AnyOf(kept) if len(kept) == len(parts) else None
    return AllOf(kept) if kept else None


def as_written(condition: Formula, leaf: Leaf, *, is_made: bool = False) -> Formula:
    """A condition that was made of a leaf, marked as written where the leaf is."""
    is_made |= leaf.is_made

    def moved(part: Leaf) -> Leaf:
        return replace(leaf, expression=part.expression, negated=part.negated, is_made=is_made)

    return weaken(condition, moved) or condition


def above(condition: Formula) -> Formula:
    """A condition, marked as one above a node through which Spark moves none."""
    return weaken(condition, lambda leaf: replace(leaf, is_above=True)) or condition


def moved_at(condition: Formula, time: Moved) -> Formula:
    """A condition, marked as one that Spark moves at this time, or later."""
    return weaken(condition, lambda leaf: replace(leaf, moved=max(leaf.moved, time))) or condition


def time_moved(condition: Formula) -> Moved:
    """The time at which Spark moves a condition: the latest of its leaves."""
    return max(leaf.moved for leaf in leaves(condition))


def text_of(condition: Formula, render: Callable[[exp.Expr], str]) -> str:
    """The condition as SQL, with `render` for the leaves."""
    match condition:
        case Leaf(expression, negated):
            text = render(expression)
            return f"NOT ({text})" if negated else text
        case AllOf(parts):
            return " AND ".join(_bracketed(part, render) for part in parts)
        case AnyOf(parts):
            return " OR ".join(_bracketed(part, render) for part in parts)


def _bracketed(condition: Formula, render: Callable[[exp.Expr], str]) -> str:
    text = text_of(condition, render)
    return text if isinstance(condition, Leaf) else f"({text})"


def own_nodes(expression: exp.Expr) -> list[exp.Expr]:
    """The nodes of an expression, without those inside nested queries; the nested queries
    themselves are among them."""
    found = nodes_of(expression, into_queries=False)
    spend(len(found))
    return found


def own_columns(expression: exp.Expr) -> list[exp.Column]:
    """The columns that an expression reads outside nested queries."""
    return [node for node in own_nodes(expression) if isinstance(node, exp.Column)]


def nested_queries(expression: exp.Expr) -> list[exp.Query]:
    """The queries directly inside an expression, from left to right."""
    queries = [node for node in own_nodes(expression) if isinstance(node, exp.Query)]
    if len(queries) < 2:  # as most have
        return queries
    found = expression.dfs(prune=lambda node: isinstance(node, exp.Query))
    return [node for node in found if isinstance(node, exp.Query)]


def filters_of(select: exp.Select) -> list[Formula]:
    """The conjuncts of PREWHERE and WHERE; none beside CONNECT BY, which comes first."""
    if select.args.get("connect"):
        return []
    clauses = (select.args.get(name) for name in ("prewhere", "where"))
    found = (formula(clause.this) for clause in clauses if clause is not None)
    return [part for condition in found for part in conjuncts_of(condition)]


def is_negated(query: exp.Query, within: exp.Expr) -> bool:
    """True if an expression asks for rows that a query in it lacks: NOT IN, NOT EXISTS, <> ALL."""
    current: exp.Expr | None = query.parent
    while current is not None and current is not within:
        if isinstance(current, exp.Not | exp.All):
            return True
        current = current.parent
    return isinstance(within, exp.Not | exp.All)
