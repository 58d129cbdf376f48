"""Numbers that engines round before they compare them: which values of a column are equal."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed

KINDS = {
    "i": "int",
    "l": "long",
    "f": "float",
    "d": "double",
    "dec": "decimal(9,2)",
    "bdec": "decimal(38,10)",
    "big": "decimal(38,0)",
    "fine": "decimal(38,37)",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(n, (name,), kind, False, False, False)
        for n, (name, kind) in enumerate(KINDS.items(), 1)
    ),
)
NINES = "4." + 36 * "9"
LARGE = 29 * "9" + ".5"


def said(sql: str, dialect: str = "spark") -> str:
    return render(bind(condition(sql, dialect), SCHEMA))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("bdec = 4.99999999999", "bdec = 5.0000000000"),
        ("bdec <=> 0.00000000001", "bdec = 0.0000000000"),
        ("bdec = -0.00000000005", "bdec = -0.0000000001"),
        ("bdec >= 5.00000000004", "bdec >= 5.0000000000"),
        ("bdec > 5.00000000004", "bdec >= 5.0000000001"),
        ("bdec <= 4.99999999995", "bdec <= 5.0000000000"),
        ("bdec < 4.99999999995", "bdec <= 4.9999999999"),
        ("bdec <> 4.99999999999", "bdec IS NOT NULL"),
        ("bdec NOT IN (4.99999999999, 5)", "bdec != 5.0000000000"),
        ("bdec BETWEEN 5.00000000004 AND 10", "bdec >= 5.0000000000 AND bdec <= 10.0000000000"),
        ("bdec IN (4.99999999999, 6)", "bdec IN (5.0000000000, 6.0000000000)"),
        (f"bdec IN ({LARGE}, 5)", "bdec >= 4.9999999995 AND bdec <= 5.0000000005"),
        (f"dec <=> {NINES}", "dec = 5.00"),
        (f"dec <= {NINES}", "dec <= 5.00"),
        (f"i = {NINES}", "i = 5"),
        (f"l >= 5{NINES[1:]}", "l >= 6"),
        ("fine = 5", f"fine = 5.{37 * '0'}"),
        ("fine IN (5, 5)", f"fine >= 4.{28 * '9'}5{8 * '0'} AND fine <= 5.{28 * '0'}5{8 * '0'}"),
        # All of it fits.
        ("bdec = 4.9999999999", "bdec = 4.9999999999"),
        ("dec = 4.99999999999", "FALSE"),
        ("dec >= 1.005", "dec >= 1.01"),
        ("i = 4.99999999999", "FALSE"),
        ("l = 5", "l = 5"),
    ],
)
def test_decimals_are_rounded_to_38_digits(sql: str, expected: str) -> None:
    """Spark 4.1; what is equal without that is so as well."""
    assert said(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("l = 9007199254740995D", "l >= 9007199254740995 AND l <= 9007199254740997"),
        ("l <> 9007199254740995D", "l != 9007199254740996"),
        ("l >= 9007199254740997D", "l >= 9007199254740995"),
        ("l > 9007199254740997D", "l > 9007199254740996"),
        ("l <= 9007199254740995D", "l <= 9007199254740997"),
        ("l IN (9007199254740995D)", "l >= 9007199254740995 AND l <= 9007199254740997"),
        ("l NOT IN (9007199254740995D, 5)", "l NOT IN (5, 9007199254740996)"),
        ("l = 9223372036854775807D", "l >= 9223371761976868864"),
        ("l >= 9.223372036854775807e18", "l >= 9223371761976868864"),
        ("l > 9.223372036854775807e18", "FALSE"),
        ("l <= -9.223372036854775808e18", "l <= -9223371761976868864"),
        ("l < 1e30", "l IS NOT NULL"),
        ("l = 1e3", "l = 1000"),
        ("l = 5.5D", "FALSE"),
        ("i = 2147483646D", "i = 2147483646"),
        ("i < 5.5D", "i <= 5"),
        ("bdec IN (1e3)", "bdec >= 999.9999694825 AND bdec <= 1000.0000305175"),
        ("dec IN (1e3, 5)", "dec IN (5.00, 1000.00)"),
        ("d > 0.1", "d > 0.1"),
    ],
)
def test_whole_numbers_and_decimals_beside_doubles_are_such(sql: str, expected: str) -> None:
    """Spark 4.1 and Trino 483. A number that single precision holds may be one."""
    assert said(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("i = 16777217F", "i >= 16777216 AND i <= 16777217"),
        ("i = float(16777217)", "i >= 16777216 AND i <= 16777217"),
        ("i <= CAST(16777217 AS float)", "i <= 16777217"),
        ("i IN (16777216F)", "i >= 16777216 AND i <= 16777217"),
        ("i IN (1F, 16777217)", "(i >= 16777216 AND i <= 16777217) OR i IN (1, 16777217)"),
        ("i = (SELECT 2147483647F)", "i >= 2147483584"),
        ("i <> 16777217F", "i != 16777216"),
        ("i = 5F", "i = 5"),
        ("i = 0.1F", "FALSE"),
    ],
)
def test_whole_numbers_beside_singles_are_such(sql: str, expected: str) -> None:
    """Spark 4.1 without `spark.sql.ansi.enabled`, and with it."""
    assert said(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("big = '9007199254740995'", "big >= 9007199254740995 AND big <= 9007199254740997"),
        ("bdec = '5'", "bdec = 5.0000000000"),
        ("dec < '5'", "dec < 5.00"),
    ],
)
def test_decimals_beside_texts_are_doubles(sql: str, expected: str) -> None:
    """Spark 4.1."""
    assert said(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("i < 9223372036854775808", "TRUE"),
        ("NOT (i >= 9223372036854775808)", "TRUE"),
        ("l < 9223372036854775807.5", "TRUE"),
        ("l >= -9223372036854775809", "TRUE"),
        ("9223372036854775808 > i", "TRUE"),
        ("i > 9223372036854775808", "FALSE"),
        ("i <> 9223372036854775808", "i IS NOT NULL"),
        ("i < 2147483648", "i IS NOT NULL"),
        ("dec < 9223372036854775808", "dec IS NOT NULL"),
    ],
)
def test_nulls_are_less_than_what_no_whole_number_is(sql: str, expected: str) -> None:
    """Spark 4.1 makes TRUE of these while it analyses a query."""
    assert said(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("l = 1e9", "l = 1000000000"),
        ("i IN (20000000e0, 5e0)", "i IN (5, 20000000)"),
        ("l < 9223372036854775808", "l IS NOT NULL"),
        ("i = 1e10", "FALSE"),
    ],
)
def test_trino_pushes_whole_numbers(sql: str, expected: str) -> None:
    """Trino 483 makes whole numbers of doubles that are such, and keeps that nulls are none."""
    planner = Planner("trino")
    pushed = condition(sql, "trino", planner=planner)
    assert render(bind_pushed(planner, pushed, SCHEMA, time_zone="UTC")) == expected
