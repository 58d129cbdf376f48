"""Rules and dashboards with real servers: a Pushgateway, Prometheus, Alertmanager, a webhook."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pyarrow as pa
import pytest
from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks.metric_catalogue import PUBLISHED
from prunescope.audit_jobs.sinks.metric_samples import run_samples
from prunescope.audit_jobs.sinks.prometheus import push, registry
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery
from prunescope.dashboards.recording import recording_rules
from prunescope.dashboards.rules import rules_yaml
from prunescope.dashboards.settings import Settings, Thresholds
from tests.dashboards.demo_audit import audited_demo
from tests.integration.audits import WINDOW, open_catalog, write_config, write_ids
from tests.integration.prometheus_servers import Servers, serve, until

pytestmark = pytest.mark.slow

QUICK = Settings(
    evaluation_interval="1s",
    baseline_window="10m",
    baseline_step="1s",
    baseline_offset="1m",
    burn_in="2s",
    hold="2s",
    settle="1s",
    thresholds=Thresholds(bytes_read=0),
)
"""Minutes for weeks, and seconds for days."""


def publish(servers: Servers, result: AuditResult) -> None:
    """As the nightly job does."""
    samples = run_samples(rows_of(result), max_tables=50)
    push(
        registry(samples, PUBLISHED, "lake"), f"http://{servers.pushgateway}", "prunescope", "lake"
    )


@pytest.fixture(scope="module")
def demo(
    demo_lake: Path,
    require_program: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Servers]:
    """Servers that have scraped the demo's audit and evaluated all rules of it."""
    result, _ = audited_demo(demo_lake)
    folder = tmp_path_factory.mktemp("servers")
    with serve(require_program, folder, rules_yaml(QUICK)) as servers:
        publish(servers, result)
        last = recording_rules(QUICK)[-1].name
        until(lambda: servers.query(last))
        yield servers


def test_every_recording_rule_has_data(demo: Servers) -> None:
    # A scrape in the midst of an evaluation is seen by those of its rules that come later.
    until(lambda: all(demo.query(rule.name) for rule in recording_rules(QUICK)))


def test_promtool_accepts_what_was_pushed(
    demo: Servers, require_program: Callable[[str], Path]
) -> None:
    served = httpx.get(f"http://{demo.pushgateway}/metrics").text
    ours = "".join(line for line in served.splitlines(keepends=True) if "prunescope_" in line)
    assert "prunescope_findings{" in ours
    checked = subprocess.run(
        [require_program("promtool"), "check", "metrics"],
        input=ours,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


FILES, ROWS = 20, 200


@dataclass(frozen=True)
class Audits:
    """Audits of one table, and of one query that asks for a range of its ids."""

    config: Path
    catalog: Catalog

    def write(self, *, sorted_by_id: bool) -> None:
        """Replaces all rows: each file has a range of ids of its own, or all have every id."""
        write_ids(self.catalog.load_table("db.t"), FILES, ROWS, sorted_by_id=sorted_by_id)

    def result(self) -> AuditResult:
        query = ObservedQuery(
            source="test",
            query_id="q",
            sql="SELECT * FROM lake.db.t WHERE id BETWEEN 100 AND 150",
            dialect="trino",
            started_at=None,
            engine="trino",
            engine_version="480",
        )
        runner = LocalRunner()
        inputs = made_inputs(runner, [name_tables(query)])
        return run_audit(load_config(self.config), WINDOW, inputs, runner, lambda _: None)


@pytest.fixture
def audits(tmp_path: Path) -> Iterator[Audits]:
    config = write_config(tmp_path, [{"type": "trino_events", "paths": ["none"]}])
    catalog = open_catalog(config)
    catalog.create_namespace("db")
    catalog.create_table("db.t", pa.schema([("id", pa.int64())]))
    yield Audits(config, catalog)
    catalog.close()


def test_a_broken_layout_reaches_the_webhook_and_its_repair_as_well(
    require_program: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
    audits: Audits,
) -> None:
    broken = {"alertname": "PrunescopeLowPruning", "table": "t", "pass": "data_files"}
    with serve(require_program, tmp_path_factory.mktemp("servers"), rules_yaml(QUICK)) as servers:
        audits.write(sorted_by_id=False)
        publish(servers, audits.result())
        until(lambda: servers.notified("firing", broken))

        (told, *_) = servers.notified("firing", broken)
        assert told["labels"]["severity"] == "warning"
        annotations = told["annotations"]
        assert annotations["summary"] == "lake.db.t: scans skip almost no data files"
        assert "Scans keep 100%" in annotations["description"]
        assert annotations["runbook_url"].endswith("docs/alerts.md#prunescopelowpruning")
        assert servers.notified("resolved", broken) == []

        audits.write(sorted_by_id=True)
        publish(servers, audits.result())
        until(lambda: servers.notified("resolved", broken))
