from __future__ import annotations

import pytest

from prunescope.collectors.sql.scopes.tables import referenced_tables
from prunescope.collectors.sql.text.parse import parse
from tests.collectors.sql.extraction.test_extract import filters


@pytest.mark.parametrize(
    ("table", "meant"),
    [
        ("lake.`s.orders`", "lake.s.orders"),
        ('lake."s.orders"', "lake.s.orders"),
        ("lake.`s.eu.west.orders`", "lake.s.eu.west.orders"),
        ("`s.orders`", "database.s.orders"),
        ("`s.eu.orders`", "database.s.eu.orders"),
        ("s.orders", "catalog.s.orders"),
        ("orders", "catalog.database.orders"),
        ("`.inner.orders`", "catalog.database..inner.orders"),
        ("lake.`s.orders` FINAL", "lake.s.orders"),
    ],
)
def test_the_name_of_a_table_holds_its_namespace_in_clickhouse(table: str, meant: str) -> None:
    tree = parse(f"SELECT * FROM {table}", "clickhouse")
    (found,) = referenced_tables(tree, "catalog", "database")
    assert str(found) == meant


def test_without_a_database_it_is_in_the_catalog() -> None:
    (found,) = referenced_tables(parse("SELECT * FROM `s.orders`", "clickhouse"), "lake", None)
    assert str(found) == "lake.s.orders"


@pytest.mark.parametrize("column", ["`s.ta`.x", "c.`s.ta`.x", "x"])
def test_columns_behind_such_a_name_are_the_tables(column: str) -> None:
    assert filters(f"SELECT * FROM c.`s.ta` WHERE {column} = 1", "clickhouse") == ["ta: x = 1"]


def test_others_take_it_for_one_name() -> None:
    (found,) = referenced_tables(parse("SELECT * FROM lake.`s.t`", "spark"), "c", None)
    assert found.table == "s.t"
