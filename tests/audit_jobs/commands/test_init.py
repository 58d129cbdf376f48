"""`prunescope init`: a configuration that works, from options."""

from __future__ import annotations

import json
import resource
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.starter import catalogs
from prunescope.collectors.queries.listing import expand_paths
from prunescope.collectors.storage.files import Storage

command = import_module("prunescope.audit_jobs.commands.init")

TRINO = {
    "metadata": {
        "queryId": "q1",
        "query": "SELECT * FROM iceberg.db.t WHERE a = 271828",
        "queryState": "FINISHED",
    },
    "context": {"user": "ana", "serverVersion": "482", "catalog": "iceberg", "schema": "db"},
    "statistics": {},
    "ioMetadata": {"inputs": []},
    "createTime": "2026-03-10T10:00:00Z",
    "endTime": "2026-03-10T10:00:01Z",
}


def run(folder: Path, *arguments: str) -> Result:
    output = folder / "audit.yaml"
    return CliRunner().invoke(main, ["init", "--output", str(output), "--no-probe", *arguments])


def written(folder: Path, *arguments: str) -> dict[str, Any]:
    result = run(folder, *arguments)
    assert result.exit_code == 0, result.output
    assert "Traceback" not in result.output
    load_config(folder / "audit.yaml")
    document: dict[str, Any] = yaml.safe_load((folder / "audit.yaml").read_text())
    return document


REST = ("--catalog-type", "rest", "--uri", "https://catalog.example.com")


@pytest.mark.parametrize(
    ("arguments", "properties", "variables"),
    [
        pytest.param(
            REST,
            {"type": "rest", "uri": "https://catalog.example.com"},
            ["PYICEBERG_CATALOG__LAKE__CREDENTIAL"],
            id="REST",
        ),
        pytest.param(
            (*REST, "--warehouse", "wh", "--s3-endpoint", "http://minio:9000", "--name", "my-lake"),
            {
                "type": "rest",
                "uri": "https://catalog.example.com",
                "warehouse": "wh",
                "s3.endpoint": "http://minio:9000",
                "s3.region": "us-east-1",
            },
            [
                "PYICEBERG_CATALOG__MY_LAKE__CREDENTIAL",
                "PYICEBERG_CATALOG__MY_LAKE__S3__ACCESS_KEY_ID",
                "PYICEBERG_CATALOG__MY_LAKE__S3__SECRET_ACCESS_KEY",
            ],
            id="REST and S3",
        ),
        pytest.param(
            ("--catalog-type", "glue", "--glue-region", "eu-central-1"),
            {"type": "glue", "glue.region": "eu-central-1"},
            [
                "PYICEBERG_CATALOG__LAKE__CLIENT__ACCESS_KEY_ID",
                "PYICEBERG_CATALOG__LAKE__CLIENT__SECRET_ACCESS_KEY",
            ],
            id="Glue",
        ),
        pytest.param(
            (
                *("--catalog-type", "hive", "--uri", "thrift://hms:9083"),
                *("--storage", "gcs", "--gcs-project", "p1"),
            ),
            {"type": "hive", "uri": "thrift://hms:9083", "gcs.project-id": "p1"},
            [
                "PYICEBERG_CATALOG__LAKE__GCS__OAUTH2__TOKEN",
                "PYICEBERG_CATALOG__LAKE__GCS__OAUTH2__TOKEN_EXPIRES_AT",
            ],
            id="Hive and GCS",
        ),
        pytest.param(
            (
                *("--catalog-type", "sql", "--uri", "sqlite:////c.db"),
                *("--warehouse", "abfss://c@a.dfs.core.windows.net/w", "--adls-account", "a"),
            ),
            {
                "type": "sql",
                "uri": "sqlite:////c.db",
                "warehouse": "abfss://c@a.dfs.core.windows.net/w",
                "adls.account-name": "a",
            },
            ["PYICEBERG_CATALOG__LAKE__ADLS__ACCOUNT_KEY"],
            id="SQL and ADLS",
        ),
        pytest.param(
            (*REST, "--s3-region", "eu", "--s3-virtual-hosts", "--property", "prefix=a=b"),
            {
                "type": "rest",
                "uri": "https://catalog.example.com",
                "s3.region": "eu",
                "s3.force-virtual-addressing": "true",
                "prefix": "a=b",
            },
            [],
            id="virtual hosts, and any property",
        ),
    ],
)
def test_a_catalog(
    tmp_path: Path, arguments: tuple[str, ...], properties: dict[str, str], variables: list[str]
) -> None:
    document = written(tmp_path, *arguments)
    ((name, catalog),) = document["catalogs"].items()
    assert catalog["properties"] == properties
    assert document["audit"] == {"catalog": name, "namespace": "pruning_audit"}
    text = (tmp_path / "audit.yaml").read_text()
    assert [v for v in variables if f"set {v} in the environment" not in text] == []


@pytest.mark.parametrize(
    ("arguments", "properties"),
    [
        pytest.param(
            ("--catalog-type", "sql", "--uri", "sqlite:///c.db", "--warehouse", "w"),
            {"uri": "sqlite:///FOLDER/c.db", "warehouse": "FOLDER/w"},
            id="SQLite",
        ),
        pytest.param(
            ("--catalog-type", "sql", "--uri", "sqlite:////c.db", "--warehouse", "file:///w"),
            {"uri": "sqlite:////c.db", "warehouse": "file:///w"},
            id="absolute ones",
        ),
        pytest.param(
            (*REST, "--warehouse", "wh"),
            {"uri": "https://catalog.example.com", "warehouse": "wh"},
            id="a name",
        ),
    ],
)
def test_local_paths_are_absolute(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    properties: dict[str, str],
) -> None:
    folder = tmp_path / "of [me]"
    folder.mkdir()
    (folder / "log.jsonl").write_text(json.dumps(TRINO))
    monkeypatch.chdir(folder)
    logs = ("--logs", "log.json*", "--logs", f"{tmp_path}/*/log.jsonl")
    document = written(tmp_path, *arguments, *logs)
    (catalog,) = document["catalogs"].values()
    found = {key: catalog["properties"][key] for key in properties}
    assert found == {key: text.replace("FOLDER", str(folder)) for key, text in properties.items()}
    monkeypatch.chdir("/")
    read = [path for source in document["sources"] for path in source["paths"]]
    assert {*expand_paths(read, Storage())} == {str(folder / "log.jsonl")}


def test_an_address_may_be_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYICEBERG_CATALOG__LAKE__URI", "postgresql://me:hidden@db/lake")
    document = written(tmp_path, "--catalog-type", "sql")
    assert document["catalogs"]["lake"]["properties"] == {"type": "sql"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("x.txt", "hello\n", "No supported query log among", id="text"),
        pytest.param("x.csv", "query\nSELECT 1\n", "export as JSON lines or Parquet", id="CSV"),
        pytest.param("x.json", "", "are empty. Run a query", id="empty"),
    ],
)
def test_what_is_no_log_is_told(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    result = run(tmp_path, *REST, "--logs", str(tmp_path / name))
    assert result.exit_code == 2
    assert message in result.stderr


def test_the_next_command_can_be_pasted(tmp_path: Path) -> None:
    file = tmp_path / "my audit.yaml"
    result = CliRunner().invoke(main, ["init", "--no-probe", "--output", str(file), *REST])
    command = f"prunescope doctor --config '{file}'"
    assert f"next: {command}\n" in result.stdout
    assert f"Check it: {command}\n" in file.read_text()


def test_a_file_is_replaced_on_demand_only(tmp_path: Path) -> None:
    (tmp_path / "audit.yaml").write_text("mine")
    assert run(tmp_path, *REST).exit_code == 2
    assert (tmp_path / "audit.yaml").read_text() == "mine"
    written(tmp_path, *REST, "--force")


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    """As on a full disk: no file may grow."""
    (tmp_path / "audit.yaml").write_text("mine")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, limits[1]))
    try:
        result = run(tmp_path, *REST, "--force")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert result.exit_code == 2
    assert "audit.yaml cannot be written (File too large)" in result.stderr
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"audit.yaml": "mine"}


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "audit.yaml"
    file.write_text("mine")
    file.chmod(0o600)
    assert run(tmp_path, *REST, "--force").exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text() != "mine"


def test_the_catalog_is_tried(tmp_path: Path) -> None:
    uri, output = f"sqlite:///{tmp_path}/c.db", tmp_path / "audit.yaml"
    catalog = SqlCatalog("lake", uri=uri, warehouse=f"file://{tmp_path}/w")
    catalog.create_namespace("db")
    catalog.create_table("db.t", pa.schema([("id", pa.int64())]))
    catalog.close()
    place = ["--warehouse", f"file://{tmp_path}/w", "--output", str(output)]
    command = ["init", *place, "--catalog-type", "sql", "--uri"]
    found = CliRunner().invoke(main, [*command, uri])
    assert found.exit_code == 0, found.output
    assert "lists 1 table" in found.stdout
    refused = CliRunner().invoke(main, [*command, "sqlite:////no/such/c.db", "--force"])
    assert refused.exit_code == 1
    assert "there is no file /no/such/c.db; check the path" in refused.stdout
    assert output.exists()


def test_places_of_tables_are_written_down_for_somebody_to_look_at(tmp_path: Path) -> None:
    uri, output = f"sqlite:///{tmp_path}/c.db", tmp_path / "audit.yaml"
    catalog = SqlCatalog("lake", uri=uri, warehouse=f"file://{tmp_path}/w")
    catalog.create_namespace("db")
    schema = pa.schema([("id", pa.int64())])
    catalog.create_table("db.here", schema)
    catalog.create_table("db.there", schema, location=f"file://{tmp_path}/there: x")
    root = catalog.create_table("db.root", schema)
    metadata = Path(root.metadata_location.removeprefix("file://"))
    document = json.loads(metadata.read_text())
    document["properties"] = {"write.data.path": "file:///", "write.metadata.path": "s3://"}
    metadata.write_text(json.dumps(document))
    catalog.close()
    place = ["--warehouse", f"file://{tmp_path}/w", "--output", str(output)]
    found = CliRunner().invoke(main, ["init", *place, "--catalog-type", "sql", "--uri", uri])
    assert found.exit_code == 0, found.output
    assert f"look whether they may: {tmp_path}/there: x" in found.output
    # No root, and no scheme, is a place.
    assert load_config(output).locations.allow == (f"{tmp_path}/there: x",)
    text = output.read_text()
    assert "# TO BE LOOKED AT" in text
    assert "lake.db.there" in text.partition("locations:")[2]
    doctor = CliRunner().invoke(main, ["doctor", "--no-spark", "--config", str(output)])
    assert "place /" not in doctor.output


def test_what_no_option_says_is_asked_for_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "has_terminal", lambda: True)
    (tmp_path / "log.jsonl").write_text(json.dumps(TRINO))
    answers = f"rest\nhttps://c\n\ns3\nhttp://minio:9000\n{tmp_path}/log.jsonl\n"
    output = tmp_path / "audit.yaml"
    arguments = ["init", "--no-probe", "--output", str(output)]
    result = CliRunner().invoke(main, arguments, input=answers)
    assert result.exit_code == 0, result.output
    config = load_config(output)
    assert config.catalogs["lake"].properties == {
        "type": "rest",
        "uri": "https://c",
        "s3.endpoint": "http://minio:9000",
        "s3.region": "us-east-1",
    }
    assert config.sources[0].type == "trino_events"


@pytest.mark.parametrize(
    ("answers", "properties"),
    [
        pytest.param(
            "glue\neu-west-1\n\ns3\n\n\n", {"type": "glue", "glue.region": "eu-west-1"}, id="Glue"
        ),
        pytest.param(
            "hive\nthrift://h:9083\n\nadls\nacc\n\n",
            {"type": "hive", "uri": "thrift://h:9083", "adls.account-name": "acc"},
            id="Hive and ADLS",
        ),
        pytest.param(
            "rest\nhttps://c\n\ngcs\np1\n\n",
            {"type": "rest", "uri": "https://c", "gcs.project-id": "p1"},
            id="REST and GCS",
        ),
    ],
)
def test_each_kind_is_asked_for_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: str, properties: dict[str, str]
) -> None:
    monkeypatch.setattr(command, "has_terminal", lambda: True)
    output = tmp_path / "audit.yaml"
    arguments = ["init", "--no-probe", "--output", str(output)]
    result = CliRunner().invoke(main, arguments, input=answers)
    assert result.exit_code == 0, result.output
    assert load_config(output).catalogs["lake"].properties == properties


def test_the_choices_are_those_of_the_module() -> None:
    assert (command.CATALOGS, command.STORAGES) == (catalogs.CATALOGS, catalogs.STORAGES)
