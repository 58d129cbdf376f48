"""Tables by what is asked of them: lists, alternatives, ranges, keys, joins, several orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    SPARK,
    SPARK_35,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)


def parts_in_order() -> Layout:
    """Forty files in order of `part_id`."""
    return laid_out(
        table({"part_id": np.arange(24_000), "n": rng(951).integers(0, 9, 24_000)}, 951)
    )


def parts_mixed() -> Layout:
    """Forty files of all parts each."""
    return laid_out(
        table({"part_id": rng(952).permutation(24_000), "n": rng(952).integers(0, 9, 24_000)}, 952)
    )


def mails() -> Layout:
    """Mails in order of when they were made, and nearly so of when they were changed."""
    made = np.sort(rng(953).integers(0, 60 * DAY, 24_000))
    changed = made + rng(954).integers(0, DAY, 24_000)
    return laid_out(table({"made": times(made), "changed": times(changed)}, 953))


def keyed_by_uuid() -> Layout:
    """Forty files of keys drawn at random."""
    raw = rng(955).bytes(24_000 * 16)
    keys = pa.array([raw[n : n + 16] for n in range(0, len(raw), 16)], pa.binary(16))
    return laid_out(
        table(
            {
                "event_id": pa.ExtensionArray.from_storage(pa.uuid(), keys),
                "n": np.arange(24_000),
            },
            955,
        )
    )


def ledger() -> Layout:
    """Accounts, merchants and amounts, all over forty files."""
    numbers = rng(958)
    return laid_out(
        table(
            {
                "account": numbers.integers(0, 50_000, 24_000),
                "merchant": numbers.integers(0, 50_000, 24_000),
                "amount": numbers.integers(0, 1_000_000, 24_000),
            },
            958,
        )
    )


def unmeasured() -> Layout:
    """Rows in order of a column whose bounds nobody keeps."""
    return laid_out(
        table({"device": np.arange(24_000), "n": rng(961).integers(0, 9, 24_000)}, 961),
        properties={"write.metadata.metrics.column.device": "none"},
    )


def visits() -> Layout:
    """Users in eight buckets of five files."""
    return laid_out(
        table(
            {
                "user_id": rng(962).permutation(24_000),
                "day": np.sort(rng(963).integers(0, 60, 24_000)),
            },
            962,
        ),
        "bucket(8, user_id)",
    )


def sales() -> Layout:
    """Forty days by number, a file each."""
    return laid_out(
        table(
            {
                "date_sk": np.repeat(np.arange(40), 600) + 2_450_000,
                "customer": rng(964).integers(0, 5_000, 24_000),
            },
            964,
        ),
        "date_sk",
    )


def two_orders() -> Layout:
    """Rows in order of time; ids are drawn at random."""
    numbers = rng(967)
    return laid_out(
        table(
            {
                "at": times(np.sort(numbers.integers(0, 60 * DAY, 24_000))),
                "id": numbers.permutation(24_000),
            },
            967,
        )
    )


def _since(name: str, seconds: int, **asked: Any) -> Query:
    since = instant(seconds)
    literal = f"TIMESTAMP_NTZ '{since}'" if asked else f"TIMESTAMP '{since}'"
    return Query(f"SELECT * FROM {name} WHERE made >= {literal} OR changed >= {literal}", **asked)


def _every_fourth(start: int, count: int) -> str:
    return ", ".join(str(start + 4 * number) for number in range(count))


_SCATTERED = ", ".join(str(n) for n in range(900, 24_000, 2_000))

PAIRS = (
    Pair(
        "parts_of_a_list_in_order",
        parts_in_order,
        each(
            "SELECT * FROM parts_of_a_list_in_order WHERE part_id IN ({})",
            ["17, 5000, 9000, 15000, 23000", "300, 301, 302", "7000, 14000"],
        ),
        tempting={"unclustered_column": "each value is in one file, and that is read"},
    ),
    Pair(
        "parts_of_a_scattered_list",
        parts_mixed,
        repeated(f"SELECT * FROM parts_of_a_scattered_list WHERE part_id IN ({_SCATTERED})", 3),
        # Twelve values lie in about twelve of forty files however these are sorted.
        (Expected("unclustered_column", ("part_id",), (0.6, 0.76), statements=True),),
    ),
    Pair(
        "parts_of_a_list_of_250",
        parts_in_order,
        each(
            "SELECT * FROM parts_of_a_list_of_250 WHERE part_id IN ({})",
            [_every_fourth(start, 250) for start in (3_000, 12_000, 18_500)],
            **SPARK,
        ),
        (Expected("long_in_list", ("part_id",), (0.88, 0.96), statements=False),),
        tempting={"unclustered_column": "rows are in order"},
    ),
    Pair(
        "parts_of_a_list_of_150",
        parts_in_order,
        each(
            "SELECT * FROM parts_of_a_list_of_150 WHERE part_id IN ({})",
            [_every_fourth(start, 150) for start in (3_000, 12_000)],
            **SPARK,
        ),
        tempting={"long_in_list": "planners look at up to 200"},
    ),
    Pair(
        "made_or_changed",
        mails,
        [_since("made_or_changed", n * DAY) for n in (57, 58, 56)],
        (Expected("or_across_columns", ("made|changed",), (0.8, 0.95), statements=False),),
        tempting={"unclustered_column": "rows are in order of both, nearly"},
    ),
    Pair(
        "made_or_changed_in_spark",
        mails,
        [_since("made_or_changed_in_spark", n * DAY, **SPARK_35) for n in (57, 58, 56)],
        tempting={"or_across_columns": "Spark pushes it whole"},
    ),
    Pair(
        "or_of_one_column",
        parts_in_order,
        each(
            "SELECT * FROM or_of_one_column WHERE part_id < {} OR part_id > {}",
            [(300, 23_700), (1_000, 23_000)],
        ),
        tempting={"or_across_columns": "one column is one domain"},
    ),
    Pair(
        "events_by_uuid",
        keyed_by_uuid,
        each(
            "SELECT * FROM events_by_uuid WHERE event_id = UUID '{}'",
            [
                "12151fd2-7586-11e9-8f9e-2a86e4085a59",
                "c2d29867-3d0b-4497-9191-18a9d8ee7830",
                "7f6e1dc0-5f2c-4a1b-8b9c-0c6c3f1f0a11",
            ],
        ),
        # Engines differ on bounds of uuids: buckets, a bloom filter or keys in order of time help.
        (
            Expected(
                "unclustered_column|no_partition_filter|row_groups_not_pruned",
                ("event_id",),
                says=("(?i)bucket|bloom",),
            ),
        ),
    ),
    Pair(
        "ledger_of_three_orders",
        ledger,
        each(
            "SELECT * FROM ledger_of_three_orders WHERE account = {}",
            range(100, 50_000, 2_500),
        )
        + each(
            "SELECT * FROM ledger_of_three_orders WHERE merchant = {}",
            range(100, 50_000, 8_000),
        )
        + each("SELECT * FROM ledger_of_three_orders WHERE amount >= {}", [990_000, 995_000]),
        # A sort by account serves 20 of 29 queries, 66 %; none skips anything today. Four ranges of
        # merchants, each in order of account, leave 4 files of 40 to an account, 10 to a merchant.
        (Expected("unclustered_column", ("merchant", "account"), (0.66, 0.8), statements=True),),
        (Expected("unclustered_column", ("amount",), statements=False),),
    ),
    Pair(
        "times_and_few_ids",
        two_orders,
        [
            Query(
                f"SELECT * FROM times_and_few_ids WHERE at >= TIMESTAMP '{instant(n * DAY)}' "
                f"AND at < TIMESTAMP '{instant((n + 1) * DAY)}'"
            )
            for n in range(2, 58)
        ]
        + each("SELECT * FROM times_and_few_ids WHERE id = {}", [77]),
        # 56 queries read two files each; one reads forty. A sort by id gives 39, and loses 2,000.
        (),
        (Expected("unclustered_column", ("id",), statements=False),),
        never=("WRITE ORDERED",),
    ),
    Pair(
        "devices_without_bounds",
        unmeasured,
        each("SELECT * FROM devices_without_bounds WHERE device = {}", [17, 5_000, 20_000]),
        (Expected("no_column_metrics", ("device",), (0.85, 0.98), statements=True),),
        tempting={"unclustered_column": "rows are in order; only bounds lack"},
    ),
    Pair(
        "visits_joined",
        visits,
        repeated(
            "SELECT count(*) FROM visits_joined a JOIN visits_joined b ON a.user_id = b.user_id", 4
        ),
        (Expected("runtime_only", ("user_id",), rewrite=False),),
        tempting={"misaligned_partitioning": "buckets serve the join"},
        never=("DROP PARTITION", "REPLACE PARTITION"),
    ),
    Pair(
        "visits_of_ranges",
        visits,
        each(
            "SELECT * FROM visits_of_ranges WHERE user_id BETWEEN {} AND {}",
            [(100, 300), (9_000, 9_100), (20_000, 20_500)],
        )
        + each("SELECT * FROM visits_of_ranges WHERE user_id = {}", [17, 4_000]),
        (Expected("range_on_bucketed_column", ("user_id",), (0.5, 0.8)),),
        (Expected("unclustered_column", ("user_id",)),),
        never=("DROP PARTITION", "REPLACE PARTITION"),
    ),
    Pair(
        "last_day_of_sales",
        sales,
        repeated(
            "SELECT * FROM last_day_of_sales s JOIN (SELECT max(date_sk) AS last "
            "FROM last_day_of_sales) m ON s.date_sk = m.last",
            4,
        ),
        (Expected("runtime_only", ("date_sk",)),),
        tempting={"no_partition_filter": "the join is on the partition's column"},
        never=("DROP PARTITION",),
    ),
    Pair(
        "frequent_customers",
        sales,
        repeated(
            "SELECT * FROM frequent_customers s JOIN (SELECT customer FROM frequent_customers "
            "GROUP BY customer HAVING count(*) > 15) f ON s.customer = f.customer",
            4,
        ),
        (Expected("runtime_only", ("customer",)),),
        tempting={"misaligned_partitioning": "joins may need what no filter shows"},
        never=("DROP PARTITION", "WRITE ORDERED"),
    ),
    Pair(
        "bounds_the_wrong_way",
        parts_in_order,
        each("SELECT * FROM bounds_the_wrong_way WHERE part_id BETWEEN {} AND {}", [(900, 100)])
        + each("SELECT * FROM bounds_the_wrong_way WHERE part_id = {}", [5, 17_000]),
        tempting={"unclustered_column": "rows are in order"},
    ),
    Pair(
        "most_of_the_rows",
        parts_mixed,
        each("SELECT * FROM most_of_the_rows WHERE part_id > {}", [2_000, 3_000, 4_000]),
        tempting={"unclustered_column": "nearly all rows match"},
    ),
)
