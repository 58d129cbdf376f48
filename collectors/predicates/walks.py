"""Walks over predicates: `leaves` lists the leaves, `fold` combines results of the parts of an AND
and of an OR, `map_leaves` replaces leaves.

A walk stays a function of its own if a part is judged by more than the results of its own parts: by
its siblings, by its surroundings, or as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from prunescope.collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Comparison,
    Or,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    Written,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import NEGATED

_Result = TypeVar("_Result")
_JOINED = (And, Or)  # a union, made at each call, would take half as long as a walk


def leaves(predicate: Predicate) -> Iterable[PredicateLeaf]:
    """The parts that are no AND and no OR, from left to right."""
    if isinstance(predicate, _JOINED):
        return chain.from_iterable(map(leaves, predicate.children))
    return (predicate,)


def comparisons(predicate: Predicate) -> Iterator[BoundComparison]:
    """The single comparisons of a bound predicate."""
    return (leaf for leaf in leaves(predicate) if isinstance(leaf, BoundComparison))


def fold(
    predicate: Predicate,
    leaf: Callable[[PredicateLeaf], _Result],
    conjunction: Callable[[list[_Result]], _Result],
    disjunction: Callable[[list[_Result]], _Result],
) -> _Result:
    """Combines the results of `leaf` for each leaf: `conjunction` those of the parts of an AND,
    `disjunction` those of an OR: `fold(predicate, holds, all, any)`. Leaves are visited from left
    to right."""
    if isinstance(predicate, And):
        return conjunction(
            [fold(child, leaf, conjunction, disjunction) for child in predicate.children]
        )
    if isinstance(predicate, Or):
        return disjunction(
            [fold(child, leaf, conjunction, disjunction) for child in predicate.children]
        )
    return leaf(predicate)


def map_leaves(predicate: Predicate, change: Callable[[PredicateLeaf], Predicate]) -> Predicate:
    """The predicate with each leaf replaced by `change` of it, combined by `all_of` and `any_of`.
    Parts of which no leaf changes are the same objects."""
    if not isinstance(predicate, _JOINED):
        return change(predicate)
    found = [map_leaves(child, change) for child in predicate.children]
    if all(new is old for new, old in zip(found, predicate.children, strict=True)):
        return predicate
    return all_of(*found) if isinstance(predicate, And) else any_of(*found)


def negate(predicate: Predicate) -> Predicate:
    """The negation, pushed down to the leaves. The negation of an unknown part stays unknown."""
    return fold(predicate, _opposite, lambda parts: any_of(*parts), lambda parts: all_of(*parts))


def _opposite(leaf: PredicateLeaf) -> Predicate:
    match leaf:
        case Always(value):
            return Always(not value)
        case Comparison(op, column, values):
            return Comparison(NEGATED[op], column, values, of_text=leaf.of_text)
        case BoundComparison(op, field, values):
            return BoundComparison(NEGATED[op], field, values)
        case Unsupported(reason, text, redacted, columns):
            return Unsupported(reason, f"NOT ({text})", f"NOT ({redacted})", columns)


def written_as(written: Written, predicate: Predicate) -> Predicate:
    """The predicate with `written` at every comparison that has none."""

    def with_it(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case Comparison(written=None) | BoundComparison(written=None):
                return replace(leaf, written=written)
        return leaf

    return map_leaves(predicate, with_it)


def in_own_words(predicate: Predicate) -> Predicate:
    """The predicate as its query writes it, for people: comparisons that were made of other words
    are shown as these words, once."""

    def own(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case (
                Comparison(written=Written(text, redacted))
                | BoundComparison(written=Written(text, redacted))
                | Unsupported(_, text, redacted)  # the rest of what a comparison was made of
            ):
                return Unsupported(Reason.FUNCTION, text, redacted)
        return leaf

    return map_leaves(predicate, own)
