"""The receiver's HTTP interface.

    POST /v1/trino/events                                               Trino's http-event-listener
    POST /v1/[prefix/]namespaces/{namespace}/tables/{table}/metrics     Iceberg's REST catalog API
    GET  /healthz, /readyz, /metrics

An answer of 2xx to a POST means that the event survives a crash of the machine, or is of a kind
that is not kept.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from prunescope.audit_jobs.receiver.bodies import Outline, decoded, one_line, outlined, read_body
from prunescope.audit_jobs.receiver.callers import check_caller
from prunescope.audit_jobs.receiver.limits import Bucket, Refused, Room
from prunescope.audit_jobs.receiver.metrics import REPORTS, TRINO, ReceiverMetrics
from prunescope.audit_jobs.receiver.spool import Spool, SpoolFailed
from prunescope.collectors.queries.trino.states import COMPLETED

SMALL_BODY = 64 * 1024
"""Bytes that are decoded in a millisecond or two: another thread would cost more than it frees."""
_OF_EVENT: Outline = {"metadata": {"queryState": {}}, "statistics": {}}
_WANTED: Outline = {**_OF_EVENT, "eventPayload": _OF_EVENT, "report-type": {}}
# Names come decoded, and may hold slashes.
_REPORT_ROUTES = (
    "/v1/namespaces/{namespace:path}/tables/{table:path}/metrics",
    "/v1/{prefix:path}/namespaces/{namespace:path}/tables/{table:path}/metrics",
)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may post how much: bearer tokens (none: this machine), bytes of one body and of all that
    are not answered yet, requests a second, and seconds in which a body must have come."""

    tokens: tuple[bytes, ...] = field(repr=False)
    max_body: int
    waiting: int
    rate: float
    body_seconds: float


_Line = Callable[[bytes, dict[str, Any], Request], bytes | None]
"""The line to keep of a body and what tells its kind; None for one that is not wanted."""


def build_app(
    spool: Spool,
    access: Access,
    metrics: ReceiverMetrics,
    is_crowded: Callable[[], bool] = lambda: False,
) -> Starlette:
    """The application over an open spool. While there are too many connections (`is_crowded`),
    nobody may post."""
    bucket = Bucket(access.rate)
    room = Room(access.waiting)
    # One at a time: more would not be faster, and would take more memory.
    reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader")

    def receiving(
        kind: str, line_of: _Line, accepted: int
    ) -> Callable[[Request], Awaitable[Response]]:
        async def receive(request: Request) -> Response:
            try:
                outcome = await received(request, kind, line_of)
            except Refused as refused:
                metrics.requests.labels(kind, refused.outcome).inc()
                return JSONResponse(refused.document, refused.status, headers=refused.headers)
            metrics.requests.labels(kind, outcome).inc()
            return Response(status_code=accepted)

        return receive

    async def received(request: Request, kind: str, line_of: _Line) -> str:
        check_caller(request.headers, access.tokens)
        if is_crowded():
            raise Refused("full")
        if not bucket.take():
            raise Refused("too_many_requests")
        with room.held() as take:
            body = await read_body(
                request, max_bytes=access.max_body, seconds=access.body_seconds, take=take
            )
            if len(body) <= SMALL_BODY:
                document = decoded(body)
            else:
                loop = asyncio.get_running_loop()
                document = await loop.run_in_executor(reader, outlined, body, _WANTED)
            line = line_of(body, document, request)
            if line is None:
                return "ignored"
            try:
                await asyncio.wrap_future(spool.append(kind, line))
            except SpoolFailed:
                raise Refused("not_written") from None
        metrics.kept_bytes.labels(kind).inc(len(line))
        return "kept"

    async def healthy(_request: Request) -> Response:
        if spool.is_alive:
            return PlainTextResponse("alive\n")
        return _unavailable("nothing is written any more\n")

    async def ready(_request: Request) -> Response:
        if spool.is_healthy and room.is_free:
            return PlainTextResponse("ready\n")
        return _unavailable("cannot keep events\n")

    async def exposed(_request: Request) -> Response:
        metrics.waiting_bytes.set(room.taken)
        metrics.waiting_requests.set(room.requests)
        metrics.writable.set(spool.is_healthy)
        return Response(metrics.exposition(), media_type="text/plain; version=0.0.4")

    receive_report = receiving(REPORTS, _report_line, 204)
    app = Starlette(
        routes=[
            # Trino's connect-http-method is POST or PUT.
            Route("/v1/trino/events", receiving(TRINO, _trino_line, 200), methods=["POST", "PUT"]),
            *(Route(path, receive_report, methods=["POST"]) for path in _REPORT_ROUTES),
            Route("/healthz", healthy),
            Route("/readyz", ready),
            Route("/metrics", exposed),
        ]
    )
    # A redirect would name the host that the request does, and ask for no token.
    app.router.redirect_slashes = False
    return app


def _unavailable(why: str) -> Response:
    return PlainTextResponse(why, 503, Refused("not_written").headers)


def _trino_line(body: bytes, event: dict[str, Any], _request: Request) -> bytes | None:
    """The event as it came. Only completed queries are kept: Trino posts created queries and
    splits to the same place, if it is told to."""
    payload = event.get("eventPayload", event)
    metadata = payload.get("metadata") if isinstance(payload, dict) else None
    if not isinstance(metadata, dict) or "statistics" not in payload:
        return None
    state = metadata.get("queryState")
    return one_line(body) if isinstance(state, str) and state in COMPLETED else None


def _report_line(body: bytes, report: dict[str, Any], request: Request) -> bytes | None:
    """The report as it came, with the time and the path; without the request's headers, which
    may hold credentials."""
    kind = report.get("report-type")
    if kind is None:
        raise Refused("not_a_report")
    if kind != "scan-report":
        return None
    received_at = dt.datetime.now(dt.UTC).isoformat().replace("+00:00", "Z")
    head = json.dumps({"received_at": received_at, "path": request.scope["path"]})
    return head[:-1].encode() + b', "body": ' + one_line(body) + b"}"
