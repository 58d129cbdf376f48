"""How fast a workload is replayed, beside PyIceberg on the same table.

Run `python -m tests.benchmarks.bench_replay`. A table of 100 manifests × 1,000 files × 20 columns;
1,000 queries of three conditions each: a third selective on the partition, a third on other
columns, a third on nothing that prunes. Compared in one run, one process, in CPU seconds:

    PyIceberg plan_files()     a sample of the same queries
    PyIceberg decode           fetch_manifest_entry() of every manifest, once
    prunescope replay          all queries, all three passes but the footers (there are no files)

and, with two Spark tasks at once, in seconds, the decode by two processes beside the replay on
Spark.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from pyiceberg.expressions import And, GreaterThanOrEqual, LessThan, NotEqualTo
from pyiceberg.table import StaticTable
from pyspark.sql import SparkSession

from prunescope.audit_jobs.config import SparkConfig
from prunescope.audit_jobs.planning.driver import Replay
from prunescope.audit_jobs.planning.file_stage import plan_files
from prunescope.audit_jobs.planning.manifest_stage import list_manifests
from prunescope.audit_jobs.planning.spark import SparkRunner
from prunescope.audit_jobs.planning.spark_session import open_spark_session
from prunescope.audit_jobs.planning.work import Listed, PlannedTable
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.predicates.model import Column, Comparison, Predicate, all_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from prunescope.collectors.tables.manifests import ManifestEntries, read_manifests
from tests.audit_jobs.planning.replays import Asked, asked, replayed
from tests.benchmarks.synthetic_table import FIRST_DAY, MICROS_PER_DAY, build
from tests.benchmarks.table import heading, medians, show

Condition = tuple[str, Op, int]
_PYICEBERG = {Op.GT_EQ: GreaterThanOrEqual, Op.LT: LessThan, Op.NOT_EQ: NotEqualTo}


def workload(queries: int, manifests: int, columns: int) -> list[list[Condition]]:
    """Conditions per query, in turn: on the partition, on a clustered column, on none that
    prunes."""
    random = np.random.default_rng(11)
    found: list[list[Condition]] = []
    for number in range(queries):
        day = FIRST_DAY + int(random.integers(0, manifests))
        one, two = (f"c{i}" for i in random.integers(3, columns + 1, 2).tolist())
        value = int(random.integers(0, 1_000_000))
        if number % 3 == 0:
            start = day * MICROS_PER_DAY
            found.append(
                [
                    ("ts", Op.GT_EQ, start),
                    ("ts", Op.LT, start + MICROS_PER_DAY),
                    (one, Op.GT_EQ, value),
                ]
            )
        elif number % 3 == 1:
            key = day * 1000 + int(random.integers(0, 1000))
            found.append([("c2", Op.GT_EQ, key), ("c2", Op.LT, key + 50), (one, Op.GT_EQ, value)])
        else:
            found.append([(one, Op.NOT_EQ, value), (two, Op.NOT_EQ, value), ("c2", Op.GT_EQ, 0)])
    return found


def ours(conditions: list[Condition], table: Table) -> Predicate:
    """The bound predicate."""
    schema = table.metadata.schema(table.metadata.current_snapshot())
    leaves = (
        Comparison(
            op, Column((name,)), (Timestamp(value * 1000, zoned=False) if name == "ts" else value,)
        )
        for name, op, value in conditions
    )
    return bind(all_of(*leaves), schema, time_zone="UTC")


def theirs(conditions: list[Condition]) -> Any:
    """The same for PyIceberg."""
    expression: Any = None
    for name, op, value in conditions:
        part = _PYICEBERG[op](name, value)
        expression = part if expression is None else And(expression, part)
    return expression


def timed(
    function: Callable[[], Any], clock: Callable[[], float] = time.perf_counter
) -> tuple[float, Any]:
    """Seconds of one call, and its result."""
    start = clock()
    result = function()
    return clock() - start, result


def decode(metadata: str, part: int, parts: int) -> int:
    """PyIceberg's decoding of every `parts`-th manifest; the number of entries."""
    table = StaticTable.from_metadata(metadata)
    snapshot = table.current_snapshot()
    assert snapshot is not None
    manifests = snapshot.manifests(table.io)[part::parts]
    return sum(len(manifest.fetch_manifest_entry(table.io)) for manifest in manifests)


def listed_of(scans: Asked) -> tuple[PlannedTable, list[Listed]]:
    """The table of scans that read one snapshot, and its manifests."""
    table = PlannedTable(scans.contexts, {work.key: work.block for work in scans.works})
    (snapshot,) = table.snapshots.values()
    manifests = list_manifests(table, snapshot).manifests
    return table, [Listed(manifest, {snapshot.snapshot_id: 0}) for manifest in manifests]


def read_in_process(scans: Asked) -> int:
    """Our decoding of every manifest, once; the number of entries."""
    table, listed = listed_of(scans)
    columns = {column for block in table.blocks.values() for column, _ in block.columns}
    reads = read_manifests([one.manifest for one in listed], table.storage, columns=columns)
    return sum(len(found) for _, found in reads if isinstance(found, ManifestEntries))


def on_spark(spark: SparkSession, scans: Asked) -> Replay:
    """All passes on Spark, where the counts of scans stay, as in a night; it is to keep none of
    them afterwards, as it would give what it keeps as the result of the same work."""
    runner = SparkRunner(spark)
    try:
        return replayed(scans, runner)
    finally:
        runner.done()


def replay_in_process(scans: Asked) -> int:
    """Passes 1 and 2 of all scans; the number of files kept."""
    return sum(
        int(counts.scans["data_files_kept"].sum())
        for files in plan_files(*listed_of(scans))
        for counts in files.counts.values()
    )


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Those of the command line, or others."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--manifests", type=int, default=100)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=6, help="queries for PyIceberg's planner")
    parser.add_argument("--keep", type=Path, help="a folder to build the table in, or reuse")
    parser.add_argument("--repeat", type=int, default=3, help="pairs of measurements")
    parser.add_argument("--skip-spark", action="store_true")
    return parser.parse_args(given)


def run(arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as temporary:
        _run(arguments, Path(arguments.keep or temporary))


def built(directory: Path, *, manifests: int, files: int, columns: int) -> str:
    """The metadata file of the table in a folder, which is built where it is not there."""
    location = directory / "metadata-location"
    if not location.exists():
        directory.mkdir(parents=True, exist_ok=True)
        table = build(directory, manifests=manifests, files=files, columns=columns)
        location.write_text(table.metadata_location)
    return location.read_text()


def _run(arguments: argparse.Namespace, directory: Path) -> None:
    metadata = built(
        directory,
        manifests=arguments.manifests,
        files=arguments.files,
        columns=arguments.columns,
    )
    table = open_metadata_file(metadata, TableName(None, (), "wide"))
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    conditions = workload(arguments.queries, arguments.manifests, arguments.columns)
    scans = [Scan(number, ours(query, table)) for number, query in enumerate(conditions)]
    schema = table.metadata.schema(snapshot)
    wanted = asked(table, schema, [(snapshot, scan) for scan in scans])

    repeat = range(arguments.repeat)
    pairs = [
        (
            timed(lambda: replay_in_process(wanted), time.process_time)[0],
            timed(lambda: decode(metadata, 0, 1), time.process_time)[0],
        )
        for _ in repeat
    ]
    work = f"{len(scans):,} queries × {arguments.manifests * arguments.files:,} files"
    ours_in, decoded = medians(pairs)
    each = f"{len(scans) / ours_in:,.0f} queries/s"
    show(f"{work}, one core, beside PyIceberg's decode", ours_in, decoded, "≤ 1 ×", each)
    read_in, _ = timed(lambda: read_in_process(wanted), time.process_time)
    show("  of it reading manifests; the rest is judging", read_in, None, "")
    static = StaticTable.from_metadata(metadata)
    # The three kinds of queries take turns.
    sample = [theirs(query) for query in conditions[: arguments.sample]]
    theirs_in, _ = timed(
        lambda: [list(static.scan(row_filter=q).plan_files()) for q in sample], time.process_time
    )
    ms = (1000 * ours_in / len(scans), 1000 * theirs_in / len(sample))
    show("  ms for each query, beside PyIceberg's plan_files()", *ms, "≤ 1 ×")
    if arguments.skip_spark:
        return
    spark, _ = open_spark_session(SparkConfig(master="local[2]"))
    with ProcessPoolExecutor(2) as pool:

        def decode_on_two() -> None:
            list(pool.map(decode, [metadata] * 2, [0, 1], [2, 2]))

        decode_on_two()  # the first calls start processes and import
        on_spark(spark, wanted)
        pairs = [
            (timed(lambda: on_spark(spark, wanted))[0], timed(decode_on_two)[0]) for _ in repeat
        ]
    spark.stop()
    show("  on Spark with two tasks, beside two such decodes", *medians(pairs), "≤ 1 ×")


if __name__ == "__main__":
    heading()
    run(parse())
