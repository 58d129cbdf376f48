"""A query against its own history, as the audit tables keep it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.fixed_findings import State
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.audit_jobs.sinks.published_history import read_history
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.views.run_text import print_run
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery
from tests.integration.audits import open_catalog, write_config, write_ids

pytestmark = pytest.mark.slow

FIRST = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
FILES, ROWS = 10, 200
QUERY = "SELECT * FROM lake.db.t WHERE id BETWEEN 100 AND 150"


@dataclass(frozen=True)
class Days:
    """Audits of one query, one a day."""

    config: Path
    catalog: Catalog

    def write(self, *, sorted_by_id: bool) -> None:
        """Replaces all rows: each file has a range of ids of its own, or all have every id."""
        write_ids(self.catalog.load_table("db.t"), FILES, ROWS, sorted_by_id=sorted_by_id)

    def audit(self, day: int, *, engine_version: str = "480") -> AuditResult:
        """Audits a day, and publishes it."""
        start = FIRST + day * DAY
        window = Window(start, start + DAY)
        queries = [
            name_tables(
                ObservedQuery(
                    source="test",
                    query_id=f"{day}/{number}",
                    sql=QUERY,
                    dialect="trino",
                    started_at=start + dt.timedelta(hours=number),
                    engine="trino",
                    engine_version=engine_version,
                )
            )
            for number in range(3)
        ]
        history = read_history(self.catalog, "pruning_audit", start)
        runner = LocalRunner()
        result = run_audit(
            load_config(self.config), window, made_inputs(runner, queries), runner, _ignore, history
        )
        publish(result, self.catalog, "pruning_audit")
        return result


@pytest.fixture
def days(tmp_path: Path) -> Iterator[Days]:
    """A sorted table of ten files."""
    everything = {"small_table_bytes": 0, "min_bytes_at_stake": 0, "min_scans": 1}
    config = write_config(
        tmp_path,
        [{"type": "trino_events", "paths": ["none"]}],
        findings={"thresholds": [{"table": "*", **everything}]},
    )
    catalog = open_catalog(config)
    catalog.create_namespace("db")
    catalog.create_table("db.t", pa.schema([("id", pa.int64())]))
    days = Days(config, catalog)
    days.write(sorted_by_id=True)
    yield days
    catalog.close()


def regressions(result: AuditResult) -> list[Finding]:
    return [finding for finding in result.findings if finding.cause == "pruning_regressed"]


def test_a_query_that_keeps_more_than_it_used_to_is_told_with_what_changed(days: Days) -> None:
    for day in range(3):
        assert not regressions(days.audit(day))
    days.write(sorted_by_id=False)

    result = days.audit(3, engine_version="482")

    (finding,) = regressions(result)
    assert finding.scans == 3
    assert finding.evidence["kept_ratio"] == 1.0
    assert finding.evidence["usual_kept_ratio"] == pytest.approx(0.1, rel=0.1)
    assert finding.evidence["last_good_window"] == "2100-01-03T00:00:00+00:00"
    changes = finding.evidence["changes"]
    assert changes["engine_versions"] == [["480"], ["482"]]
    assert changes["depth_of_id"] == [1.0, pytest.approx(FILES, rel=0.6)]
    assert {"snapshot_ids", "planners"} <= set(changes)
    stake = finding.bytes_at_stake
    assert stake == pytest.approx(0.9 * finding.bytes_read, rel=0.1)


def test_two_windows_are_no_habit(days: Days) -> None:
    days.audit(0)
    days.audit(1)
    days.write(sorted_by_id=False)
    assert not regressions(days.audit(2))


def test_what_stays_the_same_is_not_told(days: Days) -> None:
    for day in range(4):
        assert not regressions(days.audit(day, engine_version=f"48{day}"))


def test_a_window_is_not_its_own_history(days: Days) -> None:
    for day in range(3):
        days.audit(day)
    days.write(sorted_by_id=False)
    again = [regressions(days.audit(3)) for _ in range(2)]
    assert len(again[0]) == len(again[1]) == 1
    assert again[0][0].evidence["windows"] == again[1][0].evidence["windows"] == 3


def test_without_audit_tables_there_is_no_history(days: Days) -> None:
    history = read_history(days.catalog, "nowhere", FIRST)
    assert not history.queries
    assert not history.tables


def test_windows_are_read_back_with_their_ends(days: Days) -> None:
    days.audit(0)
    (past,) = read_history(days.catalog, "pruning_audit", FIRST + DAY).tables.values()
    assert [health.window for health in past] == [Window(FIRST, FIRST + DAY)]


def _ignore(_stage: str) -> None:
    pass


def test_a_finding_that_is_mended_is_told_with_its_promise(
    days: Days, capsys: pytest.CaptureFixture[str]
) -> None:
    table = days.catalog.load_table("db.t")
    with table.transaction() as change:
        change.set_properties({"write.target-file-size-bytes": "2000"})
    days.write(sorted_by_id=False)
    (finding,) = (f for f in days.audit(0).findings if f.cause == "unclustered_column")
    assert finding.bytes_at_stake is not None
    days.write(sorted_by_id=True)
    days.audit(2)  # a day without an audit between them
    result = days.audit(3)
    (fixed,) = rows_of(result).promises
    assert fixed.state is State.KEPT
    assert fixed.cause == "unclustered_column"
    assert fixed.last_found == FIRST
    assert fixed.scans == 3
    assert fixed.before == 1.0
    promised = 1 - finding.bytes_at_stake / finding.bytes_read
    assert fixed.promised == pytest.approx(promised)
    assert fixed.after == pytest.approx(1 / FILES, rel=0.1)
    print_run(result, load_config(days.config))
    told = " ".join(capsys.readouterr().out.split())
    seen = "Table not clustered by a filtered column, last found on 2100-01-01"
    assert f"fixed lake.db.t: {seen}" in told
    assert f"kept 100.0% of its bytes, {promised:.1%} promised, {fixed.after:.1%} now" in told
