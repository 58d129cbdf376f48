"""Bounds that a predicate implies for each of its columns alone, for engines that push no OR of
several: `m = 1 AND d >= 28 OR m = 2 AND d <= 3` implies `m >= 1 AND m <= 2` and `d >= 28 OR d <=
3`."""

from __future__ import annotations

from itertools import product

from prunescope.collectors.predicates.column_domains import Domains, as_predicate, domains_of
from prunescope.collectors.predicates.domains import intersection, union
from prunescope.collectors.predicates.model import And, Or, Predicate, all_of
from prunescope.collectors.predicates.simplify import closed

_MAX_ARMS = 64


def by_column(predicate: Predicate) -> Predicate:
    """The conjunction of conditions on single columns that a bound predicate implies."""
    arms = [found for arm in _arms(predicate) if (found := _limits(arm)) is not None]
    if not arms:
        return predicate
    fields = [field for field in arms[0] if all(field in arm for arm in arms)]
    return all_of(
        *(
            as_predicate(field, closed(field, union([arm[field] for arm in arms])))
            for field in fields
        )
    )


def _limits(arm: Predicate) -> Domains | None:
    """The domains of columns in an arm; None for one that lets no row through."""
    found = domains_of(arm)
    if found is None:
        return None
    # Between two whole numbers that follow each other, there is none.
    limits = {field: intersection([closed(field, domain)] * 2) for field, domain in found.items()}
    return None if any(domain.is_empty for domain in limits.values()) else limits


def _arms(predicate: Predicate) -> list[Predicate]:
    """A predicate as an OR of conjunctions, as long as these are few."""
    match predicate:
        case Or(children):
            found = [arm for child in children for arm in _arms(child)]
        case And(children):
            found = [predicate]
            parts = [_arms(child) for child in children]
            number = 1
            for part in parts:
                number *= len(part)
            if number <= _MAX_ARMS:
                found = [all_of(*arm) for arm in product(*parts)]
        case _:
            found = [predicate]
    return found if len(found) <= _MAX_ARMS else [predicate]
