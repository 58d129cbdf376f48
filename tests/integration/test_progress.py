"""What is told of Spark's tasks while they run."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from prunescope.audit_jobs.progress import METER, Meter, spark_tasks

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def test_the_tasks_that_run_are_counted_and_those_of_others_are_not(
    spark: SparkSession, tmp_path: Path
) -> None:
    go = tmp_path / "go"

    def waiting(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        for batch in batches:
            # The first half of all tasks ends, the others wait to be seen.
            while batch.column(0)[0].as_py() >= 4 and not go.exists():
                time.sleep(0.01)
            yield batch

    frame = spark.range(0, 8, 1, 8).mapInArrow(waiting, "id long")
    texts: list[str] = []
    meter = Meter()
    before = METER.set(meter)

    def look() -> None:
        until = time.monotonic() + 60
        while "4 of 8 tasks" not in "".join(texts) and time.monotonic() < until:
            texts.append(meter.text())
            time.sleep(0.02)
        go.touch()

    watcher = Thread(target=look)
    try:
        with spark_tasks(spark):
            watcher.start()
            assert frame.count() == 8
            # Spark hears of the end of a job a moment after the job has its answer.
            until = time.monotonic() + 60
            while meter.text() and time.monotonic() < until:
                time.sleep(0.02)
            assert meter.text() == ""
        go.unlink()
        other = Thread(target=frame.count)
        other.start()
        with spark_tasks(spark):
            for _ in range(50):
                assert meter.text() == ""
                time.sleep(0.01)
        go.touch()
        other.join()
    finally:
        go.touch()
        watcher.join()
        METER.reset(before)
    assert any(text.startswith("4 of 8 tasks") for text in texts)
    assert spark.sparkContext.getLocalProperty("spark.jobGroup.id") is None
