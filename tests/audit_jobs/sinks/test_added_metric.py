"""A metric that is added, as CONTRIBUTING.md says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prometheus_client import generate_latest

from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks import metric_reading as reading
from prunescope.audit_jobs.sinks.metric_catalogue import OTHER, TABLE_LABELS, Metric
from prunescope.audit_jobs.sinks.metric_samples import run_samples
from prunescope.audit_jobs.sinks.prometheus import registry
from prunescope.audit_jobs.sinks.run_rows import rows_of
from tests.audit_jobs.findings.usages import table
from tests.audit_jobs.sinks.results import EVENTS, ORDERS, audit_result, replayed

PARTITIONS = Metric(
    "prunescope_table_partitions",
    "Partitions of the current snapshot",
    TABLE_LABELS,
    read=reading.layout(lambda row: row["partitions"]),
)
FOLDED = (OTHER, OTHER, OTHER)


def _run(*partitions: int | None) -> AuditResult:
    """Of two tables at most, of whose layout that is known."""
    health = [
        replace(table(), table=name, partitions=count)
        for name, count in zip((ORDERS, EVENTS), partitions, strict=False)
    ]
    return replace(audit_result(replayed("a")), health=tuple(health))


@pytest.fixture
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "PUBLISHED", (*catalogue.PUBLISHED, PARTITIONS))


@pytest.mark.usefixtures("_added")
def test_a_metric_is_a_value_and_a_line() -> None:
    samples = run_samples(rows_of(_run(7, 5)), max_tables=9)
    told = generate_latest(registry(samples, catalogue.PUBLISHED, "lake")).decode()
    labels = 'audit_catalog="lake",catalog="lake",namespace="sales",table="orders"'
    assert "# HELP prunescope_table_partitions Partitions of the current snapshot" in told
    assert f"prunescope_table_partitions{{{labels}}} 7.0" in told


@pytest.mark.usefixtures("_added")
@pytest.mark.parametrize(
    ("partitions", "expected"),
    [
        pytest.param((7, 5), {FOLDED: 12}, id="summed up"),
        pytest.param((7, None), {}, id="unknown where a part is"),
    ],
)
def test_its_tables_are_folded_as_all_are(
    partitions: tuple[int | None, ...], expected: dict[tuple[str, ...], float]
) -> None:
    samples = run_samples(rows_of(_run(*partitions)), max_tables=0)
    assert {s.labels: s.value for s in samples if s.metric == PARTITIONS} == expected


def test_without_the_line_it_has_no_sample() -> None:
    names = {sample.metric.name for sample in run_samples(rows_of(_run(7)), max_tables=9)}
    assert catalogue.TABLE_DATA_FILES.name in names
    assert PARTITIONS.name not in names
