"""References to tables that were found in a query, and the scans that they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from prunescope.collectors.needed_rows import NeededRows
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.extraction.table_filter import TableFilter
from prunescope.collectors.sql.extraction.transfer import Judged
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.time_travel import Version, version_of
from prunescope.collectors.sql.scopes.types import RelationColumn
from prunescope.collectors.sql.text.cost import bounded
from prunescope.collectors.table_scans import ScanKey, TableScan


@dataclass(frozen=True, slots=True, eq=False)
class PlacedScan:
    """A reference to one of the audited tables, the conditions that hold for its rows, and which
    of the rows that pass them are needed (None: all, or unknown)."""

    relation: Relation
    table: TableName
    alias: str
    filter: TableFilter
    needed: NeededRows | None = None

    def version(self, session: Session) -> Version:
        """The version of the table that the reference names. Raises QueryError."""
        return version_of(self.relation.node, self.relation.selector, session)

    def scan(self, version: Version, predicate: Predicate, pushed: Predicate | None) -> TableScan:
        """The scan, with what its filter says."""
        return TableScan(
            self.table,
            predicate,
            pushed,
            version.snapshot_id,
            version.ref,
            version.as_of,
            self.alias,
            needed=self.needed,
            text_place=self.filter.text_place,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """The scans of a query with their conditions. No constant has been read but to answer `judged`:
    with other answers, the scans could be others. `origins` are the columns that keys are among, by
    number."""

    placed: tuple[PlacedScan, ...]
    judged: tuple[Judged, ...]
    origins: tuple[RelationColumn, ...] = ()

    def scans(self, session: Session, planner: Planner | None) -> tuple[TableScan, ...]:
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

    def keyed(self, scans: tuple[TableScan, ...]) -> tuple[TableScan, ...]:
        """The scans, which are those of `placed`, with their keys."""
        if not self.origins:
            return scans
        return tuple(
            replace(scan, keys=tuple(self._keys(each, scans)))
            for each, scan in zip(self.placed, scans, strict=True)
        )

    def _keys(self, placed: PlacedScan, scans: tuple[TableScan, ...]) -> Iterator[ScanKey]:
        for column, number in placed.filter.keys:
            relation, name = self.origins[number]
            pairs = zip(self.placed, scans, strict=True)
            others = tuple(scan for each, scan in pairs if each.relation is relation)
            if others:
                yield ScanKey(column, others, name)
