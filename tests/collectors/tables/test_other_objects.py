"""What is no metadata of a table is told as what it is."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from sqlalchemy import text

from prunescope.collectors.errors import TableError, UnreadableMetadata
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import load_catalog, open_metadata_file, open_table

NAME = TableName("lake", ("db",), "t")
VIEW = {
    "view-uuid": "0000",
    "format-version": 1,
    "location": "file:///x",
    "current-version-id": 1,
    "versions": [],
    "version-log": [],
    "schemas": [{"schema-id": 1, "type": "struct", "fields": []}],
}
DELTA = b'{"commitInfo": {"operation": "WRITE"}}\n{"protocol": {"minReaderVersion": 1}}\n'


def packed(document: Any) -> bytes:
    return gzip.compress(json.dumps(document).encode())


@pytest.mark.parametrize(
    ("content", "what"),
    [
        pytest.param(json.dumps(VIEW).encode(), "of a view, which has no files", id="view"),
        pytest.param(json.dumps(VIEW, indent=2).encode(), "the metadata of a view", id="on lines"),
        pytest.param(packed(VIEW), "the metadata of a view", id="packed"),
        pytest.param(
            json.dumps({**VIEW, "storage-table": {}}).encode(),
            "a view",
            id="materialized",
        ),
        pytest.param(
            json.dumps({"function-uuid": "0", "format-version": 1}).encode(),
            "the metadata of a function",
            id="function",
        ),
        pytest.param(DELTA, "the log of a Delta table", id="Delta"),
        pytest.param(b"Obj\x01\x04", "an Avro file, such as a manifest", id="manifest"),
        pytest.param(b"PAR1\x00", "a Parquet file", id="data file"),
        pytest.param(b"PFA1\x00", "a Puffin file", id="statistics"),
    ],
)
def test_files_of_other_kinds(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "v1.metadata.json"
    path.write_bytes(content)
    with pytest.raises(TableError, match=what) as caught:
        open_metadata_file(str(path), NAME)
    assert not isinstance(caught.value, UnreadableMetadata)


@pytest.mark.parametrize("content", [b"3", b"{", b'{"a": 1}', b"\x00\x01", b""])
def test_what_is_known_to_be_nothing_is_unreadable(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "v1.metadata.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableMetadata):
        open_metadata_file(str(path), NAME)


def test_a_view_that_a_catalog_has_under_the_name_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "w" / "v.metadata.json"
    path.parent.mkdir()
    path.write_text(json.dumps(VIEW))
    known = {
        "type": "sql",
        "uri": f"sqlite:///{tmp_path}/c.db",
        "warehouse": f"file://{tmp_path}/w",
    }
    catalog = SqlCatalog("lake", **known)
    catalog.create_namespace("db")
    row = "('lake', 'db', 't', :path, 'TABLE')"
    columns = "catalog_name, table_namespace, table_name, metadata_location, iceberg_type"
    with catalog.engine.begin() as connection:
        statement = f"INSERT INTO iceberg_tables ({columns}) VALUES {row}"
        connection.execute(text(statement), {"path": f"file://{path}"})
    catalog.close()
    with pytest.raises(TableError, match="the metadata of a view, which has no files"):
        open_table(load_catalog("lake", known), NAME)
