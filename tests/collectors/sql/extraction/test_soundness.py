"""Dropping the rows that the extracted predicates rule out never changes a query's result.

SQLite runs the queries on generated rows, before and after dropping them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import any_of
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from tests.collectors.predicates.row_evaluator import matches

pytestmark = pytest.mark.slow

COLUMNS = {"id": "long", "a": "long", "b": "long", "s": "string"}
TABLES = {TableName(None, (), name): COLUMNS for name in ("l", "r", "u")}
Cells = tuple[int | None, int | None, str | None]
Row = tuple[int, int | None, int | None, str | None]

_integers = st.integers(-2, 3)
_texts = st.sampled_from(["", "a", "ab", "abc", "b", "ba", "a%", "_"])
_patterns = st.sampled_from(["a", "a%", "ab%", "%b", "_b", "a_", "a%c", "%", "", "a!%", "a!%%"])
_rows = st.lists(
    st.tuples(
        st.none() | _integers,
        st.none() | _integers,
        st.none() | _texts,
    ),
    max_size=6,
)


def _literal(value: int | str | None) -> str:
    return "NULL" if value is None else repr(value)


def _leaves(alias: str) -> st.SearchStrategy[str]:
    number = st.sampled_from(["a", "b"]).map(lambda name: f"{alias}.{name}")
    text = st.just(f"{alias}.s")
    constant = (st.none() | _integers).map(_literal)
    word = (st.none() | _texts).map(_literal)
    op = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])
    maybe_not = st.sampled_from(["", "NOT "])
    items = st.lists(constant, min_size=1, max_size=3).map(", ".join)
    return st.one_of(
        st.builds("{} {} {}".format, number, op, constant),
        st.builds("{} {} {}".format, constant, op, number),
        st.builds("{} {} {}".format, text, op, word),
        st.builds("{} {} {}".format, number, op, number),
        st.builds("{} + 1 {} {}".format, number, op, constant),
        st.builds("{} {}IN ({})".format, number, maybe_not, items),
        st.builds("{} {}BETWEEN {} AND {}".format, number, maybe_not, constant, constant),
        st.builds("{} BETWEEN {} AND {}".format, constant, number, number),
        st.builds("{} IS {}NULL".format, st.one_of(number, text), maybe_not),
        st.builds("{} IS {}DISTINCT FROM {}".format, number, maybe_not, constant),
        st.builds("({} {} {}) IS {}TRUE".format, number, op, constant, maybe_not),
        st.builds("({} {} {}) IS {}FALSE".format, number, op, constant, maybe_not),
        st.builds("{} {}LIKE '{}' ESCAPE '!'".format, text, maybe_not, _patterns),
        st.builds("coalesce({}, 0) {} {}".format, number, op, constant),
        st.builds("coalesce({}, {}) {} {}".format, constant, number, op, constant),
        st.builds("{} = CASE WHEN {} = 1 THEN {} ELSE 1 END".format, number, constant, number),
        st.builds(
            "(CASE WHEN {} {} 1 THEN {} > 1 WHEN {} = 0 THEN NULL ELSE {} = 'a' END)".format,
            *(constant, op, number, number, text),
        ),
        st.builds(
            "CASE {0}.a WHEN {1} THEN {2} WHEN 1 THEN 2 ELSE {0}.a END {3}IN ({4})".format,
            *(st.just(alias), constant, constant, maybe_not, items),
        ),
        st.builds(
            "CASE WHEN {0}.s IN ('a', 'b') THEN {1} ELSE {0}.s END = {1}".format,
            *(st.just(alias), word),
        ),
        st.sampled_from(["1 = 0", "1 = 1", "NULL = 1", "2 > 1"]),
    )


@cache
def _conditions(*aliases: str) -> st.SearchStrategy[str]:
    leaf = st.one_of(*(_leaves(alias) for alias in aliases))
    if len(aliases) > 1:
        left, right = aliases[0], aliases[1]
        joined = st.builds(
            "{}.{} {} {}.{}".format,
            st.just(left),
            st.sampled_from("ab"),
            st.sampled_from(["=", "=", "=", "<", "<>"]),
            st.just(right),
            st.sampled_from("ab"),
        )
        leaf = st.one_of(leaf, joined)
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds("({} AND {})".format, inner, inner),
            st.builds("({} OR {})".format, inner, inner),
            st.builds("(NOT ({}))".format, inner),
        ),
        max_leaves=5,
    )


def _numbered(rows: Iterable[Cells]) -> list[Row]:
    return [(number, *row) for number, row in enumerate(rows)]


def _run(sql: str, tables: dict[str, list[Row]]) -> list[tuple[object, ...]]:
    with sqlite3.connect(":memory:") as database:
        database.execute("PRAGMA case_sensitive_like = ON")
        for name, rows in tables.items():
            database.execute(f"CREATE TABLE {name} (id INTEGER, a INTEGER, b INTEGER, s TEXT)")
            database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", rows)
        return sorted(database.execute(sql).fetchall(), key=repr)


def _pruned(sql: str, tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """The rows that some reference to their table may need."""
    scans = extract(parse(sql, "trino"), dialect="trino", columns=TABLES)
    needed = {
        name: any_of(*(scan.predicate for scan in scans if scan.table.table == name))
        for name in tables
    }
    return {
        name: [row for row in rows if matches(needed[name], dict(zip(COLUMNS, row, strict=True)))]
        for name, rows in tables.items()
    }


def _check(sql: str, tables: dict[str, list[Row]]) -> None:
    assert _run(sql, _pruned(sql, tables)) == _run(sql, tables)


@given(rows=_rows, where=_conditions("l"))
def test_a_filter_keeps_its_rows(rows: list[Cells], where: str) -> None:
    _check(f"SELECT id FROM l WHERE {where}", {"l": _numbered(rows)})


@given(
    left=_rows,
    right=_rows,
    kind=st.sampled_from(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]),
    on=_conditions("l", "r"),
    where=_conditions("l", "r"),
)
def test_a_join_keeps_its_rows(
    left: list[Cells], right: list[Cells], kind: str, on: str, where: str
) -> None:
    sql = f"SELECT l.id, r.id FROM l {kind} r ON {on} WHERE {where}"
    _check(sql, {"l": _numbered(left), "r": _numbered(right)})


@given(
    rows=st.tuples(_rows, _rows, _rows),
    kinds=st.tuples(*[st.sampled_from(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])] * 2),
    on=_conditions("l", "r"),
    on_last=st.one_of(_conditions("r", "u"), _conditions("l", "u")),
    where=st.one_of(_conditions("l", "u"), _conditions("r", "u")),
)
def test_two_joins_keep_their_rows(
    rows: tuple[list[Cells], list[Cells], list[Cells]],
    kinds: tuple[str, str],
    on: str,
    on_last: str,
    where: str,
) -> None:
    sql = (
        f"SELECT l.id, r.id, u.id FROM l {kinds[0]} r ON {on} {kinds[1]} u ON {on_last} "
        f"WHERE {where}"
    )
    _check(sql, dict(zip("lru", map(_numbered, rows), strict=True)))


SHAPES = {
    "derived table": "SELECT d.k, d.s FROM (SELECT a AS k, b, s FROM l WHERE {l}) d WHERE {d}",
    "computed column": "SELECT * FROM (SELECT a + 1 AS k, b AS b, s FROM l) d WHERE {d}",
    "null filled": "SELECT * FROM (SELECT coalesce(a, 1) AS k, b, s FROM l) d WHERE {d}",
    "boolean column": "SELECT * FROM (SELECT a > 1 AS k, b, s FROM l) d WHERE {d}",
    "star": "SELECT * FROM (SELECT *, a AS k FROM l) d WHERE {d}",
    "distinct": "SELECT * FROM (SELECT DISTINCT a AS k, b, s FROM l) d WHERE {d}",
    "limit": "SELECT * FROM (SELECT a AS k, b, s FROM l ORDER BY id LIMIT 2) d WHERE {d}",
    "group": "SELECT * FROM (SELECT a AS k, count(*) AS b, s FROM l GROUP BY a, s) d WHERE {d}",
    "having": "SELECT l.a, count(*) FROM l GROUP BY a, b, s HAVING {l}",
    "having of an expression": "SELECT l.a + l.b, count(*) FROM l GROUP BY l.a + l.b, s "
    "HAVING l.a + l.b > 1 AND s <> 'b' AND count(*) < 3",
    "total": "SELECT * FROM (SELECT max(a) AS k, max(b) AS b, 'a' AS s FROM l) d WHERE {d}",
    "window": "SELECT * FROM (SELECT a AS k, row_number() OVER (PARTITION BY a, s ORDER BY id) "
    "AS b, s FROM l) d WHERE {d}",
    "union all": "SELECT * FROM (SELECT a AS k, b, s FROM l UNION ALL SELECT b, a, s FROM r) d "
    "WHERE {d}",
    "union": "SELECT * FROM (SELECT a AS k, b, s FROM l UNION SELECT b, a, s FROM r) d WHERE {d}",
    "intersect": "SELECT * FROM (SELECT a AS k, b, s FROM l INTERSECT SELECT b, a, s FROM r) d "
    "WHERE {d}",
    "except": "SELECT * FROM (SELECT a AS k, b, s FROM l EXCEPT SELECT b, a, s FROM r) d WHERE {d}",
    "expression used twice": "WITH c AS (SELECT a AS k, b, s FROM l WHERE {l}) "
    "SELECT * FROM c AS d WHERE {d} UNION ALL SELECT b, k, s FROM c",
    "renamed expression": "WITH d (s, k, b) AS (SELECT s, b, a FROM l) SELECT * FROM d WHERE {d}",
    "outer join inside": "SELECT * FROM (SELECT l.a AS k, r.b AS b, r.s AS s FROM l LEFT JOIN r "
    "ON l.a = r.a AND {l}) d WHERE {d}",
    "outer join of a derived table": "SELECT * FROM r LEFT JOIN (SELECT coalesce(a, 1) AS k, b, s "
    "FROM l WHERE {l}) d ON r.a = d.k WHERE {d}",
    "inner join of a derived table": "SELECT r.id FROM r JOIN (SELECT l.a AS k, l.b, l.s FROM l "
    "JOIN u ON l.a = u.b WHERE {l} AND u.b > 0) d ON r.a = d.k AND r.b = d.b WHERE {d}",
    "in": "SELECT id FROM r WHERE r.a IN (SELECT b FROM l WHERE {l})",
    "not in": "SELECT id FROM r WHERE r.a NOT IN (SELECT b FROM l WHERE {l})",
    "exists": "SELECT id FROM r WHERE EXISTS (SELECT 1 FROM l WHERE l.a = r.a AND {l})",
    "not exists": "SELECT id FROM r WHERE NOT EXISTS (SELECT 1 FROM l WHERE l.a = r.b AND {l})",
    "or exists": "SELECT id FROM r WHERE r.a = 1 OR EXISTS (SELECT 1 FROM l WHERE {l})",
    "scalar": "SELECT id, (SELECT max(a) FROM l WHERE {l} AND l.b = r.b) FROM r",
    "comma": "SELECT r.id, l.id FROM r, l WHERE {l} AND l.a = r.b AND r.s = 'a'",
    "anti join with using": "SELECT l.id FROM l LEFT JOIN r USING (a) WHERE a > 0 AND r.b IS NULL",
    "using": "SELECT l.id, r.id FROM l LEFT JOIN r USING (a) WHERE a > 0 AND {l}",
    "using with full join": "SELECT l.id, r.id FROM l FULL JOIN r USING (a) WHERE a > 0",
    "using after right join": "SELECT l.id, u.id FROM l RIGHT JOIN r USING (a) JOIN u USING (a) "
    "WHERE a < 2 AND r.b IS NOT NULL",
    "natural": "SELECT l.id FROM l NATURAL JOIN (SELECT a, b FROM r) n WHERE a > 0 AND {l}",
    "recursive": "WITH RECURSIVE c(k) AS (SELECT a FROM l WHERE {l} UNION SELECT c.k + 1 FROM c "
    "JOIN r ON r.a = c.k WHERE c.k < 3 AND r.b > 0) SELECT k FROM c WHERE k = 2",
}


@pytest.mark.parametrize("shape", [pytest.param(sql, id=name) for name, sql in SHAPES.items()])
@given(data=st.data())
@settings(max_examples=max(20, settings().max_examples // 10))  # the shapes share the examples
def test_a_query_of_any_shape_keeps_its_rows(shape: str, data: st.DataObject) -> None:
    tables = {name: _numbered(data.draw(_rows, label=name)) for name in "lru"}
    inner = data.draw(_conditions("l"), label="inner")
    outer = data.draw(_conditions("d"), label="outer").replace("d.a", "d.k")
    _check(shape.format(l=inner, d=outer), tables)
