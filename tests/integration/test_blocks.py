"""On Spark the scans of a run are rows, not parts of functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark import cloudpickle

from audit_jobs.pruning.scans import Scan
from audit_jobs.replay.driver import Replay, replay_works
from audit_jobs.replay.local import table_works
from audit_jobs.replay.runner import LocalRunner, Runner
from audit_jobs.replay.spark import SparkRunner
from collectors.predicates.bind import bind
from collectors.predicates.model import Column, Comparison, Op
from collectors.queries.observed import TableName
from collectors.tables.catalog import open_metadata_file
from tests.audit_jobs.jobs.lakes import write_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("lake"))


def replayed(metadata: Path, runner: Runner, scans: int, size: int) -> tuple[Replay, int]:
    """The replay of so many scans, and in how many blocks they came."""
    name = TableName(None, (), "t")
    table = open_metadata_file(str(metadata), name, allowed=[str(metadata.parents[3])])
    schema = table.metadata.schema(None)
    snapshots = list(table.metadata.snapshots.values())
    asked = [
        (
            snapshots[number % len(snapshots)],
            Scan(number, bind(Comparison(Op.LT, Column(("id",)), (number + 2,)), schema)),
        )
        for number in range(scans)
    ]
    works = table_works(0, table, schema, asked, size=size)
    return replay_works(works, runner), len(works)


def test_functions_do_not_grow_with_scans(
    metadata: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = type(spark.range(1))
    sizes: list[int] = []
    original = frames.mapInArrow

    def measuring(self: DataFrame, function: Callable[..., Any], *args: Any) -> DataFrame:
        sizes.append(len(cloudpickle.dumps(function)))  # type: ignore[no-untyped-call]
        return original(self, function, *args)

    monkeypatch.setattr(frames, "mapInArrow", measuring)
    replayed(metadata, SparkRunner(spark), 1, 1)
    few = list(sizes)
    sizes.clear()
    replayed(metadata, SparkRunner(spark), 3_000, 1_000)
    assert len(few) == 3
    assert sizes == few


def test_blocks_are_judged_on_spark_as_they_are_here(metadata: Path, spark: SparkSession) -> None:
    here, blocks = replayed(metadata, LocalRunner(), 20, 3)
    there, _ = replayed(metadata, SparkRunner(spark), 20, 3)
    assert blocks == 7
    for key, counts in here.counts.items():
        for name, numbers in counts.scans.items():
            assert there.counts[key].of_all(name).tolist() == numbers.tolist()
    assert there.totals == here.totals
    assert (there.manifests_read, there.footers_read) == (here.manifests_read, here.footers_read)
    assert here.manifests_read == 2
