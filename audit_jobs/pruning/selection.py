"""Conjuncts that select whole partitions: partitioning answers them, and no row needs a filter.

Iceberg's own test (ExpressionUtil.selectsPartitions, which Spark uses): the inclusive and the
strict lift are the same predicate under every spec.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from operator import and_

import numpy as np

from prunescope.audit_jobs.pruning.lifting import (
    Lifted,
    lift_inclusive,
    lift_strict,
    project,
    project_strict,
)
from prunescope.audit_jobs.pruning.literals import Leaf, Literals, leaf_of
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import BoundComparison, Predicate, PredicateLeaf
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.types import INT64_RANGE

_WHOLE = ("int", "long", "date")
_NEXT_TO = {Op.LT: Op.LT_EQ, Op.GT: Op.GT_EQ}


def selects_partitions(predicate: Predicate, specs: Sequence[PartitionSpec]) -> bool:
    """True if a bound predicate selects whole partitions of data that is written under `specs`."""
    if isinstance(predicate, BoundComparison):
        return bool(leaf_selects_partitions(leaf_of(predicate), specs)[0])
    return bool(specs) and all(
        map_leaves(lift_inclusive(predicate, spec), _canonical)
        == map_leaves(lift_strict(predicate, spec), _canonical)
        for spec in specs
    )


def leaf_selects_partitions(leaf: Leaf, specs: Sequence[PartitionSpec]) -> BoolArray:
    """Mask of the K comparisons that select whole partitions."""
    if not specs:
        return np.zeros(leaf.literals.count, np.bool_)
    return reduce(and_, (_of_spec(leaf, spec) for spec in specs))


def _of_spec(leaf: Leaf, spec: PartitionSpec) -> BoolArray:
    """Mask of the K comparisons that select whole partitions under one spec. Comparisons that lift
    onto several fields, or onto none, differ: they are AND-ed in one lift, and OR-ed in the other.
    """
    count = leaf.literals.count
    lifts = project(leaf, spec), project_strict(leaf, spec)
    found = np.zeros(count, np.bool_)
    for inclusive, strict in product(*lifts):
        rows, first, second = np.intersect1d(
            _rows(inclusive, count), _rows(strict, count), assume_unique=True, return_indices=True
        )
        found[rows] |= _equal(_take(inclusive.leaf, first), _take(strict.leaf, second))
    for of_kind in lifts:
        found &= _lifts(of_kind, count) == 1
    return found


def _rows(lifted: Lifted, count: int) -> IntArray:
    return np.arange(count) if lifted.rows is None else lifted.rows


def _lifts(lifts: Sequence[Lifted], count: int) -> IntArray:
    """The number of fields onto which each comparison lifts."""
    found = np.zeros(count, np.int64)
    for lifted in lifts:
        found[_rows(lifted, count)] += 1
    return found


def _take(leaf: Leaf, rows: IntArray) -> Leaf:
    return Leaf(leaf.op, leaf.field, leaf.literals.take(rows))


def _equal(some: Leaf, others: Leaf) -> BoolArray:
    """Mask of the comparisons with partition values that equal the corresponding ones of `others`.
    Whole numbers have neighbours: `p < 5` and `p <= 4` are the same partitions (Iceberg's
    BoundLiteralPredicate.isEquivalentTo)."""
    if some.field != others.field:
        return np.zeros(some.literals.count, np.bool_)
    if some.op is others.op:
        return _same_values(some.literals, others.literals)
    if some.field.type in _WHOLE:
        for open_, closed in ((some, others), (others, some)):
            if _NEXT_TO.get(open_.op) is closed.op:
                return _next(open_.literals, closed.literals, 1 if open_.op is Op.LT else -1)
    return np.zeros(some.literals.count, np.bool_)


def _same_values(some: Literals, others: Literals) -> BoolArray:
    found: BoolArray = some.lengths == others.lengths
    rows = np.flatnonzero(found)
    left, right = some.take(rows), others.take(rows)
    differ = left.values != right.values
    found[rows[left.owner[differ]]] = False
    return found


def _next(some: Literals, others: Literals, step: int) -> BoolArray:
    """True if a value of `some` is that of `others`, moved by a step that stays within 64 bits."""
    last = INT64_RANGE[step > 0]
    found: BoolArray = (others.values != last) & (some.values == others.values + step)
    return found


def _canonical(leaf: PredicateLeaf) -> Predicate:
    """An open range of whole numbers as a closed one."""
    match leaf:
        case BoundComparison(Op.LT, field, (int(value),)) if field.type in _WHOLE:
            return BoundComparison(Op.LT_EQ, field, (value - 1,))
        case BoundComparison(Op.GT, field, (int(value),)) if field.type in _WHOLE:
            return BoundComparison(Op.GT_EQ, field, (value + 1,))
        case _:
            return leaf
