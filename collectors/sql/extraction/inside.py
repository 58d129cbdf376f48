"""Conditions on the output columns of a query, by conditions inside of it.

    f JOIN (SELECT d FROM s WHERE d = 5) q ON f.d = q.d         q.d is 5, so f.d is
    f WHERE f.d IN (SELECT d FROM s WHERE d = 5)                f.d is 5
    f WHERE EXISTS (SELECT 1 FROM s WHERE s.d = f.d AND s.d = 5)    likewise

Spark 4.1 and Trino 483 infer the first while they plan, Trino the others as well, where the columns
are of one type: Spark makes joins of these after it has inferred what it does. What all branches of
a UNION say, which Spark infers, is left out here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from prunescope.collectors.observed import Clause
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.among import correlated
from prunescope.collectors.sql.extraction.casts_joined import period_type
from prunescope.collectors.sql.extraction.from_outside import from_outside
from prunescope.collectors.sql.extraction.outputs import position
from prunescope.collectors.sql.extraction.said import is_plain, is_said_of_period, says_of
from prunescope.collectors.sql.extraction.transfer import Judged, Transfers, replaced_by
from prunescope.collectors.sql.scopes.filters import filters_on_input
from prunescope.collectors.sql.scopes.grouping import is_grouped
from prunescope.collectors.sql.scopes.pushdown import certain_conditions, push_down
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.scopes.types import OutputRef, RelationColumn, key_of
from prunescope.collectors.sql.text.boolean import Formula, Leaf
from prunescope.collectors.sql.text.cost import spend


class Inside:
    """The conditions that the queries of one statement imply for their columns, found once per
    column."""

    def __init__(self, scopes: Scopes, session: Session, judged: list[Judged]) -> None:
        self._scopes = scopes
        self._session = session
        self._judged = judged
        self._found: dict[tuple[int, RelationColumn], tuple[Formula, ...]] = {}
        self._transfers: dict[int, Transfers] = {}

    def transfers(self, scope: Scope) -> Transfers:
        """The transfers of conditions in a scope to further columns there."""
        if id(scope) not in self._transfers:  # scopes stay, each for its SELECT
            found = Transfers(scope, self._session, self._judged, self.of_column)
            self._transfers[id(scope)] = found
        return self._transfers[id(scope)]

    def of_column(self, column: RelationColumn) -> Sequence[Formula]:
        """The conditions that the query behind a relation implies for a column of it. All columns
        in these stand for that one."""
        relation, name = column
        if relation.query is None:
            return ()
        ref = position(name, relation.names, ()) if relation.is_renamed else (name, ())
        return () if ref is None else self._of_output(relation.query, ref[0])

    def of_subqueries(
        self, conditions: Sequence[Formula], relation: Relation, scope: Scope
    ) -> Iterator[Formula]:
        """The conditions that IN and EXISTS among `conditions` imply for columns of a relation."""
        dialect = dialect_of(self._session.dialect)
        if dialect.infers_constraints:
            return
        infers_periods = dialect.infers_periods
        for column, kind, said in (pair for each in conditions for pair in self._asked(each)):
            if not isinstance(column, exp.Column):
                period = period_type(column, relation, scope) if infers_periods else None
                for condition in said:
                    if period is not None and is_said_of_period(period, kind, condition):
                        yield replaced_by(condition, column)
                continue
            path = scope.path(column, relation)
            own = None if path is None else scope.types.of(relation, path)
            for condition in said if path is not None else ():
                if says_of(own, kind, condition, is_same=True):
                    yield replaced_by(condition, column)

    def _asked(
        self, condition: Formula
    ) -> Iterator[tuple[exp.Expr, str | None, Sequence[Formula]]]:
        """The columns, or calculations of one, that a condition wants among a query's column, each
        with the type of the latter and the query's conditions on it."""
        types = self._scopes.types
        match condition:
            case Leaf(exp.In(this=exp.Expr() as column) as found, False):
                query = found.args.get("query")
                if query is not None:
                    origin = types.origin_of_output(query, 0)
                    kind = None if origin is None else origin[0].types.get(origin[1])
                    yield column, kind, self._of_output(query, 0)
            case Leaf(exp.Exists(this=exp.Select() as select), False) if not is_grouped(select):
                for outer, own in correlated(select, self._scopes):
                    yield outer, types.of(own[0], (own[1],)), self._of_select(select, own)

    def _of_output(self, query: exp.Expr, ref: OutputRef) -> Sequence[Formula]:
        match query:
            case exp.Subquery():
                return self._of_output(query.this, ref)
            case exp.Select():
                behind = self._scopes.output(query, ref)
                if isinstance(behind, exp.Column):
                    key = key_of(behind, self._scopes.scope(query))
                    return () if key is None else self._of_select(query, key)
        return ()

    def _of_select(self, select: exp.Select, column: RelationColumn) -> Sequence[Formula]:
        """The conditions on a column of one of a SELECT's relations, in rows that pass."""
        key = id(select), column
        if key not in self._found:
            self._found[key] = ()
            self._found[key] = tuple(self._find(select, column))
        return self._found[key]

    def _find(self, select: exp.Select, column: RelationColumn) -> Iterator[Formula]:
        spend()
        scope = self._scopes.scope(select)
        if scope.tree is None or select.args.get("connect"):
            return
        if scope.infers_constraints and isinstance(column[0].node, exp.Values):
            return  # which it has filtered by then
        asked = [
            *filters_on_input(select, self._scopes),
            *from_outside(select, (), None, self._scopes),
        ]
        reached = push_down(scope.tree, asked, scope, Clause.WHERE)
        filled = frozenset(one.relation for one in reached if one.is_filled)
        conditions = [*certain_conditions(scope.tree), *asked]
        transfers = self.transfers(scope)
        yield from filter(is_plain, transfers.of_column(conditions, column, filled))
        if column[0] not in filled:
            yield from self.of_column(column)
