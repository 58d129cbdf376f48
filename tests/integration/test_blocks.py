"""On Spark the queries and scans of a run are rows, not parts of functions."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipimport import zipimporter

import pytest
from pyspark import cloudpickle

from prunescope.audit_jobs.gate.admit import admit
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.items import SHARED, Found, Item, ItemGroup, Runner
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.planning.spark import SparkRunner
from prunescope.audit_jobs.planning.spark_items import SparkItems
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.catalog import open_metadata_file
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, write_table
from tests.audit_jobs.planning.replays import Planned, asked, planned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("lake"))


def replayed(metadata: Path, runner: Runner, scans: int, size: int) -> Planned:
    """What is found of so many scans, in blocks of a size."""
    name = TableName(None, (), "t")
    table = open_metadata_file(str(metadata), name, allowed=[str(metadata.parents[3])])
    schema = table.metadata.schema(None)
    snapshots = list(table.metadata.snapshots.values())
    wanted = [
        (
            snapshots[number % len(snapshots)],
            Scan(number, bind(Comparison(Op.LT, Column(("id",)), (number + 2,)), schema)),
        )
        for number in range(scans)
    ]
    return planned(asked(table, schema, wanted, size=size), runner)


def measured_functions(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the functions that are sent to executors from now on, in bytes."""
    frames = type(spark.range(1))
    sizes: list[int] = []
    original = frames.mapInArrow

    def measuring(self: DataFrame, function: Callable[..., Any], *args: Any) -> DataFrame:
        sizes.append(len(cloudpickle.dumps(function)))  # type: ignore[no-untyped-call]
        return original(self, function, *args)

    monkeypatch.setattr(frames, "mapInArrow", measuring)
    return sizes


@pytest.fixture
def everything_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what this process would do sooner is done by tasks."""
    monkeypatch.setattr("prunescope.audit_jobs.planning.spark.NEAR", 0)
    monkeypatch.setattr("prunescope.audit_jobs.results.scan_parts.FEW", 0)


@pytest.mark.usefixtures("everything_spread")
def test_functions_do_not_grow_with_scans(
    metadata: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = measured_functions(spark, monkeypatch)
    replayed(metadata, SparkRunner(spark), 1, 1)
    few = list(sizes)
    sizes.clear()
    replayed(metadata, SparkRunner(spark), 300, 100)
    assert len(few) == 3
    assert sizes == few


def audited(metadata: Path, spark: SparkSession, queries: int) -> AuditResult:
    """An audit of so many queries, that differ in literals, published by nobody."""
    runner = SparkRunner(spark)
    texts = (f"SELECT * FROM lake.db.t WHERE id < {number + 2}" for number in range(queries))
    inputs = made_inputs(
        runner,
        (
            name_tables(ObservedQuery("test", f"q{number}", sql, "trino", engine="trino"))
            for number, sql in enumerate(texts)
        ),
    )
    result = run_audit(config_of({"t": metadata}), WINDOW, inputs, runner, lambda _: None)
    result = admit(result, None)
    runner.done()
    return result


@pytest.mark.exhaustive
@pytest.mark.usefixtures("everything_spread")
def test_no_function_grows_with_queries(
    metadata: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does anything that the driver keeps of a run but sums."""
    sizes = measured_functions(spark, monkeypatch)
    few = audited(metadata, spark, 2)
    of_few = list(sizes)
    sizes.clear()
    many = audited(metadata, spark, 30)
    assert many.run.queries == {"replayed": 30}
    assert len(of_few) == len(sizes) > 5
    # Sizes of numbers that are pickled differ by bytes.
    assert max(abs(a - b) for a, b in zip(of_few, sizes, strict=True)) < 100
    for name in ("sums", "health"):
        assert len(pickle.dumps(getattr(many, name))) < len(pickle.dumps(getattr(few, name))) + 100


@pytest.mark.usefixtures("everything_spread")
def test_blocks_are_judged_on_spark_as_they_are_here(metadata: Path, spark: SparkSession) -> None:
    here = replayed(metadata, LocalRunner(), 20, 3)
    there = replayed(metadata, SparkRunner(spark), 20, 3)
    assert len(here.works) == 7
    for key, counts in here.found.counts.items():
        for name, numbers in counts.scans.items():
            assert there.found.counts[key].of_all(name).tolist() == numbers.tolist()
    assert there.replay.totals == here.replay.totals
    reads = (here.replay.manifests_read, here.replay.footers_read)
    assert (there.replay.manifests_read, there.replay.footers_read) == reads
    assert reads[0] == 2


def zip_finders(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """How many finders of zip files a task finds."""
    for group in groups:
        found = [isinstance(each, zipimporter) for each in sys.path_importer_cache.values()]
        yield Item("found", sum(found), group.table)


@pytest.mark.spark
def test_no_finder_of_a_zip_file_outlives_a_task(spark: SparkSession) -> None:
    runner = SparkRunner(spark)
    tables = [f"t{number}" for number in range(8)]
    for _ in range(2):
        tasks = runner.items([Item("task", None, table) for table in tables])
        found = runner.run(zip_finders, tasks, dict.fromkeys(tables, 1)).found("found")
    runner.done()
    # Reading what a task is to do may make some again, of the few packages that it names.
    assert len(found["found"]) == len(tables)
    assert max(found["found"]) < 4


def as_they_come(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    return (
        Item(kind, payload, group.table, place)
        for group in groups
        for place, kind, payload in group.tasks
    )


def handed_on(runner: SparkRunner, items: list[Item]) -> Found:
    """Items that a task has seen."""
    found = runner.run(as_they_come, runner.items(items), {item.table: 1 for item in items})
    handed = found.found(*(item.kind for item in items))
    runner.done()
    return handed


def of_groups(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """The tasks of each group, and what stands beside them."""
    for group in groups:
        places = [place for place, _, _ in group.tasks]
        yield Item("group", (group.table, places, group.beside[SHARED][0]))


def made_by_a_stage(runner: SparkRunner, items: SparkItems) -> SparkItems:
    """The same items, as rows."""
    found = items.here()
    assert found is not None
    return runner.run(as_they_come, items, {item.table: 1 for item in found})


@pytest.mark.spark
@pytest.mark.parametrize("is_made", [False, True], ids=["items of the driver", "rows"])
def test_plans_do_not_grow_with_tables(spark: SparkSession, *, is_made: bool) -> None:
    """Each has as many groups as it is to have; those of no such table are left out."""
    runner = SparkRunner(spark)
    plans = []
    for count in (3, 300):
        names = [f"lake.db.t{number}" for number in range(count)]
        tasks = runner.items([Item("a", None, name, n) for name in names for n in range(3)])
        beside = runner.items([Item(SHARED, f"of {name}", name) for name in names])
        if is_made:
            tasks, beside = made_by_a_stage(runner, tasks), made_by_a_stage(runner, beside)
        groups = {name: 1 + number % 3 for number, name in enumerate(names[1:])}
        found = runner.run(of_groups, tasks, groups, beside)
        assert sorted(found.found("group")["group"]) == sorted(
            (name, list(range(group, 3, of_table)), f"of {name}")
            for name, of_table in groups.items()
            for group in range(of_table)
        )
        made = found.made()
        assert made is not None
        plans.append(made._jdf.queryExecution().analyzed().toString())  # noqa: SLF001
        runner.done()
    assert len(plans[1]) < 1.2 * len(plans[0])


@pytest.mark.spark
def test_a_session_that_reserves_keywords(spark: SparkSession) -> None:
    """Columns of items are called `table` and `order`."""
    settings = {
        "spark.sql.ansi.enabled": "true",
        "spark.sql.ansi.enforceReservedKeywords": "true",
        "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    }
    before = {name: spark.conf.get(name) for name in settings}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        runner = SparkRunner(spark)
        tasks = made_by_a_stage(runner, runner.items([Item("a", 1, "t"), Item("b", 2, "t")]))
        found = runner.run(as_they_come, tasks.of("a"), {"t": 1}, tasks.of("b"))
        assert found.found("a", "b") == {"a": [1]}
        runner.done()
    finally:
        for name, was in before.items():
            assert was is not None
            spark.conf.set(name, was)


@pytest.mark.spark
def test_a_session_that_refuses_settings(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "prunescope.audit_jobs.planning.spark_items.ARROW", "spark.sql.warehouse.dir"
    )  # static
    assert handed_on(SparkRunner(spark), [Item("a", 1)]) == {"a": [1]}


@pytest.mark.spark
def test_a_session_keeps_its_settings(spark: SparkSession) -> None:
    setting = "spark.sql.execution.arrow.pyspark.enabled"
    before = spark.conf.get(setting, None)
    try:
        for value in ("false", "true"):
            spark.conf.set(setting, value)
            items = [Item("a", {"x": number}, "t", number) for number in range(300)]
            found = handed_on(SparkRunner(spark), items)
            assert found == {"a": [item.payload for item in items]}
            assert spark.conf.get(setting) == value
    finally:
        if before is None:
            spark.conf.unset(setting)
        else:
            spark.conf.set(setting, before)


def test_spark_is_not_asked_for_items_that_are_not_there(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = type(spark.range(1))
    collected: list[DataFrame] = []
    original = frames.collect

    def counting(self: DataFrame) -> list[Any]:
        collected.append(self)
        return original(self)

    monkeypatch.setattr(frames, "collect", counting)
    runner = SparkRunner(spark)
    nothing = runner.run(zip_finders, runner.items([]), {})
    assert nothing.also(runner.items([])).found("found") == {}
    assert list(nothing.of("found").stream("found")) == []
    one = runner.items([Item("one", 1)])
    assert nothing.also(one).found("one") == one.also(nothing).found("one") == {"one": [1]}
    assert not collected
    made = runner.run(as_they_come, one, {"": 1})
    both = made.also(runner.items([Item("one", 2)]))
    assert sorted(both.found("one")["one"]) == sorted(both.stream("one")) == [1, 2]
    assert len(collected) == 1
    runner.done()
