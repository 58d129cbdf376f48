"""Workloads of which there is nothing to say, or next to nothing."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

COUNT = 40 * FILE_ROWS


def days() -> Layout:
    """A partition for each of 40 days, one whole file each, with any customers and products."""
    draw = rng(121)
    seconds = np.repeat(np.arange(40), FILE_ROWS) * DAY + draw.uniform(0, DAY, COUNT)
    return laid_out(
        table(
            {
                "ts": times(seconds),
                "customer_id": draw.integers(0, 10_000, COUNT),
                "product_id": draw.integers(0, 1_000, COUNT),
                "amount": np.arange(COUNT),
            }
        ),
        "days(ts)",
    )


def dates_of_facts() -> Layout:
    """A partition for each of 40 dates, one whole file each."""
    numbers = np.repeat(np.arange(40), FILE_ROWS)
    return laid_out(table({"day": dates(numbers), "amount": np.arange(COUNT)}), "day")


def scattered() -> Layout:
    """40 files with any customers in each."""
    return laid_out(table({"customer_id": rng(122).integers(0, 10_000, COUNT)}))


DAILY = [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 40, 4)]

PAIRS = (
    Pair(
        "perfect_days",
        days,
        each(
            "SELECT sum(amount) FROM lake.db.perfect_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            DAILY,
        ),
        tempting={"unclustered_column": "the partitions say it all"},
    ),
    Pair(
        "days_and_a_state",
        days,
        each(
            "SELECT sum(amount) FROM lake.db.days_and_a_state"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' AND product_id = 7",
            DAILY,
        ),
        allowed=(Expected("row_groups_not_pruned", ("product_id",)),),
        tempting={
            "unclustered_column": "the day is one file",
            "no_partition_filter": "the day is asked for",
        },
    ),
    Pair(
        "everything_summed",
        scattered,
        repeated("SELECT customer_id, count(*) FROM lake.db.everything_summed GROUP BY 1", 20),
        tempting={"unclustered_column": "all rows are wanted"},
    ),
    # No filter at all: what a top-N skips is decided while it runs.
    Pair(
        "latest_rows",
        days,
        repeated("SELECT * FROM lake.db.latest_rows ORDER BY ts DESC LIMIT 100", 10),
        tempting={"no_partition_filter": "there is no filter"},
        never=("DROP",),
    ),
    Pair(
        "latest_of_a_day",
        days,
        each(
            "SELECT * FROM lake.db.latest_of_a_day WHERE ts >= TIMESTAMP '{}'"
            " AND ts < TIMESTAMP '{}' ORDER BY amount DESC LIMIT 10",
            DAILY,
        ),
    ),
    # Once, and small: nobody lays a table out for it.
    Pair(
        "one_off",
        scattered,
        repeated("SELECT * FROM lake.db.one_off WHERE customer_id = 17", 1),
        thresholds={"min_scans": 2},
        tempting={"unclustered_column": "one query, once"},
    ),
    # A table of 2 MB is not worth anybody's time.
    Pair(
        "small_table",
        scattered,
        each("SELECT * FROM lake.db.small_table WHERE customer_id = {}", range(13, 10_000, 500)),
        thresholds={"small_table_bytes": 1_000_000_000},
        tempting={"unclustered_column": "the table is small"},
    ),
    # Whoever copies a table reads it whole on purpose.
    Pair(
        "copied_nightly",
        scattered,
        each(
            "SELECT * FROM lake.db.copied_nightly WHERE customer_id % 10 = {}",
            range(10),
            user="etl-copy",
        ),
        findings={"maintenance_users": ["etl-*"]},
        tempting={"wrapped_column": "maintenance reads all that it can"},
    ),
    # A remainder is in every file in any order but its own.
    Pair(
        "remainders",
        scattered,
        each("SELECT * FROM lake.db.remainders WHERE customer_id % 10 = {}", range(10)),
        allowed=(Expected("wrapped_column", ("customer_id",), statements=False, rewrite=False),),
        tempting={"unclustered_column": "no order of customers brings remainders together"},
        unsaid=(r"[Rr]ange|>= \?",),
    ),
    # Only a join restricts the facts, by a column that nothing is laid out by: to be named.
    Pair(
        "joined_products",
        days,
        repeated(
            "SELECT sum(f.amount) FROM lake.db.joined_products f JOIN shop.public.products p"
            " ON f.product_id = p.product_id WHERE p.brand = 'Acme'",
            10,
        ),
        expected=(Expected("runtime_only", (), None, False, says=("product_id",)),),
        tempting={"no_partition_filter": "no condition has a literal", "unclustered_column": "so"},
        never=("DROP",),
    ),
    # A join by what the table is partitioned by: engines skip partitions while the query runs.
    Pair(
        "joined_dates",
        dates_of_facts,
        repeated(
            "SELECT sum(f.amount) FROM lake.db.joined_dates f JOIN shop.public.holidays d"
            " ON f.day = d.day",
            10,
        ),
        allowed=(Expected("runtime_only", (), None, False),),
        tempting={"no_partition_filter": "the join is one", "misaligned_partitioning": "joined by"},
        never=("DROP",),
    ),
    # Filtered, and joined: the filter leaves one file, so there is nothing to say of the join.
    Pair(
        "joined_days",
        days,
        each(
            "SELECT sum(f.amount) FROM lake.db.joined_days f JOIN shop.public.products p"
            " ON f.product_id = p.product_id"
            " WHERE f.ts >= TIMESTAMP '{}' AND f.ts < TIMESTAMP '{}'",
            DAILY,
        ),
        tempting={"runtime_only": "the day restricts it"},
    ),
    # From some day on to the end: all that is read matches.
    Pair(
        "since_some_day",
        days,
        each(
            "SELECT sum(amount) FROM lake.db.since_some_day WHERE ts >= TIMESTAMP '{}'",
            [instant(n * DAY) for n in range(8)],
        ),
        tempting={"partitions_too_fine": "days are whole", "small_files": "files are whole"},
    ),
)
