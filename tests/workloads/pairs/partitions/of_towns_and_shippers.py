"""Partitions of towns, accounts and shippers, and groups of people who ask them otherwise."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
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
LETTERS = "ABCDEFGHIJ"


@cache
def _inspection_ids() -> pa.Array:
    return texts(random_uuids(91_201, COUNT))


def inspections() -> Layout:
    """60 days of one file each."""
    seconds = np.sort(rng(91_202).uniform(0, 60 * DAY, COUNT))
    return laid_out(table({"inspection_id": _inspection_ids(), "ts": times(seconds)}), "days(ts)")


def invoices() -> Layout:
    """60 days of one file each; numbers grow as time goes by."""
    seconds = np.sort(rng(91_203).uniform(0, 60 * DAY, COUNT))
    return laid_out(
        table({"invoice_no": np.arange(COUNT) + 700_000, "issued_at": times(seconds)}),
        "days(issued_at)",
    )


def kiosks() -> Layout:
    """Eight towns, and 59 days in each, of 20 rows. A file costs much to
    open."""
    draw = rng(91_204)
    count = 8 * 59 * 20
    numbers = np.arange(count)
    return laid_out(
        table(
            {
                "town": texts(numbers % 8, "town-{}"),
                "ts": times((numbers // 8 % 59 + draw.random(count)) * DAY),
                "sold": draw.integers(0, 90, count),
            }
        ),
        "town",
        "days(ts)",
        properties={"read.split.open-file-cost": "2000"},
    )


def ledger() -> Layout:
    """Twelve buckets of five files each."""
    draw = rng(91_205)
    return laid_out(
        table(
            {
                "account_id": draw.integers(0, 30_000, COUNT),
                "cents": draw.integers(0, 90_000, COUNT),
            }
        ),
        "bucket(12, account_id)",
    )


def trams() -> Layout:
    """Ten days, of 24 hours of 50 rows each."""
    draw = rng(91_206)
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 10 * DAY, 240 * 50))),
                "tram_id": draw.integers(0, 200, 240 * 50),
            }
        ),
        "hours(ts)",
    )


def shippers() -> Layout:
    """One shipper of 48 files, and 60 of a third of a file each."""
    draw = rng(91_207)
    numbers = np.where(draw.random(COUNT) < 0.8, 0, draw.integers(1, 61, COUNT))
    return laid_out(
        table(
            {
                "shipper": texts(numbers, "S{:03d}"),
                "shipped_at": times(draw.uniform(0, 90 * DAY, COUNT)),
            }
        ),
        "shipper",
    )


def letters() -> Layout:
    """Ten provinces of six files each; the codes of a province begin alike."""
    draw = rng(91_208)
    codes = draw.integers(0, 10_000, COUNT)
    provinces = [LETTERS[code // 1000] for code in codes.tolist()]
    return laid_out(
        table({"province": texts(provinces), "zip": texts(codes, "{:04d}")}), "province"
    )


PAIRS = (
    # A day is a file: no order within it helps to find one row, and others want their day.
    Pair(
        "inspections_by_day_and_uuid",
        inspections,
        [
            *each(
                "SELECT count(*) FROM lake.db.inspections_by_day_and_uuid"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(10, 58)],
            ),
            *each(
                "SELECT * FROM lake.db.inspections_by_day_and_uuid WHERE inspection_id = '{}'",
                _inspection_ids().to_pylist()[100 : 100 + 8 * 4000 : 4000],
                user="support",
            ),
        ],
        # A bloom filter leaves rows where they are.
        allowed=(
            Expected("row_groups_not_pruned", ("inspection_id",)),
            Expected("no_partition_filter", ("inspection_id",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        tempting={
            "truncated_bounds": "half of a random text tells enough",
            "unclustered_column": "a day is a file",
        },
        never=("ORDERED BY", "PARTITION FIELD", "sort_order"),
    ),
    # Two or three files of 60 hold 1,200 numbers, as they would in any layout.
    Pair(
        "invoices_numbered_by_time",
        invoices,
        [
            *each(
                "SELECT * FROM lake.db.invoices_numbered_by_time"
                " WHERE invoice_no BETWEEN {} AND {}",
                [(700_000 + n * 2900, 701_199 + n * 2900) for n in range(12)],
                user="auditor",
            ),
            *each(
                "SELECT count(*) FROM lake.db.invoices_numbered_by_time"
                " WHERE issued_at >= TIMESTAMP '{}' AND issued_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(4, 16)],
            ),
        ],
        tempting={
            "no_partition_filter": "numbers grow as days do",
            "misaligned_partitioning": "numbers grow as days do",
            "unclustered_column": "numbers are in order",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # A month of a town is a file, and lies in 31 or 28.
    Pair(
        "kiosks_by_town_and_day",
        kiosks,
        each(
            "SELECT sum(sold) FROM lake.db.kiosks_by_town_and_day WHERE town = 'town-{}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (n, instant(a * DAY), instant(b * DAY))
                for n in range(8)
                for a, b in ((0, 31), (31, 59))
            ],
        ),
        expected=(Expected("partitions_too_fine", ("ts",), None, True, False, (r"months\(ts\)",)),),
        tempting={
            "small_files": "no file spans two partitions",
            "misaligned_partitioning": "both fields are asked for",
        },
        never=("ORDERED BY", "DROP PARTITION FIELD town"),
    ),
    # Statements of accounts are made in ranges, of 500 numbers of 30,000; branches look up one.
    Pair(
        "accounts_in_buckets_by_number",
        ledger,
        [
            *each(
                "SELECT account_id, sum(cents) FROM lake.db.accounts_in_buckets_by_number"
                " WHERE account_id BETWEEN {} AND {} GROUP BY account_id",
                [(n * 1500, n * 1500 + 499) for n in range(20)],
                user="statements",
            ),
            *each(
                "SELECT * FROM lake.db.accounts_in_buckets_by_number WHERE account_id = {}",
                range(21, 30_000, 1500),
                user="branch",
            ),
        ],
        # 1,200 of 1,300 files are read for ranges; a file of each bucket would do, or two.
        expected=(Expected("range_on_bucketed_column", ("account_id",), (0.6, 0.82), True, False),),
        allowed=(Expected("unclustered_column", ("account_id",)),),
        tempting={"misaligned_partitioning": "branches use the buckets"},
        never=("DROP", "REPLACE"),
    ),
    # A day would be two files in place of 24, but then monitors read eight times as much.
    Pair(
        "trams_hour_by_hour_for_monitors",
        trams,
        [
            *each(
                "SELECT tram_id, max(ts) FROM lake.db.trams_hour_by_hour_for_monitors"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY tram_id",
                [(instant(n * 3600), instant((n + 3) * 3600)) for n in range(20, 230, 3)],
                user="monitor",
            ),
            *each(
                "SELECT count(*) FROM lake.db.trams_hour_by_hour_for_monitors"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(3)],
            ),
        ],
        tempting={
            "partitions_too_fine": "monitors ask for three hours, time and again",
            "small_files": "no file spans two partitions",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Three days of the large one are in all of its 48 files, and would be in two or three. Days as
    # partitions would cut the small ones to pieces.
    Pair(
        "one_large_shipper",
        shippers,
        [
            *each(
                "SELECT count(*) FROM lake.db.one_large_shipper WHERE shipper = 'S000'"
                " AND shipped_at >= TIMESTAMP '{}' AND shipped_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(5, 85, 4)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.one_large_shipper WHERE shipper = 'S{:03d}'",
                range(1, 61),
            ),
        ],
        expected=(Expected("unclustered_column", ("shipped_at",), (0.75, 0.96), True, False),),
        tempting={
            "no_partition_filter": "shippers are asked for",
            "partitions_too_fine": "few bytes are in the small ones",
            "misaligned_partitioning": "shippers are asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # A code lies in the six files of its province, of which bounds rule out the rest.
    Pair(
        "letters_by_zip_in_provinces",
        letters,
        [
            *each(
                "SELECT count(*) FROM lake.db.letters_by_zip_in_provinces WHERE zip = '{:04d}'",
                range(17, 10_000, 333),
                user="post-office",
            ),
            *each(
                "SELECT count(*) FROM lake.db.letters_by_zip_in_provinces WHERE province = '{}'",
                LETTERS,
            ),
        ],
        # 180 of 240 files are read for codes, and 30 would be.
        expected=(
            Expected("no_partition_filter|unclustered_column", ("zip",), (0.5, 0.66), True, False),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("DROP", "REPLACE", "PARTITION FIELD"),
    ),
)
