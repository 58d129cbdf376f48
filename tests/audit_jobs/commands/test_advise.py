"""`prunescope advise` over tables and a log of the back-test, which is older than they are."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from prunescope.audit_jobs.cli import main
from tests.backtest.cases import BY_NAME
from tests.backtest.lake import MIDDAY, Lake
from tests.backtest.model import TRAINING_DAYS
from tests.scenarios.lake import EVERYTHING
from tests.workloads.rows import START

pytestmark = pytest.mark.slow

CASES = ("late_data", "predicate_sorted")
MONTH = "2026-01-01/2026-02-01"


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
        "findings": {"thresholds": [{"table": "*", **EVERYTHING}]},
        "sources": [
            {"type": "sql_records", "paths": ["log.jsonl"], "dialect": "trino", "engine": "trino"}
        ],
        "tables": tables,
    }
    found.joinpath("audit.yaml").write_text(yaml.safe_dump(config))
    return found


def _run(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    monkeypatch.chdir(folder)
    return CliRunner().invoke(main, arguments)


def _advise(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    return _run(folder, monkeypatch, "advise", "--quiet", "--window", MONTH, *arguments)


def _json(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_steps_as_json(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _advise(folder, monkeypatch, "--json")
    assert result.exit_code == 1, result.output  # one table is not there
    found = _json(result)
    late, sorted_ = found["tables"]
    assert late["table"] == "lake.db.late_data"
    (step,) = late["steps"]
    assert step["step"] == "partition by day(ts)"
    assert step["fix_spark"][0].endswith("ADD PARTITION FIELD days(`ts`)")
    assert 0 < step["bytes_at_stake"] == late["bytes_at_stake"] < late["bytes_kept"]
    assert late["diet"]["properties"] == {
        f"write.metadata.metrics.column.{name}": "none" for name in ("payload", "device")
    }
    assert 0 < late["diet"]["saved_bytes"] < late["diet"]["manifest_bytes"]
    assert late["diet"]["statements"]["spark"][0].startswith(
        "ALTER TABLE `lake`.`db`.`late_data` SET TBLPROPERTIES"
    )
    (newest,) = late["beyond"]["potential"]
    assert (newest["kind"], newest["columns"], newest["runs"]) == ("top_k", ["ts"], 1)
    assert newest["needed_bytes"] < newest["kept_bytes"] == late["bytes"]
    assert (sorted_["table"], sorted_["steps"]) == ("lake.db.predicate_sorted", [])
    assert [failed["table"] for failed in found["failed"]] == ["lake.db.gone"]


def test_tables_that_are_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _advise(folder, monkeypatch, "lake.db.late*", "--details")
    assert result.exit_code == 0, result.output
    assert "ALTER TABLE `lake`.`db`.`late_data` ADD PARTITION FIELD days(`ts`);" in result.stdout
    assert "Unused column statistics" in result.stdout
    assert "ORDER BY … LIMIT by ts: " in result.stdout
    assert "predicate_sorted" not in result.stdout


def test_one_screen_a_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = _advise(folder, monkeypatch, "lake.db.late*").stdout
    assert "partition by day(ts)" in told
    assert "could skip" in told
    assert "ALTER TABLE" not in told
    assert len(told.splitlines()) <= 24


def test_a_table_of_no_query(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _advise(folder, monkeypatch, "lake.db.other")
    assert result.exit_code == 2
    assert "No query in the window reads lake.db.other." in result.stdout


def test_no_literal_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = _advise(folder, monkeypatch, "lake.db.predicate_sorted", "--json").stdout
    case = BY_NAME["predicate_sorted"]
    literals = {query.sql.rpartition(" ")[2] for query in case.asked(0, TRAINING_DAYS)}
    assert not any(f'"{literal}"' in told for literal in literals)
