"""`prunescope init` makes a source of each kind of log in a folder, and names what is none."""

from __future__ import annotations

import bz2
import json
from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.queries.listing import expand_paths
from prunescope.collectors.storage.files import Storage
from tests.audit_jobs.commands.test_init import REST, TRINO, run, written
from tests.audit_jobs.commands.test_init_logs import ATHENA, OTHER, SNOWFLAKE
from tests.collectors.queries.test_exports import BIGQUERY, DATABRICKS, REDSHIFT

KINDS: dict[str, dict[str, Any]] = {
    "athena": ATHENA,
    "bigquery": BIGQUERY,
    "databricks": DATABRICKS,
    "other": OTHER,
    "redshift": REDSHIFT,
    "reports": {"report-type": "commit-report"},
    "snowflake": SNOWFLAKE,
    "spark": {"Event": "SparkListenerLogStart", "Spark Version": "3.5.6"},
    "trino": TRINO,
}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        pytest.param("{kind}-{number}.jsonl", "{kind}-*.jsonl", id="beside each other"),
        pytest.param("{kind}/2026-03-0{number}/log.jsonl", "{kind}", id="in folders"),
        pytest.param("2026-03-0{number}/{kind}.jsonl", "*-*-*/{kind}.jsonl", id="by day"),
        pytest.param("all/{number}.{kind}", "all/*.{kind}", id="by ending"),
    ],
)
def test_each_of_many_kinds_in_a_folder_is_a_source(tmp_path: Path, name: str, source: str) -> None:
    logs = tmp_path / "logs"
    for kind, record in KINDS.items():
        for number in range(4):
            file = logs / name.format(kind=kind, number=number)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(record, separators=(",", ":")))
    sources = written(tmp_path, *REST, "--logs", str(logs))["sources"]
    assert sorted(path for one in sources for path in one["paths"]) == sorted(
        f"{logs}/{source.format(kind=kind)}" for kind in KINDS
    )
    files = [file for one in sources for file in expand_paths(one["paths"], Storage())]
    assert len(files) == len({*files}) == 4 * len(KINDS)


def test_files_of_one_name_and_several_kinds_are_told_apart(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number, record in enumerate([*KINDS.values()] * 2):
        (logs / f"{number:02}.json").write_text(json.dumps(record, separators=(",", ":")))
    sources = written(tmp_path, *REST, "--logs", str(logs))["sources"]
    of_files = sorted(tuple(path.removeprefix(f"{logs}/") for path in s["paths"]) for s in sources)
    assert of_files == [(f"{n:02}.json", f"{n + len(KINDS):02}.json") for n in range(len(KINDS))]


def test_files_that_are_no_logs_are_named(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.jsonl").write_text(json.dumps(TRINO))
    (logs / "README.txt").write_text("no log")
    result = run(tmp_path, *REST, "--logs", str(logs))
    assert f"1 of 2 files were not recognised as query logs: {logs}/README.txt" in result.stderr


def test_what_a_file_is_that_is_not_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(bz2.compress(json.dumps(TRINO).encode()))
    result = run(tmp_path, *REST, "--logs", str(tmp_path / "log.jsonl"))
    assert result.exit_code == 2
    assert "log.jsonl: the file cannot be read from here on (the file is bzip2" in result.stderr
