"""Keys of joins: which columns of which scans only matter where another has their values."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.table_scans import TableScan

F, S, U = (TableName("c", ("s",), name) for name in ("f", "s", "u"))
COLUMNS = {
    F: {"k": "long", "d": "date", "x": "double", "t": "string", "ts": "timestamptz", "v": "int"},
    S: {"k": "int", "d": "date", "x": "double", "t": "int", "ts": "timestamp", "flag": "int"},
    U: {"k": "long", "d": "date", "w": "int"},
}


def scans(sql: str) -> tuple[TableScan, ...]:
    return extract(
        parse(sql, "spark"),
        dialect="spark",
        columns=COLUMNS,
        catalog="c",
        schema="s",
        time_zone="UTC",
        beyond=True,
    )


def keys(sql: str) -> list[str]:
    """The keys of all scans: `f.d among s.d [flag = 1]`."""
    return [
        f"{scan.alias}.{key.column} among {key.others[0].alias}.{key.other_column}"
        f" [{' | '.join(render(other.predicate) for other in key.others)}]"
        for scan in scans(sql)
        for key in scan.keys
    ]


BOTH = ["f.d among s.d [flag = 1]", "s.d among f.d [TRUE]"]
ONLY_F, ONLY_S = BOTH[:1], BOTH[1:]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT 1 FROM f JOIN s ON f.d = s.d WHERE s.flag = 1", BOTH, id="inner"),
        pytest.param("SELECT 1 FROM f, s WHERE f.d = s.d AND s.flag = 1", BOTH, id="comma"),
        pytest.param("SELECT 1 FROM f JOIN s USING (d) WHERE s.flag = 1", BOTH, id="using"),
        pytest.param("SELECT 1 FROM f LEFT JOIN s ON f.d = s.d AND s.flag = 1", ONLY_S, id="left"),
        pytest.param(
            "SELECT 1 FROM s RIGHT JOIN f ON f.d = s.d AND s.flag = 1",
            ["s.d among f.d [TRUE]"],
            id="right",
        ),
        pytest.param("SELECT 1 FROM f FULL JOIN s ON f.d = s.d", [], id="full"),
        pytest.param(
            "SELECT 1 FROM f LEFT JOIN s ON f.d = s.d WHERE s.flag = 1",
            BOTH,
            id="left that WHERE makes an inner one",
        ),
        pytest.param(
            "SELECT 1 FROM f LEFT JOIN s ON f.d = s.d WHERE s.flag IS NULL",
            ["s.d among f.d [TRUE]"],
            id="left that looks for what is not there",
        ),
        pytest.param(
            "SELECT 1 FROM f LEFT SEMI JOIN s ON f.d = s.d AND s.flag = 1", BOTH, id="semi"
        ),
        pytest.param(
            "SELECT 1 FROM f LEFT ANTI JOIN s ON f.d = s.d AND s.flag = 1", ONLY_S, id="anti"
        ),
        pytest.param(
            "SELECT 1 FROM f WHERE d IN (SELECT d FROM s WHERE flag = 1)", ONLY_F, id="in"
        ),
        pytest.param(
            "SELECT 1 FROM f WHERE d NOT IN (SELECT d FROM s WHERE flag = 1)", [], id="not in"
        ),
        pytest.param(
            "SELECT 1 FROM f WHERE v = 1 OR d IN (SELECT d FROM s)", [], id="in an arm of OR"
        ),
        pytest.param(
            "SELECT 1 FROM f WHERE EXISTS (SELECT 1 FROM s WHERE s.d = f.d AND s.flag = 1)",
            ["f.d among s.d [s.d = f.d AND flag = 1]"],
            id="exists",
        ),
        pytest.param(
            "SELECT 1 FROM f WHERE EXISTS (SELECT count(*) FROM s WHERE s.d = f.d)",
            [],
            id="exists that is always true",
        ),
        pytest.param(
            "SELECT 1 FROM f WHERE NOT EXISTS (SELECT 1 FROM s WHERE s.d = f.d)",
            [],
            id="not exists",
        ),
        pytest.param("SELECT 1 FROM f JOIN s ON f.d = s.d OR f.k = s.k", [], id="or"),
        pytest.param("SELECT 1 FROM f JOIN s ON f.d <=> s.d", [], id="equal nulls"),
        pytest.param("SELECT 1 FROM f JOIN s ON f.d < s.d", [], id="not equal"),
        pytest.param("SELECT 1 FROM f JOIN s ON f.d = s.d + INTERVAL 1 DAY", [], id="computed"),
        pytest.param("SELECT 1 FROM f JOIN s ON f.x = s.x", [], id="floats, of which 0.0 = -0.0"),
        pytest.param("SELECT 1 FROM f JOIN s ON f.t = s.t", [], id="text and number"),
        pytest.param("SELECT 1 FROM f JOIN s ON f.ts = s.ts", [], id="with a zone and without"),
        pytest.param(
            "SELECT 1 FROM f JOIN s ON f.k = s.k",
            ["f.k among s.k [TRUE]", "s.k among f.k [TRUE]"],
            id="whole numbers of two sizes",
        ),
        pytest.param(
            "SELECT 1 FROM f a JOIN f b ON a.d = b.d WHERE b.v = 1",
            ["a.d among b.d [v = 1]", "b.d among a.d [TRUE]"],
            id="a table with itself",
        ),
        pytest.param(
            "SELECT 1 FROM f JOIN s ON f.d = s.d JOIN u ON u.d = s.d WHERE u.w = 2",
            [
                "f.d among s.d [TRUE]",
                "f.d among u.d [w = 2]",
                "s.d among f.d [TRUE]",
                "s.d among u.d [w = 2]",
                "u.d among s.d [TRUE]",
                "u.d among f.d [TRUE]",
            ],
            id="through a third",
        ),
        pytest.param(
            "SELECT 1 FROM f JOIN (SELECT d AS day, count(*) AS n FROM s WHERE flag = 1 "
            "GROUP BY d) q ON f.d = q.day",
            BOTH,
            id="derived and grouped by it",
        ),
        pytest.param(
            "SELECT 1 FROM f JOIN (SELECT max(d) AS day FROM s) q ON f.d = q.day",
            [],
            id="derived and computed",
        ),
        pytest.param(
            "SELECT 1 FROM f JOIN (SELECT d FROM s WHERE flag = 1 LIMIT 5) q ON f.d = q.d",
            ONLY_F,
            id="some rows of the other",
        ),
        pytest.param(
            "SELECT 1 FROM (SELECT d FROM f LIMIT 5) q JOIN s ON q.d = s.d AND s.flag = 1",
            ONLY_S,
            id="some rows of this one",
        ),
        pytest.param(
            "WITH q AS (SELECT d AS day, v FROM f) SELECT 1 FROM q JOIN s ON day = s.d "
            "AND s.flag = 1 UNION ALL SELECT v FROM q",
            [*ONLY_F, "s.d among f.d [TRUE | TRUE]"],
            id="an expression that is used twice",
        ),
        pytest.param(
            "SELECT 1 FROM (SELECT d, row_number() OVER (PARTITION BY v ORDER BY d) AS n FROM f) q "
            "JOIN s ON q.d = s.d AND s.flag = 1",
            ONLY_S,
            id="a window that counts the rows of this one",
        ),
        pytest.param(
            "SELECT 1 FROM f JOIN s ON f.d = s.d AND s.flag = 1 "
            "WHERE f.k IN (SELECT k FROM u WHERE w = 1)",
            [
                "f.k among u.k [w = 1]",
                "f.d among s.d [flag = 1]",
                "s.d among f.d [f.k IN (SELECT k FROM u WHERE w = 1)]",
            ],
            id="two keys",
        ),
    ],
)
def test_what_joins_say(sql: str, expected: list[str]) -> None:
    assert sorted(keys(sql)) == sorted(expected)


MERGE = "MERGE INTO f USING (SELECT k AS id, d FROM s WHERE flag = 1) q ON f.d = q.d "
UPDATE, INSERT = "WHEN MATCHED THEN UPDATE SET v = 1 ", "WHEN NOT MATCHED THEN INSERT * "
BY_SOURCE = "WHEN NOT MATCHED BY SOURCE THEN DELETE"


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        pytest.param(UPDATE, BOTH, id="rows that match"),
        pytest.param(UPDATE + INSERT, ONLY_F, id="rows of the source that do not, too"),
        pytest.param(UPDATE + BY_SOURCE, ONLY_S, id="rows of the target that do not, too"),
        pytest.param(UPDATE + INSERT + BY_SOURCE, [], id="all of them"),
    ],
)
def test_what_merge_says(clauses: str, expected: list[str]) -> None:
    assert sorted(keys(MERGE + clauses)) == sorted(expected)


def test_nothing_is_told_unless_it_is_asked_for() -> None:
    query = parse("SELECT max(d) FROM f WHERE d IN (SELECT d FROM s)", "spark")
    found = extract(query, dialect="spark", columns=COLUMNS, catalog="c", schema="s")
    assert [(scan.keys, scan.needed) for scan in found] == [((), None)] * 2
