"""Tables that a third engineer would leave as they are."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.third import (
    FIRSTS,
    customers_of_countries,
    digests_in_order,
    ids_in_order,
    newest_text_day_in_scraps,
    number_days,
    six_regions,
    sixty_days,
    text_days,
    thirty_days,
    thirty_days_with_zone,
    twelve_months,
)
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
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


def times_of_day_in_order() -> Layout:
    """Forty files in order of the time of day."""
    seconds = np.sort(rng(3113).integers(0, DAY, 40 * FILE_ROWS))
    clock = pa.array(seconds * 1_000_000, pa.time64("us"))
    return laid_out(table({"at": clock, "n": np.arange(len(seconds))}))


NOTHING = {
    "wrapped_column": "the column is bare",
    "type_mismatch": "types are alike once constants are folded",
    "unclustered_column": "it skips what it can",
    "no_partition_filter": "the partition is asked for",
    "misaligned_partitioning": "partitions are what queries ask for",
    "partitions_too_coarse": "queries ask for whole partitions",
    "partitions_too_fine": "partitions fill files",
}

PAIRS = (
    Pair(
        "constants_made_into_numbers",
        number_days,
        each(
            "SELECT sum(amount) FROM lake.db.constants_made_into_numbers"
            " WHERE dt = CAST(date_format(DATE '{}', '%Y%m%d') AS integer)",
            (day(20), day(40), day(55)),
        ),
        tempting=NOTHING,
    ),
    Pair(
        "constants_made_into_texts",
        text_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.constants_made_into_texts"
                " WHERE dt = date_format(DATE '{}', 'yyyy-MM-dd')",
                (day(20), day(40)),
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.constants_made_into_texts"
                " WHERE dt >= CAST(DATE '{}' - INTERVAL '3' DAY AS varchar)",
                (day(58), day(59)),
            ),
        ],
        tempting=NOTHING,
    ),
    Pair(
        "days_before_a_constant",
        sixty_days,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.days_before_a_constant"
                " WHERE d >= date_sub(DATE '2026-03-01', 3)",
                3,
                **SPARK,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.days_before_a_constant"
                " WHERE d BETWEEN add_months(DATE '2026-03-01', -1)"
                " AND date_add(DATE '2026-02-01', 6)",
                3,
                **SPARK,
            ),
        ],
        tempting=NOTHING,
    ),
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
        "not_before",
        thirty_days,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.not_before"
                " WHERE NOT (ts < TIMESTAMP '2026-01-28 00:00:00')",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.not_before"
                " WHERE NOT (ts < TIMESTAMP_NTZ '2026-01-28 00:00:00')",
                3,
                **SPARK_35,
            ),
        ],
        tempting={**NOTHING, "negated_condition": "it is a range"},
    ),
    # A partition has one value, which is judged exactly.
    Pair(
        "all_but_four_regions",
        six_regions,
        repeated(
            "SELECT count(*) FROM lake.db.all_but_four_regions"
            " WHERE region NOT IN ('AP', 'EU', 'LA', 'US')",
            4,
            **SPARK_35,
        ),
        tempting={**NOTHING, "negated_condition": "partitions are skipped by it"},
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
    # Rows of the left side stay, whether they match or not.
    Pair(
        "notes_beside_a_day",
        sixty_days,
        repeated(
            "SELECT t.d, n.note FROM lake.db.notes_beside_a_day t LEFT JOIN shop.public.notes n"
            " ON t.amount = n.amount AND t.d = DATE '2026-02-10'",
            4,
        ),
        tempting={**NOTHING, "runtime_only": "the join restricts nothing of it"},
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
        "one_range_or_another",
        sixty_days,
        each(
            "SELECT sum(amount) FROM lake.db.one_range_or_another WHERE d BETWEEN"
            " DATE '2026-01-05' AND DATE '2026-01-0{}' OR d BETWEEN DATE '2026-02-05'"
            " AND DATE '2026-02-07'",
            (7, 8, 9),
            **SPARK,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "hours_of_two_days",
        thirty_days,
        repeated(
            "SELECT date_format(ts, '%Y-%m-%d'), CASE WHEN amount > 5 THEN 'a' ELSE 'b' END"
            " FROM lake.db.hours_of_two_days WHERE ts >= TIMESTAMP '2026-01-20 00:00:00'"
            " AND ts < TIMESTAMP '2026-01-22 00:00:00' AND hour(ts) BETWEEN 9 AND 17",
            4,
        ),
        tempting={**NOTHING, "wrapped_column": "a range of days stands beside it"},
    ),
    Pair(
        "days_by_the_partitions_own_function",
        thirty_days_with_zone,
        each(
            "SELECT sum(amount) FROM lake.db.days_by_the_partitions_own_function"
            " WHERE lake.system.days(ts) = DATE '{}'",
            (day(3), day(9)),
            **SPARK,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "dates_of_times_with_zone",
        thirty_days_with_zone,
        each(
            "SELECT sum(amount) FROM lake.db.dates_of_times_with_zone"
            " WHERE CAST(ts AS date) BETWEEN DATE '{}' AND DATE '{}'",
            [(day(3), day(4)), (day(9), day(10))],
        ),
        tempting={**NOTHING, "local_day_boundaries": "days are those of UTC"},
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
        "this_day_and_that",
        sixty_days,
        [
            *repeated(
                "SELECT a.amount FROM lake.db.this_day_and_that a JOIN lake.db.this_day_and_that b"
                " ON a.amount = b.amount WHERE a.d = DATE '2026-02-10'"
                " AND b.d = DATE '2026-02-03'",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM (SELECT amount FROM lake.db.this_day_and_that"
                " WHERE d = DATE '2026-01-10' UNION ALL SELECT amount"
                " FROM lake.db.this_day_and_that WHERE d = DATE '2026-01-11')",
                3,
                **SPARK,
            ),
        ],
        tempting={**NOTHING, "runtime_only": "both sides have dates"},
    ),
    Pair(
        "digests_as_bytes",
        digests_in_order,
        each(
            "SELECT count(*) FROM lake.db.digests_as_bytes WHERE digest = X'{}'",
            ("0A1B2C3D4E5F6071", "80FFEE0102030405"),
        ),
        tempting=NOTHING,
    ),
    Pair(
        "hours_of_the_clock",
        times_of_day_in_order,
        each(
            "SELECT count(*) FROM lake.db.hours_of_the_clock"
            " WHERE at BETWEEN TIME '{0}:00:00' AND TIME '{0}:59:59'",
            ("03", "09", "21"),
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
    Pair(
        "months_of_literals_with_intervals",
        twelve_months,
        each(
            "SELECT sum(amount) FROM lake.db.months_of_literals_with_intervals"
            " WHERE ts >= TIMESTAMP '{0}-01 00:00:00'"
            " AND ts < TIMESTAMP '{0}-01 00:00:00' + INTERVAL '1' MONTH",
            FIRSTS,
        ),
        tempting=NOTHING,
    ),
    Pair(
        "a_day_with_notes",
        sixty_days,
        repeated(
            "SELECT count(*) FROM lake.db.a_day_with_notes t"
            " WHERE t.d = DATE '2026-02-10' AND EXISTS (SELECT 1 FROM shop.public.notes n"
            " WHERE n.amount = t.amount)",
            4,
        ),
        allowed=(Expected("runtime_only", ()),),
        tempting=NOTHING,
    ),
    # Nothing restricts the table, and nothing could.
    Pair(
        "every_row_with_every_note",
        sixty_days,
        repeated(
            "SELECT count(*) FROM lake.db.every_row_with_every_note CROSS JOIN shop.public.notes",
            4,
        ),
        tempting={**NOTHING, "runtime_only": "the join restricts nothing of it"},
    ),
)
