"""Files that were written before the table was partitioned as it is now."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

DAYS = 8
SPREAD, IN_ORDER = f"id % {DAYS}", "id div 800"


def create(lake: Lake, table: str, day: str) -> None:
    """A table of eight files, partitioned by day only since, and of one file per day."""
    columns = ["id", day, "sha2(cast(id AS STRING), 256)"]
    statements = files(table, DAYS, rows=800, columns=columns)
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT, `Event Day` BIGINT, text STRING) USING iceberg",
        *statements,
        f"ALTER TABLE lake.db.{table} ADD PARTITION FIELD `Event Day`",
        statements[0],
    )


def test_rewritten_it_reads_what_was_promised(lake: Lake) -> None:
    create(lake, "evolved", SPREAD)
    query = 'SELECT * FROM evolved WHERE "Event Day" = 5'

    before = lake.audit(query)
    (finding,) = before.findings
    assert finding.cause == "old_spec_files"
    assert finding.columns == ("Event Day",)
    assert finding.evidence["files_by_spec"] == {"0": DAYS, "1": DAYS}
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    lake.sql(*finding.fix.spark)
    after = lake.audit(query)

    promised = bytes_kept(before) - finding.bytes_at_stake
    assert bytes_kept(after) <= 1.25 * promised
    assert causes(after) == set()


def test_old_files_that_are_ruled_out_anyway_or_not_asked_for_are_left_alone(lake: Lake) -> None:
    create(lake, "evolved_in_order", IN_ORDER)
    create(lake, "evolved_spread", SPREAD)
    result = lake.audit(
        'SELECT * FROM evolved_in_order WHERE "Event Day" = 5',
        "SELECT * FROM evolved_spread WHERE id = 17",
        "SELECT * FROM evolved_spread",
    )
    assert of_cause(result, "old_spec_files") == []
