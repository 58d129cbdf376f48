"""When a query has the rows that LIMIT lets it have before all that its planner keeps is read: one
rule, for what findings say is at stake and for what asks for a layout.

Engines take rows of one split after the other, and stop once they have as many as LIMIT asks for:
Spark runs more and more tasks until it has them (CollectLimitExec), Trino cancels the splits that
are left. So neither a layout nor another filter wins what lies behind: of m rows that match, in the
files that planning keeps, k are found in about k / m of these.
"""

from __future__ import annotations

from collections.abc import Collection

from collectors.needed import AnyRows, NeededRows

_STOPS = 0.5


def enough_rows(needed: NeededRows | None, traits: Collection[str]) -> int | None:
    """With how many rows that match a query has all that it asks for, and its engine stops: LIMIT
    without an order. None where it reads on; what is written waits for all tasks, each of which
    reads as many rows."""
    return needed.count if isinstance(needed, AnyRows) and "write" not in traits else None


def share_matching(
    sampled: float | None, by_bounds: float | None, most: float | None
) -> float | None:
    """The share of rows that match: as sampled; where no sampled row does, as bounds tell, and what
    may be at `most` if these tell nothing either. None where nothing is known."""
    if sampled:
        return sampled
    known = [share for share in (by_bounds, most) if share is not None]
    return min(known, default=None)


def part_read(enough: int | None, matching: float | None) -> float:
    """The part of what planning keeps that a query reads until it has enough of so many rows that
    match; all of it where that is not known."""
    if enough is None or matching is None:
        return 1.0
    return min(1.0, enough / max(1.0, matching))


def stops_early(part: float) -> bool:
    """Whether a query that reads so much of what planning keeps is served by no layout: it stops
    with half of it or less, whatever that is."""
    return part <= _STOPS
