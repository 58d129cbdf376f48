"""Manifests that each list files of all partitions, as commits leave them."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.results.result import AuditResult
from tests.scenarios.lake import Lake, causes, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

DAYS = 10
QUERY = 'SELECT * FROM {} WHERE "Event Day" = 5'


def create(lake: Lake, table: str, commits: list[str]) -> None:
    """A table partitioned by day; a commit is the expression for the day of its rows. A manifest
    of the target size lists about ten files."""
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT, `Event Day` BIGINT) USING iceberg "
        "PARTITIONED BY (`Event Day`) TBLPROPERTIES ('commit.manifest.target-size-bytes' = '9000', "
        "'write.target-file-size-bytes' = '4000')",
        *(f"INSERT INTO lake.db.{table} SELECT id, {day} FROM range(0, 300)" for day in commits),
    )


def manifest_bytes(result: AuditResult) -> float:
    """Bytes of the data manifests that the only scan opens."""
    (scan,) = result.scan_plans("manifests_kept")
    (health,) = (h for h in result.health if h.data_files)
    kept: int = scan["manifests_kept"]
    return kept * health.manifest_bytes / health.manifests


def test_rewritten_they_are_opened_as_promised(lake: Lake) -> None:
    create(lake, "scattered", [f"id % {DAYS}"] * 12)
    query = QUERY.format("scattered")

    before = lake.audit(query)
    (finding,) = before.findings
    assert finding.cause == "scattered_manifests"
    assert finding.columns == ("Event Day",)
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    lake.sql(*finding.fix.spark)
    after = lake.audit(query)

    promised = manifest_bytes(before) - finding.bytes_at_stake
    assert manifest_bytes(after) <= 1.25 * promised
    assert causes(after) == set()


def test_manifests_in_the_order_of_partitions_are_left_alone(lake: Lake) -> None:
    create(lake, "orderly", [str(day) for day in range(DAYS)])
    create(lake, "unfiltered", [f"id % {DAYS}"] * 12)
    result = lake.audit(
        QUERY.format("orderly"),
        "SELECT * FROM unfiltered WHERE id < 5",
        'SELECT * FROM unfiltered WHERE "Event Day" >= 0',
    )
    assert of_cause(result, "scattered_manifests") == []
