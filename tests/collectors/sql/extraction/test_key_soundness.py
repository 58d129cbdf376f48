"""Dropping the rows whose keys are out of range never changes a result.

DuckDB runs queries and MERGEs on generated rows, before and after each scan has lost the rows that
its filter rules out, and those whose keys are beyond the values that the other side has in the rows
which its own filter keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.table_scans import ScanKey, TableScan
from tests.collectors.predicates.row_evaluator import matches

pytestmark = pytest.mark.slow

COLUMNS = {"id": "long", "a": "long", "b": "long"}
TABLES = {TableName(None, (), name): COLUMNS for name in ("l", "r", "u")}
Row = tuple[int, int | None, int | None]
Tables = dict[str, list[Row]]

_cells = st.none() | st.integers(-3, 4)
_rows = st.lists(st.tuples(_cells, _cells), max_size=6).map(
    lambda rows: [(number, *row) for number, row in enumerate(rows)]
)
_tables = st.fixed_dictionaries(dict.fromkeys("lru", _rows))
_filters = st.builds(
    "{{0}}.{} {} {}".format,
    st.sampled_from("ab"),
    st.sampled_from(["=", "<", ">", "<>", "IS NOT DISTINCT FROM"]),
    st.integers(-3, 4),
) | st.sampled_from(["{0}.b IS NULL", "{0}.b IS NOT NULL", "TRUE"])

QUERIES = {
    "inner": "SELECT l.id, r.id FROM l JOIN r ON l.a = r.a WHERE {l} AND {r}",
    "left": "SELECT l.id, r.id FROM l LEFT JOIN r ON l.a = r.a AND {r} WHERE {l}",
    "left, filtered above": "SELECT l.id, r.id FROM l LEFT JOIN r ON l.a = r.a WHERE {l} AND {r}",
    "right": "SELECT l.id, r.id FROM l RIGHT JOIN r ON l.a = r.a AND {l} WHERE {r}",
    "full": "SELECT l.id, r.id FROM l FULL JOIN r ON l.a = r.a AND {l} WHERE {r}",
    "semi": "SELECT l.id FROM l SEMI JOIN r ON l.a = r.a AND {r} WHERE {l}",
    "anti": "SELECT l.id FROM l ANTI JOIN r ON l.a = r.a AND {r} WHERE {l}",
    "two keys": "SELECT l.id, r.id FROM l JOIN r ON l.a = r.a AND l.b = r.b WHERE {l} AND {r}",
    "or": "SELECT l.id, r.id FROM l JOIN r ON l.a = r.a OR l.b = r.b WHERE {l} AND {r}",
    "equal nulls": "SELECT l.id, r.id FROM l JOIN r ON l.a IS NOT DISTINCT FROM r.a WHERE {r}",
    "chain": "SELECT l.id, r.id, u.id FROM l JOIN r ON l.a = r.a LEFT JOIN u ON u.b = r.b "
    "WHERE {r}",
    "inner above left": "SELECT l.id, u.id FROM l LEFT JOIN r ON l.a = r.a AND {r} "
    "JOIN u ON u.b = r.b WHERE {l}",
    "left above inner": "SELECT l.id, u.id FROM u LEFT JOIN (l JOIN r ON l.a = r.a AND {r}) "
    "ON u.b = l.b",
    "itself": "SELECT l.id, r.id FROM l JOIN l AS r ON l.a = r.b WHERE {l} AND {r}",
    "in": "SELECT l.id FROM l WHERE l.a IN (SELECT b FROM r WHERE {r}) AND {l}",
    "not in": "SELECT l.id FROM l WHERE l.a NOT IN (SELECT b FROM r WHERE {r}) AND {l}",
    "in or": "SELECT l.id FROM l WHERE l.a IN (SELECT b FROM r WHERE {r}) OR {l}",
    "exists": "SELECT l.id FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.b = l.a AND {r}) AND {l}",
    "exists of a count": "SELECT l.id FROM l WHERE EXISTS "
    "(SELECT count(*) FROM r WHERE r.b = l.a AND {r})",
    "not exists": "SELECT l.id FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.b = l.a AND {r})",
    "exists below a left join": "SELECT l.id FROM l LEFT JOIN r ON l.a = r.a "
    "WHERE EXISTS (SELECT 1 FROM u WHERE u.b = r.b AND u.a = 1)",
    "derived": "SELECT d.n, r.id FROM (SELECT a AS k, count(*) AS n FROM l WHERE {l} GROUP BY a) d "
    "JOIN r ON d.k = r.a AND {r}",
    "derived of a left join": "SELECT d.k, u.id FROM (SELECT r.b AS k FROM l LEFT JOIN r "
    "ON l.a = r.a AND {r} WHERE {l}) d LEFT JOIN u ON d.k = u.b",
    "limited": "SELECT d.a, r.id FROM (SELECT a FROM l WHERE {l} ORDER BY id LIMIT 2) d "
    "JOIN r ON d.a = r.a AND {r}",
    "windowed": "SELECT d.n, r.id FROM (SELECT a, row_number() OVER (ORDER BY id) AS n FROM l) d "
    "JOIN r ON d.a = r.a AND {r}",
    "used twice": "WITH c AS (SELECT a AS k, id FROM l WHERE {l}) SELECT c.id, r.id FROM c "
    "JOIN r ON c.k = r.a AND {r} UNION ALL SELECT id, id FROM c",
    "rolled up": "SELECT d.k, d.n, r.id FROM (SELECT a AS k, count(*) AS n FROM l "
    "GROUP BY ROLLUP (a)) d JOIN r ON d.k = r.a AND {r}",
    "union": "SELECT d.k, r.id FROM (SELECT a AS k FROM l WHERE {l} UNION ALL SELECT b FROM u) d "
    "JOIN r ON d.k = r.a AND {r}",
    "scalar": "SELECT l.id, (SELECT max(b) FROM r WHERE r.a = l.a AND {r}) FROM l WHERE {l}",
}


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as found:
        for name in "lru":
            found.execute(f"CREATE TABLE {name} (id BIGINT, a BIGINT, b BIGINT)")
        yield found


def _run(database: duckdb.DuckDBPyConnection, sql: str, tables: Tables) -> list[tuple[object, ...]]:
    _fill(database, tables)
    return sorted(database.execute(sql).fetchall(), key=repr)


def _fill(database: duckdb.DuckDBPyConnection, tables: Tables) -> None:
    for name, rows in tables.items():
        database.execute(f"DELETE FROM {name}")
        if rows:
            database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", rows)


def _matches(scan: TableScan, row: Row) -> bool:
    return matches(scan.predicate, dict(zip(COLUMNS, row, strict=True)))


def _within(key: ScanKey, row: Row, tables: Tables) -> bool:
    """Whether a row's key lies between the least and the greatest of the other side."""
    names = list(COLUMNS)
    values = [
        other[names.index(key.other_column)]
        for scan in key.others
        for other in tables[scan.table.table]
        if _matches(scan, other)
    ]
    own, known = row[names.index(key.column)], [value for value in values if value is not None]
    return own is not None and bool(known) and min(known) <= own <= max(known)


def _needed(scans: Sequence[TableScan], name: str, tables: Tables) -> list[Row]:
    """The rows of a table that some reference to it may need."""
    own = [scan for scan in scans if scan.table.table == name]
    return [
        row
        for row in tables[name]
        if any(
            _matches(scan, row) and all(_within(key, row, tables) for key in scan.keys)
            for scan in own
        )
    ]


def _scans(sql: str) -> tuple[TableScan, ...]:
    return extract(parse(sql, "duckdb"), dialect="duckdb", columns=TABLES, beyond=True)


@pytest.mark.parametrize("shape", [pytest.param(sql, id=name) for name, sql in QUERIES.items()])
@given(tables=_tables, left=_filters, right=_filters)
@settings(max_examples=max(20, settings().max_examples // 5))  # the shapes share the examples
def test_a_query_needs_no_row_whose_key_is_out_of_range(
    database: duckdb.DuckDBPyConnection, shape: str, tables: Tables, left: str, right: str
) -> None:
    sql = shape.format(l=left.format("l"), r=right.format("r"))
    scans = _scans(sql)
    fewer = {name: _needed(scans, name, tables) for name in tables}
    assert _run(database, sql, fewer) == _run(database, sql, tables)


MATCHED = (
    "",
    "WHEN MATCHED THEN UPDATE SET b = q.b",
    "WHEN MATCHED AND q.b = 1 THEN DELETE WHEN MATCHED THEN UPDATE SET b = q.b",
)
NOT_MATCHED = (
    "WHEN NOT MATCHED THEN INSERT VALUES (99, q.k, q.b)",
    "WHEN NOT MATCHED BY SOURCE THEN DELETE",
)
_clauses = st.tuples(
    st.sampled_from(MATCHED), *(st.sampled_from(["", clause]) for clause in NOT_MATCHED)
).filter(any)


@given(tables=_tables, right=_filters, clauses=_clauses)
def test_a_merge_needs_no_row_whose_key_is_out_of_range(
    database: duckdb.DuckDBPyConnection, tables: Tables, right: str, clauses: tuple[str, ...]
) -> None:
    """The rows of the target that are not needed stay as they are."""
    unique = {row[1]: row for row in tables["r"]}  # a row matches one of the source
    tables = {**tables, "r": list(unique.values())}
    source = f"(SELECT a AS k, b FROM r WHERE {right.format('r')})"
    sql = f"MERGE INTO l USING {source} q ON l.a = q.k {' '.join(clauses)}"
    scans = _scans(sql)
    needed = _needed(scans, "l", tables)
    rest = [row for row in tables["l"] if row not in needed]

    def merged(target: list[Row]) -> list[tuple[object, ...]]:
        _fill(database, {**tables, "l": target})
        database.execute(sql)
        return database.execute("SELECT * FROM l").fetchall()

    assert sorted([*merged(needed), *rest], key=repr) == sorted(merged(tables["l"]), key=repr)
