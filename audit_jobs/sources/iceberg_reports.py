"""Iceberg's scan reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from prunescope.collectors.queries.iceberg_reports import read_reports
from prunescope.collectors.storage.files import Storage


class IcebergReports(Logs):
    """Iceberg's scan reports, as REST catalogs receive them or engines log them."""

    type: Literal["iceberg_reports"]


def _read(log: Log, storage: Storage, _: Window, __: PassedOver) -> Iterator[Record]:
    return read_reports(log.paths[0], storage)


SOURCE = Source(IcebergReports, _read, sign=b'"report-type"')
