"""A window that is audited late hides no newer one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.errors import NotAudited
from prunescope.audit_jobs.exporter.latest import LatestRun
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks import metric_catalogue
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.audit_jobs.sinks.maintenance import Retention, maintain
from prunescope.audit_jobs.sinks.metrics import Metrics
from prunescope.audit_jobs.sinks.published_findings import read_findings
from prunescope.audit_jobs.sinks.published_rows import visible_run
from prunescope.audit_jobs.sinks.published_run import read_run
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.sinks.telemetry import open_telemetry
from tests.audit_jobs.sinks.published import NAMESPACE
from tests.audit_jobs.sinks.results import DAY, MIDNIGHT, audit_result, replayed

pytestmark = pytest.mark.slow


def of(run_id: str, days: int, finished: int, length: dt.timedelta = DAY) -> AuditResult:
    """A run of the window from so many days after MIDNIGHT on, by the day on which it finished."""
    start = MIDNIGHT + days * DAY
    made = audit_result(replayed(run_id), run_id=run_id, start=start, length=length)
    return replace(made, run=replace(made.run, finished_at=MIDNIGHT + finished * DAY))


WEEK = 7 * DAY


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        pytest.param((of("new", 2, 3), of("old", 1, 4)), "new", id="a day that was missed"),
        pytest.param((of("day", 6, 7), of("week", 0, 8, WEEK)), "week", id="its week, later"),
        pytest.param((of("week", 0, 8, WEEK), of("day", 6, 9)), "day", id="its day, later"),
        pytest.param((of("day", 7, 8), of("week", 0, 9, WEEK)), "day", id="the week before"),
        pytest.param((of("first", 1, 2), of("again", 1, 3)), "again", id="a window again"),
    ],
)
def test_the_newest_window_is_the_one_that_ends_last(
    catalog: SqlCatalog, runs: tuple[AuditResult, ...], expected: str
) -> None:
    for run in runs:
        publish(run, catalog, NAMESPACE)
    assert visible_run(catalog, NAMESPACE, None)["run_id"] == expected


@pytest.fixture
def told_of(catalog: SqlCatalog, tmp_path: Path) -> Callable[[AuditResult], dict[str, str]]:
    """Publishes a run, and reads the file of metrics: each sample by its name and labels."""
    path = tmp_path / "prunescope.prom"
    document = {
        "catalogs": {"lake": {}},
        "audit": {"catalog": "lake", "namespace": NAMESPACE},
        "sources": [{"type": "sql_records", "paths": [str(tmp_path)]}],
        "metrics": {"textfile": str(path)},
    }
    sink = Metrics(AuditConfig.model_validate(document), open_telemetry(None, "lake"), catalog)

    def told(run: AuditResult) -> dict[str, str]:
        publish(run, catalog, NAMESPACE)
        sink.publish(rows_of(run))
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        return dict(line.rsplit(" ", 1) for line in lines)

    return told


def test_metrics_stay_those_of_the_newest_window(
    told_of: Callable[[AuditResult], dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = told_of(of("new", 2, 3)), told_of(of("old", 1, 4))
    changed = {name.partition("{")[0] for name in before if before[name] != after[name]}
    assert changed == {"prunescope_last_completion_timestamp_seconds"}
    assert "metrics stay those of the newest window" in capsys.readouterr().err
    again = told_of(of("newest", 3, 5))
    success = 'prunescope_last_success_timestamp_seconds{audit_catalog="lake"}'
    assert float(again[success]) == (MIDNIGHT + 5 * DAY).timestamp()


def test_an_audit_tells_when_its_tables_were_maintained(
    told_of: Callable[[AuditResult], dict[str, str]], catalog: SqlCatalog
) -> None:
    maintenance = 'prunescope_last_maintenance_timestamp_seconds{audit_catalog="lake"}'
    assert maintenance not in told_of(of("first", 0, 1))
    done = MIDNIGHT + 2 * DAY
    maintain(catalog, NAMESPACE, Retention(10_000, 10_000), done)
    assert float(told_of(of("second", 2, 3))[maintenance]) == done.timestamp()


def test_a_window_that_is_not_over_hides_none(
    told_of: Callable[[AuditResult], dict[str, str]], catalog: SqlCatalog
) -> None:
    """Older versions published any."""
    days = (dt.datetime(2100, 1, 1, tzinfo=dt.UTC) - MIDNIGHT).days
    publish(of("ahead", days, days + 1), catalog, NAMESPACE)
    with pytest.raises(NotAudited, match="no finished run of a window that is over"):
        visible_run(catalog, NAMESPACE, None)
    for number, run_id in enumerate(("first", "second"), start=1):
        told = told_of(of(run_id, number, number + 1))
        success = told['prunescope_last_success_timestamp_seconds{audit_catalog="lake"}']
        assert float(success) == (MIDNIGHT + (number + 1) * DAY).timestamp()
        assert read_findings(catalog, NAMESPACE, None).run_id == run_id
        assert read_run(catalog, NAMESPACE, None).run["run_id"] == run_id
        exported = LatestRun(lambda: catalog, NAMESPACE, max_tables=9).read(None).samples
        ends = [s.value for s in exported if s.metric == metric_catalogue.LAST_COMPLETION]
        assert ends == [(MIDNIGHT + (number + 1) * DAY).timestamp()]
    assert visible_run(catalog, NAMESPACE, "ahead")["run_id"] == "ahead", "by its name"
