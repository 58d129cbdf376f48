"""What reads the changes of a table, and no snapshot of it, has one outcome."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.collectors.observed import ObservedQuery, Rejected
from tests.collectors.queries.spark.logs import end, node, plan, preamble, read, start

OF_CHANGES = {
    "incremental": (
        "BatchScan a.b.t[id#1] IcebergIncrementalScan(table=a.b.t, startSnapshotId=1,"
        " endSnapshotId=null, filters=id > 1, runtimeFilters=, groupedBy=) RuntimeFilters: []"
    ),
    "changelog": (
        "BatchScan a.b.t.changes[id#1] IcebergChangelogScan(table=a.b.t, fromSnapshotId=null,"
        " toSnapshotId=null, filters=) RuntimeFilters: []"
    ),
    "changelog before 1.11": (
        "BatchScan a.b.t.changes[id#1] a.b.t.changes [fromSnapshotId=1, toSnapshotId=2, filters=]"
        " RuntimeFilters: []"
    ),
    "stream": (
        "MicroBatchScan[id#1] IcebergScan(table=a.b.t, schemaId=0, snapshotId=8, branch=null,"
        " filters=, runtimeFilters=, groupedBy=)"
    ),
    "stream before 1.11": "MicroBatchScan[id#1] a.b.t (branch=null) [filters=, groupedBy=]",
}
OTHERS = {
    "stream of Kafka": (
        "MicroBatchScan[key#1] class org.apache.spark.sql.kafka010.KafkaSourceProvider$KafkaScan"
    ),
    "staged files": "BatchScan a.b.t[] IcebergStagedScan(table=a.b.t, type=parquet, taskSetID=1)",
}


def printing(text: str) -> dict[str, object]:
    name = text.split("[", maxsplit=1)[0]
    return {**node(""), "nodeName": name, "simpleString": text, "metrics": []}


@pytest.mark.parametrize("text", OF_CHANGES.values(), ids=list(OF_CHANGES))
def test_a_read_of_changes_is_not_scanned(tmp_path: Path, text: str) -> None:
    (found,) = read(tmp_path, [*preamble(), start(0, plan(printing(text))), end(0)])
    assert isinstance(found, Rejected)
    assert (found.reason, found.query_id) == ("not_scanned", "app-1/0")
    assert "between two snapshots" in found.message


@pytest.mark.parametrize("text", OF_CHANGES.values(), ids=list(OF_CHANGES))
def test_what_it_reads_besides_is_replayed(tmp_path: Path, text: str) -> None:
    both = plan(printing(text), node("id = 2"))
    (query,) = read(tmp_path, [*preamble(), start(0, both), end(0)])
    assert isinstance(query, ObservedQuery)
    assert len(query.scans) == 1


@pytest.mark.parametrize("text", OTHERS.values(), ids=list(OTHERS))
def test_other_nodes_are_none(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, [*preamble(), start(0, plan(printing(text))), end(0)]) == []
