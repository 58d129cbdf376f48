"""The scans in SQL texts, searched once for all texts that differ in literals alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.workload.allowance import REFUSED, Allowance
from prunescope.audit_jobs.workload.query_texts import Columns, FoundScans, internal_error
from prunescope.audit_jobs.workload.reading import READING, Reading, ReadText, Text, read_text
from prunescope.collectors.errors import PrunescopeError, TooComplexSql
from prunescope.collectors.observed import ObservedQuery
from prunescope.collectors.recently_used import Recent
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialects import zone_of_session
from prunescope.collectors.sql.extraction.extract import place, session_of
from prunescope.collectors.sql.extraction.filling import Memo
from prunescope.collectors.sql.extraction.placement import Placement
from prunescope.collectors.sql.extraction.template import Template
from prunescope.collectors.sql.functions.folding import may_read_clock
from prunescope.collectors.sql.planners.profiles import planner_of
from prunescope.collectors.sql.text.cost import bounded
from prunescope.collectors.sql.text.slots import fill, slot_nodes
from prunescope.collectors.table_scans import TableScan

# A template takes up to 100 KB, what was found in one text or for one condition about 1 KB.
_MAX_TEMPLATES = 4_096
_MAX_FOUND = 8_192
_MAX_CONDITIONS = 32_768


class TextScans:
    """The scans in the texts of queries over the tables in `columns`; with `beyond`, also the
    conditions of joins on the rows that they need (`prunescope.collectors.sql.extraction.extract`).

    A text is analysed once for each session in which it has another meaning, whatever its free
    literals are and whenever its queries start. Texts that take more than the usual steps draw on
    an allowance; without one (None), they may take all.
    """

    def __init__(
        self, columns: Columns, allowance: Allowance | None = None, *, beyond: bool = False
    ) -> None:
        self._columns = columns
        self._allowance = allowance
        self._beyond = beyond
        self._found: Recent[tuple[object, ...], FoundScans] = Recent(_MAX_FOUND)
        self._templates: Recent[tuple[object, ...], _TextTemplate] = Recent(_MAX_TEMPLATES)
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
        read = read_text(query, self._allowance)
        text = read.text
        key = (text, query.time_zone, query.engine, query.engine_version)
        template = self._templates.get(key)
        if template is None:
            steps = text.max_steps if self._allowance is None else text.usual_steps
            template = self._template(text, query, steps)
        found, is_timed = template.find(query, read, self._memo)
        if template.is_long and template.max_steps < text.max_steps:
            if self._allowance is None or self._allowance.grants(key, text.max_steps):
                template = self._template(text, query, text.max_steps)
                found, is_timed = template.find(query, read, self._memo)
            else:
                found = replace(found, failure=REFUSED)
        self._templates.put(key, template)
        return found, is_timed

    def _template(self, text: Text, query: ObservedQuery, max_steps: int) -> _TextTemplate:
        scans = [
            _Scans(reading, query, self._columns, beyond=self._beyond) for reading in text.readings
        ]
        return _TextTemplate(scans, max_steps)


class _TextTemplate:
    """The scans of all statements of a text, for all literals and times. To find them takes
    `max_steps` at most; it `is_long` once that was not enough."""

    def __init__(self, of_statements: Sequence[_Scans], max_steps: int) -> None:
        self._of_statements = of_statements
        self.max_steps = max_steps
        self.is_long = False

    def find(self, query: ObservedQuery, read: ReadText, memo: Memo) -> tuple[FoundScans, bool]:
        """The scans of one query, and whether they may be others at another time."""
        scans: list[TableScan] = []
        failure = read.text.failure
        is_timed = False
        with bounded(self.max_steps) as meter:  # one bound for all statements
            for of_statement in self._of_statements:
                try:
                    found = of_statement.scans(read.values, query.started_at, memo)
                except PrunescopeError as error:
                    failure = failure or Failed.of(error)
                except Exception as error:  # noqa: BLE001  # one query must not stop the others
                    failure = failure or internal_error(error)
                else:
                    is_timed |= of_statement.is_timed
                    scans += (_in_zone(scan, of_statement.set_zone) for scan in found)
        self.is_long |= meter.steps > self.max_steps
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
        self._time_zone = zone_of_session(query.dialect, query.time_zone, reading.time_zone)
        self.set_zone = None if reading.time_zone is None else self._time_zone
        self._planner = planner_of(query.engine, query.engine_version)
        self._is_unknown = self._planner is None and query.engine is not None
        self._nodes = slot_nodes(reading.tree)
        self._template: Template | None = None
        self._too_complex: str | None = None
        self.is_timed = may_read_clock(reading.tree)

    def scans(
        self, values: Sequence[str], started_at: dt.datetime | None, memo: Memo
    ) -> tuple[TableScan, ...]:
        """The scans of one query. Raises PrunescopeError."""
        if self._too_complex is not None:
            raise TooComplexSql(self._too_complex)
        session = session_of(self._dialect, started_at, self._time_zone, self._planner)
        if self._is_unknown:
            session = replace(session, doubles_quotes=None)
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


def _in_zone(scan: TableScan, time_zone: str | None) -> TableScan:
    """A scan, and those of its keys, in a time zone that the text sets."""
    if time_zone is None:
        return scan
    keys = (
        replace(key, others=tuple(_in_zone(other, time_zone) for other in key.others))
        for key in scan.keys
    )
    return replace(scan, keys=tuple(keys), time_zone=time_zone)
