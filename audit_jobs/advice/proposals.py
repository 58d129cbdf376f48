"""Which layouts are worth scoring: of the columns that the workload compares, step by step.

First partition fields and orders of one column; then the best of the one with all of the other, and
with a second partition field; and the best sorts by two columns with a third, and with ranges of
the first. What is left out is
nothing that a step before has not scored low.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations
from math import inf

import numpy as np

from audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from audit_jobs.advice.layouts import MIN_ROWS, Layouts
from audit_jobs.advice.rounds import Asking, Sampled, ask, together
from audit_jobs.advice.workload import UsedColumn
from audit_jobs.findings.ranges_of_values import RANGED, ranges_between
from audit_jobs.findings.statements import has_curve
from collectors.arrays import Floats, IntArray
from collectors.predicates.model import Field
from collectors.predicates.operators import Op
from collectors.types import NANOS_PER_UNIT, Physical, physical

MAX_COLUMNS = 5
"""Columns of a workload by which layouts are proposed."""
MAX_LAYOUTS = 300
"""Layouts of a table that are scored."""
_LAST = 30
"""So many of these are of the last step, which follows what is best by then."""
_ORDERED_TOGETHER = 4
_BEST = 3
"""Layouts of one step that the next one starts with."""
_RANGED = 2
"""Columns, each in some partitions, of whose values ranges are tried."""
_UNSEEN = 0.05
"""The share of rows whose partition no other sampled row has, up to which the partitions of a field
can be counted by the sample (Good and Turing's estimate of what it has not seen)."""

_COUNTED = 0.25
"""How much work it is to count the partitions of a layout, of what it is to score one."""

Costs = Callable[[Sequence[Candidate]], Asking[Floats]]
"""Asks what the workload costs on each of some layouts."""


@dataclass(frozen=True, slots=True)
class Proposable:
    """What layouts are made of: columns, the partition fields that their values and operators
    allow, and those that there are (`current`), None where no row tells their partitions. With
    `keep` there is no other choice than these."""

    columns: tuple[Field, ...]
    terms: tuple[Term, ...]
    current: tuple[Term, ...] | None
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Proposed:
    """Layouts, and what the workload costs on each."""

    candidates: tuple[Candidate, ...]
    costs: tuple[float, ...]


def proposable(
    layouts: Layouts,
    used: Sequence[UsedColumn],
    current: tuple[Term, ...] | None,
    *,
    keep: bool = False,
) -> Proposable:
    """What there is for a workload that compares these columns, of a table that is partitioned so
    now; with `keep`, and stays so."""
    known = [one for one in used if (one.column.field_id, one.column.type) in layouts.rows.columns]
    known = known[:MAX_COLUMNS]
    is_laid = not current or layouts.can_lay(Candidate(current, _any_order(current)))
    return Proposable(
        tuple(one.column for one in known),
        tuple(term for one in known for term in _terms(layouts, one)),
        current if is_laid else None,
        keep,
    )


def propose(by: Proposable, costs: Costs) -> Asking[Proposed]:
    """Layouts, each with its cost. Asks which partitionings fit as well."""
    current = by.current
    found: dict[Candidate, float] = {}

    def score(some: Iterable[Candidate], most: int = MAX_LAYOUTS - _LAST) -> Asking[None]:
        new = [c for c in dict.fromkeys(some) if c not in found][: most - len(found)]
        if new:
            of_new = yield from costs(new)
            found.update(zip(new, of_new.tolist(), strict=True))

    singles = [Order(Curve.SORT, (column,)) for column in by.columns]
    several = _several(by.columns)
    if by.keep:
        orders = () if current is None else _with_own(current, (*singles, *several))
        yield from score(Candidate(current or (), order) for order in orders)
        yield from score((yield from _refined(found, by.columns)), MAX_LAYOUTS)
        return Proposed(tuple(found), tuple(found.values()))
    fields: list[tuple[Term, ...]] = [(term,) for term in by.terms]
    if current:
        fields.append(current)
        used_now = {term.column for term in current}
        fields += [(*current, term) for term in by.terms if term.column not in used_now]
    _, partitions = yield from together(
        score(Candidate((), order) for order in (*singles, *several)), _fitting(fields, current)
    )
    best_singles = sorted(singles, key=lambda order: found.get(Candidate((), order), inf))[:_BEST]
    yield from score(Candidate(p, o) for p in partitions for o in _with_own(p, best_singles))
    best = _best_partitions(found, set() if current is None else {current})
    pairs = [
        (*first, term)
        for first in best
        if len(first) == 1
        for term in by.terms
        if term.column != first[0].column
    ]
    _, fitting = yield from together(
        score(Candidate(p, order) for p in best for order in several if _orders(p, order)),
        _fitting(pairs, None),
    )
    yield from score(Candidate(p, o) for p in fitting for o in _with_own(p, best_singles[:2]))
    best = _best_partitions(found, set())
    yield from score(Candidate(p, order) for p in best for order in several if _orders(p, order))
    yield from score((yield from _refined(found, by.columns)), MAX_LAYOUTS)
    return Proposed(tuple(found), tuple(found.values()))


def _fitting(
    partitions: Sequence[tuple[Term, ...]], current: tuple[Term, ...] | None
) -> Asking[list[tuple[Term, ...]]]:
    """Partitionings whose partitions hold a file each, and the current one, each once."""
    distinct = list(dict.fromkeys(partitions))
    others = [p for p in distinct if p != current]
    fit = yield from ask(_fit, others, layouts=_COUNTED)
    fitting = {p for p, fits in zip(others, fit, strict=True) if fits}
    return [p for p in distinct if p == current or p in fitting]


def _fit(sampled: Sampled, partitions: Sequence[tuple[Term, ...]]) -> list[bool]:
    return [_fits(sampled.layouts, partition) for partition in partitions]


def _refined(found: dict[Candidate, float], columns: Sequence[Field]) -> Asking[list[Candidate]]:
    """The best sorts by two columns, by each third one as well, and by ranges of the first."""
    pairs = [c for c in found if c.order.curve is Curve.SORT and len(c.order.columns) == 2]
    pairs.sort(key=found.__getitem__)
    # By many values, what comes next has no order yet: each next column may be the one.
    firsts = dict.fromkeys(_first(one) for one in pairs if one.order.columns[0].type in RANGED)
    best = list(firsts)[:_RANGED]
    ranged = [one for one in pairs if _first(one) in best]
    ranges = yield from ask(_ranges, ranged, layouts=_COUNTED)
    return [*chain.from_iterable(ranges), *_by_third(pairs[:_BEST], columns)]


def _first(candidate: Candidate) -> tuple[tuple[Term, ...], Field]:
    return candidate.partition, candidate.order.columns[0]


def _ranges(sampled: Sampled, pairs: Sequence[Candidate]) -> list[list[Candidate]]:
    return [list(_by_ranges(sampled.layouts, pair)) for pair in pairs]


def _by_ranges(layouts: Layouts, pair: Candidate) -> Iterator[Candidate]:
    """Sorts by ranges of the first column of one by two, if it has many values."""
    rows = layouts.rows
    first, second = pair.order.columns
    distinct = rows.columns[first.field_id, first.type].distinct
    files = rows.bytes / layouts.target_bytes / len(_sizes(layouts, pair.partition)[1])
    if len(distinct) <= files:
        return
    low, high = distinct[0].as_py(), distinct[-1].as_py()
    for transform in ranges_between(first.type, low, high, files):
        yield Candidate(pair.partition, Order(Curve.SORT, (first, second), transform))


def _by_third(pairs: Sequence[Candidate], columns: Sequence[Field]) -> list[Candidate]:
    """Sorts by two columns, by each third one as well."""
    return [
        Candidate(one.partition, order)
        for one in pairs
        for column in columns
        if column not in one.order.columns
        for order in (Order(Curve.SORT, (*one.order.columns, column)),)
        if _orders(one.partition, order)
    ]


def _best_partitions(
    found: dict[Candidate, float], also: set[tuple[Term, ...]]
) -> list[tuple[Term, ...]]:
    ranked = sorted(found, key=found.__getitem__)
    best = list(dict.fromkeys(candidate.partition for candidate in ranked))
    seen = set(best)
    return [*best[:_BEST], *(p for p in also if p in seen and p not in best[:_BEST])]


def _with_own(partition: tuple[Term, ...], orders: Sequence[Order]) -> list[Order]:
    """Orders, and those by the columns of a partitioning itself."""
    own = (Order(Curve.SORT, (term.column,)) for term in partition)
    return [order for order in dict.fromkeys((*orders, *own)) if _orders(partition, order)]


def _any_order(partition: tuple[Term, ...]) -> Order:
    return Order(Curve.SORT, (partition[0].column,))


def _orders(partition: tuple[Term, ...], order: Order) -> bool:
    """Whether an order says something inside of partitions: a column of one value there says
    nothing, and Spark leaves it out."""
    whole = {term.column for term in partition if term.transform == "identity"}
    return len(order.columns) == 1 or not whole.intersection(order.columns)


def _several(columns: Sequence[Field]) -> list[Order]:
    """Orders by two or three columns."""
    some = columns[:_ORDERED_TOGETHER]
    found = [Order(Curve.SORT, pair) for pair in permutations(some, 2)]
    curved = [column for column in some if has_curve(column.name, column.type)]
    for size in (2, 3):
        for some_of in combinations(curved, size):
            found += [Order(curve, some_of) for curve in (Curve.ZORDER, Curve.HILBERT)]
    return found


def _terms(layouts: Layouts, used: UsedColumn) -> Iterator[Term]:
    """Partition fields of a column that its values and operators allow."""
    column, ops = used.column, used.ops
    ranked = layouts.rows.columns[column.field_id, column.type]
    files = _most_partitions(layouts)
    if column.type in NANOS_PER_UNIT:
        yield from (Term(name, column) for name in ("year", "month", "day"))
        if column.type != "date":
            yield Term("hour", column)
    elif physical(column.type) is not Physical.FLOATING and len(ranked.distinct) <= files:
        yield Term("identity", column)
    if ops & {Op.EQ, Op.IN} and has_bucket(column.type):
        count = 4
        while count <= files:
            yield Term(f"bucket[{count}]", column)
            count *= 4
    if column.type == "string":
        for width in (1, 2, 4, 8):
            term = Term(f"truncate[{width}]", column)
            if len(layouts.partitions(term).values) - 2 < len(ranked.distinct):
                yield term


def has_bucket(type_name: str) -> bool:
    """Whether values of a type are hashed into buckets."""
    return type_name not in ("boolean", "float", "double")


def _most_partitions(layouts: Layouts) -> float:
    """How many partitions are filled by files of half the target, and told apart by the sample."""
    rows = layouts.rows
    usual = min(layouts.target_bytes, rows.bytes / max(1, rows.files))
    return min(2 * rows.bytes / usual, rows.count / MIN_ROWS)


def _sizes(layouts: Layouts, partition: tuple[Term, ...]) -> tuple[IntArray, IntArray]:
    """The partition of each sampled row, as a number, and how many rows each has."""
    codes = np.zeros(layouts.rows.count, np.int64)
    for term in partition:
        parts = layouts.partitions(term)
        codes = codes * len(parts.values) + parts.code
    _, place, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return place, counts


def _fits(layouts: Layouts, partition: tuple[Term, ...]) -> bool:
    """Whether partitions hold a file of the usual size each (half of the target, or of what files
    have now), as far as the sample can count them."""
    if not partition:
        return True
    place, counts = _sizes(layouts, partition)
    rows = layouts.rows
    if not 2 <= len(counts) <= _most_partitions(layouts):
        return False
    weights = np.bincount(place, rows.weight)
    unseen = float(weights[counts == 1].sum() / weights.sum())
    return unseen <= _UNSEEN
