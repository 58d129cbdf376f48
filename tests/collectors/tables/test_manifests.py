import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.avro.file import AvroOutputFile
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record
from pyiceberg.types import (
    BinaryType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
)

from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.statistics import ColumnKey, FileBatch
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.file_batches import file_batch, partition_statistics
from prunescope.collectors.tables.manifests import read_manifest

LONG: ColumnKey = (1, "long")
PARTITION: ColumnKey = (1000, "long")
SPEC = PartitionSpec(1, (PartitionField(1000, 1, "p", "identity", "long", "long"),))


def counts(field_id: int, name: str, key: int, value: int) -> NestedField:
    return NestedField(field_id, name, MapType(key, IntegerType(), value, LongType()))


def bounds(field_id: int, name: str, key: int, value: int) -> NestedField:
    return NestedField(field_id, name, MapType(key, IntegerType(), value, BinaryType()))


REQUIRED = (
    NestedField(100, "file_path", StringType(), required=True),
    NestedField(101, "file_format", StringType(), required=True),
    NestedField(102, "partition", StructType(NestedField(1000, "p", LongType())), required=True),
    NestedField(103, "record_count", LongType(), required=True),
    NestedField(104, "file_size_in_bytes", LongType(), required=True),
)
METRICS = (
    counts(109, "value_counts", 117, 118),
    counts(110, "null_value_counts", 119, 120),
    counts(137, "nan_value_counts", 138, 139),
    bounds(125, "lower_bounds", 126, 127),
    bounds(128, "upper_bounds", 129, 130),
    NestedField(132, "split_offsets", ListType(133, LongType(), element_required=True)),
)
EXISTING, ADDED, DELETED = 0, 1, 2


def long(value: int) -> bytes:
    return struct.pack("<q", value)


def write(path: Path, fields: tuple[NestedField, ...], *rows: tuple[int, tuple[Any, ...]]) -> str:
    schema = Schema(
        NestedField(0, "status", IntegerType(), required=True),
        NestedField(2, "data_file", StructType(*fields), required=True),
    )
    output = PyArrowFileIO().new_output(str(path))
    with AvroOutputFile[Record](output, schema, "manifest_entry") as file:
        file.write_block([Record(status, Record(*row)) for status, row in rows])
    return str(path)


def batch(*paths: str) -> FileBatch:
    entries = [read_manifest(path, Storage(), columns=None) for path in paths]
    return file_batch(
        entries, SPEC, [LONG, (9, "long"), (1, "struct"), (1, "variant")], [PARTITION]
    )


def plain(path: str, partition: int | None = 0, form: str = "PARQUET") -> tuple[Any, ...]:
    return (path, form, Record(partition), 10, 100)


NO_METRICS = (None,) * len(METRICS)


def test_partition_values_of_another_type_are_no_values(tmp_path: Path) -> None:
    path = write(tmp_path / "a.avro", REQUIRED, (ADDED, plain("/1", 5)))
    (known,) = read_manifest(path, Storage(), columns=None).parts
    texts = replace(known, partition={PARTITION[0]: pa.array(["x"])})
    entries = replace(read_manifest(path, Storage(), columns=None), parts=(texts,))
    with pytest.raises(UnreadableMetadata, match="partition values of the type long are string"):
        file_batch([entries], SPEC, [LONG], [PARTITION])


def test_live_entries_become_containers(tmp_path: Path) -> None:
    first = write(
        tmp_path / "a.avro",
        (*REQUIRED, *METRICS),
        (ADDED, (*plain("/1", 5), {1: 10}, {1: 2}, {}, {1: long(3)}, {1: long(7)}, [4, 90])),
        (DELETED, (*plain("/deleted"), *NO_METRICS)),
        (EXISTING, (*plain("/2", None, "orc"), *NO_METRICS)),
    )
    found = batch(first, write(tmp_path / "b.avro", REQUIRED, (ADDED, plain("/3", 7, "parquet"))))
    assert found.paths.to_pylist() == ["/1", "/2", "/3"]
    assert found.manifest.tolist() == [0, 0, 1]
    assert found.parquet.tolist() == [True, False, True]
    assert found.row_groups.tolist() == [2, -1, -1]
    assert (found.records.tolist(), found.size.tolist()) == ([10] * 3, [100] * 3)
    assert found.sequence_number.tolist() == [-1] * 3
    partition = found.partition.columns[PARTITION]
    assert partition.lower.to_pylist() == [5, None, 7]
    assert partition.has_null.to_pylist() == [False, True, False]
    column = found.metrics.columns[LONG]
    assert (column.lower.to_pylist(), column.upper.to_pylist()) == (
        [3, None, None],
        [7, None, None],
    )
    assert column.has_null.to_pylist() == [True, None, None]
    assert column.all_null.to_pylist() == [False, None, None]


@pytest.mark.parametrize(
    ("inherited", "expected"),
    [(7, [7, 3, -1, 2]), (None, [-1, 3, -1, 2])],
    ids=["of-the-manifest", "unknown"],
)
def test_only_added_entries_inherit_a_sequence_number(
    tmp_path: Path, inherited: int | None, expected: list[int]
) -> None:
    schema = Schema(
        NestedField(0, "status", IntegerType(), required=True),
        NestedField(3, "sequence_number", LongType(), required=False),
        NestedField(2, "data_file", StructType(*REQUIRED), required=True),
    )
    rows = ((ADDED, None), (ADDED, 3), (DELETED, 1), (EXISTING, None), (EXISTING, 2))
    path = str(tmp_path / "a.avro")
    with AvroOutputFile[Record](PyArrowFileIO().new_output(path), schema, "manifest_entry") as file:
        file.write_block([Record(*row, Record(*plain("/1"))) for row in rows])
    entries = read_manifest(path, Storage(), columns=(), sequence_number=inherited)
    assert file_batch([entries], SPEC, [], []).sequence_number.tolist() == expected


def test_a_column_without_metrics_is_unknown_not_null(tmp_path: Path) -> None:
    row = (*plain("/1"), {1: 10}, {1: 0}, {}, {}, {}, None)
    column = batch(write(tmp_path / "a.avro", (*REQUIRED, *METRICS), (ADDED, row)))
    other = column.metrics.columns[(9, "long")]
    assert other.all_null.to_pylist() == [None]
    assert other.has_null.to_pylist() == [None]
    assert (1, "struct") not in column.metrics.columns


def test_of_types_without_an_order_nulls_are_counted(tmp_path: Path) -> None:
    row = (*plain("/1"), {1: 10}, {1: 10}, {}, {1: long(3)}, {1: long(4)}, None)
    found = batch(write(tmp_path / "a.avro", (*REQUIRED, *METRICS), (ADDED, row)))
    column = found.metrics.columns[(1, "variant")]
    assert column.all_null.to_pylist() == column.has_null.to_pylist() == [True]
    assert column.lower.to_pylist() == column.upper.to_pylist() == [None]


def test_bounds_of_another_width_are_unknown_not_missing(tmp_path: Path) -> None:
    row = (*plain("/1"), {1: 10}, {1: 0}, {}, {1: b"\x01"}, {1: b"\x02\x03"}, None)
    found = batch(write(tmp_path / "a.avro", (*REQUIRED, *METRICS), (ADDED, row)))
    column = found.metrics.columns[LONG]
    assert (column.lower.to_pylist(), column.upper.to_pylist()) == ([None], [None])
    assert column.none_low.to_pylist() == [False]


@pytest.mark.parametrize(
    ("records", "empty"), [(0, True), (1, False), (-1, False)], ids=["none", "one", "not-counted"]
)
def test_only_a_count_of_zero_is_empty(tmp_path: Path, records: int, empty: bool) -> None:
    row = ("/1", "PARQUET", Record(0), records, 100)
    found = batch(write(tmp_path / "a.avro", REQUIRED, (ADDED, row)))
    assert found.metrics.empty.to_pylist() == [empty]


def test_a_negative_count_of_records_makes_all_metrics_unknown(tmp_path: Path) -> None:
    metrics: tuple[Any, ...] = ({1: 10}, {1: 0}, {}, {1: long(3)}, {1: long(7)}, [4])
    rows = [("/1", "PARQUET", Record(5), count, 100, *metrics) for count in (-1, -7, 10)]
    path = write(tmp_path / "a.avro", (*REQUIRED, *METRICS), *((ADDED, row) for row in rows))
    found = batch(path)
    assert found.records.tolist() == [-1, -1, 10]
    column = found.metrics.columns[LONG]
    for fact in (column.lower, column.upper, column.has_null, column.all_null, column.none_low):
        assert fact.is_null().to_pylist() == [True, True, False]
    assert found.partition.columns[PARTITION].lower.to_pylist() == [5, 5, 5]


@pytest.mark.parametrize("most", [2**46, 2**63 - 1], ids=["as-many-as-there-are", "all-of-64-bits"])
def test_what_no_file_has_is_unknown_and_leaves_metrics_alone(tmp_path: Path, most: int) -> None:
    metrics: tuple[Any, ...] = ({1: 10}, {1: 0}, {}, {1: long(3)}, {1: long(7)}, [4])
    row = ("/1", "PARQUET", Record(5), most, most, *metrics)
    found = batch(write(tmp_path / "a.avro", (*REQUIRED, *METRICS), (ADDED, row)))
    known = most if most <= 2**46 else -1
    assert (found.records.tolist(), found.size.tolist()) == ([known], [known])
    assert found.metrics.empty.to_pylist() == [False]
    assert not found.metrics.columns[LONG].lower.is_null().to_pylist()[0]


def test_negative_counts_of_a_column_are_unknown(tmp_path: Path) -> None:
    row = (*plain("/1"), {1: -1}, {1: -1}, {}, {}, {}, None)
    found = batch(write(tmp_path / "a.avro", (*REQUIRED, *METRICS), (ADDED, row)))
    column = found.metrics.columns[LONG]
    assert column.has_null.to_pylist() == [None]
    assert column.all_null.to_pylist() == [None]


def test_a_manifest_that_does_not_follow_its_spec_is_unknown(tmp_path: Path) -> None:
    other = NestedField(102, "partition", StructType(NestedField(1009, "q", LongType())))
    fields = (*REQUIRED[:2], other, *REQUIRED[3:])
    found = batch(write(tmp_path / "a.avro", fields, (ADDED, plain("/1"))))
    assert dict(found.partition.columns) == {}


def test_only_wanted_and_comparable_fields_are_decoded() -> None:
    fields = (
        PartitionField(1000, 1, "p", "identity", "long", "long"),
        PartitionField(1001, 1, "v", "void", "long", None),
    )
    spec = PartitionSpec(1, fields)
    rows = [{1000: 5, 1001: None}]
    assert partition_statistics(rows, spec, []) == {}
    assert list(partition_statistics(rows, spec, [PARTITION, (1001, "long")])) == [PARTITION]


def test_a_missing_manifest_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnreadableMetadata, match=r"gone\.avro does not exist.*--path-map"):
        read_manifest(str(tmp_path / "gone.avro"), Storage(), columns=None)


@pytest.mark.parametrize("keep", [0, 3, 100, -1], ids=["empty", "magic", "header", "last-byte"])
def test_a_truncated_manifest_is_named(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "a.avro"
    write(path, REQUIRED, (ADDED, plain("/1")))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(UnreadableMetadata, match=r"a\.avro cannot be decoded"):
        read_manifest(str(path), Storage(), columns=None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param(NestedField(103, "record_count", LongType()), None, id="null"),
        pytest.param(NestedField(103, "record_count", StringType()), "10", id="of-another-type"),
        pytest.param(NestedField(9103, "record_count", LongType()), 10, id="absent"),
    ],
)
def test_a_manifest_whose_files_lack_what_each_file_has_is_unreadable(
    tmp_path: Path, field: NestedField, value: object
) -> None:
    fields = tuple(field if known.field_id == 103 else known for known in REQUIRED)
    row = tuple(
        value if known.field_id == 103 else v
        for known, v in zip(REQUIRED, plain("/1"), strict=True)
    )
    path = write(tmp_path / "m.avro", fields, (ADDED, row))
    with pytest.raises(UnreadableMetadata, match=r"m\.avro cannot be decoded"):
        read_manifest(path, Storage(), columns=())


def test_a_manifest_that_is_encrypted_says_so(tmp_path: Path) -> None:
    (tmp_path / "m.avro").write_bytes(b"AGS1" + bytes(200))
    with pytest.raises(UnreadableMetadata, match=r"m\.avro cannot be decoded \(it is encrypted\)"):
        read_manifest(str(tmp_path / "m.avro"), Storage(), columns=None)
