"""A source that tests add. Its reader is here as well, which in the code is a module of
`collectors/queries`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.instants import told_instant
from prunescope.collectors.queries.json_input import UnreadableInput
from prunescope.collectors.queries.reading import read_lines
from prunescope.collectors.storage.files import Storage


class Tabbed(Logs):
    """A moment, a tab and SQL on each line."""

    type: Literal["tabbed"]
    dialect: str = "trino"
    """of the SQL"""


def _read(log: Log, storage: Storage, _: Window, __: PassedOver) -> Iterator[Record]:
    assert isinstance(log.source, Tabbed)
    for place, line in read_lines(log.paths[0], storage, "tabbed", log.part):
        yield line if isinstance(line, Rejected) else _query(line, place, log.source.dialect)


def _query(line: bytes, place: str, dialect: str) -> ObservedQuery | Rejected:
    """That of a line. Never raises for what a line holds."""
    moment, tab, sql = line.decode(errors="replace").partition("\t")
    if not tab:
        return Rejected("tabbed", place, Outcome.MISSING_SQL, "there is no tab")
    try:
        started_at = told_instant(moment, "moment", malformed=Outcome.MALFORMED_RECORD)
    except UnreadableInput as error:
        return Rejected("tabbed", place, error.code, str(error))
    return ObservedQuery(
        source="tabbed",
        query_id=place,
        engine="trino",
        dialect=dialect,
        sql=sql.strip(),
        started_at=started_at,
    )


SOURCE = Source(Tabbed, _read, is_in_parts=True)
