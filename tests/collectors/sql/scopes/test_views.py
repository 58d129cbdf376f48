"""Views, row filters and masks in front of tables."""

from __future__ import annotations

import pytest

from prunescope.collectors.errors import TooComplexSql
from prunescope.collectors.observed import Reference, TableName
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.scopes.tables import referenced_tables
from prunescope.collectors.sql.scopes.views import expand_views
from prunescope.collectors.sql.text.parse import parse

T = TableName("lake", ("db",), "t")
COLUMNS = {T: ("id", "name", "day")}


def view(name: str, sql: str, **more: tuple[str, ...]) -> Reference:
    return Reference(TableName("lake", ("db",), name), sql, **more)


def predicates(sql: str, *references: Reference) -> list[str]:
    tree = expand_views(parse(sql, "trino"), references, "trino", "lake", "db")
    found = extract(tree, dialect="trino", columns=COLUMNS, catalog="lake", schema="db")
    return [render(scan.predicate) for scan in found]


@pytest.mark.parametrize(
    ("sql", "references", "expected"),
    [
        pytest.param("SELECT * FROM t WHERE id = 1", [], ["id = 1"], id="none"),
        pytest.param(
            "SELECT * FROM v WHERE id = 1",
            [view("v", "SELECT * FROM t WHERE day = 'x'")],
            ["day = 'x' AND id = 1"],
            id="a view",
        ),
        pytest.param(
            "SELECT * FROM v AS a JOIN t AS b ON a.key = b.id WHERE a.key = 1 AND b.id = 1",
            [view("v", "SELECT id AS key FROM t")],
            ["id = 1", "id = 1"],
            id="renamed columns, aliases and a join",
        ),
        pytest.param(
            "SELECT * FROM outer_ WHERE id = 1",
            [
                view("outer_", "SELECT * FROM inner_ WHERE name = 'n'"),
                view("inner_", "SELECT * FROM lake.db.t WHERE day = 'x'"),
            ],
            ["day = 'x' AND name = 'n' AND id = 1"],
            id="a view over a view",
        ),
        pytest.param(
            "SELECT * FROM v WHERE id = 1",
            [view("v", "SELECT * FROM v")],
            [],
            id="a view over itself ends",
        ),
        pytest.param(
            "SELECT * FROM v WHERE id = 1",
            [view("v", "SELECT (((")],
            [],
            id="text that cannot be read",
        ),
        pytest.param(
            "SELECT * FROM v WHERE id = 1",
            [view("v", "SELECT day, id FROM t GROUP BY day, id")],
            ["id = 1"],
            id="through a group of the view",
        ),
        pytest.param(
            "SELECT * FROM t x WHERE x.id = 1",
            [Reference(T, row_filters=("day = 'x'", "name <> 'n' OR id IS NULL"))],
            ["day = 'x' AND (name != 'n' OR id IS NULL) AND id = 1"],
            id="row filters",
        ),
        pytest.param(
            "SELECT * FROM t WHERE id = 1",
            [Reference(T, row_filters=("((",))],
            ["id = 1"],
            id="a row filter that cannot be read",
        ),
        pytest.param(
            "SELECT * FROM t WHERE name = 'n' AND id = 1",
            [Reference(T, masked=("name",))],
            ["MASKED(\"name\") = 'n' AND id = 1"],
            id="a mask hides the stored values",
        ),
        pytest.param(
            "SELECT * FROM t FOR VERSION AS OF 3 WHERE name = 'n' AND id = 1",
            [Reference(T, masked=("name",))],
            ["MASKED(\"name\") = 'n' AND id = 1"],
            id="a mask on an old version",
        ),
        pytest.param(
            "SELECT * FROM (t JOIN t AS o ON t.id = o.id) WHERE t.name = 'n' AND o.name = 'm'",
            [Reference(T, masked=("name",))],
            ["MASKED(\"name\") = 'n'", "MASKED(\"name\") = 'm'"],
            id="masks in a join in brackets",
        ),
        pytest.param(
            "SELECT * FROM t AS x (a, b, c) WHERE b = 'n' AND a = 1",
            [Reference(T, masked=("name",))],
            ["TRUE"],
            id="a mask under other names",
        ),
        pytest.param(
            "SELECT * FROM (SELECT * FROM t, t AS o UNION ALL SELECT 1, 'a', 'b', id, name, day "
            "FROM t) AS x (a, b, c, d, e, f) WHERE d = 4",
            [Reference(T, masked=("name",))],
            ["TRUE", "TRUE", "id = 4"],
            id="columns after a masked one have no known position",
        ),
        pytest.param(
            "SELECT * FROM t WHERE name = 'n'",
            [Reference(T, row_filters=("name = 'm'",), masked=("name",))],
            ["name = 'm' AND MASKED(\"name\") = 'n'"],
            id="row filters see stored values",
        ),
        pytest.param(
            "SELECT * FROM v WHERE name = 'n'",
            [view("v", "SELECT * FROM t", masked=("name",), row_filters=("id = 3",))],
            ["id = 3 AND MASKED(\"name\") = 'n'"],
            id="filters and masks of a view",
        ),
        pytest.param(
            "WITH v AS (SELECT * FROM t) SELECT * FROM v WHERE id = 1",
            [view("v", "SELECT * FROM t WHERE day = 'x'")],
            ["id = 1"],
            id="a common table expression of that name",
        ),
        pytest.param(
            "WITH t AS (SELECT 1 AS id) SELECT * FROM v, t WHERE v.id = 1",
            [view("v", "WITH w AS (SELECT * FROM t) SELECT * FROM w WHERE day = 'x'")],
            ["day = 'x' AND id = 1"],
            id="common table expressions of the query are none of the view",
        ),
        pytest.param(
            "SELECT db.v.id, lake.db.t.id FROM db.v, db.t WHERE db.v.id = 1 AND lake.db.t.id = 2",
            [view("v", "SELECT lake.db.t.id FROM lake.db.t WHERE db.t.day = 'x'")],
            ["day = 'x' AND id = 1", "id = 2"],
            id="columns with the schema",
        ),
        pytest.param(
            "DELETE FROM t WHERE name = 'n' AND id = 1",
            [Reference(T, row_filters=("day = 'x'",), masked=("name",))],
            ["day = 'x' AND MASKED(\"name\") = 'n' AND id = 1"],
            id="the target of a delete",
        ),
        pytest.param(
            "SELECT * FROM v FOR VERSION AS OF 3 WHERE id = 1",
            [view("v", "SELECT * FROM t")],
            [],
            id="an old version of a view",
        ),
        pytest.param(
            "SELECT * FROM v TABLESAMPLE BERNOULLI (10) WHERE id = 1",
            [view("v", "SELECT * FROM t")],
            ["id = 1"],
            id="a sample of a view",
        ),
        pytest.param(
            "SELECT * FROM t WHERE id = 1",
            [
                Reference(T, row_filters=("day = 'x'", "id > 0"), masked=("name",)),
                Reference(T, row_filters=("id > 0",)),
            ],
            ["id > 0 AND id = 1"],
            id="only filters of every access count",
        ),
        pytest.param(
            "SELECT * FROM t WHERE name = 'n'",
            [Reference(T, masked=("name",)), Reference(T, row_filters=("id > 0",))],
            ["MASKED(\"name\") = 'n'"],
            id="masks of any access count",
        ),
        pytest.param(
            "SELECT * FROM t WHERE id = 1",
            [Reference(T, row_filters=("name IN (SELECT name FROM lake.db.t WHERE day = 'x')",))],
            ["name IN (SELECT name FROM lake.db.t WHERE day = 'x') AND id = 1", "day = 'x'"],
            id="a row filter with a query over the same table",
        ),
        pytest.param(
            "SELECT * FROM t WHERE id = 1",
            [Reference(T, row_filters=("name IN (SELECT name FROM t WHERE day = 'x')",))],
            ["id = 1"],
            id="a row filter with a query over who knows what",
        ),
        pytest.param(
            "SELECT * FROM v WHERE id = 1",
            [
                view("v", "SELECT * FROM base"),
                Reference(TableName("lake", ("raw",), "base"), "SELECT * FROM lake.db.t"),
            ],
            ["id = 1"],
            id="a short name that another reference of the query completes",
        ),
    ],
)
def test_what_stands_before_a_table(
    sql: str, references: list[Reference], expected: list[str]
) -> None:
    found = predicates(sql, *references)
    assert [_parts(text) for text in found] == [_parts(text) for text in expected]


def _parts(text: str) -> list[str]:
    return sorted(text.split(" AND "))


@pytest.mark.slow
def test_views_that_multiply_are_an_error_of_the_query() -> None:
    views = [
        view(f"v{n + 1}", f"SELECT * FROM v{n} UNION ALL SELECT * FROM v{n}") for n in range(60)
    ]
    with pytest.raises(TooComplexSql, match="multiply"):
        predicates("SELECT * FROM v60", *views)


def test_the_tree_stays_as_it_is() -> None:
    tree = parse("SELECT * FROM v", "trino")
    expand_views(tree, [view("v", "SELECT * FROM t")], "trino", "lake", "db")
    assert tree.sql("trino") == "SELECT * FROM v"


def test_names_in_a_view_are_those_of_its_schema() -> None:
    far = Reference(TableName("other", ("far",), "v"), "SELECT * FROM t JOIN db2.u USING (id)")
    tree = expand_views(parse("SELECT * FROM other.far.v", "trino"), [far], "trino", "lake", "db")
    assert referenced_tables(tree, "lake", "db") == (
        TableName("other", ("far",), "t"),
        TableName("other", ("db2",), "u"),
    )
