"""Tables of many kinds that lose something."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.mixed import (
    amounts_in_order,
    dated_by_months,
    days_and_buckets_unasked,
    days_in_three_numbers,
    days_of_two_months,
    events_with_a_context,
    history_as_it_came,
    logins_by_day,
    long_months,
    measured_in_part,
    never_rewritten,
    number_days,
    ordered_and_shipped,
    orders_by_number,
    people,
    positions_by_latitude,
    regions_of_forty_days,
    streamed,
    text_days,
    tiles,
    window,
    zoned_days,
)
from tests.workloads.rows import DAY, SPARK, SPARK_35, day, each, repeated

PAIRS = (
    # Days of login say nothing of the person: sixty files for each, of which fifteen would do.
    # 8 times 60 files and 10 times 4; the former become 15.
    Pair(
        "people_forgotten_by_email",
        logins_by_day,
        [
            *each(
                "SELECT * FROM lake.db.people_forgotten_by_email"
                " WHERE email = 'user{:04d}@example.org'",
                range(5, 885, 110),
            ),
            *each(
                "SELECT count(*) FROM lake.db.people_forgotten_by_email"
                " WHERE login_day = DATE '{}'",
                map(day, range(10)),
            ),
        ],
        expected=(Expected("no_partition_filter", ("email",), (0.6, 0.71), True),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"unclustered_column": "the same, under another name"},
        never=("DROP", "REPLACE"),
    ),
    # What people wrote is compared in lower case: a column of the lower text is what helps.
    Pair(
        "mail_in_any_case",
        people,
        each(
            "SELECT * FROM lake.db.mail_in_any_case WHERE lower(email) = 'user{}@example.org'",
            range(100, 120),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("email",), None, statements=False, rewrite=False),),
        tempting={"unclustered_column": "an order of the column as it is does not help"},
    ),
    # A twentieth of the rows has no end, in every file. They fill two files of forty.
    Pair(
        "customers_of_today",
        history_as_it_came,
        repeated("SELECT * FROM lake.db.customers_of_today WHERE valid_to IS NULL", 12, **SPARK),
        expected=(Expected("unclustered_column", ("valid_to",), (0.88, 0.96), True),),
    ),
    # One merchant of 300 in each file; 80 rows of his.
    Pair(
        "merchants_looked_up",
        orders_by_number,
        [
            *each("SELECT * FROM lake.db.merchants_looked_up WHERE merchant_id = {}", range(5, 25)),
            *each(
                "DELETE FROM lake.db.merchants_looked_up WHERE merchant_id = {}",
                range(100, 110),
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("merchant_id",), (0.9, 0.98), True),),
    ),
    # A day is one file; sixteen buckets make sixteen of it, and nobody asks for devices.
    Pair(
        "devices_that_nobody_asks_for",
        days_and_buckets_unasked,
        each(
            "SELECT count(*) FROM lake.db.devices_that_nobody_asks_for"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, 3 * DAY) for n in range(16)],
        ),
        expected=(Expected("misaligned_partitioning|partitions_too_fine", (), None, True),),
        tempting={"small_files": "no file spans two partitions, so nothing is there to merge"},
        never=(r"DROP PARTITION FIELD days\(ts\)", r"REPLACE PARTITION FIELD days\(ts\)"),
    ),
    # 24 files are read for a day that would fill one.
    Pair(
        "days_before_the_change",
        never_rewritten,
        each(
            "SELECT sum(n) FROM lake.db.days_before_the_change"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, DAY) for n in range(2, 22, 2)],
        ),
        expected=(Expected("old_spec_files", (), (0.85, 0.96), True),),
        tempting={"unclustered_column": "a rewrite cuts old files into days"},
    ),
    # A week of a stream: 420 files for seven.
    Pair(
        "weeks_of_a_stream",
        streamed,
        each(
            "SELECT sum(n) FROM lake.db.weeks_of_a_stream"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, 7 * DAY) for n in range(3)] * 4,
        ),
        expected=(Expected("small_files", (), None, True),),
        tempting={"partitions_too_fine": "a day is a file, once merged"},
        never=("DROP", "REPLACE"),
    ),
    # A day of New York is in two days of UTC; one file each.
    Pair(
        "days_in_new_york",
        zoned_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_in_new_york"
            " WHERE ts >= TIMESTAMP '{0} 00:00:00 America/New_York'"
            " AND ts < TIMESTAMP '{1} 00:00:00 America/New_York'",
            [(day(n), day(n + 1)) for n in range(2, 34, 3)],
        ),
        expected=(Expected("local_day_boundaries", ("ts",), (0.35, 0.52)),),
        tempting={"partitions_too_coarse": "days are asked for"},
        never=("DROP",),
    ),
    # Spark's casts are pushed; Trino's text is not.
    Pair(
        "days_as_text_in_one_engine",
        zoned_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.days_as_text_in_one_engine"
                " WHERE CAST(ts AS DATE) = DATE '{}'",
                map(day, range(5, 25)),
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.days_as_text_in_one_engine"
                " WHERE format_datetime(ts, 'yyyy-MM-dd') = '{}'",
                map(day, range(5, 15)),
            ),
        ],
        # 10 times 40 files and 20 times one.
        expected=(
            Expected("wrapped_column", ("ts",), (0.85, 0.94), statements=False, rewrite=True),
        ),
    ),
    # 300 numbers within 1,500 that follow each other: three or four files of forty.
    Pair(
        "three_hundred_orders",
        orders_by_number,
        [
            query
            for first in (20_000, 60_000, 90_000)
            for query in repeated(
                "SELECT * FROM lake.db.three_hundred_orders WHERE order_id IN ("
                + ", ".join(str(first + 25 * n) for n in range(300))
                + ")",
                4,
                **SPARK,
            )
        ],
        expected=(Expected("long_in_list", ("order_id",), (0.9, 0.951)),),
    ),
    # Files of the day and of the three before it: four or five of sixty, of which Trino reads all.
    Pair(
        "ordered_or_shipped_on",
        ordered_and_shipped,
        each(
            "SELECT * FROM lake.db.ordered_or_shipped_on"
            " WHERE order_day = DATE '{0}' OR ship_day = DATE '{0}'",
            map(day, range(5, 55, 5)),
        ),
        expected=(Expected("or_across_columns", (), (0.85, 0.94), statements=False),),
    ),
    Pair(
        "words_within_notes",
        orders_by_number,
        each(
            "SELECT * FROM lake.db.words_within_notes WHERE note LIKE '%{}%'", range(40_000, 40_012)
        ),
        expected=(Expected("like_without_prefix", ("note",), None, statements=False),),
        tempting={"unclustered_column": "no order serves a word within"},
    ),
    # Text that is cast to a date: whole tables are read for weeks.
    Pair(
        "text_day_cast_to_a_range",
        text_days,
        each(
            "SELECT sum(n) FROM lake.db.text_day_cast_to_a_range"
            " WHERE CAST(dt AS date) BETWEEN DATE '{}' AND DATE '{}'",
            [(day(n), day(n + 6)) for n in range(0, 32, 4)],
        ),
        expected=(Expected("type_mismatch", ("dt",), statements=False),),
        never=("DROP",),
    ),
    # A month by the first six digits: 31 or 28 files of 59.
    Pair(
        "month_by_digits",
        number_days,
        each(
            "SELECT sum(n) FROM lake.db.month_by_digits"
            " WHERE substr(CAST(date_key AS varchar), 1, 6) = '{}'",
            ["202601", "202602"] * 4,
        ),
        expected=(
            Expected("wrapped_column", ("date_key",), (0.46, 0.51), statements=False, rewrite=True),
        ),
        never=("DROP",),
    ),
    # A range of days made of three numbers: seven files of 59.
    Pair(
        "week_made_of_numbers",
        days_in_three_numbers,
        each(
            "SELECT sum(n) FROM lake.db.week_made_of_numbers"
            " WHERE make_date(year, month, day) BETWEEN DATE '{}' AND DATE '{}'",
            [(day(n), day(n + 6)) for n in range(2, 22, 4)],
            **SPARK,
        ),
        # January alone is 31 of 59; with days of the month, seven.
        expected=(Expected("wrapped_column", ("year|month|day",), (0.45, 0.89), False, True),),
        never=("DROP", "REPLACE"),
    ),
    # ISO weeks of a year are seven days: 59 files are read for seven.
    Pair(
        "weeks_by_number",
        days_of_two_months,
        each(
            "SELECT sum(amount) FROM lake.db.weeks_by_number"
            " WHERE weekofyear(ts) = {} AND year(ts) = 2026",
            range(2, 9),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.85, 0.89), False, True),),
        never=("DROP", "REPLACE"),
    ),
    # The day within a struct, cut by a function that Spark does not push: one or two of forty.
    Pair(
        "days_within_a_struct",
        events_with_a_context,
        each(
            "SELECT sum(n) FROM lake.db.days_within_a_struct"
            " WHERE date_trunc('DAY', ctx.created_at) = TIMESTAMP_NTZ '{} 00:00:00'",
            map(day, range(3, 38, 5)),
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column", ("ctx.created_at",), (0.92, 0.976), statements=False, rewrite=True
            ),
        ),
    ),
    # A double beside a decimal has Spark cast each amount: one or two of forty would do.
    Pair(
        "amounts_above_a_double",
        amounts_in_order,
        repeated("SELECT * FROM lake.db.amounts_above_a_double WHERE amount > 980e0", 8, **SPARK),
        expected=(
            Expected("wrapped_column|type_mismatch", ("amount",), (0.94, 0.976), statements=False),
        ),
    ),
    # Files are in order of the plant, and nobody kept its bounds.
    Pair(
        "plants_that_are_counted",
        measured_in_part,
        each(
            "SELECT avg(value) FROM lake.db.plants_that_are_counted WHERE plant = 'p{:03d}'",
            range(0, 40, 4),
        ),
        expected=(Expected("no_column_metrics", ("plant",), (0.92, 0.976), True),),
        tempting={"unclustered_column": "rows are in order of it"},
    ),
    # A day is two files of the sixty of its month.
    Pair(
        "days_of_long_months",
        long_months,
        each(
            "SELECT sum(n) FROM lake.db.days_of_long_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, DAY) for n in range(2, 56, 4)],
        ),
        expected=(
            Expected("partitions_too_coarse", ("ts",), (0.9, 0.97), True, says=(r"days\(ts\)",)),
        ),
        never=("DROP",),
    ),
    # Days of all regions. A day of a region is one file.
    Pair(
        "days_of_all_regions",
        regions_of_forty_days,
        each(
            "SELECT sum(n) FROM lake.db.days_of_all_regions"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, DAY) for n in range(2, 38, 3)],
        ),
        # Half of the days of a region are less than a whole file: rows are sorted in regions.
        expected=(Expected("no_partition_filter", ("ts",), (0.9, 0.976), True),),
    ),
    # Names that begin so: an eighth of a thousandth of them.
    Pair(
        "names_as_they_are_typed",
        people,
        each(
            "SELECT * FROM lake.db.names_as_they_are_typed WHERE name LIKE '{}%'",
            ["Anders01", "Berg77", "Claus3", "Dietz442", "Maier9", "Falk55", "Gross08", "Ehlers21"],
        ),
        expected=(Expected("unclustered_column", ("name",), (0.88, 0.976), True),),
    ),
    # Ten days, as text: 49 of 59.
    Pair(
        "ten_days_as_text",
        days_of_two_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.ten_days_as_text"
            " WHERE CAST(ts AS varchar) LIKE '2026-01-1%'",
            6,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.8, 0.84), False, True),),
        never=("DROP", "REPLACE"),
    ),
    # January and February, by their numbers: four files of 48.
    Pair(
        "two_months_by_number",
        dated_by_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.two_months_by_number"
            " WHERE EXTRACT(YEAR FROM d) = 2026 AND EXTRACT(MONTH FROM d) BETWEEN 1 AND 2",
            6,
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.88, 0.93), False, True),),
        never=("DROP", "REPLACE"),
    ),
    # Near a latitude: one or two files of forty, by a condition that no engine pushes.
    Pair(
        "near_a_latitude",
        positions_by_latitude,
        each(
            "SELECT sum(n) FROM lake.db.near_a_latitude"
            " WHERE abs(lat - {}) < 0.05 AND abs(lon - 13.4) < 0.05",
            [48.1, 50.9, 52.5, 53.6, 49.4],
        ),
        expected=(Expected("wrapped_column", ("lat",), (0.92, 0.976), False, True),),
        allowed=(Expected("wrapped_column", ("lon",), (0, 0.05)),),
    ),
    # Cells of four letters, by a function that Spark does not push: one or two of 36.
    Pair(
        "tiles_by_substring",
        tiles,
        each(
            "SELECT sum(visits) FROM lake.db.tiles_by_substring"
            " WHERE substring(geohash, 1, 4) = '{}'",
            ["u33d", "u2fk", "gcpv", "ezsb", "sr2a"],
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column|like_without_prefix", ("geohash",), (0.92, 0.973), False, True
            ),
        ),
    ),
    # Numbers within ranges of another table. No literal says which.
    Pair(
        "orders_in_ranges_of_bands",
        orders_by_number,
        repeated(
            "SELECT r.name, count(*) FROM lake.db.orders_in_ranges_of_bands o"
            " JOIN shop.public.bands r ON o.order_id BETWEEN r.low AND r.high GROUP BY r.name",
            5,
        ),
        expected=(Expected("runtime_only", (), None, statements=False),),
    ),
)
