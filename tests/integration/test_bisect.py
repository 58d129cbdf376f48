"""The commit since which a query reads more, planted in histories of real tables."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.memory import InMemoryCatalog
from pyiceberg.table import Table
from pyiceberg.types import LongType

from prunescope.audit_jobs.cli import main
from tests.integration.audits import (
    DAY,
    open_catalog,
    trino_event,
    write_config,
    write_lines,
)

pytestmark = pytest.mark.slow

ROWS = pa.schema([("n", pa.int64()), ("s", pa.string())])
ENGINE = {"engine-name": "spark", "engine-version": "4.1.0", "app-id": "nightly-compaction"}


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    catalog = InMemoryCatalog("lake", warehouse=tmp_path.as_uri())
    catalog.create_namespace("db")
    return catalog


def rows(numbers: list[int]) -> pa.Table:
    return pa.table({"n": numbers, "s": [f"{number:>200}" for number in numbers]}, schema=ROWS)


def append(table: Table, first: int) -> None:
    """A file of ten numbers that no other file has."""
    table.append(rows(list(range(first, first + 10))))


def mixed_append(table: Table, number: int) -> None:
    """A file with a few of all numbers."""
    table.append(rows(list(range(number, 100_000, 10_000))))


def bisected(table: Table, *arguments: str) -> dict[str, Any]:
    command = ["bisect", "--metadata", table.metadata_location, "--json", *arguments]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code in (0, 1), result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def planted(table: Table, commits: int, at: int, worse: Callable[[Table], None]) -> int:
    """Writes a history with one commit that is worse; returns its snapshot."""
    for number in range(commits):
        if number == at:
            worse(table)
            snapshot = table.current_snapshot()
            assert snapshot is not None
            planted_id: int = snapshot.snapshot_id
        else:
            append(table, 10 * number)
    return planted_id


def rewritten(table: Table) -> None:
    """All rows in one file, as a compaction without an order leaves them."""
    table.overwrite(table.scan().to_arrow(), snapshot_properties=ENGINE)


def test_one_commit_among_many_takes_few_replays(catalog: Catalog) -> None:
    """As many as halving takes, and both ends."""
    table = catalog.create_table("db.t", ROWS)
    snapshot = planted(table, 32, 21, rewritten)
    found = bisected(table, "--where", "n = 7")
    assert found["snapshots"] == 33  # an overwrite is a delete and an append
    assert len(found["replays"]) <= 8
    assert found["is_one_commit"]
    assert found["commit"]["snapshot_id"] == snapshot
    assert found["commit"]["operation"] == "append"
    assert (found["commit"]["engine"], found["commit"]["engine_version"]) == ("spark", "4.1.0")
    assert found["commit"]["application"] == "nightly-compaction"
    assert found["after"]["bytes_kept"] == found["after"]["bytes_total"]


@pytest.mark.parametrize("at", [1, 5])
def test_a_commit_at_either_end(catalog: Catalog, at: int) -> None:
    table = catalog.create_table("db.t", ROWS)
    snapshot = planted(table, 6, at, lambda table: mixed_append(table, 3))
    found = bisected(table, "--where", "n = 7")
    assert found["commit"]["snapshot_id"] == snapshot
    assert found["is_one_commit"]


def test_a_table_that_only_grows_in_order_is_no_worse(catalog: Catalog) -> None:
    table = catalog.create_table("db.t", ROWS)
    for number in range(8):
        append(table, 10 * number)
    found = bisected(table, "--where", "n = 7")
    assert found["commit"] is None
    assert len(found["replays"]) == 2


def test_growth_without_order_is_no_single_commit(catalog: Catalog) -> None:
    table = catalog.create_table("db.t", ROWS)
    for number in range(12):
        mixed_append(table, number)
    found = bisected(table, "--where", "n = 50007")
    assert found["commit"] is not None
    assert not found["is_one_commit"]


def test_a_loss_that_was_mended_is_found_among_all(catalog: Catalog) -> None:
    table = catalog.create_table("db.t", ROWS)
    snapshot = planted(table, 10, 4, rewritten)
    table.delete("n >= 0")
    append(table, 0)
    assert bisected(table, "--where", "n = 7")["commit"] is None
    found = bisected(table, "--where", "n = 7", "--every")
    assert found["commit"]["snapshot_id"] == snapshot
    assert len(found["replays"]) == found["snapshots"]


def test_snapshots_without_the_column_are_named(catalog: Catalog) -> None:
    table = catalog.create_table("db.t", pa.schema([("s", pa.string())]))
    for _ in range(5):
        table.append(pa.table({"s": ["a"]}))
    with table.update_schema() as update:
        update.add_column("n", LongType())
    for number in range(6):
        table.append(pa.table({"s": ["a"] * 10, "n": list(range(10 * number, 10 * number + 10))}))
    found = bisected(table, "--where", "n = 7")
    assert "no column n" in found["not_replayed"][0]["message"]
    assert found["replays"]


def test_a_query_of_the_log_by_its_fingerprint(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    write_lines(log, [trino_event("q", "SELECT * FROM lake.db.t WHERE n = 7")])
    config = write_config(tmp_path, [{"type": "trino_events", "paths": [str(log)]}])
    catalog = open_catalog(config)
    catalog.create_namespace("db")
    table = catalog.create_table("db.t", ROWS)
    snapshot = planted(table, 12, 9, rewritten)
    catalog.close()
    fingerprint = fingerprint_of("SELECT * FROM lake.db.t WHERE n = 7")
    command = ["bisect", "lake.db.t", "--config", str(config), "--window", f"{DAY:%Y-%m-%d}"]
    result = CliRunner().invoke(main, [*command, "--fingerprint", fingerprint, "--json"])
    found = json.loads(result.stdout)
    assert found["commit"]["snapshot_id"] == snapshot
    lost = CliRunner().invoke(main, [*command, "--fingerprint", "0" * 16])
    assert lost.exit_code == 2
    assert "No query of the logs has the fingerprint" in lost.output


def fingerprint_of(sql: str) -> str:
    from prunescope.audit_jobs.workload.queries import name_tables  # noqa: PLC0415
    from prunescope.collectors.observed import ObservedQuery  # noqa: PLC0415

    query = ObservedQuery("test", "q", sql, "trino", dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    named = name_tables(query).fingerprint
    assert named is not None
    return named


def test_a_terminal_says_what_was_committed(catalog: Catalog) -> None:
    table = catalog.create_table("db.t", ROWS)
    snapshot = planted(table, 12, 9, rewritten)
    result = CliRunner().invoke(
        main, ["bisect", "--metadata", table.metadata_location, "--where", "n = 7"]
    )
    assert result.exit_code == 1
    assert f"The query reads more since snapshot {snapshot} of" in result.stdout
    assert "by spark 4.1.0, application nightly-compaction" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines()[:-1])
