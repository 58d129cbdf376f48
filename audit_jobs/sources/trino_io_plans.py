"""Trino's IO plans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from prunescope.collectors.queries.trino.io_plans import read_plans
from prunescope.collectors.storage.files import Storage


class TrinoIoPlans(Logs):
    """Results of Trino's EXPLAIN (TYPE IO, FORMAT JSON)."""

    type: Literal["trino_io_plans"]


def _read(log: Log, storage: Storage, _: Window, __: PassedOver) -> Iterator[Record]:
    return read_plans(log.paths[0], storage)


SOURCE = Source(TrinoIoPlans, _read)
