"""Relations whose rows are constants, as queries name their parameters, and the keys they look for:

    WITH p AS (SELECT DATE '2026-01-31' AS d) SELECT … FROM t CROSS JOIN p WHERE t.d >= p.d
    WITH p(d) AS (VALUES DATE '2026-01-31') SELECT … FROM t WHERE t.d >= (SELECT d FROM p)
    t JOIN (VALUES (1, 'a'), (5, 'b')) AS s(id, k) ON t.id = s.id WHERE s.k = 'b'
    MERGE INTO t USING (VALUES (1, 'a')) AS s(id, k) ON t.id = s.id …
    t.id IN (SELECT id FROM (VALUES 1, 5) AS s(id))

Engines put the constants where the columns are, and plan with them: those of one row in any
condition but the ON of outer joins and MERGE, those of several where an equality asks for one of
them. Spark 4.1 does it for a SELECT without FROM, and for UNION ALL of such; Trino 483 for VALUES
and for what is made of them by joins, conditions, groups, windows and LIMIT, and not for UNION ALL,
UNNEST and aggregates. A row that its own conditions may leave out is told with these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from math import prod

from sqlglot import exp

from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.from_outside import from_outside
from prunescope.collectors.sql.extraction.rows import (
    Put,
    Row,
    Rows,
    any_equal,
    constant,
    is_one,
    put_into,
    putting,
    replaced,
    type_of_constant,
    value_in,
)
from prunescope.collectors.sql.scopes.filters import filters_on_input
from prunescope.collectors.sql.scopes.grouping import is_grouped
from prunescope.collectors.sql.scopes.pushdown import certain_conditions
from prunescope.collectors.sql.scopes.relations import (
    Relation,
    is_equality,
    outer_conditions,
    unfilled_relations,
)
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.scopes.types import key_of
from prunescope.collectors.sql.text.boolean import (
    AllOf,
    Formula,
    Leaf,
    as_written,
    conjuncts_of,
    formula,
    own_columns,
    weaken,
)
from prunescope.collectors.sql.text.cost import spend
from prunescope.collectors.sql.text.nodes import in_brackets

_CLAUSES = frozenset(("expressions", "from_", "with_"))
# What leaves rows out, or makes one of several that are alike in what is asked for.
_LESSENING = frozenset(("joins", "where", "group", "having", "distinct", "order", "limit"))
_MAX_ROWS = 1_000

# Types of constants to which Trino casts a column of a type, if it casts anything.
_WIDER = {
    "int": (exp.DType.INT, exp.DType.BIGINT),
    "long": (exp.DType.BIGINT,),
    "date": (exp.DType.DATE, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ),
}


_UNKNOWN = Rows((), (Row(()),), is_exact=False)
"""Stands for the rows of a table."""


class ConstantRows:
    """The relations of one statement that have rows of constants."""

    def __init__(self, scopes: Scopes, dialect: str) -> None:
        self._scopes = scopes
        self._infers = dialect_of(dialect).infers_constraints
        self._rows: dict[Relation, Rows | None] = {}
        self._queries: dict[int, Rows | None] = {}
        self._relations: dict[Scope, frozenset[Relation]] = {}
        self._told: dict[Formula, tuple[Formula, ...]] = {}

    def inlined(
        self, conditions: Sequence[Formula], scope: Scope, *, is_merge: bool = False
    ) -> tuple[Formula, ...]:
        """Conditions of a SELECT, or a MERGE, with constants in place of what has constant rows:
        columns of such relations, and such queries."""
        found: list[Formula] = []
        for condition in conditions:
            if condition not in self._told:
                one = condition if is_merge else self._condition(condition, scope)
                self._told[condition] = tuple(self._of_rows(one, conditions, scope, is_merge))
            found += self._told[condition]
        return tuple(found)

    def _of_rows(
        self, condition: Formula, beside: Sequence[Formula], scope: Scope, is_merge: bool
    ) -> Iterator[Formula]:
        """A condition with its meaning for one of several rows; Spark also keeps the equality."""
        said = None
        if isinstance(condition, Leaf):
            said = self._among(condition, beside, scope, is_merge)
            if said is not None:
                yield from conjuncts_of(as_written(said, condition))
        if said is None or self._infers:
            yield condition

    def on_outer(self, select: exp.Select) -> Iterator[Formula]:
        """The conditions on columns of outer queries that hold if a nested SELECT has a row."""
        scope = self._scopes.scope(select)
        if is_grouped(select) or scope.relations != tuple(
            () if scope.tree is None else unfilled_relations(scope.tree)
        ):
            return
        asked = () if scope.tree is None else certain_conditions(scope.tree)
        for condition in self.inlined((*asked, *filters_on_input(select, self._scopes)), scope):
            reads = scope.reads(condition)
            if reads.columns and not (reads.has_query or any(map(scope.owners, reads.columns))):
                names = (column.name.lower() for column in reads.columns if not column.table)
                if all(self._scopes.output(select, name) is None for name in names):
                    yield condition

    def _condition(self, condition: Formula, scope: Scope) -> Formula:
        reads = scope.reads(condition)
        if not (reads.has_query or reads.relations & self._of_one_row(scope)):
            return condition
        if self._is_left_to_join(condition, scope):
            return condition
        return weaken(condition, lambda leaf: self._leaf(leaf, scope)) or condition

    def _is_left_to_join(self, condition: Formula, scope: Scope) -> bool:
        """True if a condition is one of an outer join, which the engine hands to no scan."""
        if self._infers or is_equality(condition) or scope.tree is None:
            return False
        return condition in outer_conditions(scope.tree)

    def _leaf(self, leaf: Leaf, scope: Scope) -> Formula:
        found = self._expression(leaf.expression, scope)
        if found is leaf.expression:
            return leaf
        return as_written(formula(found, negated=leaf.negated), leaf)

    def _expression(self, expression: exp.Expr, scope: Scope) -> exp.Expr:
        """An expression with constants for all that has some; itself where nothing has."""
        return replaced(expression, lambda node: self._constant_of(node, scope))

    def _constant_of(self, node: exp.Expr, scope: Scope) -> exp.Expr | None:
        match node:
            case exp.Column():
                key = key_of(node, scope)
                if key is None or key[0] not in self._of_one_row(scope):
                    return None
                rows = self._of_relation(key[0])
                return None if rows is None else value_in(rows, rows.rows[0], key[1])
            case exp.Subquery():
                rows = self._of_query(node)
                if rows is not None and is_one(rows) and len(rows.rows[0].values) == 1:
                    value = rows.rows[0].values[0]
                    return None if value is None else exp.Subquery(this=exp.select(value))
        return None

    def _among(
        self, leaf: Leaf, beside: Sequence[Formula], scope: Scope, is_merge: bool
    ) -> Formula | None:
        """The condition that a leaf implies if it wants one of several rows, or None."""
        if leaf.negated:
            return None
        match leaf.expression:
            case exp.EQ(this=left, expression=exp.Any(this=exp.Expr() as query)):
                return self._listed(left, query)
            case exp.EQ(this=left, expression=right):
                for subject, other in ((left, right), (right, left)):
                    found = self._joined(subject, other, beside, scope, is_merge)
                    if found is not None:
                        return found
            case exp.In(this=left) as found_in:
                return self._listed(left, found_in.args.get("query"))
            case exp.Exists(this=exp.Select() as select) if not self._infers:
                outer = tuple(self.on_outer(select))
                return AllOf((leaf, *outer)) if outer else None
        return None

    def _listed(self, subject: exp.Expr, query: object) -> Formula | None:
        rows = self._of_query(query) if isinstance(query, exp.Expr) else None
        if rows is None or self._infers or isinstance(subject.unnest(), exp.Tuple):
            return None
        return any_equal(subject, [(row.values[0], row.conditions) for row in rows.rows])

    def _joined(
        self,
        subject: exp.Expr,
        other: exp.Expr,
        beside: Sequence[Formula],
        scope: Scope,
        is_merge: bool,
    ) -> Formula | None:
        """The condition that `subject = other` implies, if `other` reads columns of one such
        relation alone."""
        relations = {key[0] for column in own_columns(other) if (key := key_of(column, scope))}
        relation = relations.pop() if len(relations) == 1 else None
        rows = None if relation is None else self._of_relation(relation)
        if relation is None or rows is None or not own_columns(subject):
            return None
        if any(relation in scope.owners(column) for column in own_columns(subject)):
            return None
        own = [each for each in beside if scope.reads(each).relations == {relation}]
        arms = []
        for row in rows.rows:
            put = putting(relation, rows, row, scope)
            conditions = (put_into(each, put) for each in own)
            kept = (each for each in conditions if each is not None)
            arms.append((constant(replaced(other, put)), (*row.conditions, *kept)))
        if is_merge and not (
            isinstance(other.unnest(), exp.Column) and self._is_uncast(subject, arms, scope)
        ):
            return None
        if is_merge:  # which asks what else it says above its source
            arms = [
                (value, row.conditions) for (value, _), row in zip(arms, rows.rows, strict=True)
            ]
        return any_equal(subject, arms)

    def _is_uncast(
        self, subject: exp.Expr, arms: Sequence[tuple[exp.Expr | None, object]], scope: Scope
    ) -> bool:
        """True if no constant is cast to the type of its column: MERGE casts above its source."""
        key = key_of(subject, scope) if isinstance(subject, exp.Column) else None
        kind = None if key is None else scope.types.of(key[0], (key[1],))
        wider = _WIDER.get(kind or "", ())
        return all(
            value is not None and type_of_constant(value.unnest()) in wider for value, _ in arms
        )

    def _of_one_row(self, scope: Scope) -> frozenset[Relation]:
        """The relations of a scope that have one row of constants wherever they are joined."""
        if scope not in self._relations:
            unfilled = () if scope.tree is None else unfilled_relations(scope.tree)
            self._relations[scope] = frozenset(filter(self._has_one_row, unfilled))
        return self._relations[scope]

    def _has_one_row(self, relation: Relation) -> bool:
        rows = self._of_relation(relation)
        return rows is not None and is_one(rows)

    def _of_relation(self, relation: Relation) -> Rows | None:
        if relation not in self._rows:
            self._rows[relation] = None  # recursive
            found = None
            if not (relation.is_sealed or relation.is_sampled or relation.node.args.get("sample")):
                query = relation.node if relation.query is None else relation.query
                found = self._of_query(query, is_lateral=isinstance(relation.node, exp.Lateral))
            if found is not None:
                found = replace(found, names=(relation.names or found.names))
            self._rows[relation] = found
        return self._rows[relation]

    def _of_query(self, query: exp.Expr, *, is_lateral: bool = False) -> Rows | None:
        """The rows of a query; None for one that is not of constants."""
        if id(query) not in self._queries:
            self._queries[id(query)] = self._find(query, is_lateral)
        return self._queries[id(query)]

    def _find(self, query: exp.Expr, is_lateral: bool) -> Rows | None:
        spend()
        match in_brackets(query):
            case exp.Values(expressions=rows) if not self._infers and len(rows) <= _MAX_ROWS:
                values = (row.expressions if isinstance(row, exp.Tuple) else [row] for row in rows)
                found = [Row(tuple(constant(v, is_lateral) for v in each)) for each in values]
                return Rows((), tuple(found), is_exact=True)
            case exp.Select() as select:
                return self._of_select(select, is_lateral)
            case exp.Union() as union if self._infers and not union.args.get("distinct"):
                both = self._of_query(union.this), self._of_query(union.expression)
                if both[0] is not None and both[1] is not None:
                    return replace(both[0], rows=(*both[0].rows, *both[1].rows))
        return None

    def _of_select(self, select: exp.Select, is_lateral: bool) -> Rows | None:
        clauses = {name for name, value in select.args.items() if value}
        scope = self._scopes.scope(select)
        if not clauses <= (
            _CLAUSES if self._infers else _CLAUSES | _LESSENING
        ) or scope.relations != tuple(() if scope.tree is None else unfilled_relations(scope.tree)):
            return None
        known = [self._of_relation(one) for one in scope.relations]
        is_all = None not in known
        if not (is_all or (any(known) and not self._infers)):
            return None
        found = [(one, rows or _UNKNOWN) for one, rows in zip(scope.relations, known, strict=True)]
        if prod(len(rows.rows) for _, rows in found) > _MAX_ROWS:
            return None
        asked = () if scope.tree is None else certain_conditions(scope.tree)
        having = from_outside(select, (), None, self._scopes)
        conditions = [*asked, *filters_on_input(select, self._scopes), *having]
        if not (is_lateral or all(scope.reads(each).is_placed for each in conditions)):
            return None  # it is another one for each row around it
        made: list[Row] = []
        names: tuple[str, ...] = ()
        for chosen in product(*(rows.rows for _, rows in found)):
            spend()
            puts = [
                putting(one, rows, row, scope)
                for (one, rows), row in zip(found, chosen, strict=True)
            ]

            def put(node: exp.Expr, puts: Sequence[Put] = puts) -> exp.Expr | None:
                return next((value for each in puts if (value := each(node)) is not None), None)

            told = (put_into(each, put) for each in conditions)
            own = chain.from_iterable(row.conditions for row in chosen)
            columns = [*self._outputs(select, found, chosen, put, is_lateral)]
            names = tuple(name for name, _ in columns)
            kept = tuple(each for each in told if each is not None)
            made.append(Row(tuple(value for _, value in columns), (*own, *kept)))
        is_exact = clauses <= _CLAUSES and all(rows.is_exact for _, rows in found)
        return Rows(self._scopes.names(select) or names, tuple(made), is_exact)

    def _outputs(
        self,
        select: exp.Select,
        found: Sequence[tuple[Relation, Rows]],
        chosen: Sequence[Row],
        put: Put,
        is_lateral: bool,
    ) -> Iterator[tuple[str, exp.Expr | None]]:
        """The columns of a SELECT for a row of each of its relations."""
        for item in select.expressions:
            if isinstance(item, exp.Star) and not item.args.get("except_"):
                for (_, rows), row in zip(found, chosen, strict=True):
                    names = rows.names or ("",) * len(row.values)
                    yield from zip(names, row.values, strict=False)
            else:
                value = constant(replaced(item.unalias(), put), is_lateral)
                yield item.alias_or_name.lower(), value
