"""Known properties of SQL dialects, each a value. A difference between dialects that is unknown for
one is not unwrapped, and does not prune."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace

from sqlglot.dialects.dialect import Dialects

READ_DIALECTS = frozenset(dialect.value for dialect in Dialects if dialect.value)
"""sqlglot's names of dialects. Records choose names: those that are none of these are not looked
up, for which sqlglot would try an import."""

_DIALECTS_OF = {
    "sparksql": "spark",
    "pyspark": "spark",
    "starburst": "trino",
    "postgresql": "postgres",
}
"""By words of engines' names that are not names of their dialects."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The known properties of a dialect; by default, none."""

    is_spark: bool = False
    """True for dialects of Spark's family."""
    is_trino: bool = False
    """True for dialects of Trino's family."""
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
    joins_null_to_null: bool = False
    """True if concat_ws() of a null is null, rather than the other texts."""
    has_documented_dates: bool = False
    """True if the results of functions of constant dates are taken from the documentation."""
    has_documented_moves: bool = False
    """True if the documentation says how functions move dates and times of columns, or count
    between two."""
    has_standard_cases: bool = False
    """True if CASE, and functions that are equivalent to it, choose as in standard SQL, and texts
    that differ in their case are different."""
    leaves_out_nulls: bool = False
    """True if a null in a list or an array is none of its values: `1 NOT IN (NULL)` is true then.
    ClickHouse, unless `transform_null_in` is set (issue 34737 of it)."""
    forgets_zones: bool = False
    """True if a time with a zone is a moment alone, whichever zone it was written with."""
    reads_zones: bool = False
    """True if, by the documentation, functions of zones give the time on the clock of a zone: AT
    TIME ZONE and `DATE(x, zone)`, or CONVERT_TIMEZONE()."""
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
    def is_measured(self) -> bool:
        """True if engines of its family were compared with: functions of texts, which tell upper
        case from lower case there, rows, and intervals."""
        return self.is_spark or self.is_trino

    @property
    def rows_order_nulls(self) -> bool:
        """True if a null in a row has its place among values, and is equal to itself: in Spark it
        is the least, in DuckDB the greatest."""
        return self.is_spark or self.has_strftime

    @property
    def has_known_functions(self) -> bool:
        """True if functions of dates and numbers are known. Hive rounds and wraps by rules of its
        own, and months end otherwise in Spark 2."""
        return self.has_java_time or self.is_trino


_HIVE = Dialect(
    is_spark=True,
    weeks_from_monday=True,
    follows_clock=True,
    quotes_snapshot_ids=True,
    adds_days=True,
    like_escape="\\",
)
_SPARK_2 = replace(_HIVE, nan_is_largest=True)
_SPARK = replace(
    _SPARK_2,
    has_java_time=True,
    may_double_quotes=True,
    casts_to_text=True,
    coerces_texts=True,
    extremes_skip_nulls=True,
    function_bits=32,
)
_TRINO = Dialect(
    is_trino=True,
    weeks_from_monday=True,
    follows_clock=False,
    merge_keeps_source=True,
    function_bits=64,
    overflow_fails=True,
    extremes_skip_nulls=False,
    formatted_digits=3,
    like_escape="",
)
_POSTGRES = Dialect(
    weeks_from_monday=True, follows_clock=True, has_standard_cases=True, adds_days=True
)
DIALECTS = {
    "spark": _SPARK,
    "databricks": replace(_SPARK, schema_of_catalog="default"),
    "spark2": _SPARK_2,
    "hive": _HIVE,
    "trino": _TRINO,
    "presto": _TRINO,
    "athena": replace(_TRINO, writes_parameters=True),
    "duckdb": replace(
        _POSTGRES,
        subtracts_days=True,
        overflow_fails=True,
        divides_in_doubles=True,
        rounds_to_doubles=True,
        forgets_zones=True,
        zero_divides=True,
        casts_to_text=True,
        coerces_texts=True,
        extremes_skip_nulls=True,
        has_strftime=True,
        dates_become_times=True,
        chooses_constants=True,
        has_documented_dates=True,
        has_documented_moves=True,
        writes_iso_dates=True,
        where_sees_outputs=True,
        like_escape="",
    ),
    "postgres": _POSTGRES,
    "redshift": _POSTGRES,
    "snowflake": Dialect(
        sets_first_day=True,
        subtracts_days=True,
        overflow_fails=True,
        whole_bits=127,
        divides_exactly=True,
        like_escape="",
        casts_to_text=True,
        coerces_texts=True,
        chooses_constants=True,
        extremes_skip_nulls=False,
        follows_clock=True,
        database_is_catalog=True,
        has_snowflake_patterns=True,
        joins_null_to_null=True,
        has_documented_dates=True,
        has_documented_moves=True,
        has_standard_cases=True,
        reads_zones=True,
        adds_days=True,
        overwrites_whole_tables=True,
        where_sees_outputs=True,
    ),
    "bigquery": Dialect(
        overflow_fails=True,
        whole_bits=64,
        divides_in_doubles=True,
        rounds_to_doubles=True,
        forgets_zones=True,
        coerces_texts=True,
        chooses_constants=True,
        extremes_skip_nulls=False,
        like_escape="\\",
        has_documented_dates=True,
        has_documented_moves=True,
        has_standard_cases=True,
        reads_zones=True,
        adds_days=True,
        writes_iso_dates=True,
    ),
    "dremio": Dialect(quotes_snapshot_ids=True, has_documented_dates=True, has_standard_cases=True),
    "clickhouse": Dialect(
        subtracts_days=True,
        whole_bits=64,
        divides_in_doubles=True,
        zero_divides=True,
        casts_to_text=True,
        coerces_texts=True,
        chooses_constants=True,
        like_escape="\\",
        follows_clock=True,
        plain_are_moments=True,
        assumed_zone=None,
        names_hold_dots=True,
        leaves_out_nulls=True,
        has_documented_dates=True,
        has_standard_cases=True,
        adds_days=True,
        adds_seconds=True,
        writes_iso_dates=True,
        held_days=(dt.date(1970, 1, 1), dt.date(2106, 1, 1)),
        joins_fill_nulls=False,
        where_sees_outputs=True,
        outputs_may_hide_columns=True,
    ),
}
"""By the names that sqlglot has for them."""
_UNKNOWN = Dialect()


def dialect_of(name: str) -> Dialect:
    """The dialect of this sqlglot name; one without known properties for other names."""
    return DIALECTS.get(name, _UNKNOWN)


UNKNOWN_ZONE = "?"
"""The name of no time zone."""


def zone_of_session(dialect: str, told: str | None, setting: str | None) -> str | None:
    """The time zone of a session with a configured zone `told`, once a `setting` changed it. In
    ClickHouse, functions then read columns of attached tables by the server's zone, and those of
    others by the setting's (26.9): which of both is unknown."""
    if setting is None:
        return told
    is_mixed = dialect_of(dialect).plain_are_moments and setting != told
    return UNKNOWN_ZONE if is_mixed else setting


def dialect_named_by(engine: str | None) -> str | None:
    """sqlglot's name of the dialect of an engine, by the first of the words of its name that names
    one; None where none does."""
    words = re.findall("[a-z]+", (engine or "").lower())
    named = (_DIALECTS_OF.get(word, word) for word in words)
    return next((word for word in named if word in READ_DIALECTS), None)
