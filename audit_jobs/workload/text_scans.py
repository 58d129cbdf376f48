"""The scans in SQL texts, searched once for all texts that differ in literals alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from audit_jobs.isolation import Failed
from audit_jobs.workload.reading import READING, Reading, read_text
from audit_jobs.workload.texts import Columns, FoundScans, ScanKey, TableScan, internal_error
from collectors.errors import PrunescopeError, TooComplexSql
from collectors.observed import ObservedQuery
from collectors.recent import Recent
from collectors.sql.constants.folding import may_read_clock
from collectors.sql.constants.session import Session
from collectors.sql.extraction.extract import place
from collectors.sql.extraction.filling import Memo
from collectors.sql.extraction.placement import Placement, SqlScan
from collectors.sql.extraction.template import Template
from collectors.sql.planners.profiles import planner_of
from collectors.sql.text.cost import bounded
from collectors.sql.text.slots import fill, slot_nodes

# A template takes up to 100 KB, what was found in one text or for one condition about 1 KB.
_MAX_TEMPLATES = 4_096
_MAX_FOUND = 8_192
_MAX_CONDITIONS = 32_768


class TextScans:
    """The scans in the texts of queries over the tables in `columns`; with `beyond`, what
    joins say of the rows that they need (`collectors.sql.extraction.extract`).

    A text is analysed once for each session that it means something else in, whatever its free
    literals are and whenever its queries start.
    """

    def __init__(self, columns: Columns, *, beyond: bool = False) -> None:
        self._columns = columns
        self._beyond = beyond
        self._found: Recent[tuple[object, ...], FoundScans] = Recent(_MAX_FOUND)
        self._templates: Recent[tuple[object, ...], list[_Scans]] = Recent(_MAX_TEMPLATES)
        self._memo: Memo = Recent(_MAX_CONDITIONS)

    def find(self, query: ObservedQuery) -> FoundScans:
        """The scans of a query with a text. Never raises."""
        session = (
            query.sql,
            query.dialect,
            query.parameters,
            query.catalog,
            query.schema,
            query.references,
            query.time_zone,
            query.engine,
            query.engine_version,
        )
        with READING:
            found = self._found.get(session)
            if found is None:
                found, is_timed = self._analyse(query)
                if not is_timed:
                    self._found.put(session, found)
        return found

    def _analyse(self, query: ObservedQuery) -> tuple[FoundScans, bool]:
        read = read_text(query)
        text = read.text
        key = (text, query.time_zone, query.engine, query.engine_version)
        templates = self._templates.get(key)
        if templates is None:
            templates = [
                _Scans(reading, query, self._columns, beyond=self._beyond)
                for reading in text.readings
            ]
            self._templates.put(key, templates)
        scans: list[TableScan] = []
        failure = text.failure
        is_timed = False
        with bounded(text.max_steps):  # one bound for all statements
            for template in templates:
                try:
                    found = template.scans(read.values, query.started_at, self._memo)
                except PrunescopeError as error:
                    failure = failure or Failed.of(error)
                except Exception as error:  # noqa: BLE001  # one query must not stop the others
                    failure = failure or internal_error(error)
                else:
                    is_timed |= template.is_timed
                    scans += (_table_scan(scan) for scan in found)
        return FoundScans(tuple(scans), failure), is_timed


class _Scans:
    """The scans of one statement's query, for all literals and times."""

    def __init__(
        self, reading: Reading, query: ObservedQuery, columns: Columns, *, beyond: bool
    ) -> None:
        self._reading = reading
        self._beyond = beyond
        self._columns = columns
        self._dialect = query.dialect
        self._time_zone = reading.time_zone or query.time_zone
        self._planner = planner_of(query.engine, query.engine_version)
        self._nodes = slot_nodes(reading.tree)
        self._template: Template | None = None
        self._too_complex: str | None = None
        self.is_timed = may_read_clock(reading.tree)

    def scans(
        self, values: Sequence[str], started_at: dt.datetime | None, memo: Memo
    ) -> tuple[SqlScan, ...]:
        """The scans of one query. Raises PrunescopeError."""
        if self._too_complex is not None:
            raise TooComplexSql(self._too_complex)
        doubles_quotes = None if self._planner is None else self._planner.doubles_quotes
        session = Session(self._dialect, started_at, self._time_zone, doubles_quotes=doubles_quotes)
        if self._template is None:
            self._template = Template(self._placement(values, session), session, self._planner)
        found = self._template.scans(values, session, memo)
        if found is not None:
            return found
        return self._placement(values, session).scans(session, self._planner)

    def _placement(self, values: Sequence[str], session: Session) -> Placement:
        fill(self._nodes, values)
        try:
            return place(
                self._reading.tree,
                session,
                columns=self._columns,
                catalog=self._reading.catalog,
                schema=self._reading.schema,
                beyond=self._beyond,
                variables=self._reading.variables,
            )
        except TooComplexSql as error:  # which has all that was made for the text
            self._too_complex = str(error)
            raise


def _table_scan(scan: SqlScan) -> TableScan:
    return TableScan(
        scan.table,
        scan.predicate,
        scan.pushed,
        scan.snapshot_id,
        scan.ref,
        scan.as_of,
        scan.joined,
        keys=tuple(
            ScanKey(key.column, tuple(map(_table_scan, key.others)), key.other_column)
            for key in scan.keys
        ),
        needed=scan.needed,
        qualifiers=scan.qualifiers,
        outer_names=scan.outer_names,
        clause=scan.clause,
    )
