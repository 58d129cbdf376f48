"""Early stop of queries with LIMIT, before all that the planner keeps is read: one rule, for the
bytes at stake of findings and for recommended layouts.

Engines take rows of one split after the other, and stop once they have as many as LIMIT asks for:
Spark runs more and more tasks until it has them (CollectLimitExec), Trino cancels the splits that
are left. So neither a layout nor another filter saves the splits behind: of m rows that match, in
the files that planning keeps, k are found in about k / m of these.
"""

from __future__ import annotations

from collections.abc import Collection

from prunescope.collectors.needed_rows import AnyRows, NeededRows

_STOPS = 0.5


def enough_rows(needed: NeededRows | None, traits: Collection[str]) -> int | None:
    """The number of matching rows with which a query is complete, and its engine stops: LIMIT
    without an order. None if it reads on; a write waits for all tasks, each of which reads as many
    rows."""
    return needed.count if isinstance(needed, AnyRows) and "write" not in traits else None


def share_matching(
    sampled: float | None, by_bounds: float | None, most: float | None
) -> float | None:
    """The share of rows that match: as sampled; if no sampled row does, the smaller of `by_bounds`
    and `most`, as far as these are known. None if all are unknown."""
    if sampled:
        return sampled
    known = [share for share in (by_bounds, most) if share is not None]
    return min(known, default=None)


def part_read(enough: int | None, matching: float | None) -> float:
    """The part of the planned files that a query reads until it has `enough` matching rows; all of
    it if that is unknown."""
    if enough is None or matching is None:
        return 1.0
    return min(1.0, enough / max(1.0, matching))


def stops_early(part: float) -> bool:
    """True if a query that reads this part of the planned files gains from no layout: it stops
    after half of them or less in any layout."""
    return part <= _STOPS
