"""What is inside of files: the order of rows, the size of row groups, and bloom filters, by what
scans keep of row groups.

Layouts are chosen by files. This asks what is left to win in those that scans keep, of the layout
that is advised, or of the table as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from audit_jobs.advice.basis import Basis, InsideNow
from audit_jobs.advice.candidates import Candidate, Curve, Order
from audit_jobs.advice.changes import Change, Inside, Reading, Written
from audit_jobs.advice.inside_search import LaidInside, Search
from audit_jobs.advice.intervals import (
    ALIKE,
    MIN_GAIN,
    MIN_SHARE,
    REPLICATES,
    Interval,
    interval,
    means,
)
from audit_jobs.advice.lookups import Lookups
from audit_jobs.advice.rounds import Asking, together
from audit_jobs.advice.row_groups import ReadInside
from audit_jobs.advice.workload import Workload, used_columns
from collectors.arrays import Floats

_ORDERS = 3
"""Columns by which rows are ordered."""
_PARTS = (2, 4, 8)
"""Into how many of the size that they should have now row groups are cut."""
_MOST_OF_FILE = 64
"""Row groups of a file, at most: footers and requests grow with them."""


def best_as_it_is(basis: Basis, inside: InsideNow) -> Asking[Best]:
    """The best change of the table as it is: of filters alone, or with an order of rows within the
    partitions that there are."""
    search, current = Search.of(basis, inside), basis.now.partition
    orders: Sequence[Order] = ()
    if search.tells_apart and current is not None:
        orders = _orders(basis.found, inside.kept, inside.written)
    laid = ((Candidate(current or (), order), order) for order in orders)
    return (yield from _best(search, [(None, None), *laid]))


def look_inside(
    basis: Basis, inside: InsideNow, as_is: Best, advised: Candidate | None
) -> Asking[Inside]:
    """What to change inside of files: the best change of the table as it is, or of the layout that
    is advised, if that wins more; nothing where the table costs no more as it is than the least
    that scans keep of that layout."""
    best, costs_more = as_is, False
    layout: Reading | None = None
    if advised is not None:
        of_layout = yield from _best(Search.of(basis, inside), [(advised, None)])
        if as_is.is_real:
            is_better = as_is.cost > of_layout.cost + ALIKE * basis.now.bytes
        else:
            is_better = as_is.cost > min(of_layout.least_cost, of_layout.cost)
            costs_more = not is_better
        if is_better:
            best, layout = of_layout, of_layout.before
    last = best.kept if best.is_real else best.start
    return Inside(
        now=as_is.before,
        layout=layout,
        change=best.change if best.is_real else None,
        then=best.then if best.is_real else None,
        gain=best.gain if best.is_real else None,
        effects=_effects(basis.found, inside.kept.bytes, last.bytes),
        written=inside.written,
        costs_more=costs_more,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best change of some orders, what is kept `before` and after it by each scan (`start`,
    `kept`) and by all, and whether it wins more than may be chance; what the workload costs with it
    if so, or without it, and without it at least."""

    start: ReadInside
    change: Change
    before: Reading
    then: Reading
    gain: Interval
    kept: ReadInside
    is_real: bool
    cost: float
    least_cost: float


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    change: Change
    base: Candidate | None
    size: int
    asked: tuple[Lookups, ...]
    kept: ReadInside
    filters: Floats
    cost: float


def _best(search: Search, bases: Sequence[tuple[Candidate | None, Order | None]]) -> Asking[Best]:
    """The best change of orders, of which the first is as files are without any change."""
    whole, base = search.basis.now.bytes, bases[0][0]
    (start, least), (readings, by_sample) = yield from together(
        search.starting(base),
        together(_readings(search, bases), search.deviations(base, (), search.usual)),
    )
    tried = _tried(search, bases, start, readings)
    limit = min(one.cost for one in tried) + ALIKE * whole
    alike = (one for one in tried if one.cost <= limit)
    best = min(alike, key=lambda one: (one.change.complexity, one.cost))
    before = _reading(search, start, least, search.usual, by_sample)
    if any(best.change.complexity):
        then, gain = yield from _compared(search, best, start, by_sample)
    else:
        then, gain = before, Interval(0.0, 0.0, 0.0)
    cost, least_cost = (search.cost(of, np.zeros(len(of.bytes))) for of in (start, least))
    enough = max(MIN_GAIN * whole, MIN_SHARE * before.bytes.value)
    is_real = any(best.change.complexity) and gain.low >= enough and best.cost < cost
    return Best(
        start,
        best.change,
        before,
        then,
        gain,
        best.kept,
        is_real,
        best.cost if is_real else cost,
        least_cost,
    )


def _orders(found: Workload, kept: ReadInside, written: Written) -> list[Order]:
    """Orders of rows within partitions: the table's own, and by single columns."""
    own = [Order(Curve.SORT, written.order)] if written.order else []
    columns = [used.column for used in used_columns(found, kept.bytes)[:_ORDERS]]
    return list(dict.fromkeys((*own, *(Order(Curve.SORT, (column,)) for column in columns))))


_Readings = Mapping[tuple[Candidate | None, int | None], ReadInside]
"""What is kept of layouts, by the size of row groups that is tried."""


def _changes(
    search: Search, bases: Sequence[tuple[Candidate | None, Order | None]]
) -> Iterator[tuple[Candidate | None, Order | None, int | None]]:
    """Orders with the sizes of row groups that are tried. How rows lie inside of files as they are
    is not known, so that their row groups keep their size."""
    for candidate, order in bases:
        if candidate is None or search.basis.coverage.can_lay(candidate):
            for wanted in (None, *(() if candidate is None else _sizes(search))):
                yield candidate, order, wanted


def _readings(
    search: Search, bases: Sequence[tuple[Candidate | None, Order | None]]
) -> Asking[_Readings]:
    wanted = {
        (candidate, size): LaidInside(candidate, size or search.usual)
        for candidate, order, size in _changes(search, bases)
        if candidate is not None and (order is not None or size is not None)
    }
    found = yield from search.read(list(wanted.values()))
    return dict(zip(wanted, found, strict=True))


def _tried(
    search: Search,
    bases: Sequence[tuple[Candidate | None, Order | None]],
    start: ReadInside,
    readings: _Readings,
) -> list[_Tried]:
    """Changes, each with more and more filters."""
    tried = []
    for candidate, order, wanted in _changes(search, bases):
        kept, size = readings.get((candidate, wanted), start), wanted or search.usual
        for asked in accumulate(((of,) for of in search.asked), initial=()):
            left, filters = search.filtered(kept, size, asked)
            change = Change(order, wanted, tuple(of.column for of in asked))
            cost = search.cost(left, filters)
            tried.append(_Tried(change, candidate, size, asked, left, filters, cost))
    return tried


def _sizes(search: Search) -> list[int]:
    """Smaller row groups that are tried."""
    if not search.tells_apart:
        return []
    most = search.basis.now.target_bytes / _MOST_OF_FILE
    return [search.usual // part for part in _PARTS if search.usual // part >= most]


def _reading(
    search: Search, kept: ReadInside, least: ReadInside, size: int, by_sample: Floats
) -> Reading:
    """What is kept, or, at the lower end, `least` of it."""
    value = float(kept.bytes @ search.weight)
    whole = search.basis.now.bytes
    by_week = by_sample[search.weeks.replicate]
    high = interval(value, means(kept.bytes, search.weeks) + by_week, size, whole)
    low = interval(value, means(least.bytes, search.weeks) + by_week, size, whole)
    return Reading(Interval(value, low.low, high.high), float(kept.groups @ search.weight))


def _compared(
    search: Search, best: _Tried, start: ReadInside, before: Floats
) -> Asking[tuple[Reading, Interval]]:
    """What is kept after a change, and how much less that is."""
    without, by_sample = start, np.zeros(REPLICATES)
    if best.base is not None:
        without, by_sample = yield from together(
            search.at_least(best.base, best.size),
            search.deviations(best.base, best.asked, best.size),
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
