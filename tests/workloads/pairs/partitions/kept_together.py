"""What partitions keep together, and what lies in all of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.partitions.of_platforms import sensors_of_months
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)

BY_DAY = ("days(ts)",)


def stock_of_warehouses() -> Layout:
    """Twelve warehouses of eight files each, in order of articles, which each of them has."""
    draw = rng(8601)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "sku": np.sort(draw.integers(0, 50_000, count)),
                "warehouse": texts(draw.integers(0, 12, count), "W{:02d}"),
            }
        ),
        "warehouse",
    )


def receipts_of_stores() -> Layout:
    """20 stores of four files each, in no order, whose customers live around: every fifth also
    goes to the next one."""
    draw = rng(8602)
    count = 80 * FILE_ROWS
    store = np.repeat(np.arange(20), count // 20)
    home = (store - (draw.uniform(0, 1, count) < 0.2)) % 20
    return laid_out(
        table(
            {
                "customer_id": home * 500 + draw.integers(0, 500, count),
                "store": texts(store, "S{:02d}"),
            }
        ),
        "store",
    )


def _in_time(draw: np.random.Generator, first: int, last: int) -> pa.Table:
    seconds = np.sort(draw.uniform(first * DAY, last * DAY, (last - first) * FILE_ROWS))
    return table({"ts": times(seconds)}, first)


def days_since() -> Layout:
    """60 files in order of 60 days, of one size, and partitions of days since."""
    draw = rng(8603)
    old = Commit(tuple(cut(_in_time(draw, 0, 60), FILE_ROWS)))
    return Layout((old, Commit(loaded(_in_time(draw, 60, 70), BY_DAY, FILE_ROWS), BY_DAY)), BY_DAY, scaled())


def _days(name: str) -> list[Query]:
    return each(
        f"SELECT avg(sensor_id) FROM lake.db.{name}"
        " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
        [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(15, 75)],
    )


PAIRS = (
    # Days would win 3,480 files, and sensors lose 5,200; ranges of sensors win of both.
    Pair(
        "sensors_often_in_months",
        sensors_of_months,
        [
            *_days("sensors_often_in_months"),
            *each(
                "SELECT * FROM lake.db.sensors_often_in_months WHERE sensor_id = {}",
                range(13, 4000, 66),
            ),
        ],
        expected=(Expected("partitions_too_coarse", ("ts",), (0.25, 0.4), statements=True),),
        allowed=(Expected("misaligned_partitioning", (), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY ts"),
    ),
    # A range is in a file of each warehouse, and would be in one or two without them.
    Pair(
        "articles_of_all_warehouses",
        stock_of_warehouses,
        each(
            "SELECT * FROM lake.db.articles_of_all_warehouses WHERE sku BETWEEN {} AND {}",
            [(n, n + 60) for n in range(200, 49_000, 1100)],
        ),
        expected=(
            Expected("misaligned_partitioning", ("warehouse",), None, True, says=("sort_order",)),
        ),
        allowed=(Expected("no_partition_filter", ("sku",)),),
    ),
    # Stores keep customers together; in order, a store has one in one of its four files.
    Pair(
        "customers_around_their_stores",
        receipts_of_stores,
        each(
            "SELECT * FROM lake.db.customers_around_their_stores WHERE customer_id = {}",
            range(33, 10_000, 130),
        ),
        expected=(Expected("no_partition_filter", ("customer_id",), (0.55, 0.8), True, False),),
        tempting={"misaligned_partitioning": "stores keep customers together"},
        never=("PARTITION FIELD",),
    ),
    # A week is in eight old files, which begin and end in days, and would be in seven.
    Pair(
        "weeks_of_files_in_order",
        days_since,
        each(
            "SELECT count(*) FROM lake.db.weeks_of_files_in_order"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 7) * DAY)) for n in range(60)],
            **SPARK,
        ),
        tempting={
            "old_spec_files": "they are in order of time",
            "unclustered_column": "they are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
