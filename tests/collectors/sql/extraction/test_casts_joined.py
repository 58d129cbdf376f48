"""Conditions through joins by casts of columns, and ORs over both sides, as Spark infers them."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import Any

import duckdb
import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Column,
    Comparison,
    Predicate,
    Unsupported,
    conjuncts,
)
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import leaves, map_leaves
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import Planner, bind_pushed
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.table_scans import TableScan
from tests.collectors.predicates.row_evaluator import matches

F, D, E = (TableName("c", ("s",), name) for name in "fde")
_TYPES = {
    "n": "int", "l": "long", "x": "double", "dt": "date", "ts": "timestamptz", "tn": "timestamp",
    "s": "string",
}  # fmt: skip
_SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(_TYPES.items(), 1)
    ),
)


def _scans(
    sql: str, planner: Planner | None = None, known: tuple[TableName, ...] = (F, D, E)
) -> tuple[TableScan, ...]:
    return extract(
        parse(sql, "spark"), dialect="spark", columns=dict.fromkeys(known, _TYPES), catalog="c",
        schema="s", time_zone="UTC", planner=planner,
    )  # fmt: skip


def _pushed(sql: str, *, table: TableName = F, known: tuple[TableName, ...] = (F, D, E)) -> str:
    """What Spark pushes to a table, but that columns are not null."""
    planner = Planner("spark", (4, 1))
    scan = next(scan for scan in _scans(sql, planner, known) if scan.table == table)
    assert scan.pushed is not None
    bound = bind_pushed(planner, scan.pushed, _SCHEMA, time_zone="UTC")
    parts = [part for part in conjuncts(bound) if not isinstance(part, Unsupported)]
    return " & ".join(text for text in map(render, parts) if "IS NOT NULL" not in text)


_DAY = "ts >= TIMESTAMP '2024-01-05 00:00:00 UTC' & ts < TIMESTAMP '2024-01-06 00:00:00 UTC'"
_SINCE = "ts >= TIMESTAMP '2024-01-05 00:00:00 UTC'"
_IS_DAY = "d.dt = DATE '2024-01-05'"
_IS_DAY_OF_E = "e.dt = DATE '2024-01-05'"
_ON_DAY = "ON CAST(f.ts AS DATE) = d.dt"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param(f"f JOIN d {_ON_DAY} WHERE {_IS_DAY}", _DAY, id="day"),
        pytest.param(f"f JOIN d ON d.dt = to_date(f.ts) AND {_IS_DAY}", _DAY, id="in ON"),
        pytest.param(f"f JOIN d ON date(f.tn) = d.dt WHERE {_IS_DAY}",
                     "tn >= TIMESTAMP '2024-01-05 00:00:00' & tn < TIMESTAMP '2024-01-06 00:00:00'",
                     id="without zone"),
        pytest.param(f"f JOIN d {_ON_DAY} WHERE d.dt >= DATE '2024-01-05'", _SINCE, id="range"),
        pytest.param(f"f JOIN d {_ON_DAY} WHERE d.dt IN (DATE '2024-01-05', DATE '2024-01-09')", "",
                     id="list, which is not undone"),
        pytest.param(f"f JOIN d {_ON_DAY} WHERE CAST(f.ts AS DATE) = DATE '2024-01-05'", _DAY,
                     id="of the fact itself"),
        pytest.param(f"f LEFT JOIN d {_ON_DAY} WHERE {_IS_DAY}", _DAY, id="left"),
        pytest.param(f"f LEFT JOIN d {_ON_DAY} AND {_IS_DAY}", "", id="left, only on"),
        pytest.param(f"f RIGHT JOIN d {_ON_DAY} AND {_IS_DAY}", _DAY, id="right, only on"),
        pytest.param(f"f LEFT SEMI JOIN d {_ON_DAY} AND {_IS_DAY}", _DAY, id="semi"),
        pytest.param(f"f LEFT ANTI JOIN d {_ON_DAY} AND {_IS_DAY}", "", id="anti"),
        pytest.param(f"f WHERE date(ts) IN (SELECT dt FROM d WHERE {_IS_DAY})", "", id="in"),
        pytest.param(f"f WHERE date(ts) NOT IN (SELECT dt FROM d WHERE {_IS_DAY})", "",
                     id="not in"),
        pytest.param(f"f JOIN (SELECT dt FROM d WHERE {_IS_DAY}) q ON date(f.ts) = q.dt", _DAY,
                     id="inside"),
        pytest.param(f"(SELECT date(ts) AS day FROM f) q JOIN d ON q.day = d.dt WHERE {_IS_DAY}",
                     _DAY, id="computed"),
        pytest.param("f JOIN (SELECT date(ts) AS dt FROM d) q ON f.dt = q.dt "
                     "WHERE q.dt = DATE '2024-01-05'", "", id="undone before it is inferred"),
        pytest.param("f JOIN (SELECT CAST(s AS DATE) AS dt FROM d) q ON f.dt = q.dt "
                     "WHERE q.dt = DATE '2024-01-05'", "dt = DATE '2024-01-05'", id="not undone"),
        pytest.param(f"f JOIN d {_ON_DAY} JOIN e ON date(f.ts) = e.dt WHERE {_IS_DAY_OF_E}",
                     _DAY, id="a second calendar"),
        pytest.param(f"f JOIN d {_ON_DAY} JOIN e ON d.dt = e.dt WHERE {_IS_DAY_OF_E}", "",
                     id="against the order of joins"),
        pytest.param("e JOIN d ON d.dt = e.dt JOIN f ON date(f.ts) = d.dt "
                     "WHERE e.dt >= DATE '2024-01-05'", _SINCE, id="along the order of joins"),
        pytest.param("f JOIN d ON date(f.ts) <=> d.dt WHERE d.dt = DATE '2024-01-05'", "",
                     id="null-safe"),
        pytest.param("f JOIN d ON date(f.ts) = date(d.ts) WHERE date(d.ts) = DATE '2024-01-05'", "",
                     id="both cast"),
        pytest.param("f JOIN d ON date(f.ts) = d.ts WHERE d.ts = TIMESTAMP '2024-01-05 00:00:00'",
                     "",
                     id="cast again"),
        pytest.param("f JOIN d ON CAST(f.n AS BIGINT) = d.l WHERE d.l = 5", "n = 5", id="wider"),
        pytest.param("f JOIN d ON CAST(f.n AS BIGINT) = d.l WHERE d.l IN (5, 6)", "n = 5 OR n = 6",
                     id="wider, list"),
        pytest.param("f JOIN d ON CAST(f.l AS INT) = d.n WHERE d.n = 5", "", id="narrower"),
        pytest.param("f JOIN d ON f.n = d.x WHERE d.x > 5.5D", "n >= 6", id="as doubles"),
        pytest.param("f JOIN d ON f.x = d.n WHERE d.n > 5", "", id="as doubles, the other way"),
        pytest.param("f JOIN d ON f.dt = d.ts WHERE d.ts >= TIMESTAMP '2024-01-05 10:00:00'",
                     "dt >= DATE '2024-01-06'", id="date as a time"),
        pytest.param("f JOIN d ON f.tn = d.ts WHERE d.ts >= TIMESTAMP '2024-01-05 00:00:00'",
                     "tn >= TIMESTAMP '2024-01-05 00:00:00'", id="a time without zone"),
        pytest.param("f JOIN d ON f.ts = d.dt WHERE d.dt = DATE '2024-01-05'", "", id="not back"),
        # ORs over both sides.
        pytest.param("f JOIN d ON f.s = d.s WHERE d.s = 'a' OR (d.s = 'b' AND f.n > 10)",
                     "s = 'a' OR (s = 'b' AND n > 10)", id="or"),
        pytest.param("f RIGHT JOIN d ON f.s = d.s AND (d.s = 'a' OR (d.s = 'b' AND f.n > 10))",
                     "s = 'a' OR (s = 'b' AND n > 10)", id="or in a right join"),
        pytest.param("f LEFT JOIN d ON f.s = d.s WHERE d.s = 'a' OR (d.s = 'b' AND f.n > 10)", "",
                     id="or above a left join"),
        pytest.param("f FULL JOIN d ON f.s = d.s WHERE (d.s = 'a' AND f.n = 1) OR f.n = 2", "",
                     id="or above a full join"),
        pytest.param("f JOIN d ON f.n = d.n AND f.l = d.l WHERE d.n = 5 OR d.l = 6", "",
                     id="or of two others"),
        pytest.param("f JOIN d ON f.n = d.n JOIN e ON e.n = f.n WHERE e.n = 5 OR f.l = 7",
                     "n = 5 OR l = 7", id="or in a later join"),
        pytest.param("e JOIN d ON e.n = d.n JOIN f ON f.n = d.n WHERE e.n = 5 OR f.l = 7", "",
                     id="or that a join below does not know"),
        pytest.param("f JOIN d ON f.l = d.n WHERE d.n = 5 OR f.n = 7", "", id="or, wider"),
        pytest.param("f JOIN d ON f.n = d.n WHERE (d.n = 5 AND d.s = 'a') OR f.l = 7", "",
                     id="or with what has no equal"),
        pytest.param(f"f JOIN d {_ON_DAY} WHERE (d.dt >= DATE '2024-01-05' AND f.n = 4) OR f.n = 5",
                     f"n = 4 OR n = 5 & ({_SINCE} AND n = 4) OR n = 5", id="or by a cast"),
        pytest.param("f JOIN d ON (f.n = d.n AND d.s = 'a') OR (d.n = f.n AND f.l = 6) "
                     "WHERE d.n = 5",
                     "n = 5", id="an equality of all arms"),
        pytest.param("f JOIN d ON (f.n = d.n AND d.n = 6) OR (f.n = d.n AND f.l = 8)",
                     "n = 6 OR l = 8", id="and what is left of these"),
        pytest.param("f JOIN d ON (f.n = d.n OR f.n = d.l) AND d.n = 5", "", id="not of all arms"),
    ],
)  # fmt: skip
def test_what_spark_infers(sql: str, expected: str) -> None:
    """As Spark 4.1.4 with Iceberg 1.11 pushes it."""
    assert _pushed(f"SELECT count(*) FROM {sql}") == expected


def test_an_or_above_an_outer_join_stays_there_for_both_sides() -> None:
    where = "(d.n = 5 AND f.l = 1) OR (d.n = 6 AND f.l = 2)"
    sql = f"SELECT 1 FROM f LEFT JOIN d ON f.n = d.n WHERE {where}"
    assert [_pushed(sql, table=table) for table in (F, D)] == ["", ""]


def test_a_calendar_that_is_not_audited_is_taken_for_one_of_dates() -> None:
    sql = f"SELECT 1 FROM f JOIN d {_ON_DAY} WHERE {_IS_DAY}"
    assert _pushed(sql, known=(F,)) == _DAY
    sql = "SELECT 1 FROM f JOIN d ON CAST(f.n AS BIGINT) = d.l WHERE d.l = 5"
    assert _pushed(sql, known=(F,)) == ""


# Truth comes from rows: those that a predicate drops are not missed.
_ROWS = """
    (1, 1, 1.0, '2024-01-05', '2024-01-05 00:00:00', 'a'),
    (2, 1, 2.5, '2024-01-05', '2024-01-05 13:00:00', 'b'),
    (2, 2, 0.5, '2024-01-06', '2024-01-04 23:59:59', 'a'),
    (NULL, 2, NULL, NULL, NULL, NULL),
    (3, NULL, 3.0, '2024-01-04', '2024-01-06 00:00:00', 'b')
"""
_KEYS = (
    "CAST(f.tn AS DATE) = d.dt", "f.dt = CAST(d.tn AS DATE)", "f.dt = d.tn", "f.n = d.x",
    "CAST(f.n AS BIGINT) = d.l", "f.n = d.n", "(f.n = d.n AND f.l = 1) OR (d.n = f.n AND d.l = 2)",
)  # fmt: skip
_WHERES = (
    "d.dt = DATE '2024-01-05'", "f.dt >= DATE '2024-01-05'",
    "d.tn >= TIMESTAMP '2024-01-05 00:00:01'",
    "d.x > 1.5", "d.l IN (1, 2)", "d.l = 2", "d.n = 2", "d.n = 2 OR (d.n = 1 AND f.l = 1)",
    "d.dt = DATE '2024-01-05' OR f.s = 'a'", "(d.x < 2 AND f.l = 1) OR f.dt IS NULL",
)  # fmt: skip


@pytest.fixture(scope="module")
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for name in ("f", "d"):
        connection.execute(
            f"CREATE TABLE {name}_ (n INT, l BIGINT, x DOUBLE, dt DATE, tn TIMESTAMP, s VARCHAR)"
        )
        connection.execute(f"INSERT INTO {name}_ VALUES {_ROWS}")
    return connection


@pytest.mark.slow(minutes=0.1)
@pytest.mark.parametrize("kind", ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
@pytest.mark.parametrize("is_in_on", [False, True])
def test_no_row_that_is_needed_is_ruled_out(
    database: duckdb.DuckDBPyConnection, kind: str, *, is_in_on: bool
) -> None:
    told = 0
    for key, where in itertools.product(_KEYS, _WHERES):
        told_in = "AND" if is_in_on else "WHERE"
        sql = f"SELECT f.*, d.* FROM f {kind} d ON ({key}) {told_in} ({where})"
        whole = _run(database, sql, {"f": "f_", "d": "d_"})
        scans = _scans(sql)
        kept = {scan.table.table: _kept(database, scan) for scan in scans}
        assert _run(database, sql, kept) == whole, sql
        told += sum(len(_said(scan)) for scan in scans)
    assert told or (kind == "FULL JOIN" and is_in_on)


def _said(scan: TableScan) -> list[Predicate]:
    parts = conjuncts(bind(scan.predicate, _SCHEMA, time_zone="UTC"))
    return [p for p in parts if not any(isinstance(leaf, Unsupported) for leaf in leaves(p))]


def _run(database: duckdb.DuckDBPyConnection, sql: str, sources: dict[str, str]) -> list[str]:
    for table, source in sources.items():
        database.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS SELECT * FROM {source}")
    return sorted(map(repr, database.execute(sql).fetchall()))


def _kept(database: duckdb.DuckDBPyConnection, scan: TableScan) -> str:
    """The rows of a table that its predicate lets through, as a relation."""
    source = f"{scan.table.table}_"
    found = database.execute(f"SELECT rowid, n, l, x, dt, tn, s FROM {source}")
    names = [each[0] for each in found.description or ()]
    unbound = [map_leaves(part, _physical_leaf) for part in _said(scan)]
    kept = ["-1"]
    for values in found.fetchall():
        row = dict(zip(names, map(_physical, values), strict=True))
        if all(matches(part, row) for part in unbound):
            kept.append(str(row["rowid"]))
    return f"{source} WHERE rowid IN ({', '.join(kept)})"


def _physical_leaf(leaf: Any) -> Predicate:
    match leaf:
        case BoundComparison(op, field, values):
            return Comparison(op, Column((field.name,)), values)
    found: Predicate = leaf
    return found


def _physical(value: Any) -> Any:
    match value:
        case str():
            return value.encode()
        case dt.datetime():
            return (value - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)
        case dt.date():
            return (value - dt.date(1970, 1, 1)).days
    return value
