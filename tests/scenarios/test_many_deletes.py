"""Delete files that pile up."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, causes, files

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def create(lake: Lake, table: str, *, version: int, deletes: int) -> None:
    """Two data files, and rows deleted so many times."""
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT) USING iceberg TBLPROPERTIES ("
        f"'format-version' = '{version}', 'write.delete.mode' = 'merge-on-read', "
        "'write.delete.granularity' = 'partition')",
        *files(table, 2, rows=1000, columns=["id"]),
        *(f"DELETE FROM lake.db.{table} WHERE id % 100 = {number}" for number in range(deletes)),
    )


def test_merged_there_are_none(lake: Lake) -> None:
    create(lake, "deleted", version=2, deletes=8)
    before = lake.audit("SELECT * FROM deleted")
    (finding,) = before.findings
    assert finding.cause == "many_deletes"
    assert finding.evidence["delete_files_read"]["position_delete_files"] >= 8
    assert "rewrite_position_delete_files" in finding.fix.spark[-1]

    lake.sql(*finding.fix.spark)
    after = lake.audit("SELECT * FROM deleted")

    (scan,) = after.scans
    assert scan.summary is not None
    assert sum(scan.summary.delete_files_by.values()) == 0
    assert lake.sql("SELECT count(*) FROM lake.db.deleted") == [[2000 - 8 * 20]]
    assert causes(after) == set()


def test_few_deletes_and_deletion_vectors_are_left_alone(lake: Lake) -> None:
    create(lake, "deleted_twice", version=2, deletes=2)
    create(lake, "with_vectors", version=3, deletes=8)
    result = lake.audit("SELECT * FROM deleted_twice", "SELECT * FROM with_vectors")
    assert causes(result) == set()
