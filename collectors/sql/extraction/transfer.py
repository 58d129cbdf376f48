"""Constants through equalities: `a.k = b.k AND b.k = 5` says `a.k = 5`.

Only between columns of one type. Where the types differ, the engine converts one column, and
what it makes of it need not be what the constant is for the other: `a.s = b.i AND b.i = '5'`
matches s = '05' in Spark 4.1 and DuckDB 2.0, and a REAL that `= 0.1` is not the DOUBLE 0.1. A
column of a table that is not audited is taken to be of the type of the one that it equals, where
the constant does not tell otherwise (`is_taken_for`), and engines infer the same of a narrower one.
Of such a table, and of what stands inside of a query, only plain comparisons travel.

Engines do not infer all that follows. Neither Spark 4.1 nor Trino 483 has a range for a `bigint` of
one for an `int`, Spark no constant either; and how far constants travel in Spark depends on the
order of joins (`inference.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.model import Predicate, Unsupported
from collectors.predicates.walks import leaves
from collectors.sql.conditions.convert import convert
from collectors.sql.conditions.reader import Reader
from collectors.sql.constants.session import Session
from collectors.sql.dialects import dialect_of
from collectors.sql.extraction.among import is_among
from collectors.sql.extraction.inference import inferred, joins_of
from collectors.sql.extraction.periods_joined import compared_periods, period_type
from collectors.sql.scopes.alike import are_alike, holds_others, is_exact, is_taken_for
from collectors.sql.scopes.relations import Relation
from collectors.sql.scopes.scope import Scope
from collectors.sql.scopes.types import RelationColumn
from collectors.sql.text.boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    as_written,
    formula,
    own_columns,
)
from collectors.sql.text.boolean import leaves as leaves_of
from collectors.sql.text.cost import copied, spend

_PLAIN = (exp.EQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between, exp.In)

_ByRelation = dict[Relation, list[tuple[Formula, exp.Column]]]
"""By relation, the conditions on other columns, and the column that is equal to theirs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Equalities:
    """A reference to each equated column, those that it is compared with, and all that are equal to
    it."""

    columns: Mapping[RelationColumn, exp.Column]
    tied: Mapping[RelationColumn, Sequence[RelationColumn]]
    classes: Mapping[RelationColumn, Sequence[RelationColumn]]


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
    `judged` grows by what is asked of conditions. `inside` tells what the query behind a relation
    says of a column of it.
    """

    def __init__(
        self,
        scope: Scope,
        session: Session,
        judged: list[Judged],
        inside: Callable[[RelationColumn], Sequence[Formula]],
    ) -> None:
        self._scope = scope
        self._session = session
        self._judged = judged
        self._inside = inside
        self._is_spark = dialect_of(session.dialect).is_spark
        self._found: dict[frozenset[Formula], _ByRelation] = {}
        self._equalities: dict[frozenset[Formula], _Equalities] = {}
        self._compared: dict[Formula, RelationColumn | None] = {}

    def of(self, conditions: Sequence[Formula], relation: Relation) -> Iterator[Formula]:
        """The further conditions on one relation."""
        for condition, column in self._by_relation(conditions).get(relation, ()):
            spend()
            yield replaced_by(condition, column)
        yield from self._of_periods(conditions, relation)

    def of_column(
        self, conditions: Sequence[Formula], column: RelationColumn, asking: Relation | None = None
    ) -> Iterator[Formula]:
        """All conditions on one column, as they are and through equalities; without the ranges of
        columns of a relation that is `asking`, to which Trino infers none back."""
        yield from (one for one in conditions if self._compared_column(one) == column)
        for condition, other in self._by_relation(conditions).get(column[0], ()):
            compared = None if asking is None else self._compared_column(condition)
            is_back = compared is not None and compared[0] is asking
            if key_of(other, self._scope) == column and not (
                is_back and not is_equality(condition)
            ):
                yield replaced_by(condition, other)

    def _of_periods(self, conditions: Sequence[Formula], relation: Relation) -> Iterator[Formula]:
        """What is said of columns of other relations, of the periods that equal them."""
        pairs = (pair for each in conditions for pair in compared_periods(each))
        for period, column in pairs if dialect_of(self._session.dialect).is_trino else ():
            key, kind = key_of(column, self._scope), period_type(period, relation, self._scope)
            if key is None or kind is None or key[0] is relation:
                continue
            for condition in (*self.of_column(conditions, key, relation), *self._inside(key)):
                spend()
                if is_said_of_period(kind, self._type(key), condition):
                    yield replaced_by(condition, period)

    def equal(
        self, conditions: Sequence[Formula], relation: Relation
    ) -> Iterator[tuple[exp.Column, RelationColumn]]:
        """The columns of a relation that equalities tie to columns of others, and these, where
        both are of a known type."""
        equalities = self._equal_columns(conditions)
        for key, together in equalities.classes.items():
            for other in together if key[0] is relation else ():
                spend()
                if other[0] is not relation and None not in map(self._type, (key, other)):
                    yield equalities.columns[key], other

    def _equal_columns(self, conditions: Sequence[Formula]) -> _Equalities:
        together = frozenset(conditions)
        if together not in self._equalities:
            self._equalities[together] = _equalities(conditions, self._scope)
        return self._equalities[together]

    def _by_relation(self, conditions: Sequence[Formula]) -> _ByRelation:
        together = frozenset(conditions)
        if together not in self._found:
            found: _ByRelation = {}
            for condition, key, other, column in self._all(conditions):
                if self._says(condition, key, other):
                    found.setdefault(other[0], []).append((condition, column))
            self._found[together] = found
        return self._found[together]

    def _all(
        self, conditions: Sequence[Formula]
    ) -> Iterator[tuple[Formula, RelationColumn, RelationColumn, exp.Column]]:
        """Each condition, the column that it compares, and another one that is equal to that."""
        equalities = self._equal_columns(conditions)
        compared = [(each, self._compared_column(each)) for each in conditions if equalities.tied]
        compared += [(each, key) for key in equalities.tied for each in self._inside(key)]
        relations = self._scope.relations
        joins = joins_of(equalities.tied, relations) if self._is_spark and compared else ()
        for condition, key in compared:
            if key is None or key not in equalities.classes:
                continue
            is_inferred = self._is_spark and not is_among(condition)
            for other in inferred(key, joins) if is_inferred else equalities.classes[key]:
                if other != key:
                    yield condition, key, other, equalities.columns[other]

    def _says(self, condition: Formula, key: RelationColumn, other: RelationColumn) -> bool:
        if other[0].query is None and other[0].table is None:
            return not is_among(condition)  # which only matters for what equals this column
        is_same = self._is_spark or not is_equality(condition)
        return says_of(self._type(other), self._type(key), condition, is_same=is_same)

    def _type(self, column: RelationColumn) -> str | None:
        return self._scope.types.of(column[0], (column[1],))

    def _compared_column(self, condition: Formula) -> RelationColumn | None:
        if condition not in self._compared:
            found = _compared_column(condition, self._scope, self._session, self._judged)
            self._compared[condition] = found
        return self._compared[condition]


def says_of(
    type_name: str | None, compared: str | None, condition: Formula, *, is_same: bool
) -> bool:
    """Whether a condition on a column of type `compared`, None where that is not known, is one on
    an equal column of another type. With `is_same`, not if that holds more numbers, nor if it may
    hold more values than one whose type is not known."""
    if type_name is None or not is_exact(type_name):
        return False
    if compared is None:
        parts = (leaf.expression for leaf in leaves_of(condition))
        if is_same and holds_others(type_name):
            return False
        return is_plain(condition) and all(is_taken_for(type_name, part) for part in parts)
    is_wider = (compared, type_name) == ("int", "long")
    return are_alike((type_name, compared)) and not (is_same and is_wider)


def is_said_of_period(kind: str, compared: str | None, condition: Formula) -> bool:
    """Whether a condition on a column of type `compared` is one on a period of type `kind` that
    equals it. A date is a moment where one value is asked for."""
    if is_among(condition):
        return False
    if (kind, compared) == ("timestamp", "date"):
        return is_equality(condition) and is_plain(condition)
    return says_of(kind, compared, condition, is_same=not is_equality(condition))


def is_plain(condition: Formula) -> bool:
    """Whether a condition compares a column as it is, for one value, some, or a range. What is told
    of others, and is to be written beside them, would be told of a condition that stands elsewhere,
    and of a table that is not there."""
    return all(
        isinstance(leaf.expression, _PLAIN)
        and not leaf.negated
        and all(column.parent is leaf.expression for column in own_columns(leaf.expression))
        for leaf in leaves_of(condition)
    )


def is_equality(condition: Formula) -> bool:
    """Whether a condition wants one value."""
    match condition:
        case Leaf(expression=exp.EQ(), negated=False):
            return True
    return False


def _equalities(conditions: Sequence[Formula], scope: Scope) -> _Equalities:
    columns: dict[RelationColumn, exp.Column] = {}
    tied: dict[RelationColumn, list[RelationColumn]] = {}
    for condition in conditions:
        match condition:
            case Leaf(
                expression=exp.EQ(this=exp.Column() as left, expression=exp.Column() as right),
                negated=False,
            ):
                first, second = key_of(left, scope), key_of(right, scope)
                if first is None or second is None or not _is_transparent(first, second, scope):
                    continue
                columns.setdefault(first, left)
                columns.setdefault(second, right)
                tied.setdefault(first, []).append(second)
                tied.setdefault(second, []).append(first)
    return _Equalities(columns, tied, _classes(tied))


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


def key_of(column: exp.Column, scope: Scope) -> RelationColumn | None:
    """The column of a relation that a column is; None for a nested field, or where it may be one of
    several."""
    owners = scope.owners(column)
    path = scope.path(column, owners[0]) if len(owners) == 1 else None
    return (owners[0], path[0].lower()) if path is not None and len(path) == 1 else None


def _is_transparent(left: RelationColumn, right: RelationColumn, scope: Scope) -> bool:
    """Whether columns that are equal may hold the same value."""
    found = [scope.types.of(relation, (name,)) for relation, name in (left, right)]
    types = [kind for kind in found if kind is not None]
    return all(map(is_exact, types)) and are_alike(types)


def _compared_column(
    condition: Formula, scope: Scope, session: Session, judged: list[Judged]
) -> RelationColumn | None:
    """The only column of a condition that says something certain of its values."""
    reads = scope.reads(condition)
    keys = {key_of(column, scope) for column in reads.columns}
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


def replaced_by(condition: Formula, column: exp.Expr) -> Formula:
    """A condition on one column as one on another, or on what is calculated of one."""
    match condition:
        case AllOf(parts):
            return AllOf(tuple(replaced_by(part, column) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(replaced_by(part, column) for part in parts))
        case Leaf():
            expression = copied(condition.expression)
            for found in own_columns(expression):
                found.replace(column.copy())
            return as_written(formula(expression, negated=condition.negated), condition)
