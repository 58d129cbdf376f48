"""What bounds tell of columns that came later, and of texts that begin alike."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
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

BY_DAY = ("days(ts)",)
FIRST_ACCOUNT = 123_000_000_000


def _orders(seed: int, first: int, last: int) -> dict[str, pa.Array]:
    draw = rng(seed)
    count = (last - first) * FILE_ROWS
    seconds = np.sort(draw.uniform(first * DAY, last * DAY, count))
    return {"ts": times(seconds), "order_id": pa.array(draw.integers(0, 1 << 40, count))}


def coupons() -> Layout:
    """40 days of a file each that have no column of coupons, and 20 days since, each of which has
    coupons of its own."""
    new = _orders(7602, 40, 60)
    day_numbers = np.repeat(np.arange(40, 60), FILE_ROWS)
    new["coupon"] = texts(day_numbers, "DAY{}")
    rows = table(new, 2, row_bytes=108)  # with a payload as wide as that of old rows
    old_rows = table(_orders(7601, 0, 40), 1)
    return Layout(
        (
            Commit(loaded(old_rows, BY_DAY, FILE_ROWS), BY_DAY),
            Commit(loaded(rows, BY_DAY, FILE_ROWS), BY_DAY),
        ),
        BY_DAY,
        scaled(),
    )


def page_views() -> Layout:
    """Ten days of four files each, in order of addresses within a day. These begin alike."""
    draw = rng(7603)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 10 * DAY, count)),
                "url": texts(
                    np.sort(draw.integers(0, 5000, count)), "https://www.bazaar.example/item/{:08d}"
                ),
            }
        ),
        "days(ts)",
    )


def accesses() -> Layout:
    """60 files in order of accounts. Names of roles begin with the account, and with 13 characters
    before it."""
    draw = rng(7604)
    count = 60 * FILE_ROWS
    accounts = FIRST_ACCOUNT + np.sort(draw.integers(0, 900, count))
    roles = draw.integers(0, 40, count)
    names = (f"arn:aws:iam::{a}:role/r{r}" for a, r in zip(accounts, roles, strict=True))
    return laid_out(table({"account_id": accounts, "arn": texts(names)}))


def references() -> Layout:
    """60 files in order of time, each with any of many references, of which it has a filter."""
    draw = rng(7605)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "booked_at": times(np.sort(draw.uniform(0, 60 * DAY, count))),
                "reference": texts(draw.permutation(count) * 7919 % 1_000_003, "REF{:09d}"),
            }
        ),
        properties={"write.parquet.bloom-filter-enabled.column.reference": "true"},
    )


def uncounted_days() -> Layout:
    """30 days of two files each, of which metadata tells no column."""
    draw = rng(7606)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 30 * DAY, count)),
                "amount": draw.integers(0, 1000, count),
            }
        ),
        "days(ts)",
        properties={"write.metadata.metrics.default": "none"},
    )


PAIRS = (
    # Old days have no coupons, and nobody asks for them.
    Pair(
        "coupons_of_days_that_have_them",
        coupons,
        [
            *each(
                "SELECT * FROM lake.db.coupons_of_days_that_have_them WHERE coupon = 'DAY{}'"
                " AND ts >= TIMESTAMP '{}'",
                [(n, instant(40 * DAY)) for n in range(41, 60, 2)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.coupons_of_days_that_have_them"
                " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [(instant(n * DAY), instant((n + 4) * DAY)) for n in range(0, 56, 4)],
                **SPARK,
            ),
        ],
        tempting={
            "no_column_metrics": "files that have the column have its bounds",
            "unclustered_column": "a coupon is of a day",
            "no_partition_filter": "days are asked for",
        },
        never=("ORDERED BY", "PARTITION FIELD", "rewrite_data_files"),
    ),
    # Metadata of files that lack a column says nothing of it, and planners keep them; readers see
    # at once that no row matches. That bounds are missing is true.
    Pair(
        "coupons_of_all_days",
        coupons,
        each(
            "SELECT * FROM lake.db.coupons_of_all_days WHERE coupon = 'DAY{}'",
            range(40, 60),
            **SPARK,
        ),
        allowed=(Expected("no_column_metrics", ("coupon",)),),
        tempting={
            "unclustered_column": "a coupon is of a day",
            "no_partition_filter": "of the files that have coupons one is kept",
            "misaligned_partitioning": "days keep coupons apart",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # A page is in one of a day's four files, and 16 characters are the same for all.
    Pair(
        "pages_of_one_shop_within_days",
        page_views,
        each(
            "SELECT count(*) FROM lake.db.pages_of_one_shop_within_days"
            " WHERE url = 'https://www.bazaar.example/item/{:08d}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (n * 173 % 5000, instant(n % 6 * DAY), instant((n % 6 + 5) * DAY))
                for n in range(1, 29)
            ],
        ),
        expected=(
            Expected("truncated_bounds", ("url",), (0.6, 0.78), True, False, (r"truncate\(\d+\)",)),
        ),
        tempting={
            "unclustered_column": "addresses are in order within a day",
            "partitions_too_coarse": "whole days are asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # Bounds of names are the same in all files, and those of accounts are not.
    Pair(
        "roles_beside_their_accounts",
        accesses,
        each(
            "SELECT * FROM lake.db.roles_beside_their_accounts WHERE account_id = {0}"
            " AND arn = 'arn:aws:iam::{0}:role/r{1}'",
            [(FIRST_ACCOUNT + n * 31, n % 40) for n in range(29)],
        ),
        tempting={
            "truncated_bounds": "the account tells the file",
            "unclustered_column": "rows are in order of accounts",
        },
        never=("TBLPROPERTIES", "ORDERED BY", "PARTITION FIELD"),
    ),
    # Files are kept, and filters tell readers which to leave at once. Days need the order of time.
    Pair(
        "references_that_have_filters",
        references,
        [
            *each(
                "SELECT * FROM lake.db.references_that_have_filters WHERE reference = 'REF{:09d}'",
                [n * 7919 % 1_000_003 for n in range(40, 36_000, 9000)],
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.references_that_have_filters"
                " WHERE booked_at >= TIMESTAMP '{}' AND booked_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(58)],
            ),
        ],
        allowed=(Expected("unclustered_column", ("reference",), statements=False),),
        tempting={"row_groups_not_pruned": "filters prune them"},
        never=("PARTITION FIELD", "ORDERED BY", "TBLPROPERTIES"),
    ),
    # Days are partitions, and whole days are all that is asked for.
    Pair(
        "whole_days_without_metrics",
        uncounted_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.whole_days_without_metrics"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 27, 2)],
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.whole_days_without_metrics"
                " WHERE CAST(ts AS date) = DATE '2026-01-{:02d}'",
                range(1, 30, 3),
            ),
        ],
        tempting={
            "no_column_metrics": "partitions answer all that is asked",
            "wrapped_column": "Trino unwraps it",
        },
        never=("TBLPROPERTIES", "ORDERED BY", "PARTITION FIELD"),
    ),
)
