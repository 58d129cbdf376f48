"""Position deletes: PyIceberg 0.12 reads them, but its public writes copy data files instead."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestWriter,
    ManifestWriterV2,
)
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Operation
from pyiceberg.table.update.snapshot import _FastAppendFiles

# Reserved field ids of the table spec, "Position Delete Files".
_FILE_PATH, _POS = 2147483546, 2147483545
_SCHEMA = pa.schema(
    [
        pa.field("file_path", pa.string(), False, {"PARQUET:field_id": str(_FILE_PATH)}),
        pa.field("pos", pa.int64(), False, {"PARQUET:field_id": str(_POS)}),
    ]
)


def delete_first_rows(table: Table, data_files: Sequence[DataFile], count: int) -> None:
    """Deletes the first `count` rows of each data file, in one snapshot with one position
    delete file for each."""
    append_delete_files(table, [_write(table, data_file, count) for data_file in data_files])


def append_delete_files(table: Table, files: Iterable[DataFile]) -> None:
    """Adds delete files to a table, in one snapshot with one manifest."""
    with (
        table.transaction() as transaction,
        _AppendDeletes(Operation.OVERWRITE, transaction, table.io) as append,
    ):
        for file in files:
            append.append_data_file(file)


def _write(table: Table, target: DataFile, count: int) -> DataFile:
    location = f"{table.location()}/data/{uuid.uuid4()}-deletes.parquet"
    path = target.file_path
    content = pa.table([[path] * count, list(range(count))], schema=_SCHEMA)
    output = table.io.new_output(location)
    with output.create() as stream:
        pq.write_table(content, stream)
    bound = path.encode()
    return DataFile.from_args(
        content=DataFileContent.POSITION_DELETES,
        file_path=location,
        file_format=FileFormat.PARQUET,
        partition=target.partition,
        record_count=count,
        file_size_in_bytes=len(output),
        # Equal bounds of file_path tell planners that the deletes are of one data file.
        lower_bounds={_FILE_PATH: bound},
        upper_bounds={_FILE_PATH: bound},
        spec_id=target.spec_id,
    )


class _DeleteManifestWriter(ManifestWriterV2):
    def content(self) -> ManifestContent:
        return ManifestContent.DELETES

    @property
    def _meta(self) -> dict[str, str]:
        return {**super()._meta, "content": "deletes"}


class _AppendDeletes(_FastAppendFiles):
    """A snapshot that adds one manifest of delete files."""

    def new_manifest_writer(self, spec: PartitionSpec) -> ManifestWriter:
        return _DeleteManifestWriter(
            spec, self.schema(), self.new_manifest_output(), self._snapshot_id, self._compression
        )
