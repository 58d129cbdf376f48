"""Small lakes to audit in-process: tables in a folder, a query of each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.config import AuditConfig, validate_config
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.workload.inputs import Inputs, made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery

DAY = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
WINDOW = Window(DAY, DAY + dt.timedelta(days=1))


def write_table(folder: Path, name: str = "healthy") -> Path:
    """A table of two files; its metadata file."""
    folder.mkdir(parents=True, exist_ok=True)
    catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse"
    )
    catalog.create_namespace_if_not_exists("db")
    rows = pa.table({"id": pa.array([1, 2, 3], pa.int64()), "name": ["a", "b", "c"]})
    table = catalog.create_table(f"db.{name}", rows.schema)
    table.append(rows)
    table.append(rows)
    location = table.metadata_location
    catalog.close()
    return Path(location.removeprefix("file://"))


def config_of(tables: Mapping[str, Path], **sections: Any) -> AuditConfig:
    """A configuration that has these tables by their metadata files."""
    document = {
        "catalogs": {"lake": {}},
        "tables": [
            {"name": f"lake.db.{name}", "metadata": str(path)} for name, path in tables.items()
        ],
        "sources": [{"type": "sql_records", "paths": ["/nowhere"]}],
        "audit": {"catalog": "lake"},
        **sections,
    }
    return validate_config(document, "test")


def queries_of(names: Iterable[str], runner: Runner, where: str = "id = 2") -> Inputs:
    """A query of each table."""
    return made_inputs(
        runner,
        [
            name_tables(
                ObservedQuery(
                    source="test",
                    query_id=name,
                    sql=f'SELECT * FROM lake.db."{name}" WHERE {where}',
                    dialect="trino",
                    engine="trino",
                )
            )
            for name in names
        ],
    )


def audited(tables: Mapping[str, Path], runner: Runner | None = None) -> AuditResult:
    """What an audit of one query per table finds."""
    runner = runner or LocalRunner()
    inputs = queries_of(tables, runner)
    return run_audit(config_of(tables), WINDOW, inputs, runner, lambda _: None)


def outcomes(result: AuditResult) -> dict[str | None, str]:
    """The outcome of each query."""
    return {
        row["query_id"]: row["query_outcome"]
        for row in result.scan_plans("query_id", "query_outcome")
    }
