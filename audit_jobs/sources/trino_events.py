"""Trino's QueryCompletedEvents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from prunescope.collectors.queries.reading import read_json_lines
from prunescope.collectors.queries.trino.events import from_json
from prunescope.collectors.storage.files import Storage


class TrinoEvents(Logs):
    """Trino's QueryCompletedEvent, one JSON object a line."""

    type: Literal["trino_events"]


def _read(log: Log, storage: Storage, _: Window, __: PassedOver) -> Iterator[Record]:
    return read_json_lines(log.paths[0], storage, log.source.type, from_json, log.part)


SOURCE = Source(TrinoEvents, _read, is_in_parts=True, sign=b'"queryState"')
