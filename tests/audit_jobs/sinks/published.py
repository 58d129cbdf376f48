"""Audit tables in a SQL catalog, read back."""

import errno
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.table import Table

from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, FINDINGS

NAMESPACE = "ops.pruning_audit"
TABLES = (AUDIT_RUNS, SCAN_PLANS, CONJUNCTS, FINDINGS)


C = TypeVar("C", bound=SqlCatalog)


def open_catalog(kind: type[C], folder: Path) -> C:
    """A catalog of a kind in a folder."""
    return kind(
        "lake", uri=f"sqlite:///{folder / 'catalog.db'}", warehouse=(folder / "wh").as_uri()
    )


def load(catalog: Catalog, table: AuditTable | str) -> Table:
    """An audit table, or another of its namespace."""
    name = table if isinstance(table, str) else table.name
    return catalog.load_table(f"{NAMESPACE}.{name}")


def rows(catalog: Catalog, table: AuditTable) -> list[Mapping[str, Any]]:
    """All rows of an audit table."""
    found: list[Mapping[str, Any]] = load(catalog, table).scan().to_arrow().to_pylist()
    return found


def run_ids(catalog: Catalog, table: AuditTable) -> list[str]:
    """The runs of which an audit table has rows, a row each."""
    return sorted(row["run_id"] for row in rows(catalog, table))


def visible_scans(catalog: Catalog) -> set[tuple[str, str]]:
    """The scans that a reader finds who joins with audit_runs."""
    visible = set(run_ids(catalog, AUDIT_RUNS))
    scans = rows(catalog, SCAN_PLANS)
    return {(row["run_id"], row["scan_key"]) for row in scans if row["run_id"] in visible}


def refuse_files_of(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """Makes the place of one audit table one that takes no files."""
    new_output = PyArrowFileIO.new_output

    def refuse(file_io: PyArrowFileIO, location: str) -> Any:
        if f"/{table}/" in location:
            raise OSError(errno.EROFS, "Read-only file system")
        return new_output(file_io, location)

    monkeypatch.setattr(PyArrowFileIO, "new_output", refuse)
