"""Quotients of decimals are rounded as each engine does, and no row that they select is lost."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from collectors.types import MAX_DECIMAL_DIGITS
from tests.collectors.predicates.calculated import told, values_of
from tests.collectors.predicates.row_evaluator import SIGNS, matches

_EXACT = Context(prec=200)
_COLUMNS = {"m": (10, 2), "wide": (38, 4), "large": (12, 2), "i": (10, 0)}


def _scale_of(divisor: Decimal) -> int:
    return max(0, -int(divisor.as_tuple().exponent))


def _rounded(number: Decimal, scale: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP, _EXACT)


def trino(number: Decimal, divisor: Decimal, column: str) -> Decimal:
    """Trino's quotient: as many digits as the operands have (DecimalOperators, Trino 483)."""
    scale = max(_COLUMNS[column][1], _scale_of(divisor))
    return _rounded(_EXACT.divide(number, divisor), scale)


def spark(*, loses_precision: bool, digits: int) -> Callable[[Decimal, Decimal, str], Decimal]:
    """Spark's, by a divisor whose type has so many digits at least (Divide.resultDecimalType,
    Spark 4.1). `loses_precision` is `spark.sql.decimalOperations.allowPrecisionLoss`."""

    def quotient(number: Decimal, divisor: Decimal, column: str) -> Decimal:
        precision, scale = _COLUMNS[column]
        divisor_scale = _scale_of(divisor)
        divisor_digits = max(digits, len(divisor.as_tuple().digits))
        whole = precision - scale + divisor_scale
        found = max(6, scale + divisor_digits + 1)
        beyond = whole + found - MAX_DECIMAL_DIGITS
        if beyond > 0 and loses_precision:
            found = max(MAX_DECIMAL_DIGITS - whole, min(found, 6))
        elif beyond > 0:
            found -= beyond // 2 + 1
        return _rounded(_EXACT.divide(number, divisor), found)

    return quotient


QUOTIENTS = [
    ("trino", trino),
    *(
        ("spark", spark(loses_precision=loses, digits=digits))
        for loses in (True, False)
        for digits in (1, 10, 38)
    ),
]
AROUND: dict[str, tuple[str, Callable[[Decimal], Decimal]]] = {
    "{}": ("both", lambda n: n),
    "floor({})": ("both", lambda n: Decimal(math.floor(n))),
    "ceil({})": ("both", lambda n: Decimal(math.ceil(n))),
    "round({})": ("both", lambda n: _rounded(n, 0)),
    "round({}, 1)": ("both", lambda n: _rounded(n, 1)),
    "floor({}) * 12.5": ("both", lambda n: math.floor(n) * Decimal("12.5")),
    "truncate({})": ("trino", lambda n: Decimal(math.trunc(n))),
    "CAST({} AS integer)": ("trino", lambda n: _rounded(n, 0)),
    "CAST({} AS INT)": ("spark", lambda n: Decimal(math.trunc(n))),
}
_decimals = st.integers(-(10**10) + 1, 10**10 - 1).map(lambda n: Decimal(n).scaleb(-2))


_conditions = st.tuples(
    st.sampled_from(sorted(AROUND)),
    st.sampled_from(["m", "wide", "large"]),
    st.sampled_from(sorted(SIGNS)),
    st.sampled_from(["2", "3", "-7", "100", "12.5", "-0.3", "0.0625", "1000000", "0.01"]),
)


@pytest.mark.parametrize(("dialect", "divide"), QUOTIENTS)
@given(condition=_conditions, number=_decimals, beside=st.integers(-2, 2))
@example(("{}", "large", ">=", "100"), Decimal("6999.50"), 0)
@example(("floor({})", "large", "=", "100"), Decimal("6999.50"), 0)
@example(("{}", "large", "=", "3"), Decimal("1.00"), 0)
def test_no_row_is_lost(
    dialect: str,
    divide: Callable[[Decimal, Decimal, str], Decimal],
    condition: tuple[str, str, str, str],
    number: Decimal,
    beside: int,
) -> None:
    around, column, sign, divisor = condition
    engine, of = AROUND[around]
    if engine not in ("both", dialect):
        return
    result = of(divide(number, Decimal(divisor), column))
    value = result + Decimal(beside).scaleb(-2)
    found = values_of(f"{around.format(f'{column} / {divisor}')} {sign} {value:f}", dialect)
    holds = matches(found.predicate, {column: number})
    assert holds or not SIGNS[sign](result, value)
    assert not found.is_exact or holds == SIGNS[sign](result, value)


@given(
    sign=st.sampled_from(sorted(SIGNS)),
    divisor=st.sampled_from(["2", "-7", "100", "2.5", "-0.3"]),
    number=_decimals,
    beside=st.integers(-1, 1),
)
def test_spark_cuts_whole_quotients(sign: str, divisor: str, number: Decimal, beside: int) -> None:
    result = math.trunc(_EXACT.divide(number, Decimal(divisor)))
    found = values_of(f"m DIV {divisor} {sign} {result + beside}", "spark")
    assert found.is_exact
    assert matches(found.predicate, {"m": number}) == SIGNS[sign](result, result + beside)


TRINO = [
    # 69.995 is rounded to 70.00.
    ("large / 100 >= 70", "large >= 6999.00 AND …"),
    ("large / 100 >= 70.0", "large >= 6999.00 AND …"),
    ("large / 2 > 18000", "large >= 35999.98 AND …"),
    ("floor(large / 100) = 70", "large >= 6999.00 AND large <= 7101.00 AND …"),
    ("round(large / 100) = 70", "large >= 6949.00 AND large <= 7051.00 AND …"),
    ("truncate(large / 100) = 70", "large >= 6999.00 AND large <= 7101.00 AND …"),
    ("CAST(large / 100 AS integer) = 70", "large >= 6949.00 AND large <= 7051.00 AND …"),
    ("floor(large / 12.5) * 12.5 = 25", "large >= 24.88 AND large <= 37.62 AND …"),
    ("floor(CAST(large AS double) / 100) = 70", "large >= 7000.00 AND large <= 7100.00 AND …"),
]
SPARK = [
    ("large / 100 >= 70", "large >= 7000.00 AND …"),
    ("large / 2 > 18000", "large >= 36000.00 AND …"),
    ("floor(large / 100) = 70", "large >= 7000.00 AND large <= 7100.00 AND …"),
    ("round(large / 100) = 70", "large >= 6950.00 AND large <= 7050.00 AND …"),
    ("CAST(large / 100 AS INT) = 70", "large >= 7000.00 AND large <= 7100.00 AND …"),
    ("floor(large / 12.5) * 12.5 = 25", "large >= 25.00 AND large <= 37.50 AND …"),
    ("large DIV 100 = 70", "large >= 7000.00 AND large <= 7099.99"),
    ("i DIV 2.5 = 2", "i >= 5 AND i <= 7"),
    # What has more digits than are kept is rounded again.
    ("large / 100 * 1.19 > 5", "…"),
    ("large / 100 - 1 > 5", "…"),
    ("CAST(large / 100 AS DECIMAL(38, 6)) = 5", "…"),
    ("round(large / 100, 8) * 1.19 > 5", "large >= 420.17 AND …"),
    ("large / 2 > 3000000000", "large >= 6000000000.00 AND …"),
    ("wide DIV 100 = 70", "…"),
]


@pytest.mark.parametrize(
    ("dialect", "where", "expected"),
    [("trino", *case) for case in TRINO] + [("spark", *case) for case in SPARK],
)
def test_ranges_of_quotients(dialect: str, where: str, expected: str) -> None:
    assert told(where, dialect) == expected
