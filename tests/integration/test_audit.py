"""Whole audits, in this process and on Spark: the demo, re-runs, and what is read."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.demo.warehouse import DAY as DEMO_DAY
from prunescope.audit_jobs.gate.validate import FailedCheck, GateResult
from prunescope.audit_jobs.jobs.tables import TableFinder
from prunescope.audit_jobs.planning.spark import SparkRunner
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import TRUE, Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.manifest_list import read_manifest_list
from tests.audit_jobs.planning.replays import asked, planned
from tests.integration.audits import (
    DAY,
    WINDOW,
    audit_here,
    audit_rows,
    catalog_properties,
    run,
    run_here,
    trino_event,
    with_own_tables,
    write_config,
    write_lines,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo(demo_lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of the demo."""
    return with_own_tables(demo_lake, tmp_path_factory.mktemp("audit"))


@pytest.fixture(scope="module")
def demo_window() -> Window:
    start = dt.datetime.combine(DEMO_DAY, dt.time(), dt.UTC)
    return Window(start, start + dt.timedelta(days=1))


@pytest.fixture(scope="module")
def demo_result(demo: Path, demo_window: Window) -> AuditResult:
    """What an audit of the demo finds."""
    return run_here(load_config(demo), demo_window)


def test_every_line_of_the_log_has_exactly_one_outcome(
    demo: Path, demo_result: AuditResult
) -> None:
    logs = [Path(path) for source in load_config(demo).sources for path in source.paths]
    lines = sum(len([line for line in log.read_text().splitlines() if line]) for log in logs)
    assert sum(demo_result.run.queries.values()) == lines
    assert demo_result.run.queries["replayed"] > 100
    assert set(demo_result.run.queries) == {
        "replayed",
        "no_iceberg_table",
        "malformed_json",
        "unparseable",
        "table_not_found",
        "query_failed",
        "missing_sql",
    }


@pytest.mark.spark
def test_spark_and_one_process_find_the_same(
    demo: Path, demo_window: Window, demo_result: AuditResult, spark: SparkSession
) -> None:
    spread = run(load_config(demo), demo_window, spark)
    assert rows_but_run(spread) == rows_but_run(demo_result)
    assert spread.health == demo_result.health
    assert spread.findings == demo_result.findings
    told = ("status", "queries", "tables", "footers_read", "footers_unread", "metadata")
    assert {name: getattr(spread.run, name) for name in told} == {
        name: getattr(demo_result.run, name) for name in told
    }


def rows_but_run(result: AuditResult) -> list[list[dict[str, Any]]]:
    """The rows of scans and of conjuncts, in an order of their own, but for the run that they are
    of."""
    found = []
    for table in ("scan_plans", "conjuncts"):
        parts = [getattr(part, table).drop_columns(["run_id"]) for part in result.rows]
        rows = [row for part in parts for row in part.to_pylist()]
        found.append(sorted(rows, key=lambda row: (row["scan_key"], row.get("position", 0))))
    return found


def test_passes_hand_on_what_they_keep(demo_result: AuditResult) -> None:
    for scan in demo_result.scan_plans():
        if scan["outcome"] != "replayed":
            continue
        for funnel in ("manifests", "data_files", "row_groups"):
            counts = [scan[f"{funnel}_{stage}"] for stage in ("kept", "considered", "total")]
            known = [count for count in counts if count is not None]
            assert known == sorted(known)
        assert scan["row_groups_kept"] is not None, "every demo file is Parquet"


def test_engines_counts_agree_with_the_replay(demo_result: AuditResult) -> None:
    reported = [
        (dict(scan["observed"])["result_data_files"], scan["data_files_kept"])
        for scan in demo_result.scan_plans()
        if scan["outcome"] == "replayed" and "result_data_files" in dict(scan["observed"] or ())
    ]
    assert len(reported) > 20
    assert all(observed == replayed for observed, replayed in reported)


@pytest.mark.spark
def test_each_manifest_and_footer_is_read_once(
    demo: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prunescope.audit_jobs.planning.spark.NEAR", 0)
    name = TableName("lake", ("sales",), "orders")
    table = TableFinder(load_config(demo)).find([name]).opened[name]
    schema = table.metadata.schema(table.metadata.current_snapshot())
    wanted = bind(Comparison(Op.GT_EQ, Column(("customer_id",)), (0,)), schema)
    snapshots = list(table.metadata.snapshots.values())
    manifests = {
        manifest.path
        for snapshot in snapshots
        for manifest in read_manifest_list(snapshot, table.storage)
        if manifest.live_files
    }
    scans = [
        (snapshot, Scan(number, predicate))
        for number, (snapshot, predicate) in enumerate(product(snapshots, (wanted, TRUE)))
    ]
    found = planned(asked(table, schema, scans), SparkRunner(spark))
    everything = int(found.found.counts[0].scans["data_files_kept"].max())
    assert len(snapshots) > 5
    assert found.replay.manifests_read == len(manifests)
    assert found.replay.footers_read == everything


def in_order(result: AuditResult) -> list[Row]:
    return sorted(result.scan_plans(), key=lambda row: str(row["scan_key"]))


def test_beyond_the_budget_row_groups_are_estimated(
    demo: Path, demo_window: Window, demo_result: AuditResult
) -> None:
    limit = demo_result.run.footers_read // 2
    config = load_config(demo).model_copy(update={"max_footers": limit})
    sampled = run_here(config, demo_window)
    assert 0 < sampled.run.footers_read < demo_result.run.footers_read
    assert demo_result.run.metadata["footers_skipped"] == 0
    left_out = demo_result.run.footers_read - sampled.run.footers_read
    assert sampled.run.metadata["footers_skipped"] == left_out
    pairs = [
        (full, part)
        for full, part in zip(in_order(demo_result), in_order(sampled), strict=True)
        if full["outcome"] == part["outcome"] == "replayed"
    ]
    estimated = [(full, part) for full, part in pairs if part["footers_skipped"]]
    assert len(estimated) > 20
    hits = 0
    for full, part in estimated:
        assert part["row_groups_considered"] == full["row_groups_considered"]
        low, high = part["row_groups_kept_low"], part["row_groups_kept_high"]
        hits += low <= full["row_groups_kept"] <= high
    # 95 % of independent intervals would hold; scans of one night share their sample.
    assert hits >= 0.8 * len(estimated)
    for full, part in pairs:
        if not part["footers_skipped"]:
            assert part["row_groups_kept"] == full["row_groups_kept"]


@pytest.fixture(scope="module")
def published(demo: Path, demo_window: Window) -> Path:
    """The demo, of which an audit was published."""
    assert not audit_here(demo, demo_window)  # the demo's log has broken queries
    return demo


def test_the_same_window_twice_leaves_one_set_of_rows(published: Path, demo_window: Window) -> None:
    demo = published
    first = Counter(row["scan_key"] for row in audit_rows(demo, "scan_plans"))
    (run,) = _published_runs(demo)
    assert not audit_here(demo, demo_window)
    second = Counter(row["scan_key"] for row in audit_rows(demo, "scan_plans"))
    (again,) = _published_runs(demo)
    assert first == second
    assert max(second.values()) == 1
    assert run["run_id"] != again["run_id"]
    assert {row["run_id"] for row in audit_rows(demo, "conjuncts")} == {again["run_id"]}


def _published_runs(config: Path) -> list[dict[str, Any]]:
    """Of attempts that published nothing there are rows as well."""
    return [row for row in audit_rows(config, "audit_runs") if row["status"] != "failed"]


@pytest.mark.usefixtures("spark")
def test_a_run_that_fails_the_gate_publishes_nothing(
    published: Path, demo_window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = published
    before = audit_rows(demo, "scan_plans")
    metrics = load_config(demo).metrics.textfile
    assert metrics is not None
    exposed = _of_published(metrics.read_text())
    check = FailedCheck("scan_plans", "bytes_kept", 1, ("12/0",))
    monkeypatch.setattr(
        "prunescope.audit_jobs.gate.admit.validate",
        lambda *_: GateResult(checks=73, failed=(check,)),
    )
    start, end = demo_window.start.isoformat(), demo_window.end.isoformat()
    result = CliRunner().invoke(
        main,
        ["audit", "--config", str(demo), "--window-start", start, "--window-end", end],
    )
    assert result.exit_code == 1
    assert "scan_plans: bytes_kept: rows 12/0" in result.stderr
    assert audit_rows(demo, "scan_plans") == before
    assert sorted(row["status"] for row in audit_rows(demo, "audit_runs")) == ["failed", "partial"]
    assert _of_published(metrics.read_text()) == exposed
    assert 'prunescope_run_status{audit_catalog="lake",status="failed"} 1.0' in metrics.read_text()


def _of_published(exposition: str) -> list[str]:
    """The samples, in order, of what only a run that publishes can change."""
    of_attempts = ("prunescope_run_status", "prunescope_last_completion", "#")
    return sorted(line for line in exposition.splitlines() if not line.startswith(of_attempts))


def test_metrics_say_what_the_audit_tables_say(published: Path) -> None:
    textfile = load_config(published).metrics.textfile
    assert textfile is not None
    families = {f.name: f for f in text_string_to_metric_families(textfile.read_text())}
    kept = {
        sample.labels["table"]: sample.value
        for sample in families["prunescope_data_files_kept"].samples
    }
    expected: Counter[str] = Counter()
    for row in audit_rows(published, "scan_plans"):
        if row["outcome"] == "replayed":
            expected[row["table"]] += row["data_files_kept"]
    assert kept == dict(expected)


def test_queries_outside_of_the_window_are_left_to_other_runs(tmp_path: Path) -> None:
    late = trino_event("late", "SELECT 1 FROM lake.db.t")
    late["createTime"] = (DAY + dt.timedelta(days=1)).isoformat()
    early = trino_event("early", "SELECT 1 FROM lake.db.t")
    early["createTime"] = DAY.isoformat()
    log = write_lines(tmp_path / "log.jsonl", [late, early])
    config = write_config(tmp_path, [{"type": "trino_events", "paths": [str(log)]}])
    audit_here(config, WINDOW)
    assert [row["query_id"] for row in audit_rows(config, "scan_plans")] == ["early"]


def test_a_query_reads_the_snapshot_of_its_time(tmp_path: Path) -> None:
    catalog = SqlCatalog("lake", **catalog_properties(tmp_path))
    catalog.create_namespace("db")
    rows = pa.table({"id": pa.array([1, 2, 3], pa.int64())})
    table = catalog.create_table("db.t", rows.schema)
    table.append(rows)
    first = table.current_snapshot()
    table.append(rows)
    second = table.current_snapshot()
    assert first is not None
    assert second is not None
    moments = {
        "before": first.timestamp_ms - 10,
        "between": (first.timestamp_ms + second.timestamp_ms) // 2,
        "after": second.timestamp_ms + 10,
    }
    events = []
    for name, moment in moments.items():
        event = trino_event(name, "SELECT * FROM lake.db.t WHERE id = 9")
        event["createTime"] = moment / 1000
        events.append(event)
    log = write_lines(tmp_path / "log.jsonl", events)
    config = write_config(tmp_path, [{"type": "trino_events", "paths": [str(log)]}])
    start = dt.datetime.fromtimestamp(first.timestamp_ms / 1000, dt.UTC) - dt.timedelta(hours=1)
    audit_here(config, Window(start, start + dt.timedelta(hours=2)))
    found = {row["query_id"]: row for row in audit_rows(config, "scan_plans")}
    assert found["before"]["outcome"] == "snapshot_not_found"
    assert found["between"]["snapshot_id"] == first.snapshot_id
    assert found["after"]["snapshot_id"] == second.snapshot_id
    assert found["after"]["data_files_total"] == 2
