"""Paths in the place of a table's name: values may stand in them, and nothing shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.jobs.advise import run_advise
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery
from tests.audit_jobs.jobs.lakes import DAY, WINDOW, config_of, write_table

_REAL = "day=7/real"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalog with a table whose name looks like a path."""
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/c.db", warehouse=str(folder))
    catalog.create_namespace("db")
    catalog.register_table(("db", _REAL), str(write_table(folder / "files")))
    catalog.close()
    return folder


def config(lake: Path, *records: dict[str, str]) -> AuditConfig:
    log = lake / "log.jsonl"
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    properties = {"type": "sql", "uri": f"sqlite:///{lake}/c.db", "warehouse": str(lake)}
    return config_of(
        {},
        catalogs={"lake": {"properties": properties}},
        sources=[{"type": "sql_records", "paths": [str(log)]}],
        locations={"allow": [str(lake)]},
    )


def record(table: str, dialect: str) -> dict[str, str]:
    return {
        "sql": f"SELECT * FROM {table} WHERE id = 1",
        "dialect": dialect,
        "query_id": "q",
        "started_at": DAY.isoformat(),
        "catalog": "lake",
        "schema": "db",
    }


_PATHS = [
    pytest.param("parquet.`s3://b/email=miller/x`", "spark", id="format and path"),
    pytest.param("delta.`miller.d`", "databricks", id="format and file"),
    pytest.param("lake.json.`miller.json`", "spark", id="format in a catalog"),
    pytest.param("`lake.db.email=miller.x/y.miller`", "bigquery", id="path with dots"),
    pytest.param('"s3://b/email=miller/x.parquet"', "trino", id="path"),
    pytest.param('lake."s3://b/email=miller/"', "trino", id="path in a catalog"),
    pytest.param('lake.db."email=miller"', "trino", id="partition"),
    pytest.param('lake."a/email=b/b"."miller.parquet"', "trino", id="behind a path"),
    pytest.param(r'lake.db."\\miller\x"', "trino", id="path of Windows"),
]


@pytest.mark.parametrize(("table", "dialect"), _PATHS)
def test_nothing_shows_a_path(lake: Path, table: str, dialect: str) -> None:
    told = record(table, dialect)
    query = ObservedQuery("s", "q", told["sql"], dialect, catalog="lake", schema="db")
    runner = LocalRunner()
    inputs = made_inputs(runner, [name_tables(query)])
    result = run_audit(config(lake), WINDOW, inputs, runner, lambda _: None)
    rows = list(result.scan_plans())
    assert [row["outcome"] for row in rows] == ["table_not_found"]
    assert "?" in rows[0]["table"]
    advised = run_advise(config(lake, told), WINDOW, (), lambda _: None)
    assert [why.code for why in advised.failed.values()] == ["table_not_found"]
    shown = [*rows, result.run, advised.failed]
    assert "miller" not in " ".join(map(str, shown))


def test_a_table_of_the_catalog_is_shown_whatever_its_name(lake: Path) -> None:
    query = ObservedQuery("s", "q", f'SELECT * FROM lake.db."{_REAL}" WHERE id = 1', "trino")
    runner = LocalRunner()
    inputs = made_inputs(runner, [name_tables(query)])
    result = run_audit(config(lake), WINDOW, inputs, runner, lambda _: None)
    assert [(row["outcome"], row["table"]) for row in result.scan_plans()] == [("replayed", _REAL)]
