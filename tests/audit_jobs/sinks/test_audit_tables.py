"""Publishing to audit tables in a real SQL catalog."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import get_type_hints

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.transforms import DayTransform
from pyiceberg.types import LongType

from prunescope.audit_jobs.pruning.summary import Footers, ScanPlanSummary
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS, FILTER_LEVELS
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.counters import COUNTERS, MAPPINGS
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, FUNNELS, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, FINDINGS
from prunescope.audit_jobs.sinks.audit_tables import publish
from tests.audit_jobs.sinks.published import NAMESPACE, TABLES, load, rows
from tests.audit_jobs.sinks.results import (
    DAY,
    EVENTS,
    FOUND,
    HOUR,
    MIDNIGHT,
    ORDERS,
    SPREAD,
    UNPARSEABLE,
    audit_result,
    replayed,
    summary,
)

pytestmark = pytest.mark.slow


def test_first_run_creates_tables_partitioned_by_day_with_documented_columns(
    catalog: SqlCatalog,
) -> None:
    publish(audit_result(replayed("a")), catalog, NAMESPACE)
    for table in TABLES:
        created = load(catalog, table)
        assert created.format_version == 2
        assert created.properties["comment"] == table.comment
        assert created.properties["write.metadata.delete-after-commit.enabled"] == "true"
        (field,) = created.spec().fields
        source = created.schema().find_column_name(field.source_id)
        assert (source, field.transform) == ("window_start", DayTransform())
        assert all(column.doc for column in created.schema().fields)


def test_a_run_row_holds_the_whole_run(catalog: SqlCatalog) -> None:
    findings = (FOUND, SPREAD, replace(SPREAD, suppressed="soon dropped"))
    publish(audit_result(replayed("a"), UNPARSEABLE, findings=findings), catalog, NAMESPACE)
    assert rows(catalog, AUDIT_RUNS) == [
        {
            "run_id": "run-1",
            "window_start": MIDNIGHT,
            "window_end": MIDNIGHT + DAY,
            "started_at": MIDNIGHT + DAY + HOUR,
            "finished_at": MIDNIGHT + DAY + HOUR + dt.timedelta(seconds=90.5),
            "duration_seconds": 90.5,
            "status": "partial",
            "versions": [("prunescope", "0.1.0"), ("pyiceberg", "0.12.0")],
            "queries": [("replayed", 2), ("unparseable", 1)],
            "tables": 3,
            "tables_failed": [("lake.sales.gone", "catalog 'lake' has no table lake.sales.gone")],
            "tables_failed_count": 1,
            "tables_set_aside": [],
            "tables_set_aside_count": 0,
            "tables_unmeasured": [],
            "tables_unmeasured_count": 0,
            "causes_failed": [],
            "causes_failed_count": 0,
            "newer_planners": [],
            "footers_read": 9,
            "footers_unread": 3,
            "metadata": [
                ("footers_cached", 7),
                ("footers_skipped", 5),
                ("manifests_bytes", 4_000),
                ("manifests_requests", 2),
            ],
            "read_bytes": 70_000,
            "scans": 2,
            "findings": [("high", 1), ("low", 1)],
        }
    ]


def test_a_scan_row_keeps_unknown_counts_null(catalog: SqlCatalog) -> None:
    publish(audit_result(replayed("a", EVENTS)), catalog, NAMESPACE)
    (row,) = rows(catalog, SCAN_PLANS)
    assert {
        "catalog": "lake",
        "namespace": "web.raw",
        "table": "events",
        "spec_ids": [0, 2],
        "manifests_total": 10,
        "delete_manifests_kept": 0,
        "delete_files_considered": 2,
        "position_delete_files_kept": 1,
        "dangling_position_delete_files": 1,
        "dangling_equality_delete_files": 0,
        "planner": "trino, iceberg 1.11",
        "data_files_kept": 5,
        "bytes_total": 4_000,
        "row_groups_total": None,
        "row_groups_considered": 15,
        "row_group_bytes_kept": 190,
        "unread": [("unread_missing", 1)],
        "observed": [("physical_input_rows", 50), ("result_data_files", 5)],
    }.items() <= row.items()


def test_every_funnel_of_a_summary_has_its_columns() -> None:
    names = {column.name for column in SCAN_PLANS.columns}
    assert len(FUNNELS) == 12
    assert {f"{funnel}_{stage}" for funnel in FUNNELS for stage in ("total", "kept")} <= names


def test_every_count_of_a_summary_has_its_column() -> None:
    """But those of ids, of footers that were read, which are the rest, and of why others were not,
    which is a list of pairs."""
    types = get_type_hints(ScanPlanSummary)
    counts = {name for name, found in types.items() if found is int} - {"schema_id"}
    counts |= {f"footers.{name}" for name in Footers._fields} - {"footers.read"}
    assert counts <= {counter.path for counter in COUNTERS if counter.key is None}
    mappings = {name for name, found in types.items() if found == Mapping[str, int]} - {"unread"}
    assert mappings == set(MAPPINGS)
    for path in mappings:
        keys = FILTER_LEVELS if path == "row_groups_by" else DELETE_KINDS
        assert {counter.key for counter in COUNTERS if counter.path == path} == set(keys)


def test_an_input_without_a_scan_has_a_row_without_counts(catalog: SqlCatalog) -> None:
    publish(audit_result(UNPARSEABLE), catalog, NAMESPACE)
    (row,) = rows(catalog, SCAN_PLANS)
    assert {name: value for name, value in row.items() if value is not None} == {
        "run_id": "run-1",
        "window_start": MIDNIGHT,
        "window_end": MIDNIGHT + DAY,
        "scan_key": "broken",
        "source": "sql_records",
        "location": "queries.jsonl:3",
        "query_outcome": "unparseable",
        "inputs": 1,
        "outcome": "unparseable",
        "message": "the SQL text cannot be parsed as trino",
    }


def test_conjuncts_name_their_columns_operators_and_reasons(catalog: SqlCatalog) -> None:
    publish(audit_result(replayed("a"), UNPARSEABLE), catalog, NAMESPACE)
    first, second = sorted(rows(catalog, CONJUNCTS), key=lambda row: row["position"])
    assert {
        "scan_key": "a",
        "predicate": "order_ts >= ?",
        "class": "enforced",
        "columns": ["order_ts"],
        "operators": [">="],
        "manifests_pruned": 6,
        "row_groups_pruned": None,
        "manifests_reason": None,
    }.items() <= first.items()
    assert {
        "columns": ["customer.id", "status", "note"],
        "operators": ["="],
        "row_groups_pruned": 0,
        "manifests_reason": "not_a_partition_column",
        "data_files_reason": "ranges_overlap",
    }.items() <= second.items()


def test_findings_are_ranked_and_say_everything(catalog: SqlCatalog) -> None:
    publish(audit_result(replayed("a"), findings=(FOUND, SPREAD)), catalog, NAMESPACE)
    first, second = sorted(rows(catalog, FINDINGS), key=lambda row: row["rank"])
    assert {
        "run_id": "run-1",
        "window_start": MIDNIGHT,
        "rank": 1,
        "cause": "wrapped_column",
        "severity": "high",
        "catalog": "lake",
        "namespace": "sales",
        "table": "orders",
        "fingerprint": "f1",
        "conjunct": "order_ts >= ?",
        "columns": ["order_ts"],
        "bytes_at_stake": 900,
        "fix_trino": ['ALTER TABLE "lake"."sales"."orders" EXECUTE optimize'],
        "documentation": FOUND.documentation,
        "suppressed": None,
    }.items() <= first.items()
    assert json.loads(first["evidence"]) == FOUND.evidence
    assert (second["rank"], second["bytes_at_stake"], second["fix_spark"]) == (2, None, [])
    assert (second["namespace"], second["fingerprint"]) == ("web.raw", None)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        pytest.param(SCAN_PLANS, "unread", id="map"),
        pytest.param(CONJUNCTS, "operators", id="list"),
        pytest.param(AUDIT_RUNS, "footers_read", id="long"),
    ],
)
def test_columns_that_an_older_table_lacks_are_added(
    catalog: SqlCatalog, table: AuditTable, column: str
) -> None:
    publish(audit_result(replayed("a"), start=MIDNIGHT - DAY), catalog, NAMESPACE)
    with load(catalog, table).update_schema() as update:
        update.delete_column(column)
    publish(audit_result(replayed("a"), run_id="run-2"), catalog, NAMESPACE)
    by_run = {row["run_id"]: row[column] for row in rows(catalog, table)}
    assert by_run["run-1"] is None
    assert by_run["run-2"] is not None


def test_columns_of_a_newer_version_stay(catalog: SqlCatalog) -> None:
    publish(audit_result(replayed("a"), start=MIDNIGHT - DAY), catalog, NAMESPACE)
    with load(catalog, SCAN_PLANS).update_schema() as update:
        update.add_column("future", LongType())
    publish(audit_result(replayed("a"), run_id="run-2"), catalog, NAMESPACE)
    assert [row["future"] for row in rows(catalog, SCAN_PLANS)] == [None, None]


def test_rows_are_written_by_table_and_fingerprint(catalog: SqlCatalog) -> None:
    """So that readers of one table skip the row groups of others."""
    scans = [
        replace(replayed(f"{number}/0", table), fingerprint=shape)
        for number, (table, shape) in enumerate(
            [(EVENTS, "b"), (ORDERS, "b"), (EVENTS, "a"), (ORDERS, "a"), (EVENTS, "b")]
        )
    ]
    publish(audit_result(*scans, UNPARSEABLE), catalog, NAMESPACE)
    # Rows without a table come last.
    order = [row["scan_key"] for row in rows(catalog, SCAN_PLANS)]
    assert order == ["3/0", "1/0", "2/0", "0/0", "4/0", "broken"]
    conjuncts = [(row["scan_key"], row["position"]) for row in rows(catalog, CONJUNCTS)]
    assert conjuncts == [(key, place) for key in order[:-1] for place in (0, 1)]


def test_results_larger_than_a_chunk_are_written_completely(catalog: SqlCatalog) -> None:
    small = summary()
    scans = [replayed(str(number), scan_summary=small) for number in range(8_193)]
    publish(audit_result(*scans), catalog, NAMESPACE)
    assert load(catalog, SCAN_PLANS).scan().count() == 8_193
