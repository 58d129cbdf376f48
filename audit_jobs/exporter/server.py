"""Serving the metrics of the latest run: `prunescope export`."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

from audit_jobs.config import load_config
from audit_jobs.errors import BadConfiguration
from audit_jobs.exporter.latest import LatestRun
from audit_jobs.exporter.state import Shown
from audit_jobs.receiver.logs import log_to_stderr
from collectors.tables.catalog import load_catalog

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_SLOW_CLIENT_SECONDS = 10
_TEXT = ("Content-Type", "text/plain; charset=utf-8")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """What to export, and where to listen; `refresh` is the time between reads in seconds."""

    config: Path
    host: str = "127.0.0.1"
    port: int = 9898
    refresh: float = 300.0


def run_export(settings: ExportSettings) -> None:
    """Serves until SIGTERM or SIGINT. Raises BadConfiguration.

    A catalog that cannot be reached ends nothing: it is tried again, also at the start.
    """
    config = load_config(settings.config)
    name = config.audit.catalog
    connect = partial(load_catalog, name, config.catalogs[name].properties)
    run = LatestRun(connect, config.audit.namespace, max_tables=config.metrics.max_tables)
    log_to_stderr()
    with Shown(run, settings.refresh) as shown, _listening(settings, application(shown)) as server:
        stop = partial(_stop, server)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        address, port = server.server_address[:2]
        fields = {"address": str(address), "port": port}
        _log.info("listening", extra={"fields": fields})
        server.serve_forever(poll_interval=0.1)
    _log.info("ended")


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


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def __init__(self, host: str, port: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), _Quiet)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error of ours, and its address nobody's business."""


class _Quiet(WSGIRequestHandler):
    timeout = _SLOW_CLIENT_SECONDS

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # as the base names it
        """Nothing: paths and addresses are nobody's business."""


def _listening(settings: ExportSettings, answer: WSGIApplication) -> _Server:
    try:
        server = _Server(settings.host, settings.port)
    except OSError as error:
        raise BadConfiguration(
            f"port {settings.port} of {settings.host} cannot be listened on "
            f"({error.strerror}); choose another --port or --host"
        ) from error
    server.set_app(answer)
    return server


def _stop(server: _Server, *_: object) -> None:
    # `shutdown` waits for the loop that this signal has interrupted.
    threading.Thread(target=server.shutdown).start()
