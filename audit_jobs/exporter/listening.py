"""A small server of the standard library: it serves a WSGI application until it is stopped."""

from __future__ import annotations

import signal
import socket
import threading
from functools import partial
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prunescope.audit_jobs.errors import BadConfiguration

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

_SLOW_CLIENT_SECONDS = 10


class Server(ThreadingMixIn, WSGIServer):
    """Listens from the beginning; clients wait until it is served. The caller closes it. Raises
    BadConfiguration."""

    daemon_threads = True

    def __init__(self, host: str, port: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), _Quiet)
        except OSError as error:
            raise BadConfiguration(
                f"port {port} of {host} cannot be listened on ({error.strerror}); choose another"
            ) from error

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores clients that go away: this is no error of ours, and their addresses must not be
        logged."""


class _Quiet(WSGIRequestHandler):
    timeout = _SLOW_CLIENT_SECONDS

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # as the base names it
        """Logs nothing: paths and addresses are private."""


def ends_at_signals(server: Server) -> None:
    """Has SIGINT and SIGTERM stop the server."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, partial(_stop, server))


def serve(server: Server, answer: WSGIApplication) -> None:
    """Answers until the server is shut down."""
    server.set_app(answer)
    server.serve_forever(poll_interval=0.1)


def _stop(server: Server, *_: object) -> None:
    # `shutdown` waits for the loop that this signal has interrupted.
    threading.Thread(target=server.shutdown).start()
