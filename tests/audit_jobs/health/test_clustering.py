"""Overlap and depth, against their definitions."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.health.clustering import MAX_RANGES, clustering, share_held, share_mixed

RANGE = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: tuple(sorted(pair)))


@given(st.lists(RANGE, min_size=2, max_size=30))
def test_overlap_and_depth_are_what_counting_says(bounds: list[tuple[int, int]]) -> None:
    found = clustering(bounds, len(bounds))
    assert found is not None
    pairs = list(combinations(bounds, 2))
    overlapping = sum(1 for a, b in pairs if a[0] <= b[1] and b[0] <= a[1])
    assert found.overlap == pytest.approx(overlapping / len(pairs))
    holding = [sum(1 for low, high in bounds if low <= point <= high) for point, _ in bounds]
    assert found.depth == pytest.approx(sum(holding) / len(bounds))


@pytest.mark.parametrize(
    ("bounds", "overlap", "depth"),
    [
        pytest.param([(1, 2), (3, 4), (5, 6)], 0, 1, id="disjoint"),
        pytest.param([(1, 9), (1, 9), (1, 9)], 1, 3, id="all the same"),
        pytest.param([(b"a", b"b"), (b"b", b"c")], 1, 1.5, id="bytes that touch"),
        pytest.param([(Decimal("1.10"), Decimal("1.20")), (Decimal(2), Decimal(3))], 0, 1, id="d"),
    ],
)
def test_any_type_with_an_order(
    bounds: list[tuple[Any, Any]], overlap: float, depth: float
) -> None:
    found = clustering(bounds, len(bounds))
    assert found is not None
    assert (found.overlap, found.depth) == (overlap, depth)


def test_depth_is_that_of_all_containers_not_of_the_sample() -> None:
    found = clustering([(1, 9)] * 10, population=1_000)
    assert found is not None
    assert found.depth == 1_000


def test_bounds_that_contradict_themselves_tell_nothing() -> None:
    assert clustering([(3, 1), (1, 2)], 2) is None


@given(st.lists(RANGE, min_size=2, max_size=300))
def test_ranges_are_shares_of_the_domain_and_few(bounds: list[tuple[int, int]]) -> None:
    found = clustering(bounds, len(bounds))
    assert found is not None
    assert 0 < len(found.ranges) <= MAX_RANGES
    assert all(0 <= low <= high <= 1 for low, high in found.ranges)
    assert list(found.ranges) == sorted(found.ranges)


@given(st.lists(st.lists(RANGE, max_size=12), max_size=6))
def test_what_is_mixed_is_what_counting_says(parts: list[list[tuple[int, int]]]) -> None:
    pairs = [pair for part in parts for pair in combinations(sorted(part), 2)]
    mixed = sum(1 for one, other in pairs if other[0] < one[1])
    found = share_mixed(parts)
    assert found == (pytest.approx(mixed / len(pairs)) if len(pairs) >= 10 else None)


@pytest.mark.parametrize(
    ("parts", "share"),
    [
        pytest.param([[(n, n + 1) for n in range(5)]] * 3, 0, id="in order in each part"),
        pytest.param([[(n, n + 1)] * 5 for n in range(3)], 1, id="parts follow one another"),
        pytest.param([[(1, 1)] * 5] * 3, 0, id="one value"),
        pytest.param([[(2, 1)] * 5, [(1, 2)] * 5], 1, id="bounds that contradict themselves"),
    ],
)
def test_what_is_mixed_in_parts(parts: list[list[tuple[int, int]]], share: float) -> None:
    assert share_mixed(parts) == share


@given(st.lists(st.lists(RANGE, max_size=12), max_size=6))
def test_what_is_held_is_what_counting_says(parts: list[list[tuple[int, int]]]) -> None:
    pairs = [pair for part in parts for pair in permutations(part, 2)]
    held = sum(1 for one, other in pairs if other[0] <= one[0] <= other[1])
    found = share_held(parts)
    assert found == (pytest.approx(held / len(pairs)) if len(pairs) >= 20 else None)


def test_what_is_held_in_parts() -> None:
    assert share_held([[(n, n) for n in range(5)]] * 3) == 0
    assert share_held([[(1, 1)] * 5] * 3) == 1
