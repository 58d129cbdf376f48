"""A query of a branch is planned at what the branch was when the query ran."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table

from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery, ObservedScan, PlanText, TableName
from tests.audit_jobs.jobs.lakes import config_of

pytestmark = pytest.mark.slow

T = TableName("lake", ("db",), "t")
TEXTS = {
    "SELECT * FROM t VERSION AS OF 'dev'": "spark",
    "SELECT * FROM lake.db.t.branch_dev WHERE id = 1": "spark",
    "DELETE FROM lake.db.t.branch_dev WHERE id = 1": "spark",
    "UPDATE lake.db.t.branch_dev SET name = 'x' WHERE id = 1": "spark",
    "INSERT INTO other SELECT * FROM lake.db.t.branch_dev": "spark",
    "SELECT * FROM t FOR VERSION AS OF 'dev'": "trino",
}
TAGGED = "SELECT * FROM t VERSION AS OF 'later'"


@pytest.fixture(scope="module")
def branched(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A table with a snapshot of main, one of the branch `dev`, tagged `later`, and a later one of
    main."""
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    rows = pa.table({"id": pa.array([1], pa.int64()), "name": ["a"]})
    table = catalog.create_table("db.t", rows.schema)
    table.append(rows)
    first = table.metadata.current_snapshot_id
    assert first is not None
    table.manage_snapshots().create_branch(snapshot_id=first, branch_name="dev").commit()
    table.append(rows, branch="dev")
    head = table.metadata.refs["dev"].snapshot_id
    table.manage_snapshots().create_tag(snapshot_id=head, tag_name="later").commit()
    table.append(rows)
    return table


def test_each_form_reads_the_branch_as_it_was(branched: Table) -> None:
    first, second, _ = branched.metadata.snapshots
    queries = [
        ObservedQuery("test", sql, sql, dialect, catalog="lake", schema="db", engine=dialect)
        for sql, dialect in TEXTS.items()
    ]
    seen = ObservedScan(T, None, {}, ref="dev", pushed=PlanText(""))
    of_plan = replace(queries[0], query_id="plan", sql=None, scans=(seen,), plan_known=True)
    tagged = replace(queries[0], query_id=TAGGED, sql=TAGGED)
    assert _snapshots(branched, [*queries, of_plan], second.timestamp_ms) == dict.fromkeys(
        [*TEXTS, "plan"], second.snapshot_id
    )
    before = second.timestamp_ms - 1
    assert _snapshots(branched, [*queries, of_plan, tagged], before) == {
        **dict.fromkeys([*TEXTS, "plan"], first.snapshot_id),
        TAGGED: second.snapshot_id,
    }
    before = first.timestamp_ms - 1
    assert set(_snapshots(branched, queries, before).values()) == {"snapshot_not_found"}


def _snapshots(
    table: Table, queries: list[ObservedQuery], milliseconds: int
) -> dict[str | None, int | str]:
    """The snapshot of each query that ran then, or its outcome."""
    started = dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC)
    runner = LocalRunner()
    inputs = made_inputs(runner, [name_tables(replace(q, started_at=started)) for q in queries])
    config = config_of({"t": Path(table.metadata_location.removeprefix("file://"))})
    window = Window(started - dt.timedelta(hours=1), started + dt.timedelta(hours=1))
    result = run_audit(config, window, inputs, runner, lambda _: None)
    rows = [row for row in result.scan_plans() if row["table"] == "t"]
    return {row["query_id"]: row["snapshot_id"] or row["outcome"] for row in rows}
