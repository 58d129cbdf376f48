"""Conditions that another wording would let the planner use, for nothing."""

from __future__ import annotations

import numpy as np

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, Truth

TRINO = {"engine": "trino", "engine_version": "482", "iceberg_version": "1.11.0"}
NO_LAYOUT = (r"PARTITION FIELD", r"ORDERED BY", r"rewrite_data_files")


def ledger() -> Layout:
    """A year of days, a third of a file each."""
    draw = rng(93001)
    count = 364 * 200
    return laid_out(
        table(
            {
                "booked_on": dates(np.sort(draw.integers(0, 364, count))),
                "account": draw.integers(1000, 9999, count),
                "cents": draw.integers(-90_000, 90_000, count),
            }
        ),
        "months(booked_on)",
    )


def impressions() -> Layout:
    """40 days of three files."""
    draw = rng(93002)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "seen_at": times(np.sort(draw.uniform(0, 40 * DAY, count))),
                "campaign": draw.integers(0, 70, count),
            }
        ),
        "days(seen_at)",
    )


def hive_pages() -> Layout:
    """30 days as texts, as Hive had them."""
    draw = rng(93003)
    count = 90 * FILE_ROWS
    days = np.sort(draw.integers(0, 30, count))
    return laid_out(table({"dt": day_text(days), "page": draw.integers(0, 900, count)}), "dt")


def feeds_by_german_day() -> Layout:
    """30 days as texts that do not sort as days do."""
    draw = rng(93004)
    count = 60 * FILE_ROWS
    days = np.sort(draw.integers(0, 30, count))
    return laid_out(
        table({"tag": day_text(days, "%d.%m.%Y"), "feed": draw.integers(0, 40, count)}), "tag"
    )


def members_by_number() -> Layout:
    """90 files in order of the member's number."""
    draw = rng(93005)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "member_no": np.sort(draw.integers(10_000, 99_999, count)),
                "points": draw.integers(0, 5000, count),
            }
        )
    )


def bills() -> Layout:
    """100 files in which two numbers grow as bills are made."""
    draw = rng(93006)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "order_no": np.arange(count) * 2 + 100_000,
                "bill_no": np.arange(count) * 3 + 7_000_000,
                "cents": draw.integers(1, 90_000, count),
            }
        )
    )


def events_by_id() -> Layout:
    """80 files in order of the event's number."""
    draw = rng(93007)
    count = 80 * FILE_ROWS
    return laid_out(table({"event_id": np.arange(count) + 1, "kind": draw.integers(0, 9, count)}))


def articles() -> Layout:
    """60 files in order of the article's key, which has underscores."""
    draw = rng(93008)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "sku": texts(np.sort(draw.integers(0, 60_000, count)), "SKU_{:05d}"),
                "stock": draw.integers(0, 900, count),
            }
        )
    )


def payments_target() -> Layout:
    """60 days of two files; a nightly MERGE of changes to the last three days."""
    draw = rng(93009)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "payment_id": np.arange(count) + 1,
                "paid_at": times(np.sort(draw.uniform(0, 60 * DAY, count))),
                "state": texts(draw.integers(0, 4, count), "s{}"),
            }
        ),
        "days(paid_at)",
    )


_MERGE = (
    "MERGE INTO lake.db.payments_target AS t USING stage.db.payment_changes AS s ON t.payment_id = s.payment_id{}"
    " WHEN MATCHED THEN UPDATE SET state = s.state WHEN NOT MATCHED THEN INSERT (payment_id, paid_at, state, payload)"
    " VALUES (s.payment_id, s.paid_at, s.state, s.payload)"
)
_IDS = [[(400 * n + k) % 48_000 + 1 for k in range(300)] for n in range(20)]


def _month(number: int) -> tuple[int, int, int]:
    """A month, and the year and month after it."""
    month = 1 + number % 12
    return month, 2026 + month // 12, month % 12 + 1


def _halves(ids: list[int]) -> str:
    a, b = ", ".join(map(str, ids[:150])), ", ".join(map(str, ids[150:]))
    return f"SELECT kind, count(*) FROM lake.db.events_by_id WHERE (event_id IN ({a}) OR event_id IN ({b})) GROUP BY kind"


PAIRS = (
    Truth(
        "ledger_month_end",
        ledger,
        [
            *each(
                "SELECT account, sum(cents) FROM lake.db.ledger_month_end WHERE date_format(booked_on, 'yyyy-MM') = '2026-{:02d}' GROUP BY account",
                [1 + n % 12 for n in range(60)],
                **SPARK,
            ),
            *each(
                "SELECT sum(cents) FROM lake.db.ledger_month_end WHERE year(booked_on) = 2026 AND month(booked_on) = {}",
                [1 + n % 12 for n in range(24)],
                **SPARK,
            ),
        ],
        sound=False,
        first=Change(
            "condition",
            ("booked_on",),
            "booked_on >= DATE '2026-03-01' AND booked_on < DATE '2026-04-01'",
        ),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.9, 0.93),
        why="Reports want one month of twelve, and the table has partitions of months that Spark cannot use through date_format.",
        rewritten=[
            *each(
                "SELECT account, sum(cents) FROM lake.db.ledger_month_end WHERE booked_on >= DATE '2026-{:02d}-01' AND booked_on < DATE '{}-{:02d}-01' GROUP BY account",
                [_month(n) for n in range(60)],
                **SPARK,
            ),
            *each(
                "SELECT sum(cents) FROM lake.db.ledger_month_end WHERE booked_on >= DATE '2026-{:02d}-01' AND booked_on < DATE '{}-{:02d}-01'",
                [_month(n) for n in range(24)],
                **SPARK,
            ),
        ],
    ),
    Truth(
        "impressions_day_as_text",
        impressions,
        [
            *each(
                "SELECT campaign, count(*) FROM lake.db.impressions_day_as_text WHERE substring(CAST(seen_at AS STRING), 1, 10) = '{}' GROUP BY campaign",
                [day(n % 40) for n in range(50)],
                **SPARK,
            ),
            *repeated(
                f"SELECT count(*) FROM lake.db.impressions_day_as_text WHERE seen_at >= TIMESTAMP '{instant(39 * DAY)}'",
                30,
                **SPARK,
            ),
        ],
        sound=False,
        first=Change(
            "condition",
            ("seen_at",),
            "seen_at >= TIMESTAMP '2026-01-05 00:00:00' AND seen_at < TIMESTAMP '2026-01-06 00:00:00'",
        ),
        also_fine=(
            Change(
                "condition",
                ("seen_at",),
                "CAST(seen_at AS date) = DATE '2026-01-05', which Spark unwraps",
            ),
        ),
        harmful=NO_LAYOUT,
        share=(0.92, 0.98),
        why="The day is cut out of a text of the time, so 40 days are read for one.",
        rewritten=[
            *each(
                "SELECT campaign, count(*) FROM lake.db.impressions_day_as_text WHERE seen_at >= TIMESTAMP '{}' AND seen_at < TIMESTAMP '{}' GROUP BY campaign",
                [(instant(n % 40 * DAY), instant((n % 40 + 1) * DAY)) for n in range(50)],
                **SPARK,
            ),
            *repeated(
                f"SELECT count(*) FROM lake.db.impressions_day_as_text WHERE seen_at >= TIMESTAMP '{instant(39 * DAY)}'",
                30,
                **SPARK,
            ),
        ],
    ),
    Truth(
        "hive_pages",
        hive_pages,
        each(
            "SELECT page, count(*) FROM lake.db.hive_pages WHERE to_date(dt) = DATE '{}' GROUP BY page",
            [day(n % 30) for n in range(60)],
            **SPARK,
        ),
        sound=False,
        first=Change("condition", ("dt",), "dt = '2026-01-05', text against text"),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.95, 0.98),
        why="Partitions are days written as ISO texts; to_date around them hides them from the planner.",
        rewritten=each(
            "SELECT page, count(*) FROM lake.db.hive_pages WHERE dt = '{}' GROUP BY page",
            [day(n % 30) for n in range(60)],
            **SPARK,
        ),
    ),
    Truth(
        "feeds_by_german_day",
        feeds_by_german_day,
        each(
            "SELECT feed, count(*) FROM lake.db.feeds_by_german_day WHERE to_date(tag, 'dd.MM.yyyy') = DATE '{}' GROUP BY feed",
            [day(n % 30) for n in range(60)],
            **SPARK,
        ),
        sound=False,
        first=Change("condition", ("tag",), "tag = '05.01.2026'"),
        also_fine=(Change("partition", ("tag",), "a column of type date, later"),),
        harmful=(r"ORDERED BY", r"DROP PARTITION FIELD", r"truncate\("),
        share=(0.95, 0.98),
        why="One day is one text, which is a partition of its own; only ranges would not sort.",
        rewritten=[
            q
            for n in range(60)
            for q in each(
                "SELECT feed, count(*) FROM lake.db.feeds_by_german_day WHERE tag = '{:%d.%m.%Y}' GROUP BY feed",
                [day(n % 30)],
                **SPARK,
            )
        ],
    ),
    Truth(
        "members_by_number",
        members_by_number,
        [
            *each(
                "SELECT * FROM lake.db.members_by_number WHERE CAST(member_no AS STRING) = '{}'",
                [10_007 + 881 * n for n in range(80)],
                **SPARK,
            ),
            *each(
                "SELECT sum(points) FROM lake.db.members_by_number WHERE member_no - member_no % 1000 = {}",
                [10_000 + 1000 * n for n in range(30)],
                **SPARK,
            ),
        ],
        sound=False,
        first=Change(
            "condition",
            ("member_no",),
            "member_no = 10007; member_no >= 10000 AND member_no < 11000",
        ),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.95, 0.99),
        why="Rows are in order of the number, but a cast and an arithmetic around it leave the planner nothing.",
        rewritten=[
            *each(
                "SELECT * FROM lake.db.members_by_number WHERE member_no = {}",
                [10_007 + 881 * n for n in range(80)],
                **SPARK,
            ),
            *each(
                "SELECT sum(points) FROM lake.db.members_by_number WHERE member_no >= {} AND member_no < {}",
                [(10_000 + 1000 * n, 11_000 + 1000 * n) for n in range(30)],
                **SPARK,
            ),
        ],
    ),
    Truth(
        "bills_by_either_number",
        bills,
        each(
            "SELECT * FROM lake.db.bills_by_either_number WHERE order_no = {} OR bill_no = {}",
            [
                (100_000 + 2 * (n * 737 % 60_000), 7_000_000 + 3 * (n * 911 % 60_000))
                for n in range(90)
            ],
            **TRINO,
        ),
        sound=False,
        first=Change("condition", ("order_no", "bill_no"), "UNION ALL of a SELECT for each arm"),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.96, 0.99),
        why="Trino pushes no OR of two columns, while files are in order of both numbers.",
        rewritten=each(
            "SELECT * FROM lake.db.bills_by_either_number WHERE order_no = {} OR bill_no = {}",
            [
                (100_000 + 2 * (n * 737 % 60_000), 7_000_000 + 3 * (n * 911 % 60_000))
                for n in range(90)
            ],
            **SPARK,
        ),
    ),
    Truth(
        "events_by_id",
        events_by_id,
        each(
            "SELECT kind, count(*) FROM lake.db.events_by_id WHERE event_id IN ({}) GROUP BY kind",
            [", ".join(map(str, ids)) for ids in _IDS],
            **SPARK,
        ),
        sound=False,
        first=Change(
            "condition",
            ("event_id",),
            "two lists of at most 200, or event_id BETWEEN least AND greatest beside the list",
        ),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.95, 0.99),
        why="Iceberg compares no bounds with lists of more than 200 values, and these 300 lie side by side.",
        rewritten=[q for ids in _IDS for q in repeated(_halves(ids), 1, **SPARK)],
    ),
    Truth(
        "articles_like_with_underscore",
        articles,
        each(
            "SELECT sku, stock FROM lake.db.articles_like_with_underscore WHERE sku LIKE 'SKU_{:03d}%'",
            [n * 17 % 600 for n in range(70)],
            **SPARK,
        ),
        sound=False,
        first=Change(
            "condition", ("sku",), "startswith(sku, 'SKU_012'), if the underscore is meant"
        ),
        also_fine=(Change("condition", ("sku",), "sku >= 'SKU_012' AND sku < 'SKU_013'"),),
        harmful=NO_LAYOUT,
        share=(0.94, 0.99),
        why="An underscore is a wildcard to Spark, which then pushes nothing; files are in order of the key.",
        rewritten=each(
            "SELECT sku, stock FROM lake.db.articles_like_with_underscore WHERE sku >= 'SKU_{:03d}' AND sku < 'SKU_{:03d}a'",
            [(n * 17 % 600, n * 17 % 600) for n in range(70)],
            **SPARK,
        ),
    ),
    Truth(
        "payments_target",
        payments_target,
        [
            *repeated(_MERGE.format(""), 24, **SPARK),
            *repeated(
                f"SELECT count(*) FROM lake.db.payments_target WHERE paid_at >= TIMESTAMP '{instant(59 * DAY)}'",
                20,
                **SPARK,
            ),
        ],
        sound=False,
        first=Change(
            "condition", ("paid_at",), "a range of paid_at in ON, as changes are of known days"
        ),
        also_fine=(Change("nothing"),),
        harmful=NO_LAYOUT,
        share=(0.85, 0.97),
        why="The MERGE plans the whole target for changes that lie in its newest days; only its author can say so, in ON. What it saves depends on the range.",
        rewritten=[
            *repeated(
                _MERGE.format(f" AND t.paid_at >= TIMESTAMP '{instant(57 * DAY)}'"), 24, **SPARK
            ),
            *repeated(
                f"SELECT count(*) FROM lake.db.payments_target WHERE paid_at >= TIMESTAMP '{instant(59 * DAY)}'",
                20,
                **SPARK,
            ),
        ],
    ),
)
