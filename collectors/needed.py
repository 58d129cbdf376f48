"""What a query needs of the rows of a scan that pass its filter, where that is not all of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnyRows:
    """Any `count` of them: LIMIT without an order."""

    count: int


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The first `count` by a column (its dotted name), and by more where that is equal: ORDER BY
    with LIMIT, and the rows that OFFSET leaves out."""

    column: str
    count: int
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class Extremes:
    """Those that hold the least value of some columns (their dotted names), and the greatest of
    others: min() and max() without groups."""

    least: tuple[str, ...] = ()
    greatest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Removed:
    """None, as DELETE removes them: where all rows of a file go, it needs not be read."""


FewRows = AnyRows | FirstRows | Extremes
NeededRows = FewRows | Removed
