"""Dropping the rows that the extracted predicates rule out never changes what ClickHouse's joins
find, by whichever of its partners a row gets.

SQLite has no such joins: it takes the partners of each row that ClickHouse may choose, the first,
and puts 0 and empty texts beside rows without one, as `join_use_nulls = 0` does.
"""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.predicates.model import any_of
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from tests.collectors.predicates.row_evaluator import matches
from tests.collectors.sql.extraction.test_soundness import COLUMNS, TABLES, Row

pytestmark = pytest.mark.slow

_rows = st.lists(
    st.tuples(st.none() | st.integers(0, 2), st.none() | st.integers(0, 2), st.sampled_from("ab")),
    max_size=5,
).map(lambda rows: [(number, *row) for number, row in enumerate(rows)])


def _leaf(alias: str) -> st.SearchStrategy[str]:
    op = st.sampled_from(["=", "<>", "<", ">="])
    number = st.builds(
        "{}.{} {} {}".format, st.just(alias), st.sampled_from("ab"), op, st.integers(0, 2)
    )
    text = st.builds("{}.s {} '{}'".format, st.just(alias), op, st.sampled_from(["", "a", "b"]))
    null = st.builds("{}.b IS {}NULL".format, st.just(alias), st.sampled_from(["", "NOT "]))
    return st.one_of(number, text, null)


_side = st.sampled_from("lr").flatmap(_leaf)
_where = st.one_of(
    _side, st.builds("({} OR {})".format, _side, _side), st.builds("{} AND {}".format, _side, _side)
)
# By join: the pairs that are chosen of all that pass ON, and whose rows stay without one.
JOINS = {
    "INNER": ("SELECT l, r FROM pairs", ""),
    "LEFT": ("SELECT l, r FROM pairs", "l"),
    "RIGHT": ("SELECT l, r FROM pairs", "r"),
    "FULL": ("SELECT l, r FROM pairs", "lr"),
    "ANY LEFT": ("SELECT l, min(r) AS r FROM pairs GROUP BY l", "l"),
    "ANY RIGHT": ("SELECT min(l) AS l, r FROM pairs GROUP BY r", "r"),
    "INNER ANY": ("SELECT min(l) AS l, min(r) AS r FROM pairs GROUP BY k", ""),
    "SEMI LEFT": ("SELECT l, min(r) AS r FROM pairs GROUP BY l", ""),
    "SEMI RIGHT": ("SELECT min(l) AS l, r FROM pairs GROUP BY r", ""),
    "ANTI LEFT": ("SELECT l, r FROM pairs WHERE 1 = 0", "l"),
    "ANTI RIGHT": ("SELECT l, r FROM pairs WHERE 1 = 0", "r"),
    "ASOF": ("SELECT l, r FROM nearest", ""),
    "ASOF LEFT": ("SELECT l, r FROM nearest", "l"),
}


def _joined(join: str, on: str, where: str) -> str:
    """The ids of the rows that a join finds, as SQLite has it."""
    chosen, kept = JOINS[join]
    unmatched = "".join(
        f" UNION ALL SELECT {of_left}, {of_right} FROM {side} WHERE id NOT IN "
        f"(SELECT {side} FROM pairs)"
        for side, of_left, of_right in (("l", "id", "NULL"), ("r", "NULL", "id"))
        if side in kept
    )
    columns = ", ".join(
        f"CASE WHEN {side}.id IS NULL THEN {default} ELSE {side}.{name} END AS {side}_{name}"
        for side in "lr"
        for name, default in (("a", "0"), ("b", "0"), ("s", "''"))
    )
    condition = where.replace("l.", "l_").replace("r.", "r_")
    return (
        f"WITH pairs AS (SELECT l.id AS l, r.id AS r, l.a AS k, r.b AS t FROM l JOIN r ON {on}), "
        "nearest AS (SELECT l, min(r) AS r FROM pairs p WHERE t = "
        "(SELECT max(q.t) FROM pairs q WHERE q.l = p.l) GROUP BY l), "
        f"chosen AS ({chosen}{unmatched}), "
        f"found AS (SELECT c.l AS l_id, c.r AS r_id, {columns} FROM chosen c "
        "LEFT JOIN l ON l.id = c.l LEFT JOIN r ON r.id = c.r) "
        f"SELECT l_id, r_id FROM found WHERE {condition}"
    )


def _run(sql: str, tables: dict[str, list[Row]]) -> list[tuple[object, ...]]:
    with sqlite3.connect(":memory:") as database:
        for name, rows in tables.items():
            database.execute(f"CREATE TABLE {name} (id INTEGER, a INTEGER, b INTEGER, s TEXT)")
            database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", rows)
        return sorted(database.execute(sql).fetchall(), key=repr)


@pytest.mark.parametrize("join", JOINS)
@given(left=_rows, right=_rows, own=st.none() | _side, where=_where)
def test_a_join_of_clickhouse_keeps_its_rows(
    join: str, left: list[Row], right: list[Row], own: str | None, where: str
) -> None:
    on = "l.a = r.a AND l.b >= r.b" if join.startswith("ASOF") else "l.a = r.a"
    if own is not None and not join.startswith("ASOF"):
        on += f" AND {own}"
    asked = f"SELECT l.id, r.id FROM l {join} JOIN r ON {on} WHERE {where}"
    scans = extract(parse(asked, "clickhouse"), dialect="clickhouse", columns=TABLES)
    tables = {"l": left, "r": right}
    needed = {
        name: any_of(*(scan.predicate for scan in scans if scan.table.table == name))
        for name in tables
    }
    pruned = {
        name: [row for row in rows if matches(needed[name], dict(zip(COLUMNS, row, strict=True)))]
        for name, rows in tables.items()
    }
    run = _joined(join, on, where)
    assert _run(run, pruned) == _run(run, tables)
