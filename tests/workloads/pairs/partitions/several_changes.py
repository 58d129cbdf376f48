"""Several changes of partitions that one table could have, of which one comes first."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    TARGET_BYTES,
    each,
    instant,
    laid_out,
    rng,
    scaled,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS


def two_times() -> Layout:
    """Three regions of 20 files each, with two times that have nothing to do with each other."""
    draw = rng(5601)
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 3, COUNT), "r{}"),
                "created_at": times(draw.uniform(0, 120 * DAY, COUNT)),
                "due_at": times(draw.uniform(0, 120 * DAY, COUNT)),
            }
        ),
        "region",
    )


def regions_of_a_year() -> Layout:
    """Two regions of a year, of 30 files each."""
    draw = rng(5602)
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 2, COUNT), "r{}"),
                "ts": times(draw.uniform(0, 365 * DAY, COUNT)),
            }
        ),
        "region",
        "years(ts)",
    )


def buckets_of_a_time() -> Layout:
    """Four buckets of events, of 15 files each, with any of 60 days."""
    draw = rng(5603)
    return laid_out(
        table({"event_id": draw.permutation(COUNT), "ts": times(draw.uniform(0, 60 * DAY, COUNT))}),
        "bucket(4, event_id)",
    )


def regions_of_hours() -> Layout:
    """Two regions and 20 days by hours: a file each, a two-hundredth of what it should be."""
    draw = rng(5604)
    count = 20 * FILE_ROWS
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 2, count), "r{}"),
                "ts": times(draw.uniform(0, 20 * DAY, count)),
            }
        ),
        "region",
        "hours(ts)",
        properties=scaled(8 * TARGET_BYTES),
    )


def late_hours() -> Layout:
    """Five days by hours of arrival, of a file each; rows happened up to a day before."""
    draw = rng(5605)
    count = 120 * 100
    arrived = draw.uniform(0, 5 * DAY, count)
    return laid_out(
        table(
            {
                "arrived_at": times(arrived),
                "event_at": times(arrived - draw.uniform(0, DAY, count)),
            }
        ),
        "hours(arrived_at)",
        properties=scaled(TARGET_BYTES),
    )


def days_and_customers() -> Layout:
    """Two regions of 30 files each, with any times and customers in each."""
    draw = rng(5606)
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 2, COUNT), "r{}"),
                "ts": times(draw.uniform(0, 120 * DAY, COUNT)),
                "customer_id": draw.integers(0, 3000, COUNT),
            }
        ),
        "region",
    )


def customers_in_buckets() -> Layout:
    """16 buckets of customers, of some four files each."""
    draw = rng(5607)
    return laid_out(
        table({"customer_id": draw.integers(0, 3000, COUNT), "amount": np.arange(COUNT)}),
        "bucket(16, customer_id)",
    )


_ONE = "SELECT * FROM lake.db.{} WHERE customer_id BETWEEN {{0}} AND {{0}}"

PAIRS = (
    # Statistics rule out fifteen of sixteen buckets for it, but Iceberg asks for both ends alone.
    Pair(
        "from_a_customer_to_itself",
        customers_in_buckets,
        each(_ONE.format("from_a_customer_to_itself"), range(50, 3000, 300), **SPARK),
        expected=(
            Expected("range_on_bucketed_column", ("customer_id",), (0.88, 0.95), False, None),
        ),
        # Within a bucket, an order wins three files of four.
        allowed=(Expected("unclustered_column", ("customer_id",)),),
        never=("PARTITION FIELD",),
    ),
    # Trino makes a value of it, and prunes.
    Pair(
        "from_a_customer_to_itself_in_trino",
        customers_in_buckets,
        each(_ONE.format("from_a_customer_to_itself_in_trino"), range(50, 3000, 300)),
        tempting={"range_on_bucketed_column": "Trino takes the range for a value"},
        allowed=(Expected("unclustered_column", ("customer_id",), (0.6, 0.85)),),
        never=("PARTITION FIELD",),
    ),
    # Four months of either time would leave partitions of five files. Both would leave one or two.
    Pair(
        "months_of_two_times",
        two_times,
        [
            *each(
                "SELECT count(*) FROM lake.db.months_of_two_times"
                " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'",
                [(instant(a * DAY), instant(b * DAY)) for a, b in ((0, 31), (31, 59), (59, 90))]
                * 3,
            ),
            *each(
                "SELECT count(*) FROM lake.db.months_of_two_times WHERE due_at >= TIMESTAMP '{}'"
                " AND due_at < TIMESTAMP '{}'",
                [(instant(a * DAY), instant(b * DAY)) for a, b in ((0, 31), (31, 59), (59, 90))]
                * 2,
            ),
            *each(
                "SELECT count(*) FROM lake.db.months_of_two_times WHERE region = 'r{}'", range(3)
            ),
        ],
        # 540 and 300 of 900 files; three quarters of both are won by nine partitions.
        expected=(
            Expected("no_partition_filter", ("created_at",), (0.35, 0.47), True, False),
            Expected("no_partition_filter", ("due_at",), (0.2, 0.35), True, False),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("DROP",),
    ),
    # Months first, of which there are 24 of two files and a half; that nobody asks for a region
    # may be told.
    Pair(
        "months_of_a_year_of_regions",
        regions_of_a_year,
        each(
            "SELECT count(*) FROM lake.db.months_of_a_year_of_regions WHERE ts >= TIMESTAMP '{}'"
            " AND ts < TIMESTAMP '{}'",
            [(instant(a * DAY), instant(b * DAY)) for a, b in ((0, 31), (31, 59), (59, 90))] * 4,
        ),
        expected=(Expected("partitions_too_coarse", ("ts",), (0.7, 0.93), True, False),),
        allowed=(Expected("misaligned_partitioning", ("region",), None, False),),
    ),
    # No query asks for an event: days take the place of the buckets.
    Pair(
        "days_in_buckets_of_events",
        buckets_of_a_time,
        each(
            "SELECT count(*) FROM lake.db.days_in_buckets_of_events WHERE ts >= TIMESTAMP '{}'"
            " AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 60, 4)],
        ),
        expected=(
            Expected("no_partition_filter", ("ts",), (0.6, 0.97)),
            Expected("misaligned_partitioning", (), None, True, False, ("DROP", "BY ts")),
        ),
    ),
    # Days of two regions, in place of hours.
    Pair(
        "days_of_hours_of_regions",
        regions_of_hours,
        each(
            "SELECT count(*) FROM lake.db.days_of_hours_of_regions WHERE ts >= TIMESTAMP '{}'"
            " AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(17)],
        ),
        expected=(Expected("partitions_too_fine|misaligned_partitioning", (), None, True, False),),
        allowed=(Expected("partitions_too_fine|misaligned_partitioning", (), None, False),),
    ),
    # Hours of events are in 25 small files each.
    Pair(
        "hours_of_late_events",
        late_hours,
        each(
            "SELECT count(*) FROM lake.db.hours_of_late_events WHERE event_at >= TIMESTAMP '{}'"
            " AND event_at < TIMESTAMP '{}'",
            [(instant(n * 3600), instant((n + 6) * 3600)) for n in range(0, 90, 5)],
        ),
        expected=(Expected("no_partition_filter", ("event_at",), (0.5, 0.9), True, False),),
        allowed=(Expected("misaligned_partitioning", ()), Expected("partitions_too_fine", ())),
    ),
    # Months for reports, and an order for lookups: the partitions come first.
    Pair(
        "months_and_customers_of_regions",
        days_and_customers,
        [
            *each(
                "SELECT count(*) FROM lake.db.months_and_customers_of_regions"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(a * DAY), instant(b * DAY)) for a, b in ((0, 31), (31, 59), (59, 90))]
                * 4,
            ),
            *each(
                "SELECT * FROM lake.db.months_and_customers_of_regions WHERE customer_id = {}",
                range(50, 3000, 300),
            ),
            *each(
                "SELECT count(*) FROM lake.db.months_and_customers_of_regions WHERE region = 'r{}'",
                range(2),
            ),
        ],
        expected=(
            Expected("no_partition_filter", ("ts",), (0.3, 0.45), True, False),
            Expected("no_partition_filter", ("customer_id",), None, None, False),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("DROP",),
    ),
)
