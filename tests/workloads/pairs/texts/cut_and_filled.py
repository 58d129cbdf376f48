"""Texts that are cut, filled and joined, and times beside them, as other teams write them."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_hive import in_order_of_stores
from tests.workloads.pairs.texts.cleaned import codes_of_groups, eight_regions, padded_accounts
from tests.workloads.pairs.times.moved import instants, milliseconds, updated_later
from tests.workloads.rows import SPARK, SPARK_35, repeated

ONE_OF_40 = (0.94, 0.99)
TWO_OF_40 = (0.9, 0.97)
TWO_OF_8 = (0.7, 0.8)
CHANGES = r"ALTER|CALL"

PAIRS = (
    # A tool's parameter as a text that is split.
    Pair(
        "regions_of_a_split_text",
        eight_regions,
        repeated(
            "SELECT sum(amount) FROM lake.db.regions_of_a_split_text"
            " WHERE array_contains(split('r2,r5', ','), region)",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("region",), None, statements=False, rewrite=False),),
        never=(CHANGES,),
    ),
    Pair(
        "stores_at_a_place",
        in_order_of_stores,
        repeated(
            "SELECT sum(amount) FROM lake.db.stores_at_a_place"
            " WHERE array_position(ARRAY[42, 317], store_id) > 0",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("store_id",), None, statements=False, rewrite=False),
        ),
        never=(CHANGES,),
    ),
    # All but two of eight regions are three quarters of the table: there is little to skip.
    Pair(
        "regions_not_of_an_array",
        eight_regions,
        repeated(
            "SELECT sum(amount) FROM lake.db.regions_not_of_an_array"
            " WHERE NOT contains(ARRAY['r2', 'r5'], region)",
            5,
        ),
        allowed=(
            Expected("wrapped_column", ("region",), (0.2, 0.3), statements=False),
            Expected("negated_condition", ("region",), (0.0, 0.3), statements=False),
        ),
        never=(CHANGES,),
    ),
    # Trino knows no OR of two columns, but both have to be that late for the earlier one to be.
    Pair(
        "earlier_of_two_times",
        updated_later,
        repeated(
            "SELECT sum(amount) FROM lake.db.earlier_of_two_times"
            " WHERE least(created_at, updated_at) >= TIMESTAMP '2026-02-05 00:00:00 UTC'",
            5,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("created_at|updated_at",),
                (0.82, 0.9),
                statements=False,
                rewrite=True,
            ),
        ),
        tempting={"or_across_columns": "there is no OR in it"},
        never=("DROP", "REPLACE"),
    ),
    Pair(
        "changed_or_made_by_if",
        updated_later,
        repeated(
            "SELECT sum(amount) FROM lake.db.changed_or_made_by_if"
            " WHERE if(updated_at IS NULL, created_at, updated_at)"
            " >= TIMESTAMP '2026-02-05 00:00:00'",
            5,
            **SPARK_35,
        ),
        expected=(
            Expected(
                "wrapped_column", ("created_at",), (0.75, 0.88), statements=False, rewrite=True
            ),
        ),
        never=("DROP", "REPLACE"),
    ),
    # Without a default: what is not changed is not asked for, but may lie in any file.
    Pair(
        "changed_or_made_by_nvl2",
        updated_later,
        repeated(
            "SELECT sum(amount) FROM lake.db.changed_or_made_by_nvl2"
            " WHERE nvl2(updated_at, updated_at, created_at) >= DATE '2026-02-05'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column", ("created_at",), (0.75, 0.88), statements=False, rewrite=True
            ),
        ),
        never=("DROP", "REPLACE"),
    ),
    # In Spark, lpad() makes text of a number unasked.
    Pair(
        "stores_with_zeros_in_spark",
        in_order_of_stores,
        repeated(
            "SELECT sum(amount) FROM lake.db.stores_with_zeros_in_spark"
            " WHERE lpad(store_id, 5, '0') IN ('00042', '00317')",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("store_id",), TWO_OF_40, statements=False, rewrite=True),
        ),
        never=(CHANGES,),
    ),
    # Texts that are filled to the length that they have: as many zeros as there are may be missing.
    Pair(
        "accounts_filled_with_zeros",
        padded_accounts,
        repeated(
            "SELECT sum(amount) FROM lake.db.accounts_filled_with_zeros"
            " WHERE lpad(account, 6, '0') = '001234'",
            5,
        ),
        expected=(Expected("wrapped_column", ("account",), (0.0, 0.99), statements=False),),
        tempting={
            "type_mismatch": "a text is compared with a text",
            "unclustered_column": "files are in order of it",
        },
        never=(CHANGES,),
    ),
    Pair(
        "groups_by_class_of_letters",
        codes_of_groups,
        repeated(
            "SELECT sum(amount) FROM lake.db.groups_by_class_of_letters"
            " WHERE code RLIKE '^ab0[79]-[0-9]{6}$'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "like_without_prefix|wrapped_column",
                ("code",),
                TWO_OF_40,
                statements=False,
                rewrite=True,
            ),
        ),
        never=(CHANGES,),
    ),
    Pair(
        "groups_by_two_regexes",
        codes_of_groups,
        repeated(
            "SELECT sum(amount) FROM lake.db.groups_by_two_regexes"
            " WHERE regexp_like(code, '^ab07-|^ab31-')",
            5,
        ),
        expected=(
            Expected(
                "like_without_prefix|wrapped_column",
                ("code",),
                TWO_OF_40,
                statements=False,
                rewrite=True,
            ),
        ),
        never=(CHANGES,),
    ),
    Pair(
        "codes_listed_as_char",
        codes_of_groups,
        repeated(
            "SELECT sum(amount) FROM lake.db.codes_listed_as_char"
            " WHERE CAST(code AS char(20)) IN ('ab07-000123', 'ab31-000001         ')",
            5,
        ),
        expected=(
            Expected(
                "wrapped_column|type_mismatch|like_without_prefix",
                ("code",),
                None,
                statements=False,
                rewrite=False,
            ),
        ),
        never=(CHANGES,),
    ),
    Pair(
        "day_of_the_year_in_spark",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_of_the_year_in_spark"
            " WHERE date_part('year', ts) = 2026 AND dayofyear(ts) = 20",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
        never=(CHANGES,),
    ),
    Pair(
        "day_of_seconds_of_a_time",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_of_seconds_of_a_time"
            " WHERE to_date(from_unixtime(unix_timestamp(ts))) = DATE '2026-01-20'",
            5,
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
        never=(CHANGES,),
    ),
    Pair(
        "day_of_nanoseconds",
        milliseconds,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_of_nanoseconds"
            " WHERE CAST(from_unixtime_nanos(epoch_ms * 1000000) AS date) = DATE '2026-01-20'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("epoch_ms",), (0.9, 0.99), statements=False, rewrite=True),
        ),
        never=(CHANGES,),
    ),
)
