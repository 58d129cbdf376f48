"""Conditions on what several queries have together, which depend on the types of all."""

from __future__ import annotations

import pytest

from collectors.observed import TableName
from collectors.predicates.render import render
from collectors.sql.extraction.extract import extract
from collectors.sql.text.parse import parse

A, B = TableName("c", ("s",), "a"), TableName("c", ("s",), "b")
COLUMNS = {
    A: {"i": "int", "d": "double", "s": "string", "ts": "timestamptz"},
    B: {"i": "long", "d": "string", "s": "string", "ts": "timestamptz"},
}


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
        (f"SELECT s AS x FROM a UNION ALL {_AS_TEXT}", "x = 'e'", ["s = 'e'", "d = 'e'"]),
        (f"{_D} UNION ALL {_AS_TEXT}", "x = 5", ["TRUE"] * 2),
        ("SELECT i AS x FROM a EXCEPT SELECT d FROM a", "x = 5", ["TRUE"] * 2),
        (f"{_D} UNION ALL SELECT d FROM (SELECT * FROM b)", "x = 5", ["TRUE"] * 2),
    ],
)
def test_values_that_are_converted_first_have_no_condition(
    union: str, condition: str, expected: list[str]
) -> None:
    """Spark 4.1 without ANSI compares texts where a branch has a double and another one a text."""
    tree = parse(f"SELECT * FROM ({union}) WHERE {condition}", "spark")
    scans = extract(tree, dialect="spark", columns=COLUMNS, catalog="c", schema="s")
    assert [render(scan.predicate) for scan in scans] == expected


@pytest.mark.parametrize(
    ("union", "expected"),
    [
        ("SELECT d AS x FROM a UNION ALL SELECT d FROM o", "d = 5"),
        ("SELECT * FROM (SELECT d AS x FROM a) UNION ALL SELECT D FROM (SELECT * FROM o)", "d = 5"),
        ("SELECT d AS x FROM a UNION ALL SELECT other FROM o", "TRUE"),
        ("SELECT d AS x FROM a UNION ALL SELECT i FROM o UNION ALL SELECT d FROM o", "TRUE"),
        ("SELECT d AS x FROM a UNION ALL SELECT 7", "d = 5"),
        ("SELECT d AS x FROM a UNION ALL SELECT NULL", "d = 5"),
    ],
)
def test_branches_of_tables_that_are_not_known(union: str, expected: str) -> None:
    """Columns of one name are taken to be of one type, as tables of years are."""
    tree = parse(f"SELECT * FROM ({union}) WHERE x = 5", "spark")
    (known,) = extract(tree, dialect="spark", columns={A: COLUMNS[A]}, catalog="c", schema="s")
    assert render(known.predicate) == expected
