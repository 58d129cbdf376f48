"""What each query of a night costs, stage by stage, in CPU seconds of one process and its memory.

Tables of 10 to 1,000 days, a Parquet file each; wide tables of 100,000 files that do not exist; and
a log of queries whose literals all differ, from so many templates. Audited in-process or on Spark,
and published; each number of queries in a process of its own, so that memory is that of the run.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from typing import Self

import click
import numpy as np

from prunescope.audit_jobs.config import AuditConfig, validate_config
from prunescope.audit_jobs.gate.admit import admit
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.planning.spark import SparkRunner
from prunescope.audit_jobs.planning.spark_session import open_spark_session
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.collectors.tables.catalog import load_catalog
from tests.benchmarks import bench_shapes, synthetic_table

_DAY = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
_WINDOW = Window(_DAY, _DAY + dt.timedelta(days=1))
_OF_TABLES = (
    "ts >= TIMESTAMP '{start}' AND ts < TIMESTAMP '{end}'",
    "customer = {number}",
    "customer IN ({number}, {other})",
    "amount > {number}.{cents:02}",
    "ts > TIMESTAMP '{start}'",
    "customer BETWEEN {number} AND {other}",
)
_OF_WIDE_TABLES = (
    "ts >= TIMESTAMP '{start}' AND ts < TIMESTAMP '{end}'",
    "c2 BETWEEN {number} AND {other}",
    "c3 = {number}",
    "c4 IN ({number}, {other})",
    "c5 > {number}",
)
_DAYS = 10, 1_000
_MANIFESTS, _FILES, _COLUMNS = 100, 1_000, 20
"""Of a wide table."""


@dataclass(frozen=True)
class Lake:
    """Locations of tables' metadata: of those with data, and of wide ones."""

    tables: tuple[str, ...]
    wide: tuple[str, ...]

    @staticmethod
    def build(folder: Path, tables: int, wide: int) -> Lake:
        """Writes the tables; wide ones are one table by several names."""
        found = []
        for number, days in enumerate(np.geomspace(*_DAYS, tables).astype(int).tolist()):
            place = folder / str(number)
            place.mkdir()
            found.append(bench_shapes.build(place, days))
        location = ""
        if wide:
            made = synthetic_table.build(
                folder, manifests=_MANIFESTS, files=_FILES, columns=_COLUMNS
            )
            location = made.metadata_location
        return Lake(tuple(found), (location,) * wide)


def templates(lake: Lake, count: int) -> list[str]:
    """Texts with places for literals, each of one table; no two are alike."""
    random = np.random.default_rng(2)
    found: dict[str, None] = {}
    tables = len(lake.tables)
    while len(found) < count:
        table = len(found) % (tables + len(lake.wide))
        conditions = _OF_TABLES if table < tables else _OF_WIDE_TABLES
        chosen = random.choice(len(conditions), int(random.integers(1, 4)), replace=False)
        limit = int(random.integers(1, 10_000))
        where = " AND ".join(conditions[number] for number in chosen)
        found[f"SELECT ts FROM lake.db.t{table} WHERE {where} LIMIT {limit}"] = None
    return list(found)


def write_log(path: Path, queries: int, count: int, lake: Lake) -> None:
    """A log of Trino's dialect, one record a line, of so many templates."""
    random = np.random.default_rng(3)
    texts = templates(lake, count)
    with path.open("w") as log:
        for number in range(queries):
            start = bench_shapes.FIRST + dt.timedelta(seconds=int(random.integers(0, 200 * 86_400)))
            sql = texts[number % len(texts)].format(
                start=f"{start:%Y-%m-%d %H:%M:%S}",
                end=f"{start + dt.timedelta(days=int(random.integers(1, 30))):%Y-%m-%d %H:%M:%S}",
                number=int(random.integers(0, 500)),
                other=int(random.integers(500, 900)),
                cents=int(random.integers(0, 100)),
            )
            log.write(json.dumps({"sql": sql, "query_id": f"q{number}"}) + "\n")


def configuration(lake: Lake, log: Path, folder: Path) -> AuditConfig:
    """An audit of the log over the tables, published to a catalog in the folder."""
    properties = {
        "type": "sql",
        "uri": f"sqlite:///{folder}/catalog.db",
        "warehouse": f"file://{folder}/warehouse",
    }
    document = {
        "catalogs": {"lake": {"properties": properties}},
        "spark": {"master": "local[2]"},
        "audit": {"catalog": "lake"},
        "sources": [{"type": "sql_records", "paths": [str(log)], "dialect": "trino"}],
        "tables": [
            {"name": f"lake.db.t{number}", "metadata": path}
            for number, path in enumerate((*lake.tables, *lake.wide))
        ],
    }
    return validate_config(document, "benchmark")


def resident(field: str, process: str = "self") -> int:
    """The memory of a process in KiB, now (VmRSS) or at most so far (VmHWM)."""
    status = Path(f"/proc/{process}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith(field))
    return int(line.split()[1])


def audit(config: AuditConfig, queries: int, *, with_spark: bool) -> None:
    """Audits and publishes, and prints what each stage took."""
    click.echo(f"{queries:,} queries{' on Spark' if with_spark else ''}")
    runner: Runner = LocalRunner()
    if with_spark:
        spark, _ = open_spark_session(config.spark)
        runner = SparkRunner(spark)
        # The workers are started by the first task.
        spark.range(8).mapInArrow(lambda batches: batches, "id long").count()
    catalog = load_catalog("lake", config.catalogs["lake"].properties, makes=True)
    stages: list[tuple[str, float, float]] = []

    def begin(stage: str) -> None:
        stages.append((stage, time.perf_counter(), time.process_time()))

    before = resident("VmRSS")
    with Watch() as watch:
        begin("Reading query logs")
        inputs = read_inputs(config, _WINDOW, runner)
        result = run_audit(config, _WINDOW, inputs, runner, begin)
        begin("Checking")
        result = admit(result, None)
        begin("Publishing")
        publish(result, catalog, "pruning_audit")
        begin("")
    assert result.run.queries == {"replayed": queries}, result.run.queries
    steps = [(*begun, *ended[1:]) for begun, ended in pairwise(stages)]
    for stage, start, cpu, end, cpu_end in [*steps, ("all", *stages[0][1:], *stages[-1][1:])]:
        each = f"{1000 * (end - start) / queries:8.3f} ms each"
        click.echo(f"  {stage:24} {end - start:8.2f} s, {cpu_end - cpu:8.2f} s of CPU here {each}")
    peak = resident("VmHWM")
    told = f"{peak / 1024:8.0f} MiB, {(peak - before) / 1024:.0f} more than before"
    click.echo(f"  {'memory of the driver':24} {told}")
    for name, peak in watch.peaks().items():
        click.echo(f"  {f'memory of {name}':24} {peak / 1024:8.0f} MiB")


class Watch:
    """Follows the memory of what this process has started: the JVM, and Python workers."""

    def __init__(self) -> None:
        self._highest: dict[tuple[str, int], int] = {}
        self._ended = Event()
        self._thread = Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _follow(self) -> None:
        while not self._ended.wait(0.5):
            for pid in _descendants(os.getpid()):
                with suppress(OSError, ValueError):
                    name = Path(f"/proc/{pid}/comm").read_text().strip()
                    kind = "the JVM" if name == "java" else "a worker"
                    peak = resident("VmHWM", str(pid))
                    self._highest[kind, pid] = max(peak, self._highest.get((kind, pid), 0))

    def peaks(self) -> dict[str, int]:
        """The most that any process of a kind had, in KiB."""
        found: dict[str, int] = {}
        for (kind, _), peak in self._highest.items():
            found[kind] = max(peak, found.get(kind, 0))
        return found


def _descendants(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield int(child)
                yield from _descendants(int(child))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--templates", type=int, default=200)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--wide", type=int, default=0)
    parser.add_argument("--spark", action="store_true", help="two local slots, not this process")
    asked = parser.parse_args()
    processes = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as name:
        lake = Lake.build(Path(name), asked.tables, asked.wide)
        for queries in asked.queries:
            folder = Path(name) / f"night-{queries}"
            folder.mkdir()
            log = folder / "log.jsonl"
            write_log(log, queries, asked.templates, lake)
            run = processes.Process(
                target=audit,
                args=(configuration(lake, log, folder), queries),
                kwargs={"with_spark": asked.spark},
            )
            run.start()
            run.join()


if __name__ == "__main__":
    main()
