"""`prunescope init` tells what files of logs hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from prunescope.audit_jobs.config import load_config
from tests.audit_jobs.commands.test_init import REST, TRINO, run, written
from tests.collectors.addresses_tried import NOT_SHOWN
from tests.collectors.queries.test_exports import DATABRICKS, REDSHIFT

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


def sql_of(text: str, engine: str = "trino") -> dict[str, Any]:
    """A record of a query of an engine."""
    return {"sql": text, "engine": engine, "started_at": "2026-03-10T10:00:00Z"}


OTHER = {"Statement": "SELECT * FROM lake.db.t", "created_at": "2026-03-10T10:00:00Z", "n": 1}


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
            REDSHIFT,
            {"type": "sql_records", "export": "redshift"},
            "redshift records (1 file, 1 looked into)",
            id="Redshift",
        ),
        pytest.param(
            {"QueryExecutions": [ATHENA, ATHENA], "UnprocessedQueryExecutionIds": []},
            {"type": "sql_records", "export": "athena"},
            "athena records (1 file, 1 looked into)",
            id="Athena's whole answer",
        ),
        pytest.param(
            {"res": [DATABRICKS], "next_page_token": "x"},
            {"type": "sql_records", "export": "databricks"},
            "databricks records (1 file, 1 looked into)",
            id="Databricks' whole answer",
        ),
        pytest.param(
            {"@timestamp": "2026-03-10T10:00:00Z", "message": json.dumps(TRINO)},
            {"type": "trino_events"},
            "trino events (1 file, 1 looked into)",
            id="Trino in an envelope",
        ),
        pytest.param(
            {"_source": {"message": json.dumps(OTHER)}},
            {
                "type": "sql_records",
                "fields": {"sql": "Statement", "started_at": "created_at"},
            },
            "SQL records (sql: Statement, started_at: created_at) (1 file, 1 looked into)",
            id="any other names in an envelope",
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
        pytest.param(
            {"query": 'SELECT "secret name" FROM "db"."t" WHERE a = "secret name"'},
            {"type": "sql_records", "fields": {"sql": "query"}},
            "SQL records (sql: query) (1 file, 1 looked into)\n"
            '  unknown engine: SELECT ? FROM "db"."t" WHERE a = ?',
            id="what may be a name or a text",
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
    ("record", "shown"),
    [
        pytest.param(
            sql_of('SELECT "miller" FROM "db"."t" WHERE a = "miller"'),
            'SELECT ? FROM "db"."t" WHERE a = ?',
            id="texts of another dialect",
        ),
        pytest.param(
            sql_of("SELECT * FROM `db`.t AS `miller` WHERE a = `miller`", "spark"),
            "SELECT * FROM `db`.t AS ? WHERE a = ?",
            id="backticks",
        ),
        pytest.param(
            {
                **ATHENA,
                "Query": "SELECT * FROM db.t WHERE a = ? AND b = ?",
                "ExecutionParameters": ["miller", "x.miller"],
            },
            "SELECT * FROM db.t WHERE a = ? AND b = ?",
            id="parameters without quotes",
        ),
        pytest.param(
            sql_of(
                "SELECT * FROM parquet.`s3://b/name=miller/x` AS p JOIN u ON p.a = u.a", "spark"
            ),
            "SELECT * FROM parquet.? AS p JOIN u ON p.a = u.a",
            id="path of files",
        ),
        pytest.param(
            sql_of('SELECT * FROM "s3://miller/x".db.t'),
            "SELECT * FROM ?.?.?",
            id="path as a catalog",
        ),
    ],
)
def test_queries_are_shown_without_what_may_be_a_value(
    tmp_path: Path, record: dict[str, Any], shown: str
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(record) + "\n")
    result = run(tmp_path, *REST, "--logs", str(log))
    assert result.exit_code == 0, result.output
    assert f": {shown}\n" in result.stdout
    assert "miller" not in result.output + (tmp_path / "audit.yaml").read_text()


AT = "2026-03-10T10:00:00Z"


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        pytest.param({"start": AT}, "start", id="a name"),
        pytest.param({"startTime": AT}, "startTime", id="in camels"),
        pytest.param({"time": "12s", "ran": AT}, "ran", id="a duration"),
        pytest.param({"done": "2026-03-10T10:00:09Z", "ran": AT}, "ran", id="the earliest"),
        pytest.param({"start": 1773136800, "done": AT}, "start", id="an epoch"),
        pytest.param({"size": 1773136800, "day": "2026-03-10"}, None, id="a number, and a day"),
    ],
)
def test_times_are_recognised(tmp_path: Path, fields: dict[str, Any], name: str | None) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"sql": "SELECT * FROM lake.db.t", **fields}))
    result = run(tmp_path, *REST, "--logs", str(log))
    (source,) = yaml.safe_load((tmp_path / "audit.yaml").read_text())["sources"]
    assert source.get("fields", {}).get("started_at") == name
    assert ("no query says when it started" in result.stderr) == (name is None)


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


EMPTY_APPLICATION = '{"Event":"SparkListenerLogStart","Spark Version":"3.5.6"}'
QUEUED = json.dumps({"metadata": {"queryId": "q", "query": "SELECT 1", "queryState": "QUEUED"}})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(EMPTY_APPLICATION, "spark_event_logs", id="Spark, no scan of Iceberg"),
        pytest.param(QUEUED, "trino_events", id="Trino, no query that ended"),
        pytest.param('{"report-type": "commit-report"}', "iceberg_reports", id="no scans"),
    ],
)
def test_logs_without_a_query_are_known_by_their_form(
    tmp_path: Path, text: str, expected: str
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(9):
        (logs / f"app-{number}").write_text(text)
    result = run(tmp_path, *REST, "--logs", str(logs))
    assert result.exit_code == 0, result.output
    (source,) = yaml.safe_load((tmp_path / "audit.yaml").read_text())["sources"]
    assert source == {"type": expected, "paths": [str(logs)]}
    assert "hold no query on an Iceberg table" in result.stderr


def test_the_last_file_of_many_is_looked_into(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(9):
        (logs / f"{number}.txt").write_text("no log\n")
    (logs / "9.txt").write_text(json.dumps(TRINO))
    result = run(tmp_path, *REST, "--logs", str(logs))
    assert "trino events (10 files, 1 looked into)" in result.stdout, result.output


def test_a_text_log_that_is_not_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "fe.audit.log").write_text(
        "2026-11-28 04:40:00 [query] |Timestamp=1|Client=::1|User=ana|Db=s|State=EOF|Time=8"
        "|QueryId=q-1|IsQuery=true|feIp=::1|Stmt=SELECT count(*) FROM s.t WHERE a = 271828\n"
    )
    result = run(tmp_path, *REST, "--logs", str(tmp_path / "fe.audit.log"))
    assert result.exit_code == 2
    assert "AuditLoader" in result.stderr
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
            "`uri` may hold a password. Do not store it in the file: set "
            "PYICEBERG_CATALOG__LAKE__URI in the environment.",
            id="a password in the address",
        ),
        *(
            pytest.param(
                ["--catalog-type", "sql", "--uri", uri],
                "`uri` may hold a password",
                id=uri,
            )
            for uri in NOT_SHOWN
        ),
        *(
            pytest.param([*REST, "--property", text], message, id=text)
            for text, message in (
                ("oauth2-server-uri=me:hidden@host/tokens", "may hold a password"),
                ("s3.endpoint=key:hidden@store:9000", "may hold a password"),
                ("warehouse=DefaultEndpointsProtocol=https;AccountKey=hidden", "may hold"),
                ("header.X-Tenant=hidden", "`header.X-Tenant` is a credential"),
                ("auth={type: basic, password: hidden}", "`auth` is a credential"),
            )
        ),
        pytest.param(
            [*REST, "--property", "token=hidden"],
            "`token` is a credential. Do not store it in the file: set "
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
