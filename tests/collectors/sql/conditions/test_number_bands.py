"""Bands of numbers are the numbers that Python puts into them, as the engines have it."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.collectors.predicates.calculated import told, values_of
from tests.collectors.predicates.row_evaluator import SIGNS, matches

_signs = st.sampled_from([sign for sign in SIGNS if sign != "<>"])
_numbers = st.one_of(
    st.integers(-300, 300),
    st.sampled_from([-(2**31), 2**31 - 1, -(2**30), 2**30 - 1, -1, 0]),
)


@given(sign=_signs, bits=st.integers(1, 31), value=_numbers, numbers=st.lists(_numbers, min_size=1))
@example(sign="=", bits=4, value=-1, numbers=[-16, -17, -1, 0])
@example(sign=">=", bits=1, value=2**31 - 1, numbers=[-1, -2, 1])
def test_shifts_are_those_of_java(sign: str, bits: int, value: int, numbers: list[int]) -> None:
    forms: dict[tuple[str, str], Callable[[int], int]] = {
        ("trino", f"bitwise_right_shift_arithmetic(i, {bits})"): lambda n: n >> bits,
        ("spark", f"shiftright(i, {bits})"): lambda n: n >> bits,
        ("trino", f"bitwise_right_shift(i, {bits})"): lambda n: (n & 0xFFFFFFFF) >> bits,
        ("spark", f"shiftrightunsigned(i, {bits})"): lambda n: (n & 0xFFFFFFFF) >> bits,
    }
    for (dialect, sql), of in forms.items():
        found = values_of(f"{sql} {sign} {value}", dialect)
        assert found.is_exact
        for number in numbers:
            assert matches(found.predicate, {"i": number}) == SIGNS[sign](of(number), value), number


@given(sign=_signs, of=st.integers(1, 50), value=_numbers, numbers=st.lists(_numbers, min_size=1))
def test_multiples_are_towards_zero(sign: str, of: int, value: int, numbers: list[int]) -> None:
    for dialect in ("trino", "spark"):
        found = values_of(f"i - i % {of} {sign} {value}", dialect)
        assert found.is_exact
        for number in numbers:
            multiple = number - int(math.fmod(number, of))
            assert matches(found.predicate, {"i": number}) == SIGNS[sign](multiple, value), number


def width_bucket(number: float, low: float, high: float, count: int) -> int:
    """Trino's."""
    if number < low:
        return 0
    if number >= high:
        return count + 1
    return int(count * (number - low) / (high - low) + 1)


@given(
    sign=_signs,
    ends=st.sampled_from([("0", "100"), ("-1.5", "2.7"), ("0.1", "0.7"), ("1000000", "1000001")]),
    count=st.integers(1, 30),
    band=st.integers(-1, 32),
    part=st.floats(-0.5, 1.5),
    beside=st.integers(-2, 2),
)
def test_rows_of_a_band_are_kept(
    sign: str, ends: tuple[str, str], count: int, band: int, part: float, beside: int
) -> None:
    low, high = map(float, ends)
    numbers = [low + part * (high - low)]
    edge = low + max(0, min(band, count)) * (high - low) / count
    for _ in range(abs(beside)):
        edge = math.nextafter(edge, math.copysign(math.inf, beside))
    numbers.append(edge)
    found = values_of(f"width_bucket(x, {ends[0]}, {ends[1]}, {count}) {sign} {band}", "trino")
    for number in numbers:
        if SIGNS[sign](width_bucket(number, low, high, count), band):
            assert matches(found.predicate, {"x": number}), number


@pytest.mark.parametrize(
    ("dialect", "sql", "values"),
    [
        ("spark", "shiftright(l, 22) = 3", "l >= 12582912 AND l <= 16777215"),
        ("spark", "i >> 4 < 2", "i <= 31"),
        ("trino", "bitwise_right_shift(l, 1) >= 0", "l IS NOT NULL"),
        ("trino", "width_bucket(i, 0, 100, 20) = 5", "i >= 20 AND i <= 25 AND …"),
        ("trino", "shiftright(i, 2) = 1", "…"),
        ("spark", "shiftright(i, 32) = 1", "…"),
        ("spark", "shiftright(i, l) = 1", "…"),
        ("spark", "shiftright(x, 2) = 1", "…"),
        ("trino", "width_bucket(x, 100, 0, 20) = 5", "…"),
        ("trino", "width_bucket(x, ARRAY[1, 2]) = 1", "…"),
        ("trino", "floor(m / 2.5) = 1", "…"),
        ("trino", "l - l % 1000 = 7000", "l >= 7000 AND l <= 7999"),
        ("spark", "i - mod(i, 100) BETWEEN 100 AND 200", "i >= 100 AND i <= 299"),
        ("spark", "l - l % 1000 = 7001", "FALSE"),
        ("trino", "l - i % 1000 = 7000", "…"),
        ("trino", "l - l % l = 7000", "…"),
        ("trino", "x - x % 1000 = 7000", "…"),
        ("trino", "floor(i / 2.5) = 1", "i >= 3 AND i <= 5 AND …"),
        ("trino", "x / 0.0 = 1", "…"),
    ],
)
def test_what_is_known_of_bands(dialect: str, sql: str, values: str) -> None:
    assert told(sql, dialect) == values
