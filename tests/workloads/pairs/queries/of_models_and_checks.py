"""Models and tests of dbt, merges and deletes, checks of quality, and what analysts type."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.queries.of_bi_tools import orders
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
)


def day_keys() -> Layout:
    """60 days of a file each, by whole numbers such as 20260131."""
    draw = rng(21_101)
    count = 60 * FILE_ROWS
    days = draw.integers(0, 60, count)
    keys = np.array([int(day(number).strftime("%Y%m%d")) for number in range(60)])
    return laid_out(
        table({"date_key": keys[days], "product": draw.integers(0, 900, count)}), "date_key"
    )


def text_days() -> Layout:
    """60 days of a file each, by text such as 2026-01-31."""
    draw = rng(21_102)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "dt": day_text(draw.integers(0, 60, count)),
                "visitor": draw.integers(0, 9000, count),
            }
        ),
        "dt",
    )


def accounts() -> Layout:
    """40 files of accounts as they were opened: mail addresses are in no order."""
    draw = rng(21_103)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "account_id": np.arange(count),
                "email": texts(draw.permutation(count), "u{:06d}@example.com"),
            }
        )
    )


def documents() -> Layout:
    """60 days of a file each, of events as JSON."""
    draw = rng(21_104)
    count = 60 * FILE_ROWS
    kinds = np.array(["sale", "refund", "void"])
    days = draw.integers(0, 60, count)
    return laid_out(
        table(
            {
                "dt": day_text(days),
                "doc": texts(kinds[draw.integers(0, 3, count)], '{{"type": "{}"}}'),
            }
        ),
        "dt",
    )


def parts() -> Layout:
    """50 files in order of their codes."""
    draw = rng(21_105)
    count = 50 * FILE_ROWS
    return laid_out(
        table({"sku": texts(np.arange(count), "SKU-{:05d}"), "bin": draw.integers(0, 90, count)})
    )


PAIRS = (
    # The range is one of the model's newest row, which no plan knows.
    Pair(
        "dbt_since_the_newest_row",
        orders,
        [
            *repeated(
                'insert into "elsewhere"."db"."fct_orders" (select * from (select * from'
                ' "lake"."db"."dbt_since_the_newest_row" where ts > (select max(ts) from'
                ' "elsewhere"."db"."fct_orders")) as src)',
                4,
            ),
            *repeated(
                'create table "elsewhere"."db"."fct_orders__tmp" as (select store, count(*) as n'
                ' from "lake"."db"."dbt_since_the_newest_row" where ts >= (select'
                " coalesce(max(ts), timestamp '1900-01-01 00:00:00') from"
                ' "elsewhere"."db"."fct_orders") group by store)',
                4,
            ),
        ],
        expected=(Expected("runtime_only", (), None, False),),
        tempting={"no_partition_filter": "it is one of the partition column"},
    ),
    # So is it beside what most rows are.
    Pair(
        "dbt_since_the_newest_row_of_some",
        orders,
        repeated(
            "INSERT INTO elsewhere.db.fct_orders SELECT * FROM"
            " lake.db.dbt_since_the_newest_row_of_some WHERE ts > (SELECT max(ts) FROM"
            " elsewhere.db.fct_orders) AND store < 1000000",
            6,
            **SPARK,
        ),
        expected=(Expected("runtime_only", ("ts",), None, False, True, ("Hardly anything",)),),
        tempting={"no_partition_filter": "it is one of the partition column"},
    ),
    # Trino makes no condition of rows that are compared; this is one of the first column.
    Pair(
        "pages_after_a_row",
        orders,
        each(
            "SELECT * FROM lake.db.pages_after_a_row WHERE (ts, store) > (TIMESTAMP '{}', 7)"
            " ORDER BY ts, store LIMIT 100",
            [instant(DAY * n) for n in (80, 82, 84, 86, 88)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.8, 1), False, True),),
        tempting={"or_across_columns": "it is no OR, and pages are in order"},
    ),
    Pair(
        "dbt_tests_of_everything",
        orders,
        [
            *repeated(
                "select count(*) as failures, count(*) != 0 as should_warn from (select order_id"
                " from lake.db.dbt_tests_of_everything where order_id is null) dbt_internal_test",
                3,
            ),
            *repeated(
                "select count(*) as failures from (select order_id as unique_field, count(*) as"
                " n_records from lake.db.dbt_tests_of_everything where order_id is not null"
                " group by order_id having count(*) > 1) dbt_internal_test",
                3,
            ),
            *repeated(
                "with child as (select store as from_field from lake.db.dbt_tests_of_everything"
                " where store is not null), parent as (select store_id as to_field from"
                " elsewhere.db.stores) select from_field from child left join parent on"
                " child.from_field = parent.to_field where parent.to_field is null",
                3,
            ),
            *each(
                "select * from lake.db.dbt_tests_of_everything"
                " where ts >= timestamp '{}' and ts < timestamp '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(5, 85, 8)],
            ),
        ],
        tempting={
            "runtime_only": "a left join keeps all rows of the child",
            "unclustered_column": "no row is null, and all rows that are not are asked for",
            "negated_condition": "all rows match",
            "no_partition_filter": "tests are of all rows",
        },
    ),
    Pair(
        "model_merged_by_its_key",
        orders,
        repeated(
            "MERGE INTO lake.db.model_merged_by_its_key AS DBT_INTERNAL_DEST USING"
            " elsewhere.db.orders__dbt_tmp AS DBT_INTERNAL_SOURCE"
            " ON DBT_INTERNAL_SOURCE.order_id = DBT_INTERNAL_DEST.order_id"
            " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            6,
            **SPARK,
        ),
        expected=(Expected("runtime_only", (), None, False),),
        tempting={"no_partition_filter": "no filter is there that has values"},
    ),
    Pair(
        "merged_into_last_days",
        orders,
        each(
            "MERGE INTO lake.db.merged_into_last_days AS t USING elsewhere.db.updates AS s"
            " ON t.ts >= TIMESTAMP_NTZ '{}' AND t.ts < TIMESTAMP_NTZ '{}'"
            " AND t.order_id = s.order_id WHEN MATCHED THEN UPDATE SET t.channel = s.channel"
            " WHEN NOT MATCHED THEN INSERT *",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(80, 87)],
            **SPARK,
        ),
        tempting={"runtime_only": "three days are named"},
    ),
    # Each day has all customers: nothing but a filter inside of files tells where one is.
    Pair(
        "customers_erased",
        orders,
        [
            *each(
                "DELETE FROM lake.db.customers_erased WHERE customer_id = {}",
                [17, 430, 1201, 2999, 4520, 5111, 6007, 7345, 8200, 8888],
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.customers_erased"
                " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 88, 2)],
                **SPARK,
            ),
        ],
        allowed=(
            Expected("row_groups_not_pruned", ("customer_id",)),
            Expected("no_partition_filter", ("customer_id",), None, False),
        ),
        tempting={"misaligned_partitioning": "44 reports go by days"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "old_rows_deleted_by_text",
        orders,
        each(
            "DELETE FROM lake.db.old_rows_deleted_by_text WHERE CAST(ts AS STRING) < '{}'",
            [day(n) for n in (3, 5, 7, 9)],
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.95), False, True),),
    ),
    # Nobody has values that should not be there, and each file has all that should.
    Pair(
        "expectations_of_channels",
        orders,
        [
            *repeated(
                "SELECT sum(CASE WHEN (order_id IS NULL) THEN 1 ELSE 0 END) AS"
                ' "column_values.nonnull.unexpected_count", count(*) AS "table.row_count"'
                " FROM lake.db.expectations_of_channels",
                4,
            ),
            *repeated(
                "SELECT channel AS unexpected_values FROM lake.db.expectations_of_channels WHERE"
                " channel IS NOT NULL AND (channel NOT IN ('web', 'app', 'shop')) LIMIT 20",
                4,
            ),
            *repeated(
                "SELECT order_id FROM lake.db.expectations_of_channels"
                " EXCEPT SELECT order_id FROM elsewhere.db.orders_of_the_shop",
                4,
            ),
        ],
        tempting={
            "negated_condition": "there is no list of what should not be there",
            "misaligned_partitioning": "checks are of all rows",
            "runtime_only": "EXCEPT takes all rows",
        },
    ),
    Pair(
        "month_of_a_report_put_together",
        orders,
        each(
            "SELECT count(*) FROM lake.db.month_of_a_report_put_together WHERE concat(CAST("
            "year(ts) AS varchar), '-', lpad(CAST(month(ts) AS varchar), 2, '0')) = '2026-{}'",
            ["01", "02", "03", "02"],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.62, 0.72), False, True),),
    ),
    Pair(
        "day_keys_read_as_dates",
        day_keys,
        each(
            "SELECT product, count(*) FROM lake.db.day_keys_read_as_dates WHERE"
            " date_parse(CAST(date_key AS varchar), '%Y%m%d') BETWEEN TIMESTAMP '{} 00:00:00'"
            " AND TIMESTAMP '{} 00:00:00' GROUP BY product",
            [(day(n), day(n + 6)) for n in range(2, 50, 7)],
        ),
        expected=(
            Expected("wrapped_column|type_mismatch", ("date_key",), (0.83, 0.92), False, True),
        ),
    ),
    Pair(
        "mail_in_lower_case",
        accounts,
        each(
            "SELECT * FROM lake.db.mail_in_lower_case WHERE lower(email) = 'u{:06d}@example.com'",
            range(100, 20_000, 1700),
        ),
        expected=(Expected("wrapped_column", ("email",), None, False, False),),
        tempting={"unclustered_column": "an order serves no lower()"},
    ),
    Pair(
        "refunds_of_a_day",
        documents,
        each(
            "SELECT count(*) FROM lake.db.refunds_of_a_day WHERE dt = '{}'"
            " AND json_extract_scalar(doc, '$.type') = 'refund'",
            [day(n) for n in range(1, 60, 5)],
        ),
        tempting={"wrapped_column": "a day is one file", "type_mismatch": "text is asked as text"},
    ),
    Pair(
        "parts_by_regular_expression",
        parts,
        each(
            "SELECT * FROM lake.db.parts_by_regular_expression"
            " WHERE regexp_like(sku, '^SKU-{:03d}[0-9]+$')",
            [3, 40, 88, 123, 170, 211, 250, 290],
        ),
        expected=(
            Expected("like_without_prefix|wrapped_column", ("sku",), (0.95, 0.985), False, True),
        ),
    ),
    Pair(
        "days_of_text_tried_as_dates",
        text_days,
        each(
            "SELECT count(DISTINCT visitor) FROM lake.db.days_of_text_tried_as_dates"
            " WHERE try_cast(dt AS date) >= DATE '{}'",
            [day(n) for n in (50, 53, 55, 57)],
        ),
        expected=(Expected("type_mismatch|wrapped_column", ("dt",), None, False),),
        tempting={"no_partition_filter": "it is one of the partition column"},
    ),
)
