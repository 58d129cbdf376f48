"""Serving the demo's results to a browser and to Prometheus, from this machine alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.exporter.listening import Server, serve
from prunescope.audit_jobs.exporter.server import application, latest_run
from prunescope.audit_jobs.exporter.state import Shown

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

HOST = "127.0.0.1"
_REFRESH = 10.0
"""Seconds between reads of the audit tables: who audits again wants to see it."""


def serve_found(server: Server, config: AuditConfig) -> None:
    """Serves the report that the last audit wrote, and the metrics as `prunescope export` does,
    until the server is shut down."""
    assert config.report.path is not None, "the demo's configuration has it"
    with Shown(latest_run(config), _REFRESH, config.audit.catalog) as shown:
        shown.read()
        serve(server, _with_report(Path(config.report.path), application(shown)))


def _with_report(report: Path, others: WSGIApplication) -> WSGIApplication:
    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_read = environ["REQUEST_METHOD"] in ("GET", "HEAD")
        if not is_read or environ.get("PATH_INFO") not in ("", "/"):
            return others(environ, start_response)
        page = report.read_bytes()
        start_response("200 OK", [("Content-Type", "text/html; charset=utf-8")])
        return [page]

    return answer
