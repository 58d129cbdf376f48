"""What an audit of the demo tells: the same metrics by every way, and its traces."""

from __future__ import annotations

import datetime as dt
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from prometheus_client.parser import text_string_to_metric_families

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.errors import GateClosed
from prunescope.audit_jobs.exporter.latest import LatestRun
from prunescope.audit_jobs.gate.validate import FailedCheck, GateResult
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_catalogue import Metric
from prunescope.audit_jobs.sinks.telemetry import open_telemetry
from prunescope.audit_jobs.spans import span
from tests.audit_jobs.sinks.test_telemetry import hanging, otlp
from tests.integration.audits import audit, audit_here, open_catalog, run_here, with_own_tables
from tests.otlp import Received, grpc_receiver, http_receiver

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

START = dt.datetime.combine(DAY, dt.time(), dt.UTC)
WINDOW = Window(START, START + dt.timedelta(days=1))
STAGES = {"read_logs", "open_tables", "extract", "collect", "sample_rows", "judge", "check"}
PASSES = {"pass.manifest_list", "pass.manifest", "pass.row_group"}

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture(scope="module")
def demo(demo_lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of the demo."""
    return with_own_tables(demo_lake, tmp_path_factory.mktemp("telemetry"))


def with_section(config: Path, **sections: Any) -> Path:
    """The same configuration with other sections, in a file beside it."""
    path = config.with_name("other.yaml")
    path.write_text(yaml.safe_dump({**yaml.safe_load(config.read_text()), **sections}))
    return path


def in_file(config: Path) -> Samples:
    text = load_config(config).metrics.textfile
    assert text is not None
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text.read_text())
        for sample in family.samples
    }


def of_run(samples: Samples) -> Samples:
    return {key: v for key, v in samples.items() if key[0] != catalogue.RUN_TELEMETRY_FAILED.name}


@dataclass(frozen=True)
class Told:
    """What a run told, while it was the last one: in its file, and by the exporter."""

    config: Path
    received: Received
    clean: bool
    in_file: Samples
    exported: Samples


@pytest.fixture(scope="module")
def told(demo: Path, spark: SparkSession) -> Told:
    """An audit of the demo on Spark, with a collector."""
    assert spark is not None
    with http_receiver() as received:
        config = with_section(demo, otlp={"endpoint": received.endpoint})
        clean = audit(config, WINDOW)
    return Told(config, received, clean, in_file(config), exported(config))


def exported(config: Path) -> Samples:
    namespace = load_config(config).audit.namespace
    latest = LatestRun(lambda: open_catalog(config), namespace, max_tables=200)
    return {
        named(s.metric, *zip(s.metric.labels, s.labels, strict=True)): s.value
        for s in latest.read(None).samples
    }


def named(metric: Metric, *labels: tuple[str, str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A sample's name and labels, of which all have the catalog of the audit tables."""
    return metric.name, tuple(sorted(((catalogue.AUDIT_CATALOG, "lake"), *labels)))


@pytest.mark.slow
def test_the_same_samples_leave_by_every_way(told: Told) -> None:
    job = told.in_file
    assert len(job) > 100
    assert told.exported == of_run(job) == told.received.samples
    assert {key: value for key, value in job.items() if key not in of_run(job)} == {
        named(catalogue.RUN_TELEMETRY_FAILED, ("signal", signal)): 0
        for signal in ("metrics", "traces")
    }
    read = job[named(catalogue.RUN_READ)]
    assert 10_000 < read < 100_000_000


def by_name(spans: list[Span], name: str) -> list[Span]:
    return [span for span in spans if span.name == name]


def attributes(span: Span) -> dict[str, Any]:
    return {a.key: getattr(a.value, str(a.value.WhichOneof("value"))) for a in span.attributes}


@pytest.mark.slow
def test_the_run_is_one_trace_of_stages_tables_and_passes(told: Told) -> None:
    spans = told.received.spans
    assert len({span.trace_id for span in spans}) == 1
    (root,) = by_name(spans, "pruning.audit.run")
    assert attributes(root)["prunescope.status"] == "partial"
    assert attributes(root)["prunescope.queries.replayed"] > 10
    stages = {span.name for span in spans if span.parent_span_id == root.span_id}
    assert stages == STAGES | {"publish"}
    (collect,) = by_name(spans, "collect")
    tables = by_name(spans, "table")
    assert {span.parent_span_id for span in tables} == {collect.span_id}
    assert len(tables) > 3
    orders = next(t for t in tables if attributes(t)["iceberg.table.name"] == "lake.sales.orders")
    found = attributes(orders)
    assert (found["db.system.name"], found["db.namespace"], found["db.collection.name"]) == (
        "iceberg",
        "lake.sales",
        "orders",
    )
    assert found["prunescope.scans"] > 0
    passes = {span.name: span for span in spans if span.parent_span_id == orders.span_id}
    assert passes.keys() == PASSES
    manifest = attributes(passes["pass.manifest"])
    assert manifest["prunescope.manifests"] > 0
    assert manifest["prunescope.data_files_considered"] >= manifest["prunescope.data_files_kept"]
    assert {span.name for span in spans} == {
        *STAGES,
        *PASSES,
        "publish",
        "table",
        "pruning.audit.run",
    }


@pytest.mark.slow
def test_spans_lie_within_their_parents(told: Told) -> None:
    spans = {span.span_id: span for span in told.received.spans}
    for child in spans.values():
        if child.parent_span_id:
            parent = spans[child.parent_span_id]
            assert parent.start_time_unix_nano <= child.start_time_unix_nano
            assert child.start_time_unix_nano <= child.end_time_unix_nano
            assert child.end_time_unix_nano <= parent.end_time_unix_nano


@pytest.mark.slow
def test_no_sql_and_no_literal_is_sent(told: Told) -> None:
    texts = [
        value
        for span in told.received.spans
        for key, value in attributes(span).items()
        if isinstance(value, str) and not key.startswith("prunescope.window_")
    ]
    texts += [span.name for span in told.received.spans]
    texts += [value for _, labels in told.received.samples for _, value in labels]
    assert {text for text in texts if not re.fullmatch("[a-z0-9_.]+", text)} == set()
    assert not any(name in text for text in texts for name in ("order_ts", "customer_id"))


@pytest.mark.slow
@pytest.mark.parametrize("receiver", [hanging, lambda: http_receiver(500)])
def test_a_bad_collector_changes_nothing_but_a_warning_and_a_sample(
    demo: Path,
    told: Told,
    receiver: Callable[[], AbstractContextManager[Received]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    with receiver() as bad:
        config = with_section(demo, otlp={"endpoint": bad.endpoint, "timeout_seconds": 0.5})
        clean = audit_here(config, WINDOW)
    assert clean == told.clean
    samples = in_file(config)
    assert samples[named(catalogue.RUN_TELEMETRY_FAILED, ("signal", "traces"))] == 1
    assert samples[named(catalogue.RUN_TELEMETRY_FAILED, ("signal", "metrics"))] == 1
    tables = {key: v for key, v in told.received.samples.items() if "_run_" not in key[0]}
    for key, value in tables.items():
        if not key[0].endswith("_timestamp_seconds"):
            assert samples[key] == value
    errors = capsys.readouterr().err
    assert "traces did not reach otlp.endpoint" in errors
    assert "metrics did not reach otlp.endpoint" in errors


@pytest.mark.slow
def test_a_run_that_publishes_nothing_tells_that_it_was(
    demo: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = of_run(in_file(told.config))
    refused = GateResult(checks=73, failed=(FailedCheck("scan_plans", "bytes_kept", 1, ("12/0",)),))
    monkeypatch.setattr("prunescope.audit_jobs.gate.admit.validate", lambda *_: refused)
    with grpc_receiver() as received:
        config = with_section(demo, otlp={"endpoint": received.endpoint, "protocol": "grpc"})
        with pytest.raises(GateClosed):
            audit_here(config, WINDOW)
    after = of_run(in_file(demo))
    changed = {key for key in after if after[key] != before.get(key)}
    status, completed = catalogue.RUN_STATUS, catalogue.LAST_COMPLETION
    assert changed == {
        named(status, ("status", "failed")),
        named(status, ("status", "partial")),
        named(completed),
    }
    assert after.keys() == before.keys()
    assert {name for name, _ in received.samples} == {status.name, completed.name}
    (root,) = by_name(received.spans, "pruning.audit.run")
    assert (root.status.code, root.status.message) == (2, "GateClosed")


@pytest.mark.slow
def test_in_process_the_spans_and_the_bytes_are_the_same_kind(demo: Path) -> None:
    with http_receiver() as received:
        telemetry = open_telemetry(otlp(received.endpoint, "http"), "lake")
        with telemetry.recording(), span("root"):
            result = run_here(load_config(demo), WINDOW)
        telemetry.send(())
    assert {span.name for span in received.spans} >= PASSES
    assert result.run.read_bytes is not None
    assert result.run.read_bytes > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_a_process_ends_though_the_collector_hangs(protocol: str) -> None:
    program = """if True:
        import sys
        from prunescope.audit_jobs.publishing_config import Otlp
        from prunescope.audit_jobs.sinks.telemetry import open_telemetry
        from prunescope.audit_jobs.spans import span
        config = Otlp(endpoint=sys.argv[1], protocol=sys.argv[2], timeout_seconds=0.5)
        telemetry = open_telemetry(config, "lake")
        with telemetry.recording(), span("stage"):
            pass
        print(sorted(telemetry.send(())))
    """
    with hanging() as collector:
        ended = subprocess.run(
            [sys.executable, "-c", program, collector.endpoint, protocol],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert (ended.returncode, ended.stdout) == (0, "['metrics', 'traces']\n")
