"""Delete files that are listed on after all data was written anew, in a real table."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.table import Table as PyIcebergTable
from pyiceberg.typedef import Record

from prunescope.audit_jobs.demo.position_deletes import append_delete_files
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import TRUE
from prunescope.collectors.tables.catalog import open_metadata_file
from tests.audit_jobs.planning.replays import asked, planned
from tests.audit_jobs.pruning.judging import tally

ROWS = pa.table({"id": pa.array([1, 2, 3], pa.int64())})


def add_delete_file(table: PyIcebergTable, content: DataFileContent, form: FileFormat) -> None:
    append_delete_files(
        table,
        [
            DataFile.from_args(
                content=content,
                file_path=f"{table.location()}/data/deletes",
                file_format=form,
                partition=Record(),
                record_count=1,
                file_size_in_bytes=10,
                equality_ids=[1] if content == DataFileContent.EQUALITY_DELETES else None,
                spec_id=0,
            )
        ],
    )


@pytest.mark.parametrize(
    ("kind", "content", "form"),
    [
        ("equality_delete_files", DataFileContent.EQUALITY_DELETES, FileFormat.PARQUET),
        ("position_delete_files", DataFileContent.POSITION_DELETES, FileFormat.PARQUET),
        ("deletion_vectors", DataFileContent.POSITION_DELETES, FileFormat.PUFFIN),
    ],
)
def test_each_scan_counts_those_of_its_own_snapshot(
    tmp_path: Path, kind: str, content: DataFileContent, form: FileFormat
) -> None:
    catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("db")
    created = catalog.create_table("db.t", ROWS.schema)
    created.append(ROWS)
    add_delete_file(created, content, form)
    add_delete_file(created, content, form)
    created.delete()
    add_delete_file(created, content, form)  # newer than all data was
    created.append(ROWS)
    add_delete_file(created, content, form)
    table = open_metadata_file(created.metadata_location, TableName(None, (), "t"))
    snapshots = [
        table.metadata.snapshot_by_id(snapshot.snapshot_id) for snapshot in created.snapshots()
    ]
    scans = [(snapshot, Scan(number, TRUE)) for number, snapshot in enumerate(snapshots)]

    found = planned(asked(table, table.metadata.schema(None), scans))

    assert found.replay.failures == ()
    tallies = [tally(found.found.counts[0], number) for number in range(len(scans))]
    listed = [getattr(tally, f"{kind}_kept") for tally in tallies]
    dangling = [getattr(tally, f"dangling_{kind}") for tally in tallies]
    assert list(zip(listed, dangling, strict=True)) == [
        (0, 0),
        (1, 0),
        (2, 0),
        (2, 2),
        (3, 3),
        (3, 3),
        (4, 3),
    ]
    assert [tally.data_files_kept for tally in tallies] == [1, 1, 1, 0, 0, 1, 1]
