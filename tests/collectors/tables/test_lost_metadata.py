"""A table whose metadata file is gone is another than one that the catalog does not have."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.collectors.errors import TableNotFound, UnreadableMetadata
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import open_metadata_file, open_table

T = TableName("lake", ("db",), "T")


def test_a_metadata_file_that_is_gone(tmp_path: Path) -> None:
    catalog = SqlCatalog("lake", uri=f"sqlite:///{tmp_path}/c.db", warehouse=f"file://{tmp_path}/w")
    catalog.create_namespace("db")
    location = catalog.create_table("db.T", pa.schema([("id", pa.int64())])).metadata_location
    path = location.removeprefix("file://")
    assert open_table(catalog, T).metadata.location.startswith("file://")
    Path(path).unlink()
    with pytest.raises(UnreadableMetadata, match="the metadata file cannot be read"):
        open_table(catalog, T)
    with pytest.raises(TableNotFound, match="Check the path"):
        open_metadata_file(path, T)
    catalog.drop_table("db.T")
    with pytest.raises(TableNotFound, match="has no table"):
        open_table(catalog, T)
    catalog.close()
