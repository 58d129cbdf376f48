"""Tables of keys that are as they should be, whatever they look like."""

from __future__ import annotations

import uuid

import numpy as np

from tests.workloads.model import Pair
from tests.workloads.pairs.conditions.daily import AREAS, skus_of_areas
from tests.workloads.pairs.sound.times import NEVER
from tests.workloads.pairs.times.daily import closing_months
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)

STORES = 400


STORE_ROWS = 60


def changes_in_buckets() -> Layout:
    """Changes of 4,000 keys in 32 buckets, a file each."""
    draw = rng(1101)
    count = 32 * FILE_ROWS
    return laid_out(
        table({"id": draw.integers(0, 4_000, count), "lsn": np.arange(count)}), "bucket(32, id)"
    )


def keys_of_time() -> list[str]:
    """Keys as UUIDs of version 7 are: milliseconds first, then what is random."""
    draw = rng(1102)
    millis = 1_767_225_600_000 + np.sort(draw.integers(0, 30 * DAY * 1_000, 60 * FILE_ROWS))
    tails = draw.integers(0, 2**62, len(millis))
    return [
        str(uuid.UUID(int=int(ms) << 80 | 7 << 76 | 2 << 62 | int(tail)))
        for ms, tail in zip(millis, tails, strict=True)
    ]


def events_by_keys_of_time() -> Layout:
    """Sixty files of events as they came."""
    return laid_out(table({"event_id": texts(keys_of_time())}, row_bytes=130))


def a_file_for_each_store() -> Layout:
    """A partition for each of 400 stores, a file each."""
    store = np.repeat(np.arange(STORES), STORE_ROWS)
    return laid_out(
        table({"store_id": store, "amount": np.arange(len(store))}),
        "store_id",
        file_rows=STORE_ROWS,
        properties=scaled(STORE_ROWS * 100),
    )


def rates() -> Layout:
    """Three small files of rates of exchange."""
    return laid_out(
        table({"currency": texts(np.arange(300) % 30, "C{:02d}"), "rate": np.arange(300) / 7}),
        file_rows=100,
    )


def regions_and_times() -> Layout:
    """48 files in order of eight regions, and of time in each."""
    seconds = np.concatenate(
        [np.sort(rng(1104 + n).uniform(0, 60 * DAY, 6 * FILE_ROWS)) for n in range(8)]
    )
    region = np.repeat(np.arange(8), 6 * FILE_ROWS)
    return laid_out(table({"region": texts(region, "r{}"), "ts": times(seconds)}))


def codes_by_two_digits() -> Layout:
    """Postcodes from 10000 to 49999 in partitions of their first two digits, a file each."""
    code = rng(1113).integers(10_000, 50_000, 40 * FILE_ROWS)
    return laid_out(table({"code": texts(code)}), "truncate(2, code)")


PAIRS = (
    # Conditions on the columns that a window is cut by are pushed below it.
    Pair(
        "latest_of_a_key",
        changes_in_buckets,
        each(
            "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY lsn DESC) AS rn"
            " FROM lake.db.latest_of_a_key) WHERE rn = 1 AND id = {}",
            range(5, 4_000, 150),
        ),
        tempting={
            "unclustered_column": "a bucket is one file",
            "no_partition_filter": "keys are asked for",
        },
        never=NEVER,
    ),
    # The first 16 characters hold all the milliseconds.
    Pair(
        "events_by_keys_of_time",
        events_by_keys_of_time,
        each(
            "SELECT * FROM lake.db.events_by_keys_of_time WHERE event_id = '{}'",
            keys_of_time()[::1_500],
        ),
        tempting={
            "unclustered_column": "keys are in order of time",
            "truncated_bounds": "what is cut off is random",
        },
        never=NEVER,
    ),
    Pair(
        "skus_starting_with",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_starting_with WHERE starts_with(sku, '{}-')",
            AREAS,
        ),
        tempting={"wrapped_column": "Trino makes a range of it"},
        never=NEVER,
    ),
    # Lists of more than 200 values are not compared with bounds, but with values of partitions.
    Pair(
        "stores_of_a_chain",
        a_file_for_each_store,
        repeated(
            "SELECT sum(amount) FROM lake.db.stores_of_a_chain WHERE store_id IN"
            f" ({', '.join(map(str, sorted(rng(1).permutation(STORES)[:250].tolist())))})",
            10,
            **SPARK,
        ),
        tempting={"long_in_list": "values of partitions are compared whatever the list's length"},
        never=NEVER,
    ),
    # Nulls have a partition of their own.
    Pair(
        "orders_not_closed",
        closing_months,
        repeated(
            "SELECT count(*) FROM lake.db.orders_not_closed WHERE closed_at IS NULL",
            20,
        ),
        tempting={"unclustered_column": "all that is read matches"},
        never=NEVER,
    ),
    # Thousands of lookups in a table of three files.
    Pair(
        "rates",
        rates,
        repeated("SELECT rate FROM lake.db.rates WHERE upper(currency) = 'C07'", 500),
        thresholds={"small_table_bytes": 10_000_000},
        tempting={"wrapped_column": "the table is read at once, however it is asked"},
        never=NEVER,
    ),
    # A region has six files, and ten days one or two of them.
    Pair(
        "regions_in_order_of_time",
        regions_and_times,
        each(
            "SELECT count(*) FROM lake.db.regions_in_order_of_time"
            " WHERE region = 'r{}' AND ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
            [(n % 8, instant(n * 2 * DAY), instant((n * 2 + 10) * DAY)) for n in range(24)],
            **SPARK_35,
        ),
        tempting={
            "unclustered_column": "times are in order within regions",
            "misaligned_partitioning": "there are no partitions, and none are needed",
        },
        never=NEVER,
    ),
    Pair(
        "postcodes_by_prefix",
        codes_by_two_digits,
        [
            *each(
                "SELECT count(*) FROM lake.db.postcodes_by_prefix WHERE code LIKE '{}%'",
                (101, 1234, 207, 3333, 45),
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.postcodes_by_prefix WHERE code = '{}'",
                range(10_115, 50_000, 4_000),
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.postcodes_by_prefix"
                " WHERE code >= '{}' AND code < '{}'",
                ((10, 12), (20, 23), (41, 42)),
                **SPARK,
            ),
        ],
        tempting={
            "like_without_prefix": "patterns are prefixes",
            "unclustered_column": "a partition is one file",
            "partitions_too_coarse": "a partition is one file",
        },
        never=NEVER,
    ),
)
