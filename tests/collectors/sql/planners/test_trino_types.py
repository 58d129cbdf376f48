"""What Trino pushes depends on the types of columns."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.model import TRUE
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, as_expression, bind_pushed
from tests.collectors.sql.planners.test_trino import TRINO

TYPED = Schema(
    0,
    tuple(
        SchemaColumn(number, tuple(name.split(".")), kind, False, False, False)
        for number, (name, kind) in enumerate(
            {
                "n": "int",
                "m": "int",
                "s": "string",
                "d": "double",
                "flag": "boolean",
                "dec": "decimal(9, 2)",
                "short": "decimal(6, 2)",
                "big": "decimal(38, 10)",
                "st.x": "int",
                "f": "float",
                "day": "date",
                "ts": "timestamp",
            }.items(),
            1,
        )
    ),
)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Trino 483 was seen to plan them.
        pytest.param("n <> 1", "n < 1 OR n > 1", id="not-equal"),
        pytest.param("NOT (n = 1)", "n < 1 OR n > 1", id="not-of-equal"),
        pytest.param("n NOT IN (1, 3)", "n < 1 OR (n > 1 AND n < 3) OR n > 3", id="not-in"),
        pytest.param("n IS DISTINCT FROM 1", "n IS NULL OR n < 1 OR n > 1", id="distinct"),
        pytest.param("n = 1 AND n = 2", "FALSE", id="contradiction"),
        pytest.param("s LIKE '1%'", "s >= '1' AND s < '2'", id="prefix"),
        # By DomainTranslator and ExpressionConverter of Trino 482.
        pytest.param(
            "NOT (n IS NOT DISTINCT FROM 1)", "n IS NULL OR n < 1 OR n > 1", id="not-safe"
        ),
        pytest.param("n IS NOT DISTINCT FROM 1", "n = 1", id="null-safe"),
        pytest.param("NOT (n = 1 AND m = 2)", "TRUE", id="not-of-two-columns"),
        pytest.param("NOT (n <> 1 OR n > 5)", "n = 1", id="not-of-or"),
        pytest.param("n > 1 AND m = 2 AND n < 5", "n > 1 AND n < 5 AND m = 2", id="by-column"),
        pytest.param("n = 1 OR m = 2", "TRUE", id="two-columns"),
        pytest.param(
            "(n = 1 AND m = 2) OR (n = 3 AND m = 4)",
            "n IN (1, 3) AND m IN (2, 4)",
            id="every-arm-constrains-both",
        ),
        pytest.param("n > 500 AND n < 400", "FALSE", id="empty-range"),
        pytest.param("n IS NULL AND n = 5", "FALSE", id="null-and-value"),
        pytest.param("n IN (1, 9) AND n > 5", "n = 9", id="list-within-range"),
        pytest.param("(n = 1 AND n = 2) OR n = 3", "n = 3", id="arm-that-cannot-be-true"),
        # Trino 483 plans these as an AND of ORs, each of several columns.
        pytest.param("(n = 1 AND n = 2) OR m = 3", "TRUE", id="nor-can-one-of-another-column"),
        pytest.param("(n > 5 AND n < 4) OR m = 3", "TRUE", id="arm-of-an-empty-range"),
        pytest.param("(s = 'a' AND s = 'b') OR n = 1", "TRUE", id="arm-of-two-texts"),
        pytest.param("(n = 1 AND m = 2) OR m = 4", "m IN (2, 4)", id="arm-that-can-be-true"),
        pytest.param("(n >= 1 AND n <= 1) OR m = 3", "TRUE", id="arm-of-one-value"),
        pytest.param("n = 3 OR n IN (1, 2) OR n > 7", "n IN (1, 2, 3) OR n > 7", id="values-first"),
        pytest.param(
            "flag IS NOT TRUE", "flag IS NULL OR flag < TRUE OR flag > TRUE", id="boolean"
        ),
        pytest.param("s LIKE 'ab%' AND s = 'b'", "FALSE", id="prefix-and-value"),
        pytest.param("s LIKE 'aé%'", "s >= 'aé' AND s < 'b'", id="prefix-beyond-ascii"),
        pytest.param("s LIKE 'é%'", "TRUE", id="prefix-of-no-ascii"),
        pytest.param("d <> 5e0", "TRUE", id="nan-is-in-no-range"),
        pytest.param("d NOT IN (5e0, 6e0)", "d IS NOT NULL", id="none-of-several-is-not-null"),
        pytest.param("st.x BETWEEN 1 AND 3", "st.x >= 1 AND st.x <= 3", id="range-of-a-field"),
        pytest.param("st.x NOT BETWEEN 1 AND 3", "st.x < 1 OR st.x > 3", id="ranges-of-a-field"),
        pytest.param("st.x = 1 OR st.x > 5", "st.x = 1 OR st.x > 5", id="or-of-a-field"),
        pytest.param("(st.x < 1 OR st.x > 3) AND n = 5", "n = 5", id="beside-another-column"),
        pytest.param("(st.x < 1 OR st.x > 3) AND upper(s) = 'A'", "TRUE", id="beside-a-function"),
        pytest.param("(st.x < 1 AND upper(s) = 'A') OR st.x > 3", "TRUE", id="and-in-an-arm"),
        pytest.param(
            "(st.x = 1 OR st.x = 3) AND n = 5", "st.x IN (1, 3) AND n = 5", id="list-of-a-field"
        ),
        pytest.param("st.x NOT IN (1, 2, 3)", "TRUE", id="outside-a-range-of-a-field"),
        pytest.param(
            "st.x IS DISTINCT FROM 1", "st.x IS NULL OR st.x < 1 OR st.x > 1", id="distinct-field"
        ),
        pytest.param("n IN (3, 1, 2)", "n >= 1 AND n <= 3", id="list-without-gaps"),
        pytest.param("n NOT IN (3, 1, 2)", "n < 1 OR n > 3", id="outside-a-list-without-gaps"),
        pytest.param(
            "n IN (1, 2, 3) AND n <> 2",
            "(n >= 1 AND n < 2) OR (n > 2 AND n <= 3)",
            id="hole-in-a-list-without-gaps",
        ),
        pytest.param("n IN (1, 2) OR n IN (4, 5)", "n IN (1, 2, 4, 5)", id="lists-of-an-or"),
        pytest.param("dec = 1e0", "dec = 1.00", id="approximate-number"),
        pytest.param("dec IN (1e0, 2e0)", "TRUE", id="approximate-numbers"),
        pytest.param("dec > REAL '1.5'", "TRUE", id="single-precision"),
        pytest.param("dec IS DISTINCT FROM REAL '1.5'", "TRUE", id="distinct-single-precision"),
        pytest.param("short = REAL '1.5'", "short = 1.50", id="digits-of-single-precision"),
        pytest.param("n = REAL '8388607'", "n = 8388607", id="whole-single"),
        pytest.param("n = REAL '8388608'", "TRUE", id="inexact-single"),
        pytest.param("n < REAL '3e9'", "n IS NOT NULL", id="below-a-single-out-of-range"),
        pytest.param("n IN (REAL '1', REAL '5')", "TRUE", id="singles"),
        pytest.param("n IN (1, 5e0)", "n IN (1, 5)", id="doubles-of-an-integer"),
        pytest.param("n BETWEEN SYMMETRIC 5 AND 1", "n >= 1 AND n <= 5", id="symmetric"),
        pytest.param("n NOT BETWEEN SYMMETRIC 5 AND 1", "n < 1 OR n > 5", id="not-symmetric"),
        pytest.param("n BETWEEN SYMMETRIC 1 AND NULL", "FALSE", id="symmetric-null"),
        pytest.param("big < 1e0", "TRUE", id="more-digits-than-an-approximate-number"),
        pytest.param("d > 5e0 AND d <> 6e0", "d > 5.0", id="beside-a-range"),
        pytest.param("NOT (d >= 5e0)", "TRUE", id="negated-range-holds-nan"),
        pytest.param("d NOT BETWEEN 1e0 AND 5e0", "TRUE", id="so-does-what-is-not-between"),
        pytest.param("NOT (d >= 5e0) AND d > 1e0", "d > 1.0", id="negated-range-beside-another"),
        pytest.param("NOT (d >= 5e0) OR d IS NULL", "TRUE", id="negated-range-or-null"),
        pytest.param("NOT (n >= 5)", "n < 5", id="negated-range-of-whole-numbers"),
        pytest.param("n NOT BETWEEN 1 AND 5", "n < 1 OR n > 5", id="not-between-whole-numbers"),
        pytest.param("d <> CAST('NaN' AS DOUBLE)", "d IS NOT NULL", id="everything-is-not-nan"),
        pytest.param("n <> 5.5", "n IS NOT NULL", id="no-such-number"),
        pytest.param("n NOT IN (5.5)", "n IS NOT NULL", id="none-of-no-such-numbers"),
        pytest.param("n < 1000000000000", "n IS NOT NULL", id="below-a-number-out-of-range"),
        pytest.param("n IS DISTINCT FROM 5.5", "TRUE", id="distinct-from-no-such-number"),
        pytest.param("CAST(n AS bigint) = 5", "n = 5", id="cast"),
        pytest.param("TRY_CAST(n AS bigint) IN (5, 7)", "n IN (5, 7)", id="casts-in-a-list"),
        pytest.param("CAST(n AS bigint) NOT BETWEEN 5 AND 7", "n < 5 OR n > 7", id="cast-outside"),
        pytest.param(
            "CAST(n AS bigint) IS DISTINCT FROM 5",
            "n IS NULL OR n < 5 OR n > 5",
            id="cast-distinct",
        ),
        pytest.param("CAST(n AS double) > 5.5e0", "n >= 6", id="cast-to-double"),
        pytest.param("CAST(n AS double) IN (1e0, 5e0)", "n IN (1, 5)", id="doubles-in-a-list"),
        pytest.param("CAST(n AS decimal(12, 2)) > 5.5", "n >= 6", id="cast-to-decimal"),
        pytest.param("CAST(n AS decimal(5, 2)) > 5.5", "TRUE", id="cast-to-fewer-digits"),
        pytest.param("CAST(n AS real) = REAL '5'", "n = 5", id="cast-to-real"),
        pytest.param("CAST(n AS real) = REAL '1e9'", "TRUE", id="cast-to-inexact-real"),
        pytest.param("CAST(n AS real) IN (REAL '1', REAL '5')", "TRUE", id="reals-in-a-list"),
        pytest.param("CAST(n AS smallint) = 5", "TRUE", id="cast-to-less"),
        pytest.param("CAST(n AS bigint) = 5 OR m = 4", "TRUE", id="cast-beside-another-column"),
        pytest.param("CAST(dec AS decimal(12, 4)) > 5.0001", "dec >= 5.01", id="cast-of-a-decimal"),
        pytest.param("CAST(dec AS decimal(8, 1)) > 5.0", "TRUE", id="cast-to-fewer-places"),
        pytest.param("CAST(dec AS double) IN (1e0, 2e0)", "TRUE", id="decimals-as-doubles"),
        pytest.param("CAST(dec AS decimal(20, 4)) = 1e0", "TRUE", id="cast-twice"),
        pytest.param("dec < 0.01e0", "dec < 0.01", id="decimal-of-a-double"),
        pytest.param("dec < 1e31", "dec IS NOT NULL", id="double-beyond-all-decimals"),
        pytest.param("CAST(big AS double) = 1e0", "TRUE", id="cast-that-rounds"),
        pytest.param("NOT (CAST(f AS double) > 5e0)", "TRUE", id="cast-of-what-may-be-nan"),
        pytest.param("CAST(f AS double) = 0.1e0", "FALSE", id="no-such-real"),
        pytest.param("f = 0.1e0", "FALSE", id="double-that-is-no-real"),
        pytest.param("f > 0.1", "f > 0.10000000149011612", id="real-of-a-decimal"),
        pytest.param(
            "CAST(day AS timestamp) > TIMESTAMP '2024-02-29 12:00:00'",
            "day >= DATE '2024-03-01'",
            id="cast-of-a-date",
        ),
        pytest.param(
            "CAST(ts AS timestamp(6)) > TIMESTAMP '2024-02-29 12:00:00'",
            "ts > TIMESTAMP '2024-02-29 12:00:00'",
            id="cast-of-a-timestamp",
        ),
        pytest.param(
            "CAST(ts AS timestamp) > TIMESTAMP '2024-02-29 12:00:00'",
            "TRUE",
            id="cast-to-milliseconds",
        ),
        pytest.param("n = least(7, 5)", "n = 5", id="least"),
    ],
)
def test_the_expression_that_the_connector_plans_by(where: str, expected: str) -> None:
    pushed = bind_pushed(TRINO, condition(where, "trino", planner=TRINO), TYPED, time_zone="UTC")
    assert render(as_expression(TRINO, pushed)) == expected


@pytest.mark.parametrize(
    ("where", "begin", "end"),
    [
        pytest.param("year(c) = 2024", "2024-01-01", "2025-01-01", id="year"),
        pytest.param("CAST(c AS DATE) = DATE '2024-05-01'", "2024-05-01", "2024-05-02", id="day"),
    ],
)
@pytest.mark.parametrize(
    ("kind", "literal"),
    [
        pytest.param("date", "DATE '{}'", id="date"),
        pytest.param("timestamp", "TIMESTAMP '{} 00:00:00'", id="timestamp"),
        pytest.param("timestamptz", "TIMESTAMP '{} 00:00:00 UTC'", id="timestamptz"),
    ],
)
def test_functions_of_times_read_a_column_in_utc(
    where: str, begin: str, end: str, kind: str, literal: str
) -> None:
    """If it has a time zone; whatever that of the session is."""
    schema = Schema(0, (SchemaColumn(1, ("c",), kind, False, False, False),))
    zone = "America/Los_Angeles"
    found = condition(where, "trino", time_zone=zone, planner=TRINO)
    pushed = as_expression(TRINO, bind_pushed(TRINO, found, schema, time_zone=zone))
    assert render(pushed) == f"c >= {literal.format(begin)} AND c < {literal.format(end)}"


@pytest.mark.parametrize(
    ("cast", "kind", "is_pushed"),
    [
        pytest.param("timestamp(6)", "timestamp", True, id="its-own"),
        pytest.param("timestamp(6) with time zone", "timestamptz", True, id="its-own-with-zone"),
        pytest.param("timestamp", "timestamp", False, id="milliseconds"),
        pytest.param("timestamp(6)", "timestamptz", False, id="without-zone"),
        pytest.param("timestamp(6)", None, False, id="unknown"),
    ],
)
def test_casts_of_truncated_times_to_their_own_type_are_dropped(
    cast: str, kind: str | None, is_pushed: bool
) -> None:
    """As Trino 483 was seen to do it."""
    zone = " UTC" if kind == "timestamptz" else ""
    where = f"CAST(date_trunc('day', c) AS {cast}) = TIMESTAMP '2024-05-01 00:00:00{zone}'"
    types = {} if kind is None else {"c": kind}
    found = condition(where, "trino", planner=Planner("trino", (483,)), types=types)
    plain = where.replace("CAST(", "").replace(f" AS {cast})", "")
    assert (render(found) == render(condition(plain, "trino", planner=TRINO))) == is_pushed
    assert (render(found) == "TRUE") != is_pushed


def test_nulls_are_distinct_whatever_is_dropped_around_the_column() -> None:
    value, types = "TIMESTAMP '2024-05-01 00:00:00 UTC'", {"c": "timestamptz"}
    where = f"CAST(c AS timestamp(6) with time zone) IS DISTINCT FROM {value}"
    schema = Schema(0, (SchemaColumn(1, ("c",), "timestamptz", False, False, False),))
    planner = Planner("trino", (483,))
    found = condition(where, "trino", planner=planner, types=types, time_zone="UTC")
    assert "c IS NULL" in render(bind_pushed(planner, found, schema, time_zone="UTC"))


@pytest.mark.parametrize(
    ("where", "kinds"),
    [
        # Of the kinds of columns that are told, Trino 483 was seen to push something.
        pytest.param("c >= TIMESTAMP '2024-05-01 00:00:00.1234567 UTC'", ("timestamp",), id="fine"),
        pytest.param("c < TIMESTAMP '2024-05-01 00:00:00.1234567'", ("timestamp",), id="fine-ntz"),
        pytest.param(
            "c IN (TIMESTAMP '2024-05-01 00:00:00.1234567', TIMESTAMP '2024-05-01 00:00:00')",
            (),
            id="fine-list",
        ),
        pytest.param("year(c) = 2024 OR c IS NULL", ("timestamp",), id="or-null"),
        pytest.param(
            "CAST(c AS date) = DATE '2024-05-01' OR c IS NULL", ("timestamp",), id="day-or-null"
        ),
        pytest.param("year(c) = 2024 OR year(c) = 2020", ("timestamp",), id="or-years"),
        pytest.param(
            "CAST(c AS date) = DATE '2024-05-01' OR CAST(c AS date) = DATE '2024-07-01'",
            (),
            id="or-days",
        ),
        pytest.param(
            "TRY_CAST(c AS date) = DATE '2024-05-01'", ("timestamp",), id="day-that-may-fail"
        ),
        # What no month starts with is FALSE for Trino, but where it keeps the function.
        pytest.param(
            "date_trunc('month', c) = TIMESTAMP '2024-05-15 00:00:00' OR c IS NULL",
            ("timestamp",),
            id="or-no-month",
        ),
        pytest.param(
            "date_trunc('month', c) = TIMESTAMP '2024-05-15 00:00:00'",
            ("timestamp", "timestamptz"),
            id="no-month",
        ),
        pytest.param("c = 5e0", ("long",), id="double"),
        pytest.param("c IN (1, 5e0)", (), id="doubles"),
        pytest.param("c > 1e18", (), id="inexact-double"),
    ],
)
def test_what_is_pushed_depends_on_the_type(where: str, kinds: tuple[str, ...]) -> None:
    found = condition(where, "trino", time_zone="UTC", planner=TRINO)
    asked = ("long",) if "e0" in where or "e1" in where else ("timestamp", "timestamptz")
    pushed = {
        kind: bind_pushed(
            TRINO,
            found,
            Schema(0, (SchemaColumn(1, ("c",), kind, False, False, False),)),
            time_zone="UTC",
        )
        for kind in asked
    }
    assert {kind for kind, predicate in pushed.items() if predicate != TRUE} == set(kinds)
