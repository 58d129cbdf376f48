"""Writing a report to the path that the configuration or the command gives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.report.page import render_page
from prunescope.audit_jobs.report.path import report_path
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.sinks.run_rows import RunRows
from prunescope.audit_jobs.writing import replace_text
from prunescope.collectors.errors import what_failed


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


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A Sink that writes a report of each published run."""

    template: str
    has_literals: bool

    def publish(self, rows: RunRows) -> None:
        """Writes the report of a published run."""
        write_report(rows, self.template, has_literals=self.has_literals)

    def failed(self, run: Row) -> None:
        """Does nothing: the last report stays."""
