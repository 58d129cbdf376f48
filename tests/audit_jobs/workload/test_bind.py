"""What the planner's library is given of a filter that every row meets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyiceberg.catalog.memory import InMemoryCatalog
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record
from pyiceberg.types import LongType, NestedField

from prunescope.audit_jobs.planning.local import replay
from prunescope.audit_jobs.workload.bind import BoundScan, bind_scan
from prunescope.collectors.observed import ObservedQuery, PlanText, TableName
from prunescope.collectors.predicates.model import TRUE, Column, Comparison, Predicate, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.table_scans import TableScan
from prunescope.collectors.tables.catalog import Table, open_metadata_file

NAME = TableName(None, ("db",), "t")
SET = Comparison(Op.NOT_NULL, Column(("required",)))
EITHER = any_of(SET, Comparison(Op.IS_NULL, Column(("other",))))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Has a file of three rows, and one of none."""
    catalog = InMemoryCatalog("made", warehouse=tmp_path_factory.mktemp("made").as_uri())
    catalog.create_namespace("db")
    schema = Schema(
        NestedField(1, "required", LongType(), required=True),
        NestedField(2, "other", LongType(), required=False),
    )
    made = catalog.create_table("db.t", schema)
    with made.transaction() as transaction, transaction.update_snapshot().fast_append() as append:
        for records in (3, 0):
            append.append_data_file(
                DataFile.from_args(
                    content=DataFileContent.DATA,
                    file_path=f"{made.location()}/data/{records}.parquet",
                    file_format=FileFormat.PARQUET,
                    file_size_in_bytes=10,
                    spec_id=0,
                    record_count=records,
                    partition=Record(),
                )
            )
    return open_metadata_file(made.metadata_location, NAME)


@pytest.mark.parametrize(
    ("engine", "version", "pushed", "kept"),
    [
        ("trino", "483", SET, ["3.parquet"]),
        ("trino", "483", TRUE, ["0.parquet", "3.parquet"]),
        ("spark", "4.1.1", PlanText("required IS NOT NULL"), ["3.parquet"]),
        ("spark", "4.1.1", PlanText("(required IS NOT NULL OR other IS NULL)"), ["3.parquet"]),
        ("spark", "4.1.1", PlanText(""), ["0.parquet", "3.parquet"]),
        # Spark drops what is always so before it pushes.
        ("spark", "4.1.1", SET, ["0.parquet", "3.parquet"]),
        ("spark", "4.1.1", EITHER, ["0.parquet", "3.parquet"]),
        # Nobody knows what is pushed.
        (None, None, None, ["0.parquet", "3.parquet"]),
    ],
)
def test_files_without_rows_are_skipped_where_a_filter_is_given(
    table: Table,
    engine: str | None,
    version: str | None,
    pushed: Predicate | PlanText | None,
    kept: list[str],
) -> None:
    dialect = engine or "spark"
    query = ObservedQuery("s", "q", None, dialect, engine=engine, engine_version=version)
    scan = TableScan(NAME, SET)
    if isinstance(pushed, PlanText):
        scan = replace(scan, shown=pushed)
    else:
        scan = replace(scan, pushed=pushed)
    bound = bind_scan(table, query, scan)
    assert isinstance(bound, BoundScan)
    (plan,) = replay(table, bound.state.snapshot, [bound.plans.pushed], list_files=True)
    assert sorted(Path(path).name for path in plan.kept_files) == kept
