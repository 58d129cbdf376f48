"""Limits of the receiver, and its refusals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

REFUSALS = {
    "malformed_encoding": 400,
    "malformed_json": 400,
    "not_an_object": 400,
    "not_a_report": 400,
    "disconnected": 400,
    "two_lengths": 400,
    "unauthorized": 401,
    "not_local": 403,
    "too_slow": 408,
    "too_large": 413,
    "too_many_values": 413,
    "unsupported_encoding": 415,
    "too_many_requests": 429,
    "full": 503,
    "not_written": 503,
}
"""The status of an answer by its outcome, for requests that are not accepted."""

# Trino's HTTP event listener and Iceberg's REST client repeat 429 and 503, no other of these but
# 408 (Trino). Iceberg's waits as long as it is told; Trino's by its own configuration.
_RETRY_AFTER = {"too_many_requests": 1, "full": 2, "not_written": 10}

_MESSAGES = {
    "malformed_json": "the body is no JSON in UTF-8; send one object",
    "not_an_object": "the body is JSON, but no object; send one object",
    "unauthorized": "send the header `Authorization: Bearer …` with a token of the server",
    "not_local": "without a token only programs on this machine may post, to localhost or a "
    "loopback address; give the server a token, and send it",
    "too_large": "the body is larger than `--max-body` of the server",
    "too_many_requests": "there are more requests a second than `--rate` of the server; ask again "
    "after `Retry-After`",
    "full": "too many requests wait for their answers; ask again after `Retry-After`",
}
"""Advice for outcomes whose name alone does not say what to do."""


class Refused(Exception):
    """A request that is not accepted, for one of REFUSALS."""

    def __init__(self, outcome: str) -> None:
        super().__init__(outcome)
        self.outcome = outcome

    @property
    def status(self) -> int:
        """The status of the answer."""
        return REFUSALS[self.outcome]

    @property
    def document(self) -> dict[str, str]:
        """The body of the answer."""
        message = _MESSAGES.get(self.outcome)
        return {"error": self.outcome, **({} if message is None else {"message": message})}

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the answer."""
        headers = {}
        if self.outcome in _RETRY_AFTER:
            headers["Retry-After"] = str(_RETRY_AFTER[self.outcome])
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        if self.status in (408, 413) or self.outcome == "two_lengths":
            headers["Connection"] = "close"  # what follows is not waited for, or no request
        return headers


class Bucket:
    """A token bucket: `rate` requests a second, and as many at once, but at least one."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._size = max(1.0, rate)
        self._left = self._size
        self._at = time.monotonic()

    def take(self) -> bool:
        """Takes one request, if there is one left."""
        now = time.monotonic()
        self._left = min(self._size, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Room:
    """The bytes of all bodies that have arrived, at least in part, and are not answered yet. One
    event loop uses it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.taken = 0
        self.requests = 0

    @property
    def is_free(self) -> bool:
        """True if there is room for a byte more."""
        return self.taken < self._limit

    @contextmanager
    def held(self) -> Iterator[Callable[[int], None]]:
        """Yields, for one request, a function that takes a number of bytes, which are given back at
        the end. It raises Refused if they are too many."""
        mine = 0

        def take(size: int) -> None:
            nonlocal mine
            if self.taken + size > self._limit:
                raise Refused("full")
            self.taken += size
            mine += size

        self.requests += 1
        try:
            yield take
        finally:
            self.taken -= mine
            self.requests -= 1
