"""Constants through equalities: `a.k = b.k AND b.k = 5` says `a.k = 5`.

Only between columns of one type. Where the types differ, the engine converts one column, and
what it makes of it need not be what the constant is for the other: `a.s = b.i AND b.i = '5'`
matches s = '05' in Spark 4.1 and DuckDB 2.0, and a REAL that `= 0.1` is not the DOUBLE 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.model import Predicate, Unsupported
from collectors.predicates.walks import leaves
from collectors.sql.conditions.convert import convert
from collectors.sql.conditions.reader import Reader
from collectors.sql.constants.session import Session
from collectors.sql.extraction.among import is_among
from collectors.sql.scopes.alike import are_alike, is_exact
from collectors.sql.scopes.relations import Relation
from collectors.sql.scopes.scope import Scope
from collectors.sql.scopes.types import RelationColumn
from collectors.sql.text.boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    formula,
    own_columns,
)
from collectors.sql.text.cost import copied, spend

_Equalities = tuple[dict[RelationColumn, exp.Column], dict[RelationColumn, list[RelationColumn]]]
"""A reference to each equated column, and the columns that are equal to each."""

_ByRelation = dict[Relation, list[tuple[Formula, exp.Column]]]
"""By relation, the conditions on other columns, and the column that is equal to theirs."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A condition, and whether it says something certain of the values of its one column."""

    condition: Formula
    is_certain: bool


class Transfers:
    """What conditions, which hold together for joined rows, say of further columns of a relation:
    those that equalities between columns of one type tie, directly or through others, to the
    column of which a condition speaks.

    The relations of an inner join share their conditions: what these say is found once for all.
    `judged` grows by what is asked of conditions.
    """

    def __init__(self, scope: Scope, session: Session, judged: list[Judged]) -> None:
        self._scope = scope
        self._session = session
        self._judged = judged
        self._found: dict[frozenset[Formula], _ByRelation] = {}
        self._equalities: dict[frozenset[Formula], _Equalities] = {}
        self._compared: dict[Formula, RelationColumn | None] = {}

    def of(self, conditions: Sequence[Formula], relation: Relation) -> Iterator[Formula]:
        """The further conditions on one relation."""
        together = frozenset(conditions)
        if together not in self._found:
            self._found[together] = self._by_relation(conditions)
        for condition, column in self._found[together].get(relation, ()):
            spend()
            yield _replaced(condition, column)

    def equal(
        self, conditions: Sequence[Formula], relation: Relation
    ) -> Iterator[tuple[exp.Column, RelationColumn]]:
        """The columns of a relation that equalities tie to columns of others, and these."""
        columns, classes = self._equal_columns(conditions)
        for key, together in classes.items():
            for other in together if key[0] is relation else ():
                spend()
                if other[0] is not relation:
                    yield columns[key], other

    def _equal_columns(self, conditions: Sequence[Formula]) -> _Equalities:
        together = frozenset(conditions)
        if together not in self._equalities:
            self._equalities[together] = _equalities(conditions, self._scope)
        return self._equalities[together]

    def _by_relation(self, conditions: Sequence[Formula]) -> _ByRelation:
        found: _ByRelation = {}
        columns, classes = self._equal_columns(conditions)
        for condition in conditions if classes else ():
            key = self._compared_column(condition)
            for other in classes.get(key, ()) if key is not None else ():
                if other != key:
                    found.setdefault(other[0], []).append((condition, columns[other]))
        return found

    def _compared_column(self, condition: Formula) -> RelationColumn | None:
        if condition not in self._compared:
            found = _compared_column(condition, self._scope, self._session, self._judged)
            self._compared[condition] = found
        return self._compared[condition]


def _equalities(conditions: Sequence[Formula], scope: Scope) -> _Equalities:
    columns: dict[RelationColumn, exp.Column] = {}
    tied: dict[RelationColumn, list[RelationColumn]] = {}
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
                tied.setdefault(first, []).append(second)
                tied.setdefault(second, []).append(first)
    return columns, _classes(tied)


def _classes(
    tied: Mapping[RelationColumn, Sequence[RelationColumn]],
) -> dict[RelationColumn, list[RelationColumn]]:
    """The columns that are tied to each, directly or through others: one list for all of them."""
    classes: dict[RelationColumn, list[RelationColumn]] = {}
    for start in tied:
        if start in classes:
            continue
        classes[start] = together = [start]
        for key in together:  # which grows
            for other in tied[key]:
                if other not in classes:
                    classes[other] = together
                    together.append(other)
    return classes


def _key(column: exp.Column, scope: Scope) -> RelationColumn | None:
    owners = scope.owners(column)
    path = scope.path(column, owners[0]) if len(owners) == 1 else None
    return (owners[0], path[0].lower()) if path is not None and len(path) == 1 else None


def _is_transparent(left: RelationColumn, right: RelationColumn, scope: Scope) -> bool:
    """Whether columns that are equal hold the same value."""
    found = [scope.types.of(relation, (name,)) for relation, name in (left, right)]
    types = [kind for kind in found if kind is not None and is_exact(kind)]
    return len(types) == len(found) and are_alike(types)


def _compared_column(
    condition: Formula, scope: Scope, session: Session, judged: list[Judged]
) -> RelationColumn | None:
    """The only column of a condition that says something certain of its values."""
    reads = scope.reads(condition)
    keys = {_key(column, scope) for column in reads.columns}
    if len(keys) != 1 or reads.has_query:
        return None
    if is_among(condition):
        return keys.pop()
    judged.append(Judged(condition, is_certain(convert(condition, Reader(own_name, session)))))
    return keys.pop() if judged[-1].is_certain else None


def own_name(column: exp.Column) -> tuple[str, ...]:
    """The path of a column of which only the name matters."""
    return (column.name,)


def is_certain(predicate: Predicate) -> bool:
    """Whether a predicate says all that its condition does."""
    return not any(isinstance(leaf, Unsupported) for leaf in leaves(predicate))


def _replaced(condition: Formula, column: exp.Column) -> Formula:
    match condition:
        case AllOf(parts):
            return AllOf(tuple(_replaced(part, column) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_replaced(part, column) for part in parts))
        case Leaf():
            expression = copied(condition.expression)
            for found in own_columns(expression):
                found.replace(column.copy())
            return formula(expression, negated=condition.negated)
