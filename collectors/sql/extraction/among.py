"""Keys of joins: columns of which only values matter that a column of another scan has.

    f JOIN s ON f.d = s.d WHERE s.flag           f.d is among s.d
    f WHERE f.d IN (SELECT d FROM s)             likewise
    f WHERE EXISTS (SELECT 1 FROM s WHERE s.d = f.d)
    MERGE INTO f USING s ON f.d = s.d            likewise, unless rows of f without a match change

`f.d is among s.d` is a condition like others once it is found, and travels as they do: through
derived tables, groups and equalities, down to the scan of a base table, and not where a LIMIT, a
window or the kept side of an outer join is in its way.

Why it is sound. What `push_down` says of a relation is that its rows which have no partners, with
which all of the conditions hold, can be dropped; `f.d = s.d` is one of them. Rows of `s` which its
own filter drops were dropped before, and the query says the same without them. So the rows of `f`
that matter have a value of `s.d` that passes the filter of `s`, and lie between any bounds of
these. What is null on either side is equal to nothing: `IS NOT DISTINCT FROM` is no key, nor are OR
and NOT IN. LEFT and FULL joins keep their rows without partners, and so does MERGE where rows NOT
MATCHED BY SOURCE change: there nothing is said of the side that is kept. An anti-join says it of
its right side alone. Columns are of one type, so that what is equal is the same value (not floats);
what is computed has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from prunescope.collectors.sql.scopes.comparable_types import are_alike, is_exact
from prunescope.collectors.sql.scopes.filters import filters_on_input
from prunescope.collectors.sql.scopes.grouping import is_grouped
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.scopes.types import ColumnTypes, RelationColumn
from prunescope.collectors.sql.text.boolean import Formula, Leaf


class Among(exp.Expression, exp.Condition):
    """A column that is among the values of the column with this `number`. No text has one."""

    arg_types = {"this": True, "number": True}  # noqa: RUF012  # as sqlglot's own


def is_among(condition: Formula) -> bool:
    """True if a condition is that of a join key (`Among`)."""
    return isinstance(condition, Leaf) and isinstance(condition.expression, Among)


class Origins:
    """The columns of base tables whose values keys are among, by number."""

    def __init__(self, types: ColumnTypes) -> None:
        self.columns: list[RelationColumn] = []
        self._types = types
        self._numbers: dict[RelationColumn, int] = {}

    def among(self, column: exp.Column, other: RelationColumn) -> Leaf:
        """The condition that a column is among the values of `other`, whose type is known."""
        origin = self._types.origin(other[0], (other[1],))
        assert origin is not None
        if origin not in self._numbers:
            self._numbers[origin] = len(self.columns)
            self.columns.append(origin)
        return Leaf(Among(this=column.copy(), number=self._numbers[origin]), negated=False)


def of_queries(
    condition: Formula, relation: Relation, scope: Scope, scopes: Scopes
) -> Iterator[tuple[exp.Column, RelationColumn]]:
    """Pairs of a relation's column and the column among whose values IN or EXISTS wants it."""
    match condition:
        case Leaf(exp.In(this=exp.Column() as column) as found, False):
            query = found.args.get("query")
            if query is not None:
                pairs = [(column, scopes.types.origin_of_output(query, 0))]
                yield from _alike(pairs, relation, scope)
        case Leaf(exp.Exists(this=exp.Select() as query), False) if not is_grouped(query):
            yield from _alike(
                [
                    (outer, scopes.types.origin(own[0], (own[1],)))
                    for outer, own in correlated(query, scopes)
                ],
                relation,
                scope,
            )


def correlated(query: exp.Select, scopes: Scopes) -> Iterator[tuple[exp.Column, RelationColumn]]:
    """Pairs of an outer query's column and the inner column that equals it, all qualified."""
    inner = scopes.scope(query)
    for part in filters_on_input(query, scopes):
        match part:
            case Leaf(exp.EQ(this=exp.Column() as left, expression=exp.Column() as right), False):
                for outer, own in ((left, right), (right, left)):
                    owners = inner.owners(own)
                    path = inner.path(own, owners[0]) if len(owners) == 1 else None
                    is_outer = outer.table and not inner.owners(outer)
                    if path is not None and len(path) == 1 and is_outer:
                        yield outer, (owners[0], path[0].lower())


def _alike(
    pairs: Iterable[tuple[exp.Column, RelationColumn | None]],
    relation: Relation,
    scope: Scope,
) -> Iterator[tuple[exp.Column, RelationColumn]]:
    """The pairs whose first column is of the relation and has the type of the second."""
    for column, origin in pairs:
        path = scope.path(column, relation)
        if origin is None or path is None:
            continue
        kinds = [scope.types.of(relation, path), origin[0].types.get(origin[1])]
        known = [kind for kind in kinds if kind is not None and is_exact(kind)]
        if len(known) == len(kinds) and are_alike(known):
            yield column, origin
