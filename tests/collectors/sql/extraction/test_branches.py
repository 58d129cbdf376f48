"""Conditions on what several queries have together, which depend on the types of all."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Reason, Unsupported, all_of, conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.table_scans import TableScan

A, B = TableName("c", ("s",), "a"), TableName("c", ("s",), "b")
COLUMNS = {
    A: {"i": "int", "d": "double", "s": "string", "ts": "timestamptz"},
    B: {"i": "long", "d": "string", "s": "string", "ts": "timestamptz"},
}


def _said(scan: TableScan) -> str:
    """What is said of a table for certain."""
    parts = conjuncts(scan.predicate)
    is_lost = [any(isinstance(leaf, Unsupported) for leaf in leaves(part)) for part in parts]
    return render(all_of(*(part for part, lost in zip(parts, is_lost, strict=True) if not lost)))


_D, _D_AND_S = "SELECT d AS x FROM a", "SELECT d AS x, s FROM a"
_AS_TEXT = "SELECT CAST(d AS string) FROM a"


@pytest.mark.parametrize(
    ("union", "condition", "expected"),
    [
        ("SELECT ts AS x FROM a UNION SELECT ts FROM b", "x > '2026'", ["ts > '2026'"] * 2),
        ("SELECT i AS x FROM a UNION SELECT i FROM b", "x = 5", ["i = 5"] * 2),
        ("SELECT d AS x FROM a UNION ALL SELECT d FROM b", "x < '5'", ["TRUE"] * 2),
        ("SELECT d AS x FROM a UNION ALL SELECT d FROM b", "x = 5", ["TRUE"] * 2),
        (f"{_D_AND_S} UNION ALL SELECT d, s FROM b", "x = 5 AND s = 'e'", ["s = 'e'"] * 2),
        (f"{_D_AND_S} UNION ALL SELECT d, s FROM b", "x = 5 OR s = 'e'", ["TRUE"] * 2),
        (f"{_D} UNION ALL ({_D} UNION ALL SELECT s FROM b)", "x = 5", ["TRUE"] * 3),
        (f"{_D} UNION ALL SELECT 'none'", "x > '5'", ["TRUE"]),
        (f"SELECT s AS x FROM a UNION ALL {_AS_TEXT}", "x = 'e'", ["s = 'e'", "TRUE"]),
        (f"{_D} UNION ALL {_AS_TEXT}", "x = 5", ["TRUE"] * 2),
        ("SELECT i AS x FROM a EXCEPT SELECT d FROM a", "x = '5'", ["TRUE"] * 2),
        (f"{_D} UNION ALL SELECT d FROM (SELECT * FROM b)", "x = 5", ["TRUE"] * 2),
    ],
)
def test_values_that_are_converted_first_have_no_condition(
    union: str, condition: str, expected: list[str]
) -> None:
    """Spark 4.1 without ANSI compares texts where a branch has a double and another one a text."""
    tree = parse(f"SELECT * FROM ({union}) WHERE {condition}", "spark")
    scans = extract(tree, dialect="spark", columns=COLUMNS, catalog="c", schema="s")
    assert [_said(scan) for scan in scans] == expected


@pytest.mark.parametrize(
    ("columns", "condition", "expected"),
    [
        (("i", "d"), "x > 230", ["i > 230", "d > 230"]),
        (("i", "d"), "x > -1.5", ["i > -1.5", "d > -1.5"]),
        (("i", "d"), "x IN (5, 6)", ["i IN (5, 6)", "d IN (5, 6)"]),
        (("i", "d"), "x = '5'", ["TRUE"] * 2),
        (("i", "d"), "x = 5.0000000000000000000001", ["TRUE"] * 2),
        (("i", "d"), "x / 2 > 5", ["TRUE"] * 2),
        (("l", "d"), "x = 5", ["TRUE"] * 2),
        (("i", "f"), "x = 5", ["TRUE"] * 2),
        (("f", "d"), "x = 5.5", ["f = 5.5", "d = 5.5"]),
        (("f", "d"), "x = 16777217", ["TRUE"] * 2),
        (("i", "p"), "x > 5", ["i > 5", "p > 5"]),
        (("l", "p"), "x = 5.5", ["l = 5.5", "p = 5.5"]),
        (("p", "q"), "x <= 5.25", ["p <= 5.25", "q <= 5.25"]),
        (("l", "w"), "x > 5", ["TRUE"] * 2),
        (("p", "d"), "x > 5", ["TRUE"] * 2),
        (("i", "s"), "x = 5", ["TRUE"] * 2),
        (("dt", "ts"), "x >= DATE '2026-01-02'",
         ["dt >= DATE '2026-01-02'", "ts >= DATE '2026-01-02'"]),
        (("dt", "ts"), "x BETWEEN DATE '2026-01-02' AND DATE '2026-01-03'",
         ["dt >= DATE '2026-01-02' AND dt <= DATE '2026-01-03'",
          "ts >= DATE '2026-01-02' AND ts <= DATE '2026-01-03'"]),
        (("dt", "ts"), "x >= '2026-01-02 10:00:00'", ["TRUE"] * 2),
        (("ts", "tn"), "x >= DATE '2026-01-02'", ["TRUE"] * 2),
    ],
)  # fmt: skip
def test_values_that_are_widened_are_compared_as_they_are(
    columns: tuple[str, str], condition: str, expected: list[str]
) -> None:
    """A `double` holds every `int`, not every `long`; a `decimal` both, if it has the digits."""
    types = {"i": "int", "l": "long", "f": "float", "d": "double", "s": "string", "dt": "date"}
    decimals = {"p": "decimal(9, 2)", "q": "decimal(12, 4)", "w": "decimal(38, 20)"}
    known = {A: {**types, **decimals, "ts": "timestamptz", "tn": "timestamp"}}
    first, second = columns
    sql = f"SELECT * FROM (SELECT {first} AS x FROM a UNION ALL SELECT {second} FROM a)"
    found = extract(
        parse(f"{sql} WHERE {condition}", "spark"),
        dialect="spark",
        columns=known,
        catalog="c",
        schema="s",
    )
    assert [_said(scan) for scan in found] == expected


_SINCE = "x >= '2026-01-05'"


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        *((text, "TRUE") for text in (
            "SELECT date_format(ts, 'yyyy-MM-dd') FROM a", "SELECT upper(s) FROM a",
            "SELECT CAST(ts AS STRING) FROM a", "SELECT max(s) FROM a", "SELECT s || s FROM a",
            "SELECT coalesce(s, 'x') FROM a", "SELECT if(i = 5, s, 'x') FROM a",
            "SELECT dt FROM (SELECT substr(s, 1, 10) AS dt FROM a)", "SELECT udf(s) FROM a",
            "SELECT CASE WHEN i = 5 THEN s ELSE 'x' END FROM a", "SELECT '2026-01-05'",
        )),
        *((date, "dt >= '2026-01-05'") for date in (
            "SELECT CAST(ts AS DATE) FROM a", "SELECT to_date(s) FROM a", "SELECT max(dt) FROM a",
            "SELECT date_add(dt, 1) FROM a", "SELECT coalesce(dt, current_date()) FROM a",
            "SELECT x FROM (SELECT date(ts) AS x FROM a)", "SELECT NULL", "SELECT happened FROM o",
            # As beside texts, which the same table tells of.
            "SELECT next_day(dt, 'MON') FROM a", "SELECT dt - 7 FROM a",
            "SELECT greatest(dt, DATE '2026-01-01') FROM a", "SELECT nvl2(s, dt, NULL) FROM a",
        )),
    ],
)  # fmt: skip
def test_what_is_computed_has_a_type(other: str, expected: str) -> None:
    """Spark makes text of the dates beside a text, and pushes nothing for them."""
    known = {A: {"i": "int", "s": "string", "dt": "date", "ts": "timestamptz"}}
    tree = parse(f"SELECT * FROM (SELECT dt AS x FROM a UNION ALL {other}) WHERE {_SINCE}", "spark")
    first, *_ = extract(tree, dialect="spark", columns=known, catalog="c", schema="s")
    assert _said(first) == expected


def test_what_is_asked_of_converted_values_is_told_as_not_understood() -> None:
    sql = "SELECT * FROM (SELECT i AS x, s FROM a UNION ALL SELECT s, s FROM b)"
    tree = parse(f"{sql} WHERE x = 5 OR s = 'e'", "spark")
    for scan in extract(tree, dialect="spark", columns=COLUMNS, catalog="c", schema="s"):
        (lost,) = (leaf for leaf in leaves(scan.predicate) if isinstance(leaf, Unsupported))
        assert lost.reason is Reason.EXPRESSION
        assert lost.columns in (("i",), ("s",))


_OTHERS = "SELECT happened FROM o"


@pytest.mark.parametrize(
    ("union", "condition", "expected"),
    [
        ("SELECT d AS x FROM a UNION ALL SELECT d FROM o", "x = 5", "d = 5"),
        ("SELECT * FROM (SELECT d AS x FROM a) UNION ALL SELECT D FROM (SELECT * FROM o)",
         "x = 5", "d = 5"),
        ("SELECT d AS x FROM a UNION ALL SELECT other FROM o", "x = 5", "TRUE"),
        ("SELECT d AS x FROM a UNION ALL SELECT i FROM o UNION ALL SELECT d FROM o",
         "x = 5", "TRUE"),
        ("SELECT d AS x FROM a UNION ALL SELECT 7", "x = 5", "d = 5"),
        ("SELECT d AS x FROM a UNION ALL SELECT NULL", "x = 5", "d = 5"),
        (f"SELECT i AS x FROM a UNION ALL {_OTHERS}", "x = 5", "i = 5"),
        (f"SELECT i AS x FROM a UNION ALL {_OTHERS}", "x > '5'", "TRUE"),
        (f"SELECT i AS x FROM a UNION ALL {_OTHERS}", "x IN (5, '6')", "TRUE"),
        (f"SELECT i AS x FROM a UNION ALL {_OTHERS}", "x / 2 > 5", "TRUE"),
        (f"SELECT s AS x FROM a UNION ALL {_OTHERS}", "x LIKE 'e%'", "s LIKE 'e%'"),
        (f"SELECT ts AS x FROM a UNION ALL {_OTHERS}", "x >= TIMESTAMP '2026-01-01 00:00:00'",
         "ts >= TIMESTAMP '2026-01-01 00:00:00'"),
        (f"SELECT ts AS x FROM a UNION ALL {_OTHERS}", "x >= '2026-01-01'", "ts >= '2026-01-01'"),
        (f"SELECT ts AS x FROM a UNION {_OTHERS}", "x > '2026-01-01'", "ts > '2026-01-01'"),
        (f"{_OTHERS} UNION ALL SELECT ts FROM a", "happened > '2026'", "ts > '2026'"),
        (f"(SELECT ts AS x FROM a UNION ALL {_OTHERS}) UNION ALL SELECT at FROM p",
         "x > '2026'", "ts > '2026'"),
        (f"SELECT ts AS x FROM a UNION ALL ({_OTHERS} UNION ALL SELECT at FROM p)",
         "x > '2026'", "ts > '2026'"),
        (f"SELECT ts AS x FROM a UNION ALL ({_OTHERS} LIMIT 3)", "x > '2026'", "ts > '2026'"),
        (f"SELECT ts AS x FROM a UNION ALL {_OTHERS} LIMIT 3", "x > '2026'", "TRUE"),
        (f"SELECT ts AS x FROM a EXCEPT {_OTHERS}", "x > '2026'", "ts > '2026'"),
        (f"{_OTHERS} EXCEPT SELECT ts FROM a", "happened > '2026'", "TRUE"),
        ("SELECT ts AS x, i FROM a UNION ALL SELECT happened, n FROM o",
         "x > '2026' OR i = 5", "ts > '2026' OR i = 5"),
        ("SELECT ts AS x, d FROM a UNION ALL SELECT happened, n FROM o",
         "x > '2026' OR d = 5", "TRUE"),
    ],
)  # fmt: skip
def test_branches_of_tables_that_are_not_known(union: str, condition: str, expected: str) -> None:
    """Columns of one name are taken to be of one type, as tables of years are; those of others
    where what they are compared with says nothing else."""
    tree = parse(f"SELECT * FROM ({union}) WHERE {condition}", "spark")
    (known,) = extract(tree, dialect="spark", columns={A: COLUMNS[A]}, catalog="c", schema="s")
    assert _said(known) == expected


@pytest.mark.parametrize(
    "query",
    [
        f"WITH u (x) AS (SELECT ts FROM a UNION ALL {_OTHERS}) SELECT * FROM u WHERE x > '2026'",
        f"SELECT * FROM (SELECT ts FROM a UNION ALL {_OTHERS}) AS u (x) WHERE u.x > '2026'",
        f"SELECT count(*) FROM (SELECT ts AS x FROM a UNION {_OTHERS}) WHERE x > '2026' GROUP BY x",
        "SELECT * FROM (SELECT ts AS x FROM a UNION ALL VALUES (current_date())) WHERE x > '2026'",
    ],
)
def test_names_of_a_union_are_those_of_its_places(query: str) -> None:
    tree = parse(query, "spark")
    (known,) = extract(tree, dialect="spark", columns={A: COLUMNS[A]}, catalog="c", schema="s")
    assert render(known.predicate) == "ts > '2026'"


def test_a_recursive_query_is_asked_nothing_from_outside() -> None:
    sql = "WITH RECURSIVE r (x) AS (SELECT ts FROM a UNION ALL SELECT x + INTERVAL '1' DAY FROM r) "
    tree = parse(sql + "SELECT * FROM r WHERE x > TIMESTAMP '2026-01-01'", "trino")
    (known,) = extract(tree, dialect="trino", columns={A: COLUMNS[A]}, catalog="c", schema="s")
    assert render(known.predicate) == "TRUE"
