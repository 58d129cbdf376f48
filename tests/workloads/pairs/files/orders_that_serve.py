"""Orders that tables have already, and what they are good for."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.files.orders_within_partitions import sorted_once
from tests.workloads.pairs.queries.needs_of_several import laboratory, sales_of_sellers
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)


def soft_deleted() -> Layout:
    """60 files, of which three have deleted rows. Of when these were deleted, metadata tells how
    many are null, and no bounds."""
    draw = rng(7801)
    count = 60 * FILE_ROWS
    deleted = np.zeros(count, np.bool_)
    deleted[10 * FILE_ROWS : 13 * FILE_ROWS] = draw.random(3 * FILE_ROWS) < 0.5
    moments = times(draw.uniform(0, 60 * DAY, count)).to_numpy(zero_copy_only=False)
    return laid_out(
        table(
            {
                "deleted_at": pa.array(
                    np.where(deleted, moments.astype(object), None), pa.timestamp("us")
                ),
                "customer_id": draw.integers(0, 4000, count),
            }
        ),
        properties={"write.metadata.metrics.column.deleted_at": "counts"},
    )


def tiles() -> Layout:
    """64 files, each of an eighth of all longitudes and an eighth of all latitudes."""
    draw = rng(7802)
    files = []
    for number in range(64):
        x, y = number % 8, number // 8
        files.append(
            table(
                {
                    "lon": x + draw.random(FILE_ROWS),
                    "lat": y + draw.random(FILE_ROWS),
                },
                number,
            )
        )
    return Layout((Commit(tuple(files)),), (), scaled())


def trades() -> Layout:
    """60 files in order of time. Keys are numbered as trades happen, within some seconds."""
    draw = rng(7803)
    count = 60 * FILE_ROWS
    seconds = np.sort(draw.uniform(0, 60 * DAY, count))
    numbers = np.argsort(np.argsort(seconds + draw.uniform(0, 300, count)))
    rows = table(
        {
            "traded_at": times(seconds),
            "trade_no": texts(numbers, "T{:010d}"),
            "symbol": texts(draw.integers(0, 40, count), "S{:02d}"),
        }
    )
    return Layout((Commit(tuple(cut(rows, FILE_ROWS))),), (), scaled())


PAIRS = (
    # The newer half of the days was never sorted, and is what is asked for.
    Pair(
        "stores_of_days_not_sorted_yet",
        sorted_once,
        each(
            "SELECT * FROM lake.db.stores_of_days_not_sorted_yet WHERE store_id = {}"
            f" AND ts >= TIMESTAMP '{instant(8 * DAY)}'",
            range(7, 400, 16),
        ),
        expected=(Expected("unclustered_column", ("store_id",), (0.7, 0.9), True, False),),
        tempting={"partitions_too_coarse": "whole days are asked for"},
        never=("PARTITION FIELD",),
    ),
    # Counts of nulls rule out 57 of 60 files: bounds would not tell more.
    Pair(
        "deleted_rows_by_counts_of_nulls",
        soft_deleted,
        [
            *repeated(
                "SELECT * FROM lake.db.deleted_rows_by_counts_of_nulls"
                " WHERE deleted_at IS NOT NULL",
                12,
                user="gdpr",
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.deleted_rows_by_counts_of_nulls"
                " WHERE deleted_at IS NULL",
                3,
                **SPARK,
            ),
        ],
        tempting={
            "no_column_metrics": "counts of nulls are what is needed",
            "unclustered_column": "what is deleted lies together",
            "negated_condition": "all but few rows match",
        },
        never=("TBLPROPERTIES", "ORDERED BY", "PARTITION FIELD"),
    ),
    # Eight files of 64 for either; an order by one would be 64 for the other.
    Pair(
        "strips_of_either_side_of_tiles",
        tiles,
        [
            *each(
                "SELECT count(*) FROM lake.db.strips_of_either_side_of_tiles"
                " WHERE lon BETWEEN {} AND {}",
                [(f"{n / 4 + 0.1:.2f}e0", f"{n / 4 + 0.15:.2f}e0") for n in range(0, 32, 2)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.strips_of_either_side_of_tiles"
                " WHERE lat BETWEEN {} AND {}",
                [(f"{n / 4 + 0.1:.2f}e0", f"{n / 4 + 0.15:.2f}e0") for n in range(0, 32, 2)],
            ),
        ],
        allowed=(
            Expected("unclustered_column", ("lon",), statements=False),
            Expected("unclustered_column", ("lat",), statements=False),
        ),
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Wards are what nurses want as a whole; a day is a file of each ward, in order of time.
    Pair(
        "days_of_wards_in_order_of_time",
        laboratory,
        [
            *each(
                "SELECT * FROM lake.db.days_of_wards_in_order_of_time WHERE ward = 'W{:02d}'",
                [n % 20 for n in range(60)],
            ),
            *each(
                "SELECT ward, count(*) FROM lake.db.days_of_wards_in_order_of_time"
                " WHERE taken_at >= TIMESTAMP '{} UTC' AND taken_at < TIMESTAMP '{} UTC'"
                " GROUP BY ward",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(3, 59, 4)],
                user="report",
            ),
        ],
        tempting={
            "no_partition_filter": "files of a ward are in order of time",
            "misaligned_partitioning": "months would cut what is in order",
            "unclustered_column": "wards are wanted as a whole",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Buckets keep nothing together but sellers, of which nobody asks for one: 32 files for a day.
    Pair(
        "days_in_buckets_that_nobody_needs",
        sales_of_sellers,
        each(
            "SELECT count(*) FROM lake.db.days_in_buckets_that_nobody_needs"
            " WHERE sold_at >= TIMESTAMP '{}' AND sold_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(2, 58, 3)],
        ),
        expected=(
            Expected(
                "misaligned_partitioning|no_partition_filter", ("seller_id|sold_at",), None, True
            ),
        ),
        allowed=(Expected("no_partition_filter", ("sold_at",)),),
        tempting={"unclustered_column": "it is the partitions that spread days"},
    ),
    # Neither the key nor the time needs an order that the table does not have.
    Pair(
        "trades_by_number_and_by_time",
        trades,
        [
            *each(
                "SELECT * FROM lake.db.trades_by_number_and_by_time WHERE trade_no = 'T{:010d}'",
                range(9, 36_000, 1700),
            ),
            *each(
                "SELECT * FROM lake.db.trades_by_number_and_by_time WHERE symbol = 'S{:02d}'"
                " AND traded_at >= TIMESTAMP '{}' AND traded_at < TIMESTAMP '{}'",
                [(n % 40, instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 58, 2)],
            ),
        ],
        tempting={
            "unclustered_column": "one file or two are left",
            "truncated_bounds": "numbers have eleven characters",
        },
        never=("ORDERED BY", "PARTITION FIELD", "TBLPROPERTIES"),
    ),
)
