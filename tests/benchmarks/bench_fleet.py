"""Whether a table of very many manifests, beside very many tables of few, is planned to its end on
Spark, how long that takes, and with how much memory.

Run `python -m tests.benchmarks.bench_fleet`. Manifests of one file are the same few under names of
their own, and small tables are one by many names; each is read and decoded as often as it is named.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
from pyiceberg.table import StaticTable

from prunescope.audit_jobs.config import SparkConfig
from prunescope.audit_jobs.planning.driver import Replay, Scans, replay_scans
from prunescope.audit_jobs.planning.local import block_items
from prunescope.audit_jobs.planning.spark import SparkRunner
from prunescope.audit_jobs.planning.spark_session import open_spark_session
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.audit_jobs.planning.replays import Asked, asked
from tests.benchmarks.bench_night import Watch, resident
from tests.benchmarks.bench_replay import ours, timed, workload
from tests.benchmarks.synthetic_table import build, repeated
from tests.benchmarks.table import heading, show

_FILES, _COLUMNS = 1, 20
_BUILT = 100
"""Manifests of which the others are copies."""


def queries(table: Table, name: str, count: int, manifests: int) -> Asked:
    """The workload over the table, by another name."""
    table = replace(table, name=TableName(None, (), name))
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    conditions = workload(count, manifests, _COLUMNS)
    scans = [Scan(number, ours(query, table)) for number, query in enumerate(conditions)]
    return asked(table, table.metadata.schema(snapshot), [(snapshot, scan) for scan in scans])


def opened(folder: Path, manifests: int, times: int) -> Table:
    """A table of so many manifests, each so many times."""
    folder.mkdir()
    made = build(folder, manifests=manifests, files=_FILES, columns=_COLUMNS)
    location = made.metadata_location
    if times > 1:
        location = repeated(StaticTable.from_metadata(location), times)
    return open_metadata_file(location, TableName(None, (), "built"))


def fleet(arguments: argparse.Namespace, folder: Path) -> list[Asked]:
    """What is asked of each table."""
    large = opened(folder / "large", _BUILT, arguments.manifests // _BUILT)
    found = [queries(large, "large", arguments.queries, _BUILT)]
    small = opened(folder / "small", 3, 1)
    return found + [queries(small, f"t{number}", 3, 3) for number in range(arguments.tables)]


def replayed(wanted: Sequence[Asked], runner: SparkRunner) -> Replay:
    """The passes over all tables."""
    contexts = {context.table: one.contexts for one in wanted for context in one.contexts.values()}
    works = [work for one in wanted for work in one.works]
    counts = {work.table: len(work.scans) for work in works}
    try:
        return replay_scans(contexts, Scans(runner.items(block_items(works)), counts), runner)
    finally:
        runner.done()


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Those of the command line, or others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--manifests", type=int, default=100_000, help="of the large table")
    parser.add_argument("--queries", type=int, default=100, help="of the large table")
    parser.add_argument("--tables", type=int, default=10_000, help="small ones, of three manifests")
    return parser.parse_args(given)


def run(arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as temporary:
        wanted = fleet(arguments, Path(temporary))
        click.echo(f"{resident('VmRSS') / 1024:.0f} MiB before")
        with Watch() as watch:
            spark, _ = open_spark_session(SparkConfig(master="local[2]"))
            seconds, replay = timed(lambda: replayed(wanted, SparkRunner(spark)))
            spark.stop()
    assert not replay.failures
    assert len(replay.totals) == len(wanted)
    work = f"{arguments.manifests:,} manifests beside {arguments.tables:,} tables with three"
    show(work, seconds, None, "ends", f"{replay.manifests_read:,} manifests read")
    peaks = {"the driver": resident("VmHWM")} | watch.peaks()
    for name, peak in peaks.items():
        show(f"  MiB of {name}", peak / 1024, 1024, "≤ 1 ×")


if __name__ == "__main__":
    heading()
    run(parse())
