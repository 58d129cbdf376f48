"""One value that most rows have."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
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


def tenants() -> Layout:
    """A partition for each of 13 tenants. `big` has 54 files of 60, with any of 60 days in each;
    the others have half a file."""
    draw = rng(111)
    small = draw.random(COUNT) < 0.1
    names = np.where(small, draw.integers(0, 12, COUNT), -1)
    labels = ["big" if name < 0 else f"t{name}" for name in names]
    return laid_out(
        table(
            {
                "tenant": texts(labels),
                "ts": times(draw.uniform(0, 60 * DAY, COUNT)),
                "amount": np.arange(COUNT),
            }
        ),
        "tenant",
    )


def shops() -> Layout:
    """60 files with any shops; one shop has nine rows of ten."""
    draw = rng(112)
    shop = np.where(draw.random(COUNT) < 0.9, 0, draw.integers(1, 500, COUNT))
    return laid_out(table({"shop": shop, "amount": np.arange(COUNT)}))


def late_growth() -> Layout:
    """A partition of one year, of which December has 27 files of 30."""
    draw = rng(113)
    early = draw.uniform(0, 334 * DAY, 33 * FILE_ROWS)
    late = draw.uniform(334 * DAY, 365 * DAY, 27 * FILE_ROWS)
    seconds = draw.permutation(np.concatenate([early[: 3 * FILE_ROWS], late]))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "years(ts)")


PAIRS = (
    # Two days of 60 of the big tenant: 54 files read, two or three would do. The median of tenants,
    # half a file, says nothing of it.
    Pair(
        "days_of_the_big_tenant",
        tenants,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_the_big_tenant WHERE tenant = 'big'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 58, 4)],
        ),
        expected=(Expected("unclustered_column", ("ts",), (0.88, 0.97), True, False),),
        # A field for ts would do it as well; it counts no bytes.
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"partitions_too_fine": "the tenant that is read fills 54 files"},
        never=("DROP",),
    ),
    Pair(
        "days_of_all_tenants",
        tenants,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_all_tenants"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 58, 4)],
        ),
        # 66 files: 54 become three, 12 halves stay. Two months of two days' ranges are no help.
        expected=(
            Expected(
                "no_partition_filter",
                ("ts",),
                (0.75, 0.97),
                True,
                False,
                (r"days\(ts\)|WRITE ORDERED BY ts",),
            ),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
    ),
    # Each small tenant is one small file, and no larger one would be better.
    Pair(
        "small_tenants",
        tenants,
        each("SELECT sum(amount) FROM lake.db.small_tenants WHERE tenant = 't{}'", range(12)),
        tempting={
            "partitions_too_fine": "a scan opens one file, and reads what it needs",
            "small_files": "a scan opens one file",
        },
        never=("DROP",),
    ),
    # Nine rows of ten match, whatever the order.
    Pair(
        "the_big_shop",
        shops,
        repeated("SELECT sum(amount) FROM lake.db.the_big_shop WHERE shop = 0", 10),
        tempting={"unclustered_column": "nine rows of ten match"},
    ),
    Pair(
        "small_shops",
        shops,
        each("SELECT sum(amount) FROM lake.db.small_shops WHERE shop = {}", range(5, 500, 40)),
        # 7 rows of 36,000 match.
        expected=(Expected("unclustered_column", ("shop",), (0.93, 0.99), True, False),),
    ),
    # A twelfth of the year is asked for, and nine rows of ten match.
    Pair(
        "december",
        late_growth,
        repeated(
            "SELECT sum(amount) FROM lake.db.december WHERE ts >= TIMESTAMP '2026-12-01 00:00:00'"
            " AND ts < TIMESTAMP '2027-01-01 00:00:00'",
            10,
        ),
        tempting={
            "partitions_too_coarse": "nine rows of ten are in that month",
            "unclustered_column": "nine rows of ten match",
        },
    ),
)
