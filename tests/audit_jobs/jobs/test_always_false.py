"""A filter that no row can satisfy is a class of its own: nothing is read for it."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog

from audit_jobs.jobs.results import Plans, query_records
from audit_jobs.jobs.tables import Tables
from audit_jobs.jobs.workload import Workload
from audit_jobs.pruning.summary import ScanPlanSummary
from audit_jobs.records import ALWAYS_FALSE, REPLAYED
from audit_jobs.replay.local import replay
from audit_jobs.replay.queries import ScanFinder, name_tables
from collectors.predicates.render import redact
from collectors.queries.observed import ObservedQuery, ObservedScan, TableName
from collectors.tables.catalog import Table, open_metadata_file

NAME = TableName("lake", ("db",), "t")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=folder.as_uri())
    catalog.create_namespace("db")
    rows = pa.table({"a": pa.array([1, 2], pa.int64())})
    created = catalog.create_table("db.t", rows.schema)
    created.append(rows)
    return open_metadata_file(created.metadata_location, NAME)


@pytest.mark.parametrize(
    ("engine", "where", "files_read", "outcome"),
    [
        pytest.param("trino", "a = 1 AND a = 2", None, ALWAYS_FALSE, id="trino-sees-it"),
        pytest.param("trino", "1 = 0", None, ALWAYS_FALSE, id="constant"),
        pytest.param("spark", "a = 1 AND a = 2", None, REPLAYED, id="spark-pushes-both"),
        pytest.param("spark", "1 = 0", None, ALWAYS_FALSE, id="spark-constant"),
        pytest.param("trino", "a = 1 AND a = 2", 3, REPLAYED, id="but-the-engine-read-files"),
        pytest.param("trino", "a = 1", None, REPLAYED, id="true-for-some"),
    ],
)
def test_outcomes(
    table: Table, engine: str, where: str, files_read: int | None, outcome: str
) -> None:
    reported = [] if files_read is None else [ObservedScan(NAME, None, {"result_data_files": 3})]
    query = ObservedQuery(
        source="s",
        query_id="q",
        sql=f"SELECT * FROM lake.db.t WHERE {where}",
        dialect=engine,
        engine=engine,
        scans=tuple(reported),
    )
    workload = Workload({NAME: table})
    found = ScanFinder({NAME: ("a",)}).find(query)
    planned = [workload.add(query, scan) for scan in found.scans]
    distinct = list(workload.scans.values())
    assert bool(distinct) == (outcome == REPLAYED)
    plans = replay(
        table,
        table.metadata.current_snapshot(),
        [(d.scan.predicate, d.scan.rules) for d in distinct],
    )
    summaries: dict[int, tuple[Sequence[ScanPlanSummary], int]] = {
        d.scan.scan_id: ([plan.summary], 0)
        for d, plan in zip(distinct, plans, strict=True)
        if plan.summary is not None
    }
    (record,) = query_records(
        0,
        name_tables(query),
        planned,
        Plans(summaries, dict.fromkeys(summaries, ()), {}, {}),
        Tables({NAME: table}, {}),
        redact,
    )
    assert (record.outcome, record.query_outcome) == (outcome, outcome)
    assert record.predicate is not None
    assert (record.summary is None) == (outcome == ALWAYS_FALSE)
