"""Faults as a third engineer names them: conditions of several engines that say no range, rows that
were laid out for other queries, and tables that only joins restrict."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
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
NEVER = ("PARTITION FIELD", "ORDERED BY")
FEW = 100
"""Rows of a file in tables of many partitions."""
FEW_AT_A_TIME = scaled(FEW * 100)


def twelve_months() -> Layout:
    """A year by months, two files each."""
    seconds = rng(3001).uniform(0, 365 * DAY, 24 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


def sixty_days() -> Layout:
    """Sixty days, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "days(d)")


def twelve_weeks() -> Layout:
    """84 days, a file each."""
    days = np.repeat(np.arange(84), FILE_ROWS)
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "d")


def twelve_weeks_of_times() -> Layout:
    """84 days of times, a file each."""
    seconds = rng(3002).uniform(0, 84 * DAY, 84 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "days(ts)")


def thirty_days_with_zone() -> Layout:
    """Thirty days of UTC, two files each, in no order within."""
    seconds = rng(3003).uniform(0, 30 * DAY, 60 * FILE_ROWS)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": np.arange(len(seconds))}), "days(ts)"
    )


def thirty_days() -> Layout:
    """Thirty days of times without zone, two files each."""
    seconds = rng(3004).uniform(0, 30 * DAY, 60 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "days(ts)")


def text_days() -> Layout:
    """Sixty days as text, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "amount": np.arange(len(days))}), "dt")


def number_days() -> Layout:
    """Sixty days as numbers such as 20260131, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    keys = np.array([int(f"{day(int(n)):%Y%m%d}") for n in days], np.int32)
    return laid_out(table({"dt": keys, "amount": np.arange(len(days))}), "dt")


def days_and_hours() -> Layout:
    """Ten days of 24 hours as Hive writes them."""
    hours = np.repeat(np.arange(240), FEW)
    return laid_out(
        table(
            {
                "dt": day_text(hours // 24),
                "hr": texts(hours % 24, "{:02d}"),
                "amount": np.arange(len(hours)),
            }
        ),
        "dt",
        "hr",
        file_rows=FEW,
        properties=FEW_AT_A_TIME,
    )


def states() -> Layout:
    """Five states and none, four files each."""
    state = np.repeat(
        np.array(["closed", "new", "open", "paused", "sold", None], object), 4 * FILE_ROWS
    )
    return laid_out(
        table({"status": pa.array(state, pa.string()), "n": np.arange(len(state))}), "status"
    )


def closed_and_open() -> Layout:
    """Sixty files in order of the day on which cases were closed, and six of open ones."""
    days = dates(np.repeat(np.arange(60), FILE_ROWS))
    closed = pa.concat_arrays([days, pa.nulls(6 * FILE_ROWS, pa.date32())])
    return laid_out(table({"closed_at": closed, "n": np.arange(len(closed))}))


def six_regions() -> Layout:
    """Six regions, four files each."""
    region = np.repeat(["AP", "CA", "EU", "LA", "ME", "US"], 4 * FILE_ROWS)
    return laid_out(table({"region": texts(region), "n": np.arange(len(region))}), "region")


def regions_and_tiers() -> Layout:
    """Six regions of three tiers, two files each."""
    cell = np.repeat(np.arange(18), 2 * FILE_ROWS)
    regions, tiers = ("AP", "CA", "EU", "LA", "ME", "US"), ("bronze", "gold", "silver")
    return laid_out(
        table(
            {
                "region": texts([regions[n // 3] for n in cell]),
                "tier": texts([tiers[n % 3] for n in cell]),
                "n": np.arange(len(cell)),
            }
        ),
        "region",
        "tier",
    )


def systems_in_structs() -> Layout:
    """Ten files for each of four systems within a struct."""
    system = np.repeat(["android", "ios", "linux", "windows"], 10 * FILE_ROWS)
    device = pa.StructArray.from_arrays(
        [texts(system), texts(np.arange(len(system)) % 9, "m{}")], ["os", "model"]
    )
    return laid_out(table({"device": device}))


def prices_in_order() -> Layout:
    """Forty files in order of the price."""
    cents = np.sort(rng(3005).integers(0, 1_000_000, 40 * FILE_ROWS))
    prices = pa.array([Decimal(int(n)).scaleb(-2) for n in cents], pa.decimal128(9, 2))
    return laid_out(table({"price": prices, "n": np.arange(len(cents))}))


def digests_in_order() -> Layout:
    """Forty files in order of eight bytes."""
    draw = rng(3006)
    digests = sorted(draw.bytes(8) for _ in range(40 * FILE_ROWS))
    return laid_out(table({"digest": pa.array(digests, pa.binary())}))


def customers_of_countries() -> Layout:
    """Ten countries, of which the first has forty of 76 files; customers are anywhere in each."""
    country = np.repeat(
        ["US", "AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT", "NL"],
        [40 * FILE_ROWS, *[4 * FILE_ROWS] * 9],
    )
    customers = rng(3007).integers(0, 5_000, len(country))
    return laid_out(table({"country": texts(country), "customer_id": customers}), "country")


def newest_text_day_in_scraps() -> Layout:
    """Thirty days as text, a file each, and one of 200 scraps."""
    whole = np.repeat(np.arange(30), FILE_ROWS)
    old = table({"dt": day_text(whole), "amount": np.arange(len(whole))})
    new = table({"dt": day_text(np.full(1_200, 30)), "amount": np.arange(1_200)}, 1)
    spec = ("dt",)
    scraps = tuple(new.slice(start, 6) for start in range(0, len(new), 6))
    return Layout(
        (Commit(loaded(old, spec, FILE_ROWS), spec), Commit(scraps, spec)), spec, scaled()
    )


def sales_of_stores() -> Layout:
    """Thirty days, two files each, of sales of 200 stores."""
    draw = rng(3008)
    seconds = draw.uniform(0, 30 * DAY, 60 * FILE_ROWS)
    stores = draw.integers(0, 200, len(seconds))
    return laid_out(table({"ts": times(seconds), "store_id": stores}), "days(ts)")


def three_years_of_numbers() -> Layout:
    """Years and months as numbers, a file each."""
    month = np.repeat(np.arange(36), FILE_ROWS)
    return laid_out(
        table(
            {
                "year": (2024 + month // 12).astype(np.int32),
                "month": (1 + month % 12).astype(np.int32),
                "amount": np.arange(len(month)),
            }
        ),
        "year",
        "month",
    )


def ids_in_order() -> Layout:
    """Sixty files in order of the id."""
    ids = np.arange(60 * FILE_ROWS)
    return laid_out(table({"id": ids}))


def codes_in_order() -> Layout:
    """Five files for each of eight countries, in order of the code."""
    countries = ("AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT")
    number = rng(3009).integers(0, 100_000, 40 * FILE_ROWS)
    codes = [f"{countries[i // (5 * FILE_ROWS)]}{n:05d}" for i, n in enumerate(number)]
    return laid_out(table({"code": texts(sorted(codes))}))


def codes_in_no_order() -> Layout:
    """Forty files of eight countries, codes anywhere."""
    countries = ("AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT")
    number = rng(3012).integers(0, 800_000, 40 * FILE_ROWS)
    return laid_out(table({"code": texts([f"{countries[n % 8]}{n:06d}" for n in number])}))


def ids_in_no_order() -> Layout:
    """Sixty files of ids, anywhere."""
    return laid_out(table({"id": rng(3013).permutation(60 * FILE_ROWS)}))


def newest_number_day_in_scraps() -> Layout:
    """Thirty days such as 20260131, a file each, and one of 200 scraps."""
    days = np.repeat(np.arange(31), [*[FILE_ROWS] * 30, 1_200])
    keys = np.array([int(f"{day(int(n)):%Y%m%d}") for n in days], np.int32)
    rows = table({"dt": keys, "amount": np.arange(len(days))})
    old, new = rows.slice(0, 30 * FILE_ROWS), rows.slice(30 * FILE_ROWS)
    spec = ("dt",)
    scraps = tuple(new.slice(start, 6) for start in range(0, len(new), 6))
    return Layout(
        (Commit(loaded(old, spec, FILE_ROWS), spec), Commit(scraps, spec)), spec, scaled()
    )


def cities_in_order() -> Layout:
    """Five files for each of eight first letters, in order of the name."""
    number = rng(3010).integers(0, 100_000, 40 * FILE_ROWS)
    names = [f"{'ABCDEFÅÖ'[i // (5 * FILE_ROWS)]}{n:05d}" for i, n in enumerate(number)]
    return laid_out(table({"city": texts(sorted(names))}))


def months_of_many_files() -> Layout:
    """Three months, sixteen files each, in no order within."""
    seconds = rng(3011).uniform(0, 90 * DAY, 48 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


ONE_OF_TWELVE = (0.89, 0.93)
FIRSTS = ("2026-02", "2026-05", "2026-09")

PAIRS = (
    # Of a month beside its year, Trino makes the range of the year, Spark none.
    Pair(
        "months_of_two_engines",
        twelve_months,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.months_of_two_engines"
                " WHERE year(ts) = 2026 AND month(ts) = {}",
                (2, 5, 9, 11),
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.months_of_two_engines"
                " WHERE year(ts) = 2026 AND month(ts) = {}",
                (2, 5, 9, 11),
            ),
        ],
        expected=(Expected("wrapped_column", ("ts",), (0.44, 0.47), False, True),) * 2,
        tempting={"partitions_too_coarse": "queries ask for months"},
        never=NEVER,
    ),
    Pair(
        "hours_as_numbers",
        days_and_hours,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.hours_as_numbers"
                " WHERE dt = '2026-01-05' AND CAST(hr AS INT) = {}",
                (5, 9, 17),
                **SPARK,
            )
        ],
        # What the text means is not known.
        expected=(Expected("type_mismatch", ("hr",), None, False, None, ("hr",)),),
        tempting={"partitions_too_fine": "queries ask for hours, which fill files"},
        never=NEVER,
    ),
    Pair(
        "iso_weeks_of_iso_years",
        twelve_weeks,
        each(
            "SELECT sum(amount) FROM lake.db.iso_weeks_of_iso_years"
            " WHERE year_of_week(d) = 2026 AND week_of_year(d) = {}",
            (3, 6, 10),
        ),
        expected=(Expected("wrapped_column", ("d",), ONE_OF_TWELVE, False, True),),
        tempting={"partitions_too_fine": "queries ask for days that fill files"},
        never=NEVER,
    ),
    Pair(
        "weeks_cut_off",
        twelve_weeks_of_times,
        each(
            "SELECT sum(amount) FROM lake.db.weeks_cut_off"
            " WHERE date_trunc('week', ts) = TIMESTAMP '{} 00:00:00'",
            (day(11), day(32), day(60)),
            engine_version="483",
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        tempting={"unclustered_column": "times are by day"},
        never=NEVER,
    ),
    Pair(
        "two_months_as_texts",
        twelve_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.two_months_as_texts"
            " WHERE date_format(ts, 'yyyy-MM') IN ('2026-02', '2026-07')",
            4,
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.8, 0.85), False, True),),
        tempting={"partitions_too_coarse": "queries ask for months"},
        never=NEVER,
    ),
    Pair(
        "text_days_tried_as_dates",
        text_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.text_days_tried_as_dates"
            " WHERE TRY_CAST(dt AS DATE) BETWEEN DATE '2026-01-10' AND DATE '2026-01-12'",
            4,
            **SPARK,
        ),
        expected=(
            Expected("type_mismatch", ("dt",), None, False, None, (r"text|dt (>=|BETWEEN)",)),
        ),
        tempting={"partitions_too_fine": "days fill files"},
        never=NEVER,
    ),
    Pair(
        "numbers_parsed_as_dates",
        number_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.numbers_parsed_as_dates"
            " WHERE to_date(CAST(dt AS STRING), 'yyyyMMdd') >= DATE '2026-02-20'",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("dt",), (0.78, 0.85), False, True),),
        tempting={"partitions_too_fine": "days fill files"},
        never=NEVER,
    ),
    Pair(
        "a_week_before",
        sixty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_week_before"
            " WHERE date_sub(d, 7) >= DATE '2026-02-20'",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.92, 0.96), False, True),),
        never=NEVER,
    ),
    Pair(
        "states_or_none",
        states,
        each(
            "SELECT count(*) FROM lake.db.states_or_none WHERE nvl(status, 'none') = '{}'",
            ("open", "new"),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("status",), (0.8, 0.85), False, True),),
        tempting={"unclustered_column": "it is a partition"},
        never=NEVER,
    ),
    Pair(
        "open_or_closed_lately",
        closed_and_open,
        repeated(
            "SELECT count(*) FROM lake.db.open_or_closed_lately"
            " WHERE coalesce(closed_at, DATE '9999-12-31') >= DATE '2026-02-20'",
            4,
        ),
        expected=(
            Expected("wrapped_column", ("closed_at",), (0.72, 0.78), False, True, ("IS NULL",)),
        ),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "continents_by_case",
        six_regions,
        repeated(
            "SELECT count(*) FROM lake.db.continents_by_case WHERE CASE WHEN region = 'EU' THEN"
            " 'europe' WHEN region IN ('US', 'CA') THEN 'america' ELSE 'rest' END = 'america'",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("region",), (0.62, 0.68), False, True),),
        never=NEVER,
    ),
    Pair(
        "regions_joined_with_tiers",
        regions_and_tiers,
        each(
            "SELECT count(*) FROM lake.db.regions_joined_with_tiers"
            " WHERE concat(region, '-', tier) = '{}'",
            ("EU-gold", "US-silver", "ME-bronze"),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("region|tier",), None, False, None),),
        tempting={"no_partition_filter": "both fields are asked for"},
        never=NEVER,
    ),
    Pair(
        "systems_in_any_case",
        systems_in_structs,
        each(
            "SELECT count(*) FROM lake.db.systems_in_any_case WHERE lower(device.os) = '{}'",
            ("ios", "linux"),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("device.os",), None, False, None),),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "prices_above_a_double",
        prices_in_order,
        repeated(
            "SELECT count(*) FROM lake.db.prices_above_a_double WHERE price >= 9.5e3",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("price",), (0.92, 0.97), False, True),),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "digests_in_hex",
        digests_in_order,
        each(
            "SELECT count(*) FROM lake.db.digests_in_hex WHERE hex(digest) = '{}'",
            ("0A1B2C3D4E5F6071", "80FFEE0102030405"),
            **SPARK,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("digest",), None, False, None),),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "days_of_berlin_by_function",
        thirty_days_with_zone,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_berlin_by_function"
            " WHERE CAST(ts AT TIME ZONE 'Europe/Berlin' AS date) = DATE '{}'",
            (day(5), day(12), day(20)),
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.9, 0.96), False, True),),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        never=NEVER,
    ),
    # Half an hour beside the hour.
    Pair(
        "three_days_of_kolkata",
        thirty_days_with_zone,
        each(
            "SELECT sum(amount) FROM lake.db.three_days_of_kolkata"
            " WHERE ts >= TIMESTAMP '{} 00:00:00' AND ts < TIMESTAMP '{} 00:00:00'",
            [(day(n), day(n + 3)) for n in (4, 11, 20)],
            time_zone="Asia/Kolkata",
            **SPARK,
        ),
        expected=(Expected("local_day_boundaries", ("ts",), (0.15, 0.26)),),
    ),
    Pair(
        "customers_of_a_large_country",
        customers_of_countries,
        each(
            "SELECT * FROM lake.db.customers_of_a_large_country"
            " WHERE country = '{}' AND customer_id = {}",
            [
                (country, 17 + 321 * number)
                for number, country in enumerate(
                    ("US", "AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT", "NL")
                )
            ],
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.7, 0.9), True),),
        tempting={"no_partition_filter": "the country is asked for"},
        never=("PARTITION FIELD",),
    ),
    Pair(
        "the_newest_text_day",
        newest_text_day_in_scraps,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.the_newest_text_day WHERE dt = '2026-01-31'",
                6,
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.the_newest_text_day WHERE dt >= '{}'",
                (day(20), day(25)),
            ),
        ],
        expected=(Expected("small_files", (), None, True, None, ("where",)),),
        tempting={"partitions_too_fine": "days fill files once they are merged"},
        never=NEVER,
    ),
    Pair(
        "stores_of_a_city",
        sales_of_stores,
        each(
            "SELECT count(*) FROM lake.db.stores_of_a_city WHERE store_id IN"
            " (SELECT store_id FROM shop.public.stores WHERE city = '{}')",
            ("Graz", "Linz", "Wels"),
        ),
        expected=(Expected("runtime_only", ("store_id",)),),
        tempting={"no_partition_filter": "no value of the column is known before it runs"},
        never=NEVER,
    ),
    Pair(
        "a_month_as_it_was",
        twelve_months,
        each(
            "SELECT sum(amount) FROM lake.db.a_month_as_it_was"
            " TIMESTAMP AS OF '2099-06-01 00:00:00' WHERE date_format(ts, 'yyyy-MM') = '{}'",
            FIRSTS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        never=NEVER,
    ),
    Pair(
        "since_the_watermark",
        thirty_days,
        repeated(
            "SELECT * FROM lake.db.since_the_watermark WHERE ts >"
            " (SELECT max(loaded_until) FROM shop.public.watermarks WHERE job = 'sales')",
            4,
            **SPARK,
        ),
        expected=(Expected("runtime_only", ("ts",), says=("asked for first",)),),
        tempting={"wrapped_column": "the column is bare"},
        never=NEVER,
    ),
    Pair(
        "a_month_named_in_a_cte",
        twelve_months,
        each(
            "WITH m AS (SELECT date_format(ts, '%Y-%m') AS month, amount"
            " FROM lake.db.a_month_named_in_a_cte) SELECT sum(amount) FROM m WHERE month = '{}'",
            FIRSTS,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        never=NEVER,
    ),
    Pair(
        "a_month_deleted",
        twelve_months,
        each(
            "DELETE FROM lake.db.a_month_deleted WHERE date_format(ts, 'yyyyMM') = '{}'",
            ("202602", "202603"),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        never=NEVER,
    ),
    Pair(
        "changes_of_a_month",
        twelve_months,
        each(
            "MERGE INTO lake.db.changes_of_a_month AS t USING shop.public.changes AS s"
            " ON t.amount = s.amount AND date_format(t.ts, 'yyyy-MM') = '{}'"
            " WHEN MATCHED THEN UPDATE SET amount = s.amount WHEN NOT MATCHED THEN INSERT *",
            FIRSTS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        allowed=(Expected("runtime_only", ()),),
        never=NEVER,
    ),
    Pair(
        "since_a_month_by_row",
        three_years_of_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.since_a_month_by_row WHERE (year, month) >= (2026, 7)",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("year|month",), (0.6, 0.85), False, True),),
        never=NEVER,
    ),
    # Nothing says that months are between 1 and 12, but files do.
    Pair(
        "months_added_up",
        three_years_of_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.months_added_up WHERE year * 100 + month >= 202607",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("year|month",), None, False, None),),
        never=NEVER,
    ),
    Pair(
        "ids_as_texts",
        ids_in_order,
        each(
            "SELECT * FROM lake.db.ids_as_texts WHERE CAST(id AS STRING) = '{}'",
            (12345, 777, 30100),
            **SPARK,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("id",), (0.95, 0.99), False, True),),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "thousands_by_div",
        ids_in_order,
        each(
            "SELECT count(*) FROM lake.db.thousands_by_div WHERE id DIV 1000 = {}",
            (3, 12, 30),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("id",), (0.93, 0.98), False, True),),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "thousands_by_division",
        ids_in_order,
        each(
            "SELECT count(*) FROM lake.db.thousands_by_division WHERE id / 1000 = {}",
            (3, 12, 30),
        ),
        expected=(Expected("wrapped_column", ("id",), (0.93, 0.98), False, True),),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "months_put_together",
        text_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.months_put_together"
            " WHERE concat(substr(dt, 1, 4), substr(dt, 6, 2)) = '202602'",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("dt",), None, False, None),),
        never=NEVER,
    ),
    Pair(
        "days_without_dashes",
        text_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_without_dashes"
            " WHERE replace(dt, '-', '') >= '20260220'",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("dt",), None, False, None),),
        never=NEVER,
    ),
    Pair(
        "seconds_of_two_engines",
        thirty_days_with_zone,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.seconds_of_two_engines"
                f" WHERE unix_timestamp(ts) >= {EPOCH + 27 * DAY}",
                3,
                **SPARK,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.seconds_of_two_engines"
                f" WHERE to_unixtime(ts) >= {EPOCH + 27 * DAY}e0",
                3,
            ),
        ],
        # One finding or two.
        expected=(Expected("wrapped_column", ("ts",), (0.43, 0.91), False, True),),
        allowed=(Expected("wrapped_column", ("ts",), (0.43, 0.46), False, True),),
        never=NEVER,
    ),
    Pair(
        "hours_before_a_time",
        thirty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.hours_before_a_time WHERE"
            " date_diff('hour', ts, TIMESTAMP '2026-01-28 00:00:00') BETWEEN 0 AND 23",
            4,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.97), False, True),),
        never=NEVER,
    ),
    Pair(
        "due_in_a_month",
        sixty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.due_in_a_month"
            " WHERE d + INTERVAL '1' MONTH > DATE '2026-03-25'",
            4,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.88, 0.95), False, True),),
        never=NEVER,
    ),
    Pair(
        "three_dates_of_times",
        thirty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.three_dates_of_times WHERE CAST(ts AS DATE)"
            " IN (DATE '2026-01-05', DATE '2026-01-12', DATE '2026-01-19')",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.86, 0.91), False, True),),
        never=NEVER,
    ),
    Pair(
        "quarters_cut_off",
        twelve_months,
        each(
            "SELECT sum(amount) FROM lake.db.quarters_cut_off"
            " WHERE date_trunc('quarter', ts) = TIMESTAMP '{} 00:00:00'",
            ("2026-04-01", "2026-07-01"),
            engine_version="483",
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.72, 0.77), False, True),),
        never=NEVER,
    ),
    Pair(
        "months_between_functions",
        twelve_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.months_between_functions WHERE date_trunc('month', ts)"
            " BETWEEN TIMESTAMP '2026-02-01 00:00:00' AND TIMESTAMP '2026-03-01 00:00:00'",
            4,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.8, 0.85), False, True),),
        never=NEVER,
    ),
    Pair(
        "codes_cut_by_a_cast",
        codes_in_order,
        each(
            "SELECT count(*) FROM lake.db.codes_cut_by_a_cast"
            " WHERE CAST(code AS varchar(2)) = '{}'",
            ("CH", "ES", "GB"),
        ),
        expected=(
            Expected(
                "wrapped_column|type_mismatch|like_without_prefix",
                ("code",),
                (0.84, 0.89),
                False,
                True,
            ),
        ),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "a_day_or_false",
        sixty_days,
        each(
            "SELECT sum(amount) FROM lake.db.a_day_or_false WHERE coalesce(d = DATE '{}', false)",
            (day(10), day(40)),
        ),
        expected=(Expected("wrapped_column", ("d",), (0.95, 0.99), False, True),),
        never=NEVER,
    ),
    # Trino makes no range of a text outside of ASCII.
    Pair(
        "cities_beyond_ascii",
        cities_in_order,
        each("SELECT count(*) FROM lake.db.cities_beyond_ascii WHERE city LIKE '{}%'", ("Ö", "Å")),
        expected=(
            Expected("like_without_prefix|wrapped_column", ("city",), (0.8, 0.88), False, True),
        ),
        tempting={"unclustered_column": "files are in order"},
        never=NEVER,
    ),
    Pair(
        "days_of_whole_months",
        months_of_many_files,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_whole_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(3, 87, 7)],
        ),
        expected=(
            Expected("partitions_too_coarse|unclustered_column", ("ts",), (0.8, 0.95), True),
        ),
    ),
    # An order serves no condition that the engine does not use.
    Pair(
        "codes_cut_in_no_order",
        codes_in_no_order,
        each(
            "SELECT count(*) FROM lake.db.codes_cut_in_no_order"
            " WHERE CAST(code AS varchar(4)) = '{}'",
            ("CH01", "ES34", "GB70"),
        ),
        expected=(
            Expected(
                "wrapped_column|type_mismatch|like_without_prefix", ("code",), None, False, True
            ),
            Expected("unclustered_column", ("code",), (0.85, 0.98), True, None, ("written",)),
        ),
        never=("PARTITION FIELD",),
        rewritten={
            "unclustered_column": each(
                "SELECT count(*) FROM lake.db.codes_cut_in_no_order WHERE code LIKE '{}%'",
                ("CH01", "ES34", "GB70"),
            )
        },
    ),
    Pair(
        "ids_divided_in_no_order",
        ids_in_no_order,
        each(
            "SELECT count(*) FROM lake.db.ids_divided_in_no_order WHERE id DIV 1000 = {}",
            (3, 12, 30),
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("id",), None, False, True, ("order", "id <= ")),
            Expected("unclustered_column", ("id",), (0.8, 0.97), True, None, ("written",)),
        ),
        never=("PARTITION FIELD",),
        rewritten={
            "unclustered_column": each(
                "SELECT count(*) FROM lake.db.ids_divided_in_no_order WHERE id BETWEEN {} AND {}",
                [(1000 * n, 1000 * n + 999) for n in (3, 12, 30)],
                **SPARK,
            )
        },
    ),
    Pair(
        "the_newest_number_day",
        newest_number_day_in_scraps,
        repeated(
            "SELECT sum(amount) FROM lake.db.the_newest_number_day WHERE dt = 20260131",
            6,
            **SPARK,
        ),
        expected=(Expected("small_files", (), None, True, None, ("where",)),),
        never=NEVER,
    ),
    Pair(
        "lately_by_else",
        sixty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.lately_by_else WHERE"
            " CASE WHEN d < DATE '2026-02-20' THEN 'old' ELSE 'new' END = 'new'",
            4,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.8, 0.85), False, True),),
        never=NEVER,
    ),
)
