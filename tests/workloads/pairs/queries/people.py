"""One table, and groups of people who ask it different things."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS
COLUMNS = "abcdefghij"


def orders() -> Layout:
    """15 days of four files each, in which times and customers are in no order."""
    draw = rng(5101)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 15 * DAY, COUNT)),
                "customer_id": draw.integers(0, 3000, COUNT),
                "status": texts(np.where(draw.random(COUNT) < 0.9, "done", "open")),
            }
        ),
        "days(ts)",
    )


def in_order_of_time() -> Layout:
    """60 files, one day of 60 in each, as rows arrived."""
    draw = rng(5102)
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, COUNT))),
                "customer_id": draw.integers(0, 3000, COUNT),
            }
        )
    )


def ten_columns() -> Layout:
    """15 days of four files each, and ten columns in no order."""
    draw = rng(5103)
    columns = {name: draw.integers(0, 3000, COUNT) for name in COLUMNS}
    return laid_out(table({"ts": times(draw.uniform(0, 15 * DAY, COUNT)), **columns}), "days(ts)")


def regions() -> Layout:
    """Five regions of twelve files each, with any of 60 days in each file."""
    draw = rng(5104)
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 5, COUNT), "region-{}"),
                "ts": times(draw.uniform(0, 60 * DAY, COUNT)),
            }
        ),
        "region",
    )


def sales() -> Layout:
    """30 days of two files each."""
    draw = rng(5105)
    return laid_out(
        table(
            {
                "order_id": draw.permutation(COUNT),
                "ts": times(draw.uniform(0, 30 * DAY, COUNT)),
                "amount": draw.integers(0, 1000, COUNT),
            }
        ),
        "days(ts)",
    )


def changed_later() -> Layout:
    """60 days of one file each. Of 20 rows 19 are changed within two days, one later."""
    draw = rng(5106)
    created = draw.uniform(0, 60 * DAY, COUNT)
    soon = created + draw.uniform(0, 2 * DAY, COUNT)
    later = draw.uniform(created, 60 * DAY)
    updated = np.minimum(np.where(draw.random(COUNT) < 0.95, soon, later), 60 * DAY - 1)
    return laid_out(
        table({"created_at": times(created), "updated_at": times(updated)}), "days(created_at)"
    )


PAIRS = (
    # Dashboards and loads ask for whole days, and get them. Support asks for one customer in all
    # days, and reads 60 files: inside the days an order by customer leaves one of four.
    Pair(
        "orders_of_three_groups",
        orders,
        [
            *each(
                "SELECT status, count(*) FROM lake.db.orders_of_three_groups"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY status",
                [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(13)],
                user="dashboard",
            ),
            *each(
                "SELECT * FROM lake.db.orders_of_three_groups"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(15)],
                user="etl",
            ),
            *each(
                "SELECT * FROM lake.db.orders_of_three_groups WHERE customer_id = {}",
                range(17, 3000, 260),
                user="support",
            ),
        ],
        # 720 of 936 files are read by 12 lookups, and 540 would not be.
        expected=(Expected("no_partition_filter", ("customer_id",), (0.35, 0.6), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={
            "partitions_too_coarse": "whole days are asked for",
            "unclustered_column": "days are asked for as a whole",
        },
        never=("DROP", "REPLACE"),
    ),
    # Three lookups would win 177 files; 40 reports would lose 57 files each.
    Pair(
        "reports_over_rare_lookups",
        in_order_of_time,
        [
            *each(
                "SELECT count(*) FROM lake.db.reports_over_rare_lookups"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(5, 45)],
            ),
            *each(
                "SELECT * FROM lake.db.reports_over_rare_lookups WHERE customer_id = {}",
                (5, 1500, 2900),
            ),
        ],
        # That customers are in no order is true. A bloom filter would do, and leaves the order.
        allowed=(
            Expected("unclustered_column", ("customer_id",), statements=False),
            Expected("row_groups_not_pruned", ("customer_id",)),
        ),
        never=("ORDERED BY", "sort_order", "PARTITION FIELD"),
    ),
    # Each question is asked once: there is no order that is worth writing a table anew.
    Pair(
        "one_question_each",
        ten_columns,
        [
            *each(
                "SELECT count(*) FROM lake.db.one_question_each"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(12)],
            ),
            *each("SELECT * FROM lake.db.one_question_each WHERE {} = 77", COLUMNS, user="ana"),
        ],
        tempting={
            "no_partition_filter": "each column is asked for once",
            "unclustered_column": "each column is asked for once",
            "misaligned_partitioning": "reports use the days, and the rest was asked once",
        },
        thresholds={"min_scans": 3},
    ),
    # Reports read a region as a whole, and want all of it. Others want two days of all regions.
    Pair(
        "regions_and_days",
        regions,
        [
            *each(
                "SELECT count(*) FROM lake.db.regions_and_days WHERE region = 'region-{}'",
                [n % 5 for n in range(15)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.regions_and_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 60, 4)],
                user="finance",
            ),
        ],
        # 900 of 1,080 files are read for days: inside the regions one or two of twelve are needed.
        expected=(Expected("no_partition_filter", ("ts",), (0.6, 0.8), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"unclustered_column": "it is the same loss"},
        never=("DROP", "REPLACE"),
    ),
    # Reports make texts of times, which Spark does not unwrap; the load merges by key alone.
    Pair(
        "a_merge_and_reports",
        sales,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.a_merge_and_reports"
                " WHERE date_format(ts, 'yyyy-MM-dd') = '2026-01-{:02d}'",
                range(3, 23, 2),
                **SPARK,
            ),
            *repeated(
                "MERGE INTO lake.db.a_merge_and_reports t USING shop.public.changes s"
                " ON t.order_id = s.order_id WHEN MATCHED THEN UPDATE SET amount = s.amount",
                3,
                user="etl",
                **SPARK,
            ),
        ],
        # 58 of 60 files, ten times, of 760.
        expected=(
            Expected(
                "wrapped_column", ("ts",), (0.7, 0.78), False, True, (r"2026-01-\d\d 00:00:00",)
            ),
            Expected("runtime_only", (), statements=False),
        ),
        tempting={
            "no_partition_filter": "a MERGE is restricted as it runs",
            "misaligned_partitioning": "reports ask for days",
            "unclustered_column": "the source of a MERGE tells which rows are wanted",
        },
        never=("DROP",),
    ),
    # A load asks for what was changed on the last day: nearly every day has such a row, and holds
    # one file. By days of change, reports on days of creation would read ten times as much.
    Pair(
        "loads_by_change",
        changed_later,
        [
            *each(
                "SELECT count(*) FROM lake.db.loads_by_change"
                " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 58, 2)],
            ),
            *each(
                "SELECT * FROM lake.db.loads_by_change WHERE updated_at >= TIMESTAMP '{}'",
                [instant(n * DAY) for n in (57, 58, 59)],
                user="etl",
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("updated_at",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
