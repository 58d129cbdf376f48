"""What `prunescope doctor` says: all is well, or the sentence for each thing that is broken."""

from __future__ import annotations

import datetime as dt
import json
import socket
from collections.abc import Iterator
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

import pyarrow as pa
import pytest
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import AuditConfig, validate_config
from prunescope.audit_jobs.doctor import programs
from prunescope.audit_jobs.doctor.model import State
from prunescope.audit_jobs.doctor.programs import check_clock, check_spark, check_versions
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.collectors.sql.text.parser import require_interpreted

pytestmark = pytest.mark.slow

NOW = dt.datetime.now(dt.UTC).replace(microsecond=0)
DAY = dt.timedelta(days=1)
LOG = "sources[0] sql_records"
NO_TIME = (
    "every audit counts queries without a time again: write the time into the log, or, for "
    "sql_records, name the field that has it: fields: {started_at: …}"
)


class Lake:
    """A catalog with a table and a log, and a configuration that a test may break."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log.jsonl"
        properties = {"uri": f"sqlite:///{folder}/c.db", "warehouse": f"file://{folder}/w"}
        catalog = SqlCatalog("lake", **properties)
        catalog.create_namespace("db")
        rows = pa.table({"id": pa.array([1, 2], pa.int64())})
        catalog.create_table("db.t", rows.schema).append(rows)
        catalog.close()
        self.document: dict[str, Any] = {
            "catalogs": {"lake": {"properties": {"type": "sql", **properties}}},
            "sources": [{"type": "sql_records", "paths": [str(self.log)], "engine": "trino"}],
            "audit": {"catalog": "lake"},
        }
        self.properties = properties
        self.write_log([("SELECT * FROM lake.db.t WHERE id = 271828", NOW - DAY)])

    def write_log(self, queries: list[tuple[str, dt.datetime | None]]) -> None:
        lines = (json.dumps({"sql": s, "started_at": t and t.isoformat()}) for s, t in queries)
        self.log.write_text("\n".join(lines))

    def add(self, name: str, location: str) -> None:
        """Another table, which lies somewhere."""
        catalog = SqlCatalog("lake", **self.properties)
        rows = pa.table({"id": pa.array([1], pa.int64())})
        table = catalog.create_table(name, rows.schema, location=location)
        table.append(rows)
        catalog.close()

    def doctor(self, *arguments: str) -> Result:
        config = self.folder / "audit.yaml"
        config.write_text(yaml.safe_dump(self.document))
        command = ["doctor", "--no-spark", "--config", str(config), *arguments]
        return CliRunner().invoke(main, command)

    def checks(self) -> dict[str, dict[str, Any]]:
        """What is found, by name."""
        result = self.doctor("--json")
        found = [json.loads(line) for line in result.stdout.splitlines()]
        is_bad = "failed" in {check["state"] for check in found}
        assert result.exit_code == int(is_bad), result.output
        assert "271828" not in result.output
        return {check["name"]: check for check in found}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path)


def test_all_is_well(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRUNESCOPE_SECRET", "of thirty-two characters or more")
    lake.document["metrics"] = {"textfile": str(lake.folder / "x.prom")}
    lake.document["report"] = {"path": str(lake.folder / "{window_start}.html")}
    checks = lake.checks()
    well = [
        "versions",
        "catalog lake",
        "storage of this machine",
        "audit tables lake.pruning_audit",
    ]
    well += [LOG, "secret", "metrics.textfile", "report.path"]
    states = {name: check["state"] for name, check in checks.items()}
    assert states == {"clock": "skipped", **dict.fromkeys(well, "ok")}
    assert "and lists 1 table in " in checks["catalog lake"]["detail"]
    assert checks[LOG]["detail"].startswith("1 query of the last 7 days: 1 of trino, ")
    assert checks[LOG]["detail"].endswith("; 1 on tables of the configured catalogs")


def test_looking_leaves_no_trace(lake: Lake) -> None:
    lake.checks()
    catalog = SqlCatalog("lake", uri=f"sqlite:///{lake.folder}/c.db")
    assert catalog.list_namespaces() == [("db",)]
    catalog.close()


def test_a_catalog_that_is_down(lake: Lake) -> None:
    lake.document["catalogs"]["lake"]["properties"] = {"type": "rest", "uri": "http://127.0.0.1:1"}
    checks = lake.checks()
    assert checks["catalog lake"]["detail"] == (
        "catalog 'lake' at http://127.0.0.1:1 cannot be opened: the connection was refused: is it "
        "running, and are host and port right?"
    )
    assert checks["audit tables lake.pruning_audit"]["state"] == "skipped"


def test_a_catalog_without_tables(lake: Lake) -> None:
    elsewhere = {"type": "sql", "uri": f"sqlite:///{lake.folder}/other.db", "warehouse": "/x"}
    SqlCatalog("other", **elsewhere).close()
    lake.document["catalogs"]["other"] = {"properties": elsewhere}
    check = lake.checks()["catalog other"]
    assert (check["state"], check["remedy"]) == (
        "warning",
        "check the property warehouse, and what the credentials may list",
    )


def test_manifests_that_cannot_be_read(lake: Lake) -> None:
    for path in (lake.folder / "w").rglob("*-m0.avro"):
        path.unlink()
    check = lake.checks()["storage of this machine"]
    assert check["state"] == "failed"
    assert "a manifest cannot be read: " in check["detail"]
    assert "there is no such file" in check["detail"]


def test_metadata_files_that_are_named(lake: Lake) -> None:
    there = next(lake.folder.rglob("*.metadata.json"))
    lake.document["tables"] = [{"name": "files.db.t", "metadata": str(there)}]
    assert lake.checks()["tables"]["state"] == "ok"
    lake.document["tables"].append({"name": "files.db.gone", "metadata": f"{there}.gone"})
    check = lake.checks()["table files.db.gone"]
    assert (check["state"], f"{there}.gone" in check["detail"]) == ("failed", True)


def test_a_namespace_that_cannot_be_written(lake: Lake) -> None:
    (lake.folder / "file").write_text("")
    lake.document["catalogs"]["lake"]["properties"]["warehouse"] = f"file://{lake.folder}/file/w"
    check = lake.checks()["audit tables lake.pruning_audit"]
    assert check["state"] == "failed"
    assert "audit tables cannot be written in catalog 'lake': creating the table" in check["detail"]


@pytest.mark.parametrize(
    ("queries", "state", "detail", "remedy"),
    [
        pytest.param(
            [("SELECT 1 FROM lake.db.t", NOW - 30 * DAY)],
            "warning",
            "no queries in the last 7 days. The log has 1, from ",
            f"prunescope audit --window {(NOW - 30 * DAY).date()}",
            id="long ago",
        ),
        pytest.param(
            [("SELECT 1 FROM iceberg.db.t", NOW - DAY)],
            "warning",
            "; 0 on tables of the configured catalogs",
            "add the names that engines use to catalogs.NAME.aliases: queries name iceberg",
            id="another name of the catalog",
        ),
        pytest.param(
            [("SELECT 1 FROM lake.db.t", NOW - DAY), ("SELEC 271828", NOW - DAY)],
            "warning",
            "; not read: 1 unparseable",
            "docs/audit.md explains each of these outcomes",
            id="no SQL",
        ),
        pytest.param(
            [("SELECT 1 FROM lake.db.t", NOW - DAY), ("DROP VIEW lake.db.v", NOW - DAY)],
            "ok",
            "1 on tables of the configured catalogs; without a scan: 1 not_a_query",
            None,
            id="no query",
        ),
        pytest.param(
            [("SELECT 1 FROM lake.db.t", NOW)],
            "ok",
            "1 query of the last 7 days",
            None,
            id="of this minute",
        ),
        pytest.param(
            [("SELECT 1 FROM lake.db.t", None), ("SELECT 2 FROM lake.db.t", None)],
            "warning",
            "2 queries without a time, which every window takes: 2 of trino; 2 on tables",
            NO_TIME,
            id="no times",
        ),
        pytest.param(
            [("SELECT 1 FROM lake.db.t", NOW - DAY), ("SELECT 2 FROM lake.db.t", None)],
            "warning",
            "1 query of the last 7 days and 1 query without a time, which every window takes: ",
            NO_TIME,
            id="a time of one",
        ),
        pytest.param([], "warning", "no query at all", "check that the engine writes logs", id="0"),
    ],
)
def test_a_log(
    lake: Lake, queries: list[tuple[str, dt.datetime | None]], state: str, detail: str, remedy: str
) -> None:
    lake.write_log(queries)
    check = lake.checks()[LOG]
    assert (check["state"], check["remedy"]) == (state, remedy)
    assert detail in check["detail"]


def test_logs_that_take_too_long(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prunescope.audit_jobs.doctor.logs.SECONDS", -1.0)
    check = lake.checks()[LOG]
    assert (check["state"], check["detail"]) == (
        "warning",
        "no query at all (of what was read in -1 s)",
    )


def test_services_that_do_not_answer(lake: Lake) -> None:
    lake.document["metrics"] = {"pushgateway": "http://me:hidden@127.0.0.1:1"}
    lake.document["otlp"] = {"endpoint": "http://127.0.0.1:1"}
    lake.document["report"] = {"path": "/no/such/r.html"}
    checks = lake.checks()
    assert checks["metrics.pushgateway"]["detail"] == (
        "nobody answers at http://127.0.0.1:1 (ConnectionRefusedError)"
    )
    assert checks["otlp.endpoint"]["remedy"] == "is it running, and is otlp.endpoint right?"
    assert "there is no directory /no/such" in checks["report.path"]["detail"]


def test_a_cache_is_written_or_nothing_is_kept(lake: Lake) -> None:
    folder = lake.folder / "not" / "yet"
    lake.document["cache"] = {"path": str(folder)}
    check = lake.checks()["cache.path"]
    assert check["state"] == "ok"
    assert f"{folder} can be written, and its disk has " in check["detail"]
    assert not folder.parent.exists()
    file = lake.folder / "file"
    file.write_text("no folder")
    lake.document["cache"] = {"path": str(file / "kept")}
    check = lake.checks()["cache.path"]
    assert (check["state"], check["detail"]) == (
        "warning",
        f"{file} is no folder that can be written (Not a directory): nothing is kept",
    )


def test_what_modes_do_not_tell_is_tried(lake: Lake) -> None:
    """Root may write anywhere, but for some mounts, and over a directory."""
    (lake.folder / "x.prom").mkdir()
    lake.document["metrics"] = {"textfile": str(lake.folder / "x.prom")}
    lake.document["report"] = {"path": "/proc/r.html"}
    lake.document["cache"] = {"path": "/proc/kept"}
    checks = lake.checks()
    assert checks["metrics.textfile"]["state"] == checks["report.path"]["state"] == "failed"
    assert "that is a directory" in checks["metrics.textfile"]["detail"]
    assert "no files can be made in /proc (" in checks["report.path"]["detail"]
    assert checks["cache.path"]["state"] == "warning"
    assert "/proc is no folder that can be written (" in checks["cache.path"]["detail"]


def test_bundles_that_cannot_be_used_are_told(lake: Lake) -> None:
    lake.document["cache"] = {"path": str(lake.folder / "kept"), "bundles": "ftp://store/kept"}
    checks = lake.checks()
    assert checks["cache.path"]["state"] == "ok"
    assert checks["cache.bundles"]["state"] == "warning"
    assert checks["cache.bundles"]["detail"].startswith("ftp://store/kept is not used: ")


def test_a_service_that_answers(lake: Lake) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        lake.document["metrics"] = {"pushgateway": f"http://127.0.0.1:{port}"}
        assert lake.checks()["metrics.pushgateway"]["detail"] == f"127.0.0.1:{port} answers"


def test_a_terminal_has_a_line_for_what_to_do(lake: Lake) -> None:
    lake.write_log([])
    lines = lake.doctor().stdout.splitlines()
    assert f"warning {LOG}: no query at all" in lines
    assert "        check that the engine writes logs" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["--last", "week"], "Use minutes, hours or days: 90m, 24h, 7d.", id="no length of time"
        ),
        pytest.param(["--config", "/none.yaml"], "No configuration file /none.yaml", id="no file"),
    ],
)
def test_nothing_done_is_2(lake: Lake, arguments: list[str], message: str) -> None:
    result = lake.doctor(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


class AtNow(BaseHTTPRequestHandler):
    """Answers with the time that it is in these tests."""

    def do_GET(self) -> None:
        self.send_response_only(404)
        self.send_header("Date", format_datetime(NOW, usegmt=True))
        self.end_headers()


@pytest.fixture(scope="module")
def catalog() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), AtNow) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("seconds", "state", "detail"),
    [
        pytest.param(0, State.OK, "agrees with the catalog's", id="right"),
        pytest.param(59, State.OK, "agrees with the catalog's", id="about right"),
        pytest.param(1_200, State.FAILED, "1,200 s ahead of the catalog's", id="ahead"),
        pytest.param(-90, State.FAILED, "90 s behind the catalog's", id="behind"),
    ],
)
def test_the_clock(seconds: int, state: State, detail: str, catalog: str) -> None:
    check = check_clock(config_with(catalog), NOW + dt.timedelta(seconds=seconds))
    assert (check.state, check.detail) == (state, detail)


def test_a_clock_that_nothing_is_compared_with() -> None:
    assert check_clock(config_with("http://127.0.0.1:1")).state is State.SKIPPED


def config_with(uri: str) -> AuditConfig:
    return validate_config(
        {
            "catalogs": {"lake": {"properties": {"type": "rest", "uri": uri}}},
            "sources": [{"type": "trino_events", "paths": ["x"]}],
            "audit": {"catalog": "lake"},
        },
        "test",
    )


def test_versions_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_versions().state is State.OK
    monkeypatch.setattr(programs, "installed", lambda _: "99.0")
    check = check_versions()
    assert check.state is State.FAILED
    assert "pandas is 99.0, but must be <3,>=2.2" in check.detail


def test_a_parser_of_sql_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = type("Compiled", (), {"parse": str.split})
    monkeypatch.setattr(programs, "require_interpreted", lambda: require_interpreted(compiled))
    check = check_versions()
    assert check.state is State.FAILED
    assert "pip uninstall sqlglotc" in check.detail


def test_java_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_java() -> NoReturn:
        raise BadConfiguration("Spark needs Java 17 or later; found none. Install a JDK")

    monkeypatch.setattr(programs, "require_java", no_java)
    (check,) = check_spark(config_with("http://catalog").spark)
    assert check.name == "java"
    assert check.detail.startswith("Spark needs Java 17 or later; found none")


@pytest.mark.slow
@pytest.mark.spark
def test_spark_runs_python() -> None:
    java, spark = check_spark(config_with("http://catalog").spark)
    assert (java.state, spark.state) == (State.OK, State.OK)
    assert "runs Python with master local[*,4]" in spark.detail
