"""Who asks: two engines, lookups beside copies, joins beside lookups, and LIMIT."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

COUNT = 60 * FILE_ROWS


def _days_of_four_files(seed: int) -> Layout:
    """15 days of four files each, with customers in no order."""
    draw = rng(seed)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 15 * DAY, COUNT)),
                "customer_id": draw.integers(0, 3000, COUNT),
            }
        ),
        "days(ts)",
    )


def two_engines() -> Layout:
    """15 days of four files each."""
    return _days_of_four_files(6601)


def vips() -> Layout:
    """15 days of four files each."""
    return _days_of_four_files(6602)


def unordered() -> Layout:
    """60 files of orders in no order."""
    return laid_out(table({"order_id": rng(6603).permutation(COUNT), "kind": np.arange(COUNT) % 7}))


def shuffled() -> Layout:
    """60 files, as a shuffle left them, of orders whose numbers grow with time."""
    draw = rng(6604)
    order = draw.permutation(COUNT)
    seconds = np.sort(draw.uniform(0, 60 * DAY, COUNT))
    return laid_out(table({"order_no": order, "created_at": times(seconds[order])}))


def good_days() -> Layout:
    """60 days of one file each."""
    draw = rng(6605)
    return laid_out(table({"ts": times(draw.uniform(0, 60 * DAY, COUNT))}), "days(ts)")


PAIRS = (
    # Support looks customers up in one engine, the shop in another: one order serves both.
    Pair(
        "lookups_of_both_engines",
        two_engines,
        [
            *each(
                "SELECT * FROM lake.db.lookups_of_both_engines WHERE customer_id = {}",
                range(20, 3000, 375),
                user="support",
            ),
            *each(
                "SELECT ts FROM lake.db.lookups_of_both_engines WHERE customer_id = {}",
                range(170, 3000, 375),
                user="shop",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.lookups_of_both_engines"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(13)],
            ),
        ],
        # 960 of 1,116 files are read for customers: 720 would not be.
        expected=(Expected("no_partition_filter", ("customer_id",), (0.55, 0.72), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"unclustered_column": "it is the same loss"},
        never=("DROP", "REPLACE"),
    ),
    # There is one such order, so LIMIT ends nothing before the last file.
    Pair(
        "one_order_limit_one",
        unordered,
        each(
            "SELECT * FROM lake.db.one_order_limit_one WHERE order_id = {} LIMIT 1",
            range(77, COUNT, 1500),
        ),
        expected=(Expected("unclustered_column", ("order_id",), (0.9, 0.99), True, False),),
    ),
    # 24 lookups and eight joins read all of it: an order by customer serves lookups for certain.
    Pair(
        "vips_joined_and_looked_up",
        vips,
        [
            *each(
                "SELECT * FROM lake.db.vips_joined_and_looked_up WHERE customer_id = {}",
                range(11, 3000, 125),
            ),
            *repeated(
                "SELECT o.* FROM lake.db.vips_joined_and_looked_up o"
                " JOIN shop.public.vips v ON o.customer_id = v.customer_id",
                8,
                user="marketing",
            ),
        ],
        # 1,440 of 1,920 files are read for lookups, and 1,080 would not be.
        expected=(
            Expected("no_partition_filter", ("customer_id",), (0.45, 0.6), True, False),
            Expected("runtime_only", ("customer_id",), statements=False),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"unclustered_column": "it is the same loss"},
        never=("DROP", "REPLACE"),
    ),
    # Numbers grow with time, so that an order by either is one by both.
    Pair(
        "numbers_that_follow_the_clock",
        shuffled,
        [
            *each(
                "SELECT * FROM lake.db.numbers_that_follow_the_clock WHERE order_no = {}",
                range(50, COUNT, 1800),
            ),
            *each(
                "SELECT count(*) FROM lake.db.numbers_that_follow_the_clock"
                " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 60, 3)],
                user="finance",
            ),
        ],
        expected=(Expected("unclustered_column", (), (0.45, 0.98), True, False),),
        allowed=(Expected("unclustered_column", ()),),
    ),
    # The copies read all of it in any order.
    Pair(
        "nightly_copies_beside_lookups",
        unordered,
        [
            *repeated("SELECT * FROM lake.db.nightly_copies_beside_lookups", 10, user="backup"),
            *each(
                "SELECT * FROM lake.db.nightly_copies_beside_lookups WHERE order_id = {}",
                (5, 17_000, 31_000),
                user="support",
            ),
        ],
        # Of 720 files 120 are read by two lookups; that of the least ids is told by bounds.
        expected=(Expected("unclustered_column", ("order_id",), (0.14, 0.18), True, False),),
    ),
    # Trino makes ranges of its functions, and Spark was given ranges.
    Pair(
        "days_of_both_engines_as_they_ask",
        good_days,
        [
            *each(
                "SELECT count(*) FROM lake.db.days_of_both_engines_as_they_ask"
                " WHERE date(ts) = DATE '{}'",
                [day(n) for n in range(0, 60, 6)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.days_of_both_engines_as_they_ask"
                " WHERE date_trunc('day', ts) = TIMESTAMP '{}'",
                [instant(n * DAY) for n in range(2, 60, 6)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.days_of_both_engines_as_they_ask"
                " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(4, 59, 6)],
                **SPARK_35,
            ),
        ],
        tempting={
            "wrapped_column": "Trino unwraps its functions",
            "type_mismatch": "a date of a time is unwrapped",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
