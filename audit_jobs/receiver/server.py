"""Running the receiver: `prunescope collect`."""

from __future__ import annotations

import logging
import os
import signal
import socket
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.extras import require
from prunescope.audit_jobs.receiver.callers import is_loopback
from prunescope.collectors.errors import what_failed
from prunescope.collectors.queries.lines import MAX_LINE

if TYPE_CHECKING:
    import uvicorn

    from prunescope.audit_jobs.receiver.metrics import ReceiverMetrics
    from prunescope.audit_jobs.receiver.spool import Spool

TOKEN_VARIABLE = "PRUNESCOPE_COLLECT_TOKEN"  # noqa: S105  # its name, not its value
_MAX_CONNECTIONS = 1_000
# Longer than Trino's HTTP client keeps an idle connection (1 minute), so that the client is the
# one to close it: it does not send into a connection that is being closed.
_KEEP_ALIVE_SECONDS = 75
_LAST_SECONDS = 25
"""The seconds that requests in progress have after SIGTERM; Kubernetes kills after 30 by
default."""
_ENVELOPE = 64 * 1024

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CollectSettings:
    """Address to listen on, folder for received lines, and limits. Sizes are in bytes, ages in
    seconds, `rate` is in requests a second; `waiting` is the size of all bodies that are not
    answered yet."""

    directory: Path
    host: str = "127.0.0.1"
    port: int = 8787
    token_file: Path | None = None
    max_body: int = 16 << 20
    rate: float = 500.0
    waiting: int = 64 << 20
    roll_bytes: int = 64 << 20
    roll_seconds: float = 300.0
    body_seconds: float = 30.0
    tls_certificate: Path | None = None
    tls_key: Path | None = None


def run_collect(settings: CollectSettings) -> None:
    """Serves until SIGTERM or SIGINT, then finishes what it has accepted. Raises
    BadConfiguration."""
    require("collect")
    from prunescope.audit_jobs.receiver.logs import log_to_stderr  # noqa: PLC0415
    from prunescope.audit_jobs.receiver.metrics import ReceiverMetrics  # noqa: PLC0415
    from prunescope.audit_jobs.receiver.spool import Observer, Rolling, Spool  # noqa: PLC0415

    tokens = read_tokens(settings.token_file)
    _check(settings, tokens)
    log_to_stderr()
    metrics = ReceiverMetrics()
    observer = Observer(
        committed=metrics.commit_seconds.observe,
        rolled=lambda kind: metrics.files.labels(kind).inc(),
        failed=metrics.disk_errors.inc,
    )
    rolling = Rolling(settings.roll_bytes, settings.roll_seconds)
    with closing(Spool(settings.directory, rolling, observer)) as spool, _bound(settings) as bound:
        server = _server(settings, tokens, spool, metrics)
        # Uvicorn takes these over while it serves; until then they must end it just as well.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: setattr(server, "should_exit", True))
        address, port = bound.getsockname()[:2]
        fields = {"address": address, "port": port, "directory": str(settings.directory)}
        _log.info("listening", extra={"fields": fields})
        server.run(sockets=[bound])
    _log.info("ended")


def read_tokens(file: Path | None) -> tuple[bytes, ...]:
    """The bearer tokens of a file, one a line, else of the environment variable, separated by
    spaces: with several, tokens can be changed one after the other. Raises BadConfiguration."""
    if file is None:
        return tuple(token.encode() for token in os.environ.get(TOKEN_VARIABLE, "").split())
    try:
        tokens = tuple(file.read_bytes().split())
    except OSError as error:
        raise BadConfiguration(
            f"the token file {file} cannot be read ({what_failed(error)})"
        ) from error
    if not tokens:
        raise BadConfiguration(f"the token file {file} is empty; write one token a line")
    return tokens


def _check(settings: CollectSettings, tokens: tuple[bytes, ...]) -> None:
    if not tokens and not is_loopback(settings.host):
        raise BadConfiguration(
            f"Listening on other addresses needs a token. Set {TOKEN_VARIABLE} or `--token-file`, "
            f"or listen on 127.0.0.1."
        )
    if (settings.tls_certificate is None) != (settings.tls_key is None):
        raise BadConfiguration("Pass `--tls-certificate` and `--tls-key` together.")
    for name in ("max_body", "rate", "waiting", "roll_bytes", "roll_seconds", "body_seconds"):
        if getattr(settings, name) <= 0:
            raise BadConfiguration(f"--{name.replace('_', '-')} must be more than 0")
    if settings.max_body > MAX_LINE - _ENVELOPE:
        raise BadConfiguration(
            f"`--max-body` must be at most {MAX_LINE - _ENVELOPE} bytes, the longest line an audit "
            f"reads."
        )
    if settings.waiting < settings.max_body:
        raise BadConfiguration(
            "--waiting must be at least --max-body, or a large body is never accepted"
        )


def _bound(settings: CollectSettings) -> socket.socket:
    """A socket that does not listen yet: each client that connects is served."""
    bound = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError as error:
        bound.close()
        raise BadConfiguration(
            f"Cannot listen on {settings.host}:{settings.port} ({error.strerror}). Choose another "
            f"`--port` or `--host`."
        ) from error
    return bound


def _server(
    settings: CollectSettings, tokens: tuple[bytes, ...], spool: Spool, metrics: ReceiverMetrics
) -> uvicorn.Server:
    import uvicorn  # noqa: PLC0415

    from prunescope.audit_jobs.receiver.app import Access, build_app  # noqa: PLC0415
    from prunescope.audit_jobs.receiver.connections import impatient_protocol  # noqa: PLC0415

    access = Access(
        tokens, settings.max_body, settings.waiting, settings.rate, settings.body_seconds
    )
    config = uvicorn.Config(
        build_app(spool, access, metrics, lambda: len(connections) > _MAX_CONNECTIONS),
        http=impatient_protocol(settings.body_seconds),
        ws="none",
        lifespan="off",
        access_log=False,  # paths and addresses are nobody's business
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_LAST_SECONDS,
        ssl_certfile=settings.tls_certificate,
        ssl_keyfile=settings.tls_key,
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
