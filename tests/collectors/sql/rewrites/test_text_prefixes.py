"""The first characters of a column as a prefix of it."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.predicates.walks import leaves
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS

CASES = [
    ("substr(c, 1, 2) = 'ab'", "c LIKE 'ab%'"),
    ("'ab' = substring(c, 1, 2)", "c LIKE 'ab%'"),
    ("substr(c, 1, 2) IN ('ab', 'é1')", "c LIKE 'ab%' OR c LIKE 'é1%'"),
    ("substr(c, 1, 2) <> 'ab'", "c NOT LIKE 'ab%'"),
    ("substr(c, 1, 2) NOT IN ('ab', 'x')", "c NOT LIKE 'ab%' AND c != 'x'"),
    ("substr(c, 1, 2) = 'a'", "c = 'a'"),
    ("substr(c, 1, 2) = ''", "c = ''"),
    ("substr(c, 1, 2) = 'abc'", "FALSE"),
    ("substr(c, 1, 2) <> 'abc'", "c IS NOT NULL"),
]
UNTIL = "t < TIMESTAMP '2024-04-03 10:30:00'"
BEYOND = "t > TIMESTAMP '9999-12-31 00:00:00'"
OPAQUE = [
    "substr(c, 2, 2) = 'ab'",
    "substr(c, 1) = 'ab'",
    "substr(c, 1, 0) = ''",
    "substr(c, 1, n) = 'ab'",
    "substr(upper(c), 1, 2) = 'ab'",
    "substr(c, 2, 2) > 'ab'",
]


@pytest.mark.parametrize(("sql", "expected"), CASES)
@pytest.mark.parametrize("dialect", ["trino", "spark", "duckdb"])
def test_a_prefix_is_a_comparison(sql: str, expected: str, dialect: str) -> None:
    assert render(condition(sql, dialect)) == expected


def test_the_place_0_is_the_first_one_in_spark() -> None:
    for sql, expected in (
        ("substr(c, 0, 2) IN ('ab', 'x')", "c LIKE 'ab%' OR c = 'x'"),
        ("substr(CAST(t AS STRING), 0, 7) = '2026-02'", "t >= DATE '2026-02-01' AND t < "),
    ):
        assert expected in render(condition(sql, "spark", types={"t": "timestamp"}))
        assert isinstance(condition(sql, "trino"), Unsupported)


@pytest.mark.parametrize("sql", OPAQUE)
def test_other_parts_of_texts_stay_as_they_are(sql: str) -> None:
    assert isinstance(condition(sql, "trino"), Unsupported)


@pytest.mark.parametrize(("sql", "_"), CASES)
def test_no_engine_is_taken_to_push_it(sql: str, _: str) -> None:
    for planner in PLANNERS:
        pushed = condition(sql, "trino", planner=planner)
        assert render(pushed) in ("TRUE", "FALSE", "c IS NOT NULL")


TEXTS = ["", "A", "Ab", "a", "aa", "ab", "ab ", "aba", "abc", "abcd", "ac", "b"]
TEXTS += ["x", "xy", "zz", "é", "é1", "é1x", "é2"]


@pytest.fixture(scope="module")
def texts() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("CREATE TABLE t (c VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?)", [[text] for text in TEXTS])
        yield connection


@pytest.mark.parametrize(("sql", "expected"), CASES)
def test_duckdb_agrees(sql: str, expected: str, texts: duckdb.DuckDBPyConnection) -> None:
    original, ours = (
        texts.execute(f"SELECT c FROM t WHERE {where} ORDER BY c").fetchall()
        for where in (sql, expected)
    )
    assert original == ours


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
@pytest.mark.parametrize("value", ["", "a", "ab", "abc", "ac", "é1", "é1x", "z"])
@pytest.mark.parametrize("negated", ["", "NOT "])
def test_prefixes_are_in_the_order_of_texts(
    sign: str, value: str, negated: str, texts: duckdb.DuckDBPyConnection
) -> None:
    sql = f"{negated}substr(c, 1, 2) {sign} '{value}'"
    for dialect in ("trino", "spark"):
        found = render(condition(sql, dialect))
        assert "substr" not in found.lower()
        original, ours = (
            texts.execute(f"SELECT c FROM t WHERE {where} ORDER BY c").fetchall()
            for where in (sql, found)
        )
        assert original == ours, found


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # A text column is cut.
        ("CAST(s AS varchar(2)) = 'ab'", "s LIKE 'ab%'"),
        ("CAST(s AS varchar(2)) >= 'ab'", "s >= 'ab'"),
        # Texts of numbers have another order, and `05` is the text of none.
        ("CAST(i AS varchar(3)) <> '05'", None),
        ("NOT CAST(i AS varchar(3)) = '05'", None),
        ("CAST(i AS varchar(3)) = '5'", "i = 5"),
        ("CAST(f AS varchar(4)) > '-0E0'", None),
        # Trino writes a time whole, whatever the length.
        ("CAST(t AS varchar(30)) >= '2024-04-03 10:30:00'", "t >= TIMESTAMP '2024-04-03 10:30:00'"),
        # A longer value is cut instead.
        ("CAST(t AS varchar(10)) < '2024-04-03 10:30:00'",
         f"({UNTIL} OR {BEYOND}) AND CAST(t AS VARCHAR(10)) < '2024-04-03 10:30:00'"),
        ("CAST(t AS varchar(10)) <> '2024-04-03 10:30:00.000000'", "t IS NOT NULL"),
        ("CAST(d AS varchar(10)) >= '2024-04-03'", "d >= DATE '2024-04-03'"),
    ],
)  # fmt: skip
def test_trino_cuts_text_columns_alone(sql: str, expected: str | None) -> None:
    kinds = {"s": "string", "i": "int", "f": "float", "t": "timestamp", "d": "date"}
    columns = (
        SchemaColumn(n, (name,), kind, False, False, False)
        for n, (name, kind) in enumerate(kinds.items(), 1)
    )
    found = bind(condition(sql, "trino", time_zone="UTC", types=kinds), Schema(0, tuple(columns)))
    if expected is None:
        assert all(isinstance(leaf, Unsupported) for leaf in leaves(found))
    else:
        assert render(found) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("substr(c, 1, 2) <= 'ab'", "c < 'ac'"),
        ("substr(c, 1, 2) > 'ab'", "c >= 'ac'"),
        ("substr(c, 1, 2) < 'abc'", "c < 'ac'"),
        ("NOT substr(c, 1, 2) >= 'abc'", "c < 'ac'"),
        ("substr(c, 1, 2) BETWEEN 'ab' AND 'cd'", "c >= 'ab' AND c < 'ce'"),
        ("substr(c, 1, 1) <= '\U0010ffff'", "c IS NOT NULL"),
        ("substr(c, 1, 1) > '\U0010ffff'", "FALSE"),
    ],
)
def test_an_end_of_first_characters_is_one_of_texts(sql: str, expected: str) -> None:
    for dialect in ("trino", "spark"):
        assert render(condition(sql, dialect)) == expected


def test_the_order_of_other_engines_is_not_known() -> None:
    assert isinstance(condition("substr(c, 1, 2) >= 'ab'", "duckdb"), Unsupported)
