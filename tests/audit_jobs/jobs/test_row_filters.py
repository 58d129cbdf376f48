"""What an engine checks on rows of a scan is part of its filter, and never of what it pushes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import HIDDEN
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.table_rows import table_health_rows
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import (
    ALL_ROWS,
    ObservedQuery,
    ObservedScan,
    PlanText,
    RowFilter,
    TableName,
)
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, write_table

NAME = TableName("lake", ("db",), "t")
UPPER = RowFilter(("(isnotnull(name#) AND (upper(name#) = A))",))


@pytest.fixture(scope="module")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("lake"), "t")


def audit(metadata: Path, *scans: ObservedScan, **sections: Any) -> AuditResult:
    runner = LocalRunner()
    queries = [
        ObservedQuery(
            source="spark_event_logs",
            query_id=f"q{number}",
            sql=None,
            dialect="spark",
            engine="spark",
            engine_version="4.1.0",
            time_zone="UTC",
            scans=(scan,),
            plan_known=True,
        )
        for number, scan in enumerate(scans)
    ]
    inputs = made_inputs(runner, [name_tables(query) for query in queries])
    config = config_of({"t": metadata}, **sections)
    return run_audit(config, WINDOW, inputs, runner, lambda _: None)


def seen(pushed: str, row_filter: RowFilter = ALL_ROWS, files: int = 2) -> ObservedScan:
    return ObservedScan(
        NAME, None, {"result_data_files": files}, None, PlanText(pushed), (), row_filter
    )


@pytest.mark.parametrize(
    ("pushed", "condition", "predicate"),
    [
        pytest.param(
            "name IS NOT NULL",
            UPPER.conditions[0],
            "name IS NOT NULL AND UPPER(name) = 'A'",
            id="a function",
        ),
        pytest.param(
            "id IS NOT NULL, id > 1",
            "((isnotnull(id#) AND (id# > 1)) AND (upper(name#) = A))",
            "id IS NOT NULL AND id > 1 AND UPPER(name) = 'A'",
            id="beside what is pushed",
        ),
        pytest.param(
            "name IN ('a', 'b, c', 'd')",
            "name# IN (a,b, c,d)",
            "name IN ('a', 'b, c', 'd')",
            id="what only the scan node tells for certain",
        ),
        pytest.param(
            "(NOT (id = 1) OR NOT (name = 'a'))",
            "(NOT (id# = 1) OR NOT (name# = a))",
            "id != 1 OR id IS NULL OR name != 'a' OR name IS NULL",
            id="what Iceberg widens",
        ),
    ],
)
def test_conditions_are_added_to_what_is_pushed(
    metadata: Path, pushed: str, condition: str, predicate: str
) -> None:
    result = audit(metadata, seen(pushed), seen(pushed, RowFilter((condition,))), literals="keep")
    alone, both = result.scan_plans()
    assert set(both["predicate"].split(" AND ")) == set(predicate.split(" AND "))
    assert both["pushed"] == alone["pushed"]
    kept = [name for name in both if name.endswith("_kept") and not name.startswith("potential")]
    assert {name: both[name] for name in kept} == {name: alone[name] for name in kept}
    assert both["agreement"] == alone["agreement"]


def test_a_disagreement_is_one_whatever_spark_checks_on_rows(metadata: Path) -> None:
    scans = audit(metadata, seen("id < 9", files=3), seen("id < 9", UPPER, files=3)).scan_plans()
    assert {scan["agreement"] for scan in scans} == {"snapshot_assumed"}


def test_scans_whose_conditions_the_log_does_not_show_are_counted(metadata: Path) -> None:
    hidden = RowFilter((), is_shown=False)
    result = audit(metadata, seen(""), seen("", UPPER), seen("", hidden), seen("id > 7", hidden, 0))
    assert sorted(scan["predicate"].count(HIDDEN) for scan in result.scan_plans()) == [0, 0, 1, 1]
    (health,) = table_health_rows(result)
    assert health["hidden_filters"] == 1, "of those that read all"
