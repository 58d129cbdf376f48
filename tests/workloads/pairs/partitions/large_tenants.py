"""Tables of many tenants, of which a few are large."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, each, instant, laid_out, rng, table, times

COUNT = 60 * FILE_ROWS
MONTH_STARTS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)


def whale() -> Layout:
    """A tenant of 40 files, with any of 60 days in each, and 200 tenants of a tenth of a file."""
    draw = rng(6101)
    small = np.repeat(np.arange(1, 201), 60)
    tenants = np.concatenate([np.zeros(40 * FILE_ROWS, np.int64), small])
    return laid_out(
        table(
            {
                "tenant_id": tenants,
                "ts": times(draw.uniform(0, 60 * DAY, len(tenants))),
            }
        ),
        "tenant_id",
    )


def hashed_tenants() -> Layout:
    """16 buckets of about four files each, with any of its 25 tenants in each file."""
    draw = rng(6102)
    count = 64 * FILE_ROWS
    return laid_out(
        table(
            {
                "tenant_id": draw.integers(0, 400, count),
                "ts": times(draw.uniform(0, 60 * DAY, count)),
            }
        ),
        "bucket(16, tenant_id)",
    )


def zipf() -> Layout:
    """15 days of four files each. Of 60 tenants the first has a fifth of the rows, the second a
    tenth, and so on."""
    draw = rng(6103)
    weights = 1 / np.arange(1, 61)
    return laid_out(
        table(
            {
                "tenant_id": draw.choice(60, COUNT, p=weights / weights.sum()),
                "ts": times(draw.uniform(0, 15 * DAY, COUNT)),
            }
        ),
        "days(ts)",
    )


def whale_by_month() -> Layout:
    """A tenant of four files a month, and 40 of ten rows a month each."""
    draw = rng(6104)
    large = 48 * FILE_ROWS
    tenants = np.concatenate([np.zeros(large, np.int64), np.repeat(np.arange(1, 41), 120)])
    return laid_out(
        table(
            {
                "tenant_id": tenants,
                "ts": times(draw.uniform(0, 365 * DAY, len(tenants))),
            }
        ),
        "tenant_id",
        "months(ts)",
    )


def tenants_in_order_of_time() -> Layout:
    """Eight buckets of tenants of about seven files each, in order of time within."""
    draw = rng(6105)
    count = 56 * FILE_ROWS
    return laid_out(
        table(
            {
                "tenant_id": draw.integers(0, 400, count),
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, count))),
            }
        ),
        "bucket(8, tenant_id)",
    )


PAIRS = (
    # A day of the large tenant is in 40 files, where one or two would do. A small one is one file,
    # and wanted as a whole.
    Pair(
        "whale_and_minnows",
        whale,
        [
            *each(
                "SELECT count(*) FROM lake.db.whale_and_minnows WHERE tenant_id = 0"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 60, 3)],
            ),
            *each("SELECT * FROM lake.db.whale_and_minnows WHERE tenant_id = {}", range(1, 200, 5)),
        ],
        expected=(Expected("unclustered_column", ("ts",), (0.85, 0.98), True, False),),
        tempting={
            "partitions_too_fine": "a small tenant's scan opens its one file",
            "small_files": "no scan opens many",
            "no_partition_filter": "each names its tenant",
        },
        # 200 tenants of 60 days each would be 12,000 partitions of one row.
        never=("PARTITION FIELD",),
    ),
    # Three of 16 buckets, of four files each; one of a bucket's files would have a tenant.
    Pair(
        "tenants_in_lists_of_buckets",
        hashed_tenants,
        [
            *each(
                "SELECT * FROM lake.db.tenants_in_lists_of_buckets WHERE tenant_id IN ({}, {}, {})",
                [(n, (n * 7 + 31) % 400, (n * 13 + 77) % 400) for n in range(3, 400, 25)],
            ),
            *each(
                "SELECT * FROM lake.db.tenants_in_lists_of_buckets WHERE tenant_id IN ({}, {})",
                [(n, (n * 11 + 51) % 400) for n in range(9, 400, 40)],
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("tenant_id",), (0.5, 0.78), True, False),),
        tempting={
            "long_in_list": "three values are few",
            "range_on_bucketed_column": "a list has its buckets",
            "partitions_too_coarse": "buckets are no ranges",
        },
        never=("PARTITION FIELD",),
    ),
    # Everybody asks for all of their days; the large tenant asks most.
    Pair(
        "zipf_tenants_of_a_fortnight",
        zipf,
        each(
            "SELECT count(*) FROM lake.db.zipf_tenants_of_a_fortnight WHERE tenant_id = {}"
            f" AND ts >= TIMESTAMP '{instant(0)}'",
            [0] * 10 + [1] * 5 + [2] * 3 + list(range(3, 15)),
        ),
        # Of a day's four files one or two.
        expected=(
            Expected(
                "unclustered_column|no_partition_filter",
                ("tenant_id",),
                (0.48, 0.72),
                True,
                False,
            ),
        ),
        tempting={"partitions_too_coarse": "all days are wanted"},
        # A bucket of a day would be less than a file.
        never=("DROP", "REPLACE", "bucket"),
    ),
    # 480 of 492 partitions hold ten rows, and hardly anybody reads them.
    Pair(
        "whale_months",
        whale_by_month,
        [
            *each(
                "SELECT count(*) FROM lake.db.whale_months WHERE tenant_id = 0"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [
                    (instant(MONTH_STARTS[n % 12] * DAY), instant(MONTH_STARTS[n % 12 + 1] * DAY))
                    for n in range(30)
                ],
            ),
            *each("SELECT * FROM lake.db.whale_months WHERE tenant_id = {}", range(3, 40, 7)),
        ],
        tempting={
            "partitions_too_fine": "what is read are months of the large tenant, of four files",
            "small_files": "no scan opens a hundred",
            "misaligned_partitioning": "both fields are asked for",
        },
    ),
    # The bucket and the time leave one file or two of 56.
    Pair(
        "tenants_hashed_and_in_order_of_time",
        tenants_in_order_of_time,
        each(
            "SELECT * FROM lake.db.tenants_hashed_and_in_order_of_time WHERE tenant_id = {}"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(n, instant(n % 58 * DAY), instant((n % 58 + 2) * DAY)) for n in range(5, 400, 13)],
        ),
        tempting={
            "unclustered_column": "one file or two are left",
            "no_partition_filter": "the bucket is used, and the order of times",
            "partitions_too_coarse": "so little is read that nothing is won",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
