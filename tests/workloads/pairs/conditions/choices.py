"""Numbers, choices, and rows that are in no order."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.reports import (
    accounts_in_buckets,
    contexts,
    customers,
    months_as_numbers,
    readings,
    tenants,
    visits_of_late,
)
from tests.workloads.rows import DAY, SPARK, SPARK_35, each, instant, repeated

_NUMBERS = range(700, 24_000, 1900)


def _asked(table: str, condition: str) -> str:
    return f"SELECT * FROM lake.db.{table} WHERE {condition}"


PAIRS = (
    Pair(
        "months_cast_to_text",
        months_as_numbers,
        each(
            _asked("months_cast_to_text", "CAST(ym AS varchar) = '{}'"),
            [202603, 202611, 202702, 202812],
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("ym",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "years_of_months",
        months_as_numbers,
        each(_asked("years_of_months", "ym / 100 = {}"), [2026, 2027, 2028]),
        expected=(Expected("wrapped_column", ("ym",), (0.6, 0.7), False, True),),
    ),
    # March of any year: in each of them, whatever one writes.
    Pair(
        "march_of_any_year",
        months_as_numbers,
        each(_asked("march_of_any_year", "ym % 100 = {}"), [3, 4, 5]),
        expected=(Expected("wrapped_column", ("ym",), None, False, False),),
    ),
    # An old trick to keep an index from being used.
    Pair(
        "numbers_plus_zero",
        customers,
        each(_asked("numbers_plus_zero", "customer_no + 0 = {}"), _NUMBERS),
        expected=(Expected("wrapped_column", ("customer_no",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "thousands_of_numbers",
        customers,
        each(
            _asked("thousands_of_numbers", "floor(customer_no / 1000) = {}"),
            [2, 7, 13, 21],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("customer_no",), (0.9, 0.97), False, True),),
    ),
    Pair(
        "numbers_that_are_no_zero",
        customers,
        each(_asked("numbers_that_are_no_zero", "nullif(customer_no, 0) = {}"), _NUMBERS),
        expected=(Expected("wrapped_column", ("customer_no",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "numbers_of_at_least",
        customers,
        each(_asked("numbers_of_at_least", "greatest(customer_no, 100) >= {}"), [22_000, 23_000]),
        expected=(Expected("wrapped_column", ("customer_no",), (0.88, 0.98), False, True),),
    ),
    Pair(
        "numbers_of_at_most",
        customers,
        each(_asked("numbers_of_at_most", "least(customer_no, 20000) < {}"), [1000, 1500], **SPARK),
        expected=(Expected("wrapped_column", ("customer_no",), (0.88, 0.98), False, True),),
    ),
    Pair(
        "old_and_new_by_if",
        customers,
        each(_asked("old_and_new_by_if", "if(customer_no > {}, 1, 0) = 1"), [22_500, 23_100]),
        expected=(Expected("wrapped_column", ("customer_no",), (0.9, 0.98), False, True),),
    ),
    Pair(
        "old_and_new_by_case",
        customers,
        each(
            _asked(
                "old_and_new_by_case",
                "CASE WHEN customer_no < {} THEN 'old' WHEN customer_no < 20000 THEN 'new'"
                " ELSE 'newest' END = 'old'",
            ),
            [900, 1500],
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("customer_no",), (0.9, 0.98), False, True),),
    ),
    Pair(
        "numbers_by_sign",
        customers,
        each(_asked("numbers_by_sign", "customer_no - {} BETWEEN 0 AND 99"), _NUMBERS),
        expected=(Expected("wrapped_column", ("customer_no",), (0.92, 0.98), False, True),),
    ),
    Pair(
        "about_a_latitude",
        readings,
        each(_asked("about_a_latitude", "abs(lat - {}) < 0.5"), [-50.5, 2.25, 40.0, 71.5]),
        expected=(Expected("wrapped_column", ("lat",), (0.9, 0.98), False, True),),
    ),
    Pair(
        "account_cast_to_text",
        accounts_in_buckets,
        each(
            _asked("account_cast_to_text", "CAST(account_id AS varchar) = '{}'"),
            range(100, 20_000, 1111),
        ),
        expected=(Expected("wrapped_column", ("account_id",), (0.8, 0.9), None, True),),
    ),
    # Five files of a bucket, one of which would do.
    Pair(
        "accounts_by_number",
        accounts_in_buckets,
        each(
            _asked("accounts_by_number", "account_id = CAST({} AS bigint)"), range(9, 20_000, 999)
        ),
        expected=(Expected("unclustered_column", ("account_id",), (0.65, 0.82), True),),
        tempting={"wrapped_column": "the cast is of a constant"},
    ),
    Pair(
        "readings_of_a_device",
        readings,
        each(_asked("readings_of_a_device", "device_id = {}"), range(10, 2000, 150)),
        expected=(Expected("unclustered_column", ("device_id",), (0.9, 0.98), True),),
    ),
    # Half of what is read is asked for by time, in which rows are; an order of devices would win
    # little more than it loses: for 4 scans of 40 files, 60 of two become 60 of forty.
    Pair(
        "devices_and_mostly_times",
        readings,
        [
            *each(_asked("devices_and_mostly_times", "device_id = {}"), range(10, 2000, 500)),
            *each(
                _asked(
                    "devices_and_mostly_times",
                    "ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                ),
                [(instant(n * DAY / 2), instant(n * DAY / 2 + DAY)) for n in range(60)],
            ),
        ],
        allowed=(
            Expected("unclustered_column", ("device_id",), None, False),
            Expected("row_groups_not_pruned", ("device_id",)),
        ),
        never=("WRITE ORDERED", "sort_order"),
    ),
    # An hour of the day is a twenty-fourth of each file.
    Pair(
        "readings_at_night",
        readings,
        each(
            _asked("readings_at_night", "at_time BETWEEN TIME '0{0}:00:00' AND TIME '0{0}:30:00'"),
            range(1, 6),
        ),
        expected=(Expected("unclustered_column", ("at_time",), (0.85, 0.97)),),
    ),
    Pair(
        "events_of_a_device_within",
        contexts,
        each(
            _asked("events_of_a_device_within", "ctx.device = 'dev-{:05d}'"), range(10, 2000, 150)
        ),
        expected=(Expected("unclustered_column", ("ctx.device",), (0.9, 0.98), True),),
    ),
    # What is not active, nulls among it: a list of the other states leaves the nulls out.
    Pair(
        "not_active_or_unknown",
        customers,
        each(_asked("not_active_or_unknown", "state IS DISTINCT FROM '{}'"), ["active"] * 6),
        expected=(
            Expected("negated_condition", ("state",), (0.75, 0.95), True, None, ("IS NULL",)),
        ),
    ),
    Pair(
        "neither_active_nor_gone",
        customers,
        each(
            _asked("neither_active_nor_gone", "state NOT IN ('active', '{}')"),
            ["gone"] * 6,
            **SPARK,
        ),
        expected=(Expected("negated_condition", ("state",), (0.85, 0.97), True),),
    ),
    # The newest day, which a query of its own finds first.
    Pair(
        "the_newest_day",
        visits_of_late,
        repeated(
            "SELECT * FROM lake.db.the_newest_day WHERE d ="
            " (SELECT max(d) FROM lake.db.the_newest_day)",
            4,
        ),
        expected=(Expected("runtime_only", ()),),
        tempting={"wrapped_column": "nothing is around the column"},
    ),
    # Users of all tenants, of whom each has rows in each file: an order within each tenant.
    Pair(
        "users_of_any_tenant",
        tenants,
        each(_asked("users_of_any_tenant", "user_id = {}"), range(5, 4000, 300)),
        expected=(Expected("no_partition_filter", ("user_id",), (0.75, 0.87), True),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"unclustered_column": "the same, under another name"},
        never=("DROP",),
        days=1,
    ),
    Pair(
        "touched_in_a_week",
        customers,
        each(
            _asked(
                "touched_in_a_week",
                "touched >= DATE '2026-0{0}-01' AND touched < DATE '2026-0{0}-08'",
            ),
            range(2, 9),
        ),
        expected=(
            Expected("unclustered_column|no_partition_filter", ("touched",), (0.88, 0.97), True),
        ),
    ),
)
