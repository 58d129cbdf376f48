"""Listening, tokens and TLS of the servers over HTTP: of the receiver, and of dry runs."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.receiver.callers import is_loopback
from prunescope.collectors.errors import what_failed

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

_MAX_CONNECTIONS = 1_000
# Longer than Trino's HTTP client keeps an idle connection (1 minute), so that the client is the
# one to close it: it does not send into a connection that is being closed.
_KEEP_ALIVE_SECONDS = 75
_LAST_SECONDS = 25
"""The seconds that requests in progress have after SIGTERM; Kubernetes kills after 30 by
default."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listening:
    """Address to listen on, a PEM file and its key for HTTPS, and the seconds in which a request
    must have come."""

    host: str
    port: int
    tls_certificate: Path | None
    tls_key: Path | None
    body_seconds: float


def read_tokens(file: Path | None, variable: str) -> tuple[bytes, ...]:
    """The bearer tokens of a file, one a line, else of the environment variable, separated by
    spaces: with several, tokens can be changed one after the other. Raises BadConfiguration."""
    if file is None:
        return tuple(token.encode() for token in os.environ.get(variable, "").split())
    try:
        tokens = tuple(file.read_bytes().split())
    except OSError as error:
        raise BadConfiguration(
            f"the token file {file} cannot be read ({what_failed(error)})"
        ) from error
    if not tokens:
        raise BadConfiguration(f"the token file {file} is empty; write one token a line")
    return tokens


def check_address(listening: Listening, tokens: tuple[bytes, ...], variable: str) -> None:
    """Raises BadConfiguration if others could ask without a token, or half of TLS is named."""
    if not tokens and not is_loopback(listening.host):
        raise BadConfiguration(
            f"Listening on other addresses needs a token. Set {variable} or `--token-file`, "
            f"or listen on 127.0.0.1."
        )
    if (listening.tls_certificate is None) != (listening.tls_key is None):
        raise BadConfiguration("Pass `--tls-certificate` and `--tls-key` together.")


def serve(
    listening: Listening, build: Callable[[Callable[[], bool]], ASGIApp], **told: object
) -> None:
    """Serves an application until SIGTERM or SIGINT, then finishes what it has accepted. `build`
    makes the application, and is given a function that is True while there are too many
    connections. `told` are fields of the line in the log. Raises BadConfiguration."""
    with _bound(listening) as bound:
        server = _server(listening, build)
        # Uvicorn takes these over while it serves; until then they must end it just as well.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: setattr(server, "should_exit", True))
        address, port = bound.getsockname()[:2]
        fields: dict[str, Any] = {"address": address, "port": port, **told}
        _log.info("listening", extra={"fields": fields})
        server.run(sockets=[bound])
    _log.info("ended")


def _bound(listening: Listening) -> socket.socket:
    """A socket that does not listen yet: each client that connects is served."""
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    # asyncio has answers sent at once (TCP_NODELAY) only where the protocol is named: else their
    # second part waits for the client's acknowledgement of the first, 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((listening.host, listening.port))
    except OSError as error:
        bound.close()
        raise BadConfiguration(
            f"Cannot listen on {listening.host}:{listening.port} ({error.strerror}). Choose "
            f"another `--port` or `--host`."
        ) from error
    return bound


def _server(listening: Listening, build: Callable[[Callable[[], bool]], ASGIApp]) -> uvicorn.Server:
    import uvicorn  # noqa: PLC0415

    from prunescope.audit_jobs.receiver.connections import impatient_protocol  # noqa: PLC0415

    config = uvicorn.Config(
        build(lambda: len(connections) > _MAX_CONNECTIONS),
        http=impatient_protocol(listening.body_seconds),
        ws="none",
        access_log=False,  # paths and addresses are nobody's business
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_LAST_SECONDS,
        ssl_certfile=listening.tls_certificate,
        ssl_keyfile=listening.tls_key,
    )
    try:
        config.load()
    except OSError as error:
        raise BadConfiguration(
            f"--tls-certificate and --tls-key are no certificate in PEM with its key "
            f"({type(error).__name__})"
        ) from error
    server = uvicorn.Server(config)
    # Uvicorn's own limit answers without Retry-After.
    connections = server.server_state.connections
    return server
