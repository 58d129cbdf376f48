"""What columns are called where conditions on them stand, outside of the SELECT of the table."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse

KNOWN = TableName("c", ("s",), "t")
OTHER = TableName("c", ("s",), "u")
COLUMNS = {
    KNOWN: {"ts": "timestamp", "k": "long", "st": "struct"},
    OTHER: {"at": "timestamp", "ts": "timestamp", "k": "long"},
}


def outer_names(sql: str) -> dict[str, str]:
    """The names of the first scan of t."""
    tree = parse(sql, "spark")
    scans = extract(tree, dialect="spark", columns=COLUMNS, catalog="c", schema="s")
    found = next(scan for scan in scans if scan.table == KNOWN)
    return {column: ".".join(name) for column, name in found.text_place.outer_names.items()}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT * FROM t WHERE year(ts) = 2026", {}, id="in its SELECT"),
        pytest.param("SELECT * FROM t JOIN u ON t.k = u.k AND year(t.ts) = 2026", {}, id="in ON"),
        pytest.param("SELECT * FROM (SELECT ts AS at FROM t) x WHERE year(x.at) = 2026",
                     {"ts": "x.at"}, id="renamed"),
        pytest.param("SELECT * FROM (SELECT ts AS at FROM t) WHERE year(at) = 2026",
                     {"ts": "at"}, id="of a query without a name"),
        pytest.param("WITH x (a, b) AS (SELECT k, ts FROM t) SELECT * FROM x AS y (p, q)"
                     " WHERE year(q) = 2026", {"ts": "y.q"}, id="by position"),
        pytest.param("SELECT * FROM (SELECT ts + INTERVAL '9' HOUR AS ts FROM t) x"
                     " WHERE year(x.ts) = 2026", {"ts": ""}, id="under the name of another value"),
        pytest.param("SELECT * FROM (SELECT ts + INTERVAL '9' HOUR AS jst, t.* FROM t) x"
                     " WHERE year(jst) = 2026", {"ts": "x.ts"}, id="beside what is made of it"),
        pytest.param("SELECT * FROM (SELECT year(o.ts) AS y, o.at FROM"
                     " (SELECT ts, ts AS at FROM t) o) x WHERE y = 2026",
                     {"ts": ""}, id="of a name that goes on, not the one that does not"),
        pytest.param("SELECT * FROM (SELECT o.y, o.ts AS at FROM"
                     " (SELECT year(ts) AS y, ts FROM t) o) x WHERE y = 2026",
                     {"ts": "x.at"}, id="two queries further out"),
        pytest.param("SELECT * FROM (SELECT ts AS at FROM t WHERE year(ts) = 2026) x"
                     " WHERE month(x.at) = 2", {"ts": "x.at"}, id="in both"),
        pytest.param("SELECT y FROM (SELECT year(ts) AS y, count(*) FROM t GROUP BY 1) x"
                     " WHERE y = 2026", {"ts": ""}, id="of groups"),
        pytest.param("SELECT year(ts), count(*) FROM t GROUP BY 1 HAVING year(ts) = 2026",
                     {"ts": ""}, id="in HAVING"),
        pytest.param("SELECT * FROM (SELECT ts AS at, k FROM t) x JOIN u USING (k)"
                     " WHERE k + 1 = 7", {"k": "k"}, id="of USING"),
        pytest.param("SELECT * FROM (SELECT k AS id, row_number() OVER (PARTITION BY k ORDER BY ts)"
                     " n FROM t) x WHERE n = 1 AND id = 7", {"k": ""}, id="above a window"),
        pytest.param("SELECT * FROM (SELECT *, uuid() AS id FROM t) x WHERE x.k = 7", {"k": ""},
                     id="above what is drawn"),
        pytest.param("SELECT * FROM t TABLESAMPLE (5 PERCENT) WHERE k = 7", {"k": ""},
                     id="above a sample"),
        pytest.param("SELECT * FROM (SELECT st AS m FROM t) x WHERE year(x.m.at) = 2026",
                     {"st": "x.m"}, id="a struct"),
        pytest.param("SELECT * FROM (SELECT st.at AS m FROM t) x WHERE year(x.m) = 2026",
                     {"st.at": "x.m"}, id="a field"),
        pytest.param("SELECT * FROM u WHERE EXISTS (SELECT 1 FROM (SELECT ts AS at, k FROM t) x"
                     " WHERE x.k = u.k AND year(x.at) = 2026)", {"ts": "x.at"}, id="in EXISTS"),
        pytest.param("MERGE INTO u USING (SELECT ts AS happened, k FROM t) x ON u.k = x.k AND"
                     " year(x.happened) = 2026 WHEN NOT MATCHED THEN INSERT (k) VALUES (x.k)",
                     {}, id="that keeps rows of a MERGE"),
        pytest.param("MERGE INTO u USING (SELECT ts AS happened, k FROM t) x ON u.k = x.k AND"
                     " year(x.happened) = 2026 WHEN MATCHED THEN DELETE",
                     {"ts": "x.happened"}, id="in ON of a MERGE"),
    ],
)  # fmt: skip
def test_names_outside(sql: str, expected: dict[str, str]) -> None:
    assert outer_names(sql) == expected


@pytest.mark.parametrize(
    ("first", "second", "condition", "expected"),
    [
        ("ts", "at", "year(x.ts) = 2026", "x.ts"),
        ("ts AS y", "at", "year(x.y) = 2026", "x.y"),
        ("k, ts", "k, at", "year(x.ts) = 2026", "x.ts"),
        # Rows of the other table have another time behind the same local one.
        ("ts, ts + INTERVAL '9' HOUR AS l", "at, at", "year(x.l) = 2026", ""),
        ("ts AS a, ts AS b", "ts, at", "year(x.b) = 2026", ""),
    ],
)
def test_of_a_union_only_the_column_of_the_condition_has_a_name(
    first: str, second: str, condition: str, expected: str
) -> None:
    union = f"SELECT {first} FROM t UNION ALL SELECT {second} FROM u"
    assert outer_names(f"SELECT * FROM ({union}) x WHERE {condition}") == {"ts": expected}


def test_what_one_branch_is_asked_for_is_not_asked_of_all() -> None:
    union = "SELECT ts FROM t WHERE year(ts) = 2026 UNION ALL SELECT ts FROM u"
    assert outer_names(f"SELECT * FROM ({union}) x WHERE month(x.ts) = 2") == {"ts": ""}
