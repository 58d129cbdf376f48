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


_LEAST, _MOST = -(2**63), 2**63 - 1


def _floor(number: float) -> int:
    """Spark's floor() of a double, which ends at the bounds of 64 bits."""
    return 0 if math.isnan(number) else int(max(_LEAST, min(_MOST, math.floor(number))))


def _wrapped(number: int) -> int:
    """A whole number of 64 bits without ANSI mode."""
    return (number - _LEAST) % 2**64 + _LEAST


@given(
    sign=st.sampled_from(sorted(SIGNS)),
    size=st.sampled_from([2, 3, 7, 100, 3_600, 86_400_000, -5]),
    times=st.sampled_from([2, 3, 100, 3_600, -7]),
    number=st.integers(_LEAST, _MOST) | st.integers(-400, 400) | st.sampled_from([_LEAST, _MOST]),
    value=st.none() | st.integers(-500, 500),
    is_above=st.booleans(),
)
@example("=", 3_600, 3_600, _MOST, None, False)
@example("=", 3, 3_600, _LEAST, None, True)
def test_spark_multiplies_whole_bands(
    sign: str, size: int, times: int, number: int, value: int | None, is_above: bool
) -> None:
    function, of = ("ceil", lambda n: -_floor(-n)) if is_above else ("floor", _floor)
    for column, one in (("l", number), ("x", float(number))):
        results = {_wrapped(of(one / size) * times), of(one / size) * times}
        for result in results:
            compared = result if value is None else value
            found = values_of(f"{function}({column} / {size}) * {times} {sign} {compared}", "spark")
            holds = matches(found.predicate, {column: one})
            assert holds or not SIGNS[sign](result, compared), (column, one)


@given(
    sign=st.sampled_from(sorted(SIGNS)),
    size=st.sampled_from([12.5, 0.1, 25.0, -3.7, 1e-300, 1e300]),
    number=st.integers(-1_000, 1_000) | st.floats(allow_nan=False),
    beside=st.integers(-1, 1),
)
def test_factors_are_doubles(sign: str, size: float, number: float, beside: int) -> None:
    forms: dict[str, Callable[[float], float]] = {
        "x / {}": lambda n: n / size,
        "x * {}": lambda n: n * size,
        "x + {}": lambda n: n + size,
        "{} - x": lambda n: size - n,
        "round(x / {0}) * {0}": lambda n: float(math.floor(n / size + 0.5)) * size,
    }
    for form, of in forms.items():
        if form.startswith("round") and not abs(number / size) < 2**50:
            continue
        result = of(float(number))
        value = result + beside * abs(result) * 2**-52
        if not math.isfinite(value):
            continue
        for dialect in ("trino", "spark"):
            written = [f"{n!r}{'' if 'e' in repr(n) else 'e0'}" for n in (size, value)]
            found = values_of(f"{form.format(written[0])} {sign} {written[1]}", dialect)
            holds = matches(found.predicate, {"x": float(number)})
            assert holds or not SIGNS[sign](result, value), (form, dialect)


@pytest.mark.parametrize(
    ("dialect", "sql", "values"),
    [
        ("spark", "floor(i / 100) * 100 = 300", "i >= 300 AND i <= 400 AND …"),
        ("spark", "floor(i / 3600) * 3600 >= 7200", "i >= 7200 AND …"),
        ("spark", "ceil(i / 100) * 100 = 300", "i >= 200 AND i <= 300 AND …"),
        (
            "spark",
            "floor(x / 100) * 100 = 15300",
            (
                "(x <= -9.223372036854758e+18 OR (x >= 15299.99999999997 AND"
                " x <= 15400.00000000003) OR x >= 9.223372036854758e+18) AND …"
            ),
        ),
        (
            "spark",
            "floor(x / 100) * 100D = 15300",
            "x >= 15299.99999999997 AND x <= 15400.00000000003 AND …",
        ),
        (
            "spark",
            "floor(x / 12.5D) * 12.5D = 25",
            "x >= 24.999999999999954 AND x <= 37.50000000000007 AND …",
        ),
        (
            "trino",
            "floor(x / 12.5e0) * 12.5e0 = 25e0",
            "x >= 24.999999999999954 AND x <= 37.50000000000007 AND …",
        ),
        ("trino", "floor(x) = 5.5", "FALSE"),
        ("trino", "x * 2.5e0 > 5", "x >= 1.999999999999998 AND …"),
        ("spark", "x - 0.5D > 5", "x >= 5.499999999999994 AND …"),
        ("spark", "i DIV 2D = 5", "…"),
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
        ("trino", "floor(m / 2.5) = 1", "m >= 2.48 AND m <= 5.02 AND …"),
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
