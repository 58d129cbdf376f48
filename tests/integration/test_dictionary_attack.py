"""Nobody who knows all but the literals of queries finds these by trying: what audits publish of
one literal is no different, for those without the secret, from what they publish of another.

An attacker has the code, the logs' form and the tables. He runs the product himself over each
literal that he can think of, and hashes texts as it might: whatever he gets of the true literal
alone, and finds in what was published, gives it away.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import hmac
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mmh3
import pyarrow as pa
import pytest
import xxhash
from click.testing import CliRunner
from pyiceberg.catalog.sql import SqlCatalog
from rich.console import Console

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.findings.entries import entries
from prunescope.audit_jobs.jobs.nightly import run_nightly
from prunescope.audit_jobs.jobs.runners import local_runner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.secret import make_secret
from prunescope.audit_jobs.views.finding_text import print_details
from prunescope.audit_jobs.views.run_json import run_document
from prunescope.audit_jobs.views.run_text import print_run
from tests.integration.audits import (
    catalog_properties,
    open_catalog,
    run,
    run_here,
    trino_event,
    write_config,
    write_lines,
)
from tests.integration.test_every_source import report
from tests.otlp import http_receiver

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow

WORDS = [f"k7{number:02}-canary-{number * 7919 % 9973:04}" for number in range(1, 25)]
TRUE, OTHERS = WORDS[16], (WORDS[3], WORDS[11])
ROWS = pa.table({"id": pa.array(range(3000), pa.int64()), "name": ["a", "b", "c"] * 1000})


def number_of(word: str) -> int:
    return 70_000 + WORDS.index(word)


def conditions(word: str) -> Iterator[str]:
    """A literal in every part of a condition."""
    number = number_of(word)
    yield f"name = '{word}'"
    yield f"name LIKE '{word}%' OR name = concat('{word}', 'x')"
    yield f"id = {number} AND name IN ('x', '{word}')"
    yield f"date_format(from_unixtime(id), '{word}') = 'x'"
    yield f"split_part(name, '{word}', 1) = 'x'"
    yield f"id % {number} = 1 AND substr(name, {number}) = 'x'"
    yield f"id / {number} = 1 AND lower(name) = '{word}'"
    yield f'name = "{word}" AND name = "{word.replace("-", "")}"'
    yield f"at_timezone(from_unixtime(id), 'Etc/{word}') > now()"
    yield f"my_function(name, {number}, 'yyyy') = 1"
    yield f"name = '{word}"  # not closed
    yield f"name == == '{word}'"


def queries(word: str) -> list[str]:
    found = [f"SELECT * FROM lake.db.t WHERE {where}" for where in conditions(word)]
    found.append(f"SELECT id, '{word}' FROM lake.db.t ORDER BY {number_of(word)}")
    found.append(f"SELECT * FROM lake.db.nowhere WHERE name = '{word}'")
    found.append(f"SELECT * FROM lake.db.t -- {word}\nLIMIT {number_of(word)}")
    return found


def trino_events(word: str, at: dt.datetime) -> Iterator[dict[str, Any]]:
    events = [trino_event(f"q_{place}", sql) for place, sql in enumerate(queries(word))]
    events.append(trino_event("q_prepared", f"EXECUTE s USING '{word}'"))
    events[-1]["metadata"]["preparedQuery"] = "SELECT * FROM lake.db.t WHERE name = ?"
    yield from ({**event, "createTime": at.isoformat()} for event in events)


def mysql_rows(word: str, at: dt.datetime) -> Iterator[dict[str, Any]]:
    yield {
        "query_id": f"{at:%Y%m%d_%H%M%S}_00001_fghij",
        "query": f"EXECUTE s USING '{word}', {number_of(word)}",
        "prepared_query": "SELECT * FROM lake.db.t WHERE name = ? AND id = ?",
        "query_state": "FINISHED",
        "user": "u",
        "inputs_json": "[]",
    }


def io_plans(word: str, at: dt.datetime) -> Iterator[dict[str, Any]]:
    point = {"value": word, "bound": "EXACTLY"}
    domain = {"nullsAllowed": False, "ranges": [{"low": point, "high": point}]}
    column = {"columnName": "name", "type": "varchar", "domain": domain}
    table = {
        "table": {"catalog": "lake", "schemaTable": {"schema": "db", "table": "t"}},
        "constraint": {"none": False, "columnConstraints": [column]},
    }
    plan = {"plan": {"inputTableColumnInfos": [table]}, "started_at": at.isoformat()}
    yield plan
    yield {**plan, "query_id": f"SELECT '{word}'"}


def spark_log(word: str, at: dt.datetime) -> Iterator[dict[str, Any]]:
    sql = "org.apache.spark.sql.execution.ui."
    scan = (
        "IcebergScan(table=lake.db.t, schemaId=0, snapshotId=null, branch=null,"
        f" filters=name IS NOT NULL, name = '{word}', id < {number_of(word)},"
        " runtimeFilters=, groupedBy=)"
    )
    millis = int(at.timestamp() * 1000)
    node = {
        "nodeName": "BatchScan lake.db.t",
        "simpleString": f"BatchScan lake.db.t[id#1L, name#2] {scan} RuntimeFilters: []",
        "children": [],
        "metadata": {},
        "metrics": [],
    }
    yield {"Event": "SparkListenerLogStart", "Spark Version": "4.1.1"}
    yield {
        "Event": "SparkListenerApplicationStart",
        "App Name": "a",
        "App ID": "app-1",
        "Timestamp": millis,
        "User": "u",
    }
    for number, text in enumerate(("collect", f"SELECT * FROM lake.db.t WHERE name = '{word}'")):
        yield {
            "Event": sql + "SparkListenerSQLExecutionStart",
            "executionId": number,
            "rootExecutionId": number,
            "description": text,
            "details": word,
            "physicalPlanDescription": f"'{word}'",
            "sparkPlanInfo": node,
            "time": millis,
            "modifiedConfigs": {},
        }
        yield {
            "Event": sql + "SparkListenerSQLExecutionEnd",
            "executionId": number,
            "time": millis,
        }


def reports(word: str, _: dt.datetime) -> Iterator[dict[str, Any]]:
    hashed = f"(hash-{mmh3.hash(word) & 0xFFFFFFFF:08x})"
    yield report(1, {"type": "eq", "term": "name", "value": hashed})


def records(word: str, at: dt.datetime) -> Iterator[dict[str, Any]]:
    for place, sql in enumerate(queries(word)):
        record = {"sql": sql, "started_at": at.isoformat()}
        yield {**record, "query_id": f"id-{place}"}
        yield record
        yield {**record, "query_id": sql}
        yield {**record, "dialect": "spark"}
    asked = "SELECT * FROM lake.db.t WHERE name = ?"
    yield {"sql": asked, "params": [word], "started_at": at.isoformat()}
    yield {"sql": asked, "params": [word], "query_id": f"x='{word}'"}


def exports(word: str, at: dt.datetime) -> dict[str, dict[str, Any]]:
    sql = f"SELECT * FROM lake.db.t WHERE name = '{word}'"
    return {
        "athena": {
            "Query": "SELECT * FROM lake.db.t WHERE name = ?",
            "ExecutionParameters": [f"'{word}'"],
            "QueryExecutionContext": {"Catalog": "lake", "Database": "db"},
            "Status": {"State": "SUCCEEDED", "SubmissionDateTime": at.isoformat()},
        },
        "databricks": {"statement_text": sql, "execution_status": "FINISHED"},
        "snowflake": {"QUERY_TEXT": sql, "EXECUTION_STATUS": "SUCCESS"},
        "dremio": {"queryText": sql, "outcome": "COMPLETED"},
        "clickhouse": {"query": sql, "type": "QueryFinish", "query_id": sql},
    }


KINDS: dict[str, Callable[[str, dt.datetime], Iterator[dict[str, Any]]]] = {
    "trino_events": trino_events,
    "trino_mysql": mysql_rows,
    "trino_io_plans": io_plans,
    "spark_event_logs": spark_log,
    "iceberg_reports": reports,
    "sql_records": records,
}


class Lake:
    """A folder with a table, and logs of one literal at a time that always stand in one place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.audits = 0
        catalog = SqlCatalog("lake", **catalog_properties(folder))
        catalog.create_namespace("db")
        table = catalog.create_table("db.t", ROWS.schema)
        for _ in range(4):
            table.append(ROWS)
        self.at = dt.datetime.now(dt.UTC)
        self.window = Window(self.at - dt.timedelta(hours=1), self.at + dt.timedelta(seconds=1))

    def config(self, word: str, endpoint: str, **sections: Any) -> Path:
        """The configuration of an audit of logs with this literal, with sinks of its own."""
        sources: list[dict[str, Any]] = []
        for kind, of in KINDS.items():
            path = write_lines(self.folder / f"{kind}.json", of(word, self.at))
            sources.append({"type": kind, "paths": [str(path)]})
        for name, row in exports(word, self.at).items():
            path = write_lines(self.folder / f"{name}.json", [row])
            sources.append({"type": "sql_records", "paths": [str(path)], "export": name})
        self.audits += 1
        namespace = f"audit_{self.audits}"
        return write_config(
            self.folder,
            sources,
            audit={"catalog": "lake", "namespace": namespace},
            metrics={"textfile": str(self.folder / "metrics.prom")},
            report={"path": str(self.folder / "report.html")},
            otlp={"endpoint": endpoint},
            findings={"thresholds": [EVERYTHING]},
            **sections,
        )

    def published(self, word: str, **sections: Any) -> str:
        """All that an audit of a literal publishes, in every sink."""
        with http_receiver() as received:
            config = self.config(word, received.endpoint, **sections)
            screen = io.StringIO()
            with contextlib.redirect_stdout(screen), contextlib.redirect_stderr(screen):
                loaded = load_config(config)
                result = run_nightly(loaded, self.window, lambda _: None, open_runner=local_runner)
                print_run(result, loaded, config)
                print_details(Console(file=screen, width=200), entries(result.findings))
        told = [screen.getvalue(), json.dumps(run_document(result), default=str)]
        told += [(self.folder / name).read_text() for name in ("metrics.prom", "report.html")]
        told += [str(request) for request in (*received.traces, *received.metrics)]
        assert received.traces
        assert received.metrics
        told.extend(self._audit_tables(config))
        for options in ("--json", "--sarif", "--details"):
            done = CliRunner().invoke(main, ["findings", "--config", str(config), "--all", options])
            assert done.exit_code == 0, done.output
            told.append(done.output)
        return "\n".join(told)

    def _audit_tables(self, config: Path) -> Iterator[str]:
        catalog = open_catalog(config)
        names = list(catalog.list_tables(load_config(config).audit.namespace))
        assert len(names) > 6
        for name in names:
            rows = catalog.load_table(name).scan().to_arrow().to_pylist()
            yield "\n".join(json.dumps(row, default=str) for row in rows)


EVERYTHING = {
    "table": "*",
    "min_scans": 1,
    "min_bytes_at_stake": 0,
    "small_table_bytes": 0,
}


def tokens(text: str) -> set[str]:
    """Words and numbers that are long enough for a hash."""
    return set(re.findall(r"[A-Za-z0-9_+/=-]{8,}", text))


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return Lake(tmp_path_factory.mktemp("lake"))


@pytest.fixture(scope="module")
def secret_file(lake: Lake) -> str:
    make_secret(lake.folder / "audit.secret")
    return str(lake.folder / "audit.secret")


@pytest.fixture(scope="module")
def victim(lake: Lake, secret_file: str) -> str:
    return lake.published(TRUE, secret_file=secret_file)


def test_no_literal_is_published(victim: str) -> None:
    assert "wrapped_column" in victim, "something was found"
    for hidden in (TRUE, TRUE.replace("-", ""), str(number_of(TRUE))):
        # Keys and hashes hold digits in any order.
        assert not re.search(rf"(?<![0-9a-f]){hidden}(?![0-9a-f])", victim)


def test_what_the_product_makes_of_the_true_literal_is_not_what_was_published(
    lake: Lake, victim: str
) -> None:
    published = tokens(victim)
    own = tokens(lake.published(TRUE))
    of_others = [tokens(lake.published(word)) for word in OTHERS]
    everywhere = set.intersection(*of_others)
    assert published & own - everywhere == set()


def preimages(lake: Lake, word: str) -> Iterator[str]:
    """All texts, and what stands beside them, that somebody might hash together."""
    everything = [("", word), ("", str(number_of(word)))]
    for kind, of in KINDS.items():
        for line, record in enumerate(of(word, lake.at), start=1):
            place = f"{lake.folder}/{kind}.json:{line}"
            everything.append((place, json.dumps(record)))
            everything += [(place, text) for text in record.values() if isinstance(text, str)]
    for place, text in everything:
        yield from (text, repr(text), repr((text,)), text.lower())
        yield from (f"{place}\0{text}", f"{place}:{text}", f"{text}:{place}", repr((place, text)))


def digests(text: str) -> Iterator[str]:
    data = text.encode()
    for name in ("md5", "sha1", "sha256", "sha512", "blake2b", "blake2s"):
        yield hashlib.new(name, data).hexdigest()
    yield hashlib.blake2b(data, digest_size=8).hexdigest()
    yield hashlib.blake2b(data, digest_size=16).hexdigest()
    yield from (h(data).hexdigest() for h in (xxhash.xxh64, xxhash.xxh3_64, xxhash.xxh3_128))
    yield f"{mmh3.hash(data) & 0xFFFFFFFF:08x}"
    for key in (b"", b"\0" * 32, b"prunescope", b"secret"):
        yield hmac.new(key, data, "sha256").hexdigest()


def test_no_hash_of_a_text_was_published(lake: Lake, victim: str) -> None:
    published = tokens(victim)
    starts = {token[:8].lower() for token in published}
    for text in preimages(lake, TRUE):
        for digest in digests(text):
            numbers = {str(int(digest[:16], 16)), str(int(digest[:8], 16))}
            assert digest[:8] not in starts, text
            assert not numbers & published, text


def keys(result: AuditResult) -> list[str]:
    """The keys of all queries."""
    rows = result.scan_plans("scan_key", "location")
    return sorted(row["scan_key"] for row in rows if row["location"] is None)


def test_one_secret_gives_the_same_keys_in_every_run_and_another_one_others(
    lake: Lake, secret_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keys_with(**sections: Any) -> list[str]:
        config = load_config(lake.config(TRUE, "http://127.0.0.1:1", **sections))
        return keys(run_here(config, lake.window))

    own = keys_with(secret_file=secret_file)
    assert own == keys_with(secret_file=secret_file)
    monkeypatch.setenv("PRUNESCOPE_SECRET", "another one, which is long enough for that")
    assert len(own) == len(others := keys_with(secret_file=secret_file))
    assert not {*own} & {*others}
    monkeypatch.delenv("PRUNESCOPE_SECRET")
    assert not {*own, *others} & {*keys_with()}


def test_tasks_of_spark_make_the_same_keys_and_spark_shows_no_secret(
    lake: Lake, secret_file: str, spark: SparkSession
) -> None:
    config = load_config(lake.config(TRUE, "http://127.0.0.1:1", secret_file=secret_file))
    assert keys(run(config, lake.window, spark)) == keys(run_here(config, lake.window))
    secret = Path(secret_file).read_text().strip()
    plans: Any = spark._jsparkSession.sharedState().statusStore().executionsList()  # noqa: SLF001
    told = [plans.apply(number).physicalPlanDescription() for number in range(plans.size())]
    assert any("MapInArrow" in plan for plan in told)
    told += [str(spark.sparkContext.getConf().getAll()), str(spark.conf.getAll)]
    assert [text for text in told if secret in text or TRUE in text] == []
