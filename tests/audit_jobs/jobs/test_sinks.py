"""A sink is a module and a line, and is told of every run that ends."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.errors import GateClosed
from prunescope.audit_jobs.jobs import nightly
from prunescope.audit_jobs.jobs.sinks import sinks_of
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks.run_rows import RunRows
from tests.additions import Additions
from tests.audit_jobs.jobs.night import run

pytestmark = pytest.mark.slow

DAY = dt.date(2026, 3, 10)


@dataclass
class Remembered:
    """A Sink that remembers what it was told."""

    published: list[RunRows] = field(default_factory=list)
    not_published: list[Row] = field(default_factory=list)

    def publish(self, rows: RunRows) -> None:
        self.published.append(rows)

    def failed(self, run: Row) -> None:
        self.not_published.append(run)


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    """A configuration, for a table and a query of it."""
    properties = {
        "type": "sql",
        "uri": f"sqlite:///{tmp_path}/catalog.db",
        "warehouse": f"file://{tmp_path}/warehouse",
    }
    catalog = SqlCatalog("lake", **properties)
    catalog.create_namespace("db")
    rows = pa.table({"k": pa.array(range(10), pa.int64())})
    catalog.create_table("db.t", rows.schema).append(rows)
    record = {"sql": "SELECT * FROM lake.db.t WHERE k = 3"}
    (tmp_path / "log.jsonl").write_text(json.dumps(record))
    return {
        "catalogs": {"lake": {"properties": properties}},
        "audit": {"catalog": "lake", "namespace": "ops"},
        "sources": [{"type": "sql_records", "paths": [str(tmp_path / "log.jsonl")]}],
    }


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Remembered:
    added = Remembered()
    monkeypatch.setattr(nightly, "sinks_of", lambda *of: [*sinks_of(*of), added])
    return added


def test_a_sink_is_a_value_and_a_line(document: dict[str, Any], tmp_path: Path) -> None:
    """And its section of the configuration."""
    added = Additions.within(tmp_path)
    added.module("audit_jobs/sinks/run_lines.py", Path(__file__).with_name("run_lines.py"))
    added.lines(
        "audit_jobs/config.py",
        (
            "from prunescope.audit_jobs.suggestions import suggestion\n",
            "\n\nclass RunLinesConfig(Section):\n    path: Path\n",
        ),
        ("    report: Report = Report()\n", "    run_lines: RunLinesConfig | None = None\n"),
    )
    added.lines(
        "audit_jobs/jobs/sinks.py",
        (
            "from prunescope.audit_jobs.sinks.metrics import Metrics\n",
            "from prunescope.audit_jobs.sinks.run_lines import RunLines\n",
        ),
        (
            "    sinks: list[Sink] = [Metrics(config, telemetry, catalog)]\n",
            "    if config.run_lines:\n        sinks.append(RunLines(config.run_lines.path))\n",
        ),
    )
    document["run_lines"] = {"path": "runs.jsonl"}
    (tmp_path / "audit.yaml").write_text(yaml.safe_dump(document))
    done = added.runs("-m", "tests.audit_jobs.jobs.night", DAY.isoformat())
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines()]
    assert told == [[done.stdout.strip(), "succeeded"]]


def test_a_sink_is_told_of_a_run_that_the_gate_holds_back(
    document: dict[str, Any], sink: Remembered, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object) -> AuditResult:
        raise GateClosed("its sums contradict each other")

    monkeypatch.setattr(nightly, "admit", closed)
    with pytest.raises(GateClosed):
        run(validate_config(document, "test"), DAY)
    (row,) = sink.not_published
    assert row["status"] == "failed"
    assert not sink.published


class Failing(Remembered):
    """A Sink that fails in a way that nobody foresaw."""

    def publish(self, rows: RunRows) -> None:
        super().publish(rows)
        raise ZeroDivisionError


def test_a_sink_that_fails_is_a_warning_and_stops_no_other(
    document: dict[str, Any],
    sink: Remembered,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    failing = Failing()
    monkeypatch.setattr(nightly, "sinks_of", lambda *of: [failing, *sinks_of(*of), sink])
    document["metrics"] = {
        "pushgateway": "http://me:hidden@127.0.0.1:1",
        "textfile": str(tmp_path / "m.prom"),
    }
    document["report"] = {"path": str(tmp_path / "report.html")}
    run(validate_config(document, "test"), DAY)
    assert len(failing.published) == len(sink.published) == 1
    assert (tmp_path / "report.html").exists()
    assert (tmp_path / "m.prom").exists()
    told = capsys.readouterr().err
    assert "ZeroDivisionError in prunescope while telling of a run" in told
    assert "Cannot push metrics to http://127.0.0.1:1 (" in told
    assert "hidden" not in told
