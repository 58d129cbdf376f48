"""Regions in the values of several columns, and terms that join regions."""

from __future__ import annotations

from collections.abc import Sequence

from prunescope.collectors.sql.ranges.boxes import Apart, Box, Values

Region = tuple[Box | Apart, ...]
"""A box of values, or values apart, for each column."""
Term = tuple[Values, ...]
"""The values of each column."""


def _values(at: Box | Apart) -> Values:
    return Values((at,)) if isinstance(at, Box) else Values((), frozenset((at,)))


def with_edges(
    kept: Sequence[tuple[Region, bool]], edges: Sequence[Region]
) -> list[tuple[Region, bool]]:
    """The kept regions, with the edges that lie beside them, directly or through other edges."""
    found, left = [*kept], [*edges]
    is_more = True
    while left and is_more:
        beside = [
            (edge, is_true) for edge in left if (is_true := _truth_beside(edge, found)) is not None
        ]
        found += beside
        left = [edge for edge in left if edge not in dict(beside)]
        is_more = bool(beside)
    return found


def _truth_beside(edge: Region, kept: Sequence[tuple[Region, bool]]) -> bool | None:
    """True if the condition is true of all kept regions beside an edge, each in one column; None if
    there are none, so that the edge is dropped."""
    truths = [
        is_true and _differing(edge, region) == 1
        for region, is_true in kept
        if _are_beside(edge, region)
    ]
    return all(truths) if truths else None


def _differing(one: Region, other: Region) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def _are_beside(edge: Region, region: Region) -> bool:
    """True if two regions touch in one column, and overlap in all others."""
    pairs = [
        (one, other)
        for one, other in zip(edge, region, strict=True)
        if one != other and not (isinstance(one, Box) and isinstance(other, Box) and one & other)
    ]
    if len(pairs) != 1:
        return False
    one, other = pairs[0]
    return (
        isinstance(one, Box)
        and isinstance(other, Box)
        and (one.end == other.start or other.end == one.start)
    )


def merged(kept: Sequence[tuple[Region, bool]], order: Sequence[int]) -> tuple[Term, ...]:
    """The terms of regions: regions that differ in one column are joined, the least significant
    columns first."""
    found, before = [tuple(map(_values, region)) for region, _ in kept], None
    while len(found) != before:
        before = len(found)
        for place in reversed(order):
            groups: dict[Term, Values] = {}
            for term in found:
                others = (*term[:place], *term[place + 1 :])
                known = groups.get(others)
                groups[others] = term[place] if known is None else known | term[place]
            found = [(*key[:place], value, *key[place:]) for key, value in groups.items()]
    return tuple(found)
