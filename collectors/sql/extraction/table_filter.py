"""The predicate of one base table among the relations of a SELECT."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from prunescope.collectors.predicates.model import (
    TRUE,
    Always,
    Column,
    Comparison,
    Predicate,
    Reason,
    Unsupported,
    all_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.conditions.convert import convert
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.conditions.simplified import simplified
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.terms import PathOf, column_path
from prunescope.collectors.sql.extraction.among import is_among
from prunescope.collectors.sql.extraction.surroundings import Reading, outer_names
from prunescope.collectors.sql.planners.profiles import Planner, as_pushed
from prunescope.collectors.sql.scopes.relations import Relation, outer_conditions
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.text.boolean import (
    Formula,
    Leaf,
    Moved,
    conjuncts_of,
    formula,
    leaves,
    own_columns,
    text_of,
    weaken,
)
from prunescope.collectors.sql.text.nodes import names_in
from prunescope.collectors.table_scans import UNPLACED, ColumnPaths, TextPlace


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The meaning of one condition for a table, before its constants are read.

    Its leaves name columns of this table alone, unless there is a `reason` why it prunes nothing;
    then `columns` are the dotted names of its columns of this table. A part without any column only
    matters if it is known to hold or not (`is_touched`).
    """

    condition: Formula
    is_touched: bool = True
    reason: Reason | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TableFilter:
    """The conditions that hold for the rows of a table and concern it, and the part of each for it
    alone.

    `types` are the Iceberg types of its columns by lower-case name, as far as they are known.
    `keys` are its columns of which only values of another column matter, with the numbers of the
    latter (`Origins`).
    """

    conditions: tuple[Formula, ...]
    parts: tuple[Part, ...]
    path_of: PathOf
    types: Mapping[str, str] = field(default_factory=dict)
    keys: tuple[tuple[str, int], ...] = ()
    text_place: TextPlace = UNPLACED

    @property
    def alone(self) -> list[Formula]:
        """The conditions on this table alone."""
        return [part.condition for part in self.parts if part.reason is None]

    def predicate(self, session: Session, planner: Planner | None = None) -> Predicate:
        """The predicate of the table; with a planner, what that planner pushes."""
        reader = self.reader(session, planner).knowing(self.alone)
        predicate = all_of(*(said(part, reader) for part in self.parts))
        if planner is None:
            return predicate
        return as_pushed(planner, predicate, self.inferred(session, planner))

    def reader(self, session: Session, planner: Planner | None = None) -> Reader:
        """The reader of the table's conditions."""
        is_whole = len(self.parts) == 1
        return Reader(self.path_of, session, planner, self.types, is_whole=is_whole)

    def inferred(self, session: Session, planner: Planner) -> Predicate:
        """The predicate that the planner infers from all conditions and pushes with them."""
        reader = self.reader(session, planner)
        return all_of(*(inferred_conditions(each, reader) for each in self.conditions))


def table_filter(reading: Reading, conditions: Sequence[Formula], scopes: Scopes) -> TableFilter:
    """Reduces `conditions`, which hold for the rows of a table, to its columns alone.

    Conjuncts that name other relations as well become Unsupported (CROSS_TABLE), except for plain
    joins, `a.x = b.y`. Each arm of an OR with such parts keeps its conditions on this table.
    """
    relation, scope = reading.relation, reading.scope
    paths: dict[tuple[str, ...], tuple[str, ...] | None] = {}

    def path_of(column: exp.Column) -> tuple[str, ...] | None:
        names = names_in(column)
        if names not in paths:
            paths[names] = scope.path(column, relation)
        return paths[names]

    keys = [c.expression for c in conditions if isinstance(c, Leaf) and is_among(c)]
    conditions = [condition for condition in conditions if not is_among(condition)]
    correlated = [column for condition in conditions for column in _correlated(condition)]
    conditions = [condition for condition in conditions if scope.concerns(condition, relation)]
    parts = [_part(condition, relation, scope, path_of) for condition in conditions]
    paired = [c for condition in conditions for c in _plainly_joined(condition, scope)]
    paired += correlated
    joined = (column_path(column, path_of) for column in paired)
    names = tuple(dict.fromkeys(".".join(path) for path in joined if path is not None))
    # Those that only keep what joins find say what stands before columns as well.
    for condition in () if scope.tree is None else outer_conditions(scope.tree):
        for column in scope.reads(condition).columns:
            path_of(column)
    return TableFilter(
        tuple(conditions),
        tuple(part for part in parts if part is not None),
        path_of,
        relation.types,
        tuple(dict.fromkeys(_keys(keys, path_of))),
        TextPlace(
            names,
            _qualifiers(paths),
            outer_names(reading, conditions, path_of, scopes),
            reading.clause,
        ),
    )


def _qualifiers(paths: Mapping[tuple[str, ...], tuple[str, ...] | None]) -> ColumnPaths:
    """The qualifiers before columns, by the name of the path that they lead to. The shortest one
    counts if a column has several, as that of USING may have none."""
    longest_first = sorted(paths.items(), key=lambda item: -len(item[0]))
    return {
        ".".join(path).lower(): names[: len(names) - len(path)]
        for names, path in longest_first
        if path is not None
    }


def _keys(found: Sequence[exp.Expr], path_of: PathOf) -> Iterator[tuple[str, int]]:
    for key in found:
        column = key.this
        path = path_of(column) if isinstance(column, exp.Column) else None
        if path is not None and len(path) == 1:
            yield path[0], key.args["number"]


def said(part: Part, reader: Reader) -> Predicate:
    """The predicate of a part of a table's filter."""
    if part.reason is not None:
        return lost(part, reader)
    return touching(part, convert(part.condition, reader))


def touching(part: Part, predicate: Predicate) -> Predicate:
    """The part's predicate, or TRUE if it touches no column of this table and is not constant."""
    return predicate if part.is_touched or isinstance(predicate, Always) else TRUE


def lost(part: Part, reader: Reader) -> Unsupported:
    """A part without meaning for the table, as a predicate that never prunes."""
    assert part.reason is not None
    text = text_of(part.condition, lambda expression: reader.printed(expression).text)
    redacted = text_of(part.condition, lambda expression: reader.printed(expression).redacted)
    return Unsupported(part.reason, text, redacted, part.columns)


def inferred_conditions(condition: Formula, reader: Reader) -> Predicate:
    """The predicate that the reader's planner infers from a condition and pushes with it."""
    if not isinstance(condition, Leaf) or condition.is_converted or reader.planner is None:
        return TRUE
    if condition.moved is not Moved.EARLY:
        return TRUE
    left = simplified(condition, reader)
    if left is not None:
        return all_of(*(inferred_conditions(part, reader) for part in conjuncts_of(left)))
    # A name that the table does not have may be a variable of the session.
    inferred = reader.planner.profile.pushdown.never_null(condition)
    columns = [column for column in inferred if _may_be_own(column, reader)]
    paths = (column_path(column, reader.path_of) for column in columns)
    return all_of(*(Comparison(Op.NOT_NULL, Column(path)) for path in paths if path is not None))


def _may_be_own(column: exp.Expr, reader: Reader) -> bool:
    """True if the table may have a column of this name: it has, its columns are unknown, or the
    name is in quotes and may be a text, read in the wrong dialect."""
    path = column_path(column, reader.path_of)
    is_known = not reader.types or path is None or path[0].lower() in reader.types
    return is_known or any(name.args.get("quoted") for name in column.find_all(exp.Identifier))


def _part(condition: Formula, relation: Relation, scope: Scope, path_of: PathOf) -> Part | None:
    def own(leaf: Leaf) -> Leaf | None:
        columns = own_columns(leaf.expression)
        return leaf if all(path_of(column) is not None for column in columns) else None

    columns = scope.reads(condition).columns
    is_touched = relation in scope.reads(condition).relations
    kept = weaken(condition, own)
    if kept is not None:
        return Part(kept, is_touched)
    if not is_touched or _plainly_joined(condition, scope):
        return None
    is_ambiguous = any(len(scope.owners(c)) > 1 and not scope.is_merged(c) for c in columns)
    reason = Reason.AMBIGUOUS_COLUMN if is_ambiguous else Reason.CROSS_TABLE
    across = (
        c
        for leaf in leaves(condition)
        if _is_across(leaf, scope)
        for c in scope.reads(leaf).columns
    )
    paths = (path_of(column) for column in (columns if is_ambiguous else across))
    names = dict.fromkeys(".".join(path) for path in paths if path is not None)
    return Part(condition, reason=reason, columns=tuple(names))


def _is_across(leaf: Leaf, scope: Scope) -> bool:
    """True if a leaf compares columns of several relations, or with the result of a query."""
    reads = scope.reads(leaf)
    return len(reads.relations) > 1 or reads.has_query or not reads.is_placed


def _plainly_joined(condition: Formula, scope: Scope) -> tuple[exp.Column, ...]:
    """The columns of two relations that a condition wants equal, if it is no more than that."""
    match condition:
        case Leaf(exp.EQ(this=exp.Column() as left, expression=exp.Column() as right), False):
            owners = [scope.owners(column) for column in (left, right)]
            if [len(each) for each in owners] == [1, 1] and owners[0] != owners[1]:
                return left, right
    return ()


def _correlated(condition: Formula) -> tuple[exp.Column, ...]:
    """The columns of outer relations that `EXISTS (SELECT … FROM b WHERE b.y = a.x)` compares with
    its own, all of them qualified: engines make a semi-join of it."""
    match condition:
        case Leaf(exp.Exists(this=exp.Select() as query), False):
            where = query.args.get("where")
            inner = {table.alias_or_name for table in query.find_all(exp.Table, exp.Subquery)}
            parts = () if where is None else tuple(conjuncts_of(formula(where.this)))
            return tuple(column for part in parts for column in _outer(part, inner))
    return ()


def _outer(condition: Formula, inner: Container[str]) -> tuple[exp.Column, ...]:
    match condition:
        case Leaf(exp.EQ(this=exp.Column() as left, expression=exp.Column() as right), False):
            outer = [c for c in (left, right) if c.table and c.table not in inner]
            if len(outer) == 1 and left.table and right.table:
                return tuple(outer)
    return ()
