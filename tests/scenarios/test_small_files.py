"""Many files that are far smaller than the table's target."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, causes

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def create(lake: Lake, table: str, count: int, *, target: int) -> None:
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT) USING iceberg "
        f"TBLPROPERTIES ('write.target-file-size-bytes' = '{target}')",
        f"INSERT INTO lake.db.{table} SELECT id FROM range(0, {100 * count}, 1, {count})",
    )


def test_merged_there_are_as_many_as_was_promised(lake: Lake) -> None:
    create(lake, "crumbs", 120, target=1_000_000)
    before = lake.audit("SELECT * FROM crumbs")
    (finding,) = before.findings
    assert finding.cause == "small_files"
    assert finding.evidence["files_opened_per_scan"] == 120
    assert finding.bytes_at_stake is None

    lake.sql(*finding.fix.spark)
    after = lake.audit("SELECT * FROM crumbs")

    (scan,) = after.scan_plans("data_files_kept")
    assert scan["data_files_kept"] == finding.evidence["files_after_rewrite"] == 1
    assert causes(after) == set()


def test_few_files_or_files_near_the_target_are_left_alone(lake: Lake) -> None:
    create(lake, "handful", 20, target=1_000_000)
    create(lake, "right_sized", 120, target=800)
    result = lake.audit("SELECT * FROM handful", "SELECT * FROM right_sized")
    assert causes(result) == set()


def test_scans_that_open_few_of_them_are_left_alone(lake: Lake) -> None:
    create(lake, "looked_up", 120, target=1_000_000)
    assert causes(lake.audit("SELECT * FROM looked_up WHERE id = 250")) == set()
