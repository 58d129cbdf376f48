"""Every sample table plans, or fails with the outcome that is written down here.

The tables were written by many engines; their files moved, and some are incomplete. What the
metadata calls `s3://…` or `/warehouse/…` is mapped to the folder of the table, so that nothing
is looked up elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from prunescope.audit_jobs.planning.local import replay
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import TRUE, Column, Comparison, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.schema import Schema
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.tables.manifests import read_manifest
from prunescope.collectors.tables.metadata import Snapshot

pytestmark = pytest.mark.shared

EXPECTED_FAILURES = {
    # The manifest list is in a folder that is not the table's, nor mapped.
    "dremio-oss/nation": "location_not_allowed",
    "dremio-oss/partitionednation": "location_not_allowed",
    # The folder has the manifest list, but not its manifest.
    "dremio-oss/metastore_table": "unreadable_metadata",
}

DATA_FILES_MISSING = {
    # The folders have the metadata only; pass 3 says so, file by file.
    "duckdb-iceberg/generated_bounds",
    "trino/tpch_sf1000__customer",
    "trino/tpch_sf1000__lineitem",
    "trino/tpch_sf1000__nation",
    "trino/tpch_sf1000__orders",
    "trino/tpch_sf1000__part",
    "trino/tpch_sf1000__partsupp",
    "trino/tpch_sf1000__region",
    "trino/tpch_sf1000__supplier",
    "trino/tpcds_sf1000_partitioned__date_dim",
    "trino/tpcds_sf1000_partitioned__inventory",
    "trino/tpcds_sf1000_partitioned__item",
    "trino/tpcds_sf1000_partitioned__web_returns",
    "trino/tpcds_sf1000_partitioned__web_sales",
}

DATA_FILES_ELSEWHERE = {
    # In folders that are neither the table's nor mapped.
    "impala/iceberg_multiple_storage_locations",
}

FOOTER_UNREADABLE = {
    # Hive annotated a group of its schema as Null, which Arrow refuses.
    "impala/iceberg_migrated_complex_test",
}

_TABLE_COUNT = 78
_REMOTE = ("s3://", "s3a://", "hdfs://", "gs://", "abfss://", "tmp://")
_LITERALS: dict[str, tuple[LiteralValue, ...]] = {
    "boolean": (False, True),
    "int": (-5, 0, 3, 1_000_000),
    "long": (-5, 0, 3, 1_000_000),
    "float": (-0.5, 3.25),
    "double": (-0.5, 3.25),
    "date": ("1969-12-31", "2020-01-01"),
    "timestamp": ("1969-12-31 23:59:59", "2020-01-01 00:00:00"),
    "timestamptz": ("1969-12-31 23:59:59Z", "2020-01-01 00:00:00Z"),
    "time": ("00:00:01", "12:00:00"),
    "string": ("", "M", "zzz"),
}


def sample_tables(shared: Path) -> list[dict[str, Any]]:
    described: list[dict[str, Any]] = json.loads((shared / "tables/TABLES.json").read_text())
    return described


def open_sample(shared: Path, described: dict[str, Any]) -> Table:
    folder = f"{shared}/tables/{described['copy']}/"
    prefixes = {
        prefix.partition(":")[2]
        for prefix in described["prefixes"] or ()
        if not prefix.endswith(":None")
    }
    prefixes.add(described["location"].rstrip("/") + "/")
    nowhere = [(scheme, f"{folder}not-there/") for scheme in _REMOTE]
    return open_metadata_file(
        folder + described["metadata"],
        TableName(None, (), described["copy"]),
        (*((prefix, folder) for prefix in sorted(prefixes)), *nowhere),
    )


def predicates(schema: Schema) -> Iterator[Predicate]:
    """A few filters per column, bound; and none at all."""
    yield TRUE
    for column in schema.columns:
        term = Column(column.path)
        yield bind(Comparison(Op.IS_NULL, term), schema)
        yield bind(Comparison(Op.NOT_NULL, term), schema)
        literals = _LITERALS.get(column.type, ())
        for literal in literals:
            for op in (Op.LT, Op.GT_EQ, Op.EQ, Op.NOT_EQ):
                yield bind(Comparison(op, term, (literal,)), schema)
        if literals:
            yield bind(Comparison(Op.IN, term, literals), schema)


def test_there_is_one_outcome_per_sample_table(shared: Path) -> None:
    names = [described["copy"] for described in sample_tables(shared)]
    assert len(names) == len(set(names)) == _TABLE_COUNT
    assert EXPECTED_FAILURES.keys() | DATA_FILES_MISSING <= set(names)


@pytest.mark.slow
def test_every_sample_table_plans_or_fails_as_expected(
    shared: Path, subtests: pytest.Subtests
) -> None:
    for described in sample_tables(shared):
        name = described["copy"]
        with subtests.test(table=name):
            try:
                table = open_sample(shared, described)
                snapshot = table.metadata.current_snapshot()
                bound = list(predicates(table.metadata.schema(snapshot)))
                replays = replay(table, snapshot, bound)
            except PrunescopeError as error:
                if error.code != EXPECTED_FAILURES.get(name):
                    raise
                continue
            if name in EXPECTED_FAILURES:
                codes = {r.failure.code if r.failure else None for r in replays}
                assert codes == {EXPECTED_FAILURES[name]}
                continue
            whole, *_ = summaries = [r.summary for r in replays if r.summary is not None]
            assert len(summaries) == len(bound), [r.failure for r in replays if r.failure]
            for summary in summaries:
                check_funnels(summary, whole)
            missing = any(summary.unread.get("unread_missing") for summary in summaries)
            assert missing == (name in DATA_FILES_MISSING)
            elsewhere = any(summary.unread.get("unread_not_allowed") for summary in summaries)
            assert elsewhere == (name in DATA_FILES_ELSEWHERE)
            corrupt = any(summary.unread.get("unread_corrupt") for summary in summaries)
            assert corrupt == (name in FOOTER_UNREADABLE)
            assert not any(summary.unread.get("unread_unreachable") for summary in summaries)
            if snapshot is not None:
                check_totals(whole, snapshot, table.storage)


def check_funnels(summary: ScanPlanSummary, whole: ScanPlanSummary) -> None:
    """Every pass narrows; what is left is part of what a scan without a filter reads."""
    for funnel, all_of_it in (
        (summary.manifests, whole.manifests),
        (summary.data_files, whole.data_files),
        (summary.bytes, whole.bytes),
        (summary.records, whole.records),
        (summary.row_groups, whole.row_groups),
    ):
        counts = [c for c in (funnel.kept, funnel.considered, funnel.total) if c is not None]
        assert counts == sorted(counts)
        if funnel.kept is not None and all_of_it.kept is not None:
            assert 0 <= funnel.kept <= all_of_it.kept


def check_totals(whole: ScanPlanSummary, snapshot: Snapshot, storage: Storage) -> None:
    """A scan without a filter keeps what the snapshot's own summary and manifests count."""
    manifests = read_manifest_list(snapshot, storage)
    files = [m for m in manifests if not m.deletes]
    live = [manifest.live_files for manifest in files]
    assert whole.manifests.total == len(files)
    if None not in live:
        assert whole.data_files.kept == sum(count for count in live if count is not None)
    for key, count in (
        ("total-data-files", whole.data_files.kept),
        ("total-records", whole.records.kept),
        ("total-delete-files", whole.delete_files.kept),
    ):
        if key in snapshot.summary:
            assert int(snapshot.summary[key]) == count, key


@pytest.mark.slow
def test_split_offsets_count_the_row_groups_of_every_parquet_file(
    shared: Path, subtests: pytest.Subtests
) -> None:
    checked = 0
    for described in sample_tables(shared):
        if described["copy"] in EXPECTED_FAILURES:
            continue
        table = open_sample(shared, described)
        snapshot = table.metadata.current_snapshot()
        manifests = () if snapshot is None else read_manifest_list(snapshot, table.storage)
        with subtests.test(table=described["copy"]):
            for manifest in manifests:
                for location, row_groups in parquet_files(manifest.path, table.storage):
                    path = Path(table.storage.locate(location))
                    if row_groups < 0 or not path.is_file():
                        continue
                    assert row_groups == pq.ParquetFile(path).num_row_groups, location
                    checked += 1
    assert checked > 100


def parquet_files(manifest: str, storage: Storage) -> Iterator[tuple[str, int]]:
    entries = read_manifest(manifest, storage, columns=())
    for part in entries.parts:
        columns = (part.paths.to_pylist(), part.formats.to_pylist(), part.row_groups.tolist())
        for path, file_format, row_groups in zip(*columns, strict=True):
            if file_format.lower() == "parquet":
                yield path, row_groups
