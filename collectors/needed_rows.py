"""The rows that a query needs of those that pass the filter of a scan, if not all of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnyRows:
    """Any `count` of the rows: LIMIT without an order."""

    count: int


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The first `count` rows by a column (its dotted name), and by further columns where it is
    equal: ORDER BY with LIMIT. Rows that OFFSET leaves out are counted as well."""

    column: str
    count: int
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class Extremes:
    """Rows that hold the least values of the columns `least` and the greatest of `greatest` (dotted
    names): min() and max() without groups."""

    least: tuple[str, ...] = ()
    greatest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Removed:
    """No rows, because DELETE removes them: a file all of whose rows match needs not be read."""


FewRows = AnyRows | FirstRows | Extremes
NeededRows = FewRows | Removed
