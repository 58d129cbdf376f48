"""Layouts that are advised after an audit, and kept."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_jobs.config import AuditConfig
from audit_jobs.isolation import attempt
from audit_jobs.jobs.advise import Advised, rows_of_advice, run_advise
from audit_jobs.jobs.runners import OpenRunner
from audit_jobs.printing import tell
from audit_jobs.progress import Progress
from audit_jobs.records import Window
from audit_jobs.results.columns import Row
from audit_jobs.sinks.audit_tables import publish_advice
from audit_jobs.sinks.run_rows import RunRows
from collectors.errors import PrunescopeError

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


@dataclass(frozen=True, slots=True)
class KeptAdvice:
    """A Sink: advice from so many `days` of the log until the end of the audited window, made where
    `open_runner` says, table by table. The audit stands, whatever goes wrong here: it is told."""

    config: AuditConfig
    days: int
    until: dt.datetime
    catalog: Catalog
    progress: Progress
    open_runner: OpenRunner

    def publish(self, rows: RunRows) -> None:  # noqa: ARG002  # the log says it
        """See Sink."""
        window = Window(self.until - dt.timedelta(days=self.days), self.until)
        self.progress("Advising layouts")
        found = attempt("advising layouts", self._advised, window)
        if isinstance(found, PrunescopeError):
            tell(f"no layout was advised: {found}")
            return
        advice = rows_of_advice(found, window, dt.datetime.now(dt.UTC))
        namespace = self.config.audit.namespace
        failure = attempt(
            "publishing advice", publish_advice, advice, window, self.catalog, namespace
        )
        if isinstance(failure, PrunescopeError):
            tell(f"the advice was not published: {failure}")

    def _advised(self, window: Window) -> Advised:
        with self.open_runner(self.config, _silent) as runner:
            return run_advise(self.config, window, (), _silent, runner=runner)

    def failed(self, run: Row) -> None:
        """See Sink. Nothing is advised."""


def _silent(_: str) -> None:
    """One stage is told of all of it."""
