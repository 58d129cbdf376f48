"""What each query of a night costs, stage by stage, in CPU seconds of one process and its memory.

Some tables of 240 days, a Parquet file each, and a log of queries whose literals all differ, from
so many templates. Audited in-process and not published; each number of queries in a process of
its own, so that memory is that of the run.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import multiprocessing
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from audit_jobs.config import AuditConfig, validate_config
from audit_jobs.jobs.audit import read_inputs, run_audit
from audit_jobs.records import Window
from audit_jobs.replay.runner import LocalRunner
from tests.benchmarks import bench_shapes

_DAY = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
_WINDOW = Window(_DAY, _DAY + dt.timedelta(days=1))
_CONDITIONS = (
    "ts >= TIMESTAMP '{start}' AND ts < TIMESTAMP '{end}'",
    "customer = {number}",
    "customer IN ({number}, {other})",
    "amount > {number}.{cents:02}",
    "ts > TIMESTAMP '{start}'",
    "customer BETWEEN {number} AND {other}",
)


def templates(count: int) -> list[str]:
    """Texts with places for literals; no two are alike."""
    random = np.random.default_rng(2)
    found: dict[str, None] = {}
    while len(found) < count:
        chosen = random.choice(len(_CONDITIONS), int(random.integers(1, 4)), replace=False)
        limit = int(random.integers(1, 10_000))
        where = " AND ".join(_CONDITIONS[number] for number in chosen)
        found[f"SELECT customer, amount FROM lake.db.t{{table}} WHERE {where} LIMIT {limit}"] = None
    return list(found)


def write_log(path: Path, queries: int, texts: Sequence[str], tables: int) -> None:
    """A log of Trino's dialect, one record a line."""
    random = np.random.default_rng(3)
    with path.open("w") as log:
        for number in range(queries):
            start = bench_shapes.FIRST + dt.timedelta(seconds=int(random.integers(0, 200 * 86_400)))
            sql = texts[number % len(texts)].format(
                table=number % tables,
                start=f"{start:%Y-%m-%d %H:%M:%S}",
                end=f"{start + dt.timedelta(days=int(random.integers(1, 30))):%Y-%m-%d %H:%M:%S}",
                number=int(random.integers(0, 500)),
                other=int(random.integers(500, 900)),
                cents=int(random.integers(0, 100)),
            )
            log.write(json.dumps({"sql": sql, "query_id": f"q{number}"}) + "\n")


def configuration(metadata: Sequence[str], log: Path) -> AuditConfig:
    """An audit of the log over the tables."""
    document = {
        "catalogs": {"lake": {}},
        "audit": {"catalog": "lake"},
        "sources": [{"type": "sql_records", "paths": [str(log)], "dialect": "trino"}],
        "tables": [
            {"name": f"lake.db.t{number}", "metadata": path} for number, path in enumerate(metadata)
        ],
    }
    return validate_config(document, "benchmark")


def resident(field: str) -> int:
    """The memory of this process in KiB, now (VmRSS) or at most so far (VmHWM)."""
    status = Path("/proc/self/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith(field))
    return int(line.split()[1])


def audit(config: AuditConfig, queries: int) -> None:
    """Audits, and prints what each stage took."""
    stages: list[tuple[str, float]] = [("Reading query logs", time.process_time())]
    before = resident("VmRSS")
    inputs = read_inputs(config, _WINDOW, LocalRunner())
    result = run_audit(
        config,
        _WINDOW,
        inputs,
        LocalRunner(),
        lambda stage: stages.append((stage, time.process_time())),
    )
    ended = time.process_time()
    assert result.run.queries == {"replayed": queries}, result.run.queries
    click.echo(f"{queries:,} queries: {ended - stages[0][1]:.1f} s of CPU")
    for (stage, start), (_, end) in zip(stages, [*stages[1:], ("", ended)], strict=True):
        click.echo(
            f"  {stage:24} {end - start:8.2f} s {1000 * (end - start) / queries:8.3f} ms each"
        )
    grown = resident("VmHWM") - before
    click.echo(f"  {'memory':24} {grown / 1024:8.0f} MiB {grown / queries:7.2f} KiB each")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--templates", type=int, default=200)
    parser.add_argument("--tables", type=int, default=4)
    asked = parser.parse_args()
    processes = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as name:
        metadata = []
        for number in range(asked.tables):
            folder = Path(name) / str(number)
            folder.mkdir()
            metadata.append(bench_shapes.build(folder))
        for queries in asked.queries:
            log = Path(name) / f"{queries}.jsonl"
            write_log(log, queries, templates(asked.templates), asked.tables)
            run = processes.Process(target=audit, args=(configuration(metadata, log), queries))
            run.start()
            run.join()


if __name__ == "__main__":
    main()
