"""Scans of one shape: the same tree of operators, fields and transforms, with literals of their
own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from prunescope.audit_jobs.pruning.literals import Leaf, compared_type, family, literals_of
from prunescope.audit_jobs.pruning.rules import PlannerRules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.arrays import IntArray
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Comparison,
    Field,
    Or,
    Predicate,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op


class Place(NamedTuple):
    """A comparison of a shape; `number` counts them in order."""

    number: int
    op: Op
    field: Field


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of `children`."""

    children: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Any of `children`."""

    children: tuple[Tree, ...]


Tree = Always | Unsupported | Place | AllOf | AnyOf


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """The scans of a shape that are planned by one planner's rules: `rows` are their rows of
    literals, ascending, and `scans` their positions among all scans."""

    rules: PlannerRules
    rows: IntArray
    scans: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Scans of one shape over L rows of literals, none of which occurs twice: `leaves` has one
    leaf of L comparisons for each place. Positions of conjuncts are those of the scans."""

    conjuncts: tuple[Tree, ...]
    leaves: tuple[Leaf, ...]
    count: int
    planned: tuple[Planned, ...]


def places(tree: Tree) -> Iterator[Place]:
    """The comparisons of a tree."""
    match tree:
        case AllOf(children) | AnyOf(children):
            for child in children:
                yield from places(child)
        case Place():
            yield tree
        case _:
            pass


@dataclass(slots=True)
class _Found:
    """Numbers of rows of literals, by their values, and the scans that are planned with them, by
    rules."""

    rows: dict[tuple[tuple[PhysicalValue, ...], ...], int] = field(default_factory=dict)
    planned: dict[PlannerRules, list[tuple[int, int]]] = field(default_factory=dict)


def shapes(scans: Iterable[Scan]) -> tuple[Shape, ...]:
    """Scans, numbered from 0 in the order given, by their shapes."""
    found: dict[tuple[Tree, ...], _Found] = {}
    rows: dict[int, tuple[Predicate, _Found, int]] = {}
    for position, scan in enumerate(scans):
        # The same predicate often stands there once for each planner.
        if id(scan.predicate) not in rows:
            rows[id(scan.predicate)] = scan.predicate, *_row(scan, found)
        _, known, row = rows[id(scan.predicate)]
        known.planned.setdefault(scan.rules, []).append((row, position))
    return tuple(_shape(trees, known) for trees, known in found.items())


def _row(scan: Scan, found: dict[tuple[Tree, ...], _Found]) -> tuple[_Found, int]:
    """The shape of a scan, and its row of literals there."""
    literals: list[tuple[PhysicalValue, ...]] = []
    trees = tuple(_tree(conjunct, literals) for conjunct in scan.conjuncts)
    known = found.setdefault(trees, _Found())
    return known, known.rows.setdefault(tuple(literals), len(known.rows))


def _tree(predicate: Predicate, literals: list[tuple[PhysicalValue, ...]]) -> Tree:
    match predicate:
        case BoundComparison():  # nearly all are; `fold` asks for others first
            literals.append(predicate.values)
            return Place(len(literals) - 1, family(predicate.op), predicate.field)
        case And(children):
            return AllOf(tuple(_tree(child, literals) for child in children))
        case Or(children):
            return AnyOf(tuple(_tree(child, literals) for child in children))
        case Unsupported():
            return replace(predicate, text="", redacted="", columns=())
        case Always():
            return predicate
        case Comparison():
            raise TypeError("a predicate must be bound to field ids before it is evaluated")


def _shape(trees: tuple[Tree, ...], found: _Found) -> Shape:
    rows = list(found.rows)
    leaves = tuple(
        Leaf(
            place.op,
            place.field,
            literals_of((row[place.number] for row in rows), compared_type(place.op, place.field)),
        )
        for tree in trees
        for place in places(tree)
    )
    planned = []
    for rules, pairs in found.planned.items():
        in_order: IntArray = np.array(sorted(pairs), np.int64)
        planned.append(Planned(rules, in_order[:, 0], in_order[:, 1]))
    return Shape(trees, leaves, len(rows), tuple(planned))
