"""The comparisons that a bound predicate is made of."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.collectors.predicates.model import And, BoundComparison, Or, Predicate


def leaves(predicate: Predicate) -> Iterator[BoundComparison]:
    """The comparisons in a predicate."""
    match predicate:
        case And(children) | Or(children):
            for child in children:
                yield from leaves(child)
        case BoundComparison():
            yield predicate
