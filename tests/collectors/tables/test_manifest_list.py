import datetime as dt
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyiceberg.avro.file import AvroOutputFile
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    IntegerType,
    ListType,
    LongType,
    NestedField,
    StringType,
    StructType,
)

from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.statistics import ManifestBatch
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.manifest_list import (
    Manifest,
    manifest_batches,
    read_manifest_list,
)
from prunescope.collectors.tables.metadata import Snapshot

SUMMARY = StructType(
    NestedField(509, "contains_null", BooleanType(), required=True),
    NestedField(518, "contains_nan", BooleanType(), required=False),
    NestedField(510, "lower_bound", BinaryType(), required=False),
    NestedField(511, "upper_bound", BinaryType(), required=False),
)
PATH_LENGTH_SPEC = (
    NestedField(500, "manifest_path", StringType(), required=True),
    NestedField(501, "manifest_length", LongType(), required=True),
    NestedField(502, "partition_spec_id", IntegerType(), required=True),
)
SUMMARIES = NestedField(
    507, "partitions", ListType(508, SUMMARY, element_required=True), required=False
)
COUNTS = (
    NestedField(517, "content", IntegerType(), required=False),
    NestedField(504, "added_files_count", IntegerType(), required=False),
    NestedField(505, "existing_files_count", IntegerType(), required=False),
    NestedField(512, "added_rows_count", LongType(), required=False),
    NestedField(513, "existing_rows_count", LongType(), required=False),
)
FULL = Schema(*PATH_LENGTH_SPEC, SUMMARIES, *COUNTS)
SEQUENCES = (
    NestedField(515, "sequence_number", LongType(), required=False),
    NestedField(516, "min_sequence_number", LongType(), required=False),
)
SPEC = PartitionSpec(1, (PartitionField(1000, 1, "p", "identity", "long", "long"),))


def write(path: Path, schema: Schema, *rows: tuple[Any, ...]) -> Snapshot:
    output = PyArrowFileIO().new_output(str(path))
    with AvroOutputFile[Record](output, schema, "manifest_file") as file:
        file.write_block([Record(*row) for row in rows])
    return snapshot(str(path))


def snapshot(manifest_list: str | None, *manifests: str) -> Snapshot:
    return Snapshot(7, dt.datetime.now(dt.UTC), manifest_list, manifests, None, {})


def test_a_snapshot_that_names_no_manifests_is_none_without_files() -> None:
    with pytest.raises(UnreadableMetadata, match="neither a manifest list nor manifests"):
        read_manifest_list(replace(snapshot(None), manifests=None), Storage())
    assert read_manifest_list(snapshot(None), Storage()) == ()


def long(value: int) -> bytes:
    return struct.pack("<q", value)


def statistics(tmp_path: Path, *summaries: list[Record] | None) -> ManifestBatch:
    rows = [("/m", 1, 1, summary, 0, 1, 0, 1, 0) for summary in summaries]
    manifests = read_manifest_list(write(tmp_path / "l.avro", FULL, *rows), Storage())
    (batch,) = manifest_batches(manifests, {1: SPEC}, [(1000, "long")], deletes=False)
    return batch


def test_manifests_are_read_in_order(tmp_path: Path) -> None:
    found = read_manifest_list(
        write(
            tmp_path / "l.avro",
            FULL,
            ("/data", 10, 1, None, 0, 2, 3, 20, 30),
            ("/deletes", 11, 2, [], 1, 0, 0, 0, 0),
            ("/uncounted", -12, 1, None, None, None, 3, 20, -1),
            ("/overcounted", 10, 1, None, 0, 2, 3, 2**63 - 1, 30),
        ),
        Storage(),
    )
    assert found == (
        Manifest("/data", 10, 1, False, 5, 50, None, added_files=2),
        Manifest("/deletes", 11, 2, True, 0, 0, (), added_files=0),
        Manifest("/uncounted", 0, 1, False, None, None, None),
        Manifest("/overcounted", 10, 1, False, 5, None, None, added_files=2),
    )


@pytest.mark.parametrize(
    ("existing", "own", "listed", "expected"),
    [
        pytest.param(0, 7, 7, 7, id="all-added"),
        pytest.param(0, 7, 3, 3, id="added-with-an-older-number"),
        pytest.param(2, 7, 6, 6, id="existing"),
        pytest.param(2, 7, 0, 0, id="existing-of-version-1"),
        pytest.param(2, 7, 7, 0, id="existing-as-new-as-their-manifest"),
        pytest.param(None, 7, 7, 0, id="existing-uncounted"),
        pytest.param(0, 7, 8, 0, id="newer-than-their-manifest"),
        pytest.param(0, 7, None, 0, id="not-listed"),
        pytest.param(0, None, 7, 0, id="of-an-unknown-commit"),
    ],
)
def test_the_least_sequence_number_is_one_that_can_be(
    tmp_path: Path, existing: int | None, own: int | None, listed: int | None, expected: int
) -> None:
    schema = Schema(*FULL.fields, *SEQUENCES)
    row = ("/data", 10, 1, None, 0, 2, existing, 20, 30, own, listed)
    (found,) = read_manifest_list(write(tmp_path / "l.avro", schema, row), Storage())
    assert (found.sequence_number, found.min_sequence_number) == (own, expected)


def test_a_list_without_counts_and_summaries(tmp_path: Path) -> None:
    written = write(tmp_path / "l.avro", Schema(*PATH_LENGTH_SPEC), ("/data", 10, 1))
    assert read_manifest_list(written, Storage()) == (
        Manifest("/data", 10, 1, False, None, None, None),
    )


def test_the_oldest_snapshots_name_their_manifests() -> None:
    found = read_manifest_list(snapshot(None, "/a", "/b"), Storage())
    assert [(m.path, m.deletes, m.live_files, m.summaries) for m in found] == [
        ("/a", False, None, None),
        ("/b", False, None, None),
    ]


def test_summaries_become_facts(tmp_path: Path) -> None:
    batch = statistics(
        tmp_path,
        [Record(False, None, long(3), long(7))],  # bounds
        [Record(True, None, None, None)],  # all null
        None,  # not summarised
        [],  # summarised without this field
        [Record(False, None, b"\x01", b"\x02")],  # bounds that no long has
    )
    column = batch.statistics.columns[(1000, "long")]
    assert column.lower.to_pylist() == [3, None, None, None, None]
    assert column.upper.to_pylist() == [7, None, None, None, None]
    assert column.has_null.to_pylist() == [False, True, None, None, False]
    assert column.all_null.to_pylist() == [False, True, None, None, False]
    assert column.none_low.to_pylist() == [False, True, None, None, False]
    assert column.none_high.to_pylist() == [False, True, None, None, False]


def test_bounds_are_promoted(tmp_path: Path) -> None:
    summary = [Record(False, None, struct.pack("<i", -3), struct.pack("<i", 7))]
    column = statistics(tmp_path, summary).statistics.columns[(1000, "long")]
    assert (column.lower.to_pylist(), column.upper.to_pylist()) == ([-3], [7])


def test_batches_are_by_content_and_spec() -> None:
    manifests = [
        Manifest("/a", 1, 1, False, 5, 50, None),
        Manifest("/b", 1, 2, False, 0, 0, None),
        Manifest("/c", 1, 1, True, 5, 50, None),
        Manifest("/d", 1, 1, False, None, None, None),
    ]
    specs = {1: SPEC, 2: PartitionSpec(2, ())}
    batches = manifest_batches(manifests, specs, [], deletes=False)
    assert [(b.spec_id, b.ordinal.tolist(), b.live.tolist()) for b in batches] == [
        (1, [0, 3], [True, True]),
        (2, [1], [False]),
    ]
    (deletes,) = manifest_batches(manifests, specs, [], deletes=True)
    assert deletes.ordinal.tolist() == [2]


def test_an_unknown_spec_is_named() -> None:
    manifests = [Manifest("/a", 1, 9, False, 5, 50, None)]
    with pytest.raises(UnreadableMetadata, match="/a uses partition spec 9"):
        manifest_batches(manifests, {1: SPEC}, [], deletes=False)


def test_a_missing_list_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(
        UnreadableMetadata, match=r"gone\.avro of snapshot 7 does not exist.*--path"
    ):
        read_manifest_list(snapshot(str(tmp_path / "gone.avro")), Storage())


@pytest.mark.parametrize("keep", [0, 3, 100, -1], ids=["empty", "magic", "header", "last-byte"])
def test_a_truncated_list_is_named(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "l.avro"
    written = write(path, FULL, ("/data", 10, 1, None, 0, 2, 3, 20, 30))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(UnreadableMetadata, match=r"l\.avro of snapshot 7 cannot be decoded"):
        read_manifest_list(written, Storage())


def test_a_list_that_is_encrypted_says_so(tmp_path: Path) -> None:
    (tmp_path / "l.avro").write_bytes(b"AGS1" + bytes(200))
    with pytest.raises(
        UnreadableMetadata, match=r"l\.avro .* cannot be decoded \(it is encrypted\)"
    ):
        read_manifest_list(snapshot(str(tmp_path / "l.avro")), Storage())
