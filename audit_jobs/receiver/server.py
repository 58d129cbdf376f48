"""Running the receiver: `prunescope collect`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.extras import require
from prunescope.audit_jobs.receiver.serving import Listening, check_address, read_tokens, serve
from prunescope.collectors.queries.lines import MAX_LINE

if TYPE_CHECKING:
    from starlette.applications import Starlette

TOKEN_VARIABLE = "PRUNESCOPE_COLLECT_TOKEN"  # noqa: S105  # its name, not its value
_ENVELOPE = 64 * 1024


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

    @property
    def listening(self) -> Listening:
        """Address and TLS."""
        return Listening(
            self.host, self.port, self.tls_certificate, self.tls_key, self.body_seconds
        )


def run_collect(settings: CollectSettings) -> None:
    """Serves until SIGTERM or SIGINT, then finishes what it has accepted. Raises
    BadConfiguration."""
    require("collect")
    from prunescope.audit_jobs.receiver.app import Access, build_app  # noqa: PLC0415
    from prunescope.audit_jobs.receiver.logs import log_to_stderr  # noqa: PLC0415
    from prunescope.audit_jobs.receiver.metrics import ReceiverMetrics  # noqa: PLC0415
    from prunescope.audit_jobs.receiver.spool import Observer, Rolling, Spool  # noqa: PLC0415

    tokens = read_tokens(settings.token_file, TOKEN_VARIABLE)
    check_address(settings.listening, tokens, TOKEN_VARIABLE)
    _check(settings)
    log_to_stderr()
    metrics = ReceiverMetrics()
    observer = Observer(
        committed=metrics.commit_seconds.observe,
        rolled=lambda kind: metrics.files.labels(kind).inc(),
        failed=metrics.disk_errors.inc,
    )
    rolling = Rolling(settings.roll_bytes, settings.roll_seconds)
    access = Access(
        tokens, settings.max_body, settings.waiting, settings.rate, settings.body_seconds
    )
    with closing(Spool(settings.directory, rolling, observer)) as spool:

        def build(is_crowded: Callable[[], bool]) -> Starlette:
            return build_app(spool, access, metrics, is_crowded)

        serve(settings.listening, build, directory=str(settings.directory))


def _check(settings: CollectSettings) -> None:
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
