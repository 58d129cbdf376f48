"""Audit tables that stay small, and keep every row that they should."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pyiceberg.catalog import Catalog
from pyiceberg.table import Table
from pyiceberg.table.update import RemoveSnapshotsUpdate, TableUpdate

from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.schemas import RUN_TABLES
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.audit_jobs.sinks.maintained_at import MAINTAINED_AT, maintenance_samples
from prunescope.audit_jobs.sinks.maintenance import Maintained, Retention, maintain
from prunescope.collectors.tables.catalog import load_catalog
from tests.audit_jobs.sinks.results import audit_result, replayed

pytestmark = pytest.mark.slow

NOW = dt.datetime.now(dt.UTC)
KEEP_ALL = Retention(days=10_000, snapshot_days=10_000)
EXPIRE = Retention(days=10_000, snapshot_days=1)
LATER = NOW + dt.timedelta(days=2)


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    found = load_catalog(
        "audit",
        {"type": "sql", "uri": f"sqlite:///{tmp_path}/catalog.db", "warehouse": str(tmp_path)},
        makes=True,
    )
    yield found
    found.close()


def hourly(start: dt.datetime, number: int, run_id: str | None = None) -> AuditResult:
    """A run over an hour."""
    begin = start + dt.timedelta(hours=number)
    return audit_result(
        replayed("1"), run_id=run_id or f"r{number}", start=begin, length=dt.timedelta(hours=1)
    )


def rows(catalog: Catalog, table: str) -> list[str]:
    found = catalog.load_table(f"pruning_audit.{table}").scan().to_arrow()
    return sorted(found["run_id"].to_pylist())


def files(catalog: Catalog, table: str) -> set[str]:
    """The files that are there."""
    location = Path(urlsplit(catalog.load_table(f"pruning_audit.{table}").location()).path)
    return {path.name for path in location.rglob("*") if path.suffix in (".parquet", ".avro")}


def of_table(done: list[Maintained], name: str) -> Maintained:
    (found,) = [table for table in done if table.table == name]
    assert found.failure is None
    return found


def test_files_of_one_day_become_one_and_no_row_is_lost(catalog: Catalog) -> None:
    day = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    for number in range(6):
        publish(hourly(day, number), catalog, "pruning_audit")
    before = rows(catalog, "scan_plans")

    done = maintain(catalog, "pruning_audit", KEEP_ALL, NOW)

    assert of_table(done, "scan_plans").compacted_days == 1
    assert rows(catalog, "scan_plans") == before
    plan = catalog.load_table("pruning_audit.scan_plans").scan().plan_files()
    assert len(list(plan)) == 1
    assert of_table(maintain(catalog, "pruning_audit", KEEP_ALL, NOW), "scan_plans") == Maintained(
        "scan_plans"
    )


def test_old_rows_go_and_others_stay(catalog: Catalog) -> None:
    publish(hourly(NOW - dt.timedelta(days=30), 0), catalog, "pruning_audit")
    publish(hourly(NOW - dt.timedelta(days=2), 1), catalog, "pruning_audit")
    done = maintain(catalog, "pruning_audit", Retention(days=10, snapshot_days=9_999), NOW)
    assert {table.table for table in done} == {table.name for table in RUN_TABLES}
    assert of_table(done, "audit_runs").dropped_rows == 1
    assert rows(catalog, "audit_runs") == ["r1"]
    assert set(rows(catalog, "scan_plans")) == {"r1"}


def test_a_reader_finds_a_run_whole_or_not_at_all(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(hourly(NOW - dt.timedelta(days=30), 0), catalog, "pruning_audit")
    publish(hourly(NOW - dt.timedelta(days=2), 1), catalog, "pruning_audit")
    seen = []
    commit = catalog.commit_table

    def then_read(*args: Any) -> Any:
        done = commit(*args)
        seen.append((rows(catalog, "audit_runs"), set(rows(catalog, "scan_plans"))))
        return done

    monkeypatch.setattr(catalog, "commit_table", then_read)
    maintain(catalog, "pruning_audit", Retention(days=10, snapshot_days=9_999), NOW)
    assert seen[0] == (["r1"], {"r0", "r1"})
    assert seen[-1] == (["r1"], {"r1"})
    assert all(set(runs) <= plans for runs, plans in seen)


def test_rows_of_a_run_that_stays_listed_stay(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(hourly(NOW - dt.timedelta(days=30), 0), catalog, "pruning_audit")
    delete = Table.delete

    def refuse(table: Table, *args: Any) -> None:
        if table.name()[-1] == "audit_runs":
            raise PermissionError
        delete(table, *args)

    monkeypatch.setattr(Table, "delete", refuse)
    done = maintain(catalog, "pruning_audit", Retention(days=10, snapshot_days=9_999), NOW)
    assert [table.table for table in done if table.failure] == ["audit_runs"]
    assert set(rows(catalog, "scan_plans")) == {"r0"}
    assert told(catalog) == []
    monkeypatch.undo()
    done = maintain(catalog, "pruning_audit", Retention(days=10, snapshot_days=9_999), NOW)
    assert not any(table.failure for table in done)
    assert rows(catalog, "scan_plans") == []


def test_files_that_only_expired_snapshots_need_are_deleted(catalog: Catalog) -> None:
    day = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    for _ in range(3):
        publish(hourly(day, 0), catalog, "pruning_audit")
    before, kept = files(catalog, "scan_plans"), rows(catalog, "scan_plans")

    done = maintain(catalog, "pruning_audit", EXPIRE, LATER)

    table = of_table(done, "scan_plans")
    after = files(catalog, "scan_plans")
    assert table.expired_snapshots > 0
    assert after < before
    assert table.deleted_files == len(before) - len(after)
    assert rows(catalog, "scan_plans") == kept
    assert len(catalog.load_table("pruning_audit.scan_plans").metadata.snapshots) == 1


@pytest.mark.parametrize(
    ("change", "retention"),
    [
        pytest.param("overwrite", KEEP_ALL, id="files are made one"),
        pytest.param("delete", Retention(days=10, snapshot_days=10_000), id="rows are dropped"),
    ],
)
@pytest.mark.parametrize("number", [7, 2], ids=["another window", "one of the windows"])
def test_an_audit_that_publishes_meanwhile_is_no_failure(
    catalog: Catalog,
    monkeypatch: pytest.MonkeyPatch,
    change: str,
    retention: Retention,
    number: int,
) -> None:
    day = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    for hour in range(6):
        publish(hourly(day, hour), catalog, "pruning_audit")
    changed = getattr(Table, change)

    def publish_first(table: Table, *arguments: Any, **options: Any) -> None:
        monkeypatch.setattr(Table, change, changed)
        publish(hourly(day, number, "meanwhile"), catalog, "pruning_audit")
        changed(table, *arguments, **options)

    monkeypatch.setattr(Table, change, publish_first)
    done = maintain(catalog, "pruning_audit", retention, NOW)

    assert [table.failure for table in done] == [None] * len(done)
    kept = {"meanwhile", *(f"r{hour}" for hour in range(6) if hour != number)}
    for table in ("audit_runs", "scan_plans"):
        assert set(rows(catalog, table)) == (kept if retention == KEEP_ALL else set())


def test_young_snapshots_stay(catalog: Catalog) -> None:
    for _ in range(2):
        publish(hourly(dt.datetime(2024, 1, 1, tzinfo=dt.UTC), 0), catalog, "pruning_audit")
    done = maintain(catalog, "pruning_audit", EXPIRE, NOW)
    assert of_table(done, "scan_plans") == Maintained("scan_plans")


def test_no_commit_is_empty(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Catalogs may refuse what changes nothing, as Nessie does."""
    committed: list[TableUpdate] = []
    commit = catalog.commit_table

    def noted(table: Table, requirements: Any, updates: tuple[TableUpdate, ...]) -> Any:
        assert updates
        committed.extend(updates)
        return commit(table, requirements, updates)

    monkeypatch.setattr(catalog, "commit_table", noted)
    day = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    for number in (0, 0, 1):
        publish(hourly(day, number), catalog, "pruning_audit")
    for retention in (KEEP_ALL, EXPIRE, EXPIRE):
        maintain(catalog, "pruning_audit", retention, LATER)
    removed = [each for each in committed if isinstance(each, RemoveSnapshotsUpdate)]
    assert removed
    assert all(each.snapshot_ids for each in removed)


def told(catalog: Catalog) -> list[float]:
    """When audit_runs says that it was last maintained, in seconds since 1970."""
    return [
        each.value for each in maintenance_samples(catalog.load_table("pruning_audit.audit_runs"))
    ]


def test_audit_runs_tells_when_all_of_them_were_maintained(catalog: Catalog) -> None:
    publish(hourly(dt.datetime(2024, 1, 1, tzinfo=dt.UTC), 0), catalog, "pruning_audit")
    assert told(catalog) == []
    maintain(catalog, "pruning_audit", KEEP_ALL, NOW)
    assert told(catalog) == [int(NOW.timestamp())]
    publish(hourly(dt.datetime(2024, 1, 1, tzinfo=dt.UTC), 0), catalog, "pruning_audit")
    assert told(catalog) == [int(NOW.timestamp())]
    maintain(catalog, "pruning_audit", EXPIRE, LATER)
    assert told(catalog) == [int(LATER.timestamp())]
    with catalog.load_table("pruning_audit.audit_runs").transaction() as change:
        change.set_properties({MAINTAINED_AT: "last week"})
    assert told(catalog) == []


def test_one_table_that_fails_stops_none_of_the_others(catalog: Catalog) -> None:
    for _ in range(2):
        publish(hourly(dt.datetime(2024, 1, 1, tzinfo=dt.UTC), 0), catalog, "pruning_audit")
    table = catalog.load_table("pruning_audit.conjuncts")
    snapshot = table.current_snapshot()
    assert snapshot is not None
    Path(urlsplit(snapshot.manifest_list).path).unlink()

    done = {found.table: found for found in maintain(catalog, "pruning_audit", EXPIRE, LATER)}

    failed = done.pop("conjuncts").failure
    assert "pruning_audit.conjuncts" in str(failed)
    assert all(found.failure is None for found in done.values())
    assert told(catalog) == []


def test_without_audit_tables_there_is_nothing_to_do(catalog: Catalog) -> None:
    assert maintain(catalog, "pruning_audit", EXPIRE, NOW) == []
