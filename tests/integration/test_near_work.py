"""Work that takes a moment is done by the process of the driver, also on Spark; what it finds is
the same wherever it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from inspect import getclosurevars
from typing import TYPE_CHECKING, Any

import pytest

from prunescope.audit_jobs.planning import effort
from prunescope.audit_jobs.planning.driver import Scans, replay_scans
from prunescope.audit_jobs.planning.gathered import OF_SCANS, gathered
from prunescope.audit_jobs.planning.items import Item, ItemGroup, Runner
from prunescope.audit_jobs.planning.local import block_items
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.planning.spark import NEAR, SparkRunner
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.audit_jobs.jobs.lakes import write_table
from tests.audit_jobs.planning.replays import Asked, Planned, asked

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.spark]

SCANS = 20


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    path = write_table(tmp_path_factory.mktemp("lake"))
    opened = open_metadata_file(str(path), TableName(None, (), "t"), allowed=[str(path.parents[3])])
    cache = Cache(str(tmp_path_factory.mktemp("kept")), 1 << 30)
    return replace(opened, storage=replace(opened.storage, cache=cache))


def scans_of(table: Table) -> Asked:
    schema = table.metadata.schema(None)
    snapshots = list(table.metadata.snapshots.values())
    wanted = [
        (
            snapshots[number % len(snapshots)],
            Scan(number, bind(Comparison(Op.LT, Column(("id",)), (number + 2,)), schema)),
        )
        for number in range(SCANS)
    ]
    return asked(table, schema, wanted, size=7)


def handed_on(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Blocks as a stage makes them: they are where it runs."""
    return (
        Item(kind, payload, group.table, place)
        for group in groups
        for place, kind, payload in group.tasks
    )


def planned(scans: Asked, runner: Runner, count: int = SCANS) -> Planned:
    """What is found of scans whose blocks are where the runner's stages run, of which there are
    said to be so many."""
    (name,) = {context.table for context in scans.contexts.values()}
    blocks = runner.run(handed_on, runner.items(block_items(scans.works)), {name: 1})
    of_scans = Scans(blocks, {name: count})
    replay = replay_scans({name: scans.contexts}, of_scans, runner)
    found = Planned(scans.works, replay, gathered(replay.of_scans.found(*OF_SCANS)))
    runner.done()
    return found


@pytest.fixture
def stages(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stages that are given to Spark from now on."""
    frames = type(spark.range(1))
    given: list[str] = []
    original = frames.mapInArrow

    def noting(self: DataFrame, function: Callable[..., Any], *args: Any) -> DataFrame:
        stage = getclosurevars(function).nonlocals["stage"]
        given.append(getattr(stage, "func", stage).__name__)
        return original(self, function, *args)

    monkeypatch.setattr(frames, "mapInArrow", noting)
    return given


@pytest.mark.parametrize(
    "case",
    [
        (NEAR, SCANS, []),
        (0, SCANS, ["list_stage", "file_stage", "row_group_stage"]),
        # So many scans would have to be brought here.
        (NEAR, 1_000_000, ["file_stage", "row_group_stage"]),
    ],
)
def test_the_same_is_found_wherever_work_is_done(
    table: Table,
    spark: SparkSession,
    stages: list[str],
    monkeypatch: pytest.MonkeyPatch,
    case: tuple[float, int, list[str]],
) -> None:
    near, count, spread = case
    monkeypatch.setattr("prunescope.audit_jobs.planning.spark.NEAR", near)
    scans = scans_of(table)
    here = planned(scans, LocalRunner())
    there = planned(scans, SparkRunner(spark), count)
    assert stages == ["handed_on", *spread]
    assert there.of_scans() == here.of_scans()
    assert len(here.of_scans()) == SCANS
    for name in ("totals", "unlisted", "failures", "layouts", "sums"):
        assert getattr(there.replay, name) == getattr(here.replay, name)


def test_footers_are_read_here_where_manifests_were_not(
    table: Table, spark: SparkSession, stages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effort, "DECODED_FILE", NEAR)
    scans = scans_of(replace(table, storage=replace(table.storage, cache=None)))
    there = planned(scans, SparkRunner(spark))
    assert stages == ["handed_on", "file_stage"]
    assert there.of_scans() == planned(scans, LocalRunner()).of_scans()
    assert there.replay.footers_read > 0
