"""Views, row filters and masks in front of tables."""

from __future__ import annotations

import pytest

from collectors.predicates.render import render
from collectors.predicates.sql_extract import extract
from collectors.predicates.sql_parse import parse
from collectors.predicates.sql_tables import referenced_tables
from collectors.predicates.sql_views import expand_views
from collectors.queries.observed import Reference, TableName

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
            "SELECT * FROM v AS a JOIN t AS b ON a.key = b.id WHERE a.key = 1",
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
    ],
)
def test_what_stands_before_a_table(
    sql: str, references: list[Reference], expected: list[str]
) -> None:
    found = predicates(sql, *references)
    assert [_parts(text) for text in found] == [_parts(text) for text in expected]


def _parts(text: str) -> list[str]:
    return sorted(text.split(" AND "))


def test_names_in_a_view_are_those_of_its_schema() -> None:
    far = Reference(TableName("other", ("far",), "v"), "SELECT * FROM t JOIN db2.u USING (id)")
    tree = expand_views(parse("SELECT * FROM other.far.v", "trino"), [far], "trino", "lake", "db")
    assert referenced_tables(tree, "lake", "db") == (
        TableName("other", ("far",), "t"),
        TableName("other", ("db2",), "u"),
    )
