"""References to tables that were found in a query, and the scans that they are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from prunescope.collectors.needed import NeededRows
from prunescope.collectors.observed import Clause, OuterNames, Qualifiers, TableName
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.extraction.table_filter import TableFilter
from prunescope.collectors.sql.extraction.transfer import Judged
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.time_travel import Version, version_of
from prunescope.collectors.sql.scopes.types import RelationColumn
from prunescope.collectors.sql.text.cost import bounded


@dataclass(frozen=True, slots=True)
class SqlScan:
    """One reference to a base table in a query. `alias` is the table's own name where the query
    gives none. At most one of `snapshot_id`, `ref` and `as_of` (UTC) is set: the version that the
    query names.

    `pushed` is the part of the predicate that the planner pushes, if one was given. `joined` are
    the dotted names of the columns that plain joins compare, as the query writes them. `needed`
    tells more of the rows that the query needs, and so do `keys`, if these were asked for.
    `qualifiers` stand before columns in its conditions, and `outer_names` are the columns' names in
    conditions outside of the SELECT that reads the table. More conditions can be added to `clause`.
    """

    table: TableName
    alias: str
    predicate: Predicate
    snapshot_id: int | None = None
    ref: str | None = None
    as_of: dt.datetime | None = None
    pushed: Predicate | None = None
    joined: tuple[str, ...] = ()
    keys: tuple[ScanKey, ...] = ()
    needed: NeededRows | None = None
    qualifiers: Qualifiers = field(default_factory=dict)
    outer_names: OuterNames = field(default_factory=dict)
    clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class ScanKey:
    """A column of which a query needs only values of another scan's column (`among`). `others` are
    these scans: more than one if a common table expression is used more than once."""

    column: str
    others: tuple[SqlScan, ...]
    other_column: str


@dataclass(frozen=True, slots=True, eq=False)
class PlacedScan:
    """A reference to one of the audited tables, the conditions that hold for its rows, the clause
    to which more can be added, and which of the rows that pass them are needed (None: all, or
    unknown)."""

    relation: Relation
    table: TableName
    alias: str
    filter: TableFilter
    clause: Clause
    needed: NeededRows | None = None

    def version(self, session: Session) -> Version:
        """The version of the table that the reference names. Raises QueryError."""
        return version_of(self.relation.node, self.relation.selector, session)

    def scan(self, version: Version, predicate: Predicate, pushed: Predicate | None) -> SqlScan:
        """The scan, with what its filter says."""
        return SqlScan(
            self.table,
            self.alias,
            predicate,
            version.snapshot_id,
            version.ref,
            version.as_of,
            pushed,
            self.filter.joined,
            needed=self.needed,
            qualifiers=self.filter.qualifiers,
            outer_names=self.filter.outer_names,
            clause=self.clause,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """The scans of a query with their conditions. No constant has been read but to answer `judged`:
    with other answers, the scans could be others. `origins` are the columns that keys are among, by
    number."""

    placed: tuple[PlacedScan, ...]
    judged: tuple[Judged, ...]
    origins: tuple[RelationColumn, ...] = ()

    def scans(self, session: Session, planner: Planner | None) -> tuple[SqlScan, ...]:
        """The scans for a session. Raises what `extract` does."""
        with bounded():
            return self.keyed(
                tuple(
                    each.scan(
                        each.version(session),
                        each.filter.predicate(session),
                        None if planner is None else each.filter.predicate(session, planner),
                    )
                    for each in self.placed
                )
            )

    def keyed(self, scans: tuple[SqlScan, ...]) -> tuple[SqlScan, ...]:
        """The scans, which are those of `placed`, with their keys."""
        if not self.origins:
            return scans
        return tuple(
            replace(scan, keys=tuple(self._keys(each, scans)))
            for each, scan in zip(self.placed, scans, strict=True)
        )

    def _keys(self, placed: PlacedScan, scans: tuple[SqlScan, ...]) -> Iterator[ScanKey]:
        for column, number in placed.filter.keys:
            relation, name = self.origins[number]
            pairs = zip(self.placed, scans, strict=True)
            others = tuple(scan for each, scan in pairs if each.relation is relation)
            if others:
                yield ScanKey(column, others, name)
