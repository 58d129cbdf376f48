"""Databases of SQL catalogs that take a call and do not answer: nothing waits for them for ever."""

from __future__ import annotations

import datetime as dt
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.audit_jobs.sinks.maintenance import Retention, maintain
from prunescope.collectors.tables.catalog import CatalogUnavailable, load_catalog
from tests.audit_jobs.sinks.results import audit_result, replayed

pytestmark = pytest.mark.slow

NAMESPACE = "audit"
READS_AND_WRITES, WRITES = "EXCLUSIVE", "IMMEDIATE"
"""Locks of SQLite, by what has to wait for them."""


@contextmanager
def hanging(database: Path, lock: str) -> Iterator[None]:
    """Has the database answer nothing of a kind, until all that was asked meanwhile is over."""
    before = threading.enumerate()
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute(f"BEGIN {lock}")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
    for thread in threading.enumerate():
        if thread.name == "reading" and thread not in before:
            thread.join()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "catalog.db"


@pytest.fixture
def catalog(database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    """Its database has ten minutes to answer, of which a call waits for one second."""
    monkeypatch.setattr("prunescope.collectors.tables.catalog.FILE_SECONDS", 1.0)
    uri, warehouse = f"sqlite:///{database}?timeout=600", f"file://{database.parent}/warehouse"
    properties = {"type": "sql", "uri": uri, "warehouse": warehouse}
    catalog = load_catalog("lake", properties, makes=True)
    publish(audit_result(replayed("a"), run_id="before"), catalog, NAMESPACE)
    yield catalog
    catalog.close()


def runs(catalog: Catalog) -> list[str]:
    rows = catalog.load_table(f"{NAMESPACE}.audit_runs").scan(selected_fields=("run_id",))
    found: list[str] = rows.to_arrow()["run_id"].to_pylist()
    return found


@pytest.mark.parametrize("lock", [READS_AND_WRITES, WRITES])
def test_a_run_ends_and_the_next_one_publishes(catalog: Catalog, database: Path, lock: str) -> None:
    with (
        hanging(database, lock),
        pytest.raises(PublishFailed, match="in catalog 'lake' cannot be written: it did not answe"),
    ):
        publish(audit_result(replayed("a"), run_id="hangs"), catalog, NAMESPACE)
    assert runs(catalog) == ["before"]
    publish(audit_result(replayed("a"), run_id="next"), catalog, NAMESPACE)
    assert runs(catalog) == ["next"]


def test_maintenance_ends(catalog: Catalog, database: Path) -> None:
    now = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
    with hanging(database, READS_AND_WRITES), pytest.raises(CatalogUnavailable, match="within 1 s"):
        maintain(catalog, NAMESPACE, Retention(days=1, snapshot_days=1), now)
    with hanging(database, WRITES):
        found = maintain(catalog, NAMESPACE, Retention(days=1, snapshot_days=1), now)
    failures = [str(each.failure) for each in found if each.failure is not None]
    assert failures
    assert all("(it did not answer in time: " in failure for failure in failures)
