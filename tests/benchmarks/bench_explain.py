"""How long `prunescope explain` takes for a table of 1,000 Parquet files, its own start included.

Run `python -m tests.benchmarks.bench_explain`. The files have 20 columns and two row groups with
dictionaries. One query is ruled out in most files by their bounds, one reads the footers of about
half of them, and their dictionaries. Medians of ten processes each, in seconds; the peer is the CPU
time of the process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.benchmarks import synthetic_table
from tests.benchmarks.table import heading, medians, show

MANIFESTS, FILES, COLUMNS, ROWS, REPEATS = 10, 100, 20, 1_000, 10
_VALUES = "(100000, 300000, 500000, 700000, 900000)"
QUERIES = {
    "a range that bounds answer": "c2 BETWEEN 19725010 AND 19725020",
    "three lists that dictionaries answer": " AND ".join(
        f"{column} IN {_VALUES}" for column in ("c3", "c5", "c7")
    ),
}


def content() -> bytes:
    """A file, whose columns have few values and many in turn."""
    random = np.random.default_rng(1)
    start = synthetic_table.FIRST_DAY * synthetic_table.MICROS_PER_DAY
    times = random.integers(start, start + synthetic_table.MICROS_PER_DAY, ROWS)
    columns = {"ts": pa.array(times, pa.timestamp("us"))}
    for number in range(2, COLUMNS + 1):
        largest = 1_000_000 if number % 2 else 500
        columns[f"c{number}"] = pa.array(random.integers(0, largest, ROWS))
    schema = pa.schema(
        pa.field(name, values.type, metadata={"PARQUET:field_id": str(number)})
        for number, (name, values) in enumerate(columns.items(), 1)
    )
    sink = BytesIO()
    pq.write_table(pa.table(columns, schema=schema), sink, row_group_size=ROWS // 2)
    return sink.getvalue()


def run_of(command: Sequence[str]) -> tuple[float, float]:
    """Seconds that a process takes, and those of CPU."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - start, os.times()
    used = after.children_user + after.children_system
    return seconds, used - before.children_user - before.children_system


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Reads the command line, which has no options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    return parser.parse_args(given)


def run(_: argparse.Namespace) -> None:
    """Prints a line for each query."""
    with tempfile.TemporaryDirectory() as folder:
        table = synthetic_table.build(
            Path(folder), manifests=MANIFESTS, files=FILES, columns=COLUMNS, content=content()
        )
        explain = [sys.executable, "-m", "prunescope.audit_jobs.cli", "explain"]
        explain += ["--metadata", table.metadata_location, "--where"]
        for name, condition in QUERIES.items():
            run_of([*explain, condition])  # compiles what was not
            pairs = [run_of([*explain, condition]) for _ in range(REPEATS)]
            show(f"explain, {MANIFESTS * FILES} files, {name}", *medians(pairs), "≤ 1.0 s")


if __name__ == "__main__":
    heading()
    run(parse())
