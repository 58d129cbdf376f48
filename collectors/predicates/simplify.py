"""Simplification: predicates as column domains, and the rest under these domains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from prunescope.collectors.predicates.column_domains import as_predicate, domains_of
from prunescope.collectors.predicates.domains import Domain, Range, domain_of, intersection
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    Field,
    Or,
    Predicate,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.types import is_floating

_ROUNDS = 8
_COMPARED = ORDERED | {Op.EQ, Op.IN, Op.IS_NULL, Op.NOT_NULL}
_WHOLE = frozenset({"int", "long", "date"})
Within = Mapping[Field, Domain]
NOWHERE_KNOWN: Within = {}


def simplified(predicate: Predicate, within: Within = NOWHERE_KNOWN) -> Predicate:
    """A bound predicate as the domain of each column and what is left of it where these hold:
    `(y > 2026 OR (y > 2025 AND m >= 2)) AND y < 2027` is `y = 2026 AND m >= 2`. All values of a
    column lie `within` a domain, where one is given: outside of it, the result may let through
    other rows. Columns that are compared by prefixes, or whose values have no order for all engines
    stay as they are, and so does what would not be shorter."""
    fields = _comparable(predicate)
    # Null lies within no domain: of a column that may be null, all values are taken.
    nullable = {leaf.field for leaf in comparisons(predicate) if leaf.op is Op.IS_NULL}
    within = {field: domain for field, domain in within.items() if field not in nullable}
    found: dict[Field, Domain] = {}
    rest = predicate
    for _ in range(_ROUNDS):
        domains = domains_of(rest)
        if domains is None:
            return predicate
        for field, domain in domains.items():
            if field in fields:
                found[field] = intersection([found[field], domain] if field in found else [domain])
        limits = {
            field: closed(field, intersection([of[field] for of in (found, within) if field in of]))
            for field in fields
            if field in found or field in within
        }
        if any(limit.is_empty for limit in limits.values()):
            return predicate
        restricted = _restricted(rest, limits)
        if restricted == rest:
            break
        rest = restricted
    left = {leaf.field for leaf in comparisons(rest)}
    told = (
        _told(field, domain, within.get(field), is_all=field not in left)
        for field, domain in found.items()
    )
    short = all_of(*told, rest)
    return short if _length(short) < _length(predicate) else predicate


def _comparable(predicate: Predicate) -> list[Field]:
    """The columns of which a predicate restricts nothing but values and ranges."""
    told: dict[Field, bool] = {}
    for leaf in comparisons(predicate):
        field = leaf.field
        is_plain = field.transform is None and field.type != "uuid" and not is_floating(field.type)
        told[field] = told.get(field, True) and is_plain and leaf.op in _COMPARED
    return [field for field, is_comparable in told.items() if is_comparable]


def _length(predicate: Predicate) -> int:
    return sum(1 for _ in comparisons(predicate))


def _restricted(predicate: Predicate, limits: Within) -> Predicate:
    """The rest of a predicate for rows whose columns lie in these domains."""
    fields = {leaf.field for leaf in comparisons(predicate)}
    if len(fields) == 1 and (field := next(iter(fields))) in limits:
        domain = domain_of(predicate)
        if domain is not None:
            limit = limits[field]
            both = intersection([limit, closed(field, domain)])
            if both.is_empty:
                return FALSE
            if both == limit:
                return TRUE
    match predicate:
        case And(children):
            return all_of(*(_restricted(child, limits) for child in children))
        case Or(children):
            return any_of(*(_restricted(child, limits) for child in children))
    return predicate


def _told(field: Field, domain: Domain, within: Domain | None, *, is_all: bool) -> Predicate:
    if within is not None:
        if intersection([domain, within]).ranges == within.ranges:
            # What is all that is said of a column says that it is not null, too.
            return as_predicate(field, domain) if is_all else TRUE
        met = (part for part in domain.ranges if _meets(part, within))
        domain = replace(domain, ranges=tuple(met))
    whole = closed(field, domain)
    has_values = all(part.is_single_value for part in whole.ranges)
    return as_predicate(field, whole if has_values else domain)


def _meets(part: Range, within: Domain) -> bool:
    return bool(intersection([Domain((part,), nulls=False), within]).ranges)


def closed(field: Field, domain: Domain) -> Domain:
    """A domain of whole numbers with its bounds among its values."""
    if field.type not in _WHOLE:
        return domain
    ranges: list[Range] = []
    for part in map(_with_bounds, domain.ranges):
        last = ranges[-1] if ranges else None
        if last is not None and isinstance(last.high, int) and part.low == last.high + 1:
            ranges[-1] = replace(last, high=part.high, high_in=part.high_in)
        else:
            ranges.append(part)
    return replace(domain, ranges=tuple(ranges))


def _with_bounds(part: Range) -> Range:
    low, high = part.low, part.high
    if isinstance(low, int) and not part.low_in:
        low = low + 1
    if isinstance(high, int) and not part.high_in:
        high = high - 1
    return Range(low, high, low is not None, high is not None)
