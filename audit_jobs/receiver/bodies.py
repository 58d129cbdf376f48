"""The body of a request: unpacked, bounded in bytes and time, decoded."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request

from prunescope.audit_jobs.receiver.limits import Refused
from prunescope.collectors.queries.json_structure import has_too_many_values, object_members

_GZIP = 31  # zlib's wbits
_SHORT = 1024


async def read_body(
    request: Request, *, max_bytes: int, seconds: float, take: Callable[[int], None]
) -> bytes:
    """The body, unpacked. A client's own length is relied on only if it is too large: every chunk
    is counted as it comes, and reported to `take`. A request that has both a Content-Length and a
    Transfer-Encoding is refused, because a proxy may have believed the other one (RFC 9112, 6.1).
    Raises Refused."""
    if "content-length" in request.headers and "transfer-encoding" in request.headers:
        raise Refused("two_lengths")
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise Refused("unsupported_encoding")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > max_bytes:
        raise Refused("too_large")
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
    """The JSON object of a small body in UTF-8. Raises Refused."""
    try:
        # As text: bytes in UTF-16 are JSON to Python, but no line of JSON.
        document = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise Refused("malformed_json") from None
    if not isinstance(document, dict):
        raise Refused("not_an_object")
    return document


Outline = Mapping[str, "Outline"]
"""The names of members that are wanted, and within those that are objects, of theirs."""


def outlined(body: bytes, wanted: Outline) -> dict[str, Any]:
    """The wanted members of the JSON object of a large body. Nothing else is built, because that
    would take many times the memory of the text, and hold the interpreter for seconds; so the rest
    may be no JSON, which the audit that reads the line will detect. A long value is None. Raises
    Refused."""
    if has_too_many_values(body):
        raise Refused("too_many_values")
    try:
        if not body.isascii():
            body.decode()
        if body.lstrip().startswith(b"["):
            raise Refused("not_an_object")
        return _outline(body, wanted)
    except (ValueError, RecursionError):
        raise Refused("malformed_json") from None


def _outline(text: bytes, wanted: Outline) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in object_members(text):
        if name in wanted:
            within = wanted[name]
            is_object = value.lstrip().startswith(b"{")
            found[name] = _outline(value, within) if within and is_object else _leaf(value)
    return found


def _leaf(value: bytes) -> object:
    return json.loads(value) if len(value) <= _SHORT else None


def one_line(body: bytes) -> bytes:
    """JSON as it came, on one line: raw line ends are white space in JSON, never content."""
    return body.replace(b"\n", b" ").replace(b"\r", b" ")
