"""Spark's planner profile against what Spark 3.5 with Iceberg 1.9 was seen to push."""

from __future__ import annotations

import ast
import datetime as dt
from pathlib import Path

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import FALSE, Predicate, conjuncts
from prunescope.collectors.predicates.plan_text import parse_plan_filters
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition, extract
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed
from prunescope.collectors.sql.text.parse import parse

SPARK = Planner("spark", (3, 5, 6))
EVENTS = TableName("lake", ("db",), "events")
TYPES = {
    "event_id": "long",
    "user_id": "long",
    "ts": "timestamptz",
    "ts_ntz": "timestamp",
    "d": "date",
    "country": "string",
    "amount": "decimal(10, 2)",
    "score": "double",
    "f": "float",
    "ok": "boolean",
    "payload": "string",
    "bin": "binary",
    "Weird Col.x": "int",
    "st": "struct",
    "st.a": "int",
    "st.b": "string",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(
            number,
            tuple(name.split(".")) if name.startswith("st.") else (name,),
            kind,
            False,
            False,
            False,
        )
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
# The clock of the query with now() in it.
NOW = dt.datetime(2026, 11, 20, 22, 49, 41, 683689, dt.UTC)


def pushed(where: str, planner: Planner = SPARK) -> Predicate:
    """What the profile pushes of a WHERE clause over the sample's table."""
    (scan, *_) = extract(
        parse(f"SELECT * FROM lake.db.events WHERE {where}", "spark"),
        dialect="spark",
        columns={EVENTS: SCHEMA.top_level_names},
        started_at=NOW,
        time_zone="UTC",
        planner=planner,
    )
    assert scan.pushed is not None
    return bind_pushed(planner, scan.pushed, SCHEMA, time_zone="UTC")


@pytest.mark.shared
def test_the_profile_pushes_what_spark_pushed(shared: Path) -> None:
    truth = "spark_event_logs/spark35_iceberg190_filter_pushdown_ground_truth.txt"
    lines = (shared / "samples" / truth).read_text().splitlines()
    differences = {}
    for line in lines:
        where, seen, *_ = line.split("  ||  ")
        filters = ast.literal_eval(seen.split("  || resid")[0])
        # No scan at all: Spark saw that no row can match. Other scans are of a nested query.
        expected = parse_plan_filters(filters[0], SCHEMA) if filters else FALSE
        found = pushed(where)
        if (found == FALSE) != (expected == FALSE) or set(conjuncts(found)) != set(
            conjuncts(expected)
        ):
            differences[where] = (render(found), render(expected))
    assert differences == {}
    assert len(lines) >= 60


@pytest.mark.parametrize(
    ("where", "version", "expected"),
    [
        pytest.param("CAST(ts AS DATE) = DATE '2024-03-02'", (3, 4), "ts IS NOT NULL", id="3.4"),
        pytest.param(
            "lake.system.bucket(4, user_id) = 1", (3, 3), "TRUE", id="Iceberg's functions in 3.3"
        ),
        pytest.param(
            "lake.system.bucket(4, user_id) = 1", (4, 1), "bucket[4](user_id) = 1", id="and in 4.1"
        ),
        pytest.param(
            "payload LIKE 'a%b'",
            (3, 5),
            "payload IS NOT NULL AND payload LIKE 'a%'",
            id="prefix and suffix",
        ),
        pytest.param(
            "payload LIKE 'a%' ESCAPE '!'", (3, 5), "payload IS NOT NULL", id="escaped pattern"
        ),
        pytest.param(
            "(user_id = 1 OR year(ts) = 2024) AND user_id < 9",
            (3, 5),
            "user_id IS NOT NULL AND user_id < 9",
            id="an OR is pushed whole or not",
        ),
        pytest.param("d IS NULL", (3, 5), "d IS NULL", id="null"),
        # As Spark 4.1.4 prints PushedFilters.
        pytest.param(
            "ts_ntz < TIMESTAMP '2024-03-06 00:00:00'",
            (3, 5, 6),
            "ts_ntz IS NOT NULL",
            id="a column without zone in 3.5",
        ),
        pytest.param(
            "ts_ntz < TIMESTAMP '2024-03-06 00:00:00'",
            (4, 1),
            "ts_ntz IS NOT NULL AND ts_ntz < TIMESTAMP '2024-03-06 00:00:00'",
            id="and in 4.1",
        ),
        pytest.param(
            "ts_ntz < TIMESTAMP_NTZ '2024-03-06 00:00:00'",
            (3, 5, 6),
            "ts_ntz IS NOT NULL AND ts_ntz < TIMESTAMP '2024-03-06 00:00:00'",
            id="a literal without zone in 3.5",
        ),
        pytest.param(
            "ts_ntz < to_timestamp_ntz('2024-03-06 00:00:00')",
            (3, 5, 6),
            "ts_ntz IS NOT NULL AND ts_ntz < TIMESTAMP '2024-03-06 00:00:00'",
            id="and as a function",
        ),
        pytest.param("d >= TIMESTAMP '2024-03-06 00:00:00'", (3, 5), "d IS NOT NULL", id="date"),
        pytest.param(
            "d >= TIMESTAMP '2024-03-06 00:00:00'",
            (4, 1),
            "d IS NOT NULL AND d >= DATE '2024-03-06'",
            id="and in 4.1",
        ),
        pytest.param(
            "CAST(st.a AS BIGINT) = 5", (3, 5), "st.a IS NOT NULL AND st.a = 5", id="widening cast"
        ),
        pytest.param("CAST(st.a AS BIGINT) = 5", (3, 0), "st.a IS NOT NULL", id="and in 3.0"),
        pytest.param("CAST(user_id AS INT) = 5", (4, 1), "user_id IS NOT NULL", id="narrowing"),
        pytest.param("CAST(score AS INT) = 5", (4, 1), "score IS NOT NULL", id="cast that rounds"),
        pytest.param("amount = '5.00'", (4, 1), "amount IS NOT NULL", id="decimal as text"),
        pytest.param("amount = 5e0", (4, 1), "amount IS NOT NULL", id="decimal as double"),
        pytest.param(
            "amount = 5e0 AND amount = 5.00",
            (4, 1),
            "amount IS NOT NULL AND amount = 5.00",
            id="decimal as double and as it is",
        ),
        pytest.param("user_id * 2 = 6", (4, 1), "user_id IS NOT NULL", id="arithmetic"),
        pytest.param(
            "ts_ntz < TIMESTAMP_NTZ '2024-03-06 00:00:00'",
            (4, 1),
            "ts_ntz IS NOT NULL AND ts_ntz < TIMESTAMP '2024-03-06 00:00:00'",
            id="a literal without zone",
        ),
        pytest.param(
            "ts_ntz < TIMESTAMP '2024-03-06 00:00:00+02:00'",
            (4, 1),
            "ts_ntz IS NOT NULL AND ts_ntz < TIMESTAMP '2024-03-05 22:00:00'",
            id="a literal with its own zone",
        ),
        pytest.param(
            "ts_ntz BETWEEN TIMESTAMP '2024-03-06 00:00:00' AND TIMESTAMP '2024-03-07 00:00:00'",
            (4, 1),
            "ts_ntz IS NOT NULL AND ts_ntz >= TIMESTAMP '2024-03-06 00:00:00'"
            " AND ts_ntz <= TIMESTAMP '2024-03-07 00:00:00'",
            id="a range of a column without zone",
        ),
        pytest.param(
            "ts_ntz IN (TIMESTAMP '2024-03-06 00:00:00', TIMESTAMP '2024-03-07 00:00:00')",
            (4, 1),
            "TRUE",
            id="IN keeps its cast",
        ),
        # As tests/differential/spark saw it in 3.5.9 and 4.1.4.
        pytest.param(
            "user_id NOT IN (1, 2)",
            (4, 1),
            "user_id IS NOT NULL AND user_id NOT IN (1, 2)",
            id="NOT IN",
        ),
        pytest.param("payload LIKE 'a%b%c'", (4, 1), "payload IS NOT NULL", id="parts of a text"),
        pytest.param("payload LIKE '%'", (4, 1), "payload IS NOT NULL", id="any text"),
        pytest.param("payload NOT LIKE '%'", (4, 1), "payload IS NOT NULL", id="no text"),
        pytest.param("NOT (payload LIKE 'a%b')", (4, 1), "TRUE", id="not these two ends"),
        pytest.param(
            "payload LIKE ANY ('a%', 'b%')",
            (4, 1),
            "payload LIKE 'a%' OR payload LIKE 'b%'",
            id="LIKE ANY",
        ),
        pytest.param("isnull(payload)", (4, 1), "payload IS NULL", id="isnull()"),
        pytest.param("isnotnull(payload)", (4, 1), "payload IS NOT NULL", id="isnotnull()"),
        pytest.param("equal_null(user_id, 5)", (4, 1), "user_id = 5", id="equal_null()"),
        pytest.param(
            "user_id NOT BETWEEN 1 AND 5", (4, 1), "user_id < 1 OR user_id > 5", id="NOT BETWEEN"
        ),
        pytest.param(
            "CAST(ts AS DATE) IN (DATE '2024-03-02', DATE '2024-03-04')",
            (4, 1),
            "TRUE",
            id="a list of days",
        ),
        pytest.param("CAST(ts AS DATE) <=> DATE '2024-03-02'", (4, 1), "TRUE", id="<=> of a day"),
        pytest.param(
            "year(ts) IS DISTINCT FROM 2024", (4, 1), "TRUE", id="IS DISTINCT FROM of a year"
        ),
        pytest.param("hour(ts) = 12", (4, 1), "ts IS NOT NULL", id="never null"),
        pytest.param("user_id = 1e1", (4, 1), "user_id IS NOT NULL", id="long as double"),
        pytest.param("amount = 123456789012.5", (4, 1), "amount IS NOT NULL", id="too long"),
        pytest.param("ok <> false", (4, 1), "ok IS NOT NULL AND ok = TRUE", id="not false"),
        pytest.param(
            "ok IS DISTINCT FROM false", (4, 1), "ok != FALSE OR ok IS NULL", id="distinct from"
        ),
        pytest.param("ok IN (false, false)", (4, 1), "ok != TRUE", id="twice"),
        pytest.param("payload LIKE 'ab%%'", (4, 0), "payload IS NOT NULL", id="twice any in 4.0"),
        pytest.param(
            "payload LIKE 'ab%%'",
            (4, 1),
            "payload IS NOT NULL AND payload LIKE 'ab%'",
            id="and in 4.1",
        ),
        pytest.param("user_id LIKE '5'", (4, 1), "user_id IS NOT NULL", id="number as text"),
        pytest.param("(user_id > 5) IS TRUE", (4, 1), "TRUE", id="comparison that is true"),
        pytest.param("(user_id > 5) IS NULL", (4, 1), "user_id IS NULL", id="null of one"),
        pytest.param("(CAST(user_id AS INT) > 5) IS NULL", (4, 1), "TRUE", id="null of a cast"),
        pytest.param("score IN (double('NaN'), 1.5D)", (4, 1), "TRUE", id="NaN in a list"),
        pytest.param(
            "score IN (2.5D, 1.5D)", (4, 1), "score IN (1.5, 2.5)", id="numbers in a list"
        ),
        pytest.param(
            "CAST(ts AS DATE) = TIMESTAMP '2024-03-02 00:00:00'",
            (3, 5),
            "ts IS NOT NULL",
            id="day as a time in 3.5",
        ),
        pytest.param(
            "d >= date_trunc('MONTH', DATE '2024-03-06')",
            (3, 5),
            "d IS NOT NULL",
            id="start of a month, a time, in 3.5",
        ),
        pytest.param(
            "d >= date_trunc('MONTH', DATE '2024-03-06')",
            (4, 1),
            "d IS NOT NULL AND d >= DATE '2024-03-01'",
            id="and in 4.1",
        ),
        pytest.param(
            "to_date(ts, 'yyyy-MM-dd') = DATE '2024-03-02'", (4, 1), "TRUE", id="text of a format"
        ),
        pytest.param(
            "amount > 0.0000000000000000000000000000000000001BD",
            (3, 5),
            "amount IS NOT NULL",
            id="more places than any type holds in 3.5",
        ),
        pytest.param("st.a IN ('1', 2)", (3, 5), "TRUE", id="text in a list in 3.5"),
        pytest.param("st.a IN ('1')", (3, 5), "st.a IS NOT NULL", id="one text in 3.5"),
        pytest.param("st.a IN ('1')", (4, 1), "st.a IS NOT NULL AND st.a = 1", id="one in 4.1"),
        pytest.param("st.a IN ('1', 2)", (4, 1), "st.a IN (1, 2)", id="and in 4.1"),
        pytest.param("st.a = 5.0F", (3, 5), "st.a IS NOT NULL", id="integer as float in 3.5"),
        pytest.param("st.a = 5.0F", (4, 1), "st.a IS NOT NULL AND st.a = 5", id="as double in 4.1"),
    ],
)
def test_versions_and_shapes(where: str, version: tuple[int, ...], expected: str) -> None:
    assert render(pushed(where, Planner("spark", version))) == expected


def test_join_keys_are_not_null() -> None:
    tree = parse(
        "SELECT * FROM lake.db.events a LEFT JOIN lake.db.events b ON a.user_id = b.user_id"
        " WHERE a.country = 'DE'",
        "spark",
    )
    columns = {EVENTS: SCHEMA.top_level_names}
    left, right = extract(tree, dialect="spark", columns=columns, planner=SPARK)
    assert left.pushed is not None
    assert right.pushed is not None
    assert render(left.pushed) == "country IS NOT NULL AND country = 'DE'"
    assert render(right.pushed) == "user_id IS NOT NULL"


def test_a_bare_condition_is_pushed_like_one_of_a_query() -> None:
    where = "year(ts) = 2024 AND user_id = 5"
    found = condition(where, "spark", planner=SPARK)
    assert render(found) == "ts IS NOT NULL AND user_id IS NOT NULL AND user_id = 5"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Spark 4.1.4 was seen to infer, or not to.
        pytest.param("instr(country, 'a') > 0", "country IS NOT NULL", id="instr"),
        pytest.param("locate('a', country) > 0", "TRUE", id="locate"),
        pytest.param("position('a', country) > 0", "TRUE", id="position"),
        pytest.param("position('a' IN country) > 0", "TRUE", id="position-in"),
        pytest.param("event_id < 9223372036854775808", "TRUE", id="below-all"),
        pytest.param("event_id >= -9223372036854775809", "TRUE", id="above-all"),
        pytest.param("NOT (event_id >= 9223372036854775808)", "TRUE", id="not-above-all"),
        pytest.param("event_id < 9223372036854775807.5", "TRUE", id="below-all-with-a-fraction"),
        pytest.param("event_id > 9223372036854775808", "FALSE", id="beyond-all"),
        pytest.param("event_id <> 9223372036854775808", "event_id IS NOT NULL", id="not-beyond"),
        pytest.param(
            "event_id BETWEEN 0 AND 9223372036854775808",
            "event_id IS NOT NULL AND event_id >= 0",
            id="range-without-end",
        ),
        pytest.param(
            "event_id < 9223372036854775808 OR user_id = 5", "TRUE", id="below-all-beside-an-or"
        ),
        pytest.param("amount < 12345678901234567890", "amount IS NOT NULL", id="decimals"),
        pytest.param("CAST(st.a AS BIGINT) <=> 5", "st.a = 5", id="cast-null-safe"),
        pytest.param(
            "CAST(st.a AS BIGINT) IS DISTINCT FROM 5",
            "st.a != 5 OR st.a IS NULL",
            id="cast-distinct",
        ),
        pytest.param("CAST(event_id AS INT) <=> 5", "TRUE", id="cast-that-overflows"),
    ],
)
def test_what_is_inferred(where: str, expected: str) -> None:
    assert render(pushed(where)) == expected
