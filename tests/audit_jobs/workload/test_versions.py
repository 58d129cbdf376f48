"""Which schema a scan of the audit is bound to: that of the version, as its query names it."""

from __future__ import annotations

from typing import Any

import pytest

from prunescope.audit_jobs.workload.distinct import DistinctScans
from prunescope.collectors.observed import ObservedQuery, ObservedScan, TableName
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.table_scans import TableScan
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata import TableMetadata
from tests.collectors.tables.test_metadata import SCHEMA, WIDER, at, read, snapshot

T = TableName("lake", ("db",), "t")
ID = Comparison(Op.GT, Column(("id",)), (5,))
NONE, BRANCH, MAIN, BY_TAG = (TableScan(T, ID, ref=ref) for ref in (None, "dev", "main", "v1"))
BY_ID, BY_TIME = TableScan(T, ID, snapshot_id=30), TableScan(T, ID, as_of=at(35))


def table(last: int) -> TableMetadata:
    """Commits at 20 (main, schema 0), 30 (main, 1), 40 (`dev`, of 20, schema 2) and 50 (main, 3),
    as far as `last`; then the schema became 4."""
    commits = [(20, 0), (30, 1), (40, 2), (50, 3)]
    parent = {"parent-snapshot-id": 20}
    made = [snapshot(n, **{"schema-id": s, **parent}) for n, s in commits if n <= last]
    log = [n for n, _ in commits if n <= last and n != 40]
    return read(
        schemas=[SCHEMA, *({**WIDER, "schema-id": n} for n in range(1, 5))],
        snapshots=made,
        **{
            "current-schema-id": 4,
            "current-snapshot-id": log[-1],
            "snapshot-log": [{"timestamp-ms": n * 1000, "snapshot-id": n} for n in log],
            "refs": {
                "main": {"snapshot-id": log[-1], "type": "branch"},
                "dev": {"snapshot-id": 40, "type": "branch"},
                "v1": {"snapshot-id": 30, "type": "tag"},
            },
        },
    )


def schemas(metadata: TableMetadata, *asked: TableScan, **known: Any) -> list[int]:
    """The schemas of scans that one query plans."""
    distinct = DistinctScans({T: Table(T, metadata, Storage())})
    query = ObservedQuery("test", "q", None, "spark", **known)
    planned = [distinct.add(query, one) for one in asked]
    ids = [one.ids.pushed for one in planned if one.ids is not None]
    return [distinct.scans[i][0].schema.schema_id for i in ids]


@pytest.mark.parametrize(
    ("engine", "scan", "last", "second", "expected"),
    [
        pytest.param("spark", NONE, 40, 45, 4, id="none: the table's"),
        pytest.param("spark", NONE, 50, 45, 1, id="none, before a commit: that of the one before"),
        pytest.param("spark", BY_ID, 40, 45, 1, id="the current snapshot, by id"),
        pytest.param("spark", BY_TAG, 40, 45, 1, id="by a tag"),
        pytest.param("spark", BY_TIME, 40, 45, 1, id="by a time"),
        pytest.param("spark", BY_ID, 50, 55, 1, id="another snapshot"),
        pytest.param("spark", MAIN, 40, 45, 4, id="main"),
        pytest.param("spark", BRANCH, 40, 45, 4, id="a branch"),
        pytest.param("spark", BRANCH, 50, 45, 2, id="a branch, before a commit to another"),
        pytest.param("spark", BRANCH, 50, 35, 1, id="a branch, after a commit to another"),
        pytest.param("spark", BRANCH, 40, None, 4, id="a branch, nobody knows when"),
        pytest.param(None, BRANCH, 40, 45, 4, id="a branch, in an engine that is not known"),
        pytest.param("Trino", BRANCH, 40, 45, 2, id="a branch in Trino: its head's"),
        pytest.param("trino", MAIN, 40, 45, 1, id="main in Trino"),
        pytest.param("athena", BRANCH, 40, 45, 2, id="an engine that follows Trino"),
        pytest.param("trino", BY_TAG, 40, 45, 1, id="a tag in Trino"),
    ],
)
def test_the_schema_of_a_version(
    engine: str | None, scan: TableScan, last: int, second: int | None, expected: int
) -> None:
    started = None if second is None else at(second)
    assert schemas(table(last), scan, engine=engine, started_at=started) == [expected]


def test_a_branch_that_only_the_engine_reports() -> None:
    reported = TableScan(T, ID, observed=ObservedScan(T, None, {}, ref="dev"))
    assert schemas(table(40), reported, engine="spark", started_at=at(45)) == [4]
    assert schemas(table(40), reported, engine="trino", started_at=at(45)) == [2]


def test_a_snapshot_that_the_engine_reports_is_no_version_that_is_named() -> None:
    reported = TableScan(T, ID, observed=ObservedScan(T, 30, {}))
    assert schemas(table(40), reported, engine="trino", started_at=at(45)) == [4]


def test_a_snapshot_is_planned_under_each_of_its_schemas() -> None:
    assert schemas(table(40), NONE, BY_ID, NONE, engine="spark", started_at=at(45)) == [4, 1, 4]
