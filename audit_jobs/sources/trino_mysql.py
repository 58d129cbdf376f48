"""Rows of Trino's MySQL event listener."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from prunescope.collectors.queries.reading import reader
from prunescope.collectors.queries.trino.mysql import from_json, from_mapping
from prunescope.collectors.storage.files import Storage


class TrinoMysql(Logs):
    """Rows of Trino's MySQL event listener, as JSON lines or Parquet."""

    type: Literal["trino_mysql"]


def _read(log: Log, storage: Storage, _: Window, __: PassedOver) -> Iterator[Record]:
    return reader(log.paths[0], storage, log.source.type, from_json, from_mapping, log.part)


SOURCE = Source(TrinoMysql, _read, is_in_parts=True, has_parquet=True)
