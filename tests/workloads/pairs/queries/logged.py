"""Jobs of Spark of which the event log has the scans and the conditions on rows, and no text."""

from __future__ import annotations

import datetime as dt
import re

import numpy as np

from prunescope.collectors.observed import (
    ObservedQuery,
    ObservedScan,
    PlanText,
    RowFilter,
    TableName,
)
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, day, laid_out, rng, table, texts, times

COUNTRIES = ("AT", "BE", "DE", "FR", "IT", "NL", "PL", "US")
NIGHT = dt.datetime(2099, 12, 31, 23, tzinfo=dt.UTC)
VERSIONS = {"3.5.6": "1.10.1", "4.0.1": "1.10.1", "4.1.0": "1.11.0"}
_ATTRIBUTE = re.compile(r"\b(ts|country|email|user_id)\b")


def job(
    number: int,
    name: str,
    pushed: str,
    *conditions: str,
    version: str = "4.1.0",
    is_shown: bool = True,
) -> ObservedQuery:
    """A job of one scan of the table `name`, with what was pushed and what was checked on rows."""
    scan = ObservedScan(
        TableName("lake", ("db",), name),
        None,
        {},
        pushed=PlanText(pushed),
        row_filter=RowFilter(tuple(_ATTRIBUTE.sub(r"\1#", text) for text in conditions), is_shown),
    )
    return ObservedQuery(
        source="log",
        query_id=f"{name}-{number}",
        sql=None,
        dialect="spark",
        catalog="lake",
        schema="db",
        engine="spark",
        engine_version=version,
        iceberg_version=VERSIONS[version],
        started_at=NIGHT,
        time_zone="UTC",
        user="etl",
        scans=(scan,),
        plan_known=True,
    )


def month_of_clicks() -> Layout:
    """Thirty days, a partition and a file each."""
    numbers = rng(901)
    seconds = np.sort(numbers.integers(0, 30 * DAY, 24_000))
    return laid_out(
        table(
            {
                "ts": times(seconds, "UTC"),
                "user_id": numbers.integers(0, 5_000, 24_000),
                "country": texts(numbers.choice(COUNTRIES, 24_000)),
            },
            901,
        ),
        "days(ts)",
    )


def clicks_of_countries() -> Layout:
    """Eight countries, five files each, days mixed in all of them."""
    numbers = rng(902)
    return laid_out(
        table(
            {
                "ts": times(numbers.integers(0, 30 * DAY, 24_000), "UTC"),
                "country": texts(np.repeat(COUNTRIES, 3_000)),
                "user_id": numbers.integers(0, 5_000, 24_000),
            },
            902,
        ),
        "country",
    )


def users_of_clicks() -> Layout:
    """Users all over forty files."""
    numbers = rng(903)
    return laid_out(
        table(
            {
                "user_id": numbers.integers(0, 100_000, 24_000),
                "email": texts(numbers.integers(0, 24_000, 24_000), "User{}@Example.org"),
            },
            903,
        )
    )


PAIRS = (
    Pair(
        "log_days_as_text",
        month_of_clicks,
        [
            job(
                n,
                "log_days_as_text",
                "ts IS NOT NULL",
                f"(isnotnull(ts) AND (date_format(ts, yyyy-MM-dd, Some(UTC)) = {day(n)}))",
                version=version,
            )
            for n, version in enumerate((*VERSIONS, *VERSIONS), 4)
        ],
        (Expected("wrapped_column", ("ts",), (0.93, 0.98), statements=False, rewrite=True),),
        tempting={
            "no_partition_filter": "the condition is on the partition's own column",
            "unclustered_column": "each day is in one file",
            "runtime_only": "the row filter has literals",
        },
    ),
    Pair(
        "log_weeks",
        month_of_clicks,
        [
            job(
                n,
                "log_weeks",
                "ts IS NOT NULL",
                f"(isnotnull(ts) AND (date_trunc(week, ts, Some(UTC)) = {day(start)} 00:00:00))",
                version="3.5.6",
            )
            for n, start in enumerate((4, 11, 18))
        ],
        (Expected("wrapped_column", ("ts",), (0.72, 0.79), statements=False, rewrite=True),),
        tempting={"partitions_too_fine": "a week reads seven files of the right size"},
    ),
    Pair(
        "log_unix_seconds",
        month_of_clicks,
        [
            job(
                n,
                "log_unix_seconds",
                "ts IS NOT NULL",
                "((isnotnull(ts) AND (unix_timestamp(ts, yyyy-MM-dd HH:mm:ss, Some(UTC), false) >= "
                f"{1767225600 + n * DAY})) AND (unix_timestamp(ts, yyyy-MM-dd HH:mm:ss, Some(UTC), "
                f"false) < {1767225600 + (n + 1) * DAY}))",
                version="3.5.6",
            )
            for n in (3, 9, 16, 22)
        ],
        (Expected("wrapped_column", ("ts",), (0.93, 0.98), statements=False, rewrite=True),),
        tempting={"unclustered_column": "each day is in one file"},
    ),
    Pair(
        "log_year_and_month_pieces",
        month_of_clicks,
        [
            job(
                n,
                "log_year_and_month_pieces",
                "ts IS NOT NULL",
                "(((isnotnull(ts) AND (year(cast(ts as date)) = 2026)) AND (month(cast(ts as date))"
                f" = 1)) AND (dayofmonth(cast(ts as date)) = {n}))",
                version="4.0.1",
            )
            for n in (5, 12, 19, 26)
        ],
        # Year, month and day of a month are a day: 29 of 30 partitions can go.
        (Expected("wrapped_column", ("ts",), statements=False),),
        tempting={"no_partition_filter": "ts is the partition's column"},
    ),
    Pair(
        "log_upper_country",
        clicks_of_countries,
        [
            job(
                n,
                "log_upper_country",
                "country IS NOT NULL",
                f"(isnotnull(country) AND (upper(country) = {country}))",
            )
            for n, country in enumerate(("DE", "FR", "PL", "US"))
        ],
        (Expected("wrapped_column", ("country",), statements=False),),
        tempting={
            "misaligned_partitioning": "queries do ask for countries",
            "no_partition_filter": "queries do ask for countries",
        },
        never=("DROP PARTITION", "WRITE ORDERED"),
    ),
    Pair(
        "log_trimmed_country_but_day_prunes",
        month_of_clicks,
        [
            job(
                n,
                "log_trimmed_country_but_day_prunes",
                f"ts IS NOT NULL, ts >= {1767225600000000 + n * DAY * 1000000}, "
                f"ts < {1767225600000000 + (n + 1) * DAY * 1000000}",
                f"(((isnotnull(ts) AND (ts >= {day(n)} 00:00:00)) AND (ts < {day(n + 1)} "
                "00:00:00)) AND (trim(country, None) = DE))",
            )
            for n in (3, 9, 16, 22)
        ],
        tempting={
            "wrapped_column": "the day leaves one file, which holds all countries",
            "unclustered_column": "one file is all there is to a day",
        },
    ),
    Pair(
        "log_hour_of_day",
        month_of_clicks,
        [
            job(
                n,
                "log_hour_of_day",
                "ts IS NOT NULL",
                f"(isnotnull(ts) AND (hour(ts, Some(UTC)) = {n}))",
            )
            for n in (3, 9, 16, 22)
        ],
        (
            Expected(
                "wrapped_column",
                ("ts",),
                statements=False,
                rewrite=False,
                says=(r"(?i)noth|no range|no layout|cannot",),
            ),
        ),
        tempting={"unclustered_column": "no order of ts brings one hour of all days together"},
        never=("WRITE ORDERED", "PARTITION FIELD"),
    ),
    Pair(
        "log_that_is_cut",
        month_of_clicks,
        [job(n, "log_that_is_cut", "ts IS NOT NULL", is_shown=False) for n in range(4)],
        tempting={
            "wrapped_column": "nobody knows what the condition is",
            "runtime_only": "nobody knows what the condition is",
            "misaligned_partitioning": "nobody knows what the condition is",
        },
    ),
    Pair(
        "log_email_lower",
        users_of_clicks,
        [
            job(
                n,
                "log_email_lower",
                "email IS NOT NULL",
                f"(isnotnull(email) AND (lower(email) = user{n}@example.org))",
            )
            for n in (17, 220, 3_000, 9_999)
        ],
        (
            Expected(
                "wrapped_column", ("email",), statements=False, rewrite=False, says=("normali",)
            ),
        ),
        tempting={"unclustered_column": "an order of email is none of lower(email)"},
    ),
    Pair(
        "log_user_cast_to_text",
        users_of_clicks,
        [
            job(
                n,
                "log_user_cast_to_text",
                "user_id IS NOT NULL",
                f"(isnotnull(user_id) AND (cast(user_id as string) = {n * 7}))",
            )
            for n in (17, 220, 3_000, 9_999)
        ],
        # The range alone skips little where no file has an order; an order helps only with it.
        (Expected("wrapped_column|type_mismatch", ("user_id",)),),
        (Expected("unclustered_column", ("user_id",)),),
    ),
    Pair(
        "log_user_equal",
        users_of_clicks,
        [
            job(
                n,
                "log_user_equal",
                f"user_id IS NOT NULL, user_id = {n * 7}",
                f"(isnotnull(user_id) AND (user_id = {n * 7}))",
            )
            for n in (17, 220, 3_000, 9_999, 12_345, 14_000)
        ],
        (Expected("unclustered_column", ("user_id",), (0.88, 0.98), statements=True),),
        tempting={"wrapped_column": "what rows are checked for is what was pushed"},
    ),
)
