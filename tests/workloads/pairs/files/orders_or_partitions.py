"""Partitions of files whose rows are in no order, where an order and other partitions both serve
queries: one may leave little to win by the other, or not."""

from __future__ import annotations

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

HOUR = 3_600


def logs(services: int, files: int, days: int) -> Layout:
    """So many services of some files each, with any keys and times, and few errors, in each."""
    count = services * files * FILE_ROWS
    draw = rng(9_201)
    return laid_out(
        table(
            {
                "svc": texts(draw.integers(0, services, count), "svc-{:02}"),
                "id": draw.integers(0, 100_000, count),
                "lvl": texts((draw.random(count) < 0.02).astype(int), "L{}"),
                "ts": times(draw.uniform(0, days * DAY, count)),
            }
        ),
        "svc",
    )


def logs_of_a_quarter() -> Layout:
    """Four files a service."""
    return logs(30, 4, 90)


def logs_of_a_weekend() -> Layout:
    """A file a day of each service."""
    return logs(30, 4, 3)


def logs_of_a_month() -> Layout:
    """A file a day of each service."""
    return logs(3, 30, 30)


def logs_of_two_months() -> Layout:
    """30 files a month of each service."""
    return logs(3, 60, 60)


def between(name: str, spans: list[tuple[int, int]], beside: str = "", **asked: str) -> list[Query]:
    """Reads of rows between two times, in seconds after the start."""
    sql = f"SELECT * FROM lake.db.{name} WHERE ts >= TIMESTAMP '{{}}' AND ts < TIMESTAMP '{{}}'"
    return each(sql + beside, [(instant(a), instant(b)) for a, b in spans], **asked)


def within_services(name: str, spans: list[tuple[int, int]], services: int) -> list[Query]:
    """Reads of rows of a service between two times, of one after the other."""
    return [
        query
        for n, span in enumerate(spans)
        for query in between(name, [span], f" AND svc = 'svc-{n % services:02}'", **SPARK)
    ]


def errors_of(name: str, count: int) -> list[Query]:
    return repeated(f"SELECT * FROM lake.db.{name} WHERE lvl = 'L1'", count)


UNASKED = (Expected("misaligned_partitioning", ()),)
"""That nobody asks for the partitions there are."""
ALTERNATIVE = (Expected("no_partition_filter", ("ts",), None, False),)
"""What the one that wins more leaves of the other."""

PAIRS = (
    # Months take what an order of levels would win; levels in order of time serve all.
    Pair(
        "logs_by_error_or_day",
        logs_of_a_quarter,
        [
            *errors_of("logs_by_error_or_day", 40),
            *between("logs_by_error_or_day", [(n * DAY, n * DAY + DAY) for n in range(5, 85, 4)]),
            *within_services(
                "logs_by_error_or_day", [(n * DAY, n * DAY + 5 * DAY) for n in range(60)], 30
            ),
        ],
        expected=(
            Expected(
                "no_partition_filter", ("lvl", "ts"), (0.4, 0.7), True, False, ("WRITE ORDERED",)
            ),
        ),
        allowed=ALTERNATIVE,
        never=("PARTITION FIELD",),
        unsaid=("Change the partitions first",),
    ),
    # Days beside services leave each of these a file a day, which no order cuts further.
    Pair(
        "logs_by_error_or_hour",
        logs_of_a_weekend,
        [
            *errors_of("logs_by_error_or_hour", 40),
            *between(
                "logs_by_error_or_hour",
                [(n * HOUR, n * HOUR + 2 * HOUR) for n in range(2, 62)],
                **SPARK,
            ),
            *within_services(
                "logs_by_error_or_hour", [(n * HOUR, n * HOUR + 30 * HOUR) for n in range(30)], 30
            ),
        ],
        expected=(
            Expected(
                "no_partition_filter", ("lvl", "ts"), (0.4, 0.7), True, False, ("WRITE ORDERED",)
            ),
        ),
        allowed=(*ALTERNATIVE, Expected("misaligned_partitioning", ("ts",))),
        never=("PARTITION FIELD",),
        unsaid=("Change the partitions first",),
    ),
    # Nearly all ask for days: what errors win is little beside that, and nothing once it is done.
    Pair(
        "logs_by_day_and_few_errors",
        logs_of_a_month,
        [
            *errors_of("logs_by_day_and_few_errors", 4),
            *between(
                "logs_by_day_and_few_errors",
                [(n * DAY // 2, n * DAY // 2 + DAY) for n in range(58)],
            ),
        ],
        expected=(Expected("no_partition_filter", ("ts",), (0.7, 1.0), True, False),),
        allowed=(Expected("no_partition_filter", ("lvl",), None, False), *UNASKED),
    ),
    # Keys win more than months; in months, both win 72 %.
    Pair(
        "logs_by_month_and_key",
        logs_of_two_months,
        [
            *each(
                "SELECT * FROM lake.db.logs_by_month_and_key WHERE id = {}",
                range(700, 100_000, 2_500),
            ),
            *between(
                "logs_by_month_and_key",
                [(n * DAY, (n + 30) * DAY) for n in (0, 31) for _ in range(20)],
            ),
            *within_services("logs_by_month_and_key", [(0, 31 * DAY)] * 9, 3),
        ],
        expected=(Expected("no_partition_filter", ("id",), (0.4, 0.6), True, False),),
        allowed=(
            Expected("no_partition_filter", ("ts",), None, True),
            Expected("unclustered_column", ("ts",), None, True),
        ),
    ),
)
