"""A version of a table is read under the schema that its engine reads it under."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.types import LongType

from prunescope.audit_jobs.cli import main

# Of ten rows of the main branch, five have it; none has it of the column that is there now.
WHERE = "n > 5"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A table of one snapshot, with a tag, and a branch of one more, of which a column was then
    dropped, and made anew, and another one renamed."""
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    rows = pa.table({"n": pa.array(range(1, 11), pa.int64()), "text": ["a"] * 10})
    made = catalog.create_table("db.t", rows.schema)
    made.append(rows)
    snapshot = made.metadata.current_snapshot_id
    assert snapshot is not None
    made.manage_snapshots().create_tag(snapshot_id=snapshot, tag_name="v1").commit()
    made.manage_snapshots().create_branch(snapshot_id=snapshot, branch_name="dev").commit()
    made.append(rows, branch="dev")
    with made.update_schema(allow_incompatible_changes=True) as update:
        update.delete_column("n")
        update.rename_column("text", "txt")
    with made.update_schema() as update:
        update.add_column("n", LongType())
    return made


def answer(table: Any, *arguments: str) -> dict[str, Any]:
    path = table.metadata_location.removeprefix("file://")
    result = CliRunner().invoke(main, ["explain", "--metadata", path, "--json", *arguments])
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def forms(table: Any) -> dict[str, str]:
    snapshot = table.current_snapshot()
    after = dt.datetime.fromtimestamp(snapshot.timestamp_ms / 1000 + 1, dt.UTC)
    return {
        "none": "",
        "id": f"VERSION AS OF {snapshot.snapshot_id}",
        "tag": "VERSION AS OF 'v1'",
        "time": f"TIMESTAMP AS OF '{after:%Y-%m-%d %H:%M:%S.%f}'",
        "branch": "VERSION AS OF 'dev'",
        "main": "VERSION AS OF 'main'",
    }


ICEBERG = {"none": False, "id": True, "tag": True, "time": True, "branch": False, "main": False}
TRINO = {**ICEBERG, "branch": True, "main": True}


def test_rows_of_the_snapshot_have_the_column_that_was_dropped(table: Any) -> None:
    snapshot = table.current_snapshot()
    then, tagged = table.scan(snapshot_id=snapshot.snapshot_id), table.scan().use_ref("v1")
    matching = [
        sum(value is not None and value > 5 for value in scan.to_arrow()["n"].to_pylist())
        for scan in (table.scan(), then, tagged)
    ]
    assert matching == [0, 5, 5]


@pytest.mark.parametrize(
    ("planner", "own"),
    [("spark-4.1.4/1.11.0", ICEBERG), ("trino-482", TRINO), (None, ICEBERG)],
)
@pytest.mark.parametrize("form", ICEBERG)
def test_a_version_that_a_query_names(
    table: Any, form: str, planner: str | None, own: dict[str, bool]
) -> None:
    dialect = "trino" if planner == "trino-482" else "spark"
    named = forms(table)[form]
    if dialect == "trino" and named:
        named = f"FOR {named.replace(' OF ', ' OF TIMESTAMP ') if form == 'time' else named}"
    options = ["--dialect", dialect, *(["--planner", planner] if planner else [])]
    asked = f"SELECT * FROM t {named} WHERE {WHERE}"
    found = answer(table, "--sql", asked, *options)
    assert (found["outcome"], found["row_groups"]["kept"] > 0) == ("replayed", own[form])
    old, new = (f"SELECT * FROM t {named} WHERE {name} = 'b'" for name in ("text", "txt"))
    outcomes = [answer(table, "--sql", sql, *options)["outcome"] for sql in (old, new)]
    known = ["replayed", "unknown_column"]
    assert outcomes == (known if own[form] else known[::-1])


@pytest.mark.parametrize(
    ("option", "form"), [("--snapshot", "id"), ("--as-of", "time"), ("--ref", "tag")]
)
def test_a_version_that_an_option_names(table: Any, option: str, form: str) -> None:
    value = {"tag": "v1"}.get(form) or forms(table)[form].split(" OF ")[1].strip("'")
    assert answer(table, option, value, "--where", WHERE)["row_groups"]["kept"] == 1
    for planner, kept in (("spark", 0), ("trino", 2)):
        branch = ("--ref", "dev", "--planner", planner)
        assert answer(table, *branch, "--where", WHERE)["row_groups"]["kept"] == kept


def test_a_query_reads_a_snapshot_under_two_schemas(table: Any) -> None:
    named = forms(table)["id"]
    asked = f"SELECT * FROM t a JOIN t {named} b ON a.txt = b.text WHERE a.n > 5 AND b.n > 5"
    now = answer(table, "--sql", asked, "--dialect", "spark")
    (then,) = now["more_scans"]
    assert [now["row_groups"]["kept"], then["row_groups"]["kept"]] == [0, 1]
    assert now["snapshot_id"] == then["snapshot_id"]
