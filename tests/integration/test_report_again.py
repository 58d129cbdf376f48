"""`prunescope report` writes what the audit wrote, byte for byte."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyiceberg.catalog import Catalog
from pyiceberg.table import Table

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.jobs.nightly import run_nightly
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks.audit_tables import publish
from tests.audit_jobs.report.parsed import Page
from tests.integration.audits import open_catalog, run_here, trino_event, write_config, write_lines

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

FIRST = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
PARTITIONS, FILES, ROWS = 3, 4, 60
QUERIES = (
    "SELECT * FROM lake.db.t WHERE id BETWEEN 100 AND 110",
    "SELECT * FROM lake.db.t WHERE abs(part) = 1 AND name LIKE '%x'",
    "SELECT * FROM lake.db.lost WHERE id = 7",
    "SELECT * FROM lake.db.gone WHERE id = 7",
    "SELECT * FROM lake.db.t WHERE ((id = 7",
)


@dataclass(frozen=True)
class Nights:
    """Audits of the same queries, one a day."""

    folder: Path
    config: Path
    catalog: Catalog

    def write(self, *, sorted_by_id: bool) -> None:
        """Replaces all rows: each file of a partition has a range of ids, or all have every id."""
        table = self.catalog.load_table("db.t")
        if table.current_snapshot() is not None:
            table.delete()
        ids = np.arange(FILES * ROWS)
        for part in range(PARTITIONS):
            for file in range(FILES):
                step = slice(file * ROWS, (file + 1) * ROWS)
                append(table, part, ids[step] if sorted_by_id else ids[file::FILES])

    def window(self, day: int) -> Window:
        """A day, whose queries are in the log then."""
        start = FIRST + day * DAY
        events: list[Any] = []
        for number, sql in enumerate(QUERIES * 3):
            event = trino_event(f"{day}/{number}", sql, serverVersion=f"48{day}")
            asked = start + dt.timedelta(hours=1, minutes=number)
            events.append({**event, "createTime": asked.isoformat().replace("+00:00", "Z")})
        events.append(json.dumps(events[0])[:90])
        write_lines(self.folder / "events.jsonl", events)
        return Window(start, start + DAY)

    def publish(self, day: int) -> None:
        """Audits a day in this process, without a report."""
        config = load_config(self.config)
        result = run_here(config, self.window(day))
        publish(result, self.catalog, config.audit.namespace)

    def audit(self, day: int) -> AuditResult:
        """Audits a day as every night, on Spark, with a report."""
        return run_nightly(load_config(self.config), self.window(day), lambda _: None)

    def again(self, run_id: str) -> bytes:
        """The report of a run, from the audit tables."""
        path = self.folder / "again.html"
        arguments = ["--config", str(self.config), "--run", run_id, "--output", str(path)]
        result = CliRunner().invoke(main, ["report", *arguments])
        assert result.exit_code == 0, result.output
        return path.read_bytes()

    def first(self, run_id: str) -> bytes:
        """The report that the audit wrote."""
        return (self.folder / f"{run_id}.html").read_bytes()


def append(table: Table, part: int, ids: np.ndarray[Any, Any]) -> None:
    names = [f"name {number}" for number in ids]
    table.append(pa.table({"part": [part] * len(ids), "id": ids, "name": names}))


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    folder = tmp_path_factory.mktemp("nights")
    everything = {"small_table_bytes": 0, "min_bytes_at_stake": 0, "min_scans": 1}
    config = write_config(
        folder,
        [{"type": "trino_events", "paths": [str(folder / "events.jsonl")]}],
        findings={"thresholds": [{"table": "*", **everything}]},
        report={"path": str(folder / "{run_id}.html")},
    )
    catalog = open_catalog(config)
    catalog.create_namespace("db")
    schema = pa.schema([("part", pa.int64()), ("id", pa.int64()), ("name", pa.string())])
    table = catalog.create_table("db.t", schema)
    with table.update_spec() as update:
        update.add_identity("part")
    catalog.create_table("db.lost", schema)
    Path(catalog.load_table("db.lost").metadata_location.removeprefix("file://")).unlink()
    yield Nights(folder, config, catalog)
    catalog.close()


@pytest.fixture(scope="module")
def result(nights: Nights, spark: SparkSession) -> AuditResult:
    """A night whose table is no longer sorted as it was on those before. It is not the last."""
    assert spark is not None
    nights.write(sorted_by_id=True)
    for day in range(3):
        nights.publish(day)
    nights.write(sorted_by_id=False)
    result = nights.audit(3)
    nights.publish(4)
    return result


def test_a_run_is_reported_as_its_audit_reported_it(nights: Nights, result: AuditResult) -> None:
    run_id = result.run.run_id
    assert nights.again(run_id) == nights.first(run_id)


def test_the_run_has_what_could_differ(nights: Nights, result: AuditResult) -> None:
    causes = {finding.cause for finding in result.findings}
    assert {"pruning_regressed", "wrapped_column"} <= causes
    assert set(result.run.tables_failed) == {"lake.db.lost", "lake.db.gone"}
    assert {"replayed", "malformed_json", "unparseable"} < set(result.run.queries)
    page = Page(nights.first(result.run.run_id).decode())
    (health,) = (table["health"] for table in page.document["tables"] if "health" in table)
    assert health["partitions"] == PARTITIONS
    assert health["partition_files"] == FILES, "a median of whole numbers, which is one"
