import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.planning.local import replay
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.catalog import open_metadata_file
from prunescope.collectors.tables.name_mapping import PROPERTY, read_name_mapping

NESTED = [
    {"field-id": 1, "names": ["id", "record_id"]},
    {
        "field-id": 2,
        "names": ["location"],
        "fields": [{"field-id": 3, "names": ["lat", "latitude"]}],
    },
    {"names": ["no_longer_there"]},
]


def test_every_name_of_a_field_leads_to_it() -> None:
    assert read_name_mapping({PROPERTY: json.dumps(NESTED)}) == {
        ("id",): 1,
        ("record_id",): 1,
        ("location",): 2,
        ("location", "lat"): 3,
        ("location", "latitude"): 3,
    }


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("{}", id="object"),
        pytest.param("[1]", id="numbers"),
        pytest.param('[{"field-id": 1}]', id="without-names"),
        pytest.param('[{"field-id": "x", "names": ["a"]}]', id="id-is-no-number"),
        pytest.param('[{"field-id": 1, "names": ["a"], "fields": 5}]', id="fields-are-none"),
    ],
)
def test_of_a_mapping_that_cannot_be_read_nothing_is_known(text: str) -> None:
    assert read_name_mapping({PROPERTY: text}) == {}


def test_no_mapping() -> None:
    assert read_name_mapping({}) == {}


def test_row_groups_of_imported_files_are_pruned(tmp_path: Path) -> None:
    """PyIceberg adds files that have no field ids, and writes a mapping for them."""
    uri = f"sqlite:///{tmp_path}/catalog.db"
    catalog = SqlCatalog("lake", uri=uri, warehouse=f"file://{tmp_path}")
    catalog.create_namespace("db")
    rows: Any = pa.table({"id": pa.array(range(100), pa.int64())})
    table = catalog.create_table("db.imported", rows.schema)
    pq.write_table(rows, tmp_path / "imported.parquet", row_group_size=10)
    table.add_files([f"file://{tmp_path}/imported.parquet"])
    name = TableName(None, ("db",), "imported")
    # Files that were imported are where they were.
    ours = open_metadata_file(table.metadata_location, name, allowed=[str(tmp_path)])
    snapshot = ours.metadata.current_snapshot()
    low = bind(Comparison(Op.LT, Column(("id",)), (25,)), ours.metadata.schema(snapshot))
    (found,) = replay(ours, snapshot, [low])
    assert found.summary is not None
    assert (found.summary.row_groups.considered, found.summary.row_groups.kept) == (10, 3)
