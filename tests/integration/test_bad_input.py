"""Whole audits of damaged tables and logs full of trouble: each has an outcome, and no literal
leaves."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.config import load_config
from tests.integration.audits import (
    audit,
    audit_here,
    audit_rows,
    catalog_properties,
    trino_event,
    write_config,
    write_lines,
)

pytestmark = pytest.mark.slow

CANARY = "k7canary"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A configuration with tables that are damaged in every way, and a log full of trouble."""
    catalog = SqlCatalog("lake", **catalog_properties(tmp_path))
    catalog.create_namespace("db")
    rows = pa.table({"id": pa.array([1, 2, 3], pa.int64()), "name": ["a", "b", "c"]})
    damage = ("whole", "no_manifest", "cut_manifest", "cut_footer", "no_file", "no_list", "gone")
    for name in damage:
        table = catalog.create_table(f"db.{name}", rows.schema)
        table.append(rows)
        snapshot = table.current_snapshot()
        assert snapshot is not None
        manifest = Path(snapshot.manifests(table.io)[0].manifest_path.removeprefix("file://"))
        (task,) = table.scan().plan_files()
        data = Path(task.file.file_path.removeprefix("file://"))
        match name:
            case "no_manifest":
                manifest.unlink()
            case "cut_manifest":
                manifest.write_bytes(manifest.read_bytes()[:-20])
            case "cut_footer":
                data.write_bytes(data.read_bytes()[:-3])
            case "no_file":
                data.unlink()
            case "no_list":
                Path(snapshot.manifest_list.removeprefix("file://")).unlink()
            case "gone":
                catalog.drop_table("db.gone")
    lines: list[dict[str, Any] | str] = [
        trino_event(name, f"SELECT * FROM lake.db.{name} WHERE id = 2 AND name != '{CANARY}'")
        for name in damage
    ]
    lines += [
        "{ this is no JSON",
        '{"metadata": []}',
        trino_event("broken_sql", f"SELEC * FROM lake.db.whole WHERE name = '{CANARY}'"),
        trino_event("unknown_column", "SELECT * FROM lake.db.whole WHERE nope = 1"),
        trino_event("type_mismatch", "SELECT * FROM lake.db.whole WHERE name = 5 AND id > 1"),
        trino_event("elsewhere", "SELECT * FROM postgresql.public.t WHERE a = 1"),
        trino_event("ddl", "CREATE TABLE lake.db.x (a int)"),
        trino_event("expired", "SELECT * FROM lake.db.whole FOR VERSION AS OF 12345 WHERE id = 1"),
        trino_event("half", "SELECT * FROM lake.db.whole JOIN lake.db.gone USING (id)"),
    ]
    # The tables are newer than the audited day: without a snapshot id their scans would fail.
    for line in lines:
        if isinstance(line, dict) and isinstance(line["metadata"], dict):
            del line["createTime"]
            line["metadata"]["queryId"] = "q_" + line["metadata"]["queryId"]
    write_lines(tmp_path / "events.jsonl", lines)
    packed = gzip.compress(json.dumps(trino_event("q_packed", "SELECT 1")).encode() * 50)
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "not.parquet").write_bytes(b"PAR1 no")
    return write_config(
        tmp_path,
        [
            {
                "type": "trino_events",
                "paths": [f"{tmp_path}/events.jsonl", f"{tmp_path}/cut.jsonl.gz", "/no/such/log"],
            },
            {"type": "sql_records", "paths": [f"{tmp_path}/not.parquet"]},
        ],
    )


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_bad_input_is_named_and_the_rest_completes(
    broken: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert not audit(broken)
    # Nor do Spark and its workers print literals.
    printed = capfd.readouterr()
    assert CANARY not in printed.out + printed.err
    rows = audit_rows(broken, "scan_plans")
    outcomes = {
        (row["query_id"] or "").removeprefix("q_"): row["query_outcome"]
        for row in rows
        if row["query_id"]
    }
    assert outcomes == {
        "whole": "replayed",
        "no_manifest": "unreadable_metadata",
        "cut_manifest": "unreadable_metadata",
        "cut_footer": "replayed",
        "no_file": "replayed",
        "no_list": "unreadable_metadata",
        "gone": "table_not_found",
        "broken_sql": "unparseable",
        "unknown_column": "unknown_column",
        "type_mismatch": "replayed",
        "elsewhere": "no_iceberg_table",
        "ddl": "not_a_query",
        "expired": "snapshot_not_found",
        "half": "table_not_found",
    }
    anonymous = Counter(row["outcome"] for row in rows if not row["query_id"])
    assert anonymous == {
        "malformed_json": 1,
        "malformed_event": 1,
        "unreadable_file": 2,
        "no_such_file": 1,
    }
    by_query = {row["query_id"]: row for row in rows if row["query_id"]}
    assert by_query["q_cut_footer"]["row_groups_kept"] is None
    assert by_query["q_cut_footer"]["unread"] == [("unread_corrupt", 1)]
    assert by_query["q_no_file"]["unread"] == [("unread_missing", 1)]
    assert by_query["q_whole"]["row_groups_kept"] is not None
    (run,) = audit_rows(broken, "audit_runs")
    assert run["status"] == "partial"
    assert sum(count for _, count in run["queries"]) == len(outcomes) + sum(anonymous.values())


@pytest.mark.parametrize("literals", ["redact", "keep"])
def test_literals_leave_the_process_only_on_purpose(
    broken: Path, literals: str, capfd: pytest.CaptureFixture[str]
) -> None:
    text = broken.read_text() + f"literals: {literals}\n"
    broken.write_text(text)
    audit_here(broken)
    printed = capfd.readouterr()
    written = json.dumps(
        [audit_rows(broken, name) for name in ("audit_runs", "scan_plans", "conjuncts")],
        default=str,
    )
    textfile = load_config(broken).metrics.textfile
    assert textfile is not None
    assert CANARY not in printed.out + printed.err + textfile.read_text()
    assert (CANARY in written) == (literals == "keep")
