"""`prunescope init`: a configuration that works, from options and from logs."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from audit_jobs.cli import main
from audit_jobs.config import load_config
from audit_jobs.starter import catalogs

command = import_module("audit_jobs.commands.init")

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
ATHENA = {
    "QueryExecutionId": "x",
    "Query": "SELECT * FROM db.t WHERE a = 'secret name'",
    "Status": {"State": "SUCCEEDED", "SubmissionDateTime": "2026-03-10T10:00:00Z"},
    "QueryExecutionContext": {"Catalog": "AwsDataCatalog", "Database": "db"},
}
SNOWFLAKE = {
    "QUERY_TEXT": "SELECT * FROM LAKE.DB.T",
    "QUERY_ID": "x",
    "START_TIME": "2026-03-10T10:00:00Z",
    "DATABASE_NAME": "LAKE",
    "USER_NAME": "ANA",
    "EXECUTION_STATUS": "SUCCESS",
}
OTHER = {"Statement": "SELECT * FROM lake.db.t", "created_at": "2026-03-10T10:00:00Z", "n": 1}


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


def test_files_beside_an_event_log(tmp_path: Path) -> None:
    """What is no part of a log of Spark's is looked into as any other file."""
    (tmp_path / "eventlog_v2_app").mkdir()
    for name in ("appstatus_app", ".events_1_app.crc"):
        (tmp_path / "eventlog_v2_app" / name).write_text("")
    (tmp_path / "eventlog_v2_app" / "trino.jsonl").write_text(json.dumps(TRINO))
    document = written(tmp_path, *REST, "--logs", str(tmp_path / "eventlog_v2_app"))
    assert document["sources"][0]["type"] == "trino_events"


@pytest.mark.parametrize(
    ("record", "expected", "seen"),
    [
        pytest.param(
            TRINO,
            {"type": "trino_events"},
            "trino events (1 file, 1 looked into)\n"
            "  2026-03-10 10:00 trino 482: SELECT * FROM iceberg.db.t WHERE a = ?",
            id="Trino",
        ),
        pytest.param(
            ATHENA,
            {"type": "sql_records", "export": "athena"},
            "athena records (1 file, 1 looked into)\n"
            "  2026-03-10 10:00 athena: SELECT * FROM db.t WHERE a = ?",
            id="Athena",
        ),
        pytest.param(
            SNOWFLAKE,
            {"type": "sql_records", "export": "snowflake"},
            "snowflake records (1 file, 1 looked into)",
            id="Snowflake",
        ),
        pytest.param(
            OTHER,
            {
                "type": "sql_records",
                "fields": {"sql": "Statement", "started_at": "created_at"},
            },
            "SQL records (sql: Statement, started_at: created_at) (1 file, 1 looked into)",
            id="any other names",
        ),
        pytest.param(
            {"query": "SELECT * FROM db.t WHERE a = 271828", "ts": "2026-03-10T10:00:00Z"},
            {"type": "sql_records", "fields": {"sql": "query", "started_at": "ts"}},
            "SQL records (sql: query, started_at: ts) (1 file, 1 looked into)\n"
            "  2026-03-10 10:00 unknown engine: SELECT * FROM db.t WHERE a = ?",
            id="a field of ClickHouse's",
        ),
    ],
)
def test_logs_are_recognised(
    tmp_path: Path, record: dict[str, Any], expected: dict[str, Any], seen: str
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(record) + "\n")
    result = run(tmp_path, *REST, "--logs", str(log))
    assert result.exit_code == 0, result.output
    (source,) = yaml.safe_load((tmp_path / "audit.yaml").read_text())["sources"]
    assert source == {**expected, "paths": [str(log)]}
    assert f"{log}: {seen}" in result.stdout
    text = (tmp_path / "audit.yaml").read_text()
    assert not [word for word in ("271828", "secret name") if word in result.output + text]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        pytest.param(SNOWFLAKE, {"export": "snowflake"}, id="Snowflake"),
        pytest.param(
            OTHER, {"fields": {"sql": "Statement", "started_at": "created_at"}}, id="other names"
        ),
    ],
)
def test_exports_in_parquet_are_recognised(
    tmp_path: Path, record: dict[str, Any], expected: dict[str, Any]
) -> None:
    log = tmp_path / "part-0.parquet"
    pq.write_table(pa.Table.from_pylist([record]), log)
    (source,) = written(tmp_path, *REST, "--logs", str(log))["sources"]
    assert source == {"type": "sql_records", **expected, "paths": [str(log)]}


def test_spark_event_logs_are_recognised(tmp_path: Path) -> None:
    log = tmp_path / "events" / "app-1"
    log.parent.mkdir()
    start = {
        "Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
        "executionId": 0,
        "description": "SELECT * FROM lake.db.t WHERE a = 271828",
        "details": "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver.main",
        "time": 1_700_000_000_000,
        "sparkPlanInfo": {"nodeName": "x", "simpleString": "x", "children": [], "metrics": []},
    }
    events = [{"Event": "SparkListenerLogStart", "Spark Version": "3.5.6"}, start]
    log.write_text("\n".join(json.dumps(event, separators=(",", ":")) for event in events))
    result = run(tmp_path, *REST, "--logs", str(log.parent))
    assert "spark event logs (1 file, 1 looked into)" in result.stdout, result.output
    assert "271828" not in result.output


def test_several_kinds_in_a_folder_are_several_sources(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.jsonl").write_text(json.dumps(TRINO))
    (logs / "b.jsonl").write_text(json.dumps(ATHENA))
    sources = written(tmp_path, *REST, "--logs", str(logs))["sources"]
    assert [(s["type"], s["paths"]) for s in sources] == [
        ("trino_events", [str(logs / "a.jsonl")]),
        ("sql_records", [str(logs / "b.jsonl")]),
    ]


def test_a_catalog_that_queries_call_otherwise_gets_an_alias(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(json.dumps(TRINO))
    result = run(tmp_path, *REST, "--logs", str(tmp_path / "log.jsonl"))
    assert "queries name the catalog iceberg: taken as an alias of lake" in result.stderr
    assert load_config(tmp_path / "audit.yaml").catalogs["lake"].aliases == ("iceberg",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "--catalog-type: rest, glue, hive, sql", id="nothing said"),
        pytest.param(["--catalog-type", "rest"], "say where the rest catalog is", id="no uri"),
        pytest.param([*REST, "--logs", "/no/such"], "/no/such matches no file", id="no logs"),
        pytest.param(
            [*REST, "--logs", "abfss://c@a.dfs.core.windows.net/x"],
            "abfss:// needs adls.account-name",
            id="no account",
        ),
        pytest.param([*REST, "--logs", "http://x/y"], "must begin with s3://", id="a scheme"),
        pytest.param([*REST, "--property", "x"], "--property KEY=VALUE", id="no value"),
        pytest.param(
            ["--catalog-type", "sql", "--uri", "postgresql://me:hidden@db/lake"],
            "uri holds a password, and does not belong into a file; set "
            "PYICEBERG_CATALOG__LAKE__URI in the environment, and leave it out here",
            id="a password in the address",
        ),
        pytest.param(
            [*REST, "--property", "token=hidden"],
            "the property token is a credential, and does not belong into a file; set "
            "PYICEBERG_CATALOG__LAKE__TOKEN in the environment",
            id="a token",
        ),
        pytest.param(
            [*REST, "--property", "s3.secret-access-key=hidden"],
            "set PYICEBERG_CATALOG__LAKE__S3__SECRET_ACCESS_KEY in the environment",
            id="a key",
        ),
        pytest.param(
            [*REST, "--property", "header.Authorization=Bearer hidden"],
            "set PYICEBERG_CATALOG__LAKE__HEADER__AUTHORIZATION in the environment",
            id="a header",
        ),
        pytest.param(
            [*REST, "--property", "header.X-Api-Key=hidden"],
            "set PYICEBERG_CATALOG__LAKE__HEADER__X_API_KEY in the environment",
            id="a key of an API",
        ),
    ],
)
def test_nothing_is_written_for_what_cannot_be(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    result = run(tmp_path, *arguments)
    assert (result.exit_code, (tmp_path / "audit.yaml").exists()) == (2, False)
    assert message in result.stderr
    assert "hidden" not in result.output


def test_an_address_may_be_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYICEBERG_CATALOG__LAKE__URI", "postgresql://me:hidden@db/lake")
    document = written(tmp_path, "--catalog-type", "sql")
    assert document["catalogs"]["lake"]["properties"] == {"type": "sql"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("x.txt", "hello\n", "is a query log that prunescope reads", id="text"),
        pytest.param("x.csv", "query\nSELECT 1\n", "export as JSON lines or Parquet", id="CSV"),
        pytest.param("x.json", "", "all of its files are empty", id="empty"),
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
    assert f"What is missing: {command}\n" in file.read_text()


def test_a_file_is_replaced_on_demand_only(tmp_path: Path) -> None:
    (tmp_path / "audit.yaml").write_text("mine")
    assert run(tmp_path, *REST).exit_code == 2
    assert (tmp_path / "audit.yaml").read_text() == "mine"
    written(tmp_path, *REST, "--force")


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
    assert "unable to open database file" in refused.stdout
    assert output.exists()


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
