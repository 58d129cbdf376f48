"""What is told of a mistyped name, or a forgotten setting: what it should have been."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.suggestions import path_suggestion, table_suggestion


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a configuration of one catalog, and SQL."""
    folder = tmp_path_factory.mktemp("lake")
    properties = {"uri": f"sqlite:///{folder}/c.db", "warehouse": f"file://{folder}/w"}
    catalog = SqlCatalog("lake", **properties)
    catalog.create_namespace("sales")
    catalog.create_table("sales.orders", pa.schema([("id", pa.int64())]))
    catalog.close()
    document = {"catalogs": {"lake": {"properties": {"type": "sql", **properties}}}}
    (folder / "audit.yaml").write_text(json.dumps(document))
    other = {"catalogs": {"other": {"properties": {"type": "sql", **properties}}}}
    (folder / "other.yaml").write_text(json.dumps(other))
    (folder / "sql").mkdir()
    (folder / "sql" / "a.sql").write_text("SELECT * FROM sales.order WHERE id = 1")
    return folder


EXPLAIN = ("--where", "id = 1")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["fidnings"], "there is no command 'fidnings'; did you mean findings?"),
        (["nothing"], "there is no command 'nothing'; known: advise, audit, bisect"),
        (["explain", "lake.sales.orders", "--wher", "x"], "--where"),
        (["explain", "lak.sales.orders", *EXPLAIN], "no catalog 'lak'; did you mean lake?"),
        (["explain", "lake.sales.order", *EXPLAIN], "lake.sales.order; did you mean orders?"),
        (
            ["explain", "lake.sale.orders", *EXPLAIN],
            "no namespace sale: did you mean sales?",
        ),
        (["explain", "sales.order", *EXPLAIN], "lake.sales.order; did you mean orders?"),
        (["explain", "orders", *EXPLAIN], "write TABLE as catalog.namespace.table"),
        (
            ["explain", "sales.orders", "--catalog", "lake", *EXPLAIN],
            "has no catalog 'lake'; known: none; for one of audit.yaml, leave --catalog out",
        ),
        (["check", "--sql-dir", "sql"], "has no table lake.sales.order; did you mean orders?"),
        (["check", "--sql-dir", "sql", "--catalog", "lak"], "no catalog 'lak'; did you mean lake?"),
        (["tables", "lake.sale.*"], "did you mean lake.sales.*?"),
        (["tables", "orders"], "did you mean lake.sales.orders?"),
        (
            ["tables", "--config", "other.yaml"],
            "its database has tables of catalog 'lake', and of no other: name it so, catalogs.lake",
        ),
        (
            ["explain", "other.sales.orders", *EXPLAIN, "--config", "other.yaml"],
            "in place of catalogs.other, and let engines know it as before: aliases: [other]",
        ),
        (["tables", "--config", "audits.yaml"], "/audits.yaml. Pass `--config`, or create"),
    ],
)
def test_what_was_meant(
    lake: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], said: str
) -> None:
    monkeypatch.chdir(lake)
    monkeypatch.setenv("PYICEBERG_HOME", str(lake))
    result = CliRunner().invoke(main, command)
    assert result.exit_code != 0
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize("command", ["explain a.b --where 1=1", "tables", "doctor", "audit"])
def test_where_a_configuration_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYICEBERG_HOME", str(tmp_path))
    result = CliRunner().invoke(main, command.split())
    assert result.exit_code == 2
    assert f"No configuration file {tmp_path}/audit.yaml. Pass" in result.stderr
    assert "prunescope init" in result.stderr


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("log/q.jsonl", ": {0} has no log; did you mean logs?"),
        ("logs/p.jsonl", ": {0}/logs has no p.jsonl; did you mean q.jsonl?"),
        ("other/x/y", ": {0} has no other"),
        ("logs/*.json", ""),
        ("logs", ""),
        ("s3://lake/logs", ""),
    ],
)
def test_what_is_there_of_a_path(tmp_path: Path, path: str, said: str) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "q.jsonl").touch()
    location = path if "://" in path else f"{tmp_path}/{path}"
    assert path_suggestion(location) == said.format(tmp_path)


def test_globs_are_compared_with_namespaces() -> None:
    tables = ["lake.sales.orders", "lake.hr.people"]
    assert table_suggestion("lake.sale.*", tables) == "did you mean lake.sales.*?"
    assert table_suggestion("x.y.z.*", tables) == "known: lake.sales.*, lake.hr.*"
