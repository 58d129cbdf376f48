"""Tables to leave as they are, by what of them is asked."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa

from tests.workloads.model import Pair
from tests.workloads.pairs.tables.periods import (
    NOTHING,
    customers_of_countries,
    ids_in_order,
    newest_text_day_in_scraps,
    sixty_days,
    thirty_days,
)
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
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


def orders_in_order_of_regions() -> Layout:
    """Six regions, eight files each in order of the order."""
    region = np.repeat(["AP", "CA", "EU", "LA", "ME", "US"], 8 * FILE_ROWS)
    orders = np.concatenate([np.sort(rng(3101 + n).integers(0, 10**6, 4_800)) for n in range(6)])
    return laid_out(table({"region": texts(region), "order_id": orders}), "region")


def tenants_with_deleted_rows() -> Layout:
    """Twenty tenants, two files each; one row in fifty is deleted."""
    draw = rng(3107)
    tenant = np.repeat(np.arange(20), 2 * FILE_ROWS)
    deleted = draw.random(len(tenant)) < 0.02
    days = dates(draw.integers(0, 60, len(tenant)))
    return laid_out(
        table(
            {
                "tenant": texts(tenant, "t{:02d}"),
                "deleted_at": pa.array(
                    [
                        value if gone else None
                        for value, gone in zip(days.to_pylist(), deleted, strict=True)
                    ],
                    pa.date32(),
                ),
                "n": np.arange(len(tenant)),
            }
        ),
        "tenant",
    )


def ordered_and_shipped() -> Layout:
    """A year by months of the order, two files each; rows were shipped within five days."""
    draw = rng(3108)
    ordered = np.sort(draw.integers(0, 365, 24 * FILE_ROWS))
    shipped = ordered + draw.integers(0, 6, len(ordered))
    return laid_out(
        table({"ordered": dates(ordered), "shipped": dates(shipped)}), "months(ordered)"
    )


def by_months_then_days() -> Layout:
    """Two months of two files each, then thirty partitions of days."""
    before = rng(3109).uniform(0, 59 * DAY, 4 * FILE_ROWS)
    since = rng(3110).uniform(59 * DAY, 89 * DAY, 30 * FILE_ROWS)
    old = table({"ts": times(before), "amount": np.arange(len(before))})
    new = table({"ts": times(since), "amount": np.arange(len(since))}, 1)
    coarse, fine = ("months(ts)",), ("days(ts)",)
    return Layout(
        (
            Commit(loaded(old, coarse, FILE_ROWS), coarse),
            Commit(loaded(new, fine, FILE_ROWS), fine),
        ),
        fine,
        scaled(),
    )


def many_buckets() -> Layout:
    """64 buckets of a tenth of a file."""
    ids = rng(3111).permutation(64 * 60)
    return laid_out(table({"id": ids}), "bucket(64, id)")


def prices_by_hundreds() -> Layout:
    """Forty steps of a hundred, a file each."""
    cents = rng(3112).integers(0, 400_000, 40 * FILE_ROWS)
    prices = pa.array([Decimal(int(n)).scaleb(-2) for n in cents], pa.decimal128(9, 2))
    return laid_out(table({"price": prices, "n": np.arange(len(cents))}), "truncate(10000, price)")


def one_day_is_half() -> Layout:
    """Thirty days of a file each, and one of thirty files."""
    days = np.repeat(np.arange(31), [*[FILE_ROWS] * 30, 30 * FILE_ROWS])
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "d")


PAIRS = (
    Pair(
        "orders_of_regions",
        orders_in_order_of_regions,
        each(
            "SELECT * FROM lake.db.orders_of_regions WHERE region = '{}' AND order_id"
            " BETWEEN {} AND {}",
            [("EU", 10_000, 12_000), ("US", 700_000, 710_000), ("ME", 5, 900)],
        ),
        tempting=NOTHING,
    ),
    Pair(
        "the_newest_hundred",
        thirty_days,
        repeated("SELECT * FROM lake.db.the_newest_hundred ORDER BY ts DESC LIMIT 100", 4),
        tempting=NOTHING,
    ),
    Pair(
        "rows_that_are_not_deleted",
        tenants_with_deleted_rows,
        each(
            "SELECT count(*) FROM lake.db.rows_that_are_not_deleted"
            " WHERE tenant = '{}' AND deleted_at IS NULL",
            ("t03", "t11", "t17"),
            **SPARK,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "shipped_in_half_a_year",
        ordered_and_shipped,
        repeated(
            "SELECT count(*) FROM lake.db.shipped_in_half_a_year"
            " WHERE shipped >= DATE '2026-03-01' AND shipped < DATE '2026-09-01'",
            4,
        ),
        tempting={
            **NOTHING,
            "no_partition_filter": "what is shipped was ordered lately, and files tell",
        },
    ),
    # A range beneath the window would change which row is the last.
    Pair(
        "the_last_of_each",
        thirty_days,
        repeated(
            "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY amount ORDER BY ts DESC)"
            " AS place FROM lake.db.the_last_of_each) WHERE place = 1"
            " AND ts >= TIMESTAMP '2026-01-28 00:00:00'",
            4,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "groups_of_some_days",
        sixty_days,
        [
            *repeated(
                "SELECT d, sum(amount) FROM lake.db.groups_of_some_days GROUP BY d"
                " HAVING d >= DATE '2026-02-20'",
                3,
            ),
            *repeated(
                "SELECT d, sum(amount) FROM lake.db.groups_of_some_days GROUP BY d"
                " HAVING d >= DATE '2026-02-20' AND sum(amount) > 5",
                3,
                **SPARK,
            ),
        ],
        tempting=NOTHING,
    ),
    Pair(
        "ids_named_twice",
        ids_in_order,
        [
            *each(
                "SELECT * FROM lake.db.ids_named_twice WHERE id IN ({})",
                [
                    ", ".join(str(first + n % 180) for n in range(250))
                    for first in (1_300, 9_100, 27_050)
                ],
                **SPARK,
            )
        ],
        tempting={**NOTHING, "long_in_list": "180 of the 250 are different"},
    ),
    Pair(
        "ids_here_and_there",
        ids_in_order,
        each(
            "SELECT * FROM lake.db.ids_here_and_there WHERE id IN ({})",
            [
                ", ".join(map(str, sorted(rng(seed).integers(0, 36_000, 40))))
                for seed in (3_201, 3_202, 3_203)
            ],
        ),
        tempting={**NOTHING, "long_in_list": "forty are few"},
    ),
    Pair(
        "days_of_a_new_partitioning",
        by_months_then_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_a_new_partitioning"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in (62, 70, 80)],
        ),
        tempting={**NOTHING, "old_spec_files": "no query asks for old ones"},
    ),
    Pair(
        "lookups_in_many_buckets",
        many_buckets,
        each(
            "SELECT * FROM lake.db.lookups_in_many_buckets WHERE id = {}",
            range(7, 3_800, 411),
            **SPARK,
        ),
        tempting={**NOTHING, "partitions_too_fine": "larger ones would be read for one row"},
    ),
    Pair(
        "prices_of_a_hundred",
        prices_by_hundreds,
        each(
            "SELECT count(*) FROM lake.db.prices_of_a_hundred WHERE price >= {} AND price < {}",
            [(200, 300), (1_500, 1_600), (3_900, 4_000)],
            **SPARK,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "merged_into_the_last_days",
        sixty_days,
        repeated(
            "MERGE INTO lake.db.merged_into_the_last_days AS t USING shop.public.changes AS s"
            " ON t.amount = s.amount AND t.d >= DATE '2026-02-27'"
            " WHEN MATCHED THEN UPDATE SET amount = s.amount",
            4,
            **SPARK,
        ),
        tempting={**NOTHING, "runtime_only": "a range of literals restricts it"},
    ),
    Pair(
        "copied_as_a_whole",
        thirty_days,
        repeated(
            "INSERT INTO lake.db.copies SELECT ts, amount FROM lake.db.copied_as_a_whole",
            4,
            **SPARK,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "the_day_that_is_half",
        one_day_is_half,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.the_day_that_is_half WHERE d = DATE '2026-01-31'",
                4,
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.the_day_that_is_half WHERE d = DATE '{}'",
                (day(3), day(8)),
            ),
        ],
        tempting=NOTHING,
    ),
    Pair(
        "scraps_that_nobody_reads",
        newest_text_day_in_scraps,
        each(
            "SELECT sum(amount) FROM lake.db.scraps_that_nobody_reads WHERE dt = '{}'",
            (day(3), day(8), day(20)),
            **SPARK,
        ),
        tempting={**NOTHING, "small_files": "no scan opens them"},
    ),
    Pair(
        "counts_of_a_large_country",
        customers_of_countries,
        each(
            "SELECT customer_id, count(*) FROM lake.db.counts_of_a_large_country"
            " WHERE country = '{}' GROUP BY customer_id",
            ("US", "US", "AT"),
        ),
        tempting=NOTHING,
    ),
)
