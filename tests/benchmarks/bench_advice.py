"""How long layouts take to be scored, of a table of 100,000 files, for 1,000 shapes of queries.

python -m tests.benchmarks.bench_advice [--spark]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from audit_jobs.advice.basis import basis_of
from audit_jobs.advice.changes import Written
from audit_jobs.advice.model import Advice, Now
from audit_jobs.advice.row_groups import ReadInside
from audit_jobs.advice.rows import SampledRows, sampled_rows
from audit_jobs.advice.selectivity import matching_shares
from audit_jobs.advice.workload import Asked, AskedScan, Workload, workload
from audit_jobs.config import SparkConfig
from audit_jobs.jobs.advice_stages import chosen
from audit_jobs.planning.items import SHARED, Item, ItemGroup, Runner
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.planning.spark import SparkRunner
from audit_jobs.planning.spark_session import open_spark_session
from audit_jobs.pruning.rules import ICEBERG_1_11, PlannerRules
from collectors.predicates.model import BoundComparison, Field, Predicate, all_of, any_of
from collectors.predicates.operators import Op
from collectors.statistics import Statistics, constant, from_values
from collectors.tables.metrics_modes import MetricsModes

FILES = 100_000
FILE_BYTES = 512 * 1024 * 1024
GROUPS = 4
RECORDS = 2_000_000
FINGERPRINTS = 1_000
SAMPLED_FILES, SAMPLED_ROWS = 200, 500
COLUMNS = tuple(Field(number, f"c{number}", "long") for number in range(1, 9))
_OPS = (Op.EQ, Op.GT, Op.GT_EQ, Op.LT, Op.LT_EQ, Op.IN)


def main() -> None:
    """Prints the seconds, after sampling: of CPU in this process, or, with --spark, those that pass
    on Spark with two tasks, its session started and warm."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spark", action="store_true", help="on Spark with two tasks")
    options = parser.parse_args()
    draw = np.random.default_rng(7)
    rows, found = _rows(draw), workload(_asked(draw), 0)
    if not options.spark:
        started = time.process_time()
        _print(_chosen(rows, found, LocalRunner()), time.process_time() - started)
        return
    spark, _ = open_spark_session(SparkConfig(master="local[2]"))
    runner = SparkRunner(spark)
    runner.run(_nothing, runner.items([Item("", None, "t")]), {"t": 1}).found("")
    started = time.perf_counter()
    _print(_chosen(rows, found, runner), time.perf_counter() - started)
    spark.stop()


def _rows(draw: np.random.Generator) -> SampledRows:
    samples = [_sample(draw, number) for number in range(SAMPLED_FILES)]
    return sampled_rows(
        samples,
        [RECORDS] * SAMPLED_FILES,
        {(column.field_id, column.type): column.name for column in COLUMNS},
        table=(FILES * FILE_BYTES, FILES * RECORDS, FILES),
        modes=MetricsModes({}, 100, frozenset(), frozenset()),
    )


def _asked(draw: np.random.Generator) -> Asked:
    asked = Asked()
    for number in range(FINGERPRINTS):
        asked.add(AskedScan(*_filter(draw, number), f"f{number}"), None)
    return asked


def _chosen(rows: SampledRows, found: Workload, runner: Runner) -> Advice:
    now = Now(rows.bytes, rows.records, rows.files, FILE_BYTES, 4 << 20, ())
    kept, files = np.full(FINGERPRINTS, float(now.bytes)), np.full(FINGERPRINTS, float(FILES))
    least = matching_shares(rows, found.whole) * now.bytes
    inside = (
        ReadInside(kept, files * GROUPS, files),
        Written(FILE_BYTES // GROUPS, 1 << 20, frozenset()),
    )
    basis, sampled = basis_of(rows, found, (kept, files, least), now, inside)
    advice = chosen({"t": basis}, runner, runner.items([Item(SHARED, sampled, "t")]))["t"]
    assert isinstance(advice, Advice)
    return advice


def _print(advice: Advice, seconds: float) -> None:
    sys.stdout.write(
        f"{advice.scans:,} scans, {advice.sampled_rows:,} rows, {advice.scored:,} layouts, and "
        f"what is inside of files: {seconds:.1f} s\n"
    )


def _nothing(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    for group in groups:
        yield from (Item("", payload) for _, _, payload in group.tasks)


def _sample(draw: np.random.Generator, number: int) -> Statistics:
    columns = {}
    for column in COLUMNS:
        high = 10 ** (column.field_id + 1)
        values = draw.integers(0, high, SAMPLED_ROWS)
        if column.field_id == 1:
            values = values // SAMPLED_FILES + number
        columns[column.field_id, column.type] = from_values(pa.array(values))
    return Statistics(SAMPLED_ROWS, constant(False, SAMPLED_ROWS), columns)


def _filter(draw: np.random.Generator, number: int) -> tuple[Predicate, PlannerRules, Predicate]:
    """A filter whose shape no other has: by the digits of its number."""
    leaves = []
    left = number
    for column in COLUMNS[:4]:
        op = _OPS[left % len(_OPS)]
        left //= len(_OPS)
        high = 10 ** (column.field_id + 1)
        values = draw.integers(0, high, 3 if op is Op.IN else 1).tolist()
        leaves.append(BoundComparison(op, column, tuple(sorted(set(values)))))
    made = all_of(leaves[0], any_of(leaves[1], leaves[2]), leaves[3])
    return made, ICEBERG_1_11, made


if __name__ == "__main__":
    main()
