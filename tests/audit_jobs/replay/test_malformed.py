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
from audit_jobs.pruning.summary import Funnel
from audit_jobs.replay.conclude import conclude
from audit_jobs.replay.file_stage import plan_files
from audit_jobs.replay.local import table_work
from audit_jobs.replay.manifest_stage import ManifestPlan, plan_manifests
from audit_jobs.replay.work import TableWork, pack
from collectors.predicates.model import TRUE
from collectors.queries.observed import TableName
from collectors.tables.catalog import open_metadata_file
from tests.audit_jobs.pruning.judging import tally


def write_manifest(path: Path, records: int | None, size: int) -> None:
    """A manifest of one data file, with so many records and bytes."""
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
        writer.write_block([Record(1, Record(0, "a.parquet", "PARQUET", records, size))])


def made_work(tmp_path: Path) -> tuple[TableWork, ManifestPlan]:
    """Two scans, 7 and 8, of a table of two manifests of a file each."""
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
    return work, plan_manifests(work, snapshot.snapshot_id)


def test_entries_of_another_kind_fail_only_the_scans_that_need_them(tmp_path: Path) -> None:
    work, plan_of_list = made_work(tmp_path)
    first, second = plan_of_list.kept
    write_manifest(tmp_path / "strange.avro", None, 10)
    (only_second,) = pack(np.array([[False], [True]]))
    strange = replace(first, path=str(tmp_path / "strange.avro"), scans=only_second)
    (plan,) = plan_files([strange, second], {0: work})
    (failure,) = plan.failures
    assert (failure.scan_ids, failure.code) == ((8,), "unreadable_metadata")
    assert "cannot be decoded" in failure.message
    assert tally(plan.counts[0], 0).data_files_kept == 1


def test_bytes_are_unknown_where_those_of_one_file_are(tmp_path: Path) -> None:
    work, plan_of_list = made_work(tmp_path)
    first, second = plan_of_list.kept
    write_manifest(tmp_path / "strange.avro", 5, -10)
    strange = replace(first, path=str(tmp_path / "strange.avro"))
    (plan,) = plan_files([strange, second], {0: work})
    assert plan.failures == []
    (snapshot_id,) = work.snapshots
    plan.counts[0].merge(plan_of_list.counts)
    about = (snapshot_id, 0, plan_of_list.totals, work.specs)
    found, _ = conclude(work.scans, work.shapes, plan.counts[0], about, np.array([0, 1]))
    assert found.bytes == Funnel(None, None, None)
    assert (found.data_files.kept, found.records.kept) == (2, 8)
