"""Tasks of a table spread evenly over its groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from prunescope.audit_jobs.planning.items import SHARED, ItemGroup
from prunescope.audit_jobs.planning.local import table_context
from prunescope.audit_jobs.planning.stages import TASK, list_stage
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import open_metadata_file
from tests.benchmarks.synthetic_table import build

MANIFESTS = 23


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> TableContext:
    """A table of one snapshot."""
    folder: Path = tmp_path_factory.mktemp("places")
    made = build(folder, manifests=MANIFESTS, files=1, columns=3)
    table = open_metadata_file(made.metadata_location, TableName(None, (), "wide"))
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    return table_context(table, table.metadata.schema(snapshot), [snapshot.snapshot_id])


def listed(context: TableContext, snapshots: list[int]) -> dict[str, int]:
    """The places of manifests, by path, where one group lists some snapshots."""
    tasks = [(number, TASK, id_) for number, id_ in enumerate(snapshots)]
    group = ItemGroup("wide", tasks, {SHARED: {0: {0: context}}})
    found = [item for item in list_stage([group], "") if item.kind == TASK]
    return {item.payload.manifest.path: item.place for item in found}


@pytest.mark.slow(minutes=0.1)
@pytest.mark.parametrize("groups", [1, 2, 7, 23, 30])
def test_groups_have_as_many_manifests_as_each_other(context: TableContext, groups: int) -> None:
    places = listed(context, list(context.snapshots)).values()
    sizes = Counter(place % groups for place in places)
    assert sum(sizes.values()) == MANIFESTS
    assert len(sizes) == min(groups, MANIFESTS)
    assert max(sizes.values()) - min(sizes.values()) <= 1


@pytest.mark.slow(minutes=0.1)
def test_groups_that_list_some_snapshots_each_agree_where_a_manifest_is(
    context: TableContext,
) -> None:
    (id_,) = context.snapshots
    of_two = {id_: context.snapshots[id_], id_ + 1: context.snapshots[id_]}
    both = replace(context, snapshots=of_two)
    places = listed(both, [id_])
    assert places == listed(both, [id_ + 1])
    assert places != listed(both, [id_, id_ + 1])
    assert len(set(places.values())) == MANIFESTS
