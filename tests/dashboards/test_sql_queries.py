"""The SQL of the queries' dashboards, run by DuckDB over the audit tables of the demo."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.results.scan_schemas import PASSES
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.collectors.tables.catalog import load_catalog
from prunescope.dashboards.dashboards import dashboard_files
from prunescope.dashboards.settings import Settings
from tests.dashboards.demo_audit import audited_demo

pytestmark = pytest.mark.slow

BOARDS = {
    name: json.loads(text)
    for name, text in dashboard_files(Settings()).items()
    if "fingerprints" in name
}
TABLES = ("audit_runs", "scan_plans", "conjuncts", "findings", "column_health")


def panels(board: dict[str, Any]) -> dict[str, str]:
    """The SQL of each panel by title."""
    return {
        panel["title"]: panel["targets"][0]["rawSQL"]
        for panel in board["panels"]
        if panel["type"] != "row"
    }


(TRINO, ATHENA) = (
    BOARDS[f"prunescope-fingerprints-{plugin}.json"] for plugin in ("trino", "athena")
)
PANELS = panels(TRINO)


def interpolated(sql: str, fingerprint: str) -> str:
    """As Grafana and its plugins send it."""
    sql = sql.replace("${fingerprint:sqlstring}", "'" + fingerprint.replace("'", "''") + "'")
    sql = sql.replace("$schema", "pruning_audit")
    day = f"TIMESTAMP '{DAY} 00:00:00' AND TIMESTAMP '{DAY} 23:59:59'"
    return re.sub(r"\$__timeFilter\(([^)]*)\)", rf"\1 BETWEEN {day}", sql)


@pytest.fixture(scope="module")
def lake(demo_lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The demo's audit tables; beside its run they hold rows of one that never became visible."""
    result, config = audited_demo(demo_lake)
    catalog: Catalog = load_catalog("lake", config.catalogs["lake"].properties)
    publish(result, catalog, "pruning_audit")
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA pruning_audit; SET TimeZone = 'UTC'")
    for name in TABLES:
        rows = catalog.load_table(("pruning_audit", name)).scan().to_arrow()
        connection.register("arrow_rows", rows)
        connection.execute(f"CREATE TABLE pruning_audit.{name} AS SELECT * FROM arrow_rows")
        if name != "audit_runs":
            connection.execute(
                f"INSERT INTO pruning_audit.{name} "
                f"SELECT * REPLACE ('killed' AS run_id) FROM pruning_audit.{name}"
            )
    catalog.close()
    yield connection
    connection.close()


def run(lake: duckdb.DuckDBPyConnection, title: str, fingerprint: str) -> list[dict[str, Any]]:
    sql = interpolated(PANELS[title], fingerprint)
    rewritten = sqlglot.transpile(sql, read="trino", write="duckdb")[0]
    found = lake.execute(rewritten)
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.fixture(scope="module")
def fingerprint(lake: duckdb.DuckDBPyConnection) -> str:
    """That of a query with findings of its own, on a table whose columns were measured."""
    found = lake.execute(
        "SELECT fingerprint FROM pruning_audit.findings WHERE fingerprint IS NOT NULL "
        "AND suppressed IS NULL ORDER BY rank LIMIT 1"
    ).fetchone()
    assert found is not None
    value: str = found[0]
    return value


def test_both_plugins_ask_the_same() -> None:
    assert panels(ATHENA) == PANELS


@pytest.mark.parametrize("dialect", ["trino", "athena"])
@pytest.mark.parametrize("title", PANELS)
def test_the_dialect_has_what_a_query_uses(title: str, dialect: str) -> None:
    sqlglot.parse_one(
        interpolated(PANELS[title], "f"), read=dialect, error_level=sqlglot.ErrorLevel.RAISE
    )


@pytest.mark.parametrize("title", PANELS)
def test_every_panel_has_data(
    lake: duckdb.DuckDBPyConnection, fingerprint: str, title: str
) -> None:
    assert run(lake, title, fingerprint)


@pytest.mark.parametrize("title", [title for title in PANELS if title != "Queries by bytes read"])
def test_a_fingerprint_that_there_is_not_is_no_error(
    lake: duckdb.DuckDBPyConnection, title: str
) -> None:
    found = run(lake, title, "it's no fingerprint")
    assert all(set(row.values()) - {row.get("what")} <= {None} for row in found)


def test_rows_of_a_run_that_never_became_visible_do_not_count(
    lake: duckdb.DuckDBPyConnection,
) -> None:
    (visible,) = lake.execute(
        "SELECT sum(bytes_kept) FROM pruning_audit.scan_plans "
        "WHERE run_id <> 'killed' AND fingerprint IS NOT NULL"
    ).fetchall()
    found = run(lake, "Queries by bytes read", "")
    assert sum(row["bytes_read"] for row in found) == visible[0]
    assert all(0 <= row["share_read"] <= 1 for row in found)


def test_shares_are_between_nothing_and_all(
    lake: duckdb.DuckDBPyConnection, fingerprint: str
) -> None:
    (row,) = run(lake, "Kept by each pass", fingerprint)
    shares = [row[name] for name in PASSES if row[name] is not None]
    assert shares
    assert all(0 <= share <= 1 for share in shares)
