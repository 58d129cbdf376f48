"""Writing a report where the configuration or the command says."""

from __future__ import annotations

import os
from pathlib import Path

from audit_jobs.errors import PublishFailed
from audit_jobs.report.page import render_page
from audit_jobs.report.path import report_path
from audit_jobs.sinks.run_rows import RunRows


def write_report(rows: RunRows, template: str) -> Path:
    """Writes the report of a run, replacing the file as a whole, to the path that `template` gives
    it; raises PublishFailed."""
    path = report_path(template, rows.run)
    if not path.parent.is_dir():
        raise PublishFailed(
            f"report {path} cannot be written: there is no directory {path.parent}; create it, or "
            "correct report.path"
        )
    page = render_page(rows)
    try:
        _replace(path, page)
    except OSError as error:
        raise PublishFailed(
            f"report {path} cannot be written ({type(error).__name__}); check permissions and "
            "space, then make it with `prunescope report`"
        ) from error
    return path


def _replace(path: Path, text: str) -> None:
    written = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        written.write_text(text, encoding="utf-8")
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)
