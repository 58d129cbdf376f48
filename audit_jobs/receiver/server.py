"""Running the receiver: `prunescope collect`."""

from __future__ import annotations

import ipaddress
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from audit_jobs.errors import BadConfiguration

TOKEN_VARIABLE = "PRUNESCOPE_COLLECT_TOKEN"  # noqa: S105  # its name, not its value
_MAX_CONNECTIONS = 1_000


@dataclass(frozen=True, slots=True)
class CollectSettings:
    """Where to listen and where to keep what comes. Sizes are in bytes, ages in seconds."""

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
    try:
        import uvicorn  # noqa: PLC0415

        from audit_jobs.receiver.app import Access, build_app  # noqa: PLC0415
    except ImportError as error:
        raise BadConfiguration(
            "collect needs an HTTP server: pip install 'prunescope[collect]'"
        ) from error
    from audit_jobs.receiver.metrics import ReceiverMetrics  # noqa: PLC0415
    from audit_jobs.receiver.spool import Limits, Observer, Spool  # noqa: PLC0415

    tokens = read_tokens(settings.token_file)
    _require_protection(settings, tokens)
    metrics = ReceiverMetrics()
    spool = Spool(
        settings.directory,
        Limits(settings.waiting, settings.roll_bytes, settings.roll_seconds),
        Observer(
            committed=metrics.commits.observe,
            rolled=lambda kind: metrics.files.labels(kind).inc(),
            failed=metrics.errors.inc,
        ),
    )
    access = Access(tokens, settings.max_body, settings.rate, settings.body_seconds)
    # Uvicorn handles these while it serves, and raises them again when it has ended: then the files
    # must still be finished.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        uvicorn.run(
            build_app(spool, access, metrics),
            host=settings.host,
            port=settings.port,
            access_log=False,  # paths and addresses are nobody's business
            log_level="warning",
            limit_concurrency=_MAX_CONNECTIONS,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=30,
            server_header=False,
            ssl_certfile=settings.tls_certificate,
            ssl_keyfile=settings.tls_key,
        )
    finally:
        spool.close()


def read_tokens(file: Path | None) -> tuple[bytes, ...]:
    """The bearer tokens of a file, one a line, else of the environment variable, apart by
    spaces: more than one lets them be changed one after the other. Raises BadConfiguration."""
    if file is None:
        return tuple(token.encode() for token in os.environ.get(TOKEN_VARIABLE, "").split())
    try:
        tokens = tuple(file.read_bytes().split())
    except OSError as error:
        raise BadConfiguration(
            f"the token file {file} cannot be read ({type(error).__name__})"
        ) from error
    if not tokens:
        raise BadConfiguration(f"the token file {file} is empty; write one token a line")
    return tokens


def _require_protection(settings: CollectSettings, tokens: tuple[bytes, ...]) -> None:
    if not tokens and not _is_loopback(settings.host):
        raise BadConfiguration(
            f"without a token only this machine may post: set {TOKEN_VARIABLE} or --token-file, "
            "or listen on 127.0.0.1"
        )
    if (settings.tls_certificate is None) != (settings.tls_key is None):
        raise BadConfiguration("give --tls-certificate and --tls-key together")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
