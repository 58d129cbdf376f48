"""Selective filters on columns whose values are spread over all files, and on those that are
not."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

TENTH = '"Customer Key" BETWEEN 1000 AND 1479'


def create(lake: Lake, table: str, *, key: str = "(id * 7919) % 4800") -> None:
    """Twelve files of 400 rows each, by default with keys from the whole range in each."""
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT, `Customer Key` BIGINT, city STRING, day INT) "
        "USING iceberg TBLPROPERTIES ('write.target-file-size-bytes' = '8000')",
        *files(
            table,
            12,
            rows=400,
            columns=["id", key, "concat('city ', lpad((id * 7919) % 4800, 6, '0'))", "id div 400"],
        ),
    )


@pytest.mark.parametrize(
    ("table", "condition", "column"),
    [
        pytest.param("spread_range", TENTH, "Customer Key", id="range"),
        pytest.param("spread_text", "city = 'city 001234'", "city", id="equality of texts"),
        pytest.param("spread_both", f"{TENTH} AND day >= 3", "Customer Key", id="of two columns"),
    ],
)
def test_sorted_it_reads_what_was_promised(
    lake: Lake, table: str, condition: str, column: str
) -> None:
    create(lake, table)
    query = f"SELECT * FROM {table} WHERE {condition}"

    before = lake.audit(query)
    (finding,) = before.findings
    assert finding.cause == "unclustered_column"
    assert finding.columns == (column,)
    assert finding.evidence["overlap"] == 1
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    lake.sql(*finding.fix.spark)
    of_table, of_files = lake.orders_of(table)
    assert of_table > 0
    assert of_files == {of_table}
    after = lake.audit(query)

    promised = bytes_kept(before) - finding.bytes_at_stake
    assert bytes_kept(after) <= 1.25 * promised
    assert causes(after) == set()


def test_what_is_sorted_or_not_selective_is_left_alone(lake: Lake) -> None:
    create(lake, "in_order", key="id")
    create(lake, "out_of_order")
    result = lake.audit(
        f"SELECT * FROM in_order WHERE {TENTH}",
        'SELECT * FROM out_of_order WHERE "Customer Key" > 300',
        "SELECT * FROM out_of_order WHERE day = 7",
        "SELECT * FROM out_of_order",
    )
    assert of_cause(result, "unclustered_column") == []


def test_files_that_would_be_merged_into_one_are_left_alone(lake: Lake) -> None:
    create(lake, "tiny")
    lake.sql(
        "ALTER TABLE lake.db.tiny SET TBLPROPERTIES ('write.target-file-size-bytes' = '1000000')"
    )
    assert of_cause(lake.audit(f"SELECT * FROM tiny WHERE {TENTH}"), "unclustered_column") == []


@pytest.mark.parametrize(
    ("table", "kind", "order"),
    [
        pytest.param("both_ends", "BIGINT", "truncate(", id="ranges of keys"),
        pytest.param("ends_of_doubles", "DOUBLE", "zorder(`Customer Key`, `seller`)", id="Z-order"),
    ],
)
def test_columns_that_are_asked_for_one_by_one_get_one_order(
    lake: Lake, table: str, kind: str, order: str
) -> None:
    lake.sql(
        f"CREATE TABLE lake.db.{table} (`Customer Key` {kind}, seller {kind}) "
        "USING iceberg TBLPROPERTIES ('write.target-file-size-bytes' = '2000')",
        *files(
            table,
            16,
            rows=400,
            columns=[
                f"CAST({of} + 8192 AS {kind})"  # doubles of one exponent
                for of in ("(id * 7919) % 6400", "(id * 7907) % 6389")
            ],
        ),
    )
    queries = [
        f'SELECT * FROM {table} WHERE "Customer Key" BETWEEN 11192 AND 11242',
        f"SELECT * FROM {table} WHERE seller = 11193",
    ]
    before = lake.audit(*queries)
    (finding,) = before.findings
    assert set(finding.columns) == {"Customer Key", "seller"}
    assert order in finding.fix.spark[-1]
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    lake.sql(*finding.fix.spark)
    after = lake.audit(*queries)

    promised = bytes_kept(before) - finding.bytes_at_stake
    assert bytes_kept(after) <= 1.25 * promised
    assert causes(after) == set()


def test_a_key_that_is_looked_up_beside_days_gets_ranges_in_order_of_time(lake: Lake) -> None:
    lake.sql(
        "CREATE TABLE lake.db.clicks (account BIGINT, at TIMESTAMP) "
        "USING iceberg TBLPROPERTIES ('write.target-file-size-bytes' = '2500')",
        *files(
            "clicks",
            36,
            rows=400,
            columns=["(id * 7919) % 6400", "timestamp_seconds(1704067200 + id * 200)"],
        ),
    )
    queries = [
        *(f"SELECT * FROM clicks WHERE account = {number}" for number in (77, 2001, 4242)),
        *(
            f"SELECT * FROM clicks WHERE at >= TIMESTAMP '2024-01-{day} 00:00:00'"
            f" AND at < TIMESTAMP '2024-01-{day + 1} 00:00:00'"
            for day in (12, 27)
        ),
    ]
    before = lake.audit(*queries)
    (finding,) = before.findings
    assert finding.columns == ("account", "at")
    assert any("WRITE ORDERED BY truncate(" in line for line in finding.fix.spark)
    assert finding.bytes_at_stake is not None

    lake.sql(*finding.fix.spark)
    of_table, of_files = lake.orders_of("clicks")
    assert of_files == {of_table}
    after = lake.audit(*queries)

    promised = bytes_kept(before) - finding.bytes_at_stake
    assert bytes_kept(after) <= 1.25 * promised
    assert causes(after) == set()
