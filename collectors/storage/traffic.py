"""Counts of the bytes and requests with which this process has read tables' files."""

from __future__ import annotations

import threading
from typing import NamedTuple


class Traffic(NamedTuple):
    """Bytes that clients handed over, and requests that they made of storage that is not local, as
    far as these are known: those that a client repeats by itself are not."""

    size: int = 0
    requests: int = 0

    def since(self, earlier: Traffic) -> Traffic:
        """The traffic added since an earlier count."""
        return Traffic(self.size - earlier.size, self.requests - earlier.requests)


_COUNTING = threading.Lock()
_traffic = Traffic()


def count_read(size: int, requests: int = 0) -> None:
    """Adds bytes that a client handed over by so many requests. Safe to call from any thread."""
    global _traffic  # noqa: PLW0603  # clients of every kind, in threads of their own, count here
    with _COUNTING:
        _traffic = Traffic(_traffic.size + size, _traffic.requests + requests)


def traffic() -> Traffic:
    """The traffic since the process started, to be subtracted from that after a piece of work. A
    read that is repeated counts each time."""
    return _traffic


def bytes_read() -> int:
    """The bytes of it."""
    return _traffic.size
