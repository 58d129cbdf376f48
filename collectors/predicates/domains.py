"""Domains: the values of one column that a predicate lets through, as Trino's planner has them
(io.trino.spi.predicate.Domain over a SortedRangeSet)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison, Predicate, PredicateLeaf
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import fold
from prunescope.collectors.types import is_floating


@dataclass(frozen=True, slots=True)
class Range:
    """The values between two bounds, None for no bound; `low_in` and `high_in` tell whether
    the bounds themselves are among them."""

    low: PhysicalValue | None = None
    high: PhysicalValue | None = None
    low_in: bool = False
    high_in: bool = False

    @property
    def is_single_value(self) -> bool:
        """True if the range holds exactly one value."""
        return self.low is not None and self.low == self.high


EVERYTHING = Range()


@dataclass(frozen=True, slots=True)
class Domain:
    """Disjoint ranges of values in ascending order, and whether null is let through, and NaN."""

    ranges: tuple[Range, ...]
    nulls: bool
    nans: bool = False

    @property
    def is_empty(self) -> bool:
        """True if the domain lets nothing through."""
        return not (self.ranges or self.nulls or self.nans)

    @property
    def is_everything(self) -> bool:
        """True if the domain lets every value and null through; NaN is not looked at."""
        return self.nulls and self.ranges == (EVERYTHING,)

    @property
    def is_null_check(self) -> bool:
        """True if the domain separates null from other values, and nothing else."""
        return self.ranges in ((), (EVERYTHING,))


def domain_of(predicate: Predicate) -> Domain | None:
    """The domain of a bound predicate whose comparisons are all of one column; None if part of
    it has none (NaN, prefixes, transforms, other expressions). As in SQL, comparisons let no
    null through."""
    return fold(
        predicate,
        _of_leaf,
        lambda parts: _of_all(parts, intersection),
        lambda parts: _of_all(parts, union),
    )


def _of_leaf(leaf: PredicateLeaf) -> Domain | None:
    match leaf:
        case BoundComparison(op, field) if field.transform is None:
            negated = op in (Op.NOT_EQ, Op.NOT_IN)  # NaN is not equal to any value
            return None if negated and is_floating(field.type) else _comparison(leaf)
        case _:
            return None


def _of_all(parts: list[Domain | None], combine: Callable[[list[Domain]], Domain]) -> Domain | None:
    known = [part for part in parts if part is not None]
    return combine(known) if len(known) == len(parts) else None


def domain_of_leaf(leaf: BoundComparison) -> Domain | None:
    """The domain of one comparison of a column; None where engines do not agree on an order of
    its values. NaN counts as above all values, as Spark has it: Trino has it above none."""
    if leaf.field.transform is not None:
        return None
    domain = _comparison(leaf)
    match leaf.op:
        case Op.STARTS_WITH:
            return Domain((_prefixed(_prefix(leaf)),), nulls=False)
        case Op.NOT_STARTS_WITH:
            return Domain(_outside(_prefixed(_prefix(leaf))), nulls=False)
        case Op.IS_NAN:
            return Domain((), nulls=False, nans=True)
        case Op.NOT_NAN:
            return Domain((EVERYTHING,), nulls=True)
        case Op.LT | Op.LT_EQ | Op.GT | Op.GT_EQ if leaf.field.type == "uuid":
            return None
        case Op.GT | Op.GT_EQ | Op.NOT_EQ | Op.NOT_IN | Op.NOT_NULL if domain is not None:
            return Domain(domain.ranges, domain.nulls, nans=is_floating(leaf.field.type))
    return domain


def _comparison(leaf: BoundComparison) -> Domain | None:
    op, values = leaf.op, leaf.values
    match op:
        case Op.IS_NULL:
            return Domain((), nulls=True)
        case Op.NOT_NULL:
            return Domain((EVERYTHING,), nulls=False)
        case Op.EQ:
            (value,) = values
            return Domain((Range(value, value, True, True),), nulls=False)
        case Op.IN:
            return Domain(_merged(Range(v, v, True, True) for v in values), nulls=False)
        case Op.NOT_EQ | Op.NOT_IN:
            return Domain(tuple(_between(sorted(set(values), key=_value))), nulls=False)
        case Op.LT | Op.LT_EQ:
            return Domain((Range(high=values[0], high_in=op is Op.LT_EQ),), nulls=False)
        case Op.GT | Op.GT_EQ:
            return Domain((Range(low=values[0], low_in=op is Op.GT_EQ),), nulls=False)
        case _:
            return None


def _between(values: Sequence[PhysicalValue]) -> Iterator[Range]:
    """The ranges that ascending values leave."""
    low: PhysicalValue | None = None
    for value in values:
        yield Range(low=low, high=value)
        low = value
    yield Range(low=low)


def _prefix(leaf: BoundComparison) -> bytes:
    (prefix,) = leaf.values
    assert isinstance(prefix, bytes)
    return prefix


def _prefixed(prefix: bytes) -> Range:
    """The values that start with a prefix, in the order of their bytes."""
    head = prefix.rstrip(b"\xff")
    return Range(prefix, head[:-1] + bytes([head[-1] + 1]) if head else None, low_in=True)


def _outside(part: Range) -> tuple[Range, ...]:
    """The values beside a range that includes its lower end alone."""
    above = () if part.high is None else (Range(low=part.high, low_in=True),)
    return (Range(high=part.low), *above)


def intersection(domains: Sequence[Domain]) -> Domain:
    """The domain that all domains let through; everything, if there is none. Divides into halves,
    so that many ranges in many domains are not walked again and again."""
    match domains:
        case []:
            return Domain((EVERYTHING,), nulls=True, nans=True)
        case [domain]:
            return domain
    middle = len(domains) // 2
    left, right = intersection(domains[:middle]), intersection(domains[middle:])
    ranges = tuple(_overlaps(left.ranges, right.ranges))
    return Domain(ranges, left.nulls and right.nulls, left.nans and right.nans)


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


def union(domains: Sequence[Domain]) -> Domain:
    """The domain that any of the domains lets through."""
    ranges = (part for domain in domains for part in domain.ranges)
    nulls, nans = any(d.nulls for d in domains), any(d.nans for d in domains)
    return Domain(_merged(ranges), nulls, nans)


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
    """True if no value lies between two ranges, the first of which starts first."""
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
    """The value, typed as one that compares: values of one column are of one type."""
    return value
