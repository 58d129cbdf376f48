"""The samples of a run: from rows, whoever has them, and capped."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.audit_jobs.records import Matching, ScanRecord
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.audit_jobs.sinks.metric_catalogue import OTHER, Metric
from prunescope.audit_jobs.sinks.metric_samples import MAX_VALUES, Sample, run_samples
from prunescope.audit_jobs.sinks.published_run import read_run
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.collectors.observed import TableName
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

ORDERS_LABELS = ("lake", "sales", "orders")
EVENTS_LABELS = ("lake", "web.raw", "events")
FOLDED = (OTHER, OTHER, OTHER)


def column(name: str, depth: float | None) -> ColumnHealth:
    return ColumnHealth(1, name, "long", 1.0, 0.5, depth, None, 0, None, None)


def health(table: TableName, depth: float | None, *columns: ColumnHealth) -> TableHealth:
    return TableHealth(
        table=table,
        snapshot_id=11,
        spec_id=2,
        measured=1.0,
        manifests=10,
        manifest_bytes=4_000,
        manifest_depth=depth,
        data_files=40,
        records=400,
        bytes=4_000,
        target_file_bytes=512,
        small_files=7,
        files_by_spec={0: 3, 1: 2, 2: 35},
        position_delete_files=1,
        equality_delete_files=2,
        deletion_vectors=0,
        partitions=None,
        partition_files=None,
        partition_bytes=None,
        columns=columns,
    )


MATCHING = Matching(0.1, 0.05, 0.2, 1_000, holding=0.02, holding_low=0.01, holding_high=0.03)
RESULT = replace(
    audit_result(
        replace(replayed("a"), agreement=Agreement.AGREES, matching=MATCHING),
        replace(replayed("b"), agreement=Agreement.OVER_READ),
        replace(replayed("c", EVENTS), agreement=Agreement.AGREES, potential=None),
        UNPARSEABLE,
        findings=(
            FOUND,
            replace(FOUND, bytes_at_stake=None),
            SPREAD,
            replace(SPREAD, suppressed="x"),
        ),
    ),
    health=(
        health(ORDERS, 1.5, column("a", 3.0), column("b", 8.0), column("c", None)),
        health(EVENTS, None, column("a", None)),
    ),
)


def samples(result: AuditResult, max_tables: int = 9) -> list[Sample]:
    return run_samples(rows_of(result), max_tables=max_tables)


Values = dict[tuple[str, ...], float]


def by_metric(result: AuditResult, max_tables: int = 9) -> Mapping[Metric, Values]:
    found: dict[Metric, Values] = defaultdict(dict)
    for sample in samples(result, max_tables):
        found[sample.metric][sample.labels] = sample.value
    return found


def of(metric: Metric, result: AuditResult, max_tables: int = 9) -> Values:
    return by_metric(result, max_tables)[metric]


def test_samples_have_as_many_labels_as_their_metric_and_are_there_once() -> None:
    found = samples(RESULT)
    assert all(len(s.labels) == len(s.metric.labels) for s in found)
    assert len({(s.metric, s.labels) for s in found}) == len(found)
    assert {s.metric for s in found} == set(catalogue.PUBLISHED)


def test_scans_are_counted_by_agreement() -> None:
    assert of(catalogue.SCANS_BY_AGREEMENT, RESULT) == {
        (*ORDERS_LABELS, "agrees"): 1,
        (*ORDERS_LABELS, "over_read"): 1,
        (*EVENTS_LABELS, "agrees"): 1,
    }


def test_false_keeps_are_counted_of_sampled_scans_alone() -> None:
    read = summary().bytes
    assert (read.total, read.kept) == (4_000, 500)
    allowed = of(catalogue.FALSE_KEEPS_OF, RESULT)
    assert allowed == {ORDERS_LABELS: 500}
    assert of(catalogue.FALSE_KEPT, RESULT) == {ORDERS_LABELS: 420}
    assert of(catalogue.FALSE_KEPT_LOW, RESULT) == {ORDERS_LABELS: 380}
    assert of(catalogue.FALSE_KEPT_HIGH, RESULT) == {ORDERS_LABELS: 460}


def test_what_statistics_allow_is_absent_where_one_scan_does_not_know_it() -> None:
    data_files, data = catalogue.FUNNEL_METRICS[1].allowed, catalogue.FUNNEL_METRICS[2].allowed
    assert data_files is not None
    assert data is not None
    assert of(data_files, RESULT) == {ORDERS_LABELS: 10}
    assert of(data, RESULT) == {ORDERS_LABELS: 1_000}


def test_findings_that_are_suppressed_are_counted_apart() -> None:
    assert of(catalogue.FINDINGS, RESULT) == {
        (*ORDERS_LABELS, "wrapped_column", "high"): 2,
        (*EVENTS_LABELS, "unclustered_column", "low"): 1,
    }
    assert of(catalogue.RUN_FINDINGS_SUPPRESSED, RESULT) == {(): 1}
    assert of(catalogue.RUN_FINDINGS, RESULT) == {
        ("critical",): 0,
        ("high",): 2,
        ("medium",): 0,
        ("low",): 1,
        ("info",): 0,
    }


def test_a_stake_that_nobody_knows_has_no_sample() -> None:
    assert of(catalogue.FINDING_STAKE, RESULT) == {(*ORDERS_LABELS, "wrapped_column"): 900}


def test_layouts_are_told_by_table() -> None:
    assert of(catalogue.TABLE_OLD_SPEC_FILES, RESULT) == {ORDERS_LABELS: 5, EVENTS_LABELS: 5}
    assert of(catalogue.TABLE_SMALL_FILES, RESULT) == {ORDERS_LABELS: 7, EVENTS_LABELS: 7}
    assert of(catalogue.TABLE_SIZE, RESULT) == {ORDERS_LABELS: 4_000, EVENTS_LABELS: 4_000}
    assert of(catalogue.TABLE_MANIFEST_DEPTH, RESULT) == {ORDERS_LABELS: 1.5}
    assert of(catalogue.TABLE_WORST_COLUMN_DEPTH, RESULT) == {ORDERS_LABELS: 8.0}
    assert of(catalogue.TABLE_DELETE_FILES, RESULT) == {
        (*labels, kind): count
        for labels in (ORDERS_LABELS, EVENTS_LABELS)
        for kind, count in (("position", 1), ("equality", 2), ("deletion_vector", 0))
    }
    assert of(catalogue.RUN_TABLES_MEASURED, RESULT) == {(): 2}


def test_folded_tables_are_summed_up_and_their_depth_is_the_worst() -> None:
    big = audit_result(
        replayed("z", TableName("lake", (), "big"), summary(data=BIG)), findings=RESULT.findings
    )
    one = replace(big, health=(health(ORDERS, 1.5), health(EVENTS, 4.0, column("a", 2.0))))
    assert of(catalogue.TABLE_DATA_FILES, one, 1) == {FOLDED: 80}
    assert of(catalogue.TABLE_MANIFEST_DEPTH, one, 1) == {FOLDED: 4.0}
    assert of(catalogue.TABLE_WORST_COLUMN_DEPTH, one, 1) == {FOLDED: 2.0}
    assert of(catalogue.FINDINGS, one, 1) == {
        (*FOLDED, "wrapped_column", "high"): 2,
        (*FOLDED, "unclustered_column", "low"): 1,
    }
    assert of(catalogue.RUN_TABLES_FOLDED, one, 1) == {(): 2}


BIG = Funnel(9_000, 9_000, 9_000)


def test_values_of_other_labels_are_capped_and_nothing_is_lost() -> None:
    findings = tuple(replace(FOUND, cause=f"cause_{n:02}") for n in range(MAX_VALUES + 3))
    result = audit_result(findings=findings)
    counted = of(catalogue.FINDINGS, result)
    assert len(counted) == MAX_VALUES + 1
    assert counted[*ORDERS_LABELS, OTHER, "high"] == 3
    assert of(catalogue.FINDING_STAKE, result)[*ORDERS_LABELS, OTHER] == 3 * 900
    assert of(catalogue.RUN_LABELS_FOLDED, result) == {
        ("agreement",): 0,
        ("finding",): 3,
        ("outcome",): 0,
    }


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqlCatalog]:
    opened = SqlCatalog(
        "lake", uri=f"sqlite:///{tmp_path / 'catalog.db'}", warehouse=(tmp_path / "wh").as_uri()
    )
    yield opened
    opened.close()


@pytest.mark.slow
def test_a_run_that_is_read_back_has_the_same_samples(catalog: SqlCatalog) -> None:
    publish(RESULT, catalog, "pruning_audit")
    rows = read_run(catalog, "pruning_audit", None)
    assert run_samples(rows, max_tables=9) == samples(RESULT)


FUNNEL = st.builds(
    Funnel, *(st.none() | st.integers(0, 100) for _ in ("total", "considered", "kept"))
)
TABLES = [TableName("lake", ("s",), name) for name in "abcd"]


@st.composite
def scans(draw: st.DrawFn) -> list[ScanRecord]:
    found = []
    for number in range(draw(st.integers(0, 8))):
        plan = summary(data_files=draw(FUNNEL), data=draw(FUNNEL), row_groups=draw(FUNNEL))
        found.append(replayed(str(number), draw(st.sampled_from(TABLES)), plan))
    return found


@given(scans(), st.integers(1, 5))
@pytest.mark.slow
def test_folding_loses_no_count(records: list[ScanRecord], max_tables: int) -> None:
    result = audit_result(*records)
    unfolded, in_few = by_metric(result), by_metric(result, max_tables)
    additive = [
        catalogue.SCANS,
        catalogue.SCANS_ROW_GROUPS_UNKNOWN,
        *(
            metric
            for funnel in catalogue.FUNNEL_METRICS
            for metric in (funnel.considered, funnel.kept)
        ),
    ]
    for metric in additive:
        whole, folded = unfolded[metric], in_few[metric]
        assert sum(folded.values()) == sum(whole.values())
        assert len(folded) <= max_tables + 1


@given(scans())
@pytest.mark.slow
def test_what_is_kept_was_counted_over_the_same_scans_as_what_is_considered(
    records: list[ScanRecord],
) -> None:
    found = by_metric(audit_result(*records))
    for funnel in catalogue.FUNNEL_METRICS:
        assert found[funnel.considered].keys() == found[funnel.kept].keys()
        for optional in (funnel.in_snapshot, funnel.allowed):
            if optional is not None:
                assert found[optional].keys() <= found[funnel.kept].keys()
