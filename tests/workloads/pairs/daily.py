"""What teams write every day without knowing that it costs them: expressions, keys and orders."""

from __future__ import annotations

import datetime as dt
import itertools

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.logged import job
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    Numbers,
    dates,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)

SMALL_ROWS = 200
SMALL = scaled(SMALL_ROWS * 100)
EPOCH_DAY = (day(0) - dt.date(1970, 1, 1)).days
LAST_DAYS = (dt.date(2099, 12, 31) - day(0)).days
REGIONS = ("eu", "us", "jp", "br", "in", "za")
AREAS = ("EU", "US", "JP", "BR", "IN")


def buckets_and_days() -> Layout:
    """Twenty days and eight buckets of a tenant, a file each."""
    draw = rng(1001)
    count = 20 * 8 * FILE_ROWS
    return laid_out(
        table(
            {
                "tenant_id": draw.integers(0, 1_000, count),
                "ts": times(draw.uniform(0, 20 * DAY, count), "UTC"),
            }
        ),
        "bucket(8, tenant_id)",
        "days(ts)",
    )


def days_of_structs() -> Layout:
    """Thirty days of a time within a struct, a file each."""
    seconds = rng(1002).uniform(0, 30 * DAY, 30 * FILE_ROWS)
    event = pa.StructArray.from_arrays(
        [times(seconds, "UTC"), texts(np.arange(len(seconds)) % 7, "k{}")], ["ts", "kind"]
    )
    return laid_out(table({"event": event}), "days(event.ts)")


def last_days_of_a_century() -> Layout:
    """The twenty days before the night of the audit, four files each, with any of their times."""
    seconds = rng(1003).uniform((LAST_DAYS - 19) * DAY, (LAST_DAYS + 1) * DAY, 80 * FILE_ROWS)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": np.arange(len(seconds))}), "days(ts)"
    )


def paths_in_order() -> Layout:
    """Sixty files of thirty days of log lines, in order of the path that they came from."""
    days = np.repeat(np.arange(30), 2 * FILE_ROWS)
    hosts = rng(1004).integers(0, 80, len(days))
    paths = [
        f"/var/log/app/{day(int(number)):%Y/%m/%d}/host-{host:02d}.log"
        for number, host in zip(days, hosts, strict=True)
    ]
    return laid_out(table({"path": texts(sorted(paths))}))


def times_of_a_day() -> Layout:
    """Sixty files with any time of the day."""
    seconds = rng(1005).integers(0, DAY, 60 * FILE_ROWS)
    return laid_out(
        table({"sold_at": pa.array(seconds * 1_000_000, pa.int64()).cast(pa.time64("us"))})
    )


def skus_of_areas() -> Layout:
    """Eight files for each of five areas that SKUs begin with."""
    area = np.repeat(sorted(AREAS), 8 * FILE_ROWS)
    number = rng(1006).integers(0, 100_000, len(area))
    return laid_out(
        table({"sku": texts([f"{a}-{n:05d}" for a, n in zip(area, number, strict=True)])})
    )


def four_months() -> Layout:
    """January to April, a file for each day."""
    days = np.repeat(np.arange(31 + 28 + 31 + 30), SMALL_ROWS)
    return laid_out(
        table({"d": dates(days), "amount": np.arange(len(days))}),
        "d",
        file_rows=SMALL_ROWS,
        properties=SMALL,
    )


def stores_of_regions() -> Layout:
    """A partition for each of six regions, of four files with any of its stores."""
    region = np.repeat(REGIONS, 4 * FILE_ROWS)
    store = rng(1007).integers(0, 40, len(region))
    return laid_out(table({"region": texts(region), "store": store}), "region")


def closing_months() -> Layout:
    """Orders by the month in which they were closed, two files each, and two files of open ones."""
    draw = rng(1008)
    days = draw.permutation(np.repeat(np.arange(0, 360), 12 * 2 * FILE_ROWS // 360))
    closed = dates(days)
    opened = pa.nulls(2 * FILE_ROWS, pa.date32())
    return laid_out(
        table({"closed_at": pa.concat_arrays([closed, opened])}),
        "months(closed_at)",
    )


def devices_of_days() -> Layout:
    """Twenty-five days of four files each, with any of 500 devices in each."""
    draw = rng(1009)
    seconds = np.sort(draw.uniform(0, 25 * DAY, 100 * FILE_ROWS))
    return laid_out(
        table(
            {
                "ts": times(seconds),
                "device_id": texts(draw.integers(0, 500, len(seconds)), "d{:04d}"),
                "amount": np.arange(len(seconds)),
            }
        ),
        "days(ts)",
    )


def hours_as_text() -> Layout:
    """Fifteen days of 24 hours, both as text, a file each."""
    cell = np.repeat(np.arange(15 * 24), SMALL_ROWS)
    return laid_out(
        table(
            {
                "dt": day_text(cell // 24),
                "hr": texts(cell % 24, "{:02d}"),
                "amount": np.arange(len(cell)),
            }
        ),
        "dt",
        "hr",
        file_rows=SMALL_ROWS,
        properties=SMALL,
    )


def days_since_1970() -> Layout:
    """Forty days as the number of days since 1970, a file each."""
    days = np.repeat(np.arange(40), FILE_ROWS)
    return laid_out(
        table({"event_day": (days + EPOCH_DAY).astype(np.int32), "amount": np.arange(len(days))}),
        "event_day",
    )


def tenants_as_they_came() -> Layout:
    """Sixty days of four files each, in the order of days, with any of 50 tenants in each; no
    partitions."""
    draw = rng(1010)
    seconds = np.sort(draw.uniform(0, 60 * DAY, 240 * FILE_ROWS))
    return laid_out(table({"ts": times(seconds), "tenant_id": draw.integers(0, 50, len(seconds))}))


def days_in_utc() -> Layout:
    """Thirty days of UTC, a file each."""
    seconds = rng(1011).uniform(0, 30 * DAY, 30 * FILE_ROWS)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": np.arange(len(seconds))}), "days(ts)"
    )


def documents() -> Layout:
    """Thirty files of documents of twenty types."""
    kinds = rng(1012).integers(0, 20, 30 * FILE_ROWS)
    return laid_out(table({"doc": texts(kinds, '{{"type":"t{}","version":1}}')}))


def tenants_and_days() -> Layout:
    """A partition for each of 30 tenants and 40 days, a twentieth of a file each."""
    cell = np.repeat(np.arange(30 * 40), 30)
    seconds = (cell % 40) * DAY + rng(1013).uniform(0, DAY, len(cell))
    return laid_out(
        table(
            {
                "tenant": texts(cell // 40, "t{:02d}"),
                "ts": times(seconds),
                "amount": np.arange(len(cell)),
            }
        ),
        "tenant",
        "days(ts)",
    )


def orders_anyhow() -> Layout:
    """Sixty files of orders in no order."""
    return laid_out(
        table({"order_id": rng(1014).permutation(60 * FILE_ROWS), "n": np.arange(60 * FILE_ROWS)})
    )


def readings() -> Layout:
    """Sixty files of temperatures from 0 to 100; sensors that are broken say NaN."""
    draw = rng(1015)
    values = draw.uniform(0, 100, 60 * FILE_ROWS)
    values[draw.random(len(values)) < 0.05] = np.nan
    return laid_out(table({"temperature": values}))


def _sorted_load(number: int, customers: Numbers) -> Commit:
    rows = table({"customer_id": np.sort(customers)}, number)
    return Commit(tuple(cut(rows, FILE_ROWS)))


def loads_in_order() -> Layout:
    """Twenty loads, of ten files each in order of the customer."""
    draw = rng(1016)
    loads = [draw.integers(0, 50_000, 10 * FILE_ROWS) for _ in range(20)]
    return Layout(tuple(_sorted_load(n, load) for n, load in enumerate(loads)), (), scaled())


def text_days() -> Layout:
    """59 days, January and February, as text, a file each."""
    days = np.repeat(np.arange(59), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "amount": np.arange(len(days))}), "dt")


SIXTY_TO_TWO = (0.88, 0.98)
"""What a sort wins where a query then reads one or two files of sixty."""

PAIRS = (
    # The tenant's bucket has twenty files, the day one of them.
    Pair(
        "tenant_days_formatted",
        buckets_and_days,
        each(
            "SELECT count(*) FROM lake.db.tenant_days_formatted"
            " WHERE tenant_id = {} AND date_format(ts, 'yyyy-MM-dd') = '{}'",
            [(n * 37, day(n)) for n in range(20)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.9, 0.96), False, True),),
        tempting={
            "misaligned_partitioning": "both columns of the partitions are asked for",
            "unclustered_column": "a partition is one file",
        },
        never=("DROP",),
    ),
    Pair(
        "nested_days_formatted",
        days_of_structs,
        each(
            "SELECT count(*) FROM lake.db.nested_days_formatted"
            " WHERE date_format(event.ts, 'yyyy-MM-dd') = '{}'",
            map(day, range(1, 29, 2)),
            **SPARK_35,
        ),
        expected=(
            Expected(
                "wrapped_column", ("event.ts",), (0.92, 0.98), False, True, (r"event\.ts >=",)
            ),
        ),
        tempting={"misaligned_partitioning": "the partition's column is asked for"},
    ),
    # A quarter of a day, whose files hold all of its hours. Hours of their own would be scraps.
    Pair(
        "last_six_hours",
        last_days_of_a_century,
        repeated(
            "SELECT sum(amount) FROM lake.db.last_six_hours"
            " WHERE ts > current_timestamp() - INTERVAL 6 HOURS",
            24,
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("ts",), (0.4, 0.75), True, False),),
        tempting={
            "wrapped_column": "now and intervals are constants",
            "partitions_too_coarse": "hours are a sixth of a file",
        },
    ),
    # The first 16 characters are those of all paths; the beginning that is asked for has 24.
    Pair(
        "logs_by_path",
        paths_in_order,
        each(
            "SELECT count(*) FROM lake.db.logs_by_path WHERE path LIKE '{}%'",
            [f"/var/log/app/{day(n):%Y/%m/%d}/" for n in range(0, 30, 2)],
        ),
        expected=(
            Expected(
                "truncated_bounds", ("path",), (0.85, 0.97), True, False, (r"truncate\((2[4-9]|3)",)
            ),
        ),
        tempting={
            "like_without_prefix": "the pattern is a prefix",
            "unclustered_column": "paths are in order",
        },
    ),
    # An hour of 24, in all files.
    Pair(
        "sales_by_time_of_day",
        times_of_a_day,
        each(
            "SELECT count(*) FROM lake.db.sales_by_time_of_day"
            " WHERE sold_at >= TIME '{:02d}:00:00' AND sold_at < TIME '{:02d}:00:00'",
            [(n, n + 1) for n in range(0, 22, 2)],
        ),
        expected=(Expected("unclustered_column", ("sold_at",), (0.85, 0.96), True, False),),
    ),
    # An anchored expression is a prefix, by which eight files of 40 are kept.
    Pair(
        "skus_by_regex",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_regex WHERE regexp_like(sku, '^{}-')",
            AREAS,
        ),
        expected=(Expected("wrapped_column|like_without_prefix", ("sku",), None, False, True),),
        tempting={"unclustered_column": "SKUs are in order"},
    ),
    Pair(
        "skus_by_regex_in_spark",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_regex_in_spark WHERE sku RLIKE '^{}-[0-9]+$'",
            AREAS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column|like_without_prefix", ("sku",), None, False, True),),
        tempting={"unclustered_column": "SKUs are in order"},
    ),
    # The days of a month end with the same day.
    Pair(
        "month_ends",
        four_months,
        each(
            "SELECT sum(amount) FROM lake.db.month_ends WHERE last_day(d) = DATE '{}'",
            map(day, (30, 58, 89, 119)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.72, 0.78), False, True),),
        tempting={"partitions_too_fine": "a day is a file", "type_mismatch": "d is a date"},
    ),
    # Rows of two columns in a list: neither column is compared, as engines see it.
    Pair(
        "stores_by_tuples",
        stores_of_regions,
        each(
            "SELECT count(*) FROM lake.db.stores_by_tuples"
            " WHERE (region, store) IN (('{}', 1), ('{}', 4))",
            itertools.pairwise(REGIONS),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("region",), None, False),),
        allowed=(Expected("wrapped_column|unclustered_column", ("store",)),),
        tempting={
            "misaligned_partitioning": "regions are asked for",
            "no_partition_filter": "regions are asked for",
        },
        never=("DROP",),
    ),
    # What is not closed is null, which has a partition of its own: two files of 26.
    Pair(
        "orders_open_by_coalesce",
        closing_months,
        repeated(
            "SELECT count(*) FROM lake.db.orders_open_by_coalesce"
            " WHERE coalesce(closed_at, DATE '9999-12-31') = DATE '9999-12-31'",
            10,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("closed_at",), (0.85, 0.95), False, True, ("IS NULL",)),
        ),
        tempting={"no_partition_filter": "the partition's column is asked for"},
    ),
    # Any of the four files of a day has the device; one will do.
    Pair(
        "last_value_of_a_device",
        devices_of_days,
        each(
            "SELECT ts, amount FROM lake.db.last_value_of_a_device"
            " WHERE device_id = 'd{:04d}' ORDER BY ts DESC LIMIT 1",
            range(3, 500, 25),
        ),
        expected=(Expected("no_partition_filter", ("device_id",), (0.55, 0.96), True, False),),
        allowed=(Expected("misaligned_partitioning", (), None),),
    ),
    # Four files of the day's 24 would do.
    Pair(
        "hours_cast_beside_a_day",
        hours_as_text,
        each(
            "SELECT sum(amount) FROM lake.db.hours_cast_beside_a_day"
            " WHERE dt = '{}' AND CAST(hr AS INT) BETWEEN 8 AND 11",
            map(day, range(15)),
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("hr",), None, False, says=("0|zero|pad",)),),
        tempting={
            "partitions_too_fine": "an hour is a file",
            "misaligned_partitioning": "days and hours are asked for",
        },
        never=("DROP",),
    ),
    Pair(
        "epoch_days",
        days_since_1970,
        each(
            "SELECT sum(amount) FROM lake.db.epoch_days"
            " WHERE date_add(DATE '1970-01-01', event_day) = DATE '{}'",
            map(day, range(3, 40, 4)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("event_day",), (0.93, 0.98), False, True),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
    ),
    # An order of tenants alone would make each of 100 reports of a day read everything.
    Pair(
        "tenants_and_daily_reports",
        tenants_as_they_came,
        [
            *each(
                "SELECT count(*) FROM lake.db.tenants_and_daily_reports WHERE tenant_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n, instant(n * DAY), instant((n + 30) * DAY)) for n in range(30)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.tenants_and_daily_reports"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n % 60 * DAY), instant((n % 60 + 1) * DAY)) for n in range(100)],
            ),
        ],
        expected=(Expected("unclustered_column", ("tenant_id",)),),
        allowed=(Expected("misaligned_partitioning|no_partition_filter", ()),),
    ),
    # A day of Tokyo is in two of 30 days.
    Pair(
        "days_of_tokyo",
        days_in_utc,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_tokyo"
            " WHERE to_date(from_utc_timestamp(ts, 'Asia/Tokyo')) = DATE '{}'",
            map(day, range(2, 28, 3)),
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.96), False, True),),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        tempting={"unclustered_column": "a day is one file"},
    ),
    # No order of documents helps: the type has to become a column.
    Pair(
        "types_of_documents",
        documents,
        each(
            "SELECT count(*) FROM lake.db.types_of_documents"
            " WHERE json_extract_scalar(doc, '$.type') = 't{}'",
            range(20),
        ),
        expected=(
            Expected("wrapped_column", ("doc",), None, False, False, ("column of its own",)),
        ),
        tempting={
            "truncated_bounds": "nobody compares documents",
            "unclustered_column": "nobody compares documents",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # 35 scraps for two files; but what opening them costs is a sixth of reading them, and months
    # would have scans read more: one may say so, or not.
    Pair(
        "months_of_tenants",
        tenants_and_days,
        each(
            "SELECT sum(amount) FROM lake.db.months_of_tenants"
            " WHERE tenant = 't{:02d}' AND ts >= TIMESTAMP '{}'",
            [(n, instant(5 * DAY)) for n in range(30)],
        ),
        allowed=(
            Expected("partitions_too_fine", ("ts",), None, True, False),
            Expected("small_files", ()),
        ),
        tempting={"partitions_too_coarse": "partitions are scraps"},
        never=("DROP PARTITION FIELD tenant", "REPLACE PARTITION FIELD tenant"),
    ),
    Pair(
        "orders_updated_one_by_one",
        orders_anyhow,
        [
            *each(
                "UPDATE lake.db.orders_updated_one_by_one SET n = 0 WHERE order_id = {}",
                range(17, 36_000, 1_500),
                **SPARK,
            ),
            *each(
                "SELECT n FROM lake.db.orders_updated_one_by_one WHERE order_id = {}",
                range(100, 36_000, 3_000),
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("order_id",), SIXTY_TO_TWO, True, False),),
    ),
    # NaN is above no number in Trino, and last in any order.
    Pair(
        "hot_readings",
        readings,
        each(
            "SELECT count(*) FROM lake.db.hot_readings WHERE temperature > {}",
            (97.5, 98, 98.5, 99),
        ),
        expected=(Expected("unclustered_column", ("temperature",), (0.85, 0.98), True, False),),
    ),
    # Each load is in order, so a customer is in one file of each; of 200 files 20 are read.
    Pair(
        "customers_of_sorted_loads",
        loads_in_order,
        each(
            "SELECT count(*) FROM lake.db.customers_of_sorted_loads WHERE customer_id = {}",
            range(100, 50_000, 2_000),
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.83, 0.96), True, False),),
    ),
    # Spark's log has the month as a piece of the day's text; half of the days are of the other one.
    Pair(
        "log_months_of_text",
        text_days,
        [
            job(
                n,
                "log_months_of_text",
                "dt IS NOT NULL",
                f"(isnotnull(dt#) AND (substring(dt#, 1, 7) = {month}))",
                version="3.5.6",
            )
            for n, month in enumerate(("2026-01", "2026-02", "2026-01", "2026-02"))
        ],
        expected=(
            Expected("wrapped_column|like_without_prefix", ("dt",), (0.45, 0.55), False, True),
        ),
        tempting={"no_partition_filter": "the partition's column is asked for"},
    ),
)
