"""Running the servers: of dry runs, `prunescope serve`, and of tools for agents, `prunescope
mcp`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prunescope.audit_jobs.extras import require
from prunescope.audit_jobs.receiver.serving import Listening, check_address, read_tokens, serve

if TYPE_CHECKING:
    from starlette.applications import Starlette

TOKEN_VARIABLE = "PRUNESCOPE_SERVE_TOKEN"  # noqa: S105  # its name, not its value
_BODY_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """The configuration, the address to listen on, and limits: the number of held tables, their age
    in seconds, and bytes of a body."""

    config: Path
    host: str = "127.0.0.1"
    port: int = 8788
    token_file: Path | None = None
    tables: int = 200
    max_stale: float = 60.0
    max_body: int = 1 << 20
    tls_certificate: Path | None = None
    tls_key: Path | None = None

    @property
    def listening(self) -> Listening:
        """Address and TLS."""
        return Listening(self.host, self.port, self.tls_certificate, self.tls_key, _BODY_SECONDS)


def run_serve(settings: ServeSettings) -> None:
    """Serves until SIGTERM or SIGINT. Raises BadConfiguration."""
    require("collect")
    from prunescope.audit_jobs.guard.app import Access, build_app  # noqa: PLC0415
    from prunescope.audit_jobs.guard.asking import opened_questions  # noqa: PLC0415
    from prunescope.audit_jobs.guard.metrics import GuardMetrics  # noqa: PLC0415
    from prunescope.audit_jobs.receiver.logs import log_to_stderr  # noqa: PLC0415

    tokens = read_tokens(settings.token_file, TOKEN_VARIABLE)
    check_address(settings.listening, tokens, TOKEN_VARIABLE)
    log_to_stderr()
    access = Access(tokens, settings.max_body, _BODY_SECONDS)
    with opened_questions(
        settings.config, tables=settings.tables, max_stale=settings.max_stale
    ) as questions:
        metrics = GuardMetrics(questions.held)

        def build(is_crowded: Callable[[], bool]) -> Starlette:
            return build_app(questions, access, metrics, is_crowded)

        serve(settings.listening, build)


def run_tools(settings: ServeSettings, *, over_http: bool) -> None:
    """Serves tools to agents, over standard input and output, until that ends, or over HTTP, until
    SIGTERM or SIGINT. Raises BadConfiguration."""
    require("mcp")
    from prunescope.audit_jobs.guard.asking import opened_questions  # noqa: PLC0415
    from prunescope.audit_jobs.guard.callers import OnlyCallers  # noqa: PLC0415
    from prunescope.audit_jobs.guard.tools import Tools, build_server  # noqa: PLC0415
    from prunescope.audit_jobs.receiver.logs import log_to_stderr  # noqa: PLC0415

    tokens = read_tokens(settings.token_file, TOKEN_VARIABLE)
    if over_http:
        check_address(settings.listening, tokens, TOKEN_VARIABLE)
    with opened_questions(
        settings.config, tables=settings.tables, max_stale=settings.max_stale
    ) as questions:
        server = build_server(Tools(questions, settings.config))
        if not over_http:
            server.run("stdio")
            return
        log_to_stderr()
        app = server.streamable_http_app(
            stateless_http=True,
            json_response=True,
            max_request_body_size=settings.max_body,
            host=settings.host,
        )
        serve(settings.listening, lambda is_crowded: OnlyCallers(app, tokens, is_crowded))
