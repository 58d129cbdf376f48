"""Scans travel in blocks: whatever their size, the passes find the same, and read every file
once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyiceberg.avro.file import AvroOutputFile
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.schema import Schema as AvroSchema
from pyiceberg.transforms import IdentityTransform
from pyiceberg.typedef import Record
from pyiceberg.types import IntegerType, LongType, NestedField, StringType, StructType

from prunescope.audit_jobs.health.sketch import Measure
from prunescope.audit_jobs.planning.local import MAX_SCANS
from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_10, ICEBERG_1_12
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import (
    TRUE,
    Column,
    Comparison,
    Predicate,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.tables.metadata import Snapshot
from tests.audit_jobs.planning.replays import Asked, asked, planned

pytestmark = pytest.mark.slow

SIZES = (1, 3, MAX_SCANS)
OPERATORS = [Op.EQ, Op.NOT_EQ, Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.IN, Op.IS_NULL]

Wanted = tuple[Snapshot, Scan]


@dataclass(frozen=True)
class Lake:
    """A table of 5 snapshots under 2 schemas and specs, with row groups of ten rows."""

    table: Table
    folder: Path

    @property
    def snapshots(self) -> list[Snapshot]:
        """In the order of their commits."""
        return sorted(self.table.metadata.snapshots.values(), key=lambda found: found.timestamp)

    def manifests(self, number: int) -> list[Path]:
        """The manifests of a snapshot."""
        found = read_manifest_list(self.snapshots[number], self.table.storage)
        return [local(manifest.path) for manifest in found]

    def asked(self, scans: Sequence[Wanted], size: int) -> Asked:
        """The scans, by the schemas of their snapshots; the last snapshot is measured."""
        metadata = self.table.metadata
        last = self.snapshots[-1]
        by_schema: dict[int, list[Wanted]] = {metadata.schema(last).schema_id: []}
        for snapshot, scan in scans:
            by_schema.setdefault(metadata.schema(snapshot).schema_id, []).append((snapshot, scan))
        measure = Measure(last.snapshot_id, metadata.default_spec_id, ((1, "long"),), 1e6)
        found_of_all = Asked({}, [])
        for schema_id, found in by_schema.items():
            schema = metadata.schemas[schema_id]
            of_current = measure if schema_id == metadata.current_schema_id else None
            key = len(found_of_all.works)
            more = asked(self.table, schema, found, of_current, key=key, size=size)
            found_of_all.contexts.update(more.contexts)
            found_of_all.works.extend(more.works)
        return found_of_all


def local(location: str | None) -> Path:
    assert location is not None
    return Path(location.removeprefix("file://"))


def write_lake(folder: Path) -> Lake:
    catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse"
    )
    catalog.create_namespace("db")
    schema = pa.schema([("id", pa.int64()), ("day", pa.int64())])
    properties = {"write.parquet.row-group-limit": "10"}
    created = catalog.create_table("db.t", schema, properties=properties)
    created.append(rows(0))
    with created.update_spec() as spec:
        spec.add_field("day", IdentityTransform(), "day")
    created.append(rows(30))
    with created.update_schema() as update:
        update.add_column("more", LongType())
    for start in (60, 90, 120):
        created.append(rows(start, "more"))
    location = created.metadata_location
    catalog.close()
    name = TableName(None, (), "t")
    return Lake(open_metadata_file(location, name, allowed=[str(folder)]), folder)


def rows(start: int, *more: str) -> pa.Table:
    ids = [*range(start, start + 29), None]
    columns = {"id": ids, "day": [(number or 0) % 3 for number in ids]}
    columns |= dict.fromkeys(more, ids)
    return pa.table({name: pa.array(found, pa.int64()) for name, found in columns.items()})


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return write_lake(tmp_path_factory.mktemp("lake"))


def predicates() -> st.SearchStrategy[Predicate]:
    """Filters of one to three comparisons on columns that all schemas have."""
    comparison = st.builds(
        lambda op, name, values: Comparison(
            op,
            Column((name,)),
            () if op is Op.IS_NULL else tuple(values) if op is Op.IN else tuple(values[:1]),
        ),
        st.sampled_from(OPERATORS),
        st.sampled_from(["id", "day"]),
        st.lists(st.integers(-5, 160), min_size=1, max_size=4, unique=True),
    )
    parts = st.lists(comparison, min_size=1, max_size=3)
    return st.one_of(
        st.just(TRUE),
        parts.map(lambda found: all_of(*found)),
        parts.map(lambda found: any_of(*found)),
    )


def asked_of(lake: Lake, drawn: Sequence[tuple[int, Predicate, Any]]) -> list[Wanted]:
    snapshots = lake.snapshots
    return [
        (
            snapshots[number],
            Scan(id_, bind(p, lake.table.metadata.schema(snapshots[number])), rules),
        )
        for id_, (number, p, rules) in enumerate(drawn)
    ]


DRAWN = st.lists(
    st.tuples(
        st.integers(0, 4), predicates(), st.sampled_from([ICEBERG_1_10, ICEBERG_1_12, FLOOR])
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DRAWN)
def test_blocks_of_any_size_find_the_same(
    lake: Lake, drawn: list[tuple[int, Predicate, Any]]
) -> None:
    scans = asked_of(lake, drawn)
    found = []
    for size in SIZES:
        result = planned(lake.asked(scans, size))
        assert all(len(work.scans) <= size for work in result.works)
        replay = result.replay
        reads = (replay.manifests_read, replay.footers_read, replay.totals, replay.layouts)
        assert not replay.failures
        found.append((result.of_scans(), reads))
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) == len(scans)


SCANS: list[tuple[int, Predicate, Any]] = [
    (number, predicate, ICEBERG_1_12)
    for predicate in (
        TRUE,
        Comparison(Op.GT_EQ, Column(("id",)), (100,)),
        Comparison(Op.LT, Column(("id",)), (45,)),
        Comparison(Op.EQ, Column(("day",)), (1,)),
        Comparison(Op.EQ, Column(("id",)), (40,)),
    )
    for number in range(5)
]


def without_list(lake: Lake) -> None:
    local(lake.snapshots[2].manifest_list).unlink()


def without_manifest(lake: Lake) -> None:
    (path,) = set(lake.manifests(2)) - set(lake.manifests(1))
    path.unlink()


def with_strange_partitions(lake: Lake) -> None:
    """Texts, where the table is partitioned by numbers."""
    (path,) = set(lake.manifests(3)) - set(lake.manifests(2))
    partition = StructType(NestedField(1000, "day", StringType(), required=False))
    data_file = StructType(
        NestedField(134, "content", IntegerType(), required=True),
        NestedField(100, "file_path", StringType(), required=True),
        NestedField(101, "file_format", StringType(), required=True),
        NestedField(102, "partition", partition, required=True),
        NestedField(103, "record_count", LongType(), required=True),
        NestedField(104, "file_size_in_bytes", LongType(), required=True),
    )
    schema = AvroSchema(
        NestedField(0, "status", IntegerType(), required=True),
        NestedField(2, "data_file", data_file, required=True),
    )
    output = PyArrowFileIO().new_output(str(path))
    with AvroOutputFile[Record](output, schema, "manifest_entry") as writer:
        for _ in range(3):
            file = Record(0, "a.parquet", "PARQUET", Record("many"), 10, 10)
            writer.write_block([Record(1, file)])


def without_data_file(lake: Lake) -> None:
    for path in lake.folder.rglob("*.parquet"):
        path.unlink()
        return


def with_strange_data_file(lake: Lake) -> None:
    for path in lake.folder.rglob("*.parquet"):
        path.write_bytes(path.read_bytes()[:-20] + b"PAR1")
        return


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        pytest.param(without_list, "unreadable_metadata", id="no manifest list"),
        pytest.param(without_manifest, "unreadable_metadata", id="no manifest"),
        pytest.param(with_strange_partitions, "unreadable_metadata", id="strange entries"),
        pytest.param(without_data_file, None, id="no data file"),
        pytest.param(with_strange_data_file, None, id="cut data file"),
    ],
)
def test_blocks_of_any_size_fail_alike(damage: Any, code: str | None, tmp_path: Path) -> None:
    lake = write_lake(tmp_path)
    scans = asked_of(lake, SCANS)
    damage(lake)
    found = [planned(lake.asked(scans, size)).of_scans() for size in SIZES]
    assert found[0] == found[1] == found[2]
    codes = {failures.code for *_, failures in found[0].values() if failures}
    assert codes == ({code} if code else set())
    failed = [id_ for id_, (*_, failures) in found[0].items() if failures]
    assert 0 < len(failed) < len(scans) if code else not failed


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was opened."""
    found: Counter[str] = Counter()
    original = Storage.open

    def counting(self: Storage, location: str) -> IO[bytes]:
        found[location] += 1
        return original(self, location)

    monkeypatch.setattr(Storage, "open", counting)
    return found


@pytest.mark.parametrize("size", SIZES)
def test_each_file_is_read_once_for_all_blocks_and_snapshots(
    lake: Lake, size: int, opened: Counter[str]
) -> None:
    scans = asked_of(lake, SCANS)
    lists = {snapshot.manifest_list for snapshot in lake.snapshots}
    manifests = {str(path) for number in range(5) for path in lake.manifests(number)}
    files = {str(path) for path in lake.folder.rglob("*.parquet")}
    opened.clear()
    replay = planned(lake.asked(scans, size)).replay
    by_path = {str(local(location)): count for location, count in opened.items()}
    assert {by_path.pop(str(local(found))) for found in lists} == {1}
    assert {by_path.pop(path) for path in manifests} == {1}
    assert by_path.keys() <= files
    assert (replay.manifests_read, replay.footers_read) == (len(manifests), len(by_path))
    assert len(by_path) > 3
    # A file is opened once for its footer and once for each kind of evidence beside it.
    opened.clear()
    planned(lake.asked(scans, MAX_SCANS))
    assert {str(local(f)): n for f, n in opened.items() if str(local(f)) in files} == by_path


def test_a_manifest_that_no_scan_keeps_is_not_read(lake: Lake, opened: Counter[str]) -> None:
    """Of the last snapshot, only the manifest of files before there were partitions."""
    last = lake.snapshots[-1]
    schema = lake.table.metadata.schema(last)
    nothing = bind(Comparison(Op.EQ, Column(("day",)), (99,)), schema)
    scans = asked(lake.table, schema, [(last, Scan(n, nothing)) for n in range(4)], size=1)
    opened.clear()
    replay = planned(scans).replay
    assert replay.manifests_read == 1
    assert {path for path in opened if path.endswith("-m0.avro")} <= set(opened)
    assert len(opened) == 2
