"""Partitions that keep other columns in order, composite ones, and
orders of several columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
    day_text,
    each,
    instant,
    laid_out,
    rng,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS


def text_days_and_times() -> Layout:
    """30 days as text, of two files each, beside the time."""
    seconds = rng(5801).uniform(0, 30 * DAY, COUNT)
    days = (seconds // DAY).astype(int)
    return laid_out(table({"dt": day_text(days), "ts": times(seconds)}), "dt")


def codes_by_country() -> Layout:
    """Six prefixes of codes, of ten files each in no order."""
    draw = rng(5802)
    countries = np.array(["AT", "CH", "DE", "FR", "IT", "PL"])[draw.integers(0, 6, COUNT)]
    numbers = draw.integers(0, 100_000, COUNT)
    codes = [f"{a}{n:06d}" for a, n in zip(countries, numbers, strict=True)]
    return laid_out(table({"code": texts(codes), "amount": np.arange(COUNT)}), "truncate(2, code)")


def days_and_buckets() -> Layout:
    """15 days of four buckets of customers, each of which is a file."""
    draw = rng(5803)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 15 * DAY, COUNT)),
                "customer_id": draw.integers(0, 3000, COUNT),
            }
        ),
        "days(ts)",
        "bucket(4, customer_id)",
    )


def closed_by_month() -> Layout:
    """Tickets by the month in which they were closed: 40 files of those that are open, and two of
    each of ten months."""
    draw = rng(5804)
    at = times(draw.uniform(0, 304 * DAY, COUNT))
    is_open = pa.array(draw.random(COUNT) < 2 / 3)
    closed = pc.if_else(is_open, pa.nulls(COUNT, at.type), at)
    return laid_out(
        table({"closed_at": closed, "customer_id": draw.integers(0, 3000, COUNT)}),
        "months(closed_at)",
    )


def tenants_then_times() -> Layout:
    """60 files in order of twelve tenants, and of times within each."""
    draw = rng(5805)
    tenants = draw.integers(0, 12, COUNT)
    seconds = draw.uniform(0, 60 * DAY, COUNT)
    order = np.lexsort([seconds, tenants])
    return laid_out(table({"tenant": texts(tenants[order], "t{}"), "ts": times(seconds[order])}))


def nights() -> Layout:
    """15 days of four files each, in order of customers within each day."""
    draw = rng(5806)
    seconds = draw.uniform(0, 15 * DAY, COUNT)
    customers = draw.integers(0, 3000, COUNT)
    order = np.lexsort([customers, seconds // DAY])
    return laid_out(
        table(
            {
                "ts": times(seconds[order]),
                "customer_id": customers[order],
                "amount": draw.integers(0, 1000, COUNT),
            }
        ),
        "days(ts)",
    )


PAIRS = (
    # Nobody asks for the text, but it is by its days that times are kept apart.
    Pair(
        "times_in_text_days",
        text_days_and_times,
        each(
            "SELECT count(*) FROM lake.db.times_in_text_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 27, 2)],
        ),
        tempting={
            "no_partition_filter": "bounds of times leave the days that are asked for",
            "misaligned_partitioning": "the text keeps times apart",
            "unclustered_column": "whole days match",
        },
        never=("DROP", "REPLACE", "ORDERED BY", "ADD"),
    ),
    # A code is in the ten files of its country.
    Pair(
        "codes_of_countries",
        codes_by_country,
        each(
            "SELECT amount FROM lake.db.codes_of_countries WHERE code = '{}'",
            [
                f"{c}{n:06d}"
                for n, c in zip(range(500, 99_000, 9000), ["DE", "FR"] * 6, strict=False)
            ],
        ),
        expected=(Expected("unclustered_column", ("code",), (0.8, 0.91), True, False),),
        never=("DROP",),
    ),
    Pair(
        "countries_of_codes",
        codes_by_country,
        each(
            "SELECT sum(amount) FROM lake.db.countries_of_codes WHERE code LIKE '{}%'",
            ["AT", "DE", "FR", "PL"] * 3,
        ),
        tempting={
            "unclustered_column": "a country matches as a whole",
            "like_without_prefix": "the pattern is a prefix",
            "partitions_too_coarse": "a country is asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A customer is in one file of each day, and a day in four: an order wins nothing of either.
    Pair(
        "days_and_customers_in_buckets",
        days_and_buckets,
        [
            *each(
                "SELECT count(*) FROM lake.db.days_and_customers_in_buckets"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(13)],
            ),
            *each(
                "SELECT * FROM lake.db.days_and_customers_in_buckets WHERE customer_id = {}",
                range(100, 3000, 500),
                **SPARK,
            ),
        ],
        tempting={
            "unclustered_column": "partitions are of one file",
            "partitions_too_fine": "a partition fills a file",
            "no_partition_filter": "both columns are in the partitions",
        },
        # A bloom filter would tell the days of a customer.
        allowed=(Expected("row_groups_not_pruned", ("customer_id",)),),
        never=("DROP", "REPLACE", "ORDERED BY"),
    ),
    # Open tickets of a customer: 40 files, in which an order would leave one.
    Pair(
        "open_tickets_of_customers",
        closed_by_month,
        each(
            "SELECT * FROM lake.db.open_tickets_of_customers"
            " WHERE closed_at IS NULL AND customer_id = {}",
            range(100, 3000, 250),
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.9, 0.98), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"partitions_too_coarse": "no month is asked for"},
        never=("DROP",),
    ),
    # A tenant's week is in one file or two, and would be in eight by times alone; days of all
    # tenants are in some 14 files, and would be in three. 240 files are lost, and 110 won.
    Pair(
        "tenants_then_times",
        tenants_then_times,
        [
            *each(
                "SELECT count(*) FROM lake.db.tenants_then_times WHERE tenant = 't{}'"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n % 12, instant(n * DAY), instant((n + 7) * DAY)) for n in range(40)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.tenants_then_times"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 50, 5)],
                user="ops",
            ),
        ],
        allowed=(Expected("unclustered_column", ("ts",), statements=False),),
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Few rows are of so large an amount, but an order by it would undo that of customers.
    Pair(
        "large_amounts_of_a_day",
        nights,
        [
            *each(
                "SELECT * FROM lake.db.large_amounts_of_a_day WHERE customer_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 70, instant(n % 12 * DAY), instant((n % 12 + 3) * DAY)) for n in range(40)],
            ),
            *each(
                "SELECT * FROM lake.db.large_amounts_of_a_day WHERE amount > 995"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(10)],
                user="audit",
            ),
        ],
        # 30 files are won, and 360 lost.
        allowed=(Expected("unclustered_column", ("amount",), statements=False),),
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # A text in place of a date, of which the newest days are asked for as text.
    Pair(
        "the_newest_text_days",
        text_days_and_times,
        each(
            "SELECT count(*) FROM lake.db.the_newest_text_days WHERE dt >= '{}'",
            [day(n) for n in (22, 23, 25, 27, 28, 29)] * 2,
        ),
        tempting={
            "type_mismatch": "text is compared with text",
            "partitions_too_fine": "a day fills its files",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
