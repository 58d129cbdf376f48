"""Partitions that would serve some queries, and what the others lose by them."""

from __future__ import annotations

import uuid
from itertools import pairwise

import numpy as np
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
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

COUNT = 60 * FILE_ROWS
YEAR = 360 * DAY
MONTHS = [day(n) for n in (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304)]
BY_MONTH = ("months(ts)",)


def _rows(seed: int) -> pa.Table:
    """A year of rows in order of customers."""
    draw = rng(seed)
    return table(
        {
            "region": texts(draw.integers(0, 5, COUNT), "r{}"),
            "ts": times(draw.uniform(0, YEAR, COUNT)),
            "customer_id": np.sort(draw.integers(0, 3000, COUNT)),
        },
        seed,
    )


def customers_in_regions() -> Layout:
    """Five regions of twelve files each, in order of customers; any month is in each file."""
    return laid_out(_rows(5501), "region")


def customers_in_a_year() -> Layout:
    """A partition of a year of 60 files, in order of customers."""
    return laid_out(_rows(5502), "years(ts)")


def customers_before_the_months() -> Layout:
    """60 files in order of customers, and a table that is partitioned by months since."""
    old = Commit(tuple(cut(_rows(5503), FILE_ROWS)))
    draw = rng(5504)
    count = 5 * FILE_ROWS
    new = table(
        {
            "region": texts(draw.integers(0, 5, count), "r{}"),
            "ts": times(draw.uniform(365 * DAY, 395 * DAY, count)),
            "customer_id": draw.integers(0, 3000, count),
        }
    )
    return Layout((old, Commit(loaded(new, BY_MONTH, FILE_ROWS), BY_MONTH)), BY_MONTH, scaled())


def numbered_arrivals() -> Layout:
    """60 days of arrival, of a file each, with numbers in order of arrival. Rows happened up to
    ten days before."""
    draw = rng(5505)
    arrived = np.sort(draw.uniform(0, 60 * DAY, COUNT))
    happened = arrived - draw.uniform(0, 10 * DAY, COUNT)
    return laid_out(
        table({"event_at": times(happened), "arrived_at": times(arrived), "seq": np.arange(COUNT)}),
        "days(arrived_at)",
    )


def keys() -> list[bytes]:
    """A random UUID for each row."""
    raw = rng(5506).bytes(COUNT * 16)
    return [raw[n : n + 16] for n in range(0, len(raw), 16)]


def keys_in_order_of_time() -> Layout:
    """60 files in order of time, with random UUIDs."""
    draw = rng(5507)
    return laid_out(
        table(
            {
                "id": pa.array(keys(), pa.uuid()),
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, COUNT))),
            }
        )
    )


def _months(name: str, count: int) -> list[Query]:
    return each(
        f"SELECT count(*) FROM lake.db.{name} WHERE ts >= TIMESTAMP '{{}} 00:00:00'"
        " AND ts < TIMESTAMP '{} 00:00:00'",
        list(pairwise(MONTHS))[:count],
    )


def _customers(name: str, count: int) -> list[Query]:
    return each(
        f"SELECT * FROM lake.db.{name} WHERE customer_id = {{}}",
        range(10, 3000, 3000 // count),
        user="support",
    )


NEVER = ("PARTITION FIELD", "ORDERED BY", "rewrite_data_files")

PAIRS = (
    # By months as well, a month is five files in place of 60, which wins 440 files; and a customer
    # 60 in place of five, which loses 3,300.
    Pair(
        "months_beside_lookups_in_regions",
        customers_in_regions,
        [
            *_months("months_beside_lookups_in_regions", 8),
            *_customers("months_beside_lookups_in_regions", 60),
        ],
        # A customer is in a file of each of five regions, and would be in one.
        expected=(Expected("misaligned_partitioning", (), (0.2, 0.35), statements=True),),
        allowed=(Expected("no_partition_filter", ("ts",), statements=False),),
        never=("ADD PARTITION FIELD",),
    ),
    # Where few ask for customers, months are worth it.
    Pair(
        "months_beside_few_lookups_in_regions",
        customers_in_regions,
        [
            *_months("months_beside_few_lookups_in_regions", 10),
            *_customers("months_beside_few_lookups_in_regions", 2),
        ],
        # 600 of 610 files are read for months: 550 less, and 110 more for customers.
        expected=(Expected("no_partition_filter", ("ts",), (0.6, 0.9), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
    ),
    Pair(
        "months_beside_lookups_in_a_year",
        customers_in_a_year,
        [
            *_months("months_beside_lookups_in_a_year", 8),
            *_customers("months_beside_lookups_in_a_year", 100),
        ],
        # 440 files are won, and 1,100 lost: of each month one file has the customer.
        allowed=(Expected("partitions_too_coarse|unclustered_column", ("ts",), statements=False),),
        never=NEVER,
    ),
    Pair(
        "months_beside_lookups_in_old_files",
        customers_before_the_months,
        [
            *_months("months_beside_lookups_in_old_files", 8),
            *_customers("months_beside_lookups_in_old_files", 120),
        ],
        # 440 files are won. A customer is in one file of the old ones, and would be in any.
        allowed=(
            Expected("old_spec_files", ("ts",), statements=False),
            # The new month is in no order of customers: five files for each.
            Expected("unclustered_column|no_partition_filter", ("customer_id",)),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        never=("PARTITION FIELD",),
    ),
    # Days of events are in eleven files each, for ten queries. Numbers are in one file or two, for
    # 60, and would be in eleven.
    Pair(
        "numbers_of_arrivals",
        numbered_arrivals,
        [
            *each(
                "SELECT count(*) FROM lake.db.numbers_of_arrivals"
                " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 50, 5)],
            ),
            *each(
                "SELECT * FROM lake.db.numbers_of_arrivals WHERE seq BETWEEN {} AND {}",
                [(n, n + 300) for n in range(0, COUNT - 300, COUNT // 60)],
                user="etl",
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("event_at",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        never=NEVER,
    ),
    # Buckets of keys would serve four lookups of 60 files, and have 60 reports read 60 for three.
    Pair(
        "uuids_beside_reports",
        keys_in_order_of_time,
        [
            *each(
                "SELECT * FROM lake.db.uuids_beside_reports WHERE id = '{}'",
                [uuid.UUID(bytes=key) for key in keys()[::10_000]],
                user="support",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.uuids_beside_reports"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(58)],
            ),
        ],
        # A bloom filter leaves the order as it is.
        allowed=(
            Expected("unclustered_column", ("id",), statements=False),
            Expected("row_groups_not_pruned", ("id",)),
        ),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
