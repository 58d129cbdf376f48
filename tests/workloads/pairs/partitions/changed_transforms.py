"""Transforms that were changed, are too narrow or too wide, and what lies within partitions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    day_text,
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


def _sessions(seed: int, files: int) -> pa.Table:
    draw = rng(seed)
    count = files * FILE_ROWS
    return table(
        {"account": draw.integers(0, 8000, count), "spent": draw.integers(0, 99, count)}, seed
    )


def more_buckets_since() -> Layout:
    """Four buckets of ten files each, and 32 of one file each since."""
    before, since = ("bucket(4, account)",), ("bucket(32, account)",)
    return Layout(
        (
            Commit(loaded(_sessions(8891, 40), before, FILE_ROWS), before),
            Commit(loaded(_sessions(8892, 32), since, FILE_ROWS), since),
        ),
        since,
        scaled(),
    )


def narrow_ranges() -> Layout:
    """120 ranges of a hundred numbers, each of which is a hundredth of a file."""
    draw = rng(8893)
    count = 120 * 60
    return laid_out(
        table(
            {
                "block_no": np.sort(draw.integers(0, 12_000, count)),
                "gas": draw.integers(0, 9000, count),
            }
        ),
        "truncate(100, block_no)",
        file_rows=6000,
        properties=scaled(600_000),
    )


def days_by_number() -> Layout:
    """210 days by their number since the epoch, each a hundredth of a file."""
    draw = rng(8897)
    count = 210 * 60
    return laid_out(
        table(
            {
                "day_no": np.sort(draw.integers(20_454, 20_664, count)),
                "lot": draw.integers(0, 30, count),
            }
        ),
        "day_no",
        file_rows=6000,
        properties=scaled(600_000),
    )


def months_as_text() -> Layout:
    """Four months, as texts, of 25 files each, in any order within a month."""
    draw = rng(8894)
    count = 100 * FILE_ROWS
    seconds = draw.uniform(0, 120 * DAY, count)
    return laid_out(
        table(
            {
                "month": day_text((seconds // DAY).astype(int), "%Y-%m"),
                "ts": times(seconds),
                "door": draw.integers(0, 300, count),
            }
        ),
        "month",
    )


def sorted_by_tenant() -> Layout:
    """110 days of three files each, in order of ten tenants within a day."""
    draw = rng(8895)
    count = 330 * FILE_ROWS
    tenants = np.sort(draw.integers(0, 10, count))
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 110 * DAY, count)),
                "tenant": texts(tenants, "tenant {:02d}"),
                "kind": draw.integers(0, 30, count),
            }
        ),
        "days(ts)",
    )


def unknown_countries() -> Layout:
    """Ten countries of four files each, and eight files whose country nobody knows."""
    draw = rng(8896)
    count = 48 * FILE_ROWS
    codes = draw.integers(0, 12, count)
    return laid_out(
        table(
            {
                "country": pa.array([f"C{c}" if c < 10 else None for c in codes], pa.string()),
                "ts": times(np.sort(draw.uniform(0, 48 * DAY, count))),
            }
        ),
        "country",
    )


PAIRS = (
    # Ten old files and a new one, of which two small ones would do.
    Pair(
        "sessions_in_more_buckets_since",
        more_buckets_since,
        each(
            "SELECT sum(spent) FROM lake.db.sessions_in_more_buckets_since WHERE account = {}",
            range(9, 8000, 190),
        ),
        expected=(Expected("old_spec_files", ("account",), (0.7, 0.92), True, False),),
        tempting={"unclustered_column": "a rewrite by the new buckets is enough"},
        never=("PARTITION FIELD",),
    ),
    # A day of blocks is in twenty partitions, and would be in one file.
    Pair(
        "blocks_in_narrow_ranges",
        narrow_ranges,
        each(
            "SELECT sum(gas) FROM lake.db.blocks_in_narrow_ranges"
            " WHERE block_no >= {} AND block_no < {}",
            [(n * 250, n * 250 + 3000) for n in range(36)],
        ),
        expected=(Expected("partitions_too_fine", ("block_no",), statements=True),),
        tempting={
            "small_files": "no file spans two partitions",
            "unclustered_column": "numbers are in order",
        },
        never=("ORDERED BY", "DROP PARTITION FIELD"),
    ),
    # Four weeks from a number that 28 divides are what one partition of 28 holds.
    Pair(
        "four_weeks_by_their_days",
        days_by_number,
        each(
            "SELECT lot, count(*) FROM lake.db.four_weeks_by_their_days"
            " WHERE day_no >= {} AND day_no < {} GROUP BY lot",
            [(20_468 + 28 * (n % 6), 20_496 + 28 * (n % 6)) for n in range(36)],
        ),
        expected=(
            Expected(
                "partitions_too_fine", ("day_no",), statements=True, says=(r"truncate\(28, day_no",)
            ),
        ),
        tempting={"small_files": "no file spans two partitions"},
        never=("ORDERED BY", "DROP PARTITION FIELD"),
    ),
    # A month is asked for by its text, and one day within it.
    Pair(
        "doors_of_a_day_in_a_month",
        months_as_text,
        each(
            "SELECT door, count(*) FROM lake.db.doors_of_a_day_in_a_month WHERE month = '{}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY door",
            [
                (
                    f"2026-0{1 + (n >= 31) + (n >= 59) + (n >= 90)}",
                    instant(n * DAY),
                    instant((n + 1) * DAY),
                )
                for n in range(119, 30, -3)
            ],
        ),
        expected=(
            Expected(
                "unclustered_column|no_partition_filter|partitions_too_coarse",
                ("ts",),
                (0.85, 0.97),
                True,
                False,
            ),
        ),
        tempting={"misaligned_partitioning": "months are asked for"},
        never=("DROP PARTITION FIELD",),
    ),
    # A tenant is one file of a day, and part of another one at most.
    Pair(
        "kinds_of_a_tenant",
        sorted_by_tenant,
        [
            *each(
                "SELECT count(*) FROM lake.db.kinds_of_a_tenant WHERE tenant = 'tenant {:02d}'"
                " AND kind = {} AND ts >= TIMESTAMP '{}'",
                [(n % 10, n % 30, instant((109 - n % 5) * DAY)) for n in range(100)],
            ),
            *repeated(
                "SELECT tenant, count(*) FROM lake.db.kinds_of_a_tenant"
                f" WHERE ts >= TIMESTAMP '{instant(103 * DAY)}' GROUP BY tenant",
                7,
            ),
        ],
        # Promised 29 %, of which 8 % come: too few rows of a file are sampled to have all kinds.
        allowed=(Expected("unclustered_column", ("kind", "tenant"), (0, 0.32), True),),
        tempting={
            "row_groups_not_pruned": "a file is one row group of a few megabytes",
            "no_partition_filter": "days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Nulls are a partition as any other.
    Pair(
        "countries_that_nobody_knows",
        unknown_countries,
        [
            *repeated(
                "SELECT count(*) FROM lake.db.countries_that_nobody_knows WHERE country IS NULL", 20
            ),
            *each(
                "SELECT count(*) FROM lake.db.countries_that_nobody_knows WHERE country = 'C{}'"
                " AND ts >= TIMESTAMP '{}'",
                [(n % 10, instant((47 - n % 4) * DAY)) for n in range(40)],
            ),
        ],
        tempting={
            "misaligned_partitioning": "countries are asked for",
            "unclustered_column": "nulls are together",
            "partitions_too_coarse": "files of a country are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
