"""Tables and workloads at the edges: nothing there, nothing read, nothing known."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from prunescope.audit_jobs.findings.catalogue import BY_ID, CAUSES
from prunescope.audit_jobs.findings.rows import finding_row, keyed
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.collectors.tables.metadata_reading import metadata_from_json
from tests.audit_jobs.findings.groups import usage_of
from tests.audit_jobs.findings.strategies import TABLE, partition_field, usages
from tests.audit_jobs.sinks.results import replayed, summary


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(usage=usages())
@pytest.mark.slow
def test_no_cause_fails_for_want_of_data(usage: TableUsage) -> None:
    for cause in CAUSES:
        for rank, (key, finding) in enumerate(keyed(list(cause.find(usage))), start=1):
            assert finding.cause == cause.id
            assert finding_row(key, rank, finding)["sentence"]


def test_fine_partitions_of_which_no_query_keeps_a_file() -> None:
    """There is nothing to win by fewer files where none is opened."""
    nothing = Funnel(40, 0, 0)
    scan = replayed("0/0", TABLE, summary(data_files=nothing, data=nothing))
    document = {
        "format-version": 2,
        "location": "/t",
        "schemas": [
            {
                "type": "struct",
                "schema-id": 0,
                "fields": [{"id": 1, "name": "order_ts", "required": False, "type": "timestamptz"}],
            }
        ],
        "current-schema-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": [partition_field(1, "day")]}],
    }
    health = TableHealth(
        table=TABLE,
        snapshot_id=1,
        spec_id=0,
        measured=1.0,
        manifests=1,
        manifest_bytes=1_000,
        manifest_depth=1.0,
        data_files=40,
        records=400,
        bytes=4_000,
        target_file_bytes=512 * 1024 * 1024,
        small_files=40,
        files_by_spec={0: 40},
        position_delete_files=0,
        equality_delete_files=0,
        deletion_vectors=0,
        partitions=40,
        partition_files=1.0,
        partition_bytes=100.0,
        columns=(),
    )
    metadata_of_day = metadata_from_json(document, "/t/m.json")
    usage = usage_of(TABLE, [scan], metadata_of_day, health, Thresholds(0, 0, 0, 0, 0.2, 0))
    assert list(BY_ID["partitions_too_fine"].find(usage)) == []
    for cause in CAUSES:
        list(cause.find(usage))
