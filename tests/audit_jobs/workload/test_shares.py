"""However the workload is cut into shares, and wherever these are worked on, the rows of a run are
the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from prunescope.audit_jobs.gate.admit import admit
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.table_rows import finding_rows, table_health_rows
from prunescope.audit_jobs.secret import Secret
from prunescope.audit_jobs.workload.inputs import Input, made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import (
    ObservedQuery,
    ObservedScan,
    Rejected,
    ScanReport,
    TableName,
)
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.catalog import open_metadata_file
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, write_table

pytestmark = pytest.mark.slow

ORDERS, EVENTS = (TableName("lake", ("db",), name) for name in ("orders", "events"))


class Several(LocalRunner):
    """In this process, in as many groups as if there were slots."""

    def __init__(self, slots: int) -> None:
        self.slots = slots


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("lake")
    return {name: write_table(folder / name, name) for name in ("orders", "events")}


def query(number: int, sql: str, **known: Any) -> ObservedQuery:
    return ObservedQuery(
        source="test",
        query_id=f"q{number}",
        sql=sql,
        dialect="trino",
        engine="trino",
        **known,
    )


def workload() -> list[Input]:
    """Texts of few shapes with other literals; of two tables, of none, of one that is missing;
    some that cannot be read; one that is there three times; and reports."""
    orders, events = 'lake.db."orders"', 'lake.db."events"'
    texts = [f"SELECT * FROM {orders} WHERE id = {number}" for number in range(7)]
    texts += [f"SELECT * FROM {events} WHERE id > {number} AND id < 3" for number in range(5)]
    both = f"SELECT * FROM {orders} o JOIN {events} e ON o.id = e.id WHERE e.id < 9 AND o.id ="
    texts += [f"{both} {number}" for number in range(4)]
    texts += [f"SELECT * FROM {orders} WHERE id = 2 AND name = 'x{n}'" for n in range(3)]
    texts += [f"SELECT * FROM {orders}, lake.db.gone WHERE id = 2", "SELECT 1", "SELEC T"]
    texts += ["SET x = 1", f"SELECT * FROM {orders} WHERE nothing = 1"]
    queries = [query(number, text) for number, text in enumerate(texts)]
    reported = query(100, f"SELECT * FROM {events} WHERE id >= 2")
    again = replace(queries[3], user="somebody")
    return [
        *(name_tables(found) for found in (*queries, reported, again, again)),
        Rejected("test", "log:7", "malformed_json", "it ends early"),
        report("other-1", TableName("other", (), "x"), 1, Op.EQ),
        report("events-1", EVENTS, 1, Op.EQ),
    ]


def report(location: str, table: TableName, snapshot_id: int, operator: Op) -> ScanReport:
    """Of a comparison of `id` with what is hashed."""
    pushed = Comparison(operator, Column(("id",)), (0,))
    return ScanReport(
        "reports",
        location,
        ObservedScan(table, snapshot_id, {"result_data_files": 3}, pushed=pushed),
    )


def audited(tables: dict[str, Path], inputs: Sequence[Input], runner: LocalRunner) -> AuditResult:
    config = config_of({**tables, "gone": Path("/nowhere/metadata.json")}, sampled_files=2)
    found = replace(made_inputs(runner, inputs), secret=Secret(b"of all runs"))
    return run_audit(config, WINDOW, found, runner, lambda _: None)


def told(result: AuditResult) -> tuple[Any, ...]:
    """All that a run finds, in an order of its own, but for its id."""
    plans = [row for part in result.rows for row in part.scan_plans.to_pylist()]
    conjuncts = [row for part in result.rows for row in part.conjuncts.to_pylist()]
    rows = [sorted(str({**row, "run_id": ""}) for row in found) for found in (plans, conjuncts)]
    others = [
        sorted(str({**row, "run_id": ""}) for row in rows_of(result))
        for rows_of in (table_health_rows, finding_rows)
    ]
    run = result.run
    return (*rows, *others, run.queries, run.tables_failed, run.footers_read, result.sums)


@pytest.fixture(scope="module")
def whole(tables: dict[str, Path]) -> AuditResult:
    """What is published of it; what finds the same is published as well."""
    return admit(audited(tables, workload(), LocalRunner()), None)


def test_every_input_has_one_outcome(whole: AuditResult) -> None:
    inputs = workload()
    assert sum(whole.run.queries.values()) == len(inputs)
    assert whole.run.queries["repeated"] == 2
    assert whole.run.queries["replayed"] == 18
    assert whole.run.queries["malformed_json"] == 1
    places = {(row["outcome"], row["location"]) for row in whole.scan_plans("outcome", "location")}
    assert {place for outcome, place in places if outcome in ("repeated", "replayed")} == {None}
    keys = Counter(row["scan_key"] for row in whole.scan_plans("scan_key"))
    assert set(keys.values()) == {1}


def test_one_log_that_sources_read_otherwise_is_several_queries(tables: dict[str, Path]) -> None:
    """A file may be named by two sources, whose settings give its records other dialects, catalogs
    or schemas, and with these other tables and shapes."""
    read = [
        query(0, "SELECT * FROM orders WHERE id = 1", catalog="lake", schema="db"),
        query(0, "SELECT * FROM orders WHERE id = 1", catalog="other", schema="db"),
        query(0, "SELECT * FROM orders WHERE id = 1", catalog="lake"),
        query(1, 'SELECT * FROM lake.db.orders WHERE name = "x" AND id = 2'),
        query(2, "SELECT * FROM lake.db.events WHERE id = 2 AND"),
    ]
    found = [replace(one, dialect=dialect) for one in read for dialect in ("trino", "spark")]
    others: list[Input] = [
        Rejected("test", "log:7", "malformed_json", "it ends early"),
        Rejected("test", "log:7", "missing_sql", "it has none"),
        Rejected("other", "log:7", "malformed_json", "it ends early"),
        report("log:8", EVENTS, 1, Op.EQ),
        replace(report("log:8", EVENTS, 1, Op.EQ), source="other"),
    ]
    inputs: list[Input] = [*map(name_tables, (*found, *found)), *others]
    result = admit(audited(tables, inputs, LocalRunner()), None)
    assert sum(result.run.queries.values()) == len(inputs)
    assert result.run.queries["repeated"] >= len(found)


def in_shares_of(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has shares hold at most so many queries."""
    for module in ("jobs.audit", "jobs.scan_stages", "workload.extract"):
        monkeypatch.setattr(f"prunescope.audit_jobs.{module}.MAX_QUERIES", size)


@pytest.mark.parametrize("slots", [1, 3])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_shares_of_any_size_find_the_same(
    size: int,
    slots: int,
    tables: dict[str, Path],
    whole: AuditResult,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_shares_of(size, monkeypatch)
    assert told(audited(tables, workload(), Several(slots))) == told(whole)


def test_rows_that_are_worked_on_in_tasks_are_the_same(
    tables: dict[str, Path], whole: AuditResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prunescope.audit_jobs.results.scan_parts.FEW", 0)
    in_shares_of(2, monkeypatch)
    assert told(audited(tables, workload(), Several(2))) == told(whole)


def test_the_order_of_the_log_changes_nothing(tables: dict[str, Path], whole: AuditResult) -> None:
    assert told(audited(tables, workload()[::-1], LocalRunner())) == told(whole)


@pytest.mark.parametrize(
    ("texts", "outcome", "files"),
    [
        pytest.param(["id >= 2"], "report_matched", [3], id="one filter"),
        pytest.param(["id >= 2", "2 <= id"], "report_matched", [3, 3], id="the same twice"),
        pytest.param(["id >= 2", "id >= 1"], "report_ambiguous", [None, None], id="two literals"),
        pytest.param(["id > 2"], "report_unmatched", [None], id="another operator"),
    ],
)
@pytest.mark.parametrize("size", [1, 8_192])
def test_reports_are_matched_with_scans_of_any_share(
    size: int,
    texts: list[str],
    outcome: str,
    files: list[int | None],
    tables: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_shares_of(size, monkeypatch)
    snapshot = open_metadata_file(str(tables["events"]), EVENTS).metadata.current_snapshot_id
    assert snapshot is not None
    queries = [
        query(number, f"SELECT * FROM lake.db.events WHERE {text}")
        for number, text in enumerate(texts)
    ]
    inputs: list[Input] = [
        *map(name_tables, queries),
        report("a report", EVENTS, snapshot, Op.GT_EQ),
    ]
    result = admit(audited(tables, inputs, LocalRunner()), None)
    assert result.run.queries[outcome] == 1
    rows = [row for row in result.scan_plans() if row["outcome"] == "replayed"]
    assert [dict(row["observed"] or ()).get("result_data_files") for row in rows] == files
