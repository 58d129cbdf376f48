"""The conjuncts of scans of many shapes by their form, so that conjuncts which scans share are
judged once, whatever else the scans ask for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from prunescope.audit_jobs.pruning.literals import Leaf, joined
from prunescope.audit_jobs.pruning.rules import PlannerRules
from prunescope.audit_jobs.pruning.shapes import AllOf, AnyOf, Place, Shape, Tree, places
from prunescope.collectors.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Conjuncts of one tree over L rows of literals: `leaves` has one leaf of L comparisons for
    each place, numbered from 0."""

    tree: Tree
    leaves: tuple[Leaf, ...]
    count: int

    def take(self, rows: IntArray) -> Form:
        """Some of the rows, ascending."""
        if len(rows) == self.count:
            return self
        return Form(self.tree, tuple(leaf.take(rows) for leaf in self.leaves), len(rows))


@dataclass(frozen=True, slots=True, eq=False)
class Conjuncts:
    """S scans and their K conjuncts, one scan's after the other's: equal scans stand beside each
    other.

    `scans` are their positions, `planner[s]` the place of a scan's rules among `planners`, and
    `first[s]` that of its first conjunct; conjunct k is row `row[k]` of `forms[form[k]]`.
    `comparisons[s]` is the number of comparisons of a scan, at least one for each conjunct.
    """

    forms: tuple[Form, ...]
    planners: tuple[PlannerRules, ...]
    scans: IntArray
    planner: IntArray
    first: IntArray
    form: IntArray
    row: IntArray
    comparisons: IntArray


@dataclass(slots=True)
class _Found:
    """The leaves of one form, by shape, and the number of their rows in all."""

    number: int
    leaves: list[tuple[Leaf, ...]] = field(default_factory=list)
    count: int = 0


_Part = tuple[IntArray, IntArray, IntArray, IntArray, IntArray]
"""Scans, their planners, how many conjuncts each has, and the forms and rows of these."""

_NOTHING = np.empty(0, np.int64)


@lru_cache(maxsize=4)  # those of a block are asked for again and again, but blocks may be large
def conjuncts_of(shapes: tuple[Shape, ...]) -> Conjuncts:
    """The scans of shapes, and their conjuncts."""
    found: dict[Tree, _Found] = {}
    planners: dict[PlannerRules, int] = {}
    parts: list[_Part] = [(_NOTHING,) * 5]
    parts += [_part(shape, found, planners) for shape in shapes]
    scans, planner, sizes, form, row = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    forms = []
    distinct = [_NOTHING]
    starts = [0]
    for tree, of_form in found.items():
        whole = _joined(tree, of_form)
        rows, place = _distinct(whole)
        forms.append(whole.take(rows))
        distinct.append(place)
        starts.append(starts[-1] + len(place))
    of_forms = np.array([max(1, len(one.leaves)) for one in forms], np.int64)
    before = np.concatenate(([0], np.cumsum(of_forms[form])))
    first = np.concatenate(([0], np.cumsum(sizes)))
    return Conjuncts(
        forms=tuple(forms),
        planners=tuple(planners),
        scans=scans,
        planner=planner,
        first=first,
        form=form,
        row=np.concatenate(distinct)[np.array(starts)[form] + row],
        comparisons=np.diff(before[first]),
    )


def _part(shape: Shape, found: dict[Tree, _Found], planners: dict[PlannerRules, int]) -> _Part:
    """The scans of one shape, scans of one row of literals beside each other. Adds their leaves to
    `found`."""
    forms, starts = [], []
    place = 0
    for tree in shape.conjuncts:
        stop = place + sum(1 for _ in places(tree))
        of_form = found.setdefault(_from(tree, place), _Found(len(found)))
        forms.append(of_form.number)
        starts.append(of_form.count)
        of_form.leaves.append(shape.leaves[place:stop])
        of_form.count += shape.count
        place = stop
    rows = np.concatenate([part.rows for part in shape.planned])
    scans = np.concatenate([part.scans for part in shape.planned])
    numbers = [planners.setdefault(part.rules, len(planners)) for part in shape.planned]
    planner = np.repeat(numbers, [len(part.rows) for part in shape.planned])
    order = np.argsort(rows, kind="stable")
    row = rows[order][:, None] + np.array(starts, np.int64)
    form = np.broadcast_to(np.array(forms, np.int64), row.shape)
    sizes = np.full(len(rows), len(forms))
    return scans[order], planner[order], sizes, form.ravel(), row.ravel()


def _from(tree: Tree, first: int) -> Tree:
    """The tree with its places, which are numbered from `first`, numbered from 0."""
    match tree:
        case AllOf(children):
            return AllOf(tuple(_from(child, first) for child in children))
        case AnyOf(children):
            return AnyOf(tuple(_from(child, first) for child in children))
        case Place(number, op, compared):
            return Place(number - first, op, compared)
        case _:
            return tree


def _joined(tree: Tree, found: _Found) -> Form:
    """The rows of all shapes, one shape's after the other's."""
    leaves = (
        Leaf(of[0].op, of[0].field, joined([leaf.literals for leaf in of]))
        for of in zip(*found.leaves, strict=True)
    )
    return Form(tree, tuple(leaves), found.count)


def _distinct(form: Form) -> tuple[IntArray, IntArray]:
    """A row for each that is distinct, ascending, and which of these each row is; lists count as
    distinct."""
    place = np.zeros(form.count, np.int64)
    rows = place[:1]
    for leaf in form.leaves:
        if len(leaf.literals.values):
            if not leaf.literals.all_single:
                every = np.arange(form.count)
                return every, every
            _, own = np.unique(leaf.literals.values, return_inverse=True)
            _, rows, place = np.unique(
                place * form.count + own, return_index=True, return_inverse=True
            )
    order = np.argsort(rows)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rows[order], rank[place]
