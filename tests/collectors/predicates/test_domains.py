"""Domains against what their predicate says of single values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.predicates.domains import (
    Domain,
    Range,
    domain_of,
    domain_of_leaf,
    intersection,
)
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import And, BoundComparison, Field, Or, Predicate
from prunescope.collectors.predicates.operators import Op

FIELD = Field(1, "x", "int")
VALUES = range(-1, 8)

comparisons = st.one_of(
    st.builds(
        lambda op, value: BoundComparison(op, FIELD, (value,)),
        st.sampled_from([Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.EQ, Op.NOT_EQ]),
        st.integers(0, 6),
    ),
    st.builds(
        lambda op, values: BoundComparison(op, FIELD, tuple(sorted(values))),
        st.sampled_from([Op.IN, Op.NOT_IN]),
        st.sets(st.integers(0, 6), min_size=1, max_size=4),
    ),
    st.sampled_from([Op.IS_NULL, Op.NOT_NULL]).map(lambda op: BoundComparison(op, FIELD)),
)
predicates = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
    ),
    max_leaves=8,
)


def holds(predicate: Predicate, value: int | None) -> bool:
    """SQL's own verdict: a comparison with null is not true."""
    match predicate:
        case And(children):
            return all(holds(child, value) for child in children)
        case Or(children):
            return any(holds(child, value) for child in children)
        case BoundComparison(Op.IS_NULL):
            return value is None
        case BoundComparison(Op.NOT_NULL):
            return value is not None
        case BoundComparison(op, _, values):
            return value is not None and _compares(op, value, values)
    raise AssertionError(predicate)


def _compares(op: Op, value: int, values: tuple[PhysicalValue, ...]) -> bool:
    first = values[0]
    assert isinstance(first, int)
    return {
        Op.LT: value < first,
        Op.LT_EQ: value <= first,
        Op.GT: value > first,
        Op.GT_EQ: value >= first,
        Op.EQ: value == first,
        Op.NOT_EQ: value != first,
        Op.IN: value in values,
        Op.NOT_IN: value not in values,
    }[op]


def within(part: Range, value: int | bytes) -> bool:
    low = part.low is None or value > part.low or (part.low_in and value == part.low)  # type: ignore[operator]
    high = part.high is None or value < part.high or (part.high_in and value == part.high)  # type: ignore[operator]
    return low and high


@given(predicates)
@pytest.mark.slow
def test_a_domain_holds_just_the_values_that_match(predicate: Predicate) -> None:
    domain = domain_of(predicate)
    assert domain is not None
    assert domain.nulls == holds(predicate, None)
    for value in VALUES:
        inside = [part for part in domain.ranges if within(part, value)]
        assert len(inside) == holds(predicate, value), value


@given(predicates)
def test_ranges_are_ascending_and_not_empty(predicate: Predicate) -> None:
    domain = domain_of(predicate)
    assert domain is not None
    assert intersection([domain]) == domain
    highs = [part.high for part in domain.ranges[:-1]]
    lows = [part.low for part in domain.ranges[1:]]
    assert None not in [*highs, *lows]
    assert all(high <= low for high, low in zip(highs, lows, strict=True))  # type: ignore[operator]


def test_what_is_no_range_of_values_has_no_domain() -> None:
    prefix = BoundComparison(Op.STARTS_WITH, Field(1, "x", "string"), (b"a",))
    day = BoundComparison(Op.EQ, Field(1, "x", "date", "month"), (3,))
    assert domain_of(prefix) is None
    assert domain_of(And((BoundComparison(Op.NOT_NULL, FIELD), prefix))) is None
    assert domain_of(day) is None


def test_an_inequality_of_floating_numbers_has_none_without_nan() -> None:
    leaf = BoundComparison(Op.NOT_EQ, Field(1, "x", "double"), (5.0,))
    assert domain_of(leaf) is None
    assert domain_of_leaf(leaf) == Domain((Range(high=5.0), Range(low=5.0)), False, nans=True)


prefixes = st.binary(min_size=1, max_size=3) | st.sampled_from([b"\xff", b"a\xff", b"\xff\xff"])


@given(prefixes, st.binary(max_size=5) | prefixes.map(lambda prefix: prefix + b"z"))
def test_the_domain_of_a_prefix_holds_what_starts_with_it(prefix: bytes, value: bytes) -> None:
    field = Field(1, "s", "string")
    for op, expected in (
        (Op.STARTS_WITH, value.startswith(prefix)),
        (Op.NOT_STARTS_WITH, not value.startswith(prefix)),
    ):
        domain = domain_of_leaf(BoundComparison(op, field, (prefix,)))
        assert domain is not None
        assert not domain.nulls
        inside = [part for part in domain.ranges if within(part, value)]
        assert len(inside) == expected


@pytest.mark.slow
def test_a_list_of_many_values_leaves_one_range_more() -> None:
    domain = domain_of(BoundComparison(Op.NOT_IN, FIELD, tuple(range(0, 100_000, 2))))
    assert domain is not None
    assert len(domain.ranges) == 50_001


def test_a_null_check_tells_nothing_else() -> None:
    assert Domain((), nulls=True).is_null_check
    assert Domain((Range(),), nulls=False).is_null_check
    assert not Domain((Range(low=3),), nulls=True).is_null_check
