"""The body of a request: unpacked, bounded in bytes and time, decoded."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request

from audit_jobs.receiver.limits import Refused

_GZIP = 31  # zlib's wbits


async def read_body(
    request: Request, *, max_bytes: int, seconds: float, take: Callable[[int], None]
) -> bytes:
    """The body, unpacked. What a client says of its length is not relied on: every chunk is
    counted as it comes, and reported to `take`. Raises Refused."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise Refused("unsupported_encoding")
    unpacker = zlib.decompressobj(wbits=_GZIP) if encoding == "gzip" else None
    body = bytearray()
    received = 0
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                received += len(chunk)
                added = chunk if unpacker is None else _unpacked(unpacker, chunk, max_bytes)
                if max(received, len(body) + len(added)) > max_bytes:
                    raise Refused("too_large")
                take(len(added))
                body += added
    except TimeoutError:
        raise Refused("too_slow") from None
    except ClientDisconnect:
        raise Refused("disconnected") from None
    if unpacker is not None and not unpacker.eof:
        raise Refused("malformed_encoding")
    return bytes(body)


def _unpacked(unpacker: Any, chunk: bytes, max_bytes: int) -> bytes:
    """A chunk unpacked, at most one byte more than the limit: a small body can unpack to much.
    Nothing may follow the packed data."""
    try:
        unpacked: bytes = unpacker.decompress(chunk, max_bytes + 1)
    except zlib.error:
        raise Refused("malformed_encoding") from None
    if unpacker.unused_data:
        raise Refused("malformed_encoding")
    return unpacked


def decoded(body: bytes) -> dict[str, Any]:
    """The JSON object of a body in UTF-8. Raises Refused."""
    try:
        # As text: bytes in UTF-16 are JSON to Python, but no line of JSON.
        document = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise Refused("malformed_json") from None
    if not isinstance(document, dict):
        raise Refused("not_an_object")
    return document


def one_line(body: bytes) -> bytes:
    """JSON as it came, on one line: raw line ends are white space in JSON, never content."""
    return body.replace(b"\n", b" ").replace(b"\r", b" ")
