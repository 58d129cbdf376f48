"""A window as two planners plan it: the same as audits of logs that name these planners."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.results.sums import ScanSums
from tests.integration.audits import DAY, WINDOW, backdate, open_catalog, run_here, write_config

pytestmark = pytest.mark.slow

TEXTS = (
    "SELECT * FROM lake.db.t WHERE year(ts) = 2017",  # Trino makes a range of it, Spark does not
    "SELECT * FROM lake.db.t WHERE n >= 5",
    "SELECT * FROM lake.db.t WHERE s LIKE '%5'",  # nobody pushes it
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of ten files, of a year each, and logs of the texts by engines and versions."""
    folder = tmp_path_factory.mktemp("compared")
    config = write_config(folder, [{"type": "trino_events", "paths": ["none"]}])
    with_catalog = open_catalog(config)
    with_catalog.create_namespace("db")
    rows = pa.schema([("ts", pa.timestamp("us")), ("n", pa.int64()), ("s", pa.string())])
    table = with_catalog.create_table("db.t", rows)
    for n in range(1, 11):
        ts = [dt.datetime(2014 + n, month, 1) for month in range(1, 13)]
        texts = [str(t.month) for t in ts]
        table.append(pa.table({"ts": ts, "n": [n] * 12, "s": texts}, schema=rows))
    backdate(table)
    with_catalog.close()
    return folder


def config_of(folder: Path, engine: str, version: str) -> Path:
    """The configuration of a log whose queries an engine ran."""
    own = folder / f"{engine}-{version}"
    own.mkdir(exist_ok=True)
    records = [
        {
            "query_id": str(number),
            "sql": sql,
            "started_at": DAY.isoformat(),
            "engine": engine,
            "engine_version": version,
            "dialect": "trino",
        }
        for number, sql in enumerate(TEXTS)
    ]
    (own / "log.jsonl").write_text("\n".join(map(json.dumps, records)))
    source = {"type": "sql_records", "paths": [str(own)], "catalog": "lake", "dialect": "trino"}
    return write_config(folder, [source]).rename(own / "audit.yaml")


def compared(config: Path, *arguments: str) -> dict[str, Any]:
    day = f"{WINDOW.start:%Y-%m-%d}"
    command = ["compare", "--config", str(config), "--window", day, "--json", *arguments]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def kept(config: Path) -> Mapping[str, ScanSums]:
    """What an audit of a log says of each shape of query on its only table."""
    (shapes,) = run_here(load_config(config), WINDOW).sums.queries.values()
    return shapes


def test_both_sides_are_what_audits_of_their_logs_say(folder: Path) -> None:
    trino, spark = config_of(folder, "trino", "483"), config_of(folder, "spark", "3.5.6")
    found = compared(trino, "--planner", "trino-483", "--with", "spark-3.5.6")
    before, after = kept(trino), kept(spark)
    differing = {
        shape: {
            name: {"before": sums.passes[name].kept, "after": after[shape].passes[name].kept}
            for name in ("data_files", "bytes")
        }
        for shape, sums in before.items()
        if sums.passes["bytes"] != after[shape].passes["bytes"]
    }
    assert {
        one["fingerprint"]: {name: one[name] for name in ("data_files", "bytes")}
        for one in found["shapes"]
    } == differing
    (only,) = found["shapes"]
    assert only["data_files"] == {"before": 1, "after": 10}
    pushed = {
        one["text"]: [one[side] and one[side]["pushed"] for side in ("before", "after")]
        for one in only["conditions"]
    }
    assert pushed == {
        "ts >= ?": [True, False],
        "ts < ?": [True, False],
        "ts IS NOT NULL": [None, True],
    }
    assert "2017" not in json.dumps(only)


def test_queries_of_other_engines_stay_as_they_were(folder: Path) -> None:
    spark = config_of(folder, "spark", "3.5.6")
    found = compared(spark, "--planner", "trino-483", "--with", "trino-477")
    assert found["shapes"] == []
    (table,) = found["tables"]
    assert table["data_files"] == {"before": 26, "after": 26}


def test_the_floor_is_what_the_statistics_allow(folder: Path) -> None:
    spark = config_of(folder, "spark", "3.5.6")
    found = compared(spark, "--planner", "spark-3.5.6", "--with", "floor")
    (table,) = found["tables"]
    assert table["data_files"] == {"before": 26, "after": 17}
    assert found["after"] == "floor"


def test_a_terminal_names_what_differs(folder: Path) -> None:
    trino = config_of(folder, "trino", "483")
    day = f"{WINDOW.start:%Y-%m-%d}"
    arguments = ["--planner", "trino-483", "--with", "spark-3.5", "--window", day, "--quiet"]
    result = CliRunner().invoke(main, ["compare", "--config", str(trino), *arguments])
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "data files 1 → 10" in lines
    assert "1 query keeps other counts" in result.stdout


@pytest.mark.parametrize(
    ("planner", "told"),
    [
        ("trion-483", "Unknown planner 'trion-483'"),
        ("duckdb-2.0", "duckdb-2.0 plans no audit: ask `prunescope explain --planner duckdb-2.0`"),
    ],
)
def test_a_planner_that_plans_no_audit_is_refused(folder: Path, planner: str, told: str) -> None:
    trino = config_of(folder, "trino", "483")
    arguments = ["--planner", planner, "--with", "floor"]
    result = CliRunner().invoke(main, ["compare", "--config", str(trino), *arguments])
    assert result.exit_code == 2
    assert told in result.output
