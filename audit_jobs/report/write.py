"""Writing a report where the configuration or the command says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from audit_jobs.errors import PublishFailed
from audit_jobs.report.page import render_page
from audit_jobs.report.path import report_path
from audit_jobs.results.columns import Row
from audit_jobs.sinks.published_advice import earlier_advice, latest_skips
from audit_jobs.sinks.run_rows import RunRows
from audit_jobs.writing import replace_text
from collectors.errors import what_failed

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


def write_report(rows: RunRows, template: str, *, has_literals: bool) -> Path:
    """Writes the report of a run, replacing the file as a whole, to the path that `template` gives
    it; one that `has_literals` of queries is for its owner alone. Raises PublishFailed."""
    path = report_path(template, rows.run)
    if not path.parent.is_dir():
        raise PublishFailed(
            f"report {path} cannot be written: there is no directory {path.parent}; create it, or "
            "correct report.path"
        )
    page = render_page(rows)
    try:
        replace_text(path, page, is_private=has_literals)
    except OSError as error:
        raise PublishFailed(
            f"report {path} cannot be written ({what_failed(error)}); check permissions and "
            "space, then make it with `prunescope report`"
        ) from error
    return path


def with_advice(rows: RunRows, catalog: Catalog, namespace: str) -> RunRows:
    """A run with all that was advised so far; without it, and with a warning, where that cannot be
    read."""
    advice = earlier_advice(catalog, namespace)
    return replace(rows, advice=advice, skips=latest_skips(catalog, namespace))


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A Sink: a report of each run that is published, with what became of earlier advice, which
    the audit tables have."""

    template: str
    catalog: Catalog
    namespace: str
    has_literals: bool

    def publish(self, rows: RunRows) -> None:
        """See Sink."""
        told = with_advice(rows, self.catalog, self.namespace)
        write_report(told, self.template, has_literals=self.has_literals)

    def failed(self, run: Row) -> None:
        """See Sink. The last report stays."""
