"""Partitions that are asked for, and what is asked of their rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    ROW_BYTES,
    TARGET_BYTES,
    dates,
    day,
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

EIGHT, OF_32 = ("bucket(8, user_id)",), ("bucket(32, user_id)",)


def rides_of_countries() -> Layout:
    """Two countries of 30 files each, and 20 of half a file, in no order."""
    draw = rng(8801)
    sizes = np.repeat([30.0, 0.5], [2, 20]) * FILE_ROWS
    countries = draw.permutation(np.repeat(np.arange(22), sizes.astype(np.int64)))
    return laid_out(
        table(
            {
                "country": texts(countries, "C{:02d}"),
                "ts": times(draw.uniform(0, 60 * DAY, len(countries))),
            }
        ),
        "country",
    )


def rides_in_order() -> Layout:
    """The same, in order of time."""
    made = rides_of_countries()
    rows = pa.concat_tables(made.files)
    return laid_out(rows.take(pc.sort_indices(rows, [("ts", "ascending")])), "country")


def _users(seed: int, files: int, *, in_order: bool = False) -> pa.Table:
    draw = rng(seed)
    users = draw.integers(0, 20_000, files * FILE_ROWS)
    return table({"user_id": np.sort(users) if in_order else users}, seed)


def more_buckets_in_order() -> Layout:
    """Eight buckets of twelve files in order of users, and 32 of one file since."""
    old = Commit(loaded(_users(8802, 96, in_order=True), EIGHT, FILE_ROWS), EIGHT)
    new = Commit(loaded(_users(8803, 32), OF_32, FILE_ROWS), OF_32)
    return Layout((old, new), OF_32, scaled())


def more_buckets() -> Layout:
    """Eight buckets of twelve files in no order, and 32 of one file since."""
    old = Commit(loaded(_users(8804, 96), EIGHT, FILE_ROWS), EIGHT)
    new = Commit(loaded(_users(8805, 32), OF_32, FILE_ROWS), OF_32)
    return Layout((old, new), OF_32, scaled())


def orders_and_invoices() -> Layout:
    """Twelve months of eight files each; an invoice is made up to 45 days later."""
    draw = rng(8806)
    count = 96 * FILE_ROWS
    ordered = draw.integers(0, 365, count)
    return laid_out(
        table(
            {
                "ordered_on": dates(ordered),
                "invoiced_on": dates(ordered + draw.integers(0, 46, count)),
            }
        ),
        "months(ordered_on)",
    )


def sensors_of_tenants() -> Layout:
    """Eight buckets of tenants of ten days of three files each."""
    draw = rng(8807)
    count = 240 * FILE_ROWS
    return laid_out(
        table(
            {
                "tenant_id": draw.integers(0, 200, count),
                "ts": times(draw.uniform(0, 10 * DAY, count)),
                "sensor_id": draw.integers(0, 5000, count),
            }
        ),
        "bucket(8, tenant_id)",
        "days(ts)",
    )


def addresses() -> Layout:
    """20 beginnings of zip codes, of five files each."""
    draw = rng(8808)
    count = 100 * FILE_ROWS
    return laid_out(
        table({"zip": texts(draw.integers(0, 20_000, count), "{:05d}")}), "truncate(2, zip)"
    )


def days_of_a_twentieth() -> Layout:
    """180 days of a twentieth of a file each."""
    draw = rng(8809)
    return laid_out(
        table({"ts": times(draw.uniform(0, 180 * DAY, 180 * 30))}, row_bytes=10 * ROW_BYTES),
        "days(ts)",
        properties=scaled(10 * TARGET_BYTES),
    )


def profiles() -> Layout:
    """400 users of a fiftieth of a file each, as they asked to be apart."""
    draw = rng(8810)
    return laid_out(
        table(
            {"user_id": draw.permutation(np.repeat(np.arange(400), 12))},
            row_bytes=10 * ROW_BYTES,
        ),
        "user_id",
        properties=scaled(10 * TARGET_BYTES),
    )


def _rides(name: str) -> list[Query]:
    return [
        *each(
            f"SELECT count(*) FROM lake.db.{name} WHERE country = 'C{{:02d}}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(n % 2, instant(n * DAY), instant((n + 1) * DAY)) for n in range(60)],
        ),
        *each(f"SELECT count(*) FROM lake.db.{name} WHERE country = 'C{{:02d}}'", range(2, 22)),
    ]


PAIRS = (
    # A day of a large country is in 30 files, and would be in one or two; days as partitions would
    # cut the small ones into scraps.
    Pair(
        "days_of_large_countries",
        rides_of_countries,
        _rides("days_of_large_countries"),
        expected=(Expected("unclustered_column", ("ts",), (0.75, 0.97), True, False),),
        tempting={"no_partition_filter": "countries are asked for"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # A day, which begins and ends within files, is in one or two.
    Pair(
        "days_of_large_countries_in_order",
        rides_in_order,
        _rides("days_of_large_countries_in_order"),
        tempting={"unclustered_column": "each country is in order of time"},
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    # A user is in one old file of twelve, and in a new one: both would be one. Packed as they lie,
    # old rows would be in as many files as now.
    Pair(
        "users_in_more_buckets_in_order",
        more_buckets_in_order,
        each(
            "SELECT * FROM lake.db.users_in_more_buckets_in_order WHERE user_id = {}",
            range(17, 20_000, 333),
        ),
        allowed=(Expected("unclustered_column", ("user_id",), (0.35, 0.55), True, False),),
        tempting={"old_spec_files": "a user is in one file of them"},
        never=("PARTITION FIELD",),
    ),
    # All twelve have; three would be left.
    Pair(
        "users_in_more_buckets",
        more_buckets,
        each(
            "SELECT * FROM lake.db.users_in_more_buckets WHERE user_id = {}",
            range(17, 20_000, 333),
        ),
        expected=(Expected("old_spec_files", ("user_id",), (0.8, 0.95), True, False),),
        never=("PARTITION FIELD",),
    ),
    # A day of invoices is of three months of orders, in all of their files; in order, in one or two
    # of each.
    Pair(
        "days_of_invoices_in_months_of_orders",
        orders_and_invoices,
        [
            *each(
                "SELECT * FROM lake.db.days_of_invoices_in_months_of_orders"
                " WHERE invoiced_on = DATE '{}'",
                [day(n) for n in range(50, 350, 6)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.days_of_invoices_in_months_of_orders"
                " WHERE ordered_on >= DATE '{}' AND ordered_on < DATE '{}'",
                [(day(0), day(31)), (day(31), day(59)), (day(59), day(90))],
            ),
        ],
        expected=(Expected("no_partition_filter", ("invoiced_on",), (0.6, 0.9), True, False),),
        tempting={"misaligned_partitioning": "months of orders are asked for"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # Each of three files has a sensor, and one would.
    Pair(
        "sensors_of_a_tenants_day",
        sensors_of_tenants,
        each(
            "SELECT * FROM lake.db.sensors_of_a_tenants_day WHERE tenant_id = {}"
            " AND sensor_id = {} AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (n * 7 % 200, n * 83, instant(n % 10 * DAY), instant((n % 10 + 1) * DAY))
                for n in range(1, 60)
            ],
        ),
        expected=(
            Expected("unclustered_column", ("sensor_id|tenant_id",), (0.5, 0.7), True, False),
        ),
        never=("PARTITION FIELD",),
    ),
    # Each of five files has a code, and one would.
    Pair(
        "codes_by_their_beginning",
        addresses,
        each(
            "SELECT * FROM lake.db.codes_by_their_beginning WHERE zip = '{:05d}'",
            range(111, 20_000, 250),
        ),
        expected=(Expected("unclustered_column", ("zip",), (0.6, 0.82), True, False),),
        tempting={"partitions_too_coarse": "nothing tells of parts of texts"},
    ),
    # Opening 30 files costs as much as a seventh of what is read of them.
    Pair(
        "months_of_small_days",
        days_of_a_twentieth,
        each(
            "SELECT count(*) FROM lake.db.months_of_small_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 30) * DAY)) for n in range(0, 150, 4)],
        ),
        tempting={"small_files": "no file spans two days"},
        never=("DROP PARTITION FIELD", "ORDERED BY"),
    ),
    # Whoever asks for a user would read those of 30 others.
    Pair(
        "users_in_partitions_of_their_own",
        profiles,
        [
            *each(
                "SELECT * FROM lake.db.users_in_partitions_of_their_own WHERE user_id = {}",
                [n % 400 for n in range(600)],
            ),
            *repeated("SELECT * FROM lake.db.users_in_partitions_of_their_own", 2),
        ],
        tempting={
            "partitions_too_fine": "users are asked for one by one",
            "small_files": "no file spans two users",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
