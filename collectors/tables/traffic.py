"""How much this process has read of tables' files."""

from __future__ import annotations

import threading

_COUNTING = threading.Lock()
_read = 0


def count_read(size: int) -> None:
    """Adds bytes that a client handed over. Safe to call from any thread."""
    global _read  # noqa: PLW0603  # clients of every kind, in threads of their own, count here
    with _COUNTING:
        _read += size


def bytes_read() -> int:
    """The bytes that were counted since the process started: of interest is what a piece of work
    adds. A read that is repeated counts each time."""
    return _read
