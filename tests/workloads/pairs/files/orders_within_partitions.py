"""Rows within partitions: in order in all of them, in some, or in none, and who asks for it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.columns.lookups import carts
from tests.workloads.pairs.queries.needs_of_several import laboratory
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    loaded,
    random_uuids,
    rng,
    scaled,
    table,
    texts,
    times,
)

BY_DAY = ("days(ts)",)


def parcels_in_order() -> Layout:
    """Six months of eight files each, in order of delivery within a month."""
    draw = rng(7701)
    count = 48 * FILE_ROWS
    created = draw.uniform(0, 181 * DAY, count)
    delivered = created + draw.uniform(DAY, 5 * DAY, count)
    order = np.argsort(delivered)
    return laid_out(
        table({"created_at": times(created[order]), "delivered_at": times(delivered[order])}),
        "months(created_at)",
    )


def wards_in_order() -> Layout:
    """20 wards of six files to one and a half, in order of patients within a ward."""
    draw = rng(7702)
    sizes = (np.repeat([6.0, 3.0, 1.5], [4, 8, 8]) * FILE_ROWS).astype(np.int64)
    count = int(sizes.sum())
    patients = np.sort(draw.integers(0, 6000, count))
    wards = draw.permutation(np.repeat(np.arange(20), sizes))
    return laid_out(
        table({"ward": texts(wards, "W{:02d}"), "mrn": texts(patients, "MRN-{:07d}")}), "ward"
    )


def _mixed_months(files: int) -> Layout:
    count = 24 * files * FILE_ROWS
    seconds = np.repeat(np.arange(24), files * FILE_ROWS) * 30.4 * DAY
    seconds += rng(7_790 + files).uniform(0, 30.4 * DAY, count)
    draw = rng(7_795)
    return laid_out(
        table({"ts": times(seconds), "amount": draw.integers(0, 900, count)}), "months(ts)"
    )


def months_of_two_files() -> Layout:
    """24 months of two files each or three, which have any days of theirs."""
    return _mixed_months(2)


def months_of_three_files() -> Layout:
    """24 months of three files each or four, which have any days of theirs."""
    return _mixed_months(3)


def _baskets(seed: int, first: int, last: int, *, in_order: bool) -> pa.Table:
    draw = rng(seed)
    count = (last - first) * 8 * FILE_ROWS
    stores = draw.integers(0, 400, count)
    return table(
        {
            "ts": times(draw.uniform(first * DAY, last * DAY, count)),
            "store_id": np.sort(stores) if in_order else stores,
        },
        seed,
    )


def sorted_once() -> Layout:
    """Ten days of eight files each, of which the first five were put in order of stores."""
    old = Commit(loaded(_baskets(7703, 0, 5, in_order=True), BY_DAY, FILE_ROWS), BY_DAY)
    new = Commit(loaded(_baskets(7704, 5, 10, in_order=False), BY_DAY, FILE_ROWS), BY_DAY)
    return Layout((old, new), BY_DAY, scaled())


def _positions(seed: int, files: int) -> pa.Table:
    draw = rng(seed)
    count = files * FILE_ROWS
    return table(
        {
            "ts": times(draw.uniform(0, 8 * DAY, count)),
            "account_id": draw.integers(0, 3000, count),
        },
        seed,
    )


def days_in_buckets_since() -> Layout:
    """16 buckets of four files each, with any of eight days in each, and files since that have a
    day of a bucket each."""
    before = ("bucket(16, account_id)",)
    since = (*before, "days(ts)")
    old = Commit(loaded(_positions(7705, 64), before, FILE_ROWS), before)
    new = Commit(loaded(_positions(7706, 32), since, FILE_ROWS), since)
    return Layout((old, new), since, scaled())


def carts_in_dictionaries() -> Layout:
    """The same carts in files that have dictionaries of them."""
    made = carts()
    return Layout(made.commits, made.partition, scaled())


def sales_of_stores() -> Layout:
    """40 days of a file each, with any of 50 stores in each, which have no dictionaries."""
    draw = rng(7707)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 40 * DAY, count)),
                "store": texts(draw.integers(0, 50, count), "store-{:04d}"),
            }
        ),
        "days(ts)",
        properties={"write.parquet.dict-size-bytes": "1"},
    )


PAIRS = (
    # A day of deliveries is in two or three files.
    Pair(
        "deliveries_in_order_within_months",
        parcels_in_order,
        each(
            "SELECT count(*) FROM lake.db.deliveries_in_order_within_months"
            " WHERE delivered_at >= TIMESTAMP '{}' AND delivered_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(8, 180, 7)],
        ),
        tempting={
            "no_partition_filter": "files of a month are in order of it",
            "misaligned_partitioning": "months of creation keep deliveries together",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A patient may be in all wards, and in one file of each.
    Pair(
        "patients_in_order_within_wards",
        wards_in_order,
        [
            *each(
                "SELECT * FROM lake.db.patients_in_order_within_wards WHERE mrn = 'MRN-{:07d}'",
                range(5, 6000, 150),
            ),
            *each(
                "SELECT count(*) FROM lake.db.patients_in_order_within_wards"
                " WHERE ward = 'W{:02d}'",
                range(20),
                **SPARK,
            ),
        ],
        tempting={
            "no_partition_filter": "no order within wards is better",
            "misaligned_partitioning": "wards are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Nurses read a file or two of their ward, which an order by patients makes all of them.
    Pair(
        "nurses_often_and_doctors_rarely",
        laboratory,
        [
            *each(
                "SELECT * FROM lake.db.nurses_often_and_doctors_rarely WHERE ward = 'W{:02d}'"
                " AND taken_at >= TIMESTAMP '{} UTC' AND taken_at < TIMESTAMP '{} UTC'",
                [(n % 12, instant(n % 58 * DAY), instant((n % 58 + 1) * DAY)) for n in range(360)],
            ),
            *each(
                "SELECT * FROM lake.db.nurses_often_and_doctors_rarely WHERE mrn = 'MRN-{:07d}'",
                range(5, 6000, 1200),
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("mrn",), statements=False),
            Expected("row_groups_not_pruned", ("mrn",)),
        ),
        tempting={"unclustered_column": "rows are in order of time within wards"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # One file of a day's eight, in the older half; all eight in the newer one.
    Pair(
        "stores_sorted_once",
        sorted_once,
        each(
            "SELECT * FROM lake.db.stores_sorted_once WHERE store_id = {}"
            f" AND ts >= TIMESTAMP '{instant(0)}'",
            range(7, 400, 16),
        ),
        expected=(Expected("unclustered_column", ("store_id",), (0.6, 0.82), True, False),),
        tempting={
            "no_partition_filter": "all days are asked for",
            "partitions_too_coarse": "all days are asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # Four old files of a bucket, of which one partition would be half a file.
    Pair(
        "accounts_of_days_in_buckets_since",
        days_in_buckets_since,
        each(
            "SELECT * FROM lake.db.accounts_of_days_in_buckets_since WHERE account_id = {}"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (n * 71 % 3000, instant(n % 8 * DAY), instant((n % 8 + 1) * DAY))
                for n in range(1, 40)
            ],
        ),
        expected=(Expected("old_spec_files", ("account_id|ts",), (0.7, 0.92), True, False),),
        tempting={"unclustered_column": "a rewrite by the new fields is enough"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Readers see in dictionaries which files lack a cart.
    Pair(
        "carts_in_dictionaries",
        carts_in_dictionaries,
        [
            *each(
                "SELECT count(*) FROM lake.db.carts_in_dictionaries"
                " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 57, 2)],
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.carts_in_dictionaries WHERE cart_id = '{}'",
                random_uuids(7205, 60 * FILE_ROWS)[500::1900],
                **SPARK,
            ),
        ],
        allowed=(Expected("no_partition_filter", ("cart_id",), statements=False),),
        tempting={
            "row_groups_not_pruned": "dictionaries tell",
            "unclustered_column": "an order within days of one file tells nothing",
        },
        never=("PARTITION FIELD", "ORDERED BY", "TBLPROPERTIES"),
    ),
    # Each file has each store: nothing but other partitions would keep them apart, and days are
    # asked for.
    Pair(
        "stores_that_are_in_each_file",
        sales_of_stores,
        [
            *each(
                "SELECT * FROM lake.db.stores_that_are_in_each_file WHERE store = 'store-{:04d}'",
                range(0, 50, 4),
            ),
            *each(
                "SELECT store, count(*) FROM lake.db.stores_that_are_in_each_file"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY store",
                [(instant(n % 38 * DAY), instant((n % 38 + 2) * DAY)) for n in range(76)],
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("store",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        tempting={
            "row_groups_not_pruned": "a bloom filter of each would say yes",
            "unclustered_column": "a day is a file",
        },
        never=("PARTITION FIELD", "ORDERED BY", "TBLPROPERTIES"),
    ),
    # Two or three files of a month that overlap: a day is in all of them, and after a sort in one.
    *(
        Pair(
            name,
            layout,
            each(
                f"SELECT sum(amount) FROM lake.db.{name} WHERE ts >= TIMESTAMP '{{}}'"
                " AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(3, 720, 9)],
            ),
            expected=(Expected("unclustered_column", ("ts",), share, True, False),),
        )
        for name, layout, share in (
            ("invoices_of_months_of_two_files", months_of_two_files, (0.3, 0.6)),
            ("invoices_of_months_of_three_files", months_of_three_files, (0.4, 0.75)),
        )
    ),
)
