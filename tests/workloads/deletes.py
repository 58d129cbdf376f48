"""Position delete files, which PyIceberg reads and does not write."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlparse

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.io import OutputFile
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestWriterV2,
)
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.table import Table as IcebergTable

_SCHEMA = pa.schema(
    [
        pa.field("file_path", pa.string(), False, {"PARQUET:field_id": "2147483546"}),
        pa.field("pos", pa.int64(), False, {"PARQUET:field_id": "2147483545"}),
    ]
)


class _DeletesWriter(ManifestWriterV2):
    """Writes a manifest of delete files."""

    def content(self) -> ManifestContent:
        return ManifestContent.DELETES

    @property
    def _meta(self) -> dict[str, str]:
        return {**super()._meta, "content": "deletes"}


def delete_first_rows(table: IcebergTable, number: int) -> None:
    """A commit of a delete file for each data file, which deletes the first row of it. All data
    files have the table's current spec. `number` is part of the names of files."""
    metadata = table.metadata
    planned = [task.file for task in table.scan().plan_files()]
    with (
        table.transaction() as transaction,
        transaction.update_snapshot().fast_append() as append,
    ):

        def writer(spec: PartitionSpec) -> _DeletesWriter:
            output: OutputFile = append.new_manifest_output()
            return _DeletesWriter(spec, metadata.schema(), output, append.snapshot_id, "null")

        append.new_manifest_writer = writer  # type: ignore[method-assign]
        for place, file in enumerate(sorted(planned, key=lambda file: file.file_path)):
            append.append_data_file(_delete_file(file, f"deletes-{number}-{place}"))


def _delete_file(of: DataFile, name: str) -> DataFile:
    path = f"{of.file_path.rsplit('/', 1)[0]}/{name}.parquet"
    local = Path(urlparse(path).path)
    pq.write_table(pa.table({"file_path": [of.file_path], "pos": [0]}, _SCHEMA), local)
    named = {2147483546: of.file_path.encode()}
    made = DataFile.from_args(
        content=DataFileContent.POSITION_DELETES,
        file_path=path,
        file_format=FileFormat.PARQUET,
        partition=of.partition,
        record_count=1,
        file_size_in_bytes=local.stat().st_size,
        lower_bounds=named,
        upper_bounds=named,
    )
    made.spec_id = of.spec_id
    return made
