"""A table of metadata only: manifests that describe files which do not exist."""

from __future__ import annotations

import json
import struct
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat, write_manifest_list
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.transforms import DayTransform
from pyiceberg.typedef import Record
from pyiceberg.types import LongType, NestedField, TimestampType

MICROS_PER_DAY = 86_400_000_000
FIRST_DAY = 19_723  # 2024-01-01
_PATH, _FORMAT, _SIZE = 1, 2, 5
"""Places in PyIceberg's DataFile, which cannot be changed by name."""


def build(
    directory: Path, *, manifests: int, files: int, columns: int, content: bytes | None = None
) -> Table:
    """A table partitioned by day of its first column, one manifest a day. Column 2 grows with
    time; the others are spread evenly within each file, as unsorted data is. The files are ORC and
    are not there, so that pass 3, which would need them, is unknown; or Parquet of this content."""
    fields = [NestedField(1, "ts", TimestampType(), required=False)]
    fields += [NestedField(i, f"c{i}", LongType(), required=False) for i in range(2, columns + 1)]
    catalog = SqlCatalog(
        "bench", uri=f"sqlite:///{directory}/catalog.db", warehouse=f"file://{directory}"
    )
    catalog.create_namespace("bench")
    table = catalog.create_table(
        "bench.wide",
        Schema(*fields),
        partition_spec=PartitionSpec(PartitionField(1, 1000, DayTransform(), "day")),
        properties={"format-version": "2", "commit.manifest-merge.enabled": "false"},
    )
    random = np.random.default_rng(7)
    for day in range(FIRST_DAY, FIRST_DAY + manifests):
        with (
            table.transaction() as transaction,
            transaction.update_snapshot().fast_append() as append,
        ):
            for number in range(files):
                file = _data_file(table, day, number, columns, random)
                if content is not None:
                    path = Path(f"{file.file_path.removeprefix('file://')}.parquet")
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                    file[_PATH], file[_FORMAT] = f"file://{path}", FileFormat.PARQUET
                    file[_SIZE] = len(content)
                append.append_data_file(file)
    return table


def repeated(table: Table, times: int) -> str:
    """The location of metadata of a table whose snapshot has each manifest so many times, under
    names of their own."""
    snapshot = table.current_snapshot()
    assert snapshot is not None
    manifests = snapshot.manifests(table.io)
    copies = []
    for manifest in manifests:
        path = Path(manifest.manifest_path.removeprefix("file://"))
        for number in range(times):
            copy = path.with_name(f"{number}-{path.name}")
            if not copy.exists():
                copy.hardlink_to(path)
            again = deepcopy(manifest)
            again[0] = f"file://{copy}"
            copies.append(again)
    location = f"{table.location()}/metadata/{times}-times"
    with write_manifest_list(
        2,
        table.io.new_output(f"{location}.avro"),
        snapshot.snapshot_id,
        snapshot.parent_snapshot_id,
        snapshot.sequence_number,
        "deflate",
    ) as writer:
        writer.add_manifests(copies)
    metadata = json.loads(table.metadata.model_dump_json())
    for one in metadata["snapshots"]:
        if one["snapshot-id"] == snapshot.snapshot_id:
            one["manifest-list"] = f"{location}.avro"
    Path(f"{location}.metadata.json".removeprefix("file://")).write_text(json.dumps(metadata))
    return f"{location}.metadata.json"


def _data_file(
    table: Table, day: int, number: int, columns: int, random: np.random.Generator
) -> DataFile:
    start = day * MICROS_PER_DAY
    lower: dict[int, Any] = {1: start, 2: day * 1000 + number}
    upper: dict[int, Any] = {1: start + MICROS_PER_DAY - 1, 2: day * 1000 + number + 1}
    for field_id in range(3, columns + 1):
        low, high = sorted(random.integers(0, 1_000_000, 2).tolist())
        lower[field_id], upper[field_id] = low, high
    ids = range(1, columns + 1)
    records = int(random.integers(50_000, 150_000))
    return DataFile.from_args(
        content=DataFileContent.DATA,
        file_path=f"{table.location()}/data/{day}/{number:05d}.orc",
        file_format=FileFormat.ORC,
        partition=Record(day),
        record_count=records,
        file_size_in_bytes=int(random.integers(64_000_000, 192_000_000)),
        column_sizes=dict.fromkeys(ids, 5_000_000),
        value_counts=dict.fromkeys(ids, records),
        null_value_counts=dict.fromkeys(ids, 0),
        nan_value_counts={},
        lower_bounds={key: struct.pack("<q", value) for key, value in lower.items()},
        upper_bounds={key: struct.pack("<q", value) for key, value in upper.items()},
        key_metadata=None,
        split_offsets=[4],
        equality_ids=None,
        sort_order_id=None,
    )
