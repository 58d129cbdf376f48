"""Running whole audits in tests."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import yaml
from pyiceberg.catalog import Catalog
from pyiceberg.table import Table

from prunescope.audit_jobs.config import AuditConfig, load_config, validate_config
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.jobs.nightly import run_nightly
from prunescope.audit_jobs.jobs.runners import local_runner
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.planning.spark import SparkRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.collectors.tables.catalog import load_catalog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DAY = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
WINDOW = Window(DAY, DAY + dt.timedelta(days=1))
_SOME_YEARS = 3 * 365 * 86_400_000  # ms


def catalog_properties(directory: Path) -> dict[str, str]:
    """A SQL catalog in a folder."""
    return {
        "type": "sql",
        "uri": f"sqlite:///{directory}/catalog.db",
        "warehouse": f"file://{directory}/warehouse",
    }


def write_config(directory: Path, sources: list[dict[str, Any]], **sections: Any) -> Path:
    """An audit.yaml whose audit tables are in a catalog of the folder."""
    document = {
        "catalogs": {"lake": {"properties": catalog_properties(directory)}},
        "sources": sources,
        "audit": {"catalog": "lake"},
        "metrics": {"textfile": str(directory / "prunescope.prom")},
        **sections,
    }
    validate_config(document, "test")
    path = directory / "audit.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


def backdate(table: Table) -> None:
    """Moves what was written of a table some years into the past: only a window that is over is
    audited, and a query of it reads what was there before."""
    backdate_metadata(Path(table.metadata_location.removeprefix("file://")))
    table.refresh()


def backdate_metadata(path: Path) -> None:
    """Does so with a metadata file."""
    document = json.loads(path.read_text())
    entries = [*document["snapshots"], *document["snapshot-log"], *document["metadata-log"]]
    for entry in entries:
        entry["timestamp-ms"] -= _SOME_YEARS
    document["last-updated-ms"] -= _SOME_YEARS
    path.write_text(json.dumps(document))


def write_lines(path: Path, records: Iterable[Mapping[str, Any] | str]) -> Path:
    """A file of JSON lines; text stands as it is."""
    lines = (r if isinstance(r, str) else json.dumps(r) for r in records)
    path.write_text("\n".join(lines) + "\n")
    return path


def trino_event(query_id: str, sql: str, **inputs: Any) -> dict[str, Any]:
    """A QueryCompletedEvent of the audited day."""
    return {
        "metadata": {"queryId": query_id, "query": sql, "queryState": "FINISHED"},
        "statistics": {},
        "context": {
            "user": "u",
            "catalog": "tpch",
            "schema": "sf1000",
            "timezone": "UTC",
            **inputs,
        },
        "ioMetadata": {"inputs": []},
        "createTime": (DAY + dt.timedelta(hours=3)).isoformat().replace("+00:00", "Z"),
    }


def audit(config: Path, window: Window = WINDOW) -> bool:
    """Runs the nightly job in the active session; whether everything worked."""
    return run_nightly(load_config(config), window, lambda _: None).run.status == "succeeded"


def audit_here(config: Path, window: Window = WINDOW) -> bool:
    """Runs the nightly job in this process; whether everything worked."""
    loaded = load_config(config)
    result = run_nightly(loaded, window, lambda _: None, open_runner=local_runner)
    return result.run.status == "succeeded"


def run(config: AuditConfig, window: Window, spark: SparkSession) -> AuditResult:
    """What an audit finds on Spark, unpublished."""
    return _run(config, window, SparkRunner(spark))


def run_here(config: AuditConfig, window: Window) -> AuditResult:
    """What an audit finds in this process, unpublished."""
    return _run(config, window, LocalRunner())


def _run(config: AuditConfig, window: Window, runner: Runner) -> AuditResult:
    inputs = read_inputs(config, window, runner)
    return run_audit(config, window, inputs, runner, lambda _: None)


def with_own_tables(config: Path, folder: Path, **sections: Any) -> Path:
    """The same configuration with audit tables and metrics of its own, named for a folder."""
    document = yaml.safe_load(config.read_text())
    audit_section = {**document["audit"], "namespace": folder.name.replace("-", "_")}
    metrics = {"textfile": str(folder / "prunescope.prom")}
    path = folder / "audit.yaml"
    path.write_text(
        yaml.safe_dump({**document, "audit": audit_section, "metrics": metrics, **sections})
    )
    return path


def audit_rows(config: Path, table: str) -> list[dict[str, Any]]:
    """The rows of an audit table."""
    namespace = load_config(config).audit.namespace
    loaded = open_catalog(config).load_table(f"{namespace}.{table}")
    rows: list[dict[str, Any]] = loaded.scan().to_arrow().to_pylist()
    return rows


def open_catalog(config: Path) -> Catalog:
    """The catalog of a configuration, made where there is none."""
    properties = yaml.safe_load(config.read_text())["catalogs"]["lake"]["properties"]
    return load_catalog("lake", properties, makes=True)


def write_ids(table: Table, files: int, rows: int, *, sorted_by_id: bool) -> None:
    """Replaces all rows of a table with one column, `id`, by so many files of so many rows: each
    has a range of ids of its own, or all have every id."""
    ids = np.arange(files * rows)
    if table.current_snapshot() is not None:
        table.delete()
    for part in range(files):
        chosen = ids[part * rows : (part + 1) * rows] if sorted_by_id else ids[part::files]
        table.append(pa.table({"id": chosen}))
