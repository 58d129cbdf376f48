"""Constants through equalities: `a.k = b.k AND b.k = 5` says `a.k = 5`.

Only between columns of one type. Where the types differ, the engine converts one column, and
what it makes of it need not be what the constant is for the other: `a.s = b.i AND b.i = '5'`
matches s = '05' in Spark 4.1 and DuckDB 2.0, and a REAL that `= 0.1` is not the DOUBLE 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.model import And, Or, Predicate, Unsupported
from collectors.predicates.sql_boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    formula,
    leaves,
    nested_queries,
    own_columns,
)
from collectors.predicates.sql_conditions import Reader, convert
from collectors.predicates.sql_scope import Scope
from collectors.predicates.sql_session import Session
from collectors.predicates.sql_sources import Source
from collectors.predicates.sql_types import are_alike, is_exact

_Key = tuple[Source, str]
"""A column by its source and its lower-case name."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A condition, and whether it says something certain of the values of its one column."""

    condition: Formula
    is_certain: bool


def transferred(
    conditions: Sequence[Formula],
    source: Source,
    scope: Scope,
    session: Session,
    judged: list[Judged],
) -> Iterator[Formula]:
    """What `conditions`, which hold together for joined rows, say of further columns of
    `source`: those that equalities between columns of one type tie, directly or through others,
    to the column of which a condition speaks. `judged` grows by what was asked of conditions."""
    columns, classes = _equalities(conditions, scope)
    if not any(owner is source for owner, _ in columns):
        return
    for condition in conditions:
        key = _compared_column(condition, scope, session, judged)
        for other in classes.get(key, ()) if key is not None else ():
            if other != key and other[0] is source:
                yield _replaced(condition, columns[other])


def _equalities(
    conditions: Sequence[Formula], scope: Scope
) -> tuple[dict[_Key, exp.Column], dict[_Key, list[_Key]]]:
    """A reference to each equated column, and the columns that are equal to each."""
    columns: dict[_Key, exp.Column] = {}
    classes: dict[_Key, list[_Key]] = {}
    for condition in conditions:
        match condition:
            case Leaf(
                expression=exp.EQ(this=exp.Column() as left, expression=exp.Column() as right),
                negated=False,
            ):
                first, second = _key(left, scope), _key(right, scope)
                if first is None or second is None or not _is_transparent(first, second, scope):
                    continue
                columns.setdefault(first, left)
                columns.setdefault(second, right)
                tied = classes.get(first, [first]) + classes.get(second, [second])
                merged = list(dict.fromkeys(tied))
                classes.update((key, merged) for key in merged)
    return columns, classes


def _key(column: exp.Column, scope: Scope) -> _Key | None:
    owners = scope.owners(column)
    path = scope.path(column, owners[0]) if len(owners) == 1 else None
    return (owners[0], path[0].lower()) if path is not None and len(path) == 1 else None


def _is_transparent(left: _Key, right: _Key, scope: Scope) -> bool:
    """Whether columns that are equal hold the same value."""
    found = [scope.types.of(source, (name,)) for source, name in (left, right)]
    types = [kind for kind in found if kind is not None and is_exact(kind)]
    return len(types) == len(found) and are_alike(types)


def _compared_column(
    condition: Formula, scope: Scope, session: Session, judged: list[Judged]
) -> _Key | None:
    """The only column of a condition that says something certain of its values."""
    expressions = [leaf.expression for leaf in leaves(condition)]
    keys = {_key(column, scope) for found in expressions for column in own_columns(found)}
    if len(keys) != 1 or any(map(nested_queries, expressions)):
        return None
    judged.append(Judged(condition, is_certain(convert(condition, Reader(own_name, session)))))
    return keys.pop() if judged[-1].is_certain else None


def own_name(column: exp.Column) -> tuple[str, ...]:
    """The path of a column of which only the name matters."""
    return (column.name,)


def is_certain(predicate: Predicate) -> bool:
    """Whether a predicate says all that its condition does."""
    if isinstance(predicate, And | Or):
        return all(map(is_certain, predicate.children))
    return not isinstance(predicate, Unsupported)


def _replaced(condition: Formula, column: exp.Column) -> Formula:
    match condition:
        case AllOf(parts):
            return AllOf(tuple(_replaced(part, column) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_replaced(part, column) for part in parts))
        case Leaf():
            expression = condition.expression.copy()
            for found in own_columns(expression):
                found.replace(column.copy())
            return formula(expression, negated=condition.negated)
