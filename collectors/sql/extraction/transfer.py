"""Constants through equalities: `a.k = b.k AND b.k = 5` says `a.k = 5`.

Only between columns of one type. Where the types differ, the engine converts one column, and
what it makes of it need not be what the constant is for the other: `a.s = b.i AND b.i = '5'`
matches s = '05' in Spark 4.1 and DuckDB 2.0, and a REAL that `= 0.1` is not the DOUBLE 0.1. A
column of a table that is not audited is taken to be of the type of the one that it equals, where
the constant does not tell otherwise (`is_taken_for`), and engines infer the same of a narrower one.
Of such a table, and of what stands inside of a query, only plain comparisons travel.

Engines do not infer all that follows. Neither Spark 4.1 nor Trino 483 has a range for a `bigint` of
one for an `int`, Spark no constant either; and how far constants travel in Spark depends on the
order of joins (`inference.py`). Spark infers some more for casts of columns (`casts_joined.py`),
and for one side of a join of an OR over both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.predicates.model import Predicate, Unsupported
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.sql.conditions.convert import convert
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.among import is_among
from prunescope.collectors.sql.extraction.casts_joined import (
    compared_periods,
    period_type,
    type_of_cast,
)
from prunescope.collectors.sql.extraction.equalities import (
    Equalities,
    equalities,
    factored,
    inferred,
    since,
)
from prunescope.collectors.sql.extraction.said import (
    is_equality,
    is_said_of_cast,
    is_said_of_period,
    says_of,
)
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.types import RelationColumn, key_of
from prunescope.collectors.sql.text.boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    Moved,
    as_written,
    formula,
    own_columns,
    time_moved,
)
from prunescope.collectors.sql.text.cost import copied, spend

_ByRelation = dict[Relation, list[tuple[Formula, RelationColumn]]]
"""The conditions on other columns, and the column or cast that is equal to theirs, by relation."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A condition, and whether all of it converts to a predicate on its one column."""

    condition: Formula
    is_certain: bool


class Transfers:
    """Conditions on further columns of a relation, from conditions that hold together for joined
    rows. Equalities between columns of one type tie the further columns, directly or through
    others, to the column of a condition.

    The relations of an inner join share their conditions, so further ones are found once for all.
    `judged` grows by each condition that is examined. `inside` returns the conditions that the
    query behind a relation implies for a column of it.
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
        self._infers = dialect_of(session.dialect).infers_constraints
        self._found: dict[tuple[frozenset[Formula], frozenset[Relation]], _ByRelation] = {}
        self._equalities: dict[frozenset[Formula], Equalities] = {}
        self._parts: dict[Formula, tuple[Formula, ...]] = {}
        self._columns: dict[Formula, frozenset[RelationColumn]] = {}
        self._certain: dict[Formula, bool] = {}

    def of(
        self,
        conditions: Sequence[Formula],
        relation: Relation,
        filled: frozenset[Relation] = frozenset(),
    ) -> Iterator[Formula]:
        """The further conditions on one relation. Spark infers none from queries behind relations
        that a join may have `filled` with nulls."""
        if self._infers:
            known = (each for each in conditions if time_moved(each) is Moved.EARLY)
            conditions = [part for each in known for part in self._factored(each)]
            yield from self._across(conditions, relation)
        equal = self._equal(conditions)
        for condition, key in self._by_relation(conditions, filled).get(relation, ()):
            spend()
            yield replaced_by(condition, equal.expression(key))
        yield from self._of_periods(conditions, relation)

    def of_column(
        self,
        conditions: Sequence[Formula],
        column: RelationColumn,
        filled: frozenset[Relation] = frozenset(),
        asking: Relation | None = None,
    ) -> Iterator[Formula]:
        """All conditions on one column, as they are and through equalities. Leaves out ranges of
        columns of the relation `asking`, to which Trino infers none back."""
        yield from (one for one in conditions if self._compared_column(one) == column)
        for condition, other in self._by_relation(conditions, filled).get(column[0], ()):
            compared = None if asking is None else self._compared_column(condition)
            is_back = compared is not None and compared[0] is asking
            if other == column and not (is_back and not is_equality(condition)):
                yield replaced_by(condition, self._equal(conditions).columns[other])

    def _across(self, conditions: Sequence[Formula], relation: Relation) -> Iterator[Formula]:
        """The conditions that an OR over a relation and one column of another implies for the
        relation alone, with an equal column of its own in place of the other."""
        for condition in conditions:
            key = self._only_other(condition, relation)
            if key is None:
                continue
            equal = self._equal(conditions)
            # It is known where both relations are joined, and not below.
            for other in inferred(key, since((relation, key[0]), equal.joins)):
                spend()
                if other[0] is relation and self._says(condition, key, other, equal):
                    yield replaced_by(condition, equal.expression(other), self._is(key))

    def _of_periods(self, conditions: Sequence[Formula], relation: Relation) -> Iterator[Formula]:
        """The conditions on periods of a relation, from those on other columns that equal them."""
        pairs = (pair for each in conditions for pair in compared_periods(each))
        for period, column in pairs if dialect_of(self._session.dialect).infers_periods else ():
            key, kind = key_of(column, self._scope), period_type(period, relation, self._scope)
            if key is None or kind is None or key[0] is relation:
                continue
            for condition in (
                *self.of_column(conditions, key, asking=relation),
                *self._inside(key),
            ):
                spend()
                if is_said_of_period(kind, self._type(key), condition):
                    yield replaced_by(condition, period)

    def equal(
        self, conditions: Sequence[Formula], relation: Relation
    ) -> Iterator[tuple[exp.Column, RelationColumn]]:
        """Pairs of a relation's column and another relation's that equalities tie to it, both of
        known types."""
        equal = self._equal(conditions)
        for key, together in equal.classes.items():
            for other in together if key[0] is relation else ():
                spend()
                if other[0] is not relation and None not in map(self._type, (key, other)):
                    yield equal.columns[key], other

    def _equal(self, conditions: Sequence[Formula]) -> Equalities:
        together = frozenset(conditions)
        if together not in self._equalities:
            found = equalities(conditions, self._scope)
            self._equalities[together] = found
        return self._equalities[together]

    def _by_relation(
        self, conditions: Sequence[Formula], filled: frozenset[Relation]
    ) -> _ByRelation:
        together = frozenset(conditions), filled
        if together not in self._found:
            found: _ByRelation = {}
            equal = self._equal(conditions)
            for condition, key, other in self._all(conditions, equal, filled):
                if self._says(condition, key, other, equal):
                    found.setdefault(other[0], []).append((condition, other))
            self._found[together] = found
        return self._found[together]

    def _all(
        self, conditions: Sequence[Formula], equal: Equalities, filled: frozenset[Relation]
    ) -> Iterator[tuple[Formula, RelationColumn, RelationColumn]]:
        """Each condition, the column that it compares, and another one that is equal to that."""
        compared = [(each, self._compared_column(each)) for each in conditions if equal.tied]
        known = (key for key in equal.tied if key[0] not in filled)
        compared += [(each, key) for key in known for each in self._inside(key)]
        for condition, key in compared:
            if key is None or key not in equal.tied:
                continue
            is_inferred = self._infers and not is_among(condition)
            together = equal.classes.get(key, ())
            for other in inferred(key, equal.joins) if is_inferred else together:
                if other != key:
                    yield condition, key, other

    def _says(
        self, condition: Formula, key: RelationColumn, other: RelationColumn, equal: Equalities
    ) -> bool:
        if self._cast_inside(key) is not None and not is_among(condition):
            return False  # which is undone there
        if other in equal.casts:
            return is_said_of_cast(equal.casts[other].kind, self._type(key), condition)
        if other[0].query is None and other[0].table is None:
            return not is_among(condition)  # which only matters for what equals this column
        is_same = self._infers or not is_equality(condition)
        return says_of(self._type(other), self._type(key), condition, is_same=is_same)

    def _type(self, column: RelationColumn) -> str | None:
        return self._scope.types.of(column[0], (column[1],)) or self._cast_inside(column)

    def _cast_inside(self, column: RelationColumn) -> str | None:
        """The type of a column of a query that is a cast which Spark undoes."""
        return type_of_cast(column, self._scope.types) if self._infers else None

    def _factored(self, condition: Formula) -> tuple[Formula, ...]:
        if condition not in self._parts:
            self._parts[condition] = factored(condition)
        return self._parts[condition]

    def _is(self, key: RelationColumn) -> Callable[[exp.Column], bool]:
        return lambda column: key_of(column, self._scope) == key

    def _compared_column(self, condition: Formula) -> RelationColumn | None:
        """The only column of a condition that says something certain of its values."""
        keys = self._keys(condition)
        return next(iter(keys)) if len(keys) == 1 and self._is_certain(condition) else None

    def _only_other(self, condition: Formula, relation: Relation) -> RelationColumn | None:
        """The only column of a condition that is none of a relation, where others are, and all that
        it says is certain."""
        keys = self._keys(condition) if isinstance(condition, AnyOf) else frozenset()
        others = [key for key in keys if key[0] is not relation]
        is_one = len(others) == 1 and len(keys) > 1
        return others[0] if is_one and self._is_certain(condition) else None

    def _keys(self, condition: Formula) -> frozenset[RelationColumn]:
        """The columns of a condition; empty where one is none of a relation."""
        if condition not in self._columns:
            reads = self._scope.reads(condition)
            keys = {key_of(column, self._scope) for column in reads.columns}
            known = frozenset(key for key in keys if key is not None)
            is_known = len(known) == len(keys) and not reads.has_query
            self._columns[condition] = known if is_known else frozenset()
        return self._columns[condition]

    def _is_certain(self, condition: Formula) -> bool:
        if is_among(condition):
            return True
        if condition not in self._certain:
            found = is_certain(convert(condition, Reader(own_name, self._session)))
            self._judged.append(Judged(condition, found))
            self._certain[condition] = found
        return self._certain[condition]


def own_name(column: exp.Column) -> tuple[str, ...]:
    """The path of a column of which only the name matters."""
    return (column.name,)


def is_certain(predicate: Predicate) -> bool:
    """True if a predicate is all that its condition means: no part of it is Unsupported."""
    return not any(isinstance(leaf, Unsupported) for leaf in leaves(predicate))


def replaced_by(
    condition: Formula, column: exp.Expr, is_replaced: Callable[[exp.Column], bool] | None = None
) -> Formula:
    """A condition on one column as one on another, or on what is calculated of one; of a condition
    on several, only one that `is_replaced`."""
    match condition:
        case AllOf(parts):
            return AllOf(tuple(replaced_by(part, column, is_replaced) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(replaced_by(part, column, is_replaced) for part in parts))
        case Leaf():
            expression = copied(condition.expression)
            for found in own_columns(expression):
                if is_replaced is None or is_replaced(found):
                    found.replace(column.copy())
            return as_written(formula(expression, negated=condition.negated), condition)
