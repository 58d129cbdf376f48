"""A sink is a module and a line, and is told of every run that ends."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog

from audit_jobs.config import AuditConfig, validate_config
from audit_jobs.errors import GateClosed
from audit_jobs.jobs import nightly
from audit_jobs.jobs.sinks import sinks_of
from audit_jobs.planning.items import Runner
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.progress import Progress
from audit_jobs.records import Window
from audit_jobs.results.columns import Row
from audit_jobs.results.result import AuditResult
from audit_jobs.sinks.run_rows import RunRows

pytestmark = pytest.mark.slow

START = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
WINDOW = Window(START, START + dt.timedelta(days=1))


@dataclass
class Remembered:
    """A Sink that remembers what it was told."""

    published: list[RunRows] = field(default_factory=list)
    not_published: list[Row] = field(default_factory=list)

    def publish(self, rows: RunRows) -> None:
        self.published.append(rows)

    def failed(self, run: Row) -> None:
        self.not_published.append(run)


@contextmanager
def in_process(_: AuditConfig, __: Progress) -> Iterator[Runner]:
    yield LocalRunner()


@pytest.fixture
def config(tmp_path: Path) -> AuditConfig:
    properties = {
        "type": "sql",
        "uri": f"sqlite:///{tmp_path}/catalog.db",
        "warehouse": f"file://{tmp_path}/warehouse",
    }
    catalog = SqlCatalog("lake", **properties)
    catalog.create_namespace("db")
    rows = pa.table({"k": pa.array(range(10), pa.int64())})
    catalog.create_table("db.t", rows.schema).append(rows)
    record = {"sql": "SELECT * FROM lake.db.t WHERE k = 3", "started_at": START.isoformat()}
    (tmp_path / "log.jsonl").write_text(json.dumps(record))
    document = {
        "catalogs": {"lake": {"properties": properties}},
        "audit": {"catalog": "lake", "namespace": "ops"},
        "sources": [{"type": "sql_records", "paths": [str(tmp_path / "log.jsonl")]}],
    }
    return validate_config(document, "test")


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Remembered:
    added = Remembered()
    monkeypatch.setattr(nightly, "sinks_of", lambda *of: [*sinks_of(*of), added])
    return added


def run(config: AuditConfig) -> AuditResult:
    return nightly.run_nightly(config, WINDOW, lambda _: None, session=in_process)


def test_a_sink_is_a_value_and_a_line(config: AuditConfig, sink: Remembered) -> None:
    result = run(config)
    (rows,) = sink.published
    assert rows.run["run_id"] == result.run.run_id
    assert sum(result.run.queries.values()) == 1
    assert not sink.not_published


def test_a_sink_is_told_of_a_run_that_the_gate_holds_back(
    config: AuditConfig, sink: Remembered, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object) -> AuditResult:
        raise GateClosed("its sums contradict each other")

    monkeypatch.setattr(nightly, "admit", closed)
    with pytest.raises(GateClosed):
        run(config)
    (row,) = sink.not_published
    assert row["status"] == "failed"
    assert not sink.published
