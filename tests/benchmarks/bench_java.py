"""How fast a workload is replayed, beside Iceberg Java planning the same queries.

The table and the queries of `bench_replay`: 100 manifests × 1,000 files × 20
columns, three conditions each. Iceberg plans a sample of them, a third of each kind, on two threads
of one JVM that has planned them once before, with its manifests in its cache; we plan all of them
on one core, and read every manifest. Files that both keep of the sample must be as many.

Seconds are of CPU, as other work may share the cores: those of the JVM divided by two are what it
takes at least where it has both cores for itself.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.catalog import open_metadata_file
from tests.audit_jobs.planning.replays import asked
from tests.benchmarks.bench_replay import Condition, built, ours, replay_in_process, timed, workload
from tests.benchmarks.table import heading, show
from tests.differential.iceberg_java.lake import class_path
from tests.jars import artefact

_ICEBERG = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"
_PROGRAM = Path(__file__).parent / "PlanRate.java"
_OPERATORS = {Op.GT_EQ: "gt-eq", Op.LT: "lt", Op.NOT_EQ: "not-eq"}
_THREADS = 2


def theirs(conditions: list[Condition]) -> dict[str, Any]:
    """The conjunction in Iceberg's JSON form."""
    leaves: list[dict[str, Any]] = [
        {
            "type": _OPERATORS[op],
            "term": name,
            "value": _moment(value) if name == "ts" else value,
        }
        for name, op, value in conditions
    ]
    found = leaves[0]
    for leaf in leaves[1:]:
        found = {"type": "and", "left": found, "right": leaf}
    return found


def _moment(micros: int) -> str:
    """Without a zone, like its column."""
    return (dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=micros)).isoformat()


def plan_with_iceberg(metadata: str, queries: list[list[Condition]]) -> tuple[float, float, int]:
    """Seconds and CPU seconds in which a warm JVM plans queries, and how many files it keeps."""
    iceberg = artefact(_ICEBERG, lambda name: Path(shutil.which(name) or name))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as filters:
        filters.writelines(json.dumps(theirs(query)) + "\n" for query in queries)
        filters.flush()
        # Each thread plans queries of its own: where Iceberg's pool shares out the manifests of
        # one, it sleeps for 10 ms whenever it finds no file yet.
        command = ["java", "-Xmx2g", "-Diceberg.scan.plan-in-worker-pool=false"]
        command += ["-cp", class_path(iceberg), str(_PROGRAM), metadata, filters.name]
        done = subprocess.run(
            [*command, str(_THREADS)], stdout=subprocess.PIPE, text=True, check=True
        )
    seconds, cpu, kept = done.stdout.split()
    return float(seconds), float(cpu), int(kept)


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Those of the command line, or others."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--sample", type=int, default=18, help="queries that Iceberg plans")
    parser.add_argument("--keep", type=Path, help="a folder to build the table in, or reuse")
    return parser.parse_args(given)


def run(arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as temporary:
        _run(arguments.keep or Path(temporary), arguments.queries, arguments.sample)


def _run(directory: Path, queries: int, sample: int) -> None:
    metadata = built(directory, manifests=100, files=1000, columns=20)
    table = open_metadata_file(metadata, TableName(None, (), "wide"))
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    schema = table.metadata.schema(snapshot)
    conditions = workload(queries, 100, 20)
    scans = [(snapshot, Scan(i, ours(query, table))) for i, query in enumerate(conditions)]
    few, everything = asked(table, schema, scans[:sample]), asked(table, schema, scans)

    kept = replay_in_process(few)
    ours_in, _ = timed(lambda: replay_in_process(everything), time.process_time)
    seconds, cpu, theirs_kept = plan_with_iceberg(metadata, conditions[:sample])
    assert kept == theirs_kept, (kept, theirs_kept)
    each, theirs_each = 1000 * ours_in / queries, 1000 * cpu / _THREADS / sample
    show(
        "ms a query, one core, beside Iceberg Java on two",
        each,
        theirs_each,
        "100 × as fast",
        f"{theirs_each / each:.0f} × as fast; by Iceberg {sample} queries of {queries:,},"
        f" {seconds:.1f} s, {cpu:.1f} of CPU",
    )


if __name__ == "__main__":
    heading()
    run(parse())
