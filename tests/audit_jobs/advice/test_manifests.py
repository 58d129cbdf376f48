"""Orders of manifests that are promised, and what planning opens once a table has them."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import numpy as np
import pytest

from audit_jobs.advice.manifest_document import manifest_migration, manifest_sentences
from audit_jobs.advice.manifests import Manifests
from audit_jobs.advice.workload import workload
from audit_jobs.jobs.manifest_order import manifest_order
from audit_jobs.planning.local import table_context
from tests.backtest.lake import NAME, Lake, asked_of
from tests.backtest.model import Asked
from tests.workloads.layouts import MANIFEST_ENTRY_BYTES, apply
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, day, instant, laid_out, table, texts, times

pytestmark = pytest.mark.slow

DAYS, REGIONS, ENTRIES = 24, 8, 12
"""Each day is a commit with a file for each region; manifests should have so many entries."""
TARGET = {"commit.manifest.target-size-bytes": str(ENTRIES * MANIFEST_ENTRY_BYTES)}


def _layout(*partition: str) -> Layout:
    count = DAYS * REGIONS * 4
    rows = table(
        {
            "ts": times(np.arange(count) * (DAY * DAYS // count), "UTC"),
            "region": texts(np.arange(count) % REGIONS, "r{}"),
            "day": texts((day(n * DAYS // count) for n in range(count)), "{}"),
        }
    )
    return laid_out(rows, *partition, commits=DAYS, properties=TARGET)


def _found(lake: Lake, layout: Layout, queries: list[Asked]) -> Manifests | None:
    written = lake.write(layout)
    with chdir(lake.directory):
        opened = lake.open(written)
        metadata = opened.metadata
        snapshot = metadata.current_snapshot()
        assert snapshot is not None
        context = table_context(opened, metadata.schema(None), [snapshot.snapshot_id])
        listed = sum(len(commit.files) for commit in layout.commits)
        sizes = [path.stat().st_size for path in Path().rglob("*-m0.avro")]
        target = 1 + sum(sizes[-len(layout.commits) :]) * ENTRIES // listed
        return manifest_order(context, workload(asked_of(opened, queries), 0), target, 0)


def _by_region(n: int) -> Asked:
    return Asked(n, f"SELECT * FROM t WHERE region = 'r{n % REGIONS}'")


def _by_day(n: int) -> Asked:
    first = n % DAYS * DAY
    return Asked(
        n,
        f"SELECT * FROM t WHERE ts >= TIMESTAMP '{instant(first)} UTC' "
        f"AND ts < TIMESTAMP '{instant(first + DAY)} UTC'",
    )


REGION_QUERIES = [_by_region(n) for n in range(DAYS)]


@pytest.mark.parametrize(
    ("partition", "by"),
    [
        pytest.param(("region", "days(ts)"), ("region", "ts_day"), id="the order of the spec"),
        pytest.param(("days(ts)", "region"), ("region", "ts_day"), id="another order"),
    ],
)
def test_what_is_promised_of_an_order_comes(
    partition: tuple[str, ...], by: tuple[str, ...], tmp_path: Path
) -> None:
    lake, before = Lake(tmp_path), _layout(*partition)
    found = _found(lake, before, REGION_QUERIES)
    assert found is not None
    assert found.then is not None
    assert found.by == by
    assert found.now.manifests == DAYS  # every commit has a file of each region
    told = manifest_migration(NAME, found)
    assert told is not None
    assert ("sort_by" in told.spark[0]) is (partition[0] != "region")
    assert bool(told.trino) is (partition[0] == "region")
    assert "24.0 of 24" in next(manifest_sentences(found))

    after = _found(lake, apply(told.spark, before), REGION_QUERIES)
    assert after is not None
    assert after.by is None
    assert after.now.manifests == pytest.approx(found.then.manifests, abs=0.5)


@pytest.mark.parametrize(
    "queries",
    [
        pytest.param([_by_day(n) for n in range(DAYS)], id="in the order that they have"),
        pytest.param([Asked(n, "SELECT * FROM t") for n in range(DAYS)], id="all is read"),
    ],
)
def test_manifests_that_serve_are_left_alone(queries: list[Asked], tmp_path: Path) -> None:
    found = _found(Lake(tmp_path), _layout("region", "days(ts)"), queries)
    assert found is not None
    assert found.by is None
    assert manifest_migration(NAME, found) is None
    assert list(manifest_sentences(found)) == []


def test_there_is_nothing_to_order_without_partitions(tmp_path: Path) -> None:
    assert _found(Lake(tmp_path), _layout(), REGION_QUERIES) is None
