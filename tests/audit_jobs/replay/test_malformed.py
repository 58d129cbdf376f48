"""A manifest that decodes but makes no sense fails its own scans and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyiceberg.avro.file import AvroOutputFile
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record
from pyiceberg.types import IntegerType, LongType, NestedField, StringType, StructType

from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.summary import WHOLE_SCAN
from audit_jobs.replay.file_stage import plan_files
from audit_jobs.replay.local import table_work
from audit_jobs.replay.manifest_stage import plan_manifests
from audit_jobs.replay.work import pack
from collectors.predicates.model import TRUE
from collectors.queries.observed import TableName
from collectors.tables.catalog import open_metadata_file


def write_manifest_without_counts(path: Path) -> None:
    """A manifest of one data file, of which it does not say how many records it has."""
    data_file = StructType(
        NestedField(134, "content", IntegerType(), required=True),
        NestedField(100, "file_path", StringType(), required=True),
        NestedField(101, "file_format", StringType(), required=True),
        NestedField(103, "record_count", LongType(), required=False),
        NestedField(104, "file_size_in_bytes", LongType(), required=True),
    )
    schema = Schema(
        NestedField(0, "status", IntegerType(), required=True),
        NestedField(2, "data_file", data_file, required=True),
    )
    output = PyArrowFileIO().new_output(str(path))
    with AvroOutputFile[Record](output, schema, "manifest_entry") as writer:
        writer.write_block([Record(1, Record(0, "a.parquet", "PARQUET", None, 10))])


def test_entries_of_another_kind_fail_only_the_scans_that_need_them(tmp_path: Path) -> None:
    catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}"
    )
    catalog.create_namespace("db")
    rows = pa.table({"id": pa.array([1, 2, 3], pa.int64())})
    created = catalog.create_table("db.t", rows.schema)
    created.append(rows)
    created.append(rows)
    name = TableName(None, (), "t")
    table = open_metadata_file(created.metadata_location, name, allowed=[str(tmp_path)])
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    schema = table.metadata.schema(snapshot)
    work = table_work(0, table, schema, [(snapshot, Scan(7, TRUE)), (snapshot, Scan(8, TRUE))])
    first, second = plan_manifests(work, snapshot.snapshot_id).kept
    write_manifest_without_counts(tmp_path / "strange.avro")
    (only_second,) = pack(np.array([[False], [True]]))
    strange = replace(first, path=str(tmp_path / "strange.avro"), scans=only_second)
    (plan,) = plan_files([strange, second], {0: work})
    (failure,) = plan.failures
    assert (failure.scan_ids, failure.code) == ((8,), "unreadable_metadata")
    assert "cannot be decoded" in failure.message
    assert plan.tallies[(7, WHOLE_SCAN)].data_files_kept == 1
