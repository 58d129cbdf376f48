import math
from decimal import Decimal

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.queries.json_input import UnreadableInput
from prunescope.collectors.queries.parameters import sql_literals


@pytest.mark.parametrize(
    ("values", "literals"),
    [
        pytest.param(None, (), id="null"),
        pytest.param([], (), id="empty"),
        pytest.param(" ", (), id="blank-text"),
        pytest.param([1, -2, 2**70], ("1", "-2", str(2**70)), id="integers"),
        pytest.param([1.5, 1e-7, 1e16], ("1.5", "0.0000001", "10000000000000000"), id="floats"),
        pytest.param([Decimal("1.10"), Decimal("1E+3")], ("1.10", "1000"), id="decimals"),
        pytest.param([Decimal("1E+400")], ("1E+400",), id="beyond-decimal-keeps-its-exponent"),
        pytest.param([True, False, None], ("TRUE", "FALSE", "NULL"), id="boolean-and-null"),
        pytest.param(["x", "", " "], ("'x'", "''", "' '"), id="strings"),
        pytest.param(["O'Brien", "1", "a\\"], ("'O''Brien'", "'1'", "'a\\'"), id="quoting"),
        pytest.param(("x",), ("'x'",), id="tuple"),
        pytest.param('["x", 1.10, null]', ("'x'", "1.10", "NULL"), id="json-text"),
    ],
)
def test_values_become_literals_in_order(values: object, literals: tuple[str, ...]) -> None:
    assert sql_literals(values, "trino") == literals


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"a": "x", "b": 5}, id="map"),
        pytest.param('{"a": "x", "b": 5}', id="json-text"),
        pytest.param([("a", "x"), ("b", 5)], id="pairs"),
    ],
)
def test_values_with_names_keep_them(values: object) -> None:
    assert sql_literals(values, "spark") == (("a", "'x'"), ("b", "5"))


def test_athena_parameters_are_sql_text_already() -> None:
    values = ["'O''Brien'", " 42 ", "DATE '2024-01-01'"]
    assert sql_literals(values, "athena") == ("'O''Brien'", "42", "DATE '2024-01-01'")


@pytest.mark.parametrize(
    ("values", "dialect"),
    [
        pytest.param("c4n4ry", "trino", id="text-that-is-no-json"),
        pytest.param('"c4n4ry"', "trino", id="json-that-is-no-list"),
        pytest.param({"p": ["c4n4ry"]}, "spark", id="map-of-lists"),
        pytest.param("[" * 200_000, "trino", id="json-too-deep"),
        pytest.param(5, "trino", id="number"),
        pytest.param(["c4n4ry", ["c4n4ry"]], "trino", id="nested-list"),
        pytest.param([math.nan], "trino", id="nan"),
        pytest.param([Decimal("Infinity")], "trino", id="infinity"),
        pytest.param(["\ud800"], "trino", id="no-unicode"),
        pytest.param({"\ud800": 1}, "spark", id="name-of-no-unicode"),
        pytest.param([" "], "athena", id="empty-sql-text"),
    ],
)
def test_what_cannot_be_bound_by_position_is_refused(values: object, dialect: str) -> None:
    with pytest.raises(UnreadableInput, match="'params'") as raised:
        sql_literals(values, dialect)
    assert raised.value.code == "malformed_record"
    assert "c4n4ry" not in str(raised.value)


@pytest.mark.parametrize(
    "dialect",
    ["trino", "presto", "spark", "databricks", "snowflake", "clickhouse", "bigquery", "dremio"],
)
@given(value=st.text("ab'\"\\n%\n\t") | st.text())
def test_every_string_reads_back_in_its_dialect(dialect: str, value: str) -> None:
    (literal,) = sql_literals([value], dialect)
    assert isinstance(literal, str)
    assert sqlglot.parse_one(literal, dialect=dialect).this == value


@given(st.decimals(allow_nan=False, allow_infinity=False) | st.integers())
def test_every_number_reads_back(value: Decimal | int) -> None:
    (literal,) = sql_literals([value], "trino")
    assert isinstance(literal, str)
    assert Decimal(literal) == value


def test_a_dialect_that_sqlglot_does_not_know_is_standard_sql() -> None:
    assert sql_literals(["O'Brien\\"], "no.such\0dialect") == ("'O''Brien\\'",)
