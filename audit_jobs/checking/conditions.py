"""The conditions of a file's statements on tables, with their places in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from prunescope.audit_jobs.findings.engines import text_as_written
from prunescope.audit_jobs.workload.bind import Binder
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Predicate,
    Unsupported,
    conjuncts,
)
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialects import dialect_of, zone_of_session
from prunescope.collectors.sql.extraction.extract import place, session_of
from prunescope.collectors.sql.extraction.placement import PlacedScan
from prunescope.collectors.sql.extraction.table_filter import said
from prunescope.collectors.sql.planners.profiles import Planner, planner_of
from prunescope.collectors.sql.scopes.defined import with_definitions
from prunescope.collectors.sql.text.boolean import Formula, Leaf
from prunescope.collectors.sql.text.boolean import leaves as tests_of
from prunescope.collectors.sql.text.cost import bounded
from prunescope.collectors.sql.text.parse import StatementText, parts_of, whole_text
from prunescope.collectors.sql.text.spans import Span, balanced, covered, span_of, united
from prunescope.collectors.sql.text.statements import Statement, statements_of
from prunescope.collectors.tables.catalog import Table


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """One condition of a scan, as it stands in the text: its span, None where that is not known.
    `is_conjunct` tells that it is joined by AND alone to its clause, so that others can stand
    beside it; `is_whole` also that it is written there as it is, without NOT."""

    condition: Formula
    predicate: Predicate
    span: Span | None
    is_conjunct: bool = False
    is_whole: bool = False

    @property
    def texts(self) -> frozenset[str]:
        """Words for it that a finding may have: those of the query, or of its predicate; without
        literals and with them."""
        parts = (self.predicate, *conjuncts(self.predicate))
        return frozenset(
            text
            for part in parts
            for shown in (False, True)
            for text in (
                text_as_written(part, is_shown=shown),
                (render if shown else redact)(part),
            )
            if text
        )

    @property
    def shape(self) -> str:
        """The condition without literals."""
        return text_as_written(self.predicate, is_shown=False) or redact(self.predicate)

    @property
    def columns(self) -> frozenset[str]:
        """The columns of the table that it reads, in lower case."""
        return frozenset(
            name.lower()
            for leaf in leaves(self.predicate)
            for name in (
                leaf.columns
                if isinstance(leaf, Unsupported)
                else (leaf.field.name,)
                if isinstance(leaf, BoundComparison)
                else ()
            )
        )


@dataclass(frozen=True, slots=True, eq=False)
class FileScan:
    """One reference of a statement to a table, and what holds for its rows. `words` are the
    conditions of the statement as they are written, by their spans: where one holds for the rows of
    a table, it has that table's columns for those of queries between."""

    table: Table
    placed: PlacedScan
    conditions: tuple[Placed, ...]
    words: Mapping[Span, exp.Expr]
    session: Session
    planner: Planner | None
    binder: Binder


@dataclass(frozen=True, slots=True, eq=False)
class ReadStatement:
    """One statement of a file: its span, its tokens, and its scans of audited tables."""

    span: Span
    tokens: tuple[Token, ...]
    scans: tuple[FileScan, ...]


def statements_in(
    query: ObservedQuery, tables: Mapping[TableName, Table]
) -> tuple[ReadStatement, ...]:
    """The statements of a file that read the tables, which are by the names that queries use.
    Nothing for texts that cannot be read, or whose places are not those of the file: what EXECUTE
    IMMEDIATE runs."""
    assert query.sql is not None
    try:
        with bounded():
            whole = whole_text(query.sql, query.dialect, query.parameters)
            if len(whole) != len(query.sql):
                return ()
            parts = parts_of(whole, query.dialect, keeps_spans=True)
            found = statements_of(parts, query.catalog, query.schema)
            return tuple(
                _read(part, statement, query, tables)
                for part, statement in zip(parts, found, strict=True)
            )
    except PrunescopeError:
        return ()


def _read(
    part: StatementText,
    statement: Statement,
    query: ObservedQuery,
    tables: Mapping[TableName, Table],
) -> ReadStatement:
    span = Span(part.tokens[0].start, part.tokens[-1].end + 1)
    try:
        scans = () if statement.tree is None else _scans(part, statement, query, tables)
    except PrunescopeError:
        scans = ()
    return ReadStatement(span, part.tokens, scans)


def _scans(
    part: StatementText,
    statement: Statement,
    query: ObservedQuery,
    tables: Mapping[TableName, Table],
) -> tuple[FileScan, ...]:
    assert statement.tree is not None
    catalog, schema = statement.catalog, statement.schema
    nodes = statement.tree.walk()
    words = {span: node for node in nodes if (span := span_of(node)) is not None}
    planner = planner_of(query.engine, query.engine_version, query.iceberg_version)
    zone = zone_of_session(query.dialect, query.time_zone, statement.time_zone)
    session = session_of(query.dialect, query.started_at, zone, planner)
    placement = place(
        with_definitions(statement.tree, statement.definitions, catalog, schema),
        session,
        columns={name: table.metadata.schema(None).types for name, table in tables.items()},
        catalog=catalog,
        schema=schema,
        variables=statement.variables,
    )
    return tuple(
        _scan(each, tables[each.table], part.tokens, words, session, planner)
        for each in placement.placed
    )


def _scan(  # a scan has this many parts
    placed: PlacedScan,
    table: Table,
    tokens: Sequence[Token],
    words: Mapping[Span, exp.Expr],
    session: Session,
    planner: Planner | None,
) -> FileScan:
    moments = dialect_of(session.dialect).plain_are_moments
    binder = Binder(table.metadata.schema(None), session.time_zone, moments)
    reader = placed.filter.reader(session).knowing(placed.filter.alone)
    conditions = tuple(
        Placed(
            part.condition, binder.whole(said(part, reader)), *_span(part.condition, tokens, words)
        )
        for part in placed.filter.parts
    )
    return FileScan(table, placed, conditions, words, session, planner, binder)


def _span(
    condition: Formula, tokens: Sequence[Token], words: Mapping[Span, exp.Expr]
) -> tuple[Span | None, bool, bool]:
    """The span of a condition, whether it is a conjunct of its clause, and one without NOT."""
    tests = [*tests_of(condition)]
    kept = [span_of(test.expression) for test in tests]
    own = kept[0]
    if isinstance(condition, Leaf) and own is not None and own in words:
        outer = _conjunct(words[own], is_negated=condition.negated)
        span = None if outer is None else span_of(outer)
        if span is None:
            return own, False, False
        is_plain = span == own and not condition.is_made
        return span, True, is_plain
    known = [span or covered(t.expression) for t, span in zip(tests, kept, strict=True)]
    found = united(span for span in known if span is not None)
    return (None if found is None else balanced(found, tokens)), False, False


def _conjunct(node: exp.Expr, *, is_negated: bool) -> exp.Expr | None:
    """The conjunct of a clause that a test, or its negation, is: the test itself, or what has its
    NOT; None where it is a part of an OR, or stands under NOT in another way."""
    found = current = node
    negated = False
    while isinstance(current.parent, exp.Paren | exp.Not):
        current = current.parent
        if isinstance(current, exp.Not):
            negated, found = not negated, current
    if negated != is_negated:
        return None
    while isinstance(current.parent, exp.Paren | exp.And):
        current = current.parent
    return None if isinstance(current.parent, exp.Or | exp.Not) else found
