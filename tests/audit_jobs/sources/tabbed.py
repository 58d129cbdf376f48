"""A source that tests add."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Literal

from audit_jobs.records import Window
from audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from collectors.observed import ObservedQuery, Rejected
from collectors.storage.files import Storage


class Tabbed(Logs):
    """A moment, a tab and SQL on each line."""

    type: Literal["tabbed"]
    dialect: str = "trino"
    """of the SQL"""


def _read(log: Log, storage: Storage, _: Window, __: PassedOver) -> Iterator[Record]:
    assert isinstance(log.source, Tabbed)
    path, dialect = log.paths[0], log.source.dialect
    with storage.open(path) as stream:
        for number, line in enumerate(stream.read().decode().splitlines(), 1):
            moment, tab, sql = line.partition("\t")
            place = f"{path}:{number}"
            if not tab:
                yield Rejected("tabbed", place, "no_sql", "there is no tab")
                continue
            yield ObservedQuery(
                source="tabbed",
                query_id=place,
                engine="trino",
                dialect=dialect,
                sql=sql,
                started_at=dt.datetime.fromisoformat(moment),
            )


SOURCE = Source(Tabbed, _read)
