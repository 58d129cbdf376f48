"""What `explain` answers of whole queries: each has one answer, of the version that it names."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.types import LongType

from prunescope.audit_jobs.cli import main


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Two files of one row each, of a snapshot each; the second one has a column more."""
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    created = catalog.create_table("db.t", pa.schema([("id", pa.int64())]))
    created.append(pa.table({"id": [1]}))
    with created.update_schema() as update:
        update.add_column("more", LongType())
    created.append(pa.table({"id": [2], "more": [3]}))
    return created


def answers(table: Any, sqls: list[str], *options: str) -> list[dict[str, Any]]:
    lines = "\n".join(json.dumps({"id": n, "sql": sql}) for n, sql in enumerate(sqls))
    path = Path(table.metadata_location.removeprefix("file://"))
    asked = ["explain", "--metadata", str(path), "--where-file", "-", *options]
    result = CliRunner().invoke(main, asked, input=lines)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in found] == list(range(len(sqls)))
    assert result.exit_code == int(any(answer["outcome"] != "replayed" for answer in found))
    return found


@pytest.mark.parametrize(
    ("dialect", "sql", "outcome"),
    [
        ("clickhouse", "SELECT * FROM t FINAL WHERE id = 1", "replayed"),
        ("clickhouse", "SELECT * FROM lake.`db.t` WHERE equals(id, 1)", "replayed"),
        ("clickhouse", "WITH 1 AS one SELECT * FROM `db.t` WHERE id = one", "replayed"),
        ("databricks", "SELECT * FROM STREAM(db.t) WHERE id = 1", "replayed"),
        ("snowflake", "SELECT * FROM IDENTIFIER('db.t') WHERE id = 1", "replayed"),
        ("snowflake", "SELECT * FROM TABLE('db.t') WHERE id = 1", "replayed"),
        ("snowflake", "SELECT * FROM TABLE($name) WHERE id = 1", "table_not_scanned"),
        ("spark", "EXECUTE IMMEDIATE 'SELECT * FROM db.t WHERE id = ?' USING 1", "replayed"),
        ("spark", "EXECUTE IMMEDIATE name USING 1", "unparseable"),
        ("spark", "FROM db.t |> WHERE id = 1 |> LIMIT 3", "replayed"),
        ("spark", "FROM db.t |> LIMIT 3 |> WHERE id = 1", "unparseable"),
        ("trino", "WITH c AS (SELECT * FROM t) SELECT 1", "table_not_scanned"),
        ("trino", "SELECT 1", "table_not_scanned"),
        ("trino", "SELECT * FROM t WHERE nope = 1", "unknown_column"),
        ("trino", "SHOW TABLES", "not_a_query"),
        ("trino", "SELECT * FROM", "unparseable"),
    ],
)
def test_each_question_has_one_answer(table: Any, dialect: str, sql: str, outcome: str) -> None:
    first, asked, last = answers(
        table, ["SELECT * FROM t", sql, "SELECT * FROM t"], "--dialect", dialect
    )
    assert asked["outcome"] == outcome
    assert first["outcome"] == last["outcome"] == "replayed"
    if outcome == "replayed":
        assert (asked["predicate"], asked["data_files"]["kept"]) == ("id = 1", 1)


def test_a_query_is_planned_at_the_version_that_it_names(table: Any) -> None:
    old, new = (entry.snapshot_id for entry in table.history())
    asked = "SELECT * FROM t FOR VERSION AS OF {} WHERE id > 0"
    both = f"SELECT * FROM t FOR VERSION AS OF {old} o JOIN t n ON o.id = n.id"
    lines = [asked.format(old), asked.format("'main'"), "SELECT * FROM t", both]
    first, branch, current, joined = answers(table, lines)
    assert (first["snapshot_id"], first["data_files"]["total"]) == (old, 1)
    assert (branch["snapshot_id"], branch["data_files"]["total"]) == (new, 2)
    assert (current["snapshot_id"], current["data_files"]["total"]) == (new, 2)
    assert (joined["snapshot_id"], joined["more_scans"][0]["snapshot_id"]) == (old, new)
    of_old = answers(table, [asked.format(new), "SELECT * FROM t"], "--snapshot", str(old))
    assert [answer["snapshot_id"] for answer in of_old] == [new, old]


def test_a_version_that_is_not_there_is_told(table: Any) -> None:
    old = table.history()[0].snapshot_id
    gone, unknown, early = answers(
        table,
        [
            "SELECT * FROM t FOR VERSION AS OF 123",
            "SELECT * FROM t FOR VERSION AS OF nope",
            f"SELECT * FROM t FOR VERSION AS OF {old} WHERE more = 3",
        ],
    )
    assert gone["outcome"] == "snapshot_not_found"
    assert (unknown["outcome"], unknown["data_files"]["kept"]) == ("query_failed", None)
    assert early["outcome"] == "unknown_column"


def test_a_branch_is_planned_as_it_was(table: Any) -> None:
    """`--as-of` holds for branches that a query names; a version that it names stays."""
    first = table.history()[0]
    table.manage_snapshots().create_branch(snapshot_id=first.snapshot_id, branch_name="b").commit()
    table.append(pa.table({"id": [3], "more": [4]}), branch="b")
    head = table.metadata.refs["b"].snapshot_id
    asked = ["SELECT * FROM t FOR VERSION AS OF 'b'", f"SELECT * FROM t FOR VERSION AS OF {head}"]
    assert [one["snapshot_id"] for one in answers(table, asked)] == [head, head]
    moment = dt.datetime.fromtimestamp(first.timestamp_ms / 1000, dt.UTC).isoformat()
    then = answers(table, asked, "--as-of", moment)
    assert [one["snapshot_id"] for one in then] == [first.snapshot_id, head]
