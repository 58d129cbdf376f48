"""From the syntax tree of a query to one predicate per reference to a base table.

Conditions are pushed from the outside in: through projections, set operations, derived tables
and common table expressions (once per reference), groups and joins, down to the base tables.
Each predicate is implied by the query: a row that the query needs satisfies it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.needed_rows import NeededRows
from prunescope.collectors.observed import Clause, TableName
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.among import Origins, of_queries
from prunescope.collectors.sql.extraction.constant_rows import ConstantRows
from prunescope.collectors.sql.extraction.from_outside import from_outside
from prunescope.collectors.sql.extraction.inside import Inside
from prunescope.collectors.sql.extraction.needed_rows import is_of_no_rows, needed_rows
from prunescope.collectors.sql.extraction.outputs import (
    FieldRef,
    OnOutput,
    asks_both,
    into_branches,
    position,
)
from prunescope.collectors.sql.extraction.placement import PlacedScan, Placement
from prunescope.collectors.sql.extraction.surroundings import Reading, Surroundings, in_branch
from prunescope.collectors.sql.extraction.table_filter import Part, TableFilter, table_filter
from prunescope.collectors.sql.extraction.transfer import Judged, Transfers
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.scopes.filters import filters_on_input
from prunescope.collectors.sql.scopes.pushdown import clause_of_merge, push_down
from prunescope.collectors.sql.scopes.relations import Relation, is_sealed, unfilled_relations
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import ColumnNames, Scopes, written_name
from prunescope.collectors.sql.scopes.types import types_in_any_case
from prunescope.collectors.sql.text.boolean import (
    AnyOf,
    Formula,
    Leaf,
    Moved,
    above,
    conjuncts_of,
    formula,
    is_negated,
    moved_at,
    nested_queries,
    own_columns,
    weaken,
)
from prunescope.collectors.sql.text.cases import with_split_ranges
from prunescope.collectors.sql.text.cost import bounded, spend
from prunescope.collectors.sql.text.ctes import scalars
from prunescope.collectors.sql.text.dml import IS_MERGE, ONLY_INSERTS
from prunescope.collectors.sql.text.names import hide_variables, tell_names
from prunescope.collectors.sql.text.nodes import in_brackets, names_in, nodes_of
from prunescope.collectors.sql.text.parse import parse_condition
from prunescope.collectors.table_scans import TableScan

# What a visit of a query takes before anything in it is looked at.
_STEPS_PER_QUERY = 20


def extract(  # noqa: PLR0913  # a session has this many parts
    tree: exp.Query,
    *,
    dialect: str,
    columns: Mapping[TableName, ColumnNames],
    catalog: str | None = None,
    schema: str | None = None,
    started_at: dt.datetime | None = None,
    time_zone: str | None = None,
    planner: Planner | None = None,
    beyond: bool = False,
) -> tuple[TableScan, ...]:
    """Finds a scan for each reference to one of the tables in `columns`, in textual order. Scans of
    a common table expression come at the place of each reference to it.

    `columns` holds the top-level columns of the audited tables in the order of their schemas,
    best with their types; names match without regard to case. `catalog`, `schema`,
    `started_at` (aware) and `time_zone` are the session's, `planner` is the engine's, if it has
    a profile. Without the types, no constant travels through an equality of columns. With `beyond`,
    scans tell what joins say of the rows that are needed.

    Raises TooComplexSql for queries that are nested too deeply, or whose common table expressions
    multiply, and QueryError for those that name a version of a table that cannot be told.
    """
    session = session_of(dialect, started_at, time_zone, planner)
    found = place(tree, session, columns=columns, catalog=catalog, schema=schema, beyond=beyond)
    return found.scans(session, planner)


def session_of(
    dialect: str, started_at: dt.datetime | None, time_zone: str | None, planner: Planner | None
) -> Session:
    """The session of a query; texts are read as the newest version does where none is named."""
    doubles_quotes = True if planner is None else planner.doubles_quotes
    return Session(dialect, started_at, time_zone, doubles_quotes=doubles_quotes)


def place(  # noqa: PLR0913  # likewise
    tree: exp.Query,
    session: Session,
    *,
    columns: Mapping[TableName, ColumnNames],
    catalog: str | None = None,
    schema: str | None = None,
    beyond: bool = False,
    variables: frozenset[str] = frozenset(),
) -> Placement:
    """The references to the tables in `columns`, in the order of `extract`, with the conditions
    that hold for their rows, and with what `beyond` means there. The lower-case `variables`
    are constants that are not known, where they are no columns. Raises TooComplexSql for queries
    that are nested too deeply, or whose common table expressions multiply."""
    scopes = Scopes(columns, catalog, schema, session.dialect)
    extraction = _Extraction(scopes, session, Origins(scopes.types) if beyond else None)
    with bounded():
        nodes = nodes_of(tree)
        tell_names(nodes, *scopes.names_of_tables(nodes))
        hide_variables(nodes, variables)
        if not dialect_of(session.dialect).keeps_ranges:
            with_split_ranges(tree, nodes)
        extraction.query(tree, (), None)
    origins = () if extraction.origins is None else tuple(extraction.origins.columns)
    return Placement(tuple(extraction.placed), tuple(extraction.judged), origins)


def condition_filter(
    expression_sql: str, dialect: str, types: Mapping[str, str] | None = None
) -> TableFilter:
    """The filter that a condition on one table is: `st.a` is field a of column st, and a quoted
    name is one part whatever it holds. `types` are the Iceberg types of columns; some texts are
    taken apart with them alone. Raises UnparseableSql."""
    with bounded():
        parsed = parse_condition(expression_sql, dialect)
        if not dialect_of(dialect).keeps_ranges:
            parsed = with_split_ranges(parsed, nodes_of(parsed))
        parts = tuple(conjuncts_of(formula(parsed)))
    return TableFilter(parts, tuple(map(Part, parts)), names_in, types_in_any_case(types or {}))


def condition(
    expression_sql: str,
    dialect: str,
    *,
    started_at: dt.datetime | None = None,
    time_zone: str | None = None,
    planner: Planner | None = None,
    types: Mapping[str, str] | None = None,
) -> Predicate:
    """The predicate of a condition (`condition_filter`), or what a planner pushes of it."""
    session = session_of(dialect, started_at, time_zone, planner)
    with bounded():
        return condition_filter(expression_sql, dialect, types).predicate(session, planner)


class _Extraction:
    """The visit of one statement; collects its scans, and with `origins` what joins say of the rows
    that they need."""

    def __init__(self, scopes: Scopes, session: Session, origins: Origins | None) -> None:
        self.placed: list[PlacedScan] = []
        self.judged: list[Judged] = []
        self.origins = origins
        self._scopes = scopes
        self._session = session
        self._constants = ConstantRows(scopes, session.dialect)
        self._inside = Inside(scopes, session, self.judged)

    def query(
        self,
        query: exp.Expr,
        pushed: Sequence[OnOutput],
        around: Surroundings | None,
        clause: Clause = Clause.WHERE,
    ) -> None:
        """Visits a query of which only the output rows that satisfy `pushed` are needed. `clause`
        is where its rows can be told further."""
        spend(_STEPS_PER_QUERY)
        for scalar in scalars(query):
            self._nested(scalar.this, clause)
        match query:
            case exp.Subquery():
                self.query(query.this, _before_limit(query, pushed), around, clause)
            case exp.SetOperation():
                self._set_operation(query, _before_limit(query, pushed), around, clause)
            case exp.Select():
                self._select(query, pushed, around, clause)

    def _set_operation(
        self,
        query: exp.SetOperation,
        pushed: Sequence[OnOutput],
        around: Surroundings | None,
        clause: Clause,
    ) -> None:
        if query.args.get("by_name"):
            pushed = ()
        by_position = into_branches(pushed, query, self._scopes, self._session.dialect)
        around = in_branch(around)
        self.query(query.this, by_position, around, clause)
        second = by_position if asks_both(query, self._session.dialect) else ()
        of_second = Clause.ABSENCE if isinstance(query, exp.Except) else clause
        self.query(query.expression, second, around, of_second)
        self._nested(query.args.get("order"), clause)

    def _select(
        self,
        select: exp.Select,
        pushed: Sequence[OnOutput],
        around: Surroundings | None,
        clause: Clause,
    ) -> None:
        scope = self._scopes.scope(select)
        laterals = [*_laterals(scope)]
        conditions: list[Formula] = []
        if not is_sealed(select):
            conditions = [
                *filters_on_input(select, self._scopes),
                *from_outside(select, pushed, around, self._scopes),
                *([Leaf(exp.false(), False)] if is_of_no_rows(select) else []),
                *(
                    each
                    for lateral in laterals
                    for each in self._constants.on_outer(lateral.expression.this)
                ),
            ]
        for item in select.expressions:
            self._nested(item, clause)
        if scope.tree is not None:
            transfers = self._inside.transfers(scope)
            needed = needed_rows(select, scope, self._scopes)
            is_merge = select.meta.get(IS_MERGE)
            planned_before = self._planned_before_inference(select, scope)
            whole = clause_of_merge(scope.tree) if is_merge else clause
            reached = [*push_down(scope.tree, conditions, scope, whole)]
            filled = frozenset(one.relation for one in reached if one.is_filled)
            for relation, held, own, _ in reached:
                inlined = self._constants.inlined(held, scope, is_merge=bool(is_merge))
                asked = (*inlined, *laterals)
                inlined = (*inlined, *self._inside.of_subqueries(asked, relation, scope))
                keyed = self._with_keys(inlined, relation, scope, transfers)
                further = (
                    () if relation is planned_before else transfers.of(keyed, relation, filled)
                )
                found = (*keyed, *further)
                if relation.is_sampled:
                    found = tuple(map(above, found))
                self._relation(Reading(relation, select, scope, around, own), found, needed)
        for join in select.args.get("joins") or ():
            self._nested(join.args.get("on"), clause)
        for part in ("prewhere", "where", "group", "having", "qualify", "order"):
            self._nested(select.args.get(part), clause)

    def _planned_before_inference(self, select: exp.Select, scope: Scope) -> Relation | None:
        """The target of a MERGE that changes rows: Spark's plan of its scan lacks what equalities
        say, but where it only deletes rows and marks them (4.1, Iceberg 1.11)."""
        infers = dialect_of(self._session.dialect).infers_constraints
        is_written = select.meta.get(IS_MERGE) and not select.meta.get(ONLY_INSERTS)
        return scope.relations[-1] if infers and is_written else None

    def _with_keys(
        self, held: Sequence[Formula], relation: Relation, scope: Scope, transfers: Transfers
    ) -> tuple[Formula, ...]:
        """The conditions on a relation, with those that its columns are among others."""
        if self.origins is None:
            return tuple(held)
        nested = (p for each in held for p in of_queries(each, relation, scope, self._scopes))
        pairs = (*nested, *transfers.equal(held, relation))
        return (*held, *(self.origins.among(column, other) for column, other in pairs))

    def _relation(
        self, reading: Reading, conditions: Sequence[Formula], needed: NeededRows | None
    ) -> None:
        relation, scope, clause = reading.relation, reading.scope, reading.clause
        if relation.table is not None:
            filter_ = table_filter(reading, conditions, self._scopes)
            alias = written_name(relation.node)
            self.placed.append(PlacedScan(relation, relation.table, alias, filter_, needed))
        elif relation.query is not None:
            pushed = self._pushed_into(relation, conditions, scope)
            # It has a WHERE of its own.
            own = Clause.WHERE if clause is Clause.ON else clause
            self.query(relation.query, pushed, reading.surroundings(), own)
        else:
            self._nested(relation.node, clause)

    def _pushed_into(
        self, relation: Relation, conditions: Sequence[Formula], scope: Scope
    ) -> list[OnOutput]:
        def own(leaf: Leaf) -> Leaf | None:
            columns = own_columns(leaf.expression)
            if any(scope.path(column, relation) is None for column in columns):
                return None
            return replace(leaf, level=None if leaf.level is None else leaf.level + 1)

        def ref(column: exp.Column) -> FieldRef | None:
            path = scope.path(column, relation)
            if path is None:
                return None
            name, fields = path[0].lower(), path[1:]
            return position(name, relation.names, fields) if relation.is_renamed else (name, fields)

        found = []
        for condition in conditions:
            if scope.concerns(condition, relation) and (kept := weaken(condition, own)) is not None:
                # What an OR says of one of its sides (PushExtraPredicateThroughJoin).
                is_or = scope.infers_constraints and isinstance(condition, AnyOf)
                is_part = is_or and len(scope.reads(condition).relations) > 1
                found.append(OnOutput(moved_at(kept, Moved.LAST) if is_part else kept, ref))
        return found

    def _nested(self, expression: exp.Expr | None, outer: Clause) -> None:
        """Visits the queries inside an expression, of a query whose rows are told further in a
        clause."""
        if expression is not None:
            for query in nested_queries(expression):
                is_absence = outer is Clause.ABSENCE or is_negated(query, expression)
                self.query(query, (), None, Clause.ABSENCE if is_absence else Clause.WHERE)


def _laterals(scope: Scope) -> Iterator[Leaf]:
    """Yields an EXISTS for each LATERAL of which every joined row has a row."""
    for relation in () if scope.tree is None else unfilled_relations(scope.tree):
        is_lateral = isinstance(relation.node, exp.Lateral)
        select = in_brackets(relation.query) if is_lateral and relation.query else None
        if isinstance(select, exp.Select):
            exists = exp.Exists()
            exists.args["this"] = select  # which stays where it stands
            yield Leaf(exists, False)


def _before_limit(query: exp.Expr, pushed: Sequence[OnOutput]) -> Sequence[OnOutput]:
    """Conditions on the rows before LIMIT and OFFSET, from those on the rows that these leave."""
    if is_of_no_rows(query):
        return (OnOutput(Leaf(exp.false(), False), lambda _: None),)
    return () if any(query.args.get(name) for name in ("limit", "offset")) else pushed
