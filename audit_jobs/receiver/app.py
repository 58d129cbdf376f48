"""The receiver's HTTP interface.

    POST /v1/trino/events                                               Trino's http-event-listener
    POST /v1/[prefix/]namespaces/{namespace}/tables/{table}/metrics     Iceberg's REST catalog API
    GET  /healthz, /readyz, /metrics

An answer of 2xx to a POST means that the event survives a crash of the machine.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import hmac
import json
import time
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from audit_jobs.receiver.metrics import ReceiverMetrics
from audit_jobs.receiver.spool import Spool, SpoolFailed, SpoolFull

TRINO, REPORTS = "trino", "reports"

_COMPLETED = frozenset({"FINISHED", "FAILED"})
_CHUNK = 1 << 16
_REPORT_ROUTES = (
    "/v1/namespaces/{namespace}/tables/{table}/metrics",
    "/v1/{prefix:path}/namespaces/{namespace}/tables/{table}/metrics",
)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may post how much: bearer tokens (none: anybody), bytes of one body, requests a
    second (with bursts of as many), and seconds in which a body must have come."""

    tokens: tuple[bytes, ...] = field(default=(), repr=False)
    max_body: int = 16 << 20
    rate: float = 500.0
    body_seconds: float = 30.0


class _Refused(Exception):
    """A request that is not accepted: status, a stable word, and seconds until a retry."""

    def __init__(self, status: int, outcome: str, retry_after: int | None = None) -> None:
        super().__init__(outcome)
        self.status = status
        self.outcome = outcome
        self.retry_after = retry_after


class _Bucket:
    """A token bucket: `rate` requests a second, and as many at once."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._left = rate
        self._at = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self._rate, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


_Line = Callable[[bytes, dict[str, Any], Request], bytes | None]
"""The line to keep of a body and what it decodes to; None for one that is not wanted."""


def build_app(spool: Spool, access: Access, metrics: ReceiverMetrics) -> Starlette:
    """The application over an open spool."""
    bucket = _Bucket(access.rate)

    def receiving(
        kind: str, line_of: _Line, accepted: int
    ) -> Callable[[Request], Awaitable[Response]]:
        async def receive(request: Request) -> Response:
            try:
                outcome = await _received(request, kind, line_of)
            except _Refused as refused:
                metrics.requests.labels(kind, refused.outcome).inc()
                headers = {}
                if refused.retry_after is not None:
                    headers["Retry-After"] = str(refused.retry_after)
                if refused.status == 401:
                    headers["WWW-Authenticate"] = "Bearer"
                return JSONResponse(
                    {"error": refused.outcome}, status_code=refused.status, headers=headers
                )
            metrics.requests.labels(kind, outcome).inc()
            return Response(status_code=accepted)

        return receive

    async def _received(request: Request, kind: str, line_of: _Line) -> str:
        if not _is_allowed(request.headers.get("authorization", ""), access.tokens):
            raise _Refused(401, "unauthorized")
        if not bucket.take():
            raise _Refused(429, "too_many_requests", 1)
        body = await _body(request, access)
        document = await run_in_threadpool(_decoded, body)
        line = line_of(body, document, request)
        if line is None:
            return "ignored"
        try:
            await asyncio.wrap_future(spool.append(kind, line))
        except SpoolFull:
            raise _Refused(503, "full", 2) from None
        except SpoolFailed:
            raise _Refused(503, "not_written", 10) from None
        metrics.kept_bytes.labels(kind).inc(len(line))
        return "kept"

    async def healthy(_request: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def ready(_request: Request) -> Response:
        if spool.is_ready:
            return PlainTextResponse("ready\n")
        return PlainTextResponse("cannot keep events\n", status_code=503)

    async def exposed(_request: Request) -> Response:
        metrics.waiting.set(spool.waiting)
        return Response(metrics.exposition(), media_type="text/plain; version=0.0.4")

    receive_report = receiving(REPORTS, _report_line, 204)
    return Starlette(
        routes=[
            Route("/v1/trino/events", receiving(TRINO, _trino_line, 200), methods=["POST"]),
            *(Route(path, receive_report, methods=["POST"]) for path in _REPORT_ROUTES),
            Route("/healthz", healthy),
            Route("/readyz", ready),
            Route("/metrics", exposed),
        ]
    )


def _is_allowed(header: str, tokens: Sequence[bytes]) -> bool:
    scheme, _, given = header.partition(" ")
    if not tokens:
        return True
    # All are compared, so that the time tells nothing.
    matches = [hmac.compare_digest(given.strip().encode(), token) for token in tokens]
    return scheme.lower() == "bearer" and any(matches)


async def _body(request: Request, access: Access) -> bytes:
    """The body, unpacked. What a client says of its length is not relied on."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise _Refused(415, "unsupported_encoding")
    unpacker = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    body = bytearray()
    try:
        async with asyncio.timeout(access.body_seconds):
            async for chunk in request.stream():
                body += chunk if unpacker is None else _unpacked(unpacker, chunk, access.max_body)
                if len(body) > access.max_body:
                    raise _Refused(413, "too_large")
    except TimeoutError:
        raise _Refused(408, "too_slow") from None
    except ClientDisconnect:
        raise _Refused(400, "disconnected") from None
    except zlib.error:
        raise _Refused(400, "malformed_encoding") from None
    if unpacker is not None and not unpacker.eof:
        raise _Refused(400, "malformed_encoding")
    return bytes(body)


def _unpacked(unpacker: Any, chunk: bytes, limit: int) -> bytes:
    """A chunk unpacked, at most one byte more than the limit: a small body can unpack to much."""
    unpacked: bytes = unpacker.decompress(chunk, limit + 1)
    return unpacked


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise _Refused(400, "malformed_json") from None
    if not isinstance(document, dict):
        raise _Refused(400, "not_an_object")
    return document


def _trino_line(body: bytes, event: dict[str, Any], _request: Request) -> bytes | None:
    """The event as it came. Only completed queries are kept: Trino posts created queries and
    splits to the same place, if it is told to."""
    payload = event.get("eventPayload", event)
    metadata = payload.get("metadata") if isinstance(payload, dict) else None
    if not isinstance(metadata, dict) or "statistics" not in payload:
        return None
    if metadata.get("queryState") not in _COMPLETED:
        return None
    # Raw line ends are white space in JSON.
    return body.replace(b"\n", b" ").replace(b"\r", b" ")


def _report_line(_body: bytes, report: dict[str, Any], request: Request) -> bytes | None:
    """The report with the time at which it came; without the request's headers, which may hold
    credentials."""
    kind = report.get("report-type")
    if kind is None:
        raise _Refused(400, "not_a_report")
    if kind != "scan-report":
        return None
    received_at = dt.datetime.now(dt.UTC).isoformat().replace("+00:00", "Z")
    kept = {"received_at": received_at, "path": request.url.path, "body": report}
    return json.dumps(kept, separators=(",", ":")).encode()
