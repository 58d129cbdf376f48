"""Delete files that pile up."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.manifest import DATA_FILE_TYPE, DataFile, DataFileContent, FileFormat
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record
from pyiceberg.types import IntegerType, ListType, LongType, NestedField, StructType

from prunescope.audit_jobs.demo.position_deletes import append_delete_files
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS
from tests.scenarios.lake import Lake, causes, files

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def create(lake: Lake, table: str, *, version: int, deletes: int) -> None:
    """Two data files, and rows deleted so many times."""
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT) USING iceberg TBLPROPERTIES ("
        f"'format-version' = '{version}', 'write.delete.mode' = 'merge-on-read', "
        "'write.delete.granularity' = 'partition')",
        *files(table, 2, rows=1000, columns=["id"]),
        *(f"DELETE FROM lake.db.{table} WHERE id % 100 = {number}" for number in range(deletes)),
    )


def test_merged_there_are_none(lake: Lake) -> None:
    create(lake, "deleted", version=2, deletes=8)
    before = lake.audit("SELECT * FROM deleted")
    (finding,) = before.findings
    assert finding.cause == "many_deletes"
    assert finding.evidence["delete_files_read"]["position_delete_files"] >= 8
    assert "rewrite_position_delete_files" in finding.fix.spark[-1]

    lake.sql(*finding.fix.spark)
    after = lake.audit("SELECT * FROM deleted")

    (scan,) = after.scan_plans()
    assert sum(scan[f"{kind}_kept"] for kind in DELETE_KINDS) == 0
    assert lake.sql("SELECT count(*) FROM lake.db.deleted") == [[2000 - 8 * 20]]
    assert causes(after) == set()


IDS = pa.schema([pa.field("id", pa.int64(), True, {"PARQUET:field_id": "1"})])


EQUALITY_IDS = NestedField(135, "equality_ids", ListType(136, IntegerType(), True), required=False)


@pytest.fixture
def sound_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyIceberg 0.12 writes ids of columns as longs, which Iceberg refuses to read."""
    fields = [EQUALITY_IDS if f.field_id == 135 else f for f in DATA_FILE_TYPE[2].fields]
    monkeypatch.setitem(DATA_FILE_TYPE, 2, StructType(*fields))


def create_streamed(lake: Lake, name: str, *, deletes: int, merged: int = 0) -> None:
    """One file of 1,000 rows, and equality deletes of one row each, one with every commit, as
    Flink writes them: Spark does not, so the table comes from elsewhere. The data is written anew
    after the first `merged` of them, which stay listed."""
    directory = lake.directory / "warehouse" / "db" / name
    catalog = SqlCatalog("elsewhere", uri="sqlite:///:memory:", warehouse=str(lake.directory))
    catalog.create_namespace("db")
    schema = Schema(NestedField(1, "id", LongType()))
    table = catalog.create_table(("db", name), schema, location=str(directory))
    table.append(pa.table({"id": range(1000)}, schema=IDS))
    for number in range(deletes):
        if merged and number == merged:
            table.overwrite(pa.table({"id": range(number, 1000)}, schema=IDS))
        path = directory / "data" / f"{number}-deletes.parquet"
        pq.write_table(pa.table({"id": [number]}, schema=IDS), path)
        append_delete_files(
            table,
            [
                DataFile.from_args(
                    content=DataFileContent.EQUALITY_DELETES,
                    file_path=str(path),
                    file_format=FileFormat.PARQUET,
                    partition=Record(),
                    record_count=1,
                    file_size_in_bytes=path.stat().st_size,
                    equality_ids=[1],
                    spec_id=0,
                )
            ],
        )
    metadata = directory / "metadata"
    (metadata / "v1.metadata.json").write_bytes(
        Path(table.metadata_location.removeprefix("file://")).read_bytes()
    )
    (metadata / "version-hint.text").write_text("1")
    catalog.close()


@pytest.mark.usefixtures("sound_writer")
def test_equality_deletes_are_merged_as_well(lake: Lake) -> None:
    create_streamed(lake, "streamed", deletes=8)
    (finding,) = lake.audit("SELECT * FROM streamed").findings
    assert finding.cause == "many_deletes"
    assert finding.evidence["delete_files_read"]["equality_delete_files"] == 8
    assert set(finding.evidence["dangling_delete_files"].values()) == {0}

    lake.sql(*finding.fix.spark)
    after = lake.audit("SELECT * FROM streamed")

    (scan,) = after.scan_plans()
    # Iceberg drops them with 1.11; before, they are listed on, and apply to nothing.
    for kind in DELETE_KINDS:
        assert scan[f"dangling_{kind}"] == scan[f"{kind}_kept"]
    assert causes(after) == set()
    assert lake.sql("SELECT count(*) FROM lake.db.streamed") == [[1000 - 8]]


@pytest.mark.usefixtures("sound_writer")
def test_deletes_that_are_left_over_are_not_read(lake: Lake) -> None:
    create_streamed(lake, "merged_once", deletes=11, merged=3)
    create_streamed(lake, "lately_merged", deletes=11, merged=9)
    result = lake.audit("SELECT * FROM merged_once", "SELECT * FROM lately_merged")
    (finding,) = result.findings
    assert (finding.cause, str(finding.table)) == ("many_deletes", "lake.db.merged_once")
    assert finding.sentence.startswith("1 scan reads 8 delete files")
    assert finding.evidence["delete_files_read"]["equality_delete_files"] == 8
    assert finding.evidence["dangling_delete_files"]["equality_delete_files"] == 3
    for table in ("merged_once", "lately_merged"):
        assert lake.sql(f"SELECT count(*) FROM lake.db.{table}") == [[1000 - 11]]


def test_few_deletes_and_deletion_vectors_are_left_alone(lake: Lake) -> None:
    create(lake, "deleted_twice", version=2, deletes=2)
    create(lake, "with_vectors", version=3, deletes=8)
    result = lake.audit("SELECT * FROM deleted_twice", "SELECT * FROM with_vectors")
    assert causes(result) == set()
