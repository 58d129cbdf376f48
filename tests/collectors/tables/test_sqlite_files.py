"""Catalogs in SQLite are read where they are, and made for who makes them alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.tables.catalog import CatalogMissing, CatalogUnavailable, load_catalog
from collectors.tables.sqlite_files import missing_database


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
