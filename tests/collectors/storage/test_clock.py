"""What a table may take, and what counts as its own."""

from __future__ import annotations

import math
import sqlite3
import threading
from contextlib import closing
from copy import copy
from pathlib import Path

import pytest
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.sql import SqlCatalog
from sqlalchemy import event

from prunescope.collectors.errors import TableTooSlow
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.clock import Clock
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.random_access import patiently
from prunescope.collectors.tables.catalog import (
    CatalogUnavailable,
    list_tables,
    load_catalog,
    load_in_time,
    open_table,
)
from tests.audit_jobs.jobs.lakes import write_table
from tests.chaos.rest_catalog import serving


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which passes only where a test says so."""
    seconds = [1_000.0]
    monkeypatch.setattr("prunescope.collectors.storage.clock.monotonic", lambda: seconds[0])
    return seconds


def test_only_what_happens_within_counts_and_at_once_counts_once(now: list[float]) -> None:
    of_table = Clock(10)
    now[0] += 100
    with of_table.running(), of_table.running():
        now[0] += 4
        assert of_table.left == 6
    now[0] += 100
    assert of_table.left == 6
    with of_table.running():
        now[0] += 7
    assert of_table.left == 0
    with pytest.raises(TableTooSlow, match="10 s"), of_table.running():
        pytest.fail("no time was left")


def test_a_copy_goes_on_for_itself(now: list[float]) -> None:
    of_table = Clock(10)
    with of_table.running():
        now[0] += 4
        another = copy(of_table)
        now[0] += 1
    assert (of_table.left, another.left) == (5, 6)
    assert copy(Clock()).left == math.inf


def test_what_ends_after_its_time_is_too_slow_whatever_it_says(now: list[float]) -> None:
    storage = Storage(clock=Clock(10))

    def read() -> bytes:
        now[0] += 11
        raise FileNotFoundError

    with pytest.raises(TableTooSlow):
        patiently(storage, "/a", read)


def test_a_read_that_hangs_is_left_when_the_tables_time_is_over() -> None:
    storage, ended = Storage(clock=Clock(0.1)), threading.Event()
    with pytest.raises(TableTooSlow):
        patiently(storage, "s3://lake/a", ended.wait)
    ended.set()


@pytest.mark.slow
def test_a_catalog_that_does_not_answer_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = SqlCatalog("lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=str(tmp_path))
    name = TableName("lake", ("db",), "t")
    with serving(behind) as server:
        catalog = load_catalog("lake", server.properties)
        server.weather.delay = 30.0
        with pytest.raises(TableTooSlow):
            open_table(catalog, name, seconds=0.2)
        monkeypatch.setattr("prunescope.collectors.tables.catalog.FILE_SECONDS", 0.2)
        with pytest.raises(CatalogUnavailable, match=r"did not (answer|return)"):
            open_table(catalog, name)
        with pytest.raises(CatalogUnavailable, match=r"did not (answer|return)"):
            load_in_time("lake", server.properties)
        with pytest.raises(CatalogUnavailable, match=r"did not (answer|return)"):
            list(list_tables(catalog))
    behind.close()


@pytest.mark.slow
def test_a_database_that_does_not_answer_is_left(tmp_path: Path) -> None:
    # SQLite waits for a lock as other databases do, and nobody can interrupt it.
    catalog = sql_catalog(tmp_path, f"sqlite:///{tmp_path}/catalog.db?timeout=60")
    with closing(sqlite3.connect(tmp_path / "catalog.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(TableTooSlow):
            open_table(catalog, TableName("lake", ("db",), "t"), seconds=0.3)
        other.execute("ROLLBACK")
    assert open_table(catalog, TableName("lake", ("db",), "t")).metadata.snapshots


@pytest.mark.slow
def test_calls_of_a_database_that_hang_leave_connections_to_others(tmp_path: Path) -> None:
    catalog = sql_catalog(tmp_path, f"sqlite:///{tmp_path}/catalog.db")
    never = threading.Event()

    def hang(*execution: object) -> None:
        if "hanging" in str(execution[3]):
            never.wait()

    event.listen(catalog.engine, "before_cursor_execute", hang)  # type: ignore[attr-defined]
    # More of them than a catalog has connections.
    for _ in range(18):
        with pytest.raises(TableTooSlow):
            open_table(catalog, TableName("lake", ("db",), "hanging"), seconds=0.05)
    table = open_table(catalog, TableName("lake", ("db",), "t"), seconds=20)
    assert table.metadata.snapshots
    never.set()


def sql_catalog(folder: Path, uri: str) -> Catalog:
    """A catalog in this database of one table, `db.t`."""
    location = str(write_table(folder))
    properties = {"type": "sql", "uri": uri, "warehouse": str(folder)}
    catalog = load_catalog("lake", properties, makes=True)
    catalog.create_namespace_if_not_exists("db")
    catalog.register_table(("db", "t"), location)
    return catalog


def test_a_database_in_memory_is_asked_where_it_is(tmp_path: Path) -> None:
    catalog = sql_catalog(tmp_path, "sqlite:///:memory:")
    assert open_table(catalog, TableName("lake", ("db",), "t"), seconds=60).metadata.snapshots
