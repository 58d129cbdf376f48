"""Joins, merges, jobs that read all of a table, and people who look at it."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
)

DAYS = 60
COUNT = DAYS * FILE_ROWS


def orders_of_days() -> Layout:
    """A partition for each of 60 days, which is one file; customers are anywhere."""
    draw = rng(383)
    days = np.repeat(np.arange(DAYS), FILE_ROWS)
    return laid_out(
        table(
            {
                "day": dates(days),
                "order_id": draw.permutation(COUNT),
                "customer_id": draw.integers(0, 5_000, COUNT),
                "region": texts(draw.integers(0, 8, COUNT), "r{}"),
                "amount": np.arange(COUNT),
            }
        ),
        "day",
    )


NEVER = ("ADD PARTITION FIELD", "DROP", "ORDERED BY")

PAIRS = (
    # Customers of a table by days: joins tell them while they run.
    Pair(
        "joined_by_using",
        orders_of_days,
        repeated(
            "SELECT sum(f.amount) FROM lake.db.joined_by_using f"
            " JOIN shop.public.customers c USING (customer_id) WHERE c.segment = 'gold'",
            8,
        ),
        expected=(Expected("runtime_only", (), None, False, says=("customer_id",)),),
        tempting={"no_partition_filter": "no filter has a value of a column of this table"},
        never=NEVER,
    ),
    Pair(
        "joined_by_in",
        orders_of_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.joined_by_in"
            " WHERE customer_id IN (SELECT id FROM shop.public.vips)",
            8,
        ),
        expected=(Expected("runtime_only", (), None, False, says=("customer_id",)),),
        never=NEVER,
    ),
    Pair(
        "joined_by_exists",
        orders_of_days,
        repeated(
            "SELECT sum(o.amount) FROM lake.db.joined_by_exists o WHERE EXISTS"
            " (SELECT 1 FROM shop.public.returns r WHERE r.order_id = o.order_id)",
            8,
            **SPARK,
        ),
        expected=(Expected("runtime_only", (), None, False, says=("order_id",)),),
        never=NEVER,
    ),
    # Calendars restrict days while queries run, which both engines use.
    Pair(
        "joined_by_calendar",
        orders_of_days,
        repeated(
            "SELECT sum(f.amount) FROM lake.db.joined_by_calendar f"
            " JOIN shop.public.calendar c USING (day) WHERE c.week = 7",
            8,
        ),
        allowed=(Expected("runtime_only", (), None, False),),
        tempting={"misaligned_partitioning": "joins use the partitions"},
        never=NEVER,
    ),
    # A join by order, of one day: the day restricts it.
    Pair(
        "joined_on_one_day",
        orders_of_days,
        each(
            "SELECT sum(f.amount) FROM lake.db.joined_on_one_day f"
            " JOIN shop.public.returns r ON r.order_id = f.order_id AND f.day = DATE '{}'",
            map(day, range(0, 60, 5)),
        ),
        tempting={"runtime_only": "the day restricts it"},
        never=NEVER,
    ),
    Pair(
        "merged_by_order",
        orders_of_days,
        repeated(
            "MERGE INTO lake.db.merged_by_order t USING shop.public.staged s"
            " ON t.order_id = s.order_id WHEN MATCHED THEN UPDATE SET amount = s.amount"
            " WHEN NOT MATCHED THEN INSERT (day, order_id) VALUES (s.day, s.order_id)",
            5,
            **SPARK,
        ),
        expected=(Expected("runtime_only", (), None, False, says=("MERGE", "day")),),
        never=NEVER,
    ),
    # What no row is merged into is closed: a range in ON would close what lies outside of it.
    Pair(
        "merged_and_closed",
        orders_of_days,
        repeated(
            "MERGE INTO lake.db.merged_and_closed t USING shop.public.open_orders s"
            " ON t.order_id = s.order_id WHEN MATCHED THEN UPDATE SET amount = s.amount"
            " WHEN NOT MATCHED BY SOURCE AND t.region = 'r1' THEN DELETE",
            5,
            **SPARK,
        ),
        expected=(Expected("runtime_only", (), None, False, False, ("NOT MATCHED BY SOURCE",)),),
        never=NEVER,
    ),
    # Of customers without orders there are none to leave out; those with few keep their rows.
    Pair(
        "customers_without_orders",
        orders_of_days,
        repeated(
            "SELECT c.id FROM shop.public.customers c LEFT JOIN lake.db.customers_without_orders o"
            " ON o.customer_id = c.id WHERE o.order_id IS NULL",
            8,
        ),
        expected=(Expected("runtime_only", ("customer_id",), None, False, False),),
        never=NEVER,
        unsaid=("add it to",),
    ),
    Pair(
        "orders_of_every_customer",
        orders_of_days,
        repeated(
            "SELECT c.id, sum(o.amount) FROM lake.db.orders_of_every_customer o RIGHT JOIN"
            " shop.public.customers c ON o.customer_id = c.id GROUP BY c.id",
            8,
            **SPARK,
        ),
        expected=(Expected("runtime_only", ("customer_id",), None, False, True, ("to ON",)),),
        never=NEVER,
    ),
    Pair(
        "merged_by_order_and_range",
        orders_of_days,
        repeated(
            "MERGE INTO lake.db.merged_by_order_and_range t USING shop.public.staged s"
            f" ON t.order_id = s.order_id AND t.day >= DATE '{day(57)}'"
            " WHEN MATCHED THEN UPDATE SET amount = s.amount",
            5,
            **SPARK,
        ),
        tempting={"runtime_only": "the range restricts it"},
        never=NEVER,
    ),
    # Right to be forgotten: a customer is in most days. No order inside days of one file helps,
    # and cutting days by customer costs 40 reports more than five deletions win.
    Pair(
        "customers_forgotten",
        orders_of_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.customers_forgotten"
                " WHERE day BETWEEN DATE '{}' AND DATE '{}'",
                [(day(n), day(n + 9)) for n in range(40)],
            ),
            *each(
                "DELETE FROM lake.db.customers_forgotten WHERE customer_id = {}",
                range(3, 5_000, 1_000),
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("customer_id",), (0.0, 0.0), False),
            Expected("row_groups_not_pruned", ("customer_id",)),
        ),
        never=("DROP", "ADD PARTITION FIELD", "ORDERED BY"),
    ),
    # Copies, backfills and totals have to read what they read.
    Pair(
        "copied_and_summed",
        orders_of_days,
        [
            *repeated(
                "INSERT INTO shop.public.copy SELECT * FROM lake.db.copied_and_summed",
                4,
                **SPARK,
            ),
            *repeated(
                "SELECT region, sum(amount) FROM lake.db.copied_and_summed GROUP BY region", 4
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.copied_and_summed WHERE customer_id IS NOT NULL"
                " AND amount >= 0",
                4,
            ),
        ],
        tempting={
            "no_partition_filter": "all rows match",
            "misaligned_partitioning": "nobody filters, so nothing is better",
            "unclustered_column": "all rows match",
        },
        never=NEVER,
    ),
    # People who look at a table: a few rows, how many there are, the newest day.
    Pair(
        "looked_at",
        orders_of_days,
        [
            *repeated("SELECT * FROM lake.db.looked_at LIMIT 100", 6),
            *repeated("SELECT count(*) FROM lake.db.looked_at", 6),
            *repeated("SELECT max(day), min(day) FROM lake.db.looked_at", 6),
            *repeated("SELECT * FROM lake.db.looked_at ORDER BY amount DESC LIMIT 10", 6),
        ],
        tempting={
            "no_partition_filter": "there is no filter to serve",
            "misaligned_partitioning": "there is no filter to serve",
        },
        never=NEVER,
    ),
    # Reports of one day, of a month, and of all: the layout is as it should be.
    Pair(
        "short_and_long_reports",
        orders_of_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.short_and_long_reports WHERE day = DATE '{}'",
                map(day, range(0, 60, 4)),
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.short_and_long_reports"
                f" WHERE day BETWEEN DATE '{day(30)}' AND DATE '{day(59)}'",
                8,
            ),
            *repeated(
                "SELECT region, count(*) FROM lake.db.short_and_long_reports"
                f" WHERE day >= DATE '{day(0)}' GROUP BY region",
                3,
            ),
        ],
        tempting={
            "partitions_too_fine": "a day is a file",
            "partitions_too_coarse": "days are asked for",
        },
        never=NEVER,
    ),
    # Days that a calendar is asked for are known when the join is planned.
    Pair(
        "joined_by_weeks_of_a_calendar",
        orders_of_days,
        each(
            "WITH weeks AS (SELECT c.date AS d, c.label FROM shop.public.calendar c"
            " WHERE c.date BETWEEN DATE '{}' AND DATE '{}') SELECT w.label, sum(f.amount)"
            " FROM lake.db.joined_by_weeks_of_a_calendar f JOIN weeks w ON f.day = w.d GROUP BY 1",
            [(day(n), day(n + 6)) for n in range(0, 50, 7)],
            **SPARK,
        ),
        tempting={"runtime_only": "Spark infers the days from the other side"},
        never=NEVER,
    ),
    Pair(
        "joined_by_days_that_are_open",
        orders_of_days,
        each(
            "SELECT sum(o.amount) FROM lake.db.joined_by_days_that_are_open o WHERE o.day IN"
            " (SELECT date FROM shop.public.calendar WHERE date >= DATE '{}' AND is_open)",
            map(day, range(50, 60)),
        ),
        tempting={"runtime_only": "Trino infers the days from the subquery"},
        never=NEVER,
    ),
    # Spark makes a join of it after it has inferred what joins say.
    Pair(
        "joined_by_days_that_are_open_in_spark",
        orders_of_days,
        each(
            "SELECT sum(o.amount) FROM lake.db.joined_by_days_that_are_open_in_spark o"
            " WHERE o.day IN (SELECT date FROM shop.public.calendar WHERE date >= DATE '{}')",
            map(day, range(50, 60)),
            **SPARK,
        ),
        expected=(Expected("runtime_only", ("day",), None, False),),
        never=NEVER,
    ),
)
