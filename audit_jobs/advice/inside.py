"""What is inside of files: the order of rows, the size of row groups, and bloom filters, by what
scans keep of row groups.

Layouts are chosen by files. This asks what is left to win in those that scans keep, of the layout
that is advised, or of the table as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from audit_jobs.advice.changes import Change, Inside, Reading, Written
from audit_jobs.advice.intervals import (
    ALIKE,
    MIN_GAIN,
    MIN_SHARE,
    REPLICATES,
    Draws,
    Interval,
    draws,
    interval,
    means,
)
from audit_jobs.advice.layouts import MIN_ROWS, Layouts, drawn
from audit_jobs.advice.lookups import Filters, Lookups, lookups
from audit_jobs.advice.row_groups import ReadInside, read_inside
from audit_jobs.advice.rows import Floats
from audit_jobs.advice.scores import Replayed, replayed
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

    layouts: Layouts
    scans: Replayed
    least: Floats
    weight: Floats
    weeks: Draws
    written: Written
    open_file_cost: int
    asked: tuple[Lookups, ...]

    @property
    def tells_apart(self) -> bool:
        """Whether the sample has rows of more than one row group of a file: of a larger table, no
        order and no size makes a difference inside of files that it could show."""
        files = self.layouts.rows.bytes / self.layouts.target_bytes
        return self.layouts.rows.count / MIN_ROWS > files

    def read(self, base: Candidate, size: int) -> ReadInside:
        return read_inside(self.layouts, base, self.scans, size)

    def at_least(self, base: Candidate, size: int) -> ReadInside:
        """What is kept if the sample shows too much of it: no less than the rows that match."""
        found = read_inside(self.layouts, base, self.scans, size, at_least=True)
        return replace(found, bytes=np.maximum(found.bytes, self.least))

    def filtered(
        self, kept: ReadInside, size: int, columns: Sequence[Lookups], *, absent: bool = False
    ) -> tuple[ReadInside, Floats]:
        """What is left with bloom filters in row groups of about a size, and the bytes of the
        filters: of several, the one that leaves least."""
        mean = min(size, float(kept.bytes.sum() / max(kept.groups.sum(), 1.0)))
        filters = Filters(self.written.filter_bytes, mean / self.layouts.rows.row_bytes)
        left, extra = np.ones(self.scans.count), np.zeros(self.scans.count)
        for of in columns:
            part, bytes_of_filters = filters.left(of, kept.groups, absent=absent)
            left[of.scans] = np.minimum(left[of.scans], part)
            extra[of.scans] += bytes_of_filters
        return ReadInside(kept.bytes * left, kept.groups * left, kept.files), extra

    def cost(self, kept: ReadInside, filters: Floats) -> float:
        overhead = kept.files + kept.groups / _REQUESTS
        return float((kept.bytes + filters + self.open_file_cost * overhead) @ self.weight)


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    change: Change
    base: Candidate | None
    size: int
    asked: tuple[Lookups, ...]
    kept: ReadInside
    filters: Floats
    cost: float


def look_inside(
    layouts: Layouts,
    found: Workload,
    reads: tuple[ReadInside, Floats],
    written: Written,
    table: tuple[Candidate | None, tuple[Term, ...] | None, int],
    *,
    seed: int = 0,
) -> Inside:
    """What to change inside of the files of a table of which scans keep so much now, though
    the rows that they match have so few bytes (`reads`).
    `table` has the layout that is advised, the partition fields that there are, and what opening a
    file costs."""
    (kept, least), (advised, current, open_file_cost) = reads, table
    weight = found.weight / found.weight.sum()
    planned = found.planned
    known = [of for of in lookups(planned, layouts.rows) if of.column.field_id not in written.told]
    read = {of.column: float((weight * kept.bytes)[of.scans].sum()) for of in known}
    search = _Search(
        layouts,
        replayed(planned),
        least,
        weight,
        draws(found, seed),
        written,
        open_file_cost,
        tuple(sorted(known, key=lambda of: -read[of.column])[:_FILTERS]),
    )
    orders = _orders(found, kept, written) if search.tells_apart and current is not None else ()
    bases = [(None, None), *((Candidate(current or (), order), order) for order in orders)]
    best = _best(search, bases, kept, seed)
    now, start = best.before, kept
    layout: Reading | None = None
    if advised is not None:
        start = search.read(advised, written.row_group_bytes)
        of_layout = _best(search, [(advised, None)], start, seed)
        if not best.is_real or best.cost > of_layout.cost + ALIKE * layouts.rows.bytes:
            best, layout = of_layout, of_layout.before
    last = best.kept if best.is_real else start
    return Inside(
        now=now,
        layout=layout,
        change=best.change if best.is_real else None,
        then=best.then if best.is_real else None,
        gain=best.gain if best.is_real else None,
        effects=_effects(found, kept.bytes, last.bytes),
        written=written,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Best:
    """The best change of some orders, what is kept `before` and after it, and whether it wins more
    than may be chance; what the workload costs with it if so, or without it."""

    change: Change
    before: Reading
    then: Reading
    gain: Interval
    kept: ReadInside
    is_real: bool
    cost: float


def _best(
    search: _Search,
    bases: Sequence[tuple[Candidate | None, Order | None]],
    start: ReadInside,
    seed: int,
) -> _Best:
    tried = [one for base in bases for one in _tried(search, base, start)]
    whole = search.layouts.rows.bytes
    limit = min(one.cost for one in tried) + ALIKE * whole
    alike = (one for one in tried if one.cost <= limit)
    best = min(alike, key=lambda one: (one.change.complexity, one.cost))
    usual = search.written.row_group_bytes
    by_sample = _deviations(search, bases[0][0], (), usual, seed)
    base = bases[0][0]
    least = start if base is None else search.at_least(base, usual)
    before = _reading(search, start, least, usual, by_sample)
    if any(best.change.complexity):
        then, gain = _compared(search, best, start, by_sample, seed)
    else:
        then, gain = before, Interval(0.0, 0.0, 0.0)
    cost = search.cost(start, np.zeros(search.scans.count))
    enough = max(MIN_GAIN * whole, MIN_SHARE * before.bytes.value)
    is_real = any(best.change.complexity) and gain.low >= enough and best.cost < cost
    return _Best(
        best.change, before, then, gain, best.kept, is_real, best.cost if is_real else cost
    )


def _orders(found: Workload, kept: ReadInside, written: Written) -> list[Order]:
    """Orders of rows within partitions: the table's own, and by single columns."""
    own = [Order(Curve.SORT, written.order)] if written.order else []
    columns = [used.column for used in used_columns(found, kept.bytes)[:_ORDERS]]
    return list(dict.fromkeys((*own, *(Order(Curve.SORT, (column,)) for column in columns))))


def _tried(
    search: _Search, base: tuple[Candidate | None, Order | None], start: ReadInside
) -> Iterator[_Tried]:
    """The changes of one order: sizes of row groups, each with more and more filters. How rows lie
    inside of files as they are is not known, so that their row groups keep their size."""
    candidate, order = base
    usual = search.written.row_group_bytes
    sizes: list[int | None] = [None]
    if candidate is not None:
        if not search.layouts.can_lay(candidate):
            return
        most = search.layouts.target_bytes / _MOST_OF_FILE
        if search.tells_apart:
            sizes += [usual // part for part in _PARTS if usual // part >= most]
    for wanted in sizes:
        size = wanted or usual
        kept = start
        if candidate is not None and (order is not None or wanted is not None):
            kept = search.read(candidate, size)
        for asked in accumulate(((of,) for of in search.asked), initial=()):
            left, filters = search.filtered(kept, size, asked)
            change = Change(order, wanted, tuple(of.column for of in asked))
            cost = search.cost(left, filters)
            yield _Tried(change, candidate, size, asked, left, filters, cost)


def _deviations(
    search: _Search,
    base: Candidate | None,
    asked: Sequence[Lookups],
    size: int,
    seed: int,
) -> Floats:
    """By how much other samples of rows change the mean bytes that are kept of row groups: none
    of the table as it is."""
    found = np.zeros(REPLICATES)
    if base is None:
        return found
    layouts, generator = search.layouts, np.random.default_rng(seed)
    rows = layouts.rows

    def mean(own: Layouts, phase: float) -> float:
        kept = read_inside(own, base, search.scans, size, phase=phase)
        return float(search.filtered(kept, size, asked)[0].bytes @ search.weight)

    usual = mean(layouts, 0.0)
    for number in range(REPLICATES):
        again = layouts
        if rows.clusters < rows.files:
            again = layouts.weighted(drawn(rows.clusters, generator))
        found[number] = mean(again, generator.random()) - usual
    return found


def _reading(
    search: _Search, kept: ReadInside, least: ReadInside, size: int, by_sample: Floats
) -> Reading:
    """What is kept, or, at the lower end, `least` of it."""
    value = float(kept.bytes @ search.weight)
    whole = search.layouts.rows.bytes
    by_week = by_sample[search.weeks.replicate]
    high = interval(value, means(kept.bytes, search.weeks) + by_week, size, whole)
    low = interval(value, means(least.bytes, search.weeks) + by_week, size, whole)
    return Reading(Interval(value, low.low, high.high), float(kept.groups @ search.weight))


def _compared(
    search: _Search, best: _Tried, start: ReadInside, before: Floats, seed: int
) -> tuple[Reading, Interval]:
    """What is kept after a change, and how much less that is."""
    without = start
    if best.base is not None:
        without = search.at_least(best.base, best.size)
    absent, _ = search.filtered(without, best.size, best.asked, absent=True)
    by_sample = _deviations(search, best.base, best.asked, best.size, seed)
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
