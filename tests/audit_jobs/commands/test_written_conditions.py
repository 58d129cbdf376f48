"""`explain` shows a condition as it is written, and then what it implies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main


@pytest.fixture
def metadata(tmp_path: Path) -> str:
    """Ten days, in one file."""
    catalog = SqlCatalog("lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=str(tmp_path))
    catalog.create_namespace("db")
    days = pa.array(range(18_000, 18_010), pa.int32()).cast(pa.date32())
    rows = pa.table({"id": pa.array(range(10), pa.int64()), "day": days})
    created = catalog.create_table("db.t", rows.schema)
    created.append(rows)
    return created.metadata_location.removeprefix("file://")


def explain(metadata: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", "--metadata", metadata, *arguments])


def answer(metadata: str, *arguments: str) -> Any:
    return json.loads(explain(metadata, *arguments, "--json").stdout)


def test_a_condition_is_shown_as_it_is_written_before_what_it_implies(metadata: str) -> None:
    where = "date_format(day, '%Y-%m') = '2019-04' AND date(day) >= DATE '2019-04-14' AND id > 5"
    found = answer(metadata, "--where", where, "--planner", "trino")
    words = "DATE_FORMAT(day, '%Y-%m') = '2019-04'"
    assert found["written"].startswith(words)
    assert [(part["predicate"], part["written"]) for part in found["conjuncts"][:2]] == [
        ("day >= DATE '2019-04-01'", words),
        ("day < DATE '2019-05-01'", words),
    ]
    assert found["conjuncts"][-1]["written"] is None
    told = explain(metadata, "--where", where, "--planner", "trino").stdout
    assert told.index(f"WHERE {words}") < told.index("implied range: day >= DATE '2019-04-01'")
    assert "not sargable: function, cast or arithmetic on the column" in " ".join(told.split())
    assert told.count("implied range") == 1
    assert answer(metadata, "--where", "id > 5")["written"] is None
