"""The HTTP interface of dry runs.

POST /v1/dry-run                   {"sql", "engine", "catalog", "schema", …} -> what it reads
GET  /healthz, /readyz, /metrics
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from prunescope.audit_jobs.guard.asking import BadRequest, Questions
from prunescope.audit_jobs.guard.dry_run import NotHeld
from prunescope.audit_jobs.guard.metrics import GuardMetrics
from prunescope.audit_jobs.receiver.bodies import decoded, read_body
from prunescope.audit_jobs.receiver.callers import check_caller
from prunescope.audit_jobs.receiver.limits import Refused, Room
from prunescope.collectors.errors import PrunescopeError

_WAITING = 64
"""Requests that wait for their answers, after which others are refused: they would wait for
longer than anyone does."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask: bearer tokens (none: this machine), bytes of one body, and the seconds in which
    it must have come."""

    tokens: tuple[bytes, ...] = field(repr=False)
    max_body: int
    body_seconds: float


def build_app(
    questions: Questions,
    access: Access,
    metrics: GuardMetrics,
    is_crowded: Callable[[], bool] = lambda: False,
) -> Starlette:
    """The application. While there are too many connections (`is_crowded`), nobody may ask."""
    room = Room(_WAITING * access.max_body)

    async def dry_run(request: Request) -> Response:
        started = time.perf_counter()
        try:
            document = await asked(request)
        except Refused as refused:
            metrics.requests.labels(refused.outcome).inc()
            return JSONResponse(refused.document, refused.status, headers=refused.headers)
        except BadRequest as error:
            return problem("bad_request", 400, error)
        except NotHeld as error:
            return problem("loading", 503, error, {"Retry-After": "1"})
        except PrunescopeError as error:
            return problem("not_planned", 422, error)
        metrics.requests.labels("answered").inc()
        metrics.seconds.observe(time.perf_counter() - started)
        return JSONResponse(document)

    async def asked(request: Request) -> Mapping[str, Any]:
        check_caller(request.headers, access.tokens)
        if is_crowded() or room.requests >= _WAITING:
            raise Refused("full")
        with room.held() as take:
            body = await read_body(
                request, max_bytes=access.max_body, seconds=access.body_seconds, take=take
            )
            return await questions.answer(decoded(body))

    def problem(
        outcome: str, status: int, error: PrunescopeError, headers: Mapping[str, str] | None = None
    ) -> Response:
        metrics.requests.labels(outcome).inc()
        document = {"error": error.code, "message": str(error)}
        return JSONResponse(document, status, headers=headers)

    async def healthy(_request: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def exposed(_request: Request) -> Response:
        return Response(metrics.exposition(), media_type="text/plain; version=0.0.4")

    app = Starlette(
        routes=[
            Route("/v1/dry-run", dry_run, methods=["POST"]),
            Route("/healthz", healthy),
            Route("/readyz", healthy),
            Route("/metrics", exposed),
        ]
    )
    # A redirect would name the host that the request does, and ask for no token.
    app.router.redirect_slashes = False
    return app
