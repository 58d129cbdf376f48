from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.types import (
    Physical,
    arrow_type,
    decimal_parameters,
    from_unscaled,
    is_floating,
    physical,
    unscaled,
)


@pytest.mark.parametrize(
    ("type_name", "form", "arrow"),
    [
        ("boolean", Physical.INTEGER, pa.int64()),
        ("int", Physical.INTEGER, pa.int64()),
        ("date", Physical.INTEGER, pa.int64()),
        ("timestamptz_ns", Physical.INTEGER, pa.int64()),
        ("float", Physical.FLOATING, pa.float64()),
        ("double", Physical.FLOATING, pa.float64()),
        ("decimal(9,2)", Physical.DECIMAL, pa.decimal128(38, 2)),
        ("decimal(38, 10)", Physical.DECIMAL, pa.decimal128(38, 10)),
        ("string", Physical.BINARY, pa.binary()),
        ("uuid", Physical.BINARY, pa.binary()),
        ("fixed[16]", Physical.BINARY, pa.binary()),
    ],
)
def test_types_with_an_order(type_name: str, form: Physical, arrow: pa.DataType) -> None:
    assert physical(type_name) is form
    assert arrow_type(type_name) == arrow
    assert is_floating(type_name) == (form is Physical.FLOATING)


@pytest.mark.parametrize(
    "type_name", ["struct", "list", "map", "variant", "geometry(srid:4326)", "unknown"]
)
def test_types_without_an_order(type_name: str) -> None:
    assert physical(type_name) is None
    with pytest.raises(ValueError, match="no physical form"):
        arrow_type(type_name)


def test_decimal_parameters() -> None:
    assert decimal_parameters("decimal(9, 2)") == (9, 2)
    with pytest.raises(ValueError, match="not a decimal type"):
        decimal_parameters("decimal")


@given(number=st.integers(1 - 10**38, 10**38 - 1), scale=st.integers(0, 38))
def test_unscaled_numbers_are_exact_at_38_digits(number: int, scale: int) -> None:
    value = from_unscaled(number, scale)
    assert unscaled(value, scale) == number
    assert value.as_tuple().exponent == -scale


@pytest.mark.parametrize(
    ("value", "scale", "expected"),
    [("1.5", 2, 150), ("-1.50", 2, -150), ("1E+3", 2, 100_000), ("0", 5, 0), ("-0", 5, 0)],
)
def test_unscaled_numbers_of_coarser_decimals(value: str, scale: int, expected: int) -> None:
    assert unscaled(Decimal(value), scale) == expected
