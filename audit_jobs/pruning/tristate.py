"""Tri-states of L predicates over N containers, and Kleene's logic on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.pruning.packed import ALL, NONE, Packed, pack
from prunescope.collectors.arrays import BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class TriState:
    """Tri-states of L predicates over N containers: two masks, a bit for each container (`packed`),
    with 1 row or 1 word if it is the same for all.

    `possible` is false if it is proven that no row matches; `shown` is true if the statistics are
    there and rule nothing out. Possible and not shown is unknown. If nothing is unknown, both are
    the same object, and cost one.
    """

    possible: Packed
    shown: Packed

    @property
    def is_known(self) -> bool:
        """True if nothing is unknown, as far as object identity tells."""
        return self.possible is self.shown


@dataclass(frozen=True, slots=True, eq=False)
class Masks:
    """Tri-states as comparisons make them: a byte for each container."""

    possible: BoolArray
    shown: BoolArray

    def packed(self, count: int) -> TriState:
        """The tri-states as bits, for `count` containers."""
        possible = pack(self.possible, count)
        return TriState(
            possible, possible if self.possible is self.shown else pack(self.shown, count)
        )


NEVER = TriState(*(np.full((1, 1), NONE),) * 2)
ALWAYS = TriState(*(np.full((1, 1), ALL),) * 2)
UNKNOWN = TriState(np.full((1, 1), ALL), np.full((1, 1), NONE))

EVERYWHERE = Masks(*(np.ones((1, 1), np.bool_),) * 2)
"""ALWAYS, as a comparison says it."""
UNTOLD = Masks(np.ones((1, 1), np.bool_), np.zeros((1, 1), np.bool_))
"""UNKNOWN, as a comparison says it."""


def masks(possible: BoolArray, known: BoolArray) -> Masks:
    """Masks from the containers that are not ruled out, and those for which anything is known."""
    return Masks(possible, possible if known.all() else possible & known)


def both(first: TriState, second: TriState) -> TriState:
    """Kleene's AND."""
    if first is ALWAYS or first is second:
        return second
    if second is ALWAYS:
        return first
    possible = first.possible & second.possible
    if first.is_known and second.is_known:
        return TriState(possible, possible)
    return TriState(possible, first.shown & second.shown)


def either(first: TriState, second: TriState) -> TriState:
    """Kleene's OR."""
    if first is NEVER or first is second:
        return second
    if second is NEVER:
        return first
    possible = first.possible | second.possible
    if first.is_known and second.is_known:
        return TriState(possible, possible)
    return TriState(possible, first.shown | second.shown)


def all_of(states: Sequence[TriState]) -> TriState:
    """Kleene's AND of any number."""
    return reduce(both, states, ALWAYS)


def any_of(states: Sequence[TriState]) -> TriState:
    """Kleene's OR of any number."""
    return reduce(either, states, NEVER)


def as_masks(facts: pa.BooleanArray) -> tuple[BoolArray, BoolArray]:
    """Two masks of N facts: those that are true, and those that are known."""
    if not facts.null_count:
        return bits(facts), np.ones(len(facts), np.bool_)
    return bits(pc.fill_null(facts, False)), bits(pc.is_valid(facts))


def bits(array: pa.BooleanArray) -> BoolArray:
    """An array without nulls as bytes; several times faster than Arrow's own conversion."""
    if not len(array):
        return np.zeros(0, np.bool_)
    packed = np.frombuffer(array.buffers()[1], np.uint8)
    end = array.offset + len(array)
    return np.unpackbits(packed, count=end, bitorder="little")[array.offset :].view(np.bool_)
