"""The predicate of one base table among the sources of a SELECT."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.predicates.fingerprint import redact, render
from collectors.predicates.model import (
    TRUE,
    Always,
    Column,
    Comparison,
    Op,
    Predicate,
    Reason,
    Unsupported,
    all_of,
)
from collectors.predicates.planners import as_pushed, never_null
from collectors.predicates.sql_boolean import Formula, Leaf, leaves, own_columns, text_of, weaken
from collectors.predicates.sql_conditions import Reader, convert
from collectors.predicates.sql_scope import Scope
from collectors.predicates.sql_session import Session
from collectors.predicates.sql_sources import Source
from collectors.predicates.sql_terms import column_path


def table_predicate(
    source: Source, conditions: Sequence[Formula], scope: Scope, session: Session
) -> Predicate:
    """What `conditions`, which hold for the rows of `source`, say of its columns alone. With a
    planner in the session, what that planner pushes.

    Conjuncts that name other sources as well become Unsupported (CROSS_TABLE), except for plain
    `a.x = b.y`. Of an OR with such parts, each arm keeps what it says of this table.
    """
    reader = Reader(lambda column: scope.path(column, source), session).knowing(conditions)
    predicate = all_of(*(_conjunct(condition, source, scope, reader) for condition in conditions))
    if session.planner is None:
        return predicate
    inferred = (inferred_conditions(condition, reader) for condition in conditions)
    return as_pushed(session.planner, all_of(*inferred, predicate))


def inferred_conditions(condition: Formula, reader: Reader) -> Predicate:
    """What the session's planner infers from a condition and pushes with it."""
    if not isinstance(condition, Leaf) or reader.session.planner is None:
        return TRUE
    columns = never_null(reader.session.planner, condition.expression)
    paths = (column_path(column, reader.path_of) for column in columns)
    return all_of(*(Comparison(Op.NOT_NULL, Column(path)) for path in paths if path is not None))


def _conjunct(condition: Formula, source: Source, scope: Scope, reader: Reader) -> Predicate:
    def own(leaf: Leaf) -> Leaf | None:
        columns = own_columns(leaf.expression)
        return leaf if all(reader.path_of(column) is not None for column in columns) else None

    columns = [c for leaf in leaves(condition) for c in own_columns(leaf.expression)]
    is_touched = any(source in scope.owners(column) for column in columns)
    kept = weaken(condition, own)
    if kept is not None:
        predicate = convert(kept, reader)
        return predicate if is_touched or isinstance(predicate, Always) else Always(True)
    if not is_touched or _is_plain_join(condition, scope):
        return Always(True)
    is_ambiguous = any(len(scope.owners(c)) > 1 and not scope.is_merged(c) for c in columns)
    reason = Reason.AMBIGUOUS_COLUMN if is_ambiguous else Reason.CROSS_TABLE
    return _lost(condition, reason, columns, reader)


def _is_plain_join(condition: Formula, scope: Scope) -> bool:
    match condition:
        case Leaf(expression=exp.EQ(this=exp.Column() as left, expression=exp.Column() as right)):
            return not condition.negated and all(len(scope.owners(c)) == 1 for c in (left, right))
    return False


def _lost(
    condition: Formula, reason: Reason, columns: Sequence[exp.Column], reader: Reader
) -> Unsupported:
    dialect = reader.session.dialect
    paths = (reader.path_of(column) for column in columns)
    return Unsupported(
        reason,
        text_of(condition, lambda expression: render(expression, dialect)),
        text_of(condition, lambda expression: redact(expression, dialect)),
        tuple(dict.fromkeys(".".join(path) for path in paths if path is not None)),
    )
