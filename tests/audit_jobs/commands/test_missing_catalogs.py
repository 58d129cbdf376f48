"""A mistyped path of a catalog in SQLite, as each command that only reads tells it: it makes no
file. That of the audit tables the first audit makes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main


def place(folder: Path, file: str) -> dict[str, Any]:
    return {"type": "sql", "uri": f"sqlite:///{folder}/{file}", "warehouse": f"file://{folder}/w"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a table, a log and a file of SQL that read it."""
    catalog = SqlCatalog("lake", **place(tmp_path, "lake.db"))
    catalog.create_namespace("db")
    catalog.create_table("db.t", pa.schema([("id", pa.int64())]))
    catalog.close()
    record = {"sql": "SELECT * FROM lake.db.t WHERE id = 1", "started_at": "2026-03-10T10:00:00Z"}
    (tmp_path / "log.jsonl").write_text(json.dumps(record))
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql" / "a.sql").write_text(record["sql"])
    return tmp_path


def run(folder: Path, catalogs: dict[str, str], audit: str, *arguments: str) -> Result:
    document = {
        "catalogs": {name: {"properties": place(folder, file)} for name, file in catalogs.items()},
        "sources": [{"type": "sql_records", "paths": [str(folder / "log.jsonl")]}],
        "audit": {"catalog": audit},
    }
    config = folder / "audit.yaml"
    config.write_text(json.dumps(document))
    command, *options = (one.replace("FOLDER", str(folder)) for one in arguments)
    return CliRunner().invoke(main, [command, "--config", str(config), *options])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["tables"], 2, id="tables"),
        pytest.param(["explain", "lake.db.t", "--where", "id = 1"], 2, id="explain"),
        pytest.param(["check", "--sql-dir", "FOLDER/sql"], 1, id="check"),
        pytest.param(["findings"], 2, id="findings"),
        pytest.param(["report", "--output", "FOLDER/x.html"], 2, id="report"),
        pytest.param(["advise", "--window", "2026-03-10"], 2, id="advise"),
        pytest.param(["doctor", "--no-spark"], 1, id="doctor"),
        pytest.param(["maintain"], 2, id="maintain"),
    ],
)
def test_commands_that_read_tell_it_and_make_none(
    folder: Path, arguments: list[str], code: int
) -> None:
    result = run(folder, {"lake": "typo.db"}, "lake", *arguments)
    assert result.exit_code == code
    # A table of outcomes wraps lines anywhere.
    assert f"thereisnofile{folder}/typo.db" in "".join(result.output.split())
    assert not (folder / "typo.db").exists()


def test_init_tells_it_and_makes_none(folder: Path) -> None:
    uri = f"sqlite:///{folder}/typo.db"
    arguments = ["--catalog-type", "sql", "--uri", uri, "--output", str(folder / "new.yaml")]
    result = CliRunner().invoke(main, ["init", *arguments])
    assert result.exit_code == 1
    assert f"there is no file {folder}/typo.db" in result.stdout
    assert not (folder / "typo.db").exists()


def test_a_catalog_that_only_audits_make_is_no_mistake(folder: Path) -> None:
    catalogs = {"lake": "lake.db", "own": "own.db"}
    listed = run(folder, catalogs, "own", "tables")
    assert (listed.exit_code, "lake.db.t" in listed.stdout) == (0, True), listed.output
    found = run(folder, catalogs, "own", "doctor", "--no-spark", "--json").stdout
    checks = {check["name"]: check for check in map(json.loads, found.splitlines())}
    assert checks["catalog own"]["state"] == "warning"
    assert (
        checks["catalog own"]["remedy"]
        == "if the path is right, nothing is to be done: the first audit makes the catalog"
    )
    assert not (folder / "own.db").exists()


def test_tables_of_other_catalogs_are_told_all_the_same(folder: Path) -> None:
    result = run(folder, {"lake": "lake.db", "other": "typo.db"}, "lake", "tables")
    assert result.exit_code == 1
    assert "lake.db.t" in result.stdout
    assert f"there is no file {folder}/typo.db" in result.stderr


def test_a_catalog_that_only_the_configuration_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """audit.yaml is read where it is, unless --catalog names one of PyIceberg's."""
    monkeypatch.chdir(tmp_path)
    command = ["explain", "--where", "a = 1"]
    alone = CliRunner().invoke(main, [*command, "sales.orders", "--catalog", "lake"])
    assert (alone.exit_code, "audit.yaml" in alone.stderr) == (2, False)
    (tmp_path / "audit.yaml").write_text(
        "catalogs: {lake: {properties: {type: sql, uri: 'sqlite://'}, aliases: [iceberg]}}\n"
        "sources: [{type: trino_events, paths: [x]}]\naudit: {catalog: lake}\n"
    )
    beside = CliRunner().invoke(main, [*command, "sales.orders", "--catalog", "lake"])
    assert beside.exit_code == 2
    assert "leave --catalog out: CATALOG.NAMESPACE.TABLE" in beside.stderr
    for named in ([], ["--config", "audit.yaml"]):
        misspelt = CliRunner().invoke(main, [*command, *named, "iceburg.sales.orders"])
        assert "has no catalog 'iceburg'; did you mean iceberg?" in misspelt.stderr
    both = ["--catalog", "lake", "--config", "audit.yaml"]
    assert "at most one" in CliRunner().invoke(main, [*command, *both, "sales.orders"]).stderr


def test_a_namespace_without_audit_tables_is_told_by_maintain(folder: Path) -> None:
    result = run(folder, {"lake": "lake.db"}, "lake", "maintain", "--json")
    assert (result.exit_code, result.stdout) == (0, "[]\n")
    assert "catalog 'lake' has no audit tables in pruning_audit; run" in result.stderr
