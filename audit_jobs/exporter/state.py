"""State of the exporter: the last run that could be read, kept while reading fails."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from prunescope.audit_jobs.exporter.latest import Latest, LatestRun
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_samples import Sample
from prunescope.audit_jobs.sinks.prometheus import families

STALE_AFTER = 10
"""Refreshes without a good one after which the exporter is no longer ready."""

_FIRST_RETRY = 5.0
"""Seconds until a failed read is tried again; each further failure doubles them, up to the time
between refreshes."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Shown:
    """The last run read, the time of the read in seconds since 1970 and by the monotonic clock, and
    whether the last attempt worked."""

    latest: Latest | None = None
    read_at: float | None = None
    age_from: float | None = None
    up: bool = False


class Shown(Collector):
    """The latest run, read again every `refresh` seconds in a thread of its own, and shown to any
    number of scrapes. A run is shown until a newer one can be read."""

    def __init__(self, run: LatestRun, refresh: float, audit_catalog: str) -> None:
        self._run = run
        self._audit_catalog = audit_catalog
        self._refresh = refresh
        self._shown = _Shown()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._keep_reading, daemon=True, name="reader")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leaves a running read behind: it changes nothing."""
        self._ending.set()

    @property
    def ready(self) -> bool:
        """True if a run was read, and not too long ago."""
        since = self._shown.age_from
        return since is not None and time.monotonic() - since <= STALE_AFTER * self._refresh

    def read(self) -> bool:
        """Reads the visible run now; returns whether that worked."""
        shown = self._shown
        try:
            latest = self._run.read(shown.latest)
        except Exception as error:  # noqa: BLE001  # catalogs and storage raise many kinds
            # Of an error only its type: messages of clients may hold addresses with credentials.
            fields = {
                "error": type(error).__name__,
                "catalog": self._audit_catalog,
                "hint": "run `prunescope doctor`; it is tried again",
            }
            _log.warning("not_read", extra={"fields": fields})
            self._shown = _Shown(shown.latest, shown.read_at, shown.age_from, up=False)
            return False
        if latest is not shown.latest:
            _log.info("read", extra={"fields": {"samples": len(latest.samples)}})
        self._shown = _Shown(latest, time.time(), time.monotonic(), up=True)
        return True

    def collect(self) -> Iterable[Family]:
        """The families of one state."""
        shown = self._shown
        samples = list(_of_exporter(shown))
        if shown.latest is None:
            return families(samples, catalogue.EXPORT_METRICS, self._audit_catalog)
        samples += shown.latest.samples
        told = (*catalogue.PUBLISHED, catalogue.LAST_MAINTENANCE, *catalogue.EXPORT_METRICS)
        return families(samples, told, self._audit_catalog)

    def _keep_reading(self) -> None:
        failures = 0
        while not self._ending.is_set():
            failures = 0 if self.read() else failures + 1
            retry = _FIRST_RETRY * 2.0 ** min(failures - 1, 30) if failures else self._refresh
            self._ending.wait(min(retry, self._refresh))


def _of_exporter(shown: _Shown) -> Iterator[Sample]:
    yield Sample(catalogue.EXPORT_UP, (), float(shown.up))
    if shown.read_at is not None:
        yield Sample(catalogue.EXPORT_LAST_READ, (), shown.read_at)
