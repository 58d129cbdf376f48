"""How long work is said to take before it is done."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from prunescope.audit_jobs.planning.effort import Contexts, of_footers, of_lists, of_manifests
from prunescope.audit_jobs.planning.items import Item
from prunescope.audit_jobs.planning.local import table_context
from prunescope.audit_jobs.planning.stages import TASK
from prunescope.audit_jobs.planning.work import Listed
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from prunescope.collectors.tables.manifest_list import Manifest, read_manifest_list
from prunescope.collectors.tables.manifests import read_manifests
from tests.audit_jobs.jobs.lakes import write_table

SCANS = {"t": 1_000}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    path = write_table(tmp_path_factory.mktemp("lake"))
    return open_metadata_file(str(path), TableName(None, (), "t"), allowed=[str(path.parents[3])])


def contexts_of(table: Table, **summary: str) -> Contexts:
    """Of its current snapshot, with another summary."""
    schema = table.metadata.schema(None)
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    context = table_context(table, schema, [snapshot.snapshot_id])
    changed = {snapshot.snapshot_id: replace(snapshot, summary=summary)}
    return {"t": {schema.schema_id: replace(context, snapshots=changed)}}


def test_a_list_takes_as_long_as_its_summary_says(table: Table) -> None:
    totals = {"total-data-files": "100", "total-delete-files": "0"}
    (few,) = of_lists(contexts_of(table, **totals))
    (many,) = of_lists(contexts_of(table, **totals | {"total-data-files": "10000000"}))
    assert few < 0.1
    assert many > 10


@pytest.mark.parametrize("unknown", [{}, {"total-data-files": "10"}, {"total-data-files": "many"}])
def test_a_list_of_unknown_length_may_take_any_time(table: Table, unknown: dict[str, str]) -> None:
    assert list(of_lists(contexts_of(table, **unknown))) == [inf]


def listed(table: Table) -> list[Manifest]:
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    return list(read_manifest_list(snapshot, table.storage))


def seconds(table: Table, manifests: list[Manifest], scans: int) -> float:
    items = [Item(TASK, Listed(one, {}), "t") for one in manifests]
    return sum(of_manifests(contexts_of(table), items, {"t": scans}))


def test_what_is_kept_takes_less(table: Table, tmp_path: Path) -> None:
    kept = replace(table, storage=replace(table.storage, cache=Cache(str(tmp_path), 1 << 30)))
    manifests = listed(table)
    before = seconds(kept, manifests, 10)
    assert before == seconds(table, manifests, 10)
    list(read_manifests(manifests[:1], kept.storage, columns=None))
    some = seconds(kept, manifests, 10)
    list(read_manifests(manifests, kept.storage, columns=None))
    assert seconds(kept, manifests, 10) < some < before


def test_every_scan_takes_time(table: Table) -> None:
    (manifest,) = listed(table)[:1]
    wide = [replace(manifest, live_files=1_000_000)]
    without, some, many = (seconds(table, wide, scans) for scans in (0, 1_000, 1_000_000))
    assert without + 1 < some < many
    assert seconds(table, [], 1_000_000) > 10
    assert seconds(table, [replace(manifest, live_files=None)], 0) > seconds(table, [manifest], 0)


def test_manifests_that_are_elsewhere_may_be_any_number(table: Table) -> None:
    assert sum(of_manifests(contexts_of(table), None, SCANS)) == inf


def test_footers_take_time_each() -> None:
    assert sum(of_footers([], SCANS)) < sum(of_footers([("t", 1)], SCANS)) < 0.1
    assert sum(of_footers([("t", 1_000), ("t", 1_000)], SCANS)) > 10
