"""What Spark casts before it compares, as Spark 4.1 was seen to with and without ANSI types: what a
condition says holds for both. It selects these rows, which comparisons of the column as it is do
not: `'2024-2-29'` by `try_cast(c AS timestamp) <= '2024-03-01'`, `'abc'` by `try_cast(c AS
timestamp) IS NULL`, nulls by `c <=> '1e0'` of an int, and, without ANSI types, 5 by `c NOT IN
('05')`."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Reason, Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed

DAY = "TIMESTAMP '2024-03-01 00:00:00'"
YEAR = "TIMESTAMP '2024-01-01 00:00:00'"
ZONED = "TIMESTAMP '2024-03-01 00:00:00 UTC'"
NEXT = "TIMESTAMP '2024-03-01 00:00:00.000001'"
CASTS = [
    "CAST(c AS timestamp)",
    "try_cast(c AS timestamp)",
    "CAST(c AS timestamp_ntz)",
    "CAST(c AS timestamp_ltz)",
    "c::timestamp",
    "timestamp(c)",
    "to_timestamp(c)",
    "CAST(CAST(c AS timestamp) AS timestamp)",
    "CAST(CAST(c AS timestamp) AS string)",
]
ASKED = [
    "{} = '2024-03-01'",
    "'2024-03-01' <= {}",
    "{} <= '2024-03-01'",
    "{} <> '2024-03-01'",
    "NOT ({} <> '2024-03-01')",
    "{} IN ('2024-03-01', '2024-03-02')",
    "{} NOT IN ('2024-03-01')",
    "{} BETWEEN '2024-03-01' AND '2024-03-02'",
    "{} LIKE '2024-03%'",
    "{} LIKE '2024-03-01'",
    "{} <=> '2024-03-01'",
    "{} IS DISTINCT FROM '2024-03-01'",
    "{} IS NULL",
    "{} <=> NULL",
    "NOT ({} IS NOT NULL)",
    "({} = '2024-03-01') IS NULL",
]
KEPT = [
    ("CAST(c AS timestamp) <= '2024-03-01'", "timestamp", f"c < {NEXT}"),
    ("to_timestamp(c) <= '2024-03-01'", "timestamptz", f"c < {NEXT[:-1]} UTC'"),
    ("to_timestamp(c) >= '2024-03-01'", "date", "c >= DATE '2024-03-01'"),
    ("CAST(c AS timestamp) IN ('2024-03-01')", "timestamp", f"c = {DAY}"),
    ("CAST(c AS timestamp) <=> '2024-03-01'", "timestamp", f"c = {DAY}"),
    ("CAST(c AS timestamp) IS NULL", "timestamp", "c IS NULL"),
    ("CAST(c AS timestamp) IS NULL", "date", "c IS NULL"),
    ("to_timestamp(c) IS NOT NULL", "string", "c IS NOT NULL"),
    ("CAST(CAST(c AS timestamp) AS string) >= '2024'", "timestamp", f"c >= {YEAR}"),
    ("date_format(CAST(c AS timestamp), 'yyyy') >= '2024'", "timestamp", f"c >= {YEAR}"),
]  # fmt: skip
NULLS = [
    ("(c = 5) IS NULL", "int", True),
    ("(c = '5') IS NULL", "int", True),
    ("(c = '2147483648') IS NULL", "int", False),
    ("(c = '1e0') IS NULL", "int", False),
    ("(c = 5) IS UNKNOWN", "string", False),
    ("c > 5 IS NULL", "string", False),
    ("NOT ((c = DATE '2024-03-01') IS NOT NULL)", "string", False),
    ("(c = 'abc') IS NULL", "string", True),
    ("(c = 'abc') IS NULL", "date", False),
    ("(c = '2024-03-01') IS NULL", "date", True),
    ("(c > TIMESTAMP '2024-03-01 00:00:00') IS NULL", "date", True),
    ("(c > TIMESTAMP '2024-03-01 00:00:00') IS NULL", "timestamptz", True),
    ("(c = 5.5) IS NULL", "decimal(9,2)", True),
    ("(c = 5.5) IS NULL", "double", True),
    ("(c = 5.5D) IS NULL", "long", True),
    ("(c = double('NaN')) IS NULL", "long", True),
    ("(c = 0.0000000000000000000001) IS NULL", "long", False),
    ("(c = 5.5) IS NULL", "decimal(38,0)", False),
    ("(c = true) IS NULL", "boolean", True),
    ("(NOT c) IS NULL", "boolean", True),
    ("(NOT c) IS NULL", "string", False),
    ("(c = '') IS NULL", "boolean", False),
    ("(c = X'61') IS NULL", "binary", True),
    ("(c = 5) IS NULL", "struct", False),
]
TEXTS = [
    ("c <=> '5'", "int", "c = 5"),
    ("c <=> ' 5.0 '", "int", "c = 5"),
    ("c <=> '1e0'", "int", None),
    ("c IS DISTINCT FROM '1e0'", "long", None),
    ("c <=> '3000000000'", "int", None),
    ("c <=> '3000000000'", "long", "c = 3000000000"),
    ("c <=> '1_0'", "int", None),
    ("c <=> '1_0'", "double", None),
    ("c <=> '1e1'", "double", "c = 10.0"),
    ("c <=> '1e39'", "float", "c IN (1e+39, inf)"),
    ("c <=> '1e39'", "double", "c = 1e+39"),
    ("c <=> '1e999999999'", "double", None),
    ("c <=> '\u0665'", "int", None),
    ("c <=> '\u00a0true'", "boolean", None),
    ("c = '5'", "int", "c = 5"),
    ("c <> '05'", "int", "c != 5"),
    ("NOT (c = '05')", "int", "c != 5"),
    ("year(c) <=> '20_24'", "date", None),
    ("CASE c WHEN '1e1' THEN 1 ELSE 2 END = 2", "int", None),
]
LISTS = [
    ("c IN ('5')", "int", "c = 5"),
    ("c IN ('05', 6)", "int", "c IN (5, 6)"),
    ("c NOT IN ('5', 6)", "int", "c NOT IN (5, 6)"),
    ("c NOT IN ('5', '06')", "int", "c != 5 AND …"),
    ("c NOT IN ('05')", "int", "c IS NOT NULL AND …"),
    ("NOT (c IN ('05'))", "int", "c IS NOT NULL AND …"),
    ("c NOT IN ('-0')", "int", "c IS NOT NULL AND …"),
    ("c NOT IN ('1e1')", "long", "c IS NOT NULL AND …"),
    ("c NOT IN (5, 6)", "int", "c NOT IN (5, 6)"),
    ("c NOT IN ('100.50')", "double", "c IS NOT NULL AND …"),
    ("c NOT IN ('-0', 6F)", "float", "c IS NOT NULL AND …"),
    ("c NOT IN ('2024-03-01 00:00:00.9999999')", "timestamp", "c IS NOT NULL AND …"),
    ("c IN ('100.50')", "double", "c = 100.5"),
    ("c IN ('5', 0.1F)", "double", None),
    ("c IN ('5', 6D)", "double", "c IN (5.0, 6.0)"),
    ("c IN ('5', 6.5F)", "float", "c IN (5.0, 6.5)"),
    ("c NOT IN ('9223372036854775808', 6)", "long", "c != 6 AND …"),
    ("c NOT IN ('5', 6.00)", "decimal(9,2)", "c IS NOT NULL AND …"),
    ("c IN ('2024-3-1')", "date", "c = DATE '2024-03-01'"),
    ("c NOT IN ('2024-03-01')", "date", "c != DATE '2024-03-01'"),
    ("c NOT IN ('2024-03-01', DATE '2024-03-01')", "date", "c != DATE '2024-03-01'"),
    ("c NOT IN ('2024-3-1', DATE '2024-03-02')", "date", "c != DATE '2024-03-02' AND …"),
    ("c NOT IN ('2024-3-1', TIMESTAMP '2024-03-02 00:00:00')", "date", "c IS NOT NULL AND …"),
    ("c NOT IN ('2024-03-01')", "timestamptz", "c IS NOT NULL AND …"),
    ("c NOT IN ('2024-03-01 00:00:00')", "timestamptz", f"c != {ZONED}"),
    ("c NOT IN ('x', TIMESTAMP '2024-03-01 00:00:00')", "timestamptz", f"c != {ZONED} AND …"),
    ("c NOT IN ('x', DATE '2024-03-01')", "timestamptz", "c IS NOT NULL AND …"),
    ("c IN ('2024-03-01')", "timestamptz", f"c = {ZONED}"),
    ("c NOT IN ('2024-3-1')", "timestamp", "c IS NOT NULL AND …"),
    ("CAST(c AS timestamp) NOT IN ('2024-03-01')", "date", "c IS NOT NULL AND …"),
    ("c NOT IN ('F79C3E09-677C-4BBD-A479-3F349CB785E7')", "uuid", "c IS NOT NULL AND …"),
    ("c NOT IN ('ab', '05')", "string", "c NOT IN ('05', 'ab')"),
    ("to_date(c) NOT IN ('2024-3-1')", "date", None),
    ("to_date(c) NOT IN ('2024-03-01')", "date", "c != DATE '2024-03-01'"),
    ("year(c) NOT IN ('02024')", "date", None),
    ("date_trunc('DAY', c) NOT IN ('2024-03-01')", "timestamp", None),
    ("c + 1 NOT IN ('05')", "int", None),
    ("left(c, 1) NOT IN ('a')", "string", "c NOT LIKE 'a%'"),
]  # fmt: skip


def said(sql: str, kind: str, zone: str = "UTC", dialect: str = "spark") -> str:
    """What a condition says of a column of a type, with `…` for what it is besides."""
    schema = Schema(0, (SchemaColumn(1, ("c",), kind, False, False, False),))
    bound = bind(condition(sql, dialect, time_zone=zone, types={"c": kind}), schema, time_zone=zone)
    known = render(bind_pushed(None, bound, schema, time_zone=zone))
    return known if render(bound) == known else f"{known} AND …"


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("cast", CASTS)
def test_what_is_no_time_is_another_as_a_timestamp(cast: str, asked: str) -> None:
    assert said(asked.format(cast), "string") in ("TRUE AND …", "c IS NOT NULL AND …")


@pytest.mark.parametrize("asked", ASKED)
def test_spark_pushes_nothing_of_a_text_as_a_timestamp(asked: str) -> None:
    schema = Schema(0, (SchemaColumn(1, ("c",), "string", False, False, False),))
    planner = Planner("spark", (4, 1))
    pushed = condition(asked.format("to_timestamp(c)"), "spark", planner=planner)
    bound = bind_pushed(planner, pushed, schema, time_zone="UTC")
    assert render(bound) in ("TRUE", "c IS NOT NULL")


@pytest.mark.parametrize(("sql", "kind", "expected"), KEPT)
def test_times_are_left_as_they_are(sql: str, kind: str, expected: str) -> None:
    assert expected in said(sql, kind)


@pytest.mark.parametrize(("sql", "kind", "is_known"), NULLS)
def test_a_comparison_is_null_where_a_cast_is(sql: str, kind: str, is_known: bool) -> None:
    assert said(sql, kind) == ("c IS NULL" if is_known else "TRUE AND …")


def test_a_text_as_a_time_is_compared_as_another_type() -> None:
    schema = Schema(0, (SchemaColumn(1, ("c",), "string", False, False, False),))
    found = bind(condition("to_timestamp(c) <= '2024-03-01'", "spark"), schema)
    assert isinstance(found, Unsupported)
    assert found.reason is Reason.TYPE_MISMATCH
    assert found.text == "CAST(c AS TIMESTAMP) <= '2024-03-01'"


def test_a_required_text_may_be_null_as_another_type() -> None:
    schema = Schema(0, (SchemaColumn(1, ("c",), "string", True, True, False),))
    found = bind(condition("try_cast(c AS timestamp) IS NULL", "spark"), schema)
    assert render(found) != "FALSE"


@pytest.mark.parametrize(("sql", "kind", "expected"), TEXTS)
def test_text_beside_another_type(sql: str, kind: str, expected: str | None) -> None:
    assert said(sql, kind) == (expected or "TRUE AND …")


@pytest.mark.parametrize(("sql", "kind", "expected"), LISTS)
def test_a_list_with_text_may_make_text_of_the_column(
    sql: str, kind: str, expected: str | None
) -> None:
    assert said(sql, kind) == (expected or "TRUE AND …")


@pytest.mark.parametrize("sql", ["c IN ('{}')", "c NOT IN ('{}')"])
@pytest.mark.parametrize("text", ["2018-02-17 23:30:00", "2018-11-04 00:30:00"])
def test_the_text_of_an_hour_that_is_repeated_or_skipped_is_no_moment(sql: str, text: str) -> None:
    found = said(sql.format(text), "timestamptz", "America/Sao_Paulo")
    assert found in ("TRUE AND …", "c IS NOT NULL AND …")


def test_no_other_engine_makes_text_of_a_column() -> None:
    assert said("c NOT IN ('05')", "int", dialect="duckdb") == "c != 5"
