"""`prunescope advise` over tables and a log of the back-test."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from audit_jobs.cli import main
from tests.backtest.cases import BY_NAME
from tests.backtest.lake import MIDDAY, Lake
from tests.backtest.model import TRAINING_DAYS
from tests.workloads.rows import START

pytestmark = pytest.mark.slow

CASES = ("late_data", "predicate_sorted")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tables, a third that is not there, and 30 days of a log."""
    found = tmp_path_factory.mktemp("lake")
    lake = Lake(found)
    tables, lines = [{"name": "lake.db.gone", "metadata": "absent.json"}], []
    for name in CASES:
        case = BY_NAME[name]
        metadata = lake.write(case.lay(case.rows(TRAINING_DAYS)))
        tables.append({"name": f"lake.db.{name}", "metadata": metadata})
        for number, query in enumerate(case.asked(0, TRAINING_DAYS)):
            at = START.replace(tzinfo=dt.UTC) + dt.timedelta(days=query.day) + MIDDAY
            sql = query.sql.replace("FROM t ", f"FROM lake.db.{name} ")
            lines.append({"sql": sql, "query_id": f"{name}{number}", "started_at": f"{at:%FT%TZ}"})
    others = {
        "gone": "SELECT * FROM lake.db.gone",
        "newest": "SELECT * FROM lake.db.late_data ORDER BY ts DESC LIMIT 1",
    }
    for query_id, sql in others.items():
        lines.append({"sql": sql, "query_id": query_id, "started_at": f"{at:%FT%TZ}"})
    found.joinpath("log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    config = {
        "catalogs": {"lake": {"properties": {}}},
        "audit": {"catalog": "lake"},
        "sources": [
            {"type": "sql_records", "paths": ["log.jsonl"], "dialect": "trino", "engine": "trino"}
        ],
        "tables": tables,
    }
    found.joinpath("audit.yaml").write_text(yaml.safe_dump(config))
    return found


def _advise(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    monkeypatch.chdir(folder)
    window = ("--window", "2026-01-01/2026-02-01")
    return CliRunner().invoke(main, ["advise", *window, "--quiet", *arguments])


def _json(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_layouts_as_json(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _advise(folder, monkeypatch, "--json")
    assert result.exit_code == 1  # one table is not there
    found = _json(result)
    tables = {one["table"]: one for one in found["tables"]}
    late = tables["lake.db.late_data"]
    assert late["advised"]["partition"] == ["day(ts)"]
    kept, now = late["advised"]["kept_bytes"], late["now"]
    assert kept["low"] <= kept["value"] <= kept["high"] < now["kept_bytes"]["value"]
    assert late["least_bytes"] <= kept["value"] * 1.001
    assert late["break_even_days"] > 0
    assert late["statements"]["spark"][0].endswith("ADD PARTITION FIELD days(`ts`)")
    assert late["diet"]["properties"] == {
        f"write.metadata.metrics.column.{name}": "none" for name in ("payload", "device")
    }
    assert 0 < late["diet"]["saved_bytes"] < late["diet"]["manifest_bytes"]
    assert late["diet"]["statements"]["spark"][0].startswith(
        "ALTER TABLE `lake`.`db`.`late_data` SET TBLPROPERTIES"
    )
    (newest,) = late["beyond"]["potential"]
    assert (newest["kind"], newest["columns"], newest["runs"]) == ("top_k", ["ts"], 1)
    assert newest["needed_bytes"] < newest["kept_bytes"] == late["now"]["bytes"]
    assert late["minimal"]["sentences"][0].startswith("The table is not partitioned")
    assert late["runs"] == sum(one["runs"] for one in late["fingerprints"])
    kept_as_is = tables["lake.db.predicate_sorted"]
    assert kept_as_is["advised"] is None
    assert kept_as_is["statements"] is None
    assert [failed["table"] for failed in found["failed"]] == ["lake.db.gone"]


def test_tables_that_are_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _advise(folder, monkeypatch, "lake.db.late*", "--details")
    assert result.exit_code == 0, result.output
    assert "Partitioned by day(ts)" in result.stdout
    assert (
        "Spark: ALTER TABLE `lake`.`db`.`late_data` ADD PARTITION FIELD days(`ts`);"
        in result.stdout
    )
    assert "Statistics that no scan needs" in result.stdout
    assert "ORDER BY … LIMIT by ts: " in result.stdout
    assert "predicate_sorted" not in result.stdout


def test_a_table_of_no_query(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _advise(folder, monkeypatch, "lake.db.other")
    assert result.exit_code == 2
    assert "No query of the window reads lake.db.other." in result.stdout


def test_no_literal_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = _advise(folder, monkeypatch, "lake.db.predicate_sorted", "--json").stdout
    case = BY_NAME["predicate_sorted"]
    literals = {query.sql.rpartition(" ")[2] for query in case.asked(0, TRAINING_DAYS)}
    assert not any(f'"{literal}"' in told for literal in literals)
