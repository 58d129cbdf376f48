"""Preparing the demo: warehouse, query logs and the configuration of an audit of them."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path

import yaml

from prunescope.audit_jobs.demo.queries import RECORD_FIELDS, DemoLogs, write_logs
from prunescope.audit_jobs.demo.warehouse import CATALOG, DAY, DemoWarehouse, build
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.secret import make_secret

CONFIG = "audit.yaml"
_MARKER = ".prunescope-demo"
_FOLDERS = ("warehouse", "logs", "metrics")
_KEY = "audit.secret"
_FILES = ("catalog.db", "report.html", CONFIG, _KEY)


def prepare(directory: Path) -> Path:
    """Builds the demo in a directory, which is created if need be, and returns the path of its
    `audit.yaml`. The day to audit is `warehouse.DAY`.

    An earlier demo in the directory is replaced, with its audit tables. Raises
    BadConfiguration, and touches nothing, if the directory holds anything else.
    """
    folder = directory.resolve()
    _claim(folder)
    for name in _FOLDERS:
        (folder / name).mkdir()
    warehouse = build(folder)
    with closing(warehouse.open()) as catalog:
        logs = write_logs(folder / "logs", catalog, DAY)
    make_secret(folder / _KEY)
    path = folder / CONFIG
    path.write_text(_config(folder, warehouse, logs), encoding="utf-8")
    return path


def _claim(folder: Path) -> None:
    """Leaves the directory empty but for the mark that says whose it is."""
    if folder.exists() and not folder.is_dir():
        raise BadConfiguration(f"{folder} is a file; the demo needs a directory")
    if folder.is_dir() and folder.stat().st_uid != os.geteuid():
        raise BadConfiguration(f"{folder} is another user's; name a directory of your own")
    marker = folder / _MARKER
    if folder.is_dir() and any(folder.iterdir()) and not marker.is_file():
        raise BadConfiguration(
            f"{folder} is not empty and holds no demo; name another directory, or empty it"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        marker.touch()
    except OSError as error:
        raise BadConfiguration(
            f"{folder} cannot be written: {error.strerror}; name another directory"
        ) from error
    for name in _FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)


def _config(folder: Path, warehouse: DemoWarehouse, logs: DemoLogs) -> str:
    return yaml.safe_dump(
        {
            "catalogs": {CATALOG: {"properties": dict(warehouse.properties)}},
            "sources": [
                {"type": "trino_events", "paths": [str(logs.trino_events)]},
                {
                    "type": "sql_records",
                    "paths": [str(logs.spark_records)],
                    "dialect": "spark",
                    "catalog": CATALOG,
                    "fields": dict(RECORD_FIELDS),
                },
            ],
            "audit": {"catalog": CATALOG, "namespace": "pruning_audit"},
            # The demo's tables are some megabytes; the defaults are for terabytes.
            "findings": {
                "thresholds": [
                    {
                        "table": f"{CATALOG}.*",
                        "small_table_bytes": 100_000,
                        "min_bytes_at_stake": 500_000,
                        "medium_bytes": 10_000_000,
                        "high_bytes": 50_000_000,
                    }
                ]
            },
            "metrics": {"textfile": str(folder / "metrics" / "prunescope.prom")},
            "secret_file": str(folder / _KEY),
            "report": {"path": str(folder / "report.html")},
        },
        sort_keys=False,
    )
