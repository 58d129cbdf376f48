"""Conditions that mean a range and say none, and tables that were changed or filled in ways of
their own."""

from __future__ import annotations

import datetime as dt
import uuid

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.daily import (
    AREAS,
    REGIONS,
    SMALL,
    SMALL_ROWS,
    days_in_utc,
    days_of_structs,
    four_months,
    skus_of_areas,
    stores_of_regions,
)
from tests.workloads.pairs.sound import changes_in_buckets
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    START,
    dates,
    day,
    day_text,
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

EPOCH = int(START.replace(tzinfo=dt.UTC).timestamp())
MONTHS = (dt.date(2026, 1, 1), dt.date(2026, 2, 1), dt.date(2026, 3, 1), dt.date(2026, 4, 1))
NEVER = ("PARTITION FIELD", "ORDERED BY")


def paths_of_services() -> Layout:
    """Five files for each of eight services, in order of the path."""
    services = ("/admin/", "/api/", "/auth/", "/cart/", "/help/", "/img/", "/shop/", "/user/")
    number = rng(1201).integers(0, 1_000, 40 * FILE_ROWS)
    paths = [f"{services[i // (5 * FILE_ROWS)]}{n:04d}" for i, n in enumerate(number)]
    return laid_out(table({"path": texts(sorted(paths))}))


def regions_and_days() -> Layout:
    """A file for each of six regions and twenty days."""
    cell = np.repeat(np.arange(6 * 20), SMALL_ROWS)
    return laid_out(
        table(
            {
                "region": texts([REGIONS[n // 20] for n in cell]),
                "d": dates(cell % 20),
                "amount": np.arange(len(cell)),
            }
        ),
        "region",
        "d",
        file_rows=SMALL_ROWS,
        properties=SMALL,
    )


def epochs_in_order() -> Layout:
    """Sixty files of thirty days in order of Unix seconds."""
    seconds = np.sort(rng(1202).integers(0, 30 * DAY, 60 * FILE_ROWS))
    return laid_out(table({"epoch": seconds + EPOCH, "amount": np.arange(len(seconds))}))


def two_years() -> Layout:
    """24 months, two files each."""
    seconds = rng(1203).uniform(0, 730 * DAY, 48 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


def shipped_or_ordered() -> Layout:
    """Orders by the month in which they were shipped, two files each, and two files of others."""
    draw = rng(1204)
    days = np.repeat(np.arange(360), 24 * FILE_ROWS // 360)
    ordered = np.maximum(days - draw.integers(0, 10, len(days)), 0)
    waiting = draw.integers(330, 360, 2 * FILE_ROWS)
    return laid_out(
        table(
            {
                "shipped": pa.concat_arrays([dates(days), pa.nulls(2 * FILE_ROWS, pa.date32())]),
                "ordered": dates(np.concatenate([ordered, waiting])),
            }
        ),
        "months(shipped)",
    )


def tenants_within_regions() -> Layout:
    """Six regions of eight files each, in order of 80 tenants."""
    region = np.repeat(REGIONS, 8 * FILE_ROWS)
    tenant = np.tile(np.repeat(np.arange(80), 8 * FILE_ROWS // 80), 6)
    return laid_out(table({"region": texts(region), "tenant": tenant}), "region")


def states_of_jobs() -> Layout:
    """A partition for each of six states; most jobs are done or archived."""
    sizes = {"archived": 20, "done": 20, "failed": 2, "new": 1, "queued": 2, "running": 2}
    state = np.repeat(list(sizes), [n * FILE_ROWS for n in sizes.values()])
    return laid_out(table({"state": texts(state), "n": np.arange(len(state))}), "state")


def days_and_documents() -> Layout:
    """Thirty days of two files each with names of files."""
    draw = rng(1205)
    seconds = draw.uniform(0, 30 * DAY, 60 * FILE_ROWS)
    kinds = np.array(["pdf", "png", "txt"])[draw.integers(0, 3, len(seconds))]
    names = [f"f{n:06d}.{kind}" for n, kind in enumerate(kinds)]
    return laid_out(table({"ts": times(seconds), "name": texts(names)}), "days(ts)")


def packed_text_days() -> Layout:
    """Sixty days as 20260131 in text, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    return laid_out(table({"dt": day_text(days, "%Y%m%d"), "amount": np.arange(len(days))}), "dt")


def packed_days() -> Layout:
    """Sixty days as the number 20260131, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    keys = np.array([int(f"{day(int(number)):%Y%m%d}") for number in days], np.int32)
    return laid_out(table({"dt": keys, "amount": np.arange(len(days))}), "dt")


def partitioned_since_a_month() -> Layout:
    """Twenty files of thirty days in order of time, then thirty partitions of days."""
    before = np.sort(rng(1206).uniform(0, 30 * DAY, 20 * FILE_ROWS))
    since = rng(1207).uniform(30 * DAY, 60 * DAY, 30 * FILE_ROWS)
    old = table({"ts": times(before), "amount": np.arange(len(before))})
    new = table({"ts": times(since), "amount": np.arange(len(since))}, 1)
    spec = ("days(ts)",)
    return Layout(
        (Commit(tuple(cut(old, FILE_ROWS))), Commit(loaded(new, spec, FILE_ROWS), spec)),
        spec,
        scaled(),
    )


def events_that_came_late() -> Layout:
    """Sixty days of arrival, two files each; a fifth of the events are up to thirty days old."""
    draw = rng(1208)
    arrived = draw.uniform(30 * DAY, 90 * DAY, 120 * FILE_ROWS)
    late = np.where(draw.random(len(arrived)) < 0.2, draw.uniform(0, 30 * DAY, len(arrived)), 0)
    return laid_out(
        table({"arrived_at": times(arrived), "event_at": times(arrived - late)}),
        "days(arrived_at)",
    )


def newest_day_in_scraps() -> Layout:
    """Thirty days of a file each, and one of 200 scraps that nobody has merged yet."""
    whole = rng(1209).uniform(0, 30 * DAY, 30 * FILE_ROWS)
    scraps = np.sort(rng(1210).uniform(30 * DAY, 31 * DAY, 200 * 6))
    spec = ("days(ts)",)
    old = table({"ts": times(whole), "amount": np.arange(len(whole))})
    new = table({"ts": times(scraps), "amount": np.arange(len(scraps))}, 1)
    return Layout(
        (
            Commit(loaded(old, spec, FILE_ROWS), spec),
            *(Commit((new.slice(start, 6),), spec) for start in range(0, len(new), 6)),
        ),
        spec,
        scaled(),
    )


def one_large_tenant() -> Layout:
    """Twelve tenants, of which the first has 66 of 88 files; orders are anywhere in each."""
    tenant = np.repeat(np.arange(12), [66 * FILE_ROWS, *[2 * FILE_ROWS] * 11])
    return laid_out(
        table({"tenant": texts(tenant, "t{:02d}"), "order_id": rng(1211).permutation(len(tenant))}),
        "tenant",
    )


def keys_at_random() -> list[str]:
    """As many UUIDs of version 4 as sixty files have rows."""
    draw = rng(1212)
    return [str(uuid.UUID(bytes=draw.bytes(16), version=4)) for _ in range(60 * FILE_ROWS)]


def sessions() -> Layout:
    """Sixty files of sessions by text that is a UUID."""
    return laid_out(table({"session_id": texts(keys_at_random())}, row_bytes=130))


def countries_in_structs() -> Layout:
    """Five files for each of eight countries within a struct."""
    country = np.repeat(["AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT"], 5 * FILE_ROWS)
    address = pa.StructArray.from_arrays(
        [texts(country), texts(np.arange(len(country)) % 7, "s{}")], ["country", "street"]
    )
    return laid_out(table({"address": address}))


FOUR_OF_FIVE = (0.75, 0.83)
"""What a prefix wins where one of five areas is asked for."""

PAIRS = (
    Pair(
        "paths_by_strpos",
        paths_of_services,
        each(
            "SELECT count(*) FROM lake.db.paths_by_strpos WHERE strpos(path, '{}') = 1",
            ("/api/", "/cart/", "/shop/"),
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("path",), (0.8, 0.9), False, True),
        ),
        tempting={"unclustered_column": "paths are in order"},
        never=NEVER,
    ),
    Pair(
        "skus_by_position",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_position WHERE position('{}-' IN sku) = 1",
            AREAS,
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("sku",), FOUR_OF_FIVE, False, True),
        ),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    Pair(
        "skus_by_first_part",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_first_part WHERE split_part(sku, '-', 1) = '{}'",
            AREAS,
        ),
        # A name of one thing.
        expected=(
            Expected("wrapped_column|like_without_prefix", ("sku",), FOUR_OF_FIVE, False, True),
        ),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    Pair(
        "skus_by_left",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_left WHERE left(sku, 3) = '{}-'",
            AREAS,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("sku",), FOUR_OF_FIVE, False, True),
        ),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    Pair(
        "skus_by_regexp_function",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_regexp_function WHERE regexp(sku, '^{}-[0-9]+')",
            AREAS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column|like_without_prefix", ("sku",), None, False, True),),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    # Nine may be anywhere in the text.
    Pair(
        "skus_with_nines",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_with_nines WHERE instr(sku, '{}') > 0",
            (97, 98, 99),
            **SPARK,
        ),
        expected=(Expected("wrapped_column|like_without_prefix", ("sku",), None, False, False),),
        tempting={"unclustered_column": "no order helps"},
        never=NEVER,
    ),
    # Trino knows how texts that start with another are ordered.
    Pair(
        "skus_that_start_with",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_that_start_with WHERE starts_with(sku, '{}-')",
            AREAS,
        ),
        tempting={
            "wrapped_column": "the engine unwraps it",
            "like_without_prefix": "it is a prefix",
        },
        never=NEVER,
    ),
    Pair(
        "a_cell_by_row",
        regions_and_days,
        each(
            "SELECT sum(amount) FROM lake.db.a_cell_by_row WHERE (region, d) = ('{}', DATE '{}')",
            [(REGIONS[n % 6], day(n)) for n in range(0, 20, 2)],
        ),
        expected=(Expected("wrapped_column", ("region|d",), (0.95, 1.0), False, True),),
        tempting={
            "no_partition_filter": "both columns are asked for",
            "misaligned_partitioning": "both columns are asked for",
        },
        never=NEVER,
    ),
    Pair(
        "a_month_later",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_month_later"
            " WHERE add_months(d, 1) >= DATE '2026-05-01'",
            8,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.7, 0.8), False, True, ("d >=",)),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "a_month_before",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_month_before"
            " WHERE d >= add_months(DATE '2026-04-30', -1)",
            8,
            **SPARK,
        ),
        tempting={"wrapped_column": "what is around a constant is one"},
        never=NEVER,
    ),
    Pair(
        "weeks_by_their_monday",
        four_months,
        each(
            "SELECT sum(amount) FROM lake.db.weeks_by_their_monday"
            " WHERE next_day(d, 'MON') = DATE '{}'",
            map(day, range(11, 110, 14)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.92, 0.96), False, True),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "days_by_unix_seconds",
        days_in_utc,
        each(
            "SELECT sum(amount) FROM lake.db.days_by_unix_seconds"
            " WHERE unix_timestamp(ts) BETWEEN {} AND {}",
            [(EPOCH + n * DAY, EPOCH + (n + 1) * DAY - 1) for n in range(1, 29, 3)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.94, 0.98), False, True),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "epochs_as_text",
        epochs_in_order,
        each(
            "SELECT sum(amount) FROM lake.db.epochs_as_text"
            " WHERE from_unixtime(epoch, 'yyyy-MM-dd') = '{}'",
            map(day, range(1, 29, 3)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("epoch",), (0.92, 0.98), False, True),),
        tempting={"unclustered_column": "rows are in order"},
        never=NEVER,
    ),
    # The year is a range that Trino finds, the month beside it none.
    Pair(
        "a_month_of_a_year",
        two_years,
        each(
            "SELECT sum(amount) FROM lake.db.a_month_of_a_year"
            " WHERE extract(year FROM ts) = {} AND extract(month FROM ts) = {}",
            [(2026, 3), (2026, 4), (2027, 2), (2027, 9), (2027, 11)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.93), False, True),),
        tempting={"partitions_too_coarse": "a month is a partition"},
        never=NEVER,
    ),
    Pair(
        "months_by_trunc",
        four_months,
        each(
            "SELECT sum(amount) FROM lake.db.months_by_trunc WHERE trunc(d, 'MM') = DATE '{}'",
            MONTHS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.72, 0.78), False, True),),
        never=NEVER,
    ),
    Pair(
        "within_a_month",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.within_a_month"
            " WHERE months_between(DATE '2026-05-01', d) <= 1",
            8,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.68, 0.78), False, True, ("d >=?",)),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "within_a_week",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.within_a_week"
            " WHERE date_diff('day', d, DATE '2026-05-01') < 7",
            8,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.92, 0.97), False, True),),
        never=NEVER,
    ),
    Pair(
        "a_week_earlier",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_week_earlier"
            " WHERE date_sub(d, 7) >= DATE '2026-04-10'",
            8,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.85, 0.9), False, True),),
        never=NEVER,
    ),
    Pair(
        "a_region_by_case",
        stores_of_regions,
        each(
            "SELECT count(*) FROM lake.db.a_region_by_case"
            " WHERE CASE WHEN region = '{}' THEN 1 ELSE 0 END = 1",
            REGIONS,
        ),
        expected=(Expected("wrapped_column", ("region",), (0.8, 0.86), False, True),),
        tempting={"no_partition_filter": "the region is asked for"},
        never=NEVER,
    ),
    # Shipped since then, or not yet, and then ordered since.
    Pair(
        "shipped_else_ordered",
        shipped_or_ordered,
        repeated(
            "SELECT count(*) FROM lake.db.shipped_else_ordered"
            " WHERE coalesce(shipped, ordered) >= DATE '2026-12-05'",
            8,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("shipped",), (0.8, 0.92), False, True, ("IS NULL",)),
        ),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "a_region_or_a_tenant",
        tenants_within_regions,
        each(
            "SELECT count(*) FROM lake.db.a_region_or_a_tenant WHERE region = '{}' OR tenant = {}",
            [(region, 7 + 11 * n) for n, region in enumerate(REGIONS)],
        ),
        # Eight files of 48, and one of each other region.
        expected=(Expected("or_across_columns", (), (0.6, 0.75), False),),
        tempting={"unclustered_column": "tenants are in order"},
        never=NEVER,
    ),
    Pair(
        "a_region_or_a_tenant_in_spark",
        tenants_within_regions,
        each(
            "SELECT count(*) FROM lake.db.a_region_or_a_tenant_in_spark"
            " WHERE region = '{}' OR tenant = {}",
            [(region, 7 + 11 * n) for n, region in enumerate(REGIONS)],
            **SPARK,
        ),
        tempting={"or_across_columns": "Spark gives the planner all of it"},
        never=NEVER,
    ),
    Pair(
        "states_that_are_left",
        states_of_jobs,
        repeated(
            "SELECT count(*) FROM lake.db.states_that_are_left"
            " WHERE state NOT IN ('done', 'archived')",
            8,
        ),
        tempting={"negated_condition": "partitions of one value are skipped by ranges"},
        never=NEVER,
    ),
    Pair(
        "documents_of_a_day",
        days_and_documents,
        each(
            "SELECT count(*) FROM lake.db.documents_of_a_day WHERE name LIKE '%.pdf'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 30, 3)],
        ),
        tempting={"like_without_prefix": "the day skips the rest"},
        never=NEVER,
    ),
    Pair(
        "packed_weeks",
        packed_text_days,
        each(
            "SELECT sum(amount) FROM lake.db.packed_weeks WHERE dt BETWEEN '{}' AND '{}'",
            [(f"{day(n):%Y%m%d}", f"{day(n + 6):%Y%m%d}") for n in range(0, 50, 7)],
            **SPARK,
        ),
        tempting={"type_mismatch": "texts are compared with texts"},
        never=NEVER,
    ),
    Pair(
        "packed_weeks_as_numbers",
        packed_text_days,
        each(
            "SELECT sum(amount) FROM lake.db.packed_weeks_as_numbers"
            " WHERE CAST(dt AS bigint) BETWEEN {} AND {}",
            [(f"{day(n):%Y%m%d}", f"{day(n + 6):%Y%m%d}") for n in range(0, 50, 7)],
        ),
        expected=(Expected("type_mismatch", ("dt",), None, False),),
        never=NEVER,
    ),
    Pair(
        "packed_days_parsed",
        packed_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.packed_days_parsed"
            " WHERE date_parse(CAST(dt AS varchar), '%Y%m%d') >= TIMESTAMP '2026-02-20 00:00:00'",
            8,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("dt",), None, False, says=("dt >",)),),
        never=NEVER,
    ),
    Pair(
        "days_since_the_change",
        partitioned_since_a_month,
        each(
            "SELECT sum(amount) FROM lake.db.days_since_the_change"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(31, 60, 3)],
        ),
        tempting={"old_spec_files": "old files are not read"},
        never=NEVER,
    ),
    Pair(
        "days_of_late_events",
        events_that_came_late,
        each(
            "SELECT count(*) FROM lake.db.days_of_late_events"
            " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(32, 60, 3)],
            **SPARK,
        ),
        expected=(
            Expected(
                "no_partition_filter|unclustered_column", ("event_at",), (0.7, 0.97), True, False
            ),
        ),
        allowed=(Expected("misaligned_partitioning", (), None),),
        tempting={"partitions_too_coarse": "nobody asks for arrivals"},
    ),
    Pair(
        "newest_day_unmerged",
        newest_day_in_scraps,
        repeated(
            "SELECT sum(amount) FROM lake.db.newest_day_unmerged"
            f" WHERE ts >= TIMESTAMP '{instant(30 * DAY)}'",
            20,
        ),
        expected=(Expected("small_files", (), None, True, False, ("where",)),),
        tempting={"partitions_too_fine": "the other days are whole files"},
        never=NEVER,
    ),
    Pair(
        "orders_of_the_large_tenant",
        one_large_tenant,
        each(
            "SELECT * FROM lake.db.orders_of_the_large_tenant"
            " WHERE tenant = 't00' AND order_id = {}",
            range(100, 50_000, 2_500),
        ),
        expected=(Expected("unclustered_column", ("order_id",), (0.9, 0.99), True, False),),
        tempting={
            "no_partition_filter": "the tenant is asked for",
            "partitions_too_coarse": "tenants are no ranges",
        },
        never=("PARTITION FIELD",),
    ),
    # Four values are four buckets of 32, once they are listed.
    Pair(
        "a_few_keys_between",
        changes_in_buckets,
        [
            *each(
                "SELECT * FROM lake.db.a_few_keys_between WHERE id BETWEEN {} AND {}",
                [(n, n + 3) for n in range(10, 3_900, 400)],
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.a_few_keys_between WHERE id = {}",
                range(5, 3_900, 100),
                **SPARK,
            ),
        ],
        expected=(Expected("range_on_bucketed_column", ("id",), None, says=(r"IN \(",)),),
        never=("DROP", "REPLACE", "WRITE ORDERED"),
    ),
    Pair(
        "sessions_by_random_key",
        sessions,
        each(
            "SELECT * FROM lake.db.sessions_by_random_key WHERE session_id = '{}'",
            keys_at_random()[::2_000],
        ),
        expected=(Expected("unclustered_column", ("session_id",), (0.9, 0.99), True, False),),
        tempting={"truncated_bounds": "sixteen characters tell keys apart"},
    ),
    Pair(
        "weeks_in_structs",
        days_of_structs,
        each(
            "SELECT count(*) FROM lake.db.weeks_in_structs"
            " WHERE date_trunc('WEEK', event.ts) = TIMESTAMP '{}'",
            map(instant, (4 * DAY, 11 * DAY, 18 * DAY)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("event.ts",), (0.72, 0.8), False, True),),
        never=NEVER,
    ),
    Pair(
        "addresses_of_a_country",
        countries_in_structs,
        each(
            "SELECT count(*) FROM lake.db.addresses_of_a_country WHERE address.country = '{}'",
            ("AT", "DE", "FR", "IT"),
        ),
        tempting={"unclustered_column": "countries are in order"},
        never=NEVER,
    ),
    Pair(
        "days_by_function_of_partition",
        days_in_utc,
        each(
            "SELECT sum(amount) FROM lake.db.days_by_function_of_partition"
            " WHERE lake.system.days(ts) = DATE '{}'",
            map(day, range(1, 29, 3)),
            **SPARK,
        ),
        tempting={"wrapped_column": "the function is the partition's own"},
        never=NEVER,
    ),
)
