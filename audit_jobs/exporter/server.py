"""Serving the metrics of the latest run: `prunescope export`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, make_wsgi_app

from prunescope.audit_jobs.config import AuditConfig, load_config
from prunescope.audit_jobs.exporter.latest import LatestRun
from prunescope.audit_jobs.exporter.listening import Server, ends_at_signals, serve
from prunescope.audit_jobs.exporter.state import Shown
from prunescope.audit_jobs.receiver.logs import log_to_stderr
from prunescope.collectors.tables.catalog import load_in_time

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_TEXT = ("Content-Type", "text/plain; charset=utf-8")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Source of the export, and address to listen on; `refresh` is the time between reads in
    seconds."""

    config: Path
    host: str = "127.0.0.1"
    port: int = 9898
    refresh: float = 300.0


def run_export(settings: ExportSettings) -> None:
    """Serves until SIGTERM or SIGINT. Raises BadConfiguration.

    A catalog that cannot be reached is tried again, also at the start.
    """
    config = load_config(settings.config)
    run = latest_run(config)
    log_to_stderr()
    with (
        Shown(run, settings.refresh, config.audit.catalog) as shown,
        Server(settings.host, settings.port) as server,
    ):
        ends_at_signals(server)
        address, port = server.server_address[:2]
        fields = {"address": str(address), "port": port}
        _log.info("listening", extra={"fields": fields})
        serve(server, application(shown))
    _log.info("ended")


def latest_run(config: AuditConfig) -> LatestRun:
    """The run of the newest window in the audit tables of a configuration."""
    name = config.audit.catalog
    connect = partial(load_in_time, name, config.catalogs[name].properties)
    return LatestRun(connect, config.audit.namespace, max_tables=config.metrics.max_tables)


def application(shown: Shown) -> WSGIApplication:
    """Answers GET and HEAD of the three paths."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(shown)
    metrics: Callable[..., Iterable[bytes]] = make_wsgi_app(registry)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # Servers add to the list of headers: each answer has its own.
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            start_response("405 Method Not Allowed", [_TEXT, ("Allow", "GET, HEAD")])
            return [b"only GET is answered\n"]
        match environ.get("PATH_INFO"):
            case "/metrics":
                return metrics(environ, start_response)
            case "/-/healthy":
                start_response("200 OK", [_TEXT])
                return [b"healthy\n"]
            case "/-/ready" if shown.ready:
                start_response("200 OK", [_TEXT])
                return [b"ready\n"]
            case "/-/ready":
                start_response("503 Service Unavailable", [_TEXT])
                return [b"the audit tables were not read\n"]
            case _:
                start_response("404 Not Found", [_TEXT])
                return [b"see /metrics\n"]

    return answer
