"""Spark's event logs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from prunescope.collectors.queries.spark.log_files import group_logs, log_lines
from prunescope.collectors.storage.files import Storage


class SparkEventLogs(Logs):
    """Spark's event logs: files, or the directories of rolling logs."""

    type: Literal["spark_event_logs"]


def _read(log: Log, storage: Storage, window: Window, passed_over: PassedOver) -> Iterator[Record]:
    from prunescope.collectors.queries.spark.events import read_spark_log  # noqa: PLC0415  # imports sqlglot

    return read_spark_log(log.paths, storage, (window.start, window.end), passed_over)


SOURCE = Source(
    SparkEventLogs, _read, group=group_logs, sign=b"SparkListener", first_lines=log_lines
)
