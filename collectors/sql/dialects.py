"""SQL dialects, each a value."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from sqlglot.dialects.dialect import Dialects

from prunescope.collectors.sql.dialect import Dialect

READ_DIALECTS = frozenset(dialect.value for dialect in Dialects if dialect.value)
"""sqlglot's names of dialects. Records choose names: those that are none of these are not looked
up, for which sqlglot would try an import."""

_DIALECTS_OF = {
    "sparksql": "spark",
    "pyspark": "spark",
    "starburst": "trino",
    "postgresql": "postgres",
}
"""Names of dialects by words of engines' names that are not names of their dialects."""


_HIVE = Dialect(
    is_measured=True,
    has_hive_functions=True,
    timestamps_are_instants=True,
    infers_constraints=True,
    casts_arguments=True,
    overflow_by_mode=True,
    nulls_wide_numbers=True,
    nulls_are_least=True,
    selects_by_name=True,
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
    planner="trino",
    is_measured=True,
    has_joda_time=True,
    keeps_zones=True,
    rounds_times=True,
    truncates_dates=True,
    infers_periods=True,
    keeps_ranges=True,
    is_strict=True,
    has_ieee_doubles=True,
    has_standard_decimals=True,
    has_standard_rows=True,
    absent_is_null=True,
    pads_texts=True,
    hashes_bytes=True,
    weeks_from_monday=True,
    follows_clock=False,
    merge_keeps_source=True,
    function_bits=64,
    overflow_fails=True,
    extremes_skip_nulls=False,
    formatted_digits=3,
    like_escape="",
)
_POSTGRES = Dialect(weeks_from_monday=True, follows_clock=True, adds_days=True)
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
        adds_days=True,
        writes_iso_dates=True,
    ),
    "dremio": Dialect(quotes_snapshot_ids=True, has_documented_dates=True),
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
        adds_days=True,
        adds_seconds=True,
        writes_iso_dates=True,
        held_days=(dt.date(1970, 1, 1), dt.date(2106, 1, 1)),
        joins_fill_nulls=False,
        where_sees_outputs=True,
        outputs_may_hide_columns=True,
    ),
}
"""Dialects by the names that sqlglot has for them."""
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
