"""Catalogs in SQLite are read where they are, and never made."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.tables.catalog import CatalogUnavailable, load_catalog
from collectors.tables.sqlite_files import missing_database


@pytest.mark.parametrize("driver", ["sqlite", "sqlite+pysqlite"])
@pytest.mark.parametrize("options", ["", "?timeout=3"])
def test_a_file_that_is_missing_is_told_and_not_made(
    driver: str, options: str, tmp_path: Path
) -> None:
    file = tmp_path / "typo.db"
    properties = {"type": "sql", "uri": f"{driver}:///{file}{options}", "warehouse": "/nowhere"}
    with pytest.raises(CatalogUnavailable, match=f"there is no file {file}: check the path"):
        load_catalog("lake", properties)
    assert not file.exists()


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
