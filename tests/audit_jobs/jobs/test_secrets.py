"""What stands in a query, but for names of tables and columns, is in nothing that an audit leaves;
nor is a credential of a path."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import generate_latest
from pyiceberg.catalog.sql import SqlCatalog
from rich.console import Console

from prunescope.audit_jobs.config import MetadataTable
from prunescope.audit_jobs.findings.entries import document, entries
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.jobs.sources import read_queries
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.report.page import render_page
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.table_rows import finding_rows, run_row
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_samples import run_samples
from prunescope.audit_jobs.sinks.prometheus import registry
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.sources.source import Log
from prunescope.audit_jobs.spans import recorded_by
from prunescope.audit_jobs.views.finding_text import print_details
from prunescope.audit_jobs.views.run_json import run_document
from prunescope.audit_jobs.views.run_text import print_run
from prunescope.audit_jobs.views.sarif import sarif
from prunescope.collectors.observed import Rejected
from prunescope.collectors.storage.files import Storage
from tests.audit_jobs.jobs.lakes import WINDOW, config_of

pytestmark = pytest.mark.slow

SECRET = "k7canary"  # noqa: S105  # of nobody
NUMBER = "7770123"
YEAR, OLD = "2077", "0876"
CANARIES = (SECRET, SECRET.upper(), NUMBER, f"{YEAR}-07", f"{OLD}-05")

# In any of these, a text in double quotes is a name.
NAMES_IN_DOUBLE_QUOTES = ("trino", "athena", "snowflake", "dremio", "duckdb", "postgres")
TEXTS_IN_DOUBLE_QUOTES = ("spark", "databricks", "clickhouse", "bigquery")
DIALECTS = (*NAMES_IN_DOUBLE_QUOTES, *TEXTS_IN_DOUBLE_QUOTES)

LITERALS = {
    "text": f"'{SECRET}'",
    "escaped text": f"'it''s {SECRET}'",
    "backslash": rf"'a\'{SECRET}'",
    "double quotes": f'"{SECRET}"',
    "double quotes of several words": f'"{SECRET} O\'Brien"',
    "backticks": f"`{SECRET}`",
    "brackets": f"[{SECRET}]",
    "bare word": SECRET,
    "unicode": f"U&'{SECRET}'",
    "national": f"N'{SECRET}'",
    "raw": f"r'{SECRET}'",
    "bytes": f"b'{SECRET}'",
    "escape string": f"E'{SECRET}'",
    "dollars": f"$${SECRET}$$",
    "dollars with a tag": f"$x${SECRET}$x$",
    "dollars with the tag": f"${SECRET}$a${SECRET}$",
    "typed": f"VARCHAR '{SECRET}'",
    "number": NUMBER,
    "negative": f"-{NUMBER}",
    "decimal": f"{NUMBER}.5",
    "exponent": f"{NUMBER}e3",
    "typed number": f"DECIMAL '{NUMBER}.5'",
    "hexadecimal": f"X'{NUMBER}0'",
    "date": f"DATE '{YEAR}-07-07'",
    "time": f"TIMESTAMP '{YEAR}-07-07 07:07:07'",
    "cast": f"CAST('{SECRET}' AS VARCHAR)",
    "parse": f"date_parse('{SECRET}', '{YEAR}')",
    "interval": f"INTERVAL '{NUMBER}' DAY",
    "array": f"ARRAY['{SECRET}', '{SECRET}']",
    "placeholder name": f":{SECRET}",
    "variable": f"@{SECRET}",
}
CONDITIONS = {
    "equality": "name = {}",
    "inequality": "name <> {}",
    "reversed": "{} = name",
    "wrapped": "lower(name) = {}",
    "wrapped constant": "name = lower({})",
    "arguments": "coalesce(name, {}) = 'a'",
    "list": "name IN ('a', {})",
    "range": "name BETWEEN 'a' AND {}",
    "pattern": "name LIKE {}",
    "pattern around": "name LIKE '%' || {} || '%'",
    "regular expression": "regexp_like(name, {})",
    "case": "CASE WHEN name = {} THEN 1 ELSE 0 END = 1",
    "alternative": "(name = {} OR id > 3)",
    "negation": "NOT (name = {})",
    "subscript": "payload[{}] = 'a'",
    "json": "json_extract_scalar(payload, {}) = 'a'",
    "subquery": "id IN (SELECT id FROM lake.db.t WHERE name = {})",
    "foreign subquery": "id IN (SELECT x FROM lake.db.other WHERE y = {})",
    "nested field": "lower(st.{}) = 'a'",
    "field": "st.{} = 'a'",
}
# § stands for SECRET here, and ¤ for NUMBER.
QUERIES = {
    "alias of a table": 'SELECT * FROM lake.db.t "§" WHERE lower("§".name) = \'a\'',
    "alias of a column": 'SELECT * FROM (SELECT name AS "§", id FROM lake.db.t) x '
    "WHERE lower(x.\"§\") = 'a'",
    "names of a derived table": 'SELECT * FROM (SELECT name FROM lake.db.t) AS "§"("§") '
    "WHERE lower(\"§\") = 'a'",
    "common table expression": 'WITH "§" AS (SELECT * FROM lake.db.t) '
    'SELECT * FROM "§" WHERE lower("§".name) = \'a\'',
    "join": 'SELECT * FROM lake.db.t a JOIN lake.db.t "§" ON a.id = "§".id '
    'AND lower(a.name) = "§".name AND a.name || \'§\' = "§".name',
    "join of a foreign table": 'SELECT * FROM lake.db.t a JOIN x.y.z b ON a.id + 1 = b."§"',
    "line comment": "SELECT * FROM lake.db.t -- §\nWHERE lower(name) /* § */ = 'a'",
    "hint": "SELECT /*+ BROADCAST(§) */ * FROM lake.db.t WHERE lower(name) = 'a'",
    "version": "SELECT * FROM lake.db.t FOR VERSION AS OF ¤",
    "ref": "SELECT * FROM lake.db.t FOR VERSION AS OF '§'",
    "time": "SELECT * FROM lake.db.t FOR TIMESTAMP AS OF TIMESTAMP '0876-05-04 00:00:00 UTC'",
    "spark version": "SELECT * FROM lake.db.t VERSION AS OF '§'",
    "spark time": "SELECT * FROM lake.db.t TIMESTAMP AS OF '0876-05-04'",
    "spark time that is none": "SELECT * FROM lake.db.t TIMESTAMP AS OF '§'",
    "selector": "SELECT * FROM lake.db.t.branch_§",
    "table function": "SELECT * FROM TABLE(system.f(x => '§')), lake.db.t WHERE id = 1",
    "unnest": "SELECT * FROM lake.db.t CROSS JOIN UNNEST(ARRAY['§']) AS u(v) WHERE lower(name) = v",
    "values": "SELECT * FROM lake.db.t, (VALUES ('§')) v(x) WHERE lower(name) = x",
    "limit": "SELECT * FROM lake.db.t WHERE lower(name) = 'a' LIMIT ¤",
    "insert": "INSERT INTO lake.db.t VALUES ('§')",
    "update": "UPDATE lake.db.t SET name = '§' WHERE lower(name) = \"§\"",
    "merge": "MERGE INTO lake.db.t t USING lake.db.t s ON t.id = s.id AND lower(t.name) = '§' "
    "WHEN MATCHED THEN UPDATE SET name = '§'",
    "delete": "DELETE FROM lake.db.t WHERE lower(name) = '§'",
    "lambda": "SELECT * FROM lake.db.t WHERE any_match(split(name, ','), x -> x = '§')",
    "lambda name": "SELECT * FROM lake.db.t WHERE any_match(split(name, ','), \"§\" -> true)",
    "row type": 'SELECT * FROM lake.db.t WHERE CAST(name AS ROW("§" bigint))."§" = 1',
    "set": "SET SESSION x = '§'",
    "call": "CALL lake.system.thing('§')",
    "several": "SELECT '§'; SELECT * FROM lake.db.t WHERE lower(name) = 'a'; SELECT '§",
    "cut off": "SELECT * FROM lake.db.t WHERE name = '§",
    "no SQL": "SELEKT § FROM",
    "json path": "SELECT * FROM lake.db.t WHERE payload:§.x = 1",
    "json arrow": "SELECT * FROM lake.db.t WHERE payload -> '§' = 'a'",
    "order": "SELECT * FROM lake.db.t ORDER BY name = '§'",
    "having": "SELECT name FROM lake.db.t GROUP BY name HAVING max(id) > ¤ AND name <> '§'",
    "window": 'SELECT * FROM lake.db.t WINDOW "§" AS (PARTITION BY name)',
    "execute": "EXECUTE s USING '§', ¤",
    "view in text": "CREATE VIEW v AS SELECT * FROM lake.db.t WHERE name = '§'",
}


def records() -> Iterator[dict[str, Any]]:
    """Queries with a secret in every place, written in every way, in every dialect."""
    for dialect in DIALECTS:
        texts = [
            f"SELECT * FROM lake.db.t WHERE {condition.format(literal)}"
            for condition in CONDITIONS.values()
            for literal in LITERALS.values()
        ]
        texts += [q.replace("§", SECRET).replace("¤", NUMBER) for q in QUERIES.values()]
        for number, sql in enumerate(texts):
            yield {"query_id": f"{dialect}-{number}", "sql": sql, "dialect": dialect}
        yield {
            "query_id": f"{dialect}-parameters",
            "sql": "SELECT * FROM lake.db.t WHERE lower(name) = ? AND id = ? AND name LIKE ?",
            "params": [SECRET, int(NUMBER), SECRET],
            "dialect": dialect,
        }
        yield {"query_id": f"{dialect}-odd", "sql": {SECRET: 1}, "dialect": dialect}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse"
    )
    catalog.create_namespace("db")
    rows = pa.table(
        {
            "id": pa.array([1, 2], pa.int64()),
            "name": ["a", "b"],
            "payload": ["{}", "{}"],
            "st": [{"a": "x"}, {"a": "y"}],
        }
    )
    made = catalog.create_table("db.t", rows.schema)
    made.append(rows)
    location = made.metadata_location
    catalog.close()
    return Path(location.removeprefix("file://"))


def audited(table: Path, sources: list[dict[str, Any]]) -> tuple[AuditResult, str]:
    """What an audit finds, and all that its spans tell."""
    config = config_of({"t": table}, sources=sources)
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with recorded_by(provider.get_tracer("test")):
        inputs = read_inputs(config, WINDOW, LocalRunner())
        result = run_audit(config, WINDOW, inputs, LocalRunner(), lambda _: None)
    return result, "\n".join(each.to_json() for each in exporter.get_finished_spans())


def printed(result: AuditResult) -> str:
    screen = io.StringIO()
    with contextlib.redirect_stdout(screen):
        print_run(result, config_of({}))
    return screen.getvalue()


def outputs(result: AuditResult, spans: str) -> Iterator[str]:
    """Everything that an audit leaves or prints, but for the rows of scans and conjuncts."""
    yield spans
    yield printed(result)
    yield json.dumps([run_row(result), *finding_rows(result)], default=str)
    yield json.dumps(run_document(result), default=str)
    samples = run_samples(rows_of(result), max_tables=9)
    yield generate_latest(registry(samples, catalogue.OF_A_JOB, "lake")).decode()
    yield render_page(rows_of(result))
    found = entries(result.findings)
    yield json.dumps([document(entry) for entry in found], default=str)
    yield json.dumps(sarif(found))
    screen = io.StringIO()
    print_details(Console(file=screen, width=200), found)
    yield screen.getvalue()


def leaks(text: str) -> list[str]:
    return [canary for canary in CANARIES if canary in text]


def leaked_rows(result: AuditResult) -> dict[str, str]:
    """The rows that hold a secret, by query."""
    ids = {
        row["scan_key"]: row["query_id"] or "" for row in result.scan_plans("scan_key", "query_id")
    }
    found = {}
    tables = [table for part in result.rows for table in (part.scan_plans, part.conjuncts)]
    for row in (row for table in tables for row in table.to_pylist()):
        told = {name: value for name, value in row.items() if leaks(str(value))}
        if told:
            found[ids[row["scan_key"]]] = str(told)
    return found


def test_nothing_that_stands_in_a_query_is_left_anywhere(table: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    asked = {record["query_id"]: record for record in records()}
    log.write_text("".join(json.dumps(record) + "\n" for record in asked.values()))
    result, spans = audited(table, [{"type": "sql_records", "paths": [str(log)]}])
    leaked = [f"{asked[name]['sql']}: {row}" for name, row in leaked_rows(result).items()]
    assert leaked == []
    assert sum(result.run.queries.values()) == len(asked)
    assert result.run.queries["replayed"] > len(asked) / 10
    for text in outputs(result, spans):
        assert leaks(text) == []


@pytest.mark.parametrize(
    "address",
    [
        f"foo://AK:{SECRET}@bucket/log",
        f"foo://AK:{SECRET}/more+{SECRET}@bucket/log",
        f"foo://{SECRET}@bucket/log",
        f"foo://host/log?X-Signature={SECRET}",
    ],
)
@pytest.mark.parametrize("kind", ["sql_records", "trino_io_plans", "spark_event_logs"])
def test_credentials_of_a_source_are_left_nowhere(table: Path, address: str, kind: str) -> None:
    result, spans = audited(table, [{"type": kind, "paths": [address]}])
    (row,) = result.scan_plans()
    assert row["outcome"] == "unreadable_file"
    assert row["location"].endswith(("bucket/log", "host/log"))
    for text in (str(row), *outputs(result, spans)):
        assert leaks(text) == []


def test_credentials_of_a_log_are_left_nowhere() -> None:
    path = f"foo://AK:{SECRET}@bucket/log"
    config = config_of({}, sources=[{"type": "trino_io_plans", "paths": [path]}])
    log = Log((path,), config.sources[0])
    (found,) = read_queries([log], Storage(), WINDOW)
    assert isinstance(found, Rejected)
    assert found.location == "foo://bucket/log"
    assert leaks(str(found)) == []


def test_credentials_of_a_table_and_a_catalog_are_left_nowhere(table: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    names = ("lake.db.t", "lake.db.far", "cloud.db.t")
    log.write_text("".join(f'{{"sql": "SELECT * FROM {name}"}}\n' for name in names))
    properties = {
        "type": "rest",
        "uri": f"http://AK:{SECRET}@127.0.0.1:9/x?token={SECRET}",
        "token": SECRET,
    }
    config = config_of(
        {"t": table},
        catalogs={"lake": {}, "cloud": {"properties": properties}},
        sources=[{"type": "sql_records", "paths": [str(log)]}],
    )
    far = MetadataTable(name="lake.db.far", metadata=f"foo://AK:{SECRET}@bucket/m.json")
    config = config.model_copy(update={"tables": [*config.tables, far]})
    inputs = read_inputs(config, WINDOW, LocalRunner())
    result = run_audit(config, WINDOW, inputs, LocalRunner(), lambda _: None)
    assert set(result.run.tables_failed) == {"lake.db.far", "cloud.db.t"}
    for text in (str(list(result.scan_plans())), *outputs(result, "")):
        assert leaks(text) == []
