"""Tuples of counts that add up field by field, so that the order and the parts in which scans are
counted do not matter. All are integers: sums of floats depend on the order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import TypeVar

_Counts = TypeVar("_Counts", bound=tuple[int, ...])


def added(some: _Counts, others: _Counts) -> _Counts:
    """The sums of two parts."""
    return type(some)(*map(add, some, others))


def total(parts: Iterable[_Counts]) -> _Counts:
    """The sums of one part or more."""
    return reduce(added, parts)


def added_known(some: _Counts | None, others: _Counts | None) -> _Counts | None:
    """The sums of two parts, each of which may have nothing to count."""
    if some is None or others is None:
        return others if some is None else some
    return added(some, others)
