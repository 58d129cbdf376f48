"""Windows of time, as queries of these tables ask for them."""

from __future__ import annotations

from collections.abc import Iterable

from tests.workloads.rows import DAY, instant


def within(column: str) -> str:
    """A condition on a time, whose two ends are still to be filled in."""
    return f"{column} >= TIMESTAMP '{{}}' AND {column} < TIMESTAMP '{{}}'"


def windows(starts: Iterable[float], days: float = 1) -> list[tuple[str, str]]:
    """Both ends of windows that begin so many days after the start."""
    return [(instant(start * DAY), instant((start + days) * DAY)) for start in starts]
