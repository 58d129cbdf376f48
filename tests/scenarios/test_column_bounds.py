"""Filters on columns of which the manifests hold no bounds, or bounds that are all alike."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.scenarios.lake import Lake, bytes_kept, causes, files

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

FILES, ROWS = 12, 400
SPREAD = "(id * 7919) % 4800"


@dataclass(frozen=True)
class Fault:
    """A column `Item Key` without useful bounds: `properties` of the table, the column's type, and
    its values from a number below 4,800."""

    cause: str
    properties: str
    type: str
    value: str
    condition: str
    new_mode: str


NO_METRICS = Fault(
    "no_column_metrics",
    ", 'write.metadata.metrics.column.Item Key' = 'counts'",
    "BIGINT",
    "{}",
    '"Item Key" BETWEEN 1000 AND 1100',
    "full",
)
NO_METRICS_BY_DEFAULT = Fault(
    "no_column_metrics",
    ", 'write.metadata.metrics.default' = 'none'",
    "BIGINT",
    "{}",
    '"Item Key" = 1050',
    "full",
)
# As the 101st column by default.
NO_METRICS_FOR_LATER_COLUMNS = Fault(
    "no_column_metrics",
    ", 'write.metadata.metrics.max-inferred-column-defaults' = '1'",
    "BIGINT",
    "{}",
    '"Item Key" < 100',
    "full",
)
COMMON_PREFIX = Fault(
    "truncated_bounds",
    "",
    "STRING",
    "concat('https://shop.example.com/item/', lpad({}, 6, '0'))",
    "\"Item Key\" = 'https://shop.example.com/item/001050'",
    "truncate(64)",
)


def create(lake: Lake, table: str, fault: Fault, number: str, *, properties: str) -> str:
    """A table of twelve files; the query that filters by the column."""
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT, `Item Key` {fault.type}) USING iceberg "
        f"TBLPROPERTIES ('write.target-file-size-bytes' = '4200'{properties})",
        *files(table, FILES, rows=ROWS, columns=["id", fault.value.format(number)]),
    )
    return f"SELECT * FROM {table} WHERE {fault.condition}"


@pytest.mark.parametrize(
    ("table", "fault", "number", "clustered"),
    [
        pytest.param("counted", NO_METRICS, "id", True, id="metrics off, in order"),
        pytest.param("spread", NO_METRICS, SPREAD, False, id="metrics off, spread"),
        pytest.param("unmeasured", NO_METRICS_BY_DEFAULT, "id", True, id="off by default"),
        pytest.param("wide", NO_METRICS_FOR_LATER_COLUMNS, "id", True, id="a later column"),
        pytest.param("links", COMMON_PREFIX, "id", True, id="common prefix, in order"),
        pytest.param("links_spread", COMMON_PREFIX, SPREAD, False, id="common prefix, spread"),
    ],
)
def test_written_anew_it_reads_what_was_promised(
    lake: Lake, table: str, fault: Fault, number: str, clustered: bool
) -> None:
    query = create(lake, table, fault, number, properties=fault.properties)

    before = lake.audit(query)
    (finding,) = before.findings
    assert finding.cause == fault.cause
    assert finding.columns == ("Item Key",)
    assert finding.evidence["clustered"] is clustered
    assert fault.new_mode in finding.fix.spark[0]
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    lake.sql(*finding.fix.spark)
    after = lake.audit(query)

    promised = bytes_kept(before) - finding.bytes_at_stake
    assert bytes_kept(after) <= 1.25 * promised
    assert causes(after) == set()


def test_useful_bounds_are_left_alone(lake: Lake) -> None:
    metrics = create(lake, "measured", NO_METRICS, "id", properties="")
    mode = ", 'write.metadata.metrics.column.Item Key' = 'truncate(40)'"
    prefix = create(lake, "long_bounds", COMMON_PREFIX, "id", properties=mode)
    assert causes(lake.audit(metrics, prefix)) == set()


def test_a_filter_that_keeps_most_rows_is_left_alone(lake: Lake) -> None:
    create(lake, "mostly", NO_METRICS, "id", properties=NO_METRICS.properties)
    result = lake.audit('SELECT * FROM mostly WHERE "Item Key" > 300')
    assert causes(result) == set()


def test_a_sort_has_bounds_written_that_were_switched_off_since(lake: Lake) -> None:
    query = create(lake, "forgotten", NO_METRICS, SPREAD, properties="")
    off = "('write.metadata.metrics.column.Item Key' = 'none')"
    lake.sql(f"ALTER TABLE lake.db.forgotten SET TBLPROPERTIES {off}")

    before = lake.audit(query)
    (finding,) = before.findings
    assert finding.cause == "unclustered_column"
    assert "'write.metadata.metrics.column.Item Key' = 'truncate(16)'" in finding.fix.spark[0]
    assert finding.bytes_at_stake is not None

    lake.sql(*finding.fix.spark)
    after = lake.audit(query)

    assert bytes_kept(after) <= 1.25 * (bytes_kept(before) - finding.bytes_at_stake)
    assert causes(after) == set()
