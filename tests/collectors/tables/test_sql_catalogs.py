"""SQL catalogs are read where they are, and made for who makes them alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from prunescope.collectors.tables.catalog import (
    CatalogMissing,
    CatalogUnavailable,
    list_tables,
    load_catalog,
)
from prunescope.collectors.tables.sql_catalogs import missing_database


@pytest.mark.parametrize("driver", ["sqlite", "sqlite+pysqlite"])
@pytest.mark.parametrize("options", ["", "?timeout=3"])
def test_a_file_that_is_missing_is_told_and_made_on_demand_only(
    driver: str, options: str, tmp_path: Path
) -> None:
    file = tmp_path / "typo.db"
    properties = {"type": "sql", "uri": f"{driver}:///{file}{options}", "warehouse": "/nowhere"}
    with pytest.raises(CatalogMissing, match=f"there is no file {file}; check the path"):
        load_catalog("lake", properties)
    assert not file.exists()
    load_catalog("lake", properties, makes=True).close()
    assert file.exists()


@pytest.mark.parametrize("schema", ["", "CREATE TABLE orders (id INT)"])
def test_in_a_database_of_something_else_nothing_is_made(schema: str, tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    file.touch()
    with sqlite3.connect(file) as database:
        database.execute(schema)
    before = file.read_bytes()
    properties = {"type": "sql", "uri": f"sqlite:///{file}", "init_catalog_tables": "true"}
    with pytest.raises(CatalogMissing, match=r"no catalog tables\. Check the address"):
        load_catalog("lake", properties)
    assert file.read_bytes() == before
    made = load_catalog("lake", properties, makes=True)
    made.create_namespace("db")
    made.close()
    assert list(list_tables(load_catalog("lake", properties))) == []


def test_a_user_who_may_only_read_can(tmp_path: Path) -> None:
    file = tmp_path / "lake.db"
    load_catalog("lake", {"type": "sql", "uri": f"sqlite:///{file}"}, makes=True).close()
    reads = f"sqlite:///file:{file}?mode=ro&uri=true"
    assert list(list_tables(load_catalog("lake", {"type": "sql", "uri": reads}))) == []


def test_the_address_may_be_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYICEBERG_CATALOG__LAKE__URI", f"sqlite:///{tmp_path}/typo.db")
    with pytest.raises(CatalogMissing, match=r"typo\.db"):
        load_catalog("lake", {"type": "sql"})
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_made_is_told() -> None:
    properties = {"type": "sql", "uri": "sqlite:////no/such/folder/catalog.db"}
    with pytest.raises(CatalogUnavailable, match="unable to open database file: check the path"):
        load_catalog("lake", properties, makes=True)


@pytest.mark.parametrize(
    "uri",
    [
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:x.db?mode=ro&uri=true",
        "postgresql+psycopg2:///lake",
        "https://catalog.example.com",
    ],
)
def test_other_addresses_name_no_file(uri: str) -> None:
    assert missing_database({"uri": uri}) is None


def test_a_file_that_is_there_is_not_missing(tmp_path: Path) -> None:
    file = tmp_path / "lake.db"
    file.touch()
    assert missing_database({"uri": f"sqlite:///{file}"}) is None
