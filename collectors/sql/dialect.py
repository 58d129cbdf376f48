"""Properties of a SQL dialect that are told. What is not told of one is not unwrapped, and does not
prune."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """The known properties of a dialect; by default, none."""

    planner: str | None = None
    """The engine by whose profile `explain` classifies conjuncts if no planner is chosen; None for
    Iceberg alone."""
    is_measured: bool = False
    """True if engines were compared with: functions of texts, which tell upper case from lower case
    there, rows, and intervals."""
    has_hive_functions: bool = False
    """True if functions, operators, and fields of dates are those that Hive has: trunc(), DIV."""
    has_joda_time: bool = False
    """True if patterns of dates are those of Joda-Time and MySQL, and functions those of Trino."""
    timestamps_are_instants: bool = False
    """True if timestamps are moments in microseconds that the session's clock reads, and those
    without a zone are of a type of their own (TIMESTAMP_NTZ)."""
    keeps_zones: bool = False
    """True if a timestamp with a zone keeps the zone that it was written with."""
    rounds_times: bool = False
    """True if times are rounded to milliseconds if their type names no digits."""
    truncates_dates: bool = False
    """True if a date that is truncated remains a date."""
    infers_constraints: bool = False
    """True if an optimizer infers and moves conditions as Spark's does, by constraints of plans; in
    others, values travel along equalities."""
    infers_periods: bool = False
    """True if what is known of a period of a column (its day) travels along equalities."""
    keeps_ranges: bool = False
    """True if BETWEEN of an expression remains one condition, and is not two."""
    casts_arguments: bool = False
    """True if an argument of another type than is wanted, such as a text for a date, is cast."""
    is_strict: bool = False
    """True if an argument of another type, or one that a function does not take, is an error."""
    overflow_by_mode: bool = False
    """True if a setting decides whether a number that its type does not hold is an error."""
    nulls_wide_numbers: bool = False
    """True if a number that is too wide for the type in which it is compared may be NULL there."""
    has_ieee_doubles: bool = False
    """True if doubles are divided and compared as IEEE 754 says, by 0 and with NaN."""
    has_standard_decimals: bool = False
    """True if decimals have the digits that standard SQL gives them, whole numbers those of their
    type, and no sum is cut to fit."""
    has_standard_rows: bool = False
    """True if rows with nulls are compared as in standard SQL."""
    nulls_are_least: bool = False
    """True if a null in a row is less than any value, and equal to itself."""
    absent_is_null: bool = False
    """True if a part, or a group of a pattern, that a text does not have is NULL, not empty."""
    pads_texts: bool = False
    """True if texts of type CHAR are filled with spaces."""
    hashes_bytes: bool = False
    """True if functions of bytes (digests, hex) take no texts or numbers; digests are bytes."""
    selects_by_name: bool = False
    """True if part of a name may select a version or a catalog (`db.t.branch_audit`), and a number
    is a time in seconds. SparkCatalog of Iceberg."""
    has_java_time: bool = False
    """True if patterns of dates are those of java.time, and functions of dates those of Spark 3.
    Spark 2 and Hive format by SimpleDateFormat, whose calendar was another before 1582."""
    weeks_from_monday: bool = False
    """True if weeks start on Monday for certain."""
    sets_first_day: bool = False
    """True if a setting of the session decides on which day weeks begin."""
    follows_clock: bool | None = None
    """True if functions of dates read timestamps with zone on the session's clock; Trino's read a
    value on the clock of its own zone, which is UTC in Iceberg. None if that is unknown: then
    functions of such columns are not unwrapped in sessions of other zones than UTC."""
    plain_are_moments: bool = False
    """True if timestamps without a zone are moments, too, that the session's clock reads, while
    UTC's reads those with one (`predicates.moments`)."""
    assumed_zone: str | None = "UTC"
    """The zone of sessions if neither a log nor the configuration tells it; None if that is the
    server's zone, which may be any."""
    nan_is_largest: bool = False
    """True if comparisons take NaN for larger than any number, and equal to itself. Hive reads SQL
    as Spark does, but compares Java's doubles."""
    may_double_quotes: bool = False
    """True if a doubled quote in a text is a quote in some versions, and nothing in others."""
    quotes_snapshot_ids: bool = False
    """True if the id of a snapshot may stand in quotes. Spark: Iceberg 1.11, "Time travel"."""
    merge_keeps_source: bool = False
    """True if MERGE reads all rows of its source, whatever ON says of them, also where rows without
    a match are left alone: a RIGHT JOIN in all plans of Trino 483."""
    database_is_catalog: bool = False
    """True if `USE DATABASE`, or a bare USE of one name, selects a catalog."""
    schema_of_catalog: str | None = None
    """The schema that is current after a catalog was selected, None if that is unknown."""
    names_hold_dots: bool = False
    """True if tables of a catalog, which is a database, have names that hold their namespaces:
    lake.`s.orders`."""
    has_strftime: bool = False
    """True if patterns of dates are those of strftime, hours and all."""
    has_snowflake_patterns: bool = False
    """True if patterns of dates are Snowflake's."""
    has_documented_dates: bool = False
    """True if the results of functions of constant dates are taken from the documentation."""
    has_documented_moves: bool = False
    """True if the documentation says how functions move dates and times of columns, or count
    between two."""
    joins_null_to_null: bool = False
    """True if concat_ws() of a null is null, rather than the other texts."""
    leaves_out_nulls: bool = False
    """True if a null in a list or an array is none of its values: `1 NOT IN (NULL)` is true then.
    ClickHouse, unless `transform_null_in` is set (issue 34737 of it)."""
    forgets_zones: bool = False
    """True if a time with a zone is a moment alone, whichever zone it was written with."""
    held_days: tuple[dt.date, dt.date] | None = None
    """The range of days, from the first to before the second, that functions that cut dates and
    times can return; any beyond comes out as another. None if there is no limit."""
    casts_to_text: bool = False
    """True if functions of texts take numbers as their texts."""
    coerces_texts: bool = False
    """True if a text that is compared with a date or a time is read as one."""
    extremes_skip_nulls: bool | None = None
    """True if the greatest of a null and a number is the number, False if it is null; None if
    settings decide."""
    overflow_fails: bool = False
    """True if a number that its type does not hold is an error, in any session."""
    whole_bits: int | None = None
    """The number of bits of all whole numbers; None if they are of several types."""
    divides_exactly: bool = False
    """True if a quotient of whole numbers is a decimal of six digits more, halves rounded up."""
    divides_in_doubles: bool = False
    """True if a quotient of whole numbers is a double."""
    rounds_to_doubles: bool = False
    """True if floor() and ceil() of a whole number are doubles."""
    zero_divides: bool = False
    """True if a double may be divided by 0."""
    function_bits: int | None = None
    """The number of bits of whole numbers of most functions; None if that is unknown."""
    formatted_digits: int | None = None
    """The digits of seconds to which functions that format round a time first, halves up; None for
    all digits of the time."""
    dates_become_times: bool = False
    """True if dates that are truncated, or moved by an interval, are times."""
    chooses_constants: bool = False
    """True if CASE of constants and the like are known, besides those of `is_measured`."""
    adds_days: bool = False
    """True if a date and a whole number are the date that is so many days later."""
    subtracts_days: bool = False
    """True if the difference of two dates is the number of days between them."""
    adds_seconds: bool = False
    """True if a time and a whole number are the time that is so many seconds later."""
    writes_iso_dates: bool = False
    """True if a date as a text is in ISO's format, whatever the session."""
    writes_parameters: bool = False
    """True if values of parameters come as they would be written in SQL."""
    overwrites_whole_tables: bool = False
    """True if INSERT OVERWRITE replaces all of a table, whatever its partitions are."""
    joins_fill_nulls: bool = True
    """True if nulls stand beside rows that an outer join keeps without a partner, and no other
    values: ClickHouse has those of `join_use_nulls = 0`, such as 0 and an empty text."""
    where_sees_outputs: bool = False
    """True if WHERE may name an output of its SELECT, by a name that no column has."""
    outputs_may_hide_columns: bool = False
    """True if a name in WHERE may mean the output as well if a column has the name: in ClickHouse,
    unless `prefer_column_name_to_alias` is set."""
    like_escape: str | None = None
    """The escape in a LIKE pattern without ESCAPE: "" for none, None if that is unknown."""

    @property
    def rows_order_nulls(self) -> bool:
        """True if a null in a row has its place among values, and is equal to itself: in Spark it
        is the least, in DuckDB the greatest."""
        return self.nulls_are_least or self.has_strftime

    @property
    def has_known_functions(self) -> bool:
        """True if functions of dates and numbers are known. Hive rounds and wraps by rules of its
        own, and months end otherwise in Spark 2."""
        return self.has_java_time or self.has_joda_time
