"""The demo's warehouse, audited by the chart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.collectors.tables.catalog import load_catalog
from tests.helm.chart import Values


def demo_config(demo: Path) -> Values:
    """The configuration of the demo, as values."""
    config: Values = yaml.safe_load(demo.read_text())
    config["metrics"] = {}
    config["retention"] = {"days": 100_000}  # the demo's day is some years ago
    config["spark"] = {"conf": {"spark.driver.memory": "1g"}}
    return config


def audit_values(demo: Values, namespace: str, **values: Any) -> Values:
    """Values for an audit of the demo's day, into a namespace for audit tables."""
    return {
        "config": {**demo, "audit": {**demo["audit"], "namespace": namespace}},
        "audit": {"extraArgs": ["--window-start", DAY.isoformat(), "--json"]},
        **values,
    }


def catalog_of(demo: Values) -> Catalog:
    """The demo's catalog."""
    return load_catalog("lake", demo["catalogs"]["lake"]["properties"])


def rows(demo: Values, namespace: str, table: str) -> list[dict[str, Any]]:
    """The rows of an audit table."""
    loaded = catalog_of(demo).load_table((namespace, table))
    found: list[dict[str, Any]] = loaded.scan().to_arrow().to_pylist()
    return found
