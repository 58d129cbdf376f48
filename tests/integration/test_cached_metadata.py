"""Scans of a table that is rewritten, rolled back and branched between runs: planned alike with a
cache and without, and each manifest read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.transforms import BucketTransform

from prunescope.audit_jobs.jobs.sharing import share
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Column, Comparison, Or, Predicate, all_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.storage.bundles import INDEX
from prunescope.collectors.storage.cache import Bundles, Cache
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.audit_jobs.planning.replays import Planned, asked, planned

pytestmark = pytest.mark.slow

ROWS = 40


def rows(start: int) -> pa.Table:
    numbers = list(range(start, start + ROWS))
    return pa.table(
        {
            "n": pa.array(numbers, pa.int64()),
            "s": [f"text {number % 7}" if number % 5 else None for number in numbers],
            "x": [float("nan") if number % 9 == 0 else number / 3 for number in numbers],
        }
    )


@pytest.fixture
def lake(tmp_path: Path) -> Any:
    catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}"
    )
    catalog.create_namespace("db")
    table = catalog.create_table("db.t", rows(0).schema)
    with table.update_spec() as update:
        update.add_field("n", BucketTransform(4), "bucket")
    for start in range(0, 3 * ROWS, ROWS):
        table.append(rows(start))
    return table


def comparison(op: Op, column: str, *values: Any) -> Comparison:
    return Comparison(op, Column((column,)), values)


CONDITIONS: list[Predicate] = [
    comparison(Op.EQ, "n", 17),
    all_of(comparison(Op.GT_EQ, "n", 50), comparison(Op.LT, "n", 60)),
    comparison(Op.EQ, "s", "text 3"),
    comparison(Op.GT, "x", 25.0),
    Or((comparison(Op.LT, "n", 10), comparison(Op.EQ, "s", "text 9"))),
]


def run(lake: Any, cache: Cache | None, conditions: Sequence[Predicate] = CONDITIONS) -> Planned:
    """The plans of conditions on every snapshot."""
    table: Table = open_metadata_file(str(lake.metadata_location), TableName(None, (), "t"))
    table = replace(table, storage=replace(table.storage, cache=cache))
    found = []
    for number, snapshot in enumerate(table.metadata.snapshots.values()):
        schema = table.metadata.schema(snapshot)
        for place, condition in enumerate(conditions):
            predicate = bind(condition, schema, time_zone="UTC")
            found.append((snapshot, Scan(number * 100 + place, predicate)))
    return planned(asked(table, table.metadata.schema(None), found))


def same(lake: Any, cache: Cache, *, read: int) -> None:
    """Plans with the cache and without, with so many manifests read of those that there are."""
    plain = run(lake, None)
    cached = run(lake, cache)
    assert cached.of_scans() == plain.of_scans()
    assert cached.replay.totals == plain.replay.totals
    assert cached.replay.layouts == plain.replay.layouts
    manifests = plain.replay.manifests_read
    assert (cached.replay.manifests_read, cached.replay.of_metadata["manifests_cached"]) == (
        read,
        manifests - read,
    )
    footers = (cached.replay.footers_read, cached.replay.of_metadata["footers_cached"])
    assert sum(footers) == plain.replay.footers_read > 0
    assert footers[0] <= 4 * read  # a file for each bucket
    assert {type(count) for count in cached.replay.of_metadata.values()} == {int}
    none = plain.replay.of_metadata
    assert (none["manifests_cached"], none["footers_cached"]) == (0, 0)


@pytest.mark.slow
def test_results_are_the_same_whatever_happens_to_a_table(lake: Any, tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "kept"), 1 << 30)
    # What no scan wants is read, without its metrics, and is not kept.
    run(lake, cache, [comparison(Op.EQ, "n", 17)])
    run(lake, cache)
    same(lake, cache, read=0)
    first = lake.current_snapshot().snapshot_id
    lake.append(rows(200))
    same(lake, cache, read=1)
    lake.overwrite(rows(300))
    run(lake, cache)
    same(lake, cache, read=0)
    lake.delete("n > 320")
    run(lake, cache)
    lake.manage_snapshots().create_branch(snapshot_id=first, branch_name="old").commit()
    same(lake, cache, read=0)
    lake.append(rows(400), branch="old")
    same(lake, cache, read=1)
    lake.manage_snapshots().rollback_to_snapshot(first).commit()
    same(lake, cache, read=0)
    lake.append(rows(500))
    same(lake, cache, read=1)


def test_results_are_the_same_from_what_other_machines_kept(lake: Any, tmp_path: Path) -> None:
    machines = count()

    def next_machine() -> Cache:
        name = str(next(machines))
        bundles = Bundles(f"file://{tmp_path}/shared", run=name)
        return Cache(str(tmp_path / name), 1 << 30, bundles)

    def run_on(cache: Cache) -> int:
        found = run(lake, cache)
        share(cache, found.replay, LocalRunner())
        return found.replay.manifests_read

    assert run_on(next_machine()) == 3
    same(lake, next_machine(), read=0)
    lake.append(rows(200))
    assert run_on(next_machine()) == 1
    same(lake, next_machine(), read=0)
    bundles = [path for path in Path(tmp_path, "shared").iterdir() if path.name != INDEX]
    assert len(bundles) == 2  # one for each run that read anything
    assert sum(path.stat().st_size for path in bundles) > 0
    for number, path in enumerate(bundles):
        path.write_bytes(path.read_bytes()[number:-1])
    same(lake, next_machine(), read=4)


def test_results_are_the_same_with_a_cache_that_is_too_small(lake: Any, tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "kept"), 20_000)
    for _ in range(3):
        assert run(lake, cache).of_scans() == run(lake, None).of_scans()
