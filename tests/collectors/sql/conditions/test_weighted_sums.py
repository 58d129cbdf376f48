"""Sums whose digits are those of several columns are taken apart without a row lost, whatever
numbers these hold. The truth is the sum, as Spark without ANSI computes it."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import Planner
from tests.property.test_meant_ranges import known

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
PARTS: dict[str, list[Any]] = {
    "int": [-1, 0, 1, 2, 3, 99, 100, 240, 2025, 2026, 2027, 214_748, 215_000, -430_000, None],
    "long": [-1, 0, 1, 2, 3, 99, 100, 240, 2025, 2026, 2027, 3_000_000_000, None],
    "double": [-0.5, 0.5, 1.0, 1.5, 2.0, 2.99, 99.5, 240.0, 2025.99, 2026.0, 2026.5, None],
}
KINDS = {"int": pa.int32(), "long": pa.int64(), "double": pa.float64()}
FORMS: dict[str, tuple[int, int, int]] = {
    "y * 10000 + m * 100 + d": (10_000, 100, 1),
    "d + 100 * (m) + 10000 * y": (10_000, 100, 1),
    "(y * 100 + m)": (100, 1, 0),
}
NUMBERS = [0, 3, 203, 202_602, 202_603, 20_260_203, 20_260_100, 2_026_000, 20_269_999]


def schema(kind: str) -> Schema:
    return Schema(
        0,
        tuple(
            SchemaColumn(number, (name,), kind, False, False, False)
            for number, name in enumerate("ymd", start=1)
        ),
    )


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        for kind, values in PARTS.items():
            columns = zip(*itertools.product(values, repeat=3), strict=True)
            made = pa.table(
                {name: pa.array(of, KINDS[kind]) for name, of in zip("ymd", columns, strict=True)}
            )
            made = made.append_column("n", pa.array(range(len(made))))
            connection.register("made", made)
            connection.execute(f"CREATE TABLE {kind}s AS SELECT * FROM made")
        yield connection


def summed(kind: str, parts: tuple[Any, ...], weights: tuple[int, ...]) -> Any:
    """The sum, wrapped around after each step where it is one of int."""
    used = [(part, weight) for part, weight in zip(parts, weights, strict=True) if weight]
    if any(part is None for part, _ in used):
        return None
    total = sum(part * weight for part, weight in used)
    return (total + 2**31) % 2**32 - 2**31 if kind == "int" else total


@cache
def rows_and_sums(kind: str, weights: tuple[int, ...]) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """The rows of a table, and the sum of each."""
    rows = list(itertools.product(PARTS[kind], repeat=3))
    return rows, [summed(kind, row, weights) for row in rows]


@pytest.mark.parametrize("kind", PARTS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sign", SIGNS)
def test_no_row_is_lost(form: str, sign: str, kind: str, tables: duckdb.DuckDBPyConnection) -> None:
    rows, sums = rows_and_sums(kind, FORMS[form])
    for number in NUMBERS:
        found = bind(condition(f"{form} {sign} {number}", "spark"), schema(kind))
        where = render(known(found))
        left_out = tables.execute(f"SELECT n FROM {kind}s WHERE ({where}) IS NOT TRUE")
        numbers = left_out.fetchnumpy()["n"].tolist()
        assert numbers
        lost = [
            rows[n]
            for n in numbers
            if (total := sums[n]) is not None and SIGNS[sign](total, number)
        ]
        assert not lost, (number, where, lost[:3])


def test_days_of_three_numbers() -> None:
    found = condition("y * 10000 + m * 100 + d BETWEEN 20260203 AND 20260207", "spark")
    assert render(known(found)) == (
        "(y > 2026 OR (y > 2025 AND (m > 2 OR (m > 1 AND d >= 3)))"
        " OR m < 0 OR m > 99 OR d < 0 OR d > 99 OR y < -214747 OR y > 214747)"
        " AND (y < 2026 OR (y < 2027 AND (m < 2 OR (m < 3 AND d <= 7)))"
        " OR m < 0 OR m > 99 OR d < 0 OR d > 99 OR y < -214747 OR y > 214747)"
    )


def test_trino_takes_none_apart_either() -> None:
    sql = "y * 100 + m = 202602"
    assert render(condition(sql, "trino")) == render(condition(sql, "spark"))
    assert render(condition(sql, "trino", planner=Planner("trino"))) == "TRUE"


def test_singles_round_the_sum() -> None:
    types = {"y": "int", "m": "float"}
    for dialect in ("spark", "trino"):
        assert isinstance(condition("y * 100 + m = 202602", dialect, types=types), Unsupported)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("snowflake", "y * 100 + m = 202602"),
        ("spark", "y * 100 + y = 202602"),
        ("spark", "y * 100 + m + 1 = 202602"),
        ("spark", "y * 100 + m * 30 + d = 202602"),
        ("spark", "y * 5 + m = 202602"),
        ("spark", "y * 100 + m * 2 = 202602"),
        ("spark", "y * 100 + m = -5"),
        ("spark", "y * 100 + m = 202602.5"),
        ("spark", "y * 100 + m <> 202602"),
        ("spark", "NOT y * 100 + m = 202602"),
        ("spark", "y * 100 + m = d"),
        ("spark", "y * 100 - m = 202602"),
        ("spark", "y * 100 + abs(m) = 202602"),
    ],
)
def test_others_say_nothing(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect), Unsupported)
