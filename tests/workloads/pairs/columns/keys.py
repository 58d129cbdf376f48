"""Keys of all kinds: prefixes, decimals, UUIDs that begin with a time, numbers deep in structs."""

from __future__ import annotations

import decimal

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, each, laid_out, rng, table, texts, times

COUNT = 60 * FILE_ROWS
BUCKETED = 56 * FILE_ROWS


def prefixes() -> Layout:
    """Twelve partitions by the first four characters, of five files each, in no order."""
    draw = rng(6201)
    heads, tails = draw.integers(0, 12, COUNT), draw.integers(0, 100_000, COUNT)
    return laid_out(
        table(
            {"sku": texts(f"AB{a:02d}-{b:05d}" for a, b in zip(heads, tails, strict=True))},
        ),
        "truncate(4, sku)",
    )


def decimal_accounts() -> Layout:
    """Eight buckets of accounts, decimals as they came from another database, of seven files each
    and in order of accounts."""
    draw = rng(6202)
    accounts = np.sort(draw.integers(0, 3000, BUCKETED))
    whole = [decimal.Decimal(int(account)) for account in accounts]
    return laid_out(table({"account": pa.array(whole, pa.decimal128(20, 0))}), "bucket(8, account)")


def timed_keys() -> list[str]:
    """UUIDs of version 7, one for each row, in order of their times."""
    draw = rng(6203)
    millis = np.sort(draw.integers(0, 60 * DAY * 1000, COUNT)) + 1_767_225_600_000
    tails = draw.integers(0, 1 << 62, COUNT)
    digits = [
        f"{milli:012x}7{tail & 0xFFF:03x}8{tail >> 2:015x}"
        for milli, tail in zip(millis, tails, strict=True)
    ]
    return [
        "-".join((one[:8], one[8:12], one[12:16], one[16:20], one[20:])) for one in digits
    ]


def in_order_of_arrival() -> Layout:
    """60 files, in the order in which their keys were made."""
    return laid_out(table({"id": texts(timed_keys())}))


def deep() -> Layout:
    """60 files of documents, with a number two structs deep, in no order."""
    draw = rng(6204)
    number = pa.array(draw.permutation(COUNT), pa.int64())
    order = pa.StructArray.from_arrays([number], ["number"])
    return laid_out(table({"body": pa.StructArray.from_arrays([order], ["order"])}))


def ids(seed: int, *, sort: bool) -> Layout:
    """Eight buckets of seven files each, of ids that are there once."""
    numbers = rng(seed).permutation(BUCKETED)
    return laid_out(
        table({"order_id": np.sort(numbers) if sort else numbers}), "bucket(8, order_id)"
    )


def scattered_ids() -> Layout:
    """56 files in no order within their buckets."""
    return ids(6205, sort=False)


def sorted_ids() -> Layout:
    """56 files in order within their buckets."""
    return ids(6206, sort=True)


def refunds() -> Layout:
    """60 files of amounts in no order."""
    draw = rng(6207)
    cents = draw.integers(0, 1_000_000, COUNT)
    amounts = [decimal.Decimal(int(value)).scaleb(-2) for value in cents]
    return laid_out(
        table(
            {
                "amount": pa.array(amounts, pa.decimal128(12, 2)),
                "ts": times(draw.uniform(0, 60 * DAY, COUNT)),
            }
        )
    )


def lists(seed: int) -> list[str]:
    """Lists of 40 ids, anyhow."""
    draw = rng(seed)
    return [
        ", ".join(str(number) for number in draw.choice(BUCKETED, 40, replace=False))
        for _ in range(12)
    ]


PAIRS = (
    # The prefix asks for a tenth of a partition: half a file of five.
    Pair(
        "skus_by_prefix_of_a_partition",
        prefixes,
        [
            *each(
                "SELECT count(*) FROM lake.db.skus_by_prefix_of_a_partition"
                " WHERE sku LIKE 'AB{:02d}-{}%'",
                [(n % 12, n % 10) for n in range(10)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.skus_by_prefix_of_a_partition"
                " WHERE sku LIKE 'AB{:02d}-{}%'",
                [(n % 12, n % 10) for n in range(14, 24)],
                **SPARK,
            ),
        ],
        expected=(
            Expected(
                "unclustered_column|partitions_too_coarse", ("sku",), (0.55, 0.78), True, False
            ),
        ),
        tempting={
            "like_without_prefix": "it is a prefix",
            "no_partition_filter": "the partition is used",
            "truncated_bounds": "skus are shorter than bounds",
        },
    ),
    # A whole number compared with a decimal is a decimal to both engines.
    Pair(
        "accounts_as_decimals",
        decimal_accounts,
        [
            *each(
                "SELECT * FROM lake.db.accounts_as_decimals WHERE account = {}", range(9, 3000, 300)
            ),
            *each(
                "SELECT * FROM lake.db.accounts_as_decimals WHERE account = {}",
                range(17, 3000, 300),
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.accounts_as_decimals WHERE account IN ({}, {})",
                [(n, 2990 - n) for n in range(21, 1400, 300)],
                **SPARK,
            ),
        ],
        tempting={
            "type_mismatch": "engines make a decimal of a whole number",
            "wrapped_column": "nothing is cast but literals",
            "unclustered_column": "one file of 56 is left",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Keys begin with the time at which they were made, and 16 characters have all of it.
    Pair(
        "keys_that_hold_their_time",
        in_order_of_arrival,
        each(
            "SELECT * FROM lake.db.keys_that_hold_their_time WHERE id = '{}'",
            timed_keys()[311::1700],
        ),
        tempting={
            "truncated_bounds": "the first 16 characters tell files apart",
            "unclustered_column": "keys are in order of arrival",
        },
        never=("ORDERED BY", "TBLPROPERTIES"),
    ),
    Pair(
        "numbers_two_structs_deep",
        deep,
        [
            *each(
                "SELECT * FROM lake.db.numbers_two_structs_deep WHERE body.order.number = {}",
                range(100, COUNT, 4000),
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.numbers_two_structs_deep"
                " WHERE body.order.number BETWEEN {} AND {}",
                [(n, n + 20) for n in range(700, COUNT, 4000)],
                **SPARK,
            ),
        ],
        expected=(
            Expected("unclustered_column", ("body.order.number",), (0.9, 0.99), True, False),
        ),
        tempting={"no_column_metrics": "leaves of structs have bounds"},
    ),
    # Sorted, a bucket has its own ids of a list in four of its seven files. But bounds
    # are compared with the whole list, of which each seventh of all ids has some.
    Pair(
        "scattered_ids_of_buckets",
        scattered_ids,
        each("SELECT * FROM lake.db.scattered_ids_of_buckets WHERE order_id IN ({})", lists(6215)),
        tempting={
            "unclustered_column": "in order, all files would be read as well",
            "long_in_list": "40 values are few enough",
            "range_on_bucketed_column": "it is a list",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # They are in order, and hold ids of the list or of their neighbours.
    Pair(
        "scattered_ids_of_sorted_buckets",
        sorted_ids,
        each(
            "SELECT * FROM lake.db.scattered_ids_of_sorted_buckets WHERE order_id IN ({})",
            lists(6216),
        ),
        tempting={
            "unclustered_column": "files are in order",
            "long_in_list": "40 values are few enough",
            "range_on_bucketed_column": "it is a list",
            "row_groups_not_pruned": "files have one row group",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Neither engine casts the column.
    Pair(
        "large_refunds_in_decimals",
        refunds,
        [
            *each(
                "SELECT * FROM lake.db.large_refunds_in_decimals WHERE amount >= {}",
                ("9950.00", "9970.50", "9990", "9980.00", "9999.99"),
            ),
            *each(
                "SELECT * FROM lake.db.large_refunds_in_decimals WHERE amount > {}",
                (9950, 9960, 9970, 9980, 9990),
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("amount",), (0.93, 0.99), True, False),),
        tempting={
            "wrapped_column": "nothing is cast but literals",
            "type_mismatch": "nothing is cast but literals",
        },
    ),
)
