"""Files that have to be read, of which readers could skip most row groups."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.results.result import AuditResult
from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

DAYS, ROWS = 4, 2000
SPREAD = "(id * 7919) % 8000"


def create(lake: Lake, table: str, key: str) -> None:
    """One file per day, each of twenty row groups without dictionaries, as large columns are."""
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT, day BIGINT, `Order Key` BIGINT, text STRING) "
        "USING iceberg PARTITIONED BY (day) TBLPROPERTIES ("
        "'write.parquet.row-group-size-bytes' = '1000', 'write.parquet.dict-size-bytes' = '1', "
        "'write.metadata.metrics.column.text' = 'truncate(64)')",
        *files(
            table,
            DAYS,
            rows=ROWS,
            columns=["id", f"id div {ROWS}", key, f"sha2(cast({key} AS STRING), 256)"],
        ),
    )


def row_group_bytes(result: AuditResult) -> int:
    kept: list[int] = [
        scan["row_group_bytes_kept"] for scan in result.scan_plans("row_group_bytes_kept")
    ]
    return sum(kept)


@pytest.mark.parametrize(
    ("table", "conditions", "column", "statement"),
    [
        pytest.param(
            "ranges",
            ["`Order Key` BETWEEN 1000 AND 1100"],
            "Order Key",
            "WRITE ORDERED BY",
            id="range",
        ),
        pytest.param(
            "hashes",
            # Fewer tell too little of how many row groups have a value.
            [f"text = '{n}'" for n in range(20)],
            "text",
            "bloom-filter-enabled",
            id="equality",
        ),
    ],
)
def test_ordered_or_with_a_bloom_filter_it_reads_what_was_promised(
    lake: Lake, table: str, conditions: list[str], column: str, statement: str
) -> None:
    create(lake, table, SPREAD)
    queries = [
        Query(f"SELECT * FROM {table} WHERE day = 2 AND {condition}", "spark")
        for condition in conditions
    ]

    before = lake.audit(*queries)
    (finding,) = before.findings
    assert finding.cause == "row_groups_not_pruned"
    assert finding.columns == (column,)
    assert statement in finding.fix.spark[0]
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    lake.sql(*finding.fix.spark)
    after = lake.audit(*queries)

    promised = row_group_bytes(before) - finding.bytes_at_stake
    assert row_group_bytes(after) <= 1.25 * promised
    assert bytes_kept(after) <= 1.1 * bytes_kept(before)
    assert causes(after) == set()


def test_row_groups_in_order_or_needed_are_left_alone(lake: Lake) -> None:
    create(lake, "ordered", "id")
    create(lake, "needed", SPREAD)
    result = lake.audit(
        Query("SELECT * FROM ordered WHERE day = 2 AND `Order Key` BETWEEN 4100 AND 4200", "spark"),
        Query("SELECT * FROM needed WHERE day = 2 AND `Order Key` > 1000", "spark"),
        Query("SELECT * FROM needed WHERE day = 2", "spark"),
    )
    assert of_cause(result, "row_groups_not_pruned") == []
