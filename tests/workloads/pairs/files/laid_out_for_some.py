"""Tables that are laid out for some of their readers, and what others would have."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)

BY_DAY = ("days(ts)",)
HOUR = 3600


def _readings(seed: int, first: int, last: int, *, in_order: bool) -> pa.Table:
    draw = rng(seed)
    count = (last - first) * 6 * FILE_ROWS
    meters = draw.integers(0, 2000, count)
    return table(
        {
            "ts": times(draw.uniform(first * DAY, last * DAY, count)),
            "meter_id": np.sort(meters) if in_order else meters,
        },
        seed,
    )


def meters_compacted() -> Layout:
    """24 days of six files each. A job puts each day in order of meters, three days later."""
    old = Commit(loaded(_readings(8101, 0, 21, in_order=True), BY_DAY, FILE_ROWS), BY_DAY)
    new = Commit(loaded(_readings(8102, 21, 24, in_order=False), BY_DAY, FILE_ROWS), BY_DAY)
    return Layout((old, new), BY_DAY, scaled())


def orders_of_customers() -> Layout:
    """60 files in order of customers; a day's orders are in all of them."""
    draw = rng(8103)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "ordered_at": times(draw.uniform(0, 60 * DAY, count)),
                "customer_id": np.sort(draw.integers(0, 8000, count)),
            }
        )
    )


def ticks() -> Layout:
    """Ten days of eight files each, in order of time. Any symbol is traded all day."""
    draw = rng(8104)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 10 * DAY, count))),
                "symbol": texts(draw.integers(0, 500, count), "S{:03d}"),
            }
        ),
        *BY_DAY,
    )


def price_lists() -> Layout:
    """Twelve loads of five files each, in order of articles within a load."""
    draw = rng(8105)
    size = 5 * FILE_ROWS
    rows = pa.concat_tables(
        table(
            {
                "load_id": np.full(size, load),
                "sku": texts(np.sort(draw.permutation(20_000)[:size]), "{:06d}"),
            },
            8105 + load,
        )
        for load in range(12)
    )
    return laid_out(rows, commits=12)


def claims() -> Layout:
    """80 files in order of time; two of a hundred claims are open, of any age."""
    draw = rng(8106)
    count = 80 * FILE_ROWS
    states = np.where(draw.uniform(0, 1, count) < 0.02, "OPEN", "CLOSED")
    return laid_out(
        table(
            {
                "claimed_at": times(np.sort(draw.uniform(0, 140 * DAY, count))),
                "status": texts(states.tolist()),
            }
        )
    )


def trades() -> Layout:
    """100 files in no order, which are asked for either side of a trade."""
    draw = rng(8107)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "buyer_id": draw.integers(0, 5000, count),
                "seller_id": draw.integers(0, 5000, count),
            }
        )
    )


PAIRS = (
    # Three of 75 scans ask for a meter before its day is in order: 15 files of 144, and of 78 that
    # are read for meters.
    Pair(
        "meters_in_order_but_for_three_days",
        meters_compacted,
        [
            *each(
                "SELECT * FROM lake.db.meters_in_order_but_for_three_days WHERE meter_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [
                    (n * 53 % 2000, instant(n % 21 * DAY), instant((n % 21 + 1) * DAY))
                    for n in range(1, 61)
                ],
            ),
            *each(
                "SELECT * FROM lake.db.meters_in_order_but_for_three_days WHERE meter_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 77, instant(n * DAY), instant((n + 1) * DAY)) for n in range(21, 24)],
            ),
            *each(
                "SELECT meter_id, count(*) FROM lake.db.meters_in_order_but_for_three_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY meter_id",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 21, 2)],
            ),
        ],
        tempting={
            "unclustered_column": "all but the newest days are in order of it",
            "no_partition_filter": "days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # An order by time would have each of 150 lookups read 60 files instead of one.
    Pair(
        "customers_often_and_days_rarely",
        orders_of_customers,
        [
            *each(
                "SELECT * FROM lake.db.customers_often_and_days_rarely WHERE customer_id = {}",
                range(11, 8000, 53),
            ),
            *each(
                "SELECT count(*) FROM lake.db.customers_often_and_days_rarely"
                " WHERE ordered_at >= TIMESTAMP '{}' AND ordered_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in (3, 17, 31, 55)],
            ),
        ],
        allowed=(Expected("unclustered_column", ("ordered_at",), statements=False),),
        tempting={"row_groups_not_pruned": "a day is in each row group"},
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    # Symbols would win 560 files, windows would lose 2,000.
    Pair(
        "windows_of_ticks_and_symbols",
        ticks,
        [
            *each(
                "SELECT * FROM lake.db.windows_of_ticks_and_symbols WHERE symbol = 'S{:03d}'"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 6, instant(n % 10 * DAY), instant((n % 10 + 1) * DAY)) for n in range(1, 81)],
            ),
            *each(
                "SELECT count(symbol) FROM lake.db.windows_of_ticks_and_symbols"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * 2867), instant(n * 2867 + HOUR // 2)) for n in range(300)],
            ),
        ],
        allowed=(Expected("unclustered_column", ("symbol",), statements=False),),
        tempting={
            "no_partition_filter": "days are asked for",
            "partitions_too_coarse": "files of a day are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Articles would win 275 files, loads would lose 3,300.
    Pair(
        "articles_and_whole_loads",
        price_lists,
        [
            *each(
                "SELECT * FROM lake.db.articles_and_whole_loads WHERE sku = '{:06d}'",
                range(50, 20_000, 800),
            ),
            *each(
                "SELECT * FROM lake.db.articles_and_whole_loads WHERE load_id = {}",
                [n % 12 for n in range(60)],
            ),
        ],
        allowed=(Expected("unclustered_column", ("sku",), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    # The same loads, of which hardly anybody wants one as a whole: 985 files become 390.
    Pair(
        "articles_of_all_loads",
        price_lists,
        [
            *each(
                "SELECT * FROM lake.db.articles_of_all_loads WHERE sku = '{:06d}'",
                range(50, 20_000, 250),
            ),
            *repeated("SELECT * FROM lake.db.articles_of_all_loads WHERE load_id = 11", 5),
        ],
        expected=(Expected("unclustered_column", ("sku",), (0.5, 0.93), True, False),),
        never=("PARTITION FIELD",),
    ),
    # Open claims would be in two files instead of 80, and a week in up to 80 instead of five.
    Pair(
        "open_claims_of_any_age",
        claims,
        [
            *repeated("SELECT * FROM lake.db.open_claims_of_any_age WHERE status = 'OPEN'", 200),
            *each(
                "SELECT count(*) FROM lake.db.open_claims_of_any_age"
                " WHERE claimed_at >= TIMESTAMP '{}' AND claimed_at < TIMESTAMP '{}'",
                [(instant(2 * n * DAY), instant((2 * n + 7) * DAY)) for n in range(60)],
            ),
        ],
        expected=(Expected("unclustered_column", ("status",), (0.5, 0.98), True, False),),
        tempting={"negated_condition": "it is said what is wanted"},
    ),
    # By either, the other reads all; by both, each reads about a tenth.
    Pair(
        "buyers_and_sellers",
        trades,
        [
            *each(
                "SELECT * FROM lake.db.buyers_and_sellers WHERE buyer_id = {}", range(7, 5000, 83)
            ),
            *each(
                "SELECT * FROM lake.db.buyers_and_sellers WHERE seller_id = {}", range(9, 5000, 83)
            ),
        ],
        expected=(
            Expected("unclustered_column", ("buyer_id|seller_id",), (0.42, 0.95), True, False),
        ),
        allowed=(
            Expected("unclustered_column", ("buyer_id|seller_id",), statements=False),
            Expected("row_groups_not_pruned", ("buyer_id|seller_id",)),
        ),
        never=("PARTITION FIELD",),
    ),
)
