"""Domains: the values of one column that a predicate lets through, as Trino's planner has them
(io.trino.spi.predicate.Domain over a SortedRangeSet)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from collectors.predicates.model import And, BoundComparison, Op, Or, PhysicalValue, Predicate


@dataclass(frozen=True, slots=True)
class Range:
    """The values between two bounds, None for no bound; `low_in` and `high_in` tell whether
    the bounds themselves are among them."""

    low: PhysicalValue | None = None
    high: PhysicalValue | None = None
    low_in: bool = False
    high_in: bool = False


_EVERYTHING = Range()


@dataclass(frozen=True, slots=True)
class Domain:
    """Disjoint ranges of values in ascending order, and whether null is let through."""

    ranges: tuple[Range, ...]
    nulls: bool

    @property
    def is_null_check(self) -> bool:
        """Whether it tells null from other values, and nothing else."""
        return self.ranges in ((), (_EVERYTHING,))


def domain_of(predicate: Predicate) -> Domain | None:
    """The domain of a bound predicate whose comparisons are all of one column; None if part of
    it has none (NaN, prefixes, transforms, other expressions). As in SQL, comparisons let no
    null through."""
    match predicate:
        case And(children):
            parts = [domain_of(child) for child in children]
            known = [part for part in parts if part is not None]
            return intersection(known) if len(known) == len(parts) else None
        case Or(children):
            parts = [domain_of(child) for child in children]
            known = [part for part in parts if part is not None]
            return _union(known) if len(known) == len(parts) else None
        case BoundComparison(op, field, values) if field.transform is None:
            return _comparison(op, values)
        case _:
            return None


def _comparison(op: Op, values: tuple[PhysicalValue, ...]) -> Domain | None:
    match op:
        case Op.IS_NULL:
            return Domain((), nulls=True)
        case Op.NOT_NULL:
            return Domain((_EVERYTHING,), nulls=False)
        case Op.EQ | Op.IN:
            return Domain(_merged(Range(v, v, True, True) for v in values), nulls=False)
        case Op.NOT_EQ | Op.NOT_IN:
            gaps = [_without(value) for value in values]
            return intersection([Domain(gap, nulls=False) for gap in gaps])
        case Op.LT | Op.LT_EQ:
            return Domain((Range(high=values[0], high_in=op is Op.LT_EQ),), nulls=False)
        case Op.GT | Op.GT_EQ:
            return Domain((Range(low=values[0], low_in=op is Op.GT_EQ),), nulls=False)
        case _:
            return None


def _without(value: PhysicalValue) -> tuple[Range, ...]:
    return Range(high=value), Range(low=value)


def intersection(domains: Iterable[Domain]) -> Domain:
    """What all of the domains let through."""
    ranges: tuple[Range, ...] = (_EVERYTHING,)
    nulls = True
    for domain in domains:
        ranges = tuple(_overlaps(ranges, domain.ranges))
        nulls = nulls and domain.nulls
    return Domain(ranges, nulls)


def _overlaps(left: tuple[Range, ...], right: tuple[Range, ...]) -> Iterable[Range]:
    first = second = 0
    while first < len(left) and second < len(right):
        a, b = left[first], right[second]
        low, high = max(a, b, key=_low_key), min(a, b, key=_high_key)
        both = Range(low.low, high.high, low.low_in, high.high_in)
        if not _is_empty(both):
            yield both
        if high is a:
            first += 1
        else:
            second += 1


def _union(domains: list[Domain]) -> Domain:
    ranges = (part for domain in domains for part in domain.ranges)
    return Domain(_merged(ranges), any(domain.nulls for domain in domains))


def _merged(ranges: Iterable[Range]) -> tuple[Range, ...]:
    merged: list[Range] = []
    for part in sorted(ranges, key=_low_key):
        if merged and _touch(merged[-1], part):
            last = merged.pop()
            high = max(last, part, key=_high_key)
            part = Range(last.low, high.high, last.low_in, high.high_in)  # noqa: PLW2901
        merged.append(part)
    return tuple(merged)


def _touch(first: Range, second: Range) -> bool:
    """Whether no value lies between two ranges, of which the first starts first."""
    if first.high is None or second.low is None:
        return True
    if _value(second.low) == _value(first.high):
        return first.high_in or second.low_in
    return bool(_value(second.low) < _value(first.high))


def _is_empty(part: Range) -> bool:
    if part.low is None or part.high is None:
        return False
    if _value(part.low) == _value(part.high):
        return not (part.low_in and part.high_in)
    return bool(_value(part.low) > _value(part.high))


def _low_key(part: Range) -> tuple[Any, ...]:
    return (0,) if part.low is None else (1, _value(part.low), 0 if part.low_in else 1)


def _high_key(part: Range) -> tuple[Any, ...]:
    return (1,) if part.high is None else (0, _value(part.high), 1 if part.high_in else 0)


def _value(value: PhysicalValue) -> Any:
    """Values of one column are of one type, which compares with itself."""
    return value
