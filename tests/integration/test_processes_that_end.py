"""Processes of Spark that the system ends, as it does where memory runs out: what a job makes of
it, with a Spark of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.exhaustive, pytest.mark.spark]

JOB = """
import os, signal, sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from prunescope.audit_jobs.commands.machine import what_ran_out
from prunescope.audit_jobs.errors import SparkEnded
from prunescope.audit_jobs.jobs.runners import spark_runner
from tests.audit_jobs.jobs.lakes import config_of

marker = Path(sys.argv[1])


def end(of_process: int) -> None:
    os.kill(of_process, signal.SIGKILL)


def once(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        if not marker.exists():
            marker.touch()
            end(os.getpid())
        yield batch


def always(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    end(os.getpid())
    yield from batches


def counted(spark, stage) -> int:
    return spark.range(7).repartition(1).mapInArrow(stage, "id long").count()


def jvm(spark) -> int:
    return spark.sparkContext._gateway.proc.pid


config = config_of({})
try:
    with spark_runner(config, lambda _: None) as runner:
        spark = runner._spark
        print("once", counted(spark, once), marker.exists(), flush=True)
        try:
            counted(spark, always)
        except Exception as error:
            print("always", what_ran_out(error), flush=True)
        end(jvm(spark))
        counted(spark, once)
except SparkEnded as error:
    print("ended", error, flush=True)
"""

AT_THE_END = """
import os, signal
from prunescope.audit_jobs.jobs.runners import spark_runner
from tests.audit_jobs.jobs.lakes import config_of

with spark_runner(config_of({}), lambda _: None) as runner:
    os.kill(runner._spark.sparkContext._gateway.proc.pid, signal.SIGKILL)
print("done", flush=True)
"""


APART = """
import os, signal

from prunescope.audit_jobs.jobs.runners import spark_runner
from prunescope.audit_jobs.planning import spark_made
from prunescope.audit_jobs.planning.items import Instead, Item
from tests.audit_jobs.jobs.lakes import config_of

TABLES = [f"t{number}" for number in range(8)]


def stage(groups):
    for group in groups:
        for place, _, is_bad in group.tasks:
            if is_bad:
                os.kill(os.getpid(), signal.SIGKILL)
            yield Item("made", (group.table, place))


def instead(groups):
    return (Item("ending", (group.table, place)) for group in groups for place, _, _ in group.tasks)


def again(groups):
    return (Item("again", item) for group in groups for _, _, item in group.tasks)


def tell(name, bad, of_tables=True):
    tasks = [Item("", (t, n) in bad, t, n) for t in TABLES for n in range(3)]
    made = runner.run(
        stage, runner.items(tasks), dict.fromkeys(TABLES, 3), instead=Instead(instead, of_tables)
    )
    found = made.found("made", "ending")
    more = runner.run(again, made.of("made"), {"": 1}).found("again")
    assert sorted(more["again"]) == sorted(found["made"])
    assert len(found["made"]) + len(found["ending"]) == len(tasks)
    print(name, *sorted(f"{table}/{place}" for table, place in found["ending"]), flush=True)
    runner.done()


with spark_runner(config_of({}), lambda _: None) as runner:
    tell("groups", {("t2", 1), ("t7", 0)}, of_tables=False)
    tell("tables", {("t2", 1)})
    spark_made.MOST_FAILED = 1
    tell("bounded", {("t2", 1)})
"""


def said(job: str, *arguments: str) -> dict[str, str]:
    """What a job says in a process of its own, by the first word of each line."""
    ended = subprocess.run(
        [sys.executable, "-c", job, *arguments],  # the job above
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2_000:]
    lines = (line.partition(" ") for line in ended.stdout.splitlines())
    return {word: rest for word, _, rest in lines}


def test_what_becomes_of_a_job(tmp_path: Path) -> None:
    found = said(JOB, str(tmp_path / "marker"))
    assert found["once"] == "7 True"
    assert found["always"].startswith("a worker of Spark was ended from outside")
    assert found["ended"].startswith("the process of Spark ended before the job did")


def test_a_job_that_is_done_is_done() -> None:
    assert "done" in said(AT_THE_END)


def test_groups_that_end_workers_are_told_apart() -> None:
    """Some alone, tables as a whole, and all that are left once enough jobs have failed."""
    found = said(APART)
    assert found["groups"] == "t2/1 t7/0"
    assert found["tables"] == "t2/0 t2/1 t2/2"
    assert found["bounded"] == " ".join(
        f"t{table}/{place}" for table in range(4) for place in range(3)
    )
