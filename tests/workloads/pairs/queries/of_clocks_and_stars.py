"""Periods that end with the clock, values for menus, previews, and joins of stars."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.queries.of_bi_tools import orders, until_now
from tests.workloads.pairs.queries.of_models_and_checks import day_keys
from tests.workloads.rows import DAY, SPARK, day, each, instant, repeated

PAIRS = (
    Pair(
        "month_before_by_its_label",
        until_now,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_before_by_its_label WHERE"
            " date_format(created_at, '%Y-%m') ="
            " date_format(date_add('month', -1, current_date), '%Y-%m')",
            6,
        ),
        expected=(Expected("wrapped_column", ("created_at",), (0.45, 0.55), False, True),),
    ),
    Pair(
        "this_month_by_its_number",
        until_now,
        repeated(
            "SELECT sum(amount) FROM lake.db.this_month_by_its_number WHERE"
            " year(created_at) * 100 + month(created_at) ="
            " year(current_date) * 100 + month(current_date)",
            6,
        ),
        expected=(Expected("wrapped_column", ("created_at",), (0.44, 0.54), False, True),),
    ),
    Pair(
        "last_week_as_texts",
        until_now,
        repeated(
            "SELECT sum(amount) FROM lake.db.last_week_as_texts WHERE"
            " date_format(created_at, 'yyyy-MM-dd') >="
            " date_format(date_sub(current_date(), 7), 'yyyy-MM-dd')",
            6,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("created_at",), (0.84, 0.9), False, True),),
    ),
    Pair(
        "days_until_now",
        until_now,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_until_now"
            " WHERE date_diff('day', created_at, now()) <= 6",
            6,
        ),
        expected=(Expected("wrapped_column", ("created_at",), None, False, False),),
    ),
    Pair(
        "seven_days_by_their_difference",
        until_now,
        repeated(
            "SELECT sum(amount) FROM lake.db.seven_days_by_their_difference"
            " WHERE datediff(current_date(), to_date(created_at)) BETWEEN 0 AND 6",
            6,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("created_at",), (0.84, 0.91), False, True),),
    ),
    # The first day of the month, made of its parts.
    Pair(
        "since_a_day_that_is_made",
        until_now,
        repeated(
            "SELECT sum(amount) FROM lake.db.since_a_day_that_is_made WHERE date_trunc('DAY',"
            " created_at) >= make_date(year(current_date()), month(current_date()), 1)",
            6,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("created_at",), (0.44, 0.54), False, True),),
    ),
    # A menu wants all values, a preview any rows, and every file has all stores.
    Pair(
        "menus_and_previews",
        orders,
        [
            *repeated("SELECT DISTINCT store FROM lake.db.menus_and_previews", 5),
            *repeated("SELECT max(ts), min(ts), count(*) FROM lake.db.menus_and_previews", 5),
            *repeated("SELECT * FROM lake.db.menus_and_previews LIMIT 100", 5),
            *each("SELECT * FROM lake.db.menus_and_previews WHERE store = {} LIMIT 20", range(6)),
        ],
        tempting={
            "unclustered_column": "a file has thirty rows of each store",
            "no_partition_filter": "a file has thirty rows of each store",
            "row_groups_not_pruned": "a row group has thirty rows of each store",
            "misaligned_partitioning": "none of these goes by anything",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "stars_by_their_calendar",
        day_keys,
        repeated(
            "SELECT d.week, count(*) FROM lake.db.stars_by_their_calendar f JOIN"
            " elsewhere.db.dim_date d ON f.date_key = d.date_key"
            " WHERE d.year = 2026 AND d.month = 2 GROUP BY d.week",
            5,
        ),
        expected=(Expected("runtime_only", ("date_key",), None, False),),
        tempting={"no_partition_filter": "the join is by the partition column"},
    ),
    Pair(
        "stars_with_a_range",
        day_keys,
        each(
            "SELECT p.brand, count(*) FROM lake.db.stars_with_a_range f JOIN"
            " elsewhere.db.dim_product p ON f.product = p.product WHERE p.brand = 'b'"
            " AND f.date_key BETWEEN {:%Y%m%d} AND {:%Y%m%d} GROUP BY p.brand",
            [(day(n), day(n + 6)) for n in range(0, 50, 7)],
        ),
        tempting={"runtime_only": "a range of days is there", "unclustered_column": "of a join"},
    ),
    # Half of a team goes by the day, half by the day as a text: one cause, of half of the queries.
    Pair(
        "days_in_two_hands",
        orders,
        [
            *each(
                "SELECT count(*) FROM lake.db.days_in_two_hands"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 90, 3)],
                user="careful",
            ),
            *each(
                "SELECT count(*) FROM lake.db.days_in_two_hands"
                " WHERE format_datetime(ts, 'yyyy-MM-dd') = '{}'",
                [day(n) for n in range(1, 90, 9)],
                user="hasty",
            ),
        ],
        expected=(Expected("wrapped_column", ("ts",), (0.92, 0.97), False, True),),
        tempting={"misaligned_partitioning": "all ask for days"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
