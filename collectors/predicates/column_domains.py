"""Domains of columns: the values that all conditions of a filter on one column let through
together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prunescope.collectors.predicates.domains import (
    EVERYTHING,
    Domain,
    Range,
    domain_of_leaf,
    intersection,
    union,
)
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Always,
    BoundComparison,
    Field,
    Or,
    Predicate,
    PredicateLeaf,
    all_of,
    any_of,
    conjuncts,
)
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.predicates.walks import fold
from prunescope.collectors.types import is_floating

_INEQUALITIES = frozenset({Op.NOT_EQ, Op.NOT_IN})
_WHOLE = frozenset({"int", "long", "date", "time", "timestamp"})
_RANGES = ORDERED | {Op.EQ, Op.STARTS_WITH, Op.NOT_NULL}

MAX_RANGES = 1000
"""The most ranges of a column; more become their span
(IcebergSplitManager.ICEBERG_DOMAIN_COMPACTION_THRESHOLD, Trino 482). Each is a comparison of its
own."""

Domains = Mapping[Field, Domain]


def domains_of(predicate: Predicate) -> Domains | None:
    """The domain of each column that a bound predicate limits; None if it lets no row through.
    Of an OR, a column has the union of its domains, if every arm that can be true limits it."""
    return fold(predicate, _of_leaf, _all, _any)


def _of_leaf(leaf: PredicateLeaf) -> Domains | None:
    match leaf:
        case Always(value):
            return {} if value else None
        case BoundComparison(_, field):
            domain = domain_of_leaf(leaf)
            return {} if domain is None else {field: domain}
        case _:
            return {}


def _all(parts: Sequence[Domains | None]) -> Domains | None:
    by_field: dict[Field, list[Domain]] = {}
    for part in parts:
        if part is None:
            return None
        for field, domain in part.items():
            by_field.setdefault(field, []).append(domain)
    found = {field: intersection(domains) for field, domains in by_field.items()}
    return None if any(domain.is_empty for domain in found.values()) else found


def _any(parts: Sequence[Domains | None]) -> Domains | None:
    arms = [part for part in parts if part is not None]
    if not arms:
        return None
    shared = [field for field in arms[0] if all(field in arm for arm in arms[1:])]
    return {field: union([arm[field] for arm in arms]) for field in shared}


def spanned(domain: Domain) -> Domain:
    """A domain of one range, from the least value of another to its greatest."""
    first, last = domain.ranges[0], domain.ranges[-1]
    span = Range(first.low, last.high, first.low_in, last.high_in)
    return Domain((span,), domain.nulls, domain.nans)


def continuous(field: Field, domain: Domain) -> Domain:
    """A list of all values from the first to the last as one range, and what lies outside of such
    a list as two (SimplifyContinuousInValues of Trino 483)."""
    ranges = domain.ranges
    if field.type in _WHOLE:
        if all(part.is_single_value for part in ranges) and _follow([r.low for r in ranges]):
            return spanned(domain)
        listed = [part.high for part in ranges[:-1]]
        if listed == [part.low for part in ranges[1:]] and _follow(listed):
            return Domain((ranges[0], ranges[-1]), domain.nulls)
    return domain


def _follow(values: Sequence[PhysicalValue | None]) -> bool:
    """True if there are several values, each one more than the one before."""
    if len(values) < 2 or not isinstance(values[0], int) or not isinstance(values[-1], int):
        return False
    return values[-1] - values[0] + 1 == len(values)


def as_predicate(field: Field, domain: Domain) -> Predicate:
    """A domain as comparisons: null, the values that stand alone, the ranges."""
    if domain.ranges == (EVERYTHING,) and domain.nulls:
        has_all = domain.nans or not is_floating(field.type)
        return TRUE if has_all else BoundComparison(Op.NOT_NAN, field)
    alone = tuple(part.low for part in domain.ranges if part.is_single_value)
    values = tuple(value for value in alone if value is not None)
    return any_of(
        BoundComparison(Op.IS_NULL, field) if domain.nulls else FALSE,
        BoundComparison(Op.IN if len(values) > 1 else Op.EQ, field, values) if values else FALSE,
        *(_within(field, part) for part in domain.ranges if not part.is_single_value),
        BoundComparison(Op.IS_NAN, field) if domain.nans else FALSE,
    )


def _within(field: Field, part: Range) -> Predicate:
    if part == EVERYTHING:
        return BoundComparison(Op.NOT_NULL, field)
    low, high = Op.GT_EQ if part.low_in else Op.GT, Op.LT_EQ if part.high_in else Op.LT
    return all_of(
        TRUE if part.low is None else BoundComparison(low, field, (part.low,)),
        TRUE if part.high is None else BoundComparison(high, field, (part.high,)),
    )


def tightened(predicate: Predicate) -> Predicate:
    """The same filter with the common domains of its columns: FALSE if conditions exclude each
    other (`a = 1 AND a = 2`), otherwise its conjuncts, in order, and after them the conditions that
    follow from several of them (`a = 9` from `a IN (1, 9) AND a > 5`)."""
    parts = conjuncts(predicate)
    if _are_apart(parts):
        return predicate
    limiting: dict[Field, list[tuple[Predicate, Domain]]] = {}
    for part in parts:
        domains = domains_of(part)
        if domains is None:
            return FALSE
        for field, domain in domains.items():
            limiting.setdefault(field, []).append((part, domain))
    together = {
        field: _of_values(field, intersection([domain for _, domain in found]))
        for field, found in limiting.items()
    }
    if any(domain.is_empty for domain in together.values()):
        return FALSE
    arms = (_tightened_arms(part) for part in parts)
    implied = (
        _implied(field, together[field], [part for part, _ in found])
        for field, found in limiting.items()
    )
    more = [found for found in (*arms, *implied) if found is not None]
    return all_of(*parts, *more) if more else predicate


def _of_values(field: Field, domain: Domain) -> Domain:
    """A domain of booleans as its values: not false means true."""
    if field.type != "boolean" or domain.ranges == (EVERYTHING,):
        return domain
    return intersection(
        [domain, Domain(tuple(Range(v, v, True, True) for v in (0, 1)), nulls=True)]
    )


def _are_apart(parts: Sequence[Predicate]) -> bool:
    """True if each part compares a column of its own and says no more as a range."""
    fields = {
        part.field
        for part in parts
        if isinstance(part, BoundComparison) and part.op not in _INEQUALITIES
    }
    return len(fields) == len(parts)


def _tightened_arms(part: Predicate) -> Predicate | None:
    if not isinstance(part, Or):
        return None
    found = any_of(*map(tightened, part.children))
    return None if found == part else found


def _implied(field: Field, together: Domain, conditions: Sequence[Predicate]) -> Predicate | None:
    """The domain of a column, if it is narrower than the column's single conditions."""
    if _are_apart(conditions):
        return None
    if sum(not part.is_single_value for part in together.ranges) > MAX_RANGES:
        together = spanned(together)
    implied = as_predicate(field, together)
    return implied if implied not in conditions and _says_more(implied, conditions) else None


def _says_more(implied: Predicate, conditions: Sequence[Predicate]) -> bool:
    """Tells whether the common domain of one column's conditions lifts to more than these do.

    Ranges lift onto time and truncated values, and values onto all partitions. So several ranges
    imply nothing more (if they meet each other, and each of them meets the bounds of a file, they
    meet within these bounds), unless a single value is left; an inequality does, as ranges; and
    arms of a disjunction may say together what none of them lifts (`a > 5 OR a IS NOT NULL`)."""
    ops = [part.op for part in conditions if isinstance(part, BoundComparison)]
    is_leaf = isinstance(implied, BoundComparison)
    if len(ops) < len(conditions):
        return len(conditions) > 1 or (is_leaf and not _has_only_values(conditions[0]))
    if len(conditions) == 1:
        return ops[0] in _INEQUALITIES
    return is_leaf or not _RANGES.issuperset(ops)


def _has_only_values(part: Predicate) -> bool:
    return isinstance(part, Or) and all(
        isinstance(arm, BoundComparison) and arm.op in (Op.EQ, Op.IN) for arm in part.children
    )
