"""A table whose rows contradict each other costs that table, and only that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.errors import GateClosed
from prunescope.audit_jobs.gate.admit import admit
from prunescope.audit_jobs.pruning.summary import Funnel, ScanPlanSummary
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.audit_jobs.sinks.metric_samples import run_samples
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.collectors.outcomes import Outcome
from tests.audit_jobs.sinks.results import (
    EVENTS,
    FOUND,
    ORDERS,
    SPREAD,
    UNPARSEABLE,
    audit_result,
    replayed,
    summary,
)
from tests.sampled import one_in

pytestmark = pytest.mark.slow

HUGE = 10**30


def run_of(of_events: ScanPlanSummary, *, extra: int = 0) -> AuditResult:
    """Two queries of orders and events, findings of both, and so many more queries of orders."""
    scans = [replayed("0/0"), replayed("1/0", EVENTS, of_events), UNPARSEABLE]
    scans += [replayed(f"{number}/0") for number in range(2, 2 + extra)]
    result = audit_result(*scans, findings=(FOUND, SPREAD))
    queries = {"replayed": 2 + extra, "unparseable": 1}
    return replace(result, run=replace(result.run, queries=queries))


WRONG = {
    "negative": replace(summary(), bytes=Funnel(5, 5, -1)),
    "kept-more-than-considered": replace(summary(), data_files=Funnel(99, 99, 100)),
    "passes-do-not-hand-on": replace(summary(), row_group_records=Funnel(400, 49, 20)),
    "beyond-64-bits": replace(summary(), bytes=Funnel(HUGE, HUGE, HUGE)),
    "beyond-32-bits": replace(summary(), schema_id=2**40),
    "no-number": replace(summary(), old_spec_files="many"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", one_in(3, WRONG, str))
def test_the_table_is_set_aside_and_the_rest_is_admitted(name: str) -> None:
    admitted = admit(run_of(WRONG[name]), None)
    assert admitted.run.status == "partial"
    assert list(admitted.run.tables_set_aside) == [str(EVENTS)]
    assert admitted.run.queries == {"replayed": 1, Outcome.SET_ASIDE: 1, "unparseable": 1}
    orders, events, unparseable = admitted.scan_plans()
    before = list(run_of(summary()).scan_plans())
    assert (orders, unparseable) == (before[0], before[2])
    assert (events["table"], events["outcome"]) == (EVENTS.table, Outcome.SET_ASIDE)
    assert events["query_outcome"] == Outcome.SET_ASIDE
    assert events["message"] == admitted.run.tables_set_aside[str(EVENTS)]
    told = {name for name, value in events.items() if value != before[1][name]}
    withheld = {name for name in told if events[name] is None}
    assert told - withheld == {"outcome", "query_outcome", "message"}
    of_funnels = {name for name in before[1] if name.endswith(("_total", "_considered", "_kept"))}
    assert {"predicate", "pushed", "observed", "snapshot_id"} <= withheld
    assert all(events[name] is None for name in of_funnels)
    assert admitted.findings == (FOUND,)
    (part,) = admitted.rows
    assert set(part.conjuncts["scan_key"].to_pylist()) == {"0/0"}


def test_all_tables_with_wrong_rows_are_found_however_many_rows_are_wrong() -> None:
    wrong = replace(summary(), bytes=Funnel(5, 5, -1))
    more = [replayed(f"{n}/0", ORDERS, wrong) for n in range(2, 40)]
    more += [replayed("0/0"), replayed("1/0", EVENTS, wrong), UNPARSEABLE]
    result = audit_result(*more, findings=(FOUND, SPREAD))
    run = replace(result.run, queries={"replayed": 40, "unparseable": 1})
    result = replace(result, run=run)
    admitted = admit(result, None)
    assert set(admitted.run.tables_set_aside) == {str(ORDERS), str(EVENTS)}
    assert admitted.run.queries == {Outcome.SET_ASIDE: 40, "unparseable": 1}
    assert admitted.findings == ()


def test_a_table_without_a_catalog_is_not_one_of_the_same_name_in_a_catalog() -> None:
    wrong = replace(summary(), bytes=Funnel(5, 5, -1))
    bare = replace(ORDERS, catalog=None)
    result = audit_result(replayed("0/0"), replayed("1/0", bare, wrong), UNPARSEABLE)
    admitted = admit(result, None)
    assert list(admitted.run.tables_set_aside) == [str(bare)]
    outcomes = [row["outcome"] for row in admitted.scan_plans("outcome")]
    assert outcomes == ["replayed", Outcome.SET_ASIDE, "unparseable"]


def test_a_query_of_two_tables_is_set_aside_with_one_of_them() -> None:
    wrong = replayed("0/1", EVENTS, replace(summary(), bytes=Funnel(5, 5, -1)))
    result = audit_result(replayed("0/0"), wrong, UNPARSEABLE)
    result = replace(result, run=replace(result.run, queries={"replayed": 1, "unparseable": 1}))
    admitted = admit(result, None)
    assert admitted.run.queries == {Outcome.SET_ASIDE: 1, "unparseable": 1}
    first, second, _ = admitted.scan_plans()
    assert (first["outcome"], first["query_outcome"]) == ("replayed", Outcome.SET_ASIDE)
    assert first["data_files_kept"] is not None
    assert second["outcome"] == Outcome.SET_ASIDE


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(audit_result(replayed("0/0"), UNPARSEABLE), id="an-input-without-outcome"),
        pytest.param(
            audit_result(replayed("0/0"), replayed("0/0", EVENTS), UNPARSEABLE),
            id="the-same-key-twice",
        ),
    ],
)
def test_sums_of_the_run_itself_close_the_gate(result: AuditResult) -> None:
    with pytest.raises(GateClosed):
        admit(result, None)


def test_a_run_of_which_a_table_was_set_aside_is_published_and_measured(tmp_path: Path) -> None:
    catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}"
    )
    admitted = admit(run_of(WRONG["negative"]), None)
    publish(admitted, catalog, "audit")
    rows = catalog.load_table("audit.scan_plans").scan().to_arrow().to_pylist()
    assert {row["scan_key"]: row["outcome"] for row in rows} == {
        "0/0": "replayed",
        "1/0": Outcome.SET_ASIDE,
        "broken": "unparseable",
    }
    (run,) = catalog.load_table("audit.audit_runs").scan().to_arrow().to_pylist()
    ((name, message),) = run["tables_set_aside"]
    assert name == str(EVENTS)
    assert "contradict" in message
    catalog.close()
    samples = {s.metric.name: s.value for s in run_samples(rows_of(admitted), max_tables=9)}
    assert samples["prunescope_run_tables_set_aside"] == 1


def test_text_that_no_file_can_hold_stops_nobody(tmp_path: Path) -> None:
    """JSON can escape halves of characters; a user of a query log may have one for a name."""
    strange = replace(replayed("0/0"), user="a\ud800b")
    result = audit_result(strange, replayed("1/0", EVENTS), UNPARSEABLE)
    admitted = admit(result, None)
    assert admitted.run.tables_set_aside == {}
    catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}"
    )
    publish(admitted, catalog, "audit")
    rows = catalog.load_table("audit.scan_plans").scan().to_arrow().to_pylist()
    catalog.close()
    assert {row["scan_key"]: row["user"] for row in rows}["0/0"] == "a?b"
