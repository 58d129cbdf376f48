"""Tables that earlier versions made are written on, and keep what they hold.

`columns/N.json` has what the audit tables of schema version N are: columns by table, each with its
type. A released file is never changed; `python -m tests.audit_jobs.sinks.test_schema_versions`
writes that of the current version.
"""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import schema_to_pyarrow
from pyiceberg.types import IcebergType

from prunescope.audit_jobs.results.audit_table import AuditTable, Column, day_of_window
from prunescope.audit_jobs.results.column_docs import type_of
from prunescope.audit_jobs.results.schemas import RUN_TABLES, SCHEMA_VERSION
from prunescope.audit_jobs.sinks.audit_tables import publish
from tests.audit_jobs.jobs.lakes import audited, write_table
from tests.audit_jobs.sinks.published import NAMESPACE, load, rows
from tests.audit_jobs.sinks.results import DAY, MIDNIGHT, audit_result, replayed

FOLDER = Path(__file__).with_name("columns")
LAST = max(int(path.stem) for path in FOLDER.glob("*.json"))

Described = dict[str, dict[str, str]]


def described(tables: tuple[AuditTable, ...]) -> Described:
    """The type of each column, by table."""
    return {
        table.name: {column.name: type_of(column) for column in table.columns} for table in tables
    }


def tables_of(version: int) -> tuple[AuditTable, ...]:
    """The audit tables of a version."""
    told: Described = json.loads((FOLDER / f"{version}.json").read_text())
    return tuple(
        AuditTable(name, "", tuple(map(_column, columns, columns.values())))
        for name, columns in told.items()
    )


def _column(name: str, text: str) -> Column:
    kind, _, required = text.partition(", ")
    container, _, element = kind.rpartition(" of ")
    return Column(name, IcebergType.model_validate(element), "", bool(required), container or None)


def _row(table: AuditTable) -> dict[str, Any]:
    """A row of the day before, of which only what is required is known."""
    start = MIDNIGHT - DAY
    values = {"string": "old", "long": 1, "int": 1, "double": 1.0, "timestamptz": start}
    row: dict[str, Any] = {
        column.name: values[str(column.type)] if column.required else None
        for column in table.columns
    }
    return {**row, "window_start": start, "window_end": start + dt.timedelta(hours=1)}


def test_other_columns_are_another_version() -> None:
    assert SCHEMA_VERSION == LAST
    assert described(RUN_TABLES) == described(tables_of(LAST)), (
        "columns changed: after a release, raise SCHEMA_VERSION; then run "
        "`python -m tests.audit_jobs.sinks.test_schema_versions`"
    )


def test_a_run_tells_the_version_of_its_columns(tmp_path: Path) -> None:
    run = audited({"t": write_table(tmp_path, "t")}).run
    assert run.versions["audit_tables"] == str(LAST)


@pytest.mark.slow
@pytest.mark.parametrize("version", range(1, LAST + 1))
def test_tables_of_a_version_are_written_on(catalog: SqlCatalog, version: int) -> None:
    catalog.create_namespace(NAMESPACE)
    for table in tables_of(version):
        schema = table.schema()
        made = catalog.create_table(
            f"{NAMESPACE}.{table.name}", schema, partition_spec=day_of_window(schema)
        )
        made.append(pa.Table.from_pylist([_row(table)], schema=schema_to_pyarrow(schema)))

    result = audit_result(replayed("a"), run_id="new")
    publish(result, catalog, NAMESPACE)

    for table in tables_of(version):
        was = next(row for row in rows(catalog, table) if row["run_id"] == "old")
        assert {name: was[name] for name in _row(table)} == _row(table)
        assert {value for name, value in was.items() if name not in _row(table)} <= {None}
    (audited,) = (row for row in rows(catalog, RUN_TABLES[0]) if row["run_id"] == "new")
    assert dict(audited["versions"]) == dict(result.run.versions)
    columns = {field.name for field in load(catalog, "scan_plans").schema().fields}
    assert columns >= {column.name for column in RUN_TABLES[1].columns}


if __name__ == "__main__":
    written = json.dumps(described(RUN_TABLES), indent=1)
    (FOLDER / f"{SCHEMA_VERSION}.json").write_text(f"{written}\n")
