"""Audit tables that somebody has changed: what is written is sound, and where it was configured, or
the run says by name what was changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table
from pyiceberg.table.update import SetLocationUpdate
from pyiceberg.transforms import BucketTransform, IdentityTransform
from pyiceberg.types import StringType

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.columns import MOST_NAMED
from prunescope.audit_jobs.results.scan_schemas import SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS
from prunescope.audit_jobs.sinks import metric_catalogue
from prunescope.audit_jobs.sinks.audit_tables import publish, publishing
from prunescope.audit_jobs.sinks.maintenance import Retention, maintain
from prunescope.audit_jobs.sinks.metric_samples import run_samples
from prunescope.audit_jobs.sinks.probe import probe_namespace
from prunescope.audit_jobs.sinks.published_run import read_run
from tests.audit_jobs.sinks.published import NAMESPACE, load, rows, visible_scans
from tests.audit_jobs.sinks.results import DAY, MIDNIGHT, audit_result, replayed

pytestmark = pytest.mark.slow

PROVIDER = "pyiceberg.table.locations.SimpleLocationProvider"
"""Any code would do."""
FIRST = audit_result(replayed("a"))
SECOND = audit_result(replayed("b"), run_id="run-2", start=MIDNIGHT + DAY)


@pytest.fixture
def published(catalog: SqlCatalog) -> SqlCatalog:
    publish(FIRST, catalog, NAMESPACE)
    return catalog


def with_properties(**properties: str) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        with table.transaction() as transaction:
            transaction.set_properties({k.replace("__", "."): v for k, v in properties.items()})

    return change


def elsewhere(table: Table) -> None:
    with table.transaction() as transaction:
        transaction._apply((SetLocationUpdate(location=f"{table.location()}/../../../theirs"),))  # noqa: SLF001


def spec_changed(table: Table) -> None:
    with table.update_spec() as update:
        update.add_field("run_id", BucketTransform(4), "run_bucket")


def spec_removed(table: Table) -> None:
    with table.update_spec() as update:
        update.remove_field("window_start_day")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (with_properties(**{"write.data.path": "file:///x"}), "unset its property write.data.path"),
        (with_properties(**{"write.metadata.path": "file:///x"}), "write.metadata.path"),
        (with_properties(**{"write.object-storage.path": "file:///x"}), "object-storage.path"),
        (with_properties(**{"write.object-storage.enabled": "true"}), "object-storage.enabled"),
        (with_properties(**{"write.folder-storage.path": "file:///x"}), "folder-storage.path"),
        (with_properties(**{"write.py-location-provider.impl": PROVIDER}), "py-location-provider"),
        (with_properties(**{"write.location-provider.impl": "x.Y"}), "location-provider.impl"),
        (with_properties(**{"encryption.key-id": "k"}), "encryption.key-id"),
        (with_properties(**{"write.format.default": "avro"}), "write.format.default"),
        (with_properties(**{"write.format.default": "orc"}), "write.format.default"),
        (with_properties(**{"write.parquet.compression-codec": "no"}), "compression-codec"),
        (with_properties(**{"write.parquet.row-group-limit": "many"}), "row-group-limit"),
        (elsewhere, "its location"),
        (spec_changed, "day.window_start"),
        (spec_removed, "day.window_start"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
@pytest.mark.parametrize("audit_table", [SCAN_PLANS, AUDIT_RUNS], ids=lambda table: table.name)
def test_what_would_be_written_elsewhere_or_otherwise_is_refused_by_name(
    published: SqlCatalog, change: Callable[[Table], None], told: str, audit_table: AuditTable
) -> None:
    change(load(published, audit_table))
    for attempt in (probe_namespace, partial(publish, SECOND)):
        with pytest.raises(PublishFailed, match=told) as refused:
            attempt(published, NAMESPACE)
        assert f"{NAMESPACE}.{audit_table.name}" in str(refused.value)
    assert visible_scans(published) == {("run-1", "a")}
    retention = Retention(1, 1)
    failures = [one.failure for one in maintain(published, NAMESPACE, retention, MIDNIGHT)]
    (failure,) = filter(None, failures)
    assert re.search(told, str(failure))


def sorted_by(table: Table) -> None:
    with table.update_sort_order() as update:
        update.asc("run_id", IdentityTransform())


def branched(table: Table) -> None:
    snapshot = table.current_snapshot()
    assert snapshot is not None
    table.manage_snapshots().create_branch(snapshot.snapshot_id, "theirs").commit()


def identified(table: Table) -> None:
    with table.update_schema() as update:
        update.set_identifier_fields("run_id")


def with_a_column(table: Table) -> None:
    with table.update_schema() as update:
        update.add_column("theirs", StringType())


@pytest.mark.parametrize(
    "change",
    [
        sorted_by,
        branched,
        identified,
        with_a_column,
        with_properties(**{"write.parquet.compression-codec": "gzip"}),
        with_properties(**{"write.parquet.bloom-filter-enabled.column.run_id": "true"}),
        with_properties(**{"write.parquet.row-group-limit": "10"}),
        with_properties(**{"write.metadata.metrics.default": "none"}),
        with_properties(**{"write.metadata.metrics.column.run_id": "none"}),
        with_properties(**{"write.format.default": "PARQUET"}),
        with_properties(**{"write.distribution-mode": "hash"}),
    ],
)
@pytest.mark.filterwarnings("ignore:Parquet writer option")
def test_what_may_be_changed_is_written_soundly(
    published: SqlCatalog, change: Callable[[Table], None]
) -> None:
    for audit_table in (SCAN_PLANS, AUDIT_RUNS):
        change(load(published, audit_table))
    for _ in range(2):  # again: it takes out what it wrote
        publish(SECOND, published, NAMESPACE)
    assert visible_scans(published) == {("run-1", "a"), ("run-2", "b")}
    days = 10_000
    assert all(
        m.failure is None for m in maintain(published, NAMESPACE, Retention(days, days), MIDNIGHT)
    )
    assert visible_scans(published) == {("run-1", "a"), ("run-2", "b")}


@pytest.mark.parametrize("is_readded", [False, True])
@pytest.mark.parametrize("audit_table", [SCAN_PLANS, AUDIT_RUNS], ids=lambda table: table.name)
def test_a_column_that_is_dropped_while_a_run_is_written_is_told(
    published: SqlCatalog, audit_table: AuditTable, is_readded: bool
) -> None:
    column = "user" if audit_table is SCAN_PLANS else "read_bytes"
    steps = publishing(SECOND, published, NAMESPACE)
    next(steps)  # files are written, nothing is committed
    table = load(published, audit_table)
    kind = table.schema().find_type(column)
    with table.update_schema() as update:
        update.delete_column(column)
    if is_readded:
        with table.update_schema() as update:
            update.add_column(column, kind)
    with pytest.raises(PublishFailed, match=f"the columns {column} were dropped, renamed or made"):
        list(steps)
    assert visible_scans(published) == {("run-1", "a")}
    publish(SECOND, published, NAMESPACE)
    (row,) = (row for row in rows(published, audit_table) if row["run_id"] == "run-2")
    assert row[column] is not None


def test_a_table_that_is_made_anew_while_a_run_is_written_is_told(published: SqlCatalog) -> None:
    steps = publishing(SECOND, published, NAMESPACE)
    next(steps)
    published.drop_table(f"{NAMESPACE}.{SCAN_PLANS.name}")
    with pytest.raises(PublishFailed, match="it was made anew"):
        list(steps)


def test_of_what_did_not_work_the_first_are_named_and_all_are_counted(catalog: SqlCatalog) -> None:
    names = {f"lake.db.t{number:05}": "gone" for number in range(MOST_NAMED + 500)}
    run = replace(FIRST.run, tables_failed=names, causes_failed={"a": "b"})
    publish(replace(FIRST, run=run), catalog, NAMESPACE)
    (row,) = rows(catalog, AUDIT_RUNS)
    assert [name for name, _ in row["tables_failed"]] == sorted(names)[:MOST_NAMED]
    assert (row["tables_failed_count"], row["causes_failed_count"]) == (len(names), 1)
    read = read_run(catalog, NAMESPACE, None)
    counts = {s.metric: s.value for s in run_samples(read, max_tables=1)}
    assert counts[metric_catalogue.RUN_TABLES_FAILED] == len(names)
    older = {**read.run, "tables_failed_count": None}
    counts = {s.metric: s.value for s in run_samples(replace(read, run=older), max_tables=1)}
    assert counts[metric_catalogue.RUN_TABLES_FAILED] == MOST_NAMED
