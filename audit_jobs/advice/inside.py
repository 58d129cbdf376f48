"""What is inside of files: the order of rows, the size of row groups, and bloom filters, by what
scans keep of row groups.

Layouts are chosen by files. This asks what is left to win in those that scans keep, of the layout
that is advised, or of the table as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from audit_jobs.advice.basis import Basis, InsideNow
from audit_jobs.advice.candidates import Candidate, Curve, Order
from audit_jobs.advice.changes import Change, Inside, Reading, Written
from audit_jobs.advice.intervals import (
    ALIKE,
    MIN_GAIN,
    MIN_SHARE,
    REPLICATES,
    Draw,
    Draws,
    Interval,
    draws,
    interval,
    means,
    samples,
)
from audit_jobs.advice.layouts import MIN_ROWS
from audit_jobs.advice.lookups import Filters, Lookups
from audit_jobs.advice.rounds import Asking, Sampled, ask, together
from audit_jobs.advice.row_groups import ReadInside, read_inside
from audit_jobs.advice.rows import Floats
from audit_jobs.advice.workload import Workload, used_columns

_ORDERS = 3
_FILTERS = 3
"""Columns by which rows are ordered, and of which filters are tried."""
_PARTS = (2, 4, 8)
"""Into how many of the size that they should have now row groups are cut."""
_MOST_OF_FILE = 64
"""Row groups of a file, at most: footers and requests grow with them."""
_REQUESTS = 16
"""A row group costs a reader this part of what a file costs it to open."""


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """What changes are scored by."""

    basis: Basis
    inside: InsideNow
    weight: Floats
    weeks: Draws
    others: tuple[Draw, ...]
    asked: tuple[Lookups, ...]

    @classmethod
    def of(cls, basis: Basis, inside: InsideNow) -> _Search:
        weight = basis.weight
        kept = inside.kept.bytes
        read = {of.column: float((weight * kept)[of.scans].sum()) for of in inside.lookups}
        return cls(
            basis,
            inside,
            weight,
            draws(basis.found, basis.seed),
            tuple(samples(basis.sample.files, basis.now.files, basis.seed)),
            tuple(sorted(inside.lookups, key=lambda of: -read[of.column])[:_FILTERS]),
        )

    @property
    def usual(self) -> int:
        """The bytes that row groups should have now."""
        return self.inside.written.row_group_bytes

    @property
    def tells_apart(self) -> bool:
        """Whether the sample has rows of more than one row group of a file: of a larger table, no
        order and no size makes a difference inside of files that it could show."""
        now = self.basis.now
        return self.basis.sample.rows / MIN_ROWS > now.bytes / now.target_bytes

    def at_least(self, base: Candidate, size: int) -> Asking[ReadInside]:
        """What is kept if the sample shows too much of it: no less than the rows that match."""
        (found,) = yield from ask(_read, [_Reading(base, size, at_least=True)])
        return replace(found, bytes=np.maximum(found.bytes, self.basis.least))

    def filtered(
        self, kept: ReadInside, size: int, columns: Sequence[Lookups], *, absent: bool = False
    ) -> tuple[ReadInside, Floats]:
        """What is left with bloom filters in row groups of about a size, and the bytes of the
        filters: of several, the one that leaves least."""
        mean = min(size, float(kept.bytes.sum() / max(kept.groups.sum(), 1.0)))
        row_bytes = self.basis.now.bytes / max(1, self.basis.now.records)
        filters = Filters(self.inside.written.filter_bytes, mean / row_bytes)
        left, extra = np.ones(len(kept.bytes)), np.zeros(len(kept.bytes))
        for of in columns:
            part, bytes_of_filters = filters.left(of, kept.groups, absent=absent)
            left[of.scans] = np.minimum(left[of.scans], part)
            extra[of.scans] += bytes_of_filters
        return ReadInside(kept.bytes * left, kept.groups * left, kept.files), extra

    def cost(self, kept: ReadInside, filters: Floats) -> float:
        overhead = kept.files + kept.groups / _REQUESTS
        return float(
            (kept.bytes + filters + self.basis.now.open_file_cost * overhead) @ self.weight
        )


class _Reading(NamedTuple):
    """A layout whose row groups have about so many bytes, of a sample of rows."""

    candidate: Candidate
    size: int
    draw: Draw = Draw()
    at_least: bool = False


def _read(sampled: Sampled, parts: Sequence[_Reading]) -> list[ReadInside]:
    return [
        read_inside(
            one.draw.of(sampled.layouts),
            one.candidate,
            sampled.scans,
            one.size,
            phase=one.draw.phase,
            at_least=one.at_least,
        )
        for one in parts
    ]


def best_as_it_is(basis: Basis, inside: InsideNow) -> Asking[Best]:
    """The best change of the table as it is: of filters alone, or with an order of rows within the
    partitions that there are."""
    search, current = _Search.of(basis, inside), basis.now.partition
    orders: Sequence[Order] = ()
    if search.tells_apart and current is not None:
        orders = _orders(basis.found, inside.kept, inside.written)
    laid = ((Candidate(current or (), order), order) for order in orders)
    return (yield from _best(search, [(None, None), *laid], inside.kept))


def look_inside(
    basis: Basis, inside: InsideNow, as_is: Best, advised: Candidate | None
) -> Asking[Inside]:
    """What to change inside of files: the best change of the table as it is, or of the layout that
    is advised, if that wins more."""
    best, kept = as_is, inside.kept
    now, start = best.before, kept
    layout: Reading | None = None
    if advised is not None:
        search = _Search.of(basis, inside)
        (start,) = yield from ask(_read, [_Reading(advised, search.usual)])
        of_layout = yield from _best(search, [(advised, None)], start)
        if not best.is_real or best.cost > of_layout.cost + ALIKE * basis.now.bytes:
            best, layout = of_layout, of_layout.before
    last = best.kept if best.is_real else start
    return Inside(
        now=now,
        layout=layout,
        change=best.change if best.is_real else None,
        then=best.then if best.is_real else None,
        gain=best.gain if best.is_real else None,
        effects=_effects(basis.found, kept.bytes, last.bytes),
        written=inside.written,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best change of some orders, what is kept `before` and after it, and whether it wins more
    than may be chance; what the workload costs with it if so, or without it."""

    change: Change
    before: Reading
    then: Reading
    gain: Interval
    kept: ReadInside
    is_real: bool
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    change: Change
    base: Candidate | None
    size: int
    asked: tuple[Lookups, ...]
    kept: ReadInside
    filters: Floats
    cost: float


def _best(
    search: _Search, bases: Sequence[tuple[Candidate | None, Order | None]], start: ReadInside
) -> Asking[Best]:
    whole, base = search.basis.now.bytes, bases[0][0]
    tried, (by_sample, least) = yield from together(
        _trying(search, bases, start),
        together(
            _deviations(search, base, (), search.usual),
            _starting(start) if base is None else search.at_least(base, search.usual),
        ),
    )
    limit = min(one.cost for one in tried) + ALIKE * whole
    alike = (one for one in tried if one.cost <= limit)
    best = min(alike, key=lambda one: (one.change.complexity, one.cost))
    before = _reading(search, start, least, search.usual, by_sample)
    if any(best.change.complexity):
        then, gain = yield from _compared(search, best, start, by_sample)
    else:
        then, gain = before, Interval(0.0, 0.0, 0.0)
    cost = search.cost(start, np.zeros(len(start.bytes)))
    enough = max(MIN_GAIN * whole, MIN_SHARE * before.bytes.value)
    is_real = any(best.change.complexity) and gain.low >= enough and best.cost < cost
    return Best(best.change, before, then, gain, best.kept, is_real, best.cost if is_real else cost)


def _orders(found: Workload, kept: ReadInside, written: Written) -> list[Order]:
    """Orders of rows within partitions: the table's own, and by single columns."""
    own = [Order(Curve.SORT, written.order)] if written.order else []
    columns = [used.column for used in used_columns(found, kept.bytes)[:_ORDERS]]
    return list(dict.fromkeys((*own, *(Order(Curve.SORT, (column,)) for column in columns))))


def _trying(
    search: _Search, bases: Sequence[tuple[Candidate | None, Order | None]], start: ReadInside
) -> Asking[list[_Tried]]:
    """The changes of orders: sizes of row groups, each with more and more filters. How rows lie
    inside of files as they are is not known, so that their row groups keep their size."""
    changes = [
        (candidate, order, wanted)
        for candidate, order in bases
        if candidate is None or search.basis.sample.can_lay(candidate)
        for wanted in (None, *(_sizes(search) if candidate is not None else ()))
    ]
    readings = {
        (candidate, wanted): _Reading(candidate, wanted or search.usual)
        for candidate, order, wanted in changes
        if candidate is not None and (order is not None or wanted is not None)
    }
    found = yield from ask(_read, list(readings.values()))
    kept_of: dict[tuple[Candidate | None, int | None], ReadInside] = dict(
        zip(readings, found, strict=True)
    )
    tried = []
    for candidate, order, wanted in changes:
        kept, size = kept_of.get((candidate, wanted), start), wanted or search.usual
        for asked in accumulate(((of,) for of in search.asked), initial=()):
            left, filters = search.filtered(kept, size, asked)
            change = Change(order, wanted, tuple(of.column for of in asked))
            cost = search.cost(left, filters)
            tried.append(_Tried(change, candidate, size, asked, left, filters, cost))
    return tried


def _sizes(search: _Search) -> list[int]:
    """Smaller row groups that are tried."""
    if not search.tells_apart:
        return []
    most = search.basis.now.target_bytes / _MOST_OF_FILE
    return [search.usual // part for part in _PARTS if search.usual // part >= most]


def _deviations(
    search: _Search, base: Candidate | None, asked: Sequence[Lookups], size: int
) -> Asking[Floats]:
    """By how much other samples of rows change the mean bytes that are kept of row groups: none
    of the table as it is."""
    if base is None:
        return np.zeros(REPLICATES)
    parts = [_Reading(base, size, draw) for draw in (Draw(), *search.others)]
    found = yield from ask(_read, parts)
    usual, *again = (
        float(search.filtered(kept, size, asked)[0].bytes @ search.weight) for kept in found
    )
    return np.array([mean - usual for mean in again])


def _starting(start: ReadInside) -> Asking[ReadInside]:
    """What is known without asking."""
    yield from ()
    return start


def _reading(
    search: _Search, kept: ReadInside, least: ReadInside, size: int, by_sample: Floats
) -> Reading:
    """What is kept, or, at the lower end, `least` of it."""
    value = float(kept.bytes @ search.weight)
    whole = search.basis.now.bytes
    by_week = by_sample[search.weeks.replicate]
    high = interval(value, means(kept.bytes, search.weeks) + by_week, size, whole)
    low = interval(value, means(least.bytes, search.weeks) + by_week, size, whole)
    return Reading(Interval(value, low.low, high.high), float(kept.groups @ search.weight))


def _compared(
    search: _Search, best: _Tried, start: ReadInside, before: Floats
) -> Asking[tuple[Reading, Interval]]:
    """What is kept after a change, and how much less that is."""
    without, by_sample = yield from together(
        _starting(start) if best.base is None else search.at_least(best.base, best.size),
        _deviations(search, best.base, best.asked, best.size),
    )
    absent, _ = search.filtered(without, best.size, best.asked, absent=True)
    then = _reading(search, best.kept, absent, best.size, by_sample)
    weeks = search.weeks
    now = means(start.bytes, weeks) + before[weeks.replicate]
    read = best.kept.bytes + best.filters
    after = means(read, weeks) + by_sample[weeks.replicate]
    value = float((start.bytes - read) @ search.weight)
    return then, interval(value, now - after, best.size)


def _effects(found: Workload, now: Floats, then: Floats) -> dict[str, tuple[float, float]]:
    weight = found.weight
    return {
        name: (
            float(np.average(now[numbers], weights=weight[numbers])),
            float(np.average(then[numbers], weights=weight[numbers])),
        )
        for name, numbers in found.fingerprints.items()
    }
