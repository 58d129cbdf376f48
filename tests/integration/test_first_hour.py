"""The first hour of somebody with a lakehouse: from nothing to a finding, its fix, and what that
brought; everything through the command line, on a REST catalog, S3 and Spark's event logs."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from tests.audit_jobs.report.parsed import Page
from tests.integration.lakehouse import LOGS, Lakehouse, lakehouse
from tests.object_store import ACCESS_KEY, PLAIN_UPLOADS, SECRET_KEY

# Not `spark`: nothing of it depends on Spark's version.
pytestmark = [pytest.mark.slow(minutes=3), pytest.mark.exhaustive]

S3 = "PYICEBERG_CATALOG__LAKE__S3__"
TABLE = "lake.sales.orders"
# Of so many digits that no snapshot's id has them by chance.
CUSTOMER = 830_271_554_711
QUERY = f"SELECT count(*), sum(amount) FROM {TABLE} WHERE customer_id = {CUSTOMER}"
MADE = (
    "CREATE NAMESPACE lake.sales",
    f"""CREATE TABLE {TABLE} (order_id BIGINT, customer_id BIGINT, amount BIGINT) USING iceberg
    TBLPROPERTIES ('write.target-file-size-bytes' = '131072')""",
    # Of each customer so many rows that a sample has some, whichever it is.
    f"""INSERT INTO {TABLE} SELECT id, {CUSTOMER} - 471 + pmod(xxhash64(id), 2000),
    pmod(xxhash64(id, 1), 1000) FROM range(0, 320000, 1, 16)""",
)


@dataclass(frozen=True)
class User:
    """Somebody who types commands in a directory of their own."""

    folder: Path
    secret: str = SECRET_KEY
    seconds: dict[str, float] = field(default_factory=dict)
    """Of each command, the first time."""

    def runs(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """`prunescope` with these arguments, in a process of its own, whose environment says
        nothing to Spark."""
        plain = {name: value for name, value in os.environ.items() if "PYSPARK" not in name}
        keys = {f"{S3}ACCESS_KEY_ID": ACCESS_KEY, f"{S3}SECRET_ACCESS_KEY": self.secret}
        return subprocess.run(
            [sys.executable, "-m", "prunescope.audit_jobs.cli", *arguments],
            cwd=self.folder,
            env=plain | keys | PLAIN_UPLOADS | {"COLUMNS": "300"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def types(self, *arguments: str) -> str:
        """What a command prints that works."""
        start = time.perf_counter()
        done = self.runs(*arguments)
        self.seconds.setdefault(arguments[0], time.perf_counter() - start)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        assert str(CUSTOMER) not in done.stdout + done.stderr
        return done.stdout

    def lines(self, *arguments: str) -> list[dict[str, Any]]:
        """The JSON lines of a command."""
        return [json.loads(line) for line in self.types(*arguments, "--json").splitlines()]


@dataclass(frozen=True)
class FirstHour:
    """What was typed, and what it printed."""

    user: User
    files: int
    init: str
    doctor: list[dict[str, Any]]
    tables: list[dict[str, Any]]
    audit: str
    finding: dict[str, Any]
    details: str
    before: str
    after: str
    second: str


@pytest.fixture(scope="module")
def lake(
    tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], Path]
) -> Iterator[Lakehouse]:
    with lakehouse(tmp_path_factory.mktemp("lakehouse"), require_program) as found:
        yield found


@pytest.fixture(scope="module")
def hour(lake: Lakehouse, tmp_path_factory: pytest.TempPathFactory) -> FirstHour:
    user = User(tmp_path_factory.mktemp("home"))
    before = lake.spark_sql([*MADE, *[QUERY] * 3])
    asked = dt.datetime.now(dt.UTC)
    files = len(list(lake.buckets.glob("lake/**/orders/data/*.parquet")))
    init = user.types(
        *("init", "--catalog-type", "rest", "--uri", lake.catalog),
        *("--s3-endpoint", lake.endpoint, "--s3-region", "us-east-1", "--logs", LOGS),
    )
    doctor = user.lines("doctor")
    tables = user.lines("tables")
    wait_for_the_minute_after(asked)
    report = str(user.folder / "report.html")
    audit = user.types("audit", "--last", "1h", "--all")
    until = dt.datetime.now(dt.UTC)
    (finding, *_) = user.lines("findings", "--table", TABLE)
    details = user.types("findings", "--table", TABLE, "--details")
    after = lake.spark_sql([*finding["fix_spark"], *[QUERY] * 3])
    end = dt.datetime.now(dt.UTC)
    window = ("--window-start", until.isoformat(), "--window-end", end.isoformat())
    second = user.types("audit", *window, "--all")
    user.types("report", "--output", report)
    told = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in user.seconds.items())
    click.echo(f"\nThe first hour, for docs/first-hour.md: {told}")
    return FirstHour(
        user, files, init, doctor, tables, audit, finding, details, before, after, second
    )


def wait_for_the_minute_after(moment: dt.datetime) -> None:
    """Windows of `--last` end at the last full minute."""
    until = moment.replace(second=0, microsecond=0) + dt.timedelta(minutes=1)
    time.sleep(max(0.0, (until - dt.datetime.now(dt.UTC)).total_seconds()))


def test_init_finds_catalog_and_logs(hour: FirstHour) -> None:
    assert f"{LOGS}: spark event logs" in hour.init
    assert "WHERE customer_id = ?" in hour.init
    assert "lists 1 table" in hour.init
    document = yaml.safe_load((hour.user.folder / "audit.yaml").read_text())
    assert document["sources"] == [{"type": "spark_event_logs", "paths": [LOGS]}]
    assert document["source_storage"] == "lake"
    text = (hour.user.folder / "audit.yaml").read_text()
    assert SECRET_KEY not in text
    assert ACCESS_KEY not in text


def test_everything_is_well(hour: FirstHour) -> None:
    assert {check["name"]: check["state"] for check in hour.doctor} == {
        "versions": "ok",
        "clock": "ok",
        "secret": "ok",
        "catalog lake": "ok",
        "storage s3://lake": "ok",
        "audit tables lake.pruning_audit": "ok",
        "sources[0] spark_event_logs": "ok",
        "java": "ok",
        "spark": "ok",
    }


def test_tables_are_measured_without_logs(hour: FirstHour) -> None:
    (table,) = hour.tables
    assert (table["table"], table["records"]) == ("orders", 320_000)
    assert table["data_files"] == hour.files > 15


def test_the_audit_finds_what_was_built(hour: FirstHour) -> None:
    assert hour.finding["cause"] == "unclustered_column"
    assert hour.finding["columns"] == ["customer_id"]
    assert hour.finding["scans"] == 3
    stake = hour.finding["bytes_at_stake"] / hour.finding["bytes_read"]
    assert 0.8 < stake < 1
    for statement in hour.finding["fix_spark"]:
        assert f"{statement};" in hour.details


def test_the_fix_changes_no_answer(hour: FirstHour) -> None:
    rows = re.findall(r"^\d+\t\d+$", hour.before, re.MULTILINE)
    assert len(rows) == 3
    assert re.findall(r"^\d+\t\d+$", hour.after, re.MULTILINE)[-3:] == rows


def test_the_second_audit_shows_that_the_promise_was_kept(hour: FirstHour) -> None:
    (line,) = [line for line in hour.second.splitlines() if line.startswith("fixed ")]
    before, promised, now = (float(n) for n in re.findall(r"([\d.]+)%", line))
    assert f"{TABLE}: " in line
    assert before == 100
    assert now <= 1.5 * promised < 20
    page = Page((hour.user.folder / "report.html").read_text(encoding="utf-8"))
    (fixed,) = page.document["fixed"]
    assert fixed["cause"] == "unclustered_column"
    assert [round(100 * fixed[name], 1) for name in ("before", "promised", "after")] == [
        pytest.approx(n, abs=0.051) for n in (before, promised, now)
    ]
    assert str(CUSTOMER) not in page.text


REFUSED = "access was refused; check the credentials and what they may read"


@pytest.mark.parametrize(
    ("breaks", "told"),
    [
        pytest.param(
            {"secret": "mistyped"},
            {
                "storage s3://lake": f"ACCESS_DENIED: {REFUSED}",
                "audit tables lake.pruning_audit": f"SIGNATURE_DOES_NOT_MATCH: {REFUSED}",
                "sources[0] spark_event_logs": f"cannot be listed: ACCESS_DENIED: {REFUSED}",
            },
            id="a wrong secret",
        ),
        pytest.param(
            {"s3.endpoint": "http://127.0.0.1:1"},
            {
                "storage s3://lake": "did not answer as expected; check the endpoint",
                "audit tables lake.pruning_audit": "did not answer as expected; check the endpoint",
                "sources[0] spark_event_logs": "did not answer as expected; check the endpoint",
            },
            id="no store",
        ),
        pytest.param(
            {"s3://logs": "s3://other"},
            {"sources[0] spark_event_logs": "s3://other/spark-history/: the path matches no file"},
            id="another bucket of logs",
        ),
        pytest.param(
            {"http": "https"},
            {"catalog lake": "it does not speak TLS: write http:// in the property uri"},
            id="TLS",
        ),
        pytest.param(
            {"path": "/elsewhere"},
            {"catalog lake": "/elsewhere cannot be opened: answered 400: check the property uri"},
            id="another address",
        ),
    ],
)
def test_what_is_broken_is_told(
    hour: FirstHour,
    lake: Lakehouse,
    tmp_path: Path,
    breaks: dict[str, str],
    told: dict[str, str],
) -> None:
    text = (hour.user.folder / "audit.yaml").read_text()
    for old, new in {
        lake.endpoint: breaks.get("s3.endpoint", lake.endpoint),
        lake.catalog: lake.catalog.replace("http", breaks.get("http", "http"))
        + breaks.get("path", ""),
        LOGS: LOGS.replace("s3://logs", breaks.get("s3://logs", "s3://logs")),
    }.items():
        text = text.replace(old, new)
    (tmp_path / "audit.yaml").write_text(text)
    secret = breaks.get("secret", SECRET_KEY)
    result = User(tmp_path, secret).runs("doctor", "--no-spark", "--json")
    assert result.returncode == 1
    checks = [json.loads(line) for line in result.stdout.splitlines()]
    failed = {c["name"]: f"{c['detail']} {c['remedy']}" for c in checks if c["state"] == "failed"}
    assert failed.keys() == told.keys()
    for name, sentence in told.items():
        assert sentence in failed[name]
    assert "mistyped" not in result.stdout + result.stderr
