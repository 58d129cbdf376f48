"""Tables of more than a hundred partitions of keys: some large, most small."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
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


def campaigns() -> Layout:
    """150 campaigns of a sixth of a file and ten of ten files, in order of time within each."""
    draw = rng(8811)
    sizes = np.array([10 * FILE_ROWS] * 10 + [100] * 150)
    count = int(sizes.sum())
    of = draw.permutation(np.repeat(np.arange(160), sizes))
    return laid_out(
        table(
            {
                "shown_at": times(np.sort(draw.uniform(0, 60 * DAY, count))),
                "campaign_id": of,
                "cost": draw.integers(1, 900, count),
            }
        ),
        "campaign_id",
    )


def journals() -> Layout:
    """20 companies by 12 months, of one file each. Entries are numbered as they are booked."""
    draw = rng(8812)
    count = 240 * FILE_ROWS
    days = np.sort(draw.integers(0, 365, count))
    return laid_out(
        table(
            {
                "company": texts(draw.integers(0, 20, count), "C{:03d}"),
                "booked_on": dates(days),
                "entry_no": np.arange(count) * 3 + 7_000_000,
            }
        ),
        "company",
        "months(booked_on)",
    )


def one_giant() -> Layout:
    """A tenant of 60 files, whose rows come in any order, and 119 of a third of a file."""
    draw = rng(8813)
    sizes = np.array([60 * FILE_ROWS] + [200] * 119)
    count = int(sizes.sum())
    tenants = draw.permutation(np.repeat(np.arange(120), sizes))
    return laid_out(
        table(
            {
                "tenant": texts(tenants, "tenant-{:03d}"),
                "ts": times(draw.uniform(0, 60 * DAY, count)),
                "kind": draw.integers(0, 9, count),
            }
        ),
        "tenant",
    )


def wallets() -> Layout:
    """128 buckets of wallets, of one file each, in which are all of 30 days."""
    draw = rng(8814)
    count = 128 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 30 * DAY, count))),
                "wallet_id": draw.integers(0, 20_000, count),
            }
        ),
        "bucket(128, wallet_id)",
    )


def tenants_in_buckets() -> Layout:
    """20 days of eight buckets, each of which is half a file."""
    draw = rng(8815)
    count = 160 * 300
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 20 * DAY, count))),
                "tenant_id": draw.integers(0, 400, count),
            }
        ),
        "days(ts)",
        "bucket(8, tenant_id)",
    )


def vins() -> Layout:
    """Cars by the first four characters of their numbers, which are those of their maker: one
    maker has 60 files, and two have 10."""
    draw = rng(8816)
    count = 80 * FILE_ROWS
    makers = np.array(["WVWZ", "WBAX", "VF1R"])[draw.choice(3, count, p=[0.75, 0.125, 0.125])]
    numbers = draw.integers(0, 4000, count)
    return laid_out(
        table(
            {
                "vin": texts(
                    [f"{m}{n:08d}" for m, n in zip(makers, numbers, strict=True)],
                ),
                "odometer": draw.integers(0, 300_000, count),
            }
        ),
        "truncate(4, vin)",
    )


def hours_by_number() -> Layout:
    """240 hours by their number since the epoch, each a hundredth of a file."""
    draw = rng(8817)
    count = 240 * 60
    return laid_out(
        table(
            {
                "hour_no": np.sort(draw.integers(490_896, 490_896 + 240, count)),
                "plant": draw.integers(0, 30, count),
            }
        ),
        "hour_no",
        file_rows=6000,
        properties=scaled(600_000),
    )


def shops_and_days() -> Layout:
    """Six regions by 24 days, of two files each, in which are any of 600 shops of their region."""
    draw = rng(8818)
    count = 6 * 24 * 2 * FILE_ROWS
    regions = draw.integers(0, 6, count)
    return laid_out(
        table(
            {
                "sold_on": dates(np.sort(draw.integers(0, 24, count))),
                "region": texts(regions, "R{}"),
                "shop_id": regions * 1000 + draw.integers(0, 600, count),
            }
        ),
        "region",
        "sold_on",
    )


PAIRS = (
    # Large campaigns have files of six days each; small ones have no more than one.
    Pair(
        "campaigns_large_and_small",
        campaigns,
        [
            *each(
                "SELECT sum(cost) FROM lake.db.campaigns_large_and_small WHERE campaign_id = {}"
                " AND shown_at >= TIMESTAMP '{}'",
                [(n % 10, instant((59 - n % 3) * DAY)) for n in range(60)],
            ),
            *each(
                "SELECT sum(cost) FROM lake.db.campaigns_large_and_small WHERE campaign_id = {}",
                range(10, 160, 5),
            ),
        ],
        tempting={
            "partitions_too_fine": "a scan reads one of them",
            "unclustered_column": "files of a campaign are in order of time",
            "partitions_too_coarse": "files of a campaign are in order of time",
            "small_files": "no file spans two partitions",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Numbers grow with time, so an entry is in one month of each company; few ask for one.
    Pair(
        "journals_and_entries",
        journals,
        [
            *each(
                "SELECT * FROM lake.db.journals_and_entries WHERE company = 'C{:03d}'"
                " AND booked_on >= DATE '{}' AND booked_on < DATE '{}'",
                [(n % 20, day(n % 4 * 91), day(n % 4 * 91 + 89)) for n in range(120)],
            ),
            *each(
                "SELECT * FROM lake.db.journals_and_entries WHERE entry_no = {}",
                [7_000_000 + 3 * n for n in range(900, 140_000, 35_000)],
            ),
        ],
        allowed=(Expected("no_partition_filter", ("entry_no",), statements=False),),
        tempting={
            "misaligned_partitioning": "companies and months are asked for",
            "unclustered_column": "partitions are one file each",
            "partitions_too_fine": "a partition is a file",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Days of the giant would be two files; those of the others would be nothing.
    Pair(
        "one_giant_and_dwarfs",
        one_giant,
        [
            *each(
                "SELECT kind, count(*) FROM lake.db.one_giant_and_dwarfs"
                " WHERE tenant = 'tenant-000' AND ts >= TIMESTAMP '{}' GROUP BY kind",
                [instant((59 - n % 5) * DAY) for n in range(60)],
            ),
            *each(
                "SELECT kind, count(*) FROM lake.db.one_giant_and_dwarfs"
                " WHERE tenant = 'tenant-{:03d}' AND ts >= TIMESTAMP '{}' GROUP BY kind",
                [(1 + n % 119, instant((59 - n % 5) * DAY)) for n in range(90)],
            ),
        ],
        expected=(
            Expected("unclustered_column|no_partition_filter", ("ts",), (0.75, 0.96), True, False),
        ),
        tempting={
            "partitions_too_fine": "a scan reads one of them",
            "misaligned_partitioning": "tenants are asked for",
        },
        never=(r"ADD PARTITION FIELD", "DROP", "REPLACE"),
    ),
    # Days instead of buckets would put a wallet into all of them.
    Pair(
        "wallets_and_their_newest_day",
        wallets,
        [
            *each(
                "SELECT * FROM lake.db.wallets_and_their_newest_day WHERE wallet_id = {}",
                range(11, 20_000, 50),
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.wallets_and_their_newest_day"
                f" WHERE ts >= TIMESTAMP '{instant(29 * DAY)}'",
                5,
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("ts",), statements=False),
            Expected("unclustered_column", ("ts",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        tempting={"partitions_too_fine": "a bucket is a file"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Half a file is no small partition, and no scan reads more than one of a day.
    Pair(
        "tenants_in_buckets_of_newest_days",
        tenants_in_buckets,
        each(
            "SELECT * FROM lake.db.tenants_in_buckets_of_newest_days WHERE tenant_id = {}"
            " AND ts >= TIMESTAMP '{}'",
            [(n * 3 % 400, instant((19 - n % 3) * DAY)) for n in range(70)],
        ),
        tempting={
            "partitions_too_fine": "a partition is half a file",
            "unclustered_column": "a partition is one file",
            "small_files": "a scan reads three files",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # All cars of a maker are in each of its files.
    Pair(
        "cars_by_their_makers",
        vins,
        each(
            "SELECT * FROM lake.db.cars_by_their_makers WHERE vin = 'WVWZ{:08d}'",
            range(3, 4000, 100),
        ),
        expected=(
            Expected(
                "unclustered_column|no_partition_filter|partitions_too_coarse",
                ("vin",),
                (0.9, 0.99),
                True,
                False,
            ),
        ),
        tempting={
            "truncated_bounds": "numbers have twelve characters",
            "misaligned_partitioning": "makers are cut off of what is asked for",
        },
    ),
    # A day is 24 files, of which one would do.
    Pair(
        "hours_by_their_number",
        hours_by_number,
        each(
            "SELECT plant, count(*) FROM lake.db.hours_by_their_number"
            " WHERE hour_no >= {} AND hour_no < {} GROUP BY plant",
            [(490_896 + 24 * (9 - n % 4), 490_920 + 24 * (9 - n % 4)) for n in range(40)],
        ),
        expected=(Expected("partitions_too_fine", ("hour_no",), statements=True),),
        tempting={
            "small_files": "no file spans two partitions",
            "unclustered_column": "hours are partitions",
        },
        never=("ORDERED BY", "DROP PARTITION FIELD"),
    ),
    # Shops are numbered by regions, so a shop's scan reads the days of one region: both files of
    # each, of which it needs one.
    Pair(
        "shops_numbered_by_region",
        shops_and_days,
        [
            *each(
                "SELECT * FROM lake.db.shops_numbered_by_region WHERE shop_id = {}"
                " AND sold_on >= DATE '{}'",
                [(n % 6 * 1000 + n * 7 % 600, day(23 - n % 2)) for n in range(80)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.shops_numbered_by_region"
                " WHERE region = 'R{}' AND sold_on >= DATE '{}'",
                [(n % 6, day(10)) for n in range(30)],
            ),
        ],
        allowed=(
            Expected("unclustered_column", ("shop_id",), (0, 0.2)),
            Expected("no_partition_filter", ("shop_id",), (0, 0.2)),
        ),
        tempting={
            "misaligned_partitioning": "regions and days are asked for",
            "small_files": "files are as large as they should be",
        },
        never=("PARTITION FIELD",),
    ),
)
