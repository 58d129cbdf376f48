"""Tenants, buckets, keys, and times of which one follows another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    random_uuids,
    rng,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS


def tenants_in_buckets() -> Layout:
    """Eight buckets. Tenant 0 has half of the rows, and some 34 files of 60 with its bucket; the
    other buckets have four files each. Any file has any of 60 days."""
    draw = rng(5201)
    tenant = np.where(draw.random(COUNT) < 0.5, 0, draw.integers(1, 200, COUNT))
    return laid_out(
        table({"tenant": tenant, "ts": times(draw.uniform(0, 60 * DAY, COUNT))}),
        "bucket(8, tenant)",
    )


def buckets_of_events() -> Layout:
    """Twelve buckets of events, of five files each, with any customers in each."""
    draw = rng(5202)
    return laid_out(
        table({"event_id": draw.permutation(COUNT), "customer_id": draw.integers(0, 3000, COUNT)}),
        "bucket(12, event_id)",
    )


def small_buckets() -> Layout:
    """60 buckets of customers, each of which is a file."""
    draw = rng(5203)
    return laid_out(
        table({"customer_id": draw.integers(0, 3000, COUNT), "amount": np.arange(COUNT)}),
        "bucket(60, customer_id)",
    )


def tenants_as_they_came() -> Layout:
    """Twelve tenants of five files each, one after the other in time."""
    draw = rng(5204)
    return laid_out(
        table(
            {
                "tenant": texts(draw.integers(0, 12, COUNT), "t{}"),
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, COUNT))),
            }
        ),
        "tenant",
    )


def growing_keys() -> Layout:
    """60 days of one file each, and keys that grow with time."""
    draw = rng(5205)
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, COUNT))),
                "order_id": np.arange(COUNT) * 1000 + draw.integers(0, 1000, COUNT),
            }
        ),
        "days(ts)",
    )


def keys() -> Sequence[str]:
    """Random UUIDs as text, one for each row."""
    return random_uuids(5206, COUNT)


def random_keys() -> Layout:
    """15 days of four files each, with random keys."""
    draw = rng(5207)
    return laid_out(
        table({"ts": times(draw.uniform(0, 15 * DAY, COUNT)), "event_id": texts(keys())}),
        "days(ts)",
    )


def offline_for_days() -> Layout:
    """60 days of arrival, of one file each; rows happened up to ten days before."""
    draw = rng(5208)
    arrived = draw.uniform(0, 60 * DAY, COUNT)
    happened = arrived - draw.uniform(0, 10 * DAY, COUNT)
    return laid_out(
        table({"event_at": times(happened), "arrived_at": times(arrived)}), "days(arrived_at)"
    )


def minutes_late() -> Layout:
    """20 days of arrival, of three files each in order; rows happened some 20 minutes before."""
    draw = rng(5209)
    arrived = np.sort(draw.uniform(0, 20 * DAY, COUNT))
    happened = arrived - draw.exponential(1200, COUNT)
    return laid_out(
        table({"event_at": times(happened), "arrived_at": times(arrived)}), "days(arrived_at)"
    )


PAIRS = (
    # A bucket is read as a whole for two days of 60. For the big tenant these are 34 files.
    Pair(
        "days_of_tenants_in_buckets",
        tenants_in_buckets,
        each(
            "SELECT count(*) FROM lake.db.days_of_tenants_in_buckets WHERE tenant = {}"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (tenant, instant(n * DAY), instant((n + 2) * DAY))
                for n, other in zip(range(0, 60, 5), range(3, 200, 16), strict=False)
                for tenant in (0, other)
            ],
        ),
        # 12 times 34 and 4 files; 3 and 1 or 2 are needed.
        expected=(Expected("unclustered_column", ("ts",), (0.75, 0.93), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"range_on_bucketed_column": "tenants are asked for by value"},
    ),
    # No query asks for an event, so its buckets only cut the table up.
    Pair(
        "customers_in_buckets_of_events",
        buckets_of_events,
        each(
            "SELECT * FROM lake.db.customers_in_buckets_of_events WHERE customer_id = {}",
            range(40, 3000, 250),
        ),
        expected=(
            Expected("no_partition_filter", ("customer_id",), (0.55, 0.985), True, False),
            Expected("misaligned_partitioning", ()),
        ),
    ),
    # One file of 60 is read, and there is nothing smaller.
    Pair(
        "a_file_for_each_bucket",
        small_buckets,
        each(
            "SELECT * FROM lake.db.a_file_for_each_bucket WHERE customer_id = {}",
            range(40, 3000, 250),
            **SPARK,
        ),
        tempting={
            "unclustered_column": "a bucket is one file",
            "partitions_too_fine": "a bucket fills a file",
            "partitions_too_coarse": "a bucket is one file",
            "small_files": "files have their size",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A week of a tenant is in one file or two of its five.
    Pair(
        "weeks_of_tenants_in_order",
        tenants_as_they_came,
        each(
            "SELECT count(*) FROM lake.db.weeks_of_tenants_in_order WHERE tenant = 't{}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(n % 12, instant(n * 4 * DAY), instant((n * 4 + 7) * DAY)) for n in range(13)],
        ),
        tempting={
            "unclustered_column": "times are in order inside a tenant",
            "misaligned_partitioning": "bounds of times do what a field would",
            "partitions_too_coarse": "a tenant's files are in order",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # No query asks for a time, but it is the days that keep the keys in order.
    Pair(
        "keys_that_grow_with_time",
        growing_keys,
        [
            *each(
                "SELECT * FROM lake.db.keys_that_grow_with_time WHERE order_id = {}",
                range(1_000_000, 36_000_000, 3_500_000),
            ),
            *each(
                "SELECT * FROM lake.db.keys_that_grow_with_time"
                " WHERE order_id BETWEEN {} AND {} ORDER BY order_id",
                [(n, n + 500_000) for n in range(500_000, 35_000_000, 3_500_000)],
            ),
        ],
        tempting={
            "no_partition_filter": "bounds of keys leave one file or two",
            "misaligned_partitioning": "days keep the keys in order",
            "partitions_too_fine": "a day is a file",
        },
        never=("DROP", "REPLACE", "ORDERED BY"),
    ),
    # A bloom filter tells which file has a key; an order inside the days leaves one file of four.
    Pair(
        "texts_of_uuids",
        random_keys,
        [
            *each(
                "SELECT count(*) FROM lake.db.texts_of_uuids"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(10)],
            ),
            *each(
                "SELECT * FROM lake.db.texts_of_uuids WHERE event_id = '{}'",
                keys()[::3000],
                user="support",
            ),
        ],
        expected=(
            Expected("no_partition_filter|row_groups_not_pruned", ("event_id",), None, True, False),
        ),
        allowed=(
            Expected("no_partition_filter", ("event_id",)),
            Expected("row_groups_not_pruned", ("event_id",)),
            Expected("misaligned_partitioning", ()),
        ),
        tempting={"truncated_bounds": "16 random characters tell keys apart"},
        never=("DROP", "REPLACE"),
    ),
    # A day of events is in eleven files of 60, and would fill one.
    Pair(
        "events_days_late",
        offline_for_days,
        each(
            "SELECT count(*) FROM lake.db.events_days_late"
            " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 46, 3)],
        ),
        expected=(
            Expected(
                "no_partition_filter",
                ("event_at",),
                (0.7, 0.92),
                True,
                False,
                (r"days\(`?event_at|ORDERED BY `?event_at",),
            ),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
    ),
    # Five days of events are in 16 files, and would fill 15.
    Pair(
        "events_minutes_late",
        minutes_late,
        each(
            "SELECT count(*) FROM lake.db.events_minutes_late"
            " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 5) * DAY)) for n in range(15)],
        ),
        tempting={
            "no_partition_filter": "days of arrival are nearly those of events",
            "misaligned_partitioning": "days of arrival keep the events in order",
            "unclustered_column": "times are in order",
        },
        never=("DROP", "REPLACE", "ORDERED BY"),
    ),
)
