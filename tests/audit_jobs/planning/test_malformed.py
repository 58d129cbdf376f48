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

from prunescope.audit_jobs.planning.conclude import conclude
from prunescope.audit_jobs.planning.file_stage import plan_files
from prunescope.audit_jobs.planning.manifest_stage import list_manifests
from prunescope.audit_jobs.planning.work import Listed, PlannedTable
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import TRUE
from prunescope.collectors.tables.catalog import open_metadata_file
from prunescope.collectors.tables.manifest_list import read_manifest_list
from tests.audit_jobs.planning.replays import Asked, asked
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


def made_scans(tmp_path: Path) -> tuple[Asked, list[Listed]]:
    """A scan of each of two snapshots, 7 and 8, of a table of two manifests of a file each; both
    snapshots have the second."""
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
    old, new = (table.metadata.snapshots[found.snapshot_id] for found in created.snapshots())
    schema = table.metadata.schema(new)
    scans = asked(table, schema, [(old, Scan(7, TRUE)), (new, Scan(8, TRUE))])
    first, second = read_manifest_list(new, table.storage)
    ids = (old.snapshot_id, new.snapshot_id)
    return scans, [Listed(first, {ids[1]: 0}), Listed(second, dict.fromkeys(ids, 0))]


def with_file(found: Listed, path: Path) -> Listed:
    """The same listing of another file."""
    return replace(found, manifest=replace(found.manifest, path=str(path)))


def planned_table(scans: Asked) -> PlannedTable:
    return PlannedTable(scans.contexts, {work.key: work.block for work in scans.works})


def test_entries_of_another_kind_fail_only_the_scans_that_need_them(tmp_path: Path) -> None:
    scans, (first, second) = made_scans(tmp_path)
    write_manifest(tmp_path / "strange.avro", None, 10)
    strange = with_file(first, tmp_path / "strange.avro")
    (plan,) = plan_files(planned_table(scans), [strange, second])
    (failure,) = plan.failures
    assert (failure.positions.tolist(), failure.why.code) == ([1], "unreadable_metadata")
    assert "cannot be decoded" in (failure.why.message or "")
    assert tally(plan.counts[0], 0).data_files_kept == 1


def test_bytes_are_unknown_where_those_of_one_file_are(tmp_path: Path) -> None:
    scans, (first, second) = made_scans(tmp_path)
    write_manifest(tmp_path / "strange.avro", 5, -10)
    table = planned_table(scans)
    (work,) = scans.works
    (plan,) = plan_files(table, [with_file(first, tmp_path / "strange.avro"), second])
    assert plan.failures == []
    snapshot_id = max(work.block.snapshots, key=lambda id_: work.block.snapshots[id_][0])
    totals = list_manifests(table, table.snapshots[snapshot_id]).totals
    about = (snapshot_id, 0, totals, work.specs)
    (found,) = conclude(work.scans, work.block.shapes, plan.counts[0], about, np.array([1]))
    assert found.bytes == Funnel(None, None, None)
    assert (found.data_files.kept, found.records.kept) == (2, 8)
