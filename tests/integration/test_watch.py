"""Watching a log as a process of its own: queries are audited while they are written."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.integration.audits import open_catalog, trino_event, write_config, write_ids, write_lines

pytestmark = pytest.mark.slow

WRAPPED = "SELECT * FROM lake.db.t WHERE CAST(id AS varchar) LIKE '7%'"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Ten files in order of ids, and a log of one good query."""
    import pyarrow as pa  # noqa: PLC0415

    log = tmp_path / "trino"
    log.mkdir()
    config = write_config(tmp_path, [{"type": "trino_events", "paths": [str(log)]}])
    catalog = open_catalog(config)
    catalog.create_namespace("db")
    table = catalog.create_table("db.t", pa.schema([("id", pa.int64())]))
    write_ids(table, 10, 200, sorted_by_id=True)
    catalog.close()
    log_query(config, "good", "SELECT * FROM lake.db.t WHERE id = 7")
    return config


def log_query(config: Path, query_id: str, sql: str) -> None:
    """Logs a query that began just now."""
    event = {**trino_event(query_id, sql), "createTime": dt.datetime.now(dt.UTC).isoformat()}
    write_lines(config.parent / "trino" / f"{query_id}.jsonl", [event])


@contextmanager
def watching(config: Path, *options: str) -> Iterator[IO[str]]:
    command = [sys.executable, "-m", "prunescope.audit_jobs.cli", "watch", "--config", str(config)]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout
        finally:
            process.terminate()


def next_round(output: IO[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(output.readline())
    return found


def test_each_finding_is_told_once_as_soon_as_its_query_is_logged(config: Path) -> None:
    with watching(config, "--every", "1", "--all", "--json") as output:
        first = next_round(output)
        assert first["queries"] == {"replayed": 1}
        assert first["new_findings"] == []
        log_query(config, "bad", WRAPPED)
        second = next_round(output)
        assert second["queries"] == {"replayed": 2}
        assert [found["cause"] for found in second["new_findings"]] == ["wrapped_column"]
        log_query(config, "as_bad", WRAPPED.replace("7%", "8%"))
        third = next_round(output)
        assert third["queries"] == {"replayed": 3}
        assert third["new_findings"] == []


def test_a_terminal_has_a_line_a_round_and_new_findings_by_table(config: Path) -> None:
    log_query(config, "bad", WRAPPED)
    with watching(config, "--every", "1", "--rounds", "1", "--all") as output:
        text = output.read()
    line, *others = text.splitlines()
    assert "2 queries, 1 table" in line
    assert line.endswith("1 new finding")
    assert "lake.db.t" in others
    assert "'7" not in text  # no literal


def test_what_cannot_be_read_does_not_end_it(config: Path) -> None:
    with watching(config, "--every", "1", "--json") as output:
        next_round(output)
        (config.parent / "trino" / "torn.jsonl").write_text('{"metadata"')
        second = next_round(output)
        assert second["queries"]["replayed"] == 1
        assert [one["location"].endswith("torn.jsonl:1") for one in second["rejected"]] == [True]
        log_query(config, "lost", "SELECT * FROM lake.db.gone WHERE id = 7")
        assert list(next_round(output)["tables_failed"]) == ["lake.db.gone"]
