"""Texts that are cast, cut, joined and searched."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.reports import (
    articles,
    clicks_by_text,
    clicks_of_late,
    customers,
    german_days,
    hive_days,
    keys_by_beginning,
    readings,
)
from tests.workloads.rows import SPARK, SPARK_35, day, each

_DAYS = [day(n) for n in range(2, 38, 3)]
_KEYS = [f"C{n:06d}" for n in range(300, 24_000, 1500)]
_TENS = [f"C{n:05d}" for n in range(30, 2_400, 150)]


def _asked(table: str, condition: str) -> str:
    return f"SELECT * FROM lake.db.{table} WHERE {condition}"


PAIRS = (
    # Engines drop a cast of text to text: the column is compared as it is.
    Pair(
        "day_cast_to_what_it_is",
        clicks_by_text,
        each(_asked("day_cast_to_what_it_is", "CAST(dt AS varchar) = '{}'"), _DAYS),
        tempting={"wrapped_column": "Trino drops the cast", "type_mismatch": "text is text"},
    ),
    Pair(
        "day_cast_to_string",
        clicks_by_text,
        each(
            _asked("day_cast_to_string", "CAST(dt AS STRING) BETWEEN '{0}' AND '{0}'"),
            _DAYS,
            **SPARK,
        ),
        tempting={"wrapped_column": "Spark drops the cast", "type_mismatch": "text is text"},
    ),
    Pair(
        "days_cast_within_a_list",
        clicks_by_text,
        each(
            _asked("days_cast_within_a_list", "CAST(dt AS varchar) IN ('{}', '{}')"),
            [(day(n), day(n + 9)) for n in range(2, 30, 3)],
        ),
        tempting={"wrapped_column": "Trino drops the cast", "type_mismatch": "text is text"},
    ),
    Pair(
        "keys_cast_and_matched",
        customers,
        each(_asked("keys_cast_and_matched", "CAST(customer_key AS varchar) LIKE '{}%'"), _TENS),
        tempting={"wrapped_column": "Trino drops the cast", "like_without_prefix": "a prefix"},
    ),
    Pair(
        "keys_cast_within_a_range",
        customers,
        each(
            _asked(
                "keys_cast_within_a_range",
                "CAST(customer_key AS STRING) >= '{0}'"
                " AND CAST(customer_key AS STRING) < concat('{0}', 'z')",
            ),
            _TENS,
            **SPARK,
        ),
        tempting={"wrapped_column": "Spark drops the cast"},
    ),
    # A cast that may cut is none that Trino undoes; ten characters are the whole day.
    Pair(
        "day_cut_to_ten",
        clicks_by_text,
        each(_asked("day_cut_to_ten", "CAST(dt AS varchar(10)) = '{}'"), _DAYS),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("dt",), (0.93, 0.98), False, True),
        ),
    ),
    Pair(
        "key_cut_to_fifty",
        customers,
        each(_asked("key_cut_to_fifty", "CAST(customer_key AS varchar(50)) = '{}'"), _KEYS),
        expected=(Expected("wrapped_column", ("customer_key",), (0.93, 0.98), False, True),),
    ),
    # A day with blanks before it would sort elsewhere: no range, and no need for trim either.
    Pair(
        "trimmed_day",
        clicks_by_text,
        each(_asked("trimmed_day", "trim(dt) = '{}'"), _DAYS),
        expected=(Expected("wrapped_column", ("dt",), None, False, False),),
    ),
    # What is left when blanks at the end are gone is how the text begins.
    Pair(
        "key_without_blanks_after",
        customers,
        each(_asked("key_without_blanks_after", "rtrim(customer_key) = '{}'"), _KEYS),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("customer_key",), None, False, False),
        ),
    ),
    # How the country is written tells nothing of the key.
    Pair(
        "key_of_two_columns",
        customers,
        each(_asked("key_of_two_columns", "concat(country, '-', customer_key) = 'DE-{}'"), _KEYS),
        expected=(Expected("wrapped_column", ("customer_key|country",), None, False, None),),
        tempting={"unclustered_column": "rows are in order of the key"},
    ),
    Pair(
        "keys_of_a_left_part",
        customers,
        each(_asked("keys_of_a_left_part", "left(customer_key, 6) = '{}'"), _TENS, **SPARK),
        expected=(
            Expected(
                "wrapped_column|like_without_prefix", ("customer_key",), (0.9, 0.98), False, True
            ),
        ),
    ),
    Pair(
        "keys_at_position_one",
        customers,
        each(_asked("keys_at_position_one", "position('{}' IN customer_key) = 1"), _TENS),
        expected=(
            Expected(
                "wrapped_column|like_without_prefix", ("customer_key",), (0.9, 0.98), None, True
            ),
        ),
    ),
    Pair(
        "keys_by_expression",
        customers,
        each(_asked("keys_by_expression", "regexp_like(customer_key, '^{}[0-9]$')"), _TENS),
        expected=(
            Expected(
                "like_without_prefix|wrapped_column", ("customer_key",), (0.9, 0.98), None, True
            ),
        ),
    ),
    Pair(
        "keys_rlike",
        customers,
        each(_asked("keys_rlike", "customer_key RLIKE '^{}[0-9]$'"), _TENS, **SPARK),
        expected=(
            Expected(
                "like_without_prefix|wrapped_column", ("customer_key",), (0.9, 0.98), None, True
            ),
        ),
    ),
    # The first part of a text is how it begins.
    Pair(
        "articles_of_an_index",
        articles,
        each(
            _asked("articles_of_an_index", "substring_index(article, '-', 1) = '{}'"),
            ["AC", "AK", "BA", "BF", "AZ", "AQ"],
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("article",), (0.9, 0.98), False, True),
        ),
    ),
    Pair(
        "articles_split",
        articles,
        each(
            _asked("articles_split", "element_at(split(article, '-'), 1) = '{}'"),
            ["AC", "AK", "BA", "BF", "AZ", "AQ"],
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("article",), (0.9, 0.98), False, True),
        ),
    ),
    Pair(
        "articles_split_by_place",
        articles,
        each(
            _asked("articles_split_by_place", "split(article, '-')[0] = '{}'"),
            ["AC", "AK", "BA", "BF", "AZ", "AQ"],
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("article",), (0.9, 0.98), False, True),
        ),
    ),
    # Of the days of all years, no beginning is known.
    Pair(
        "german_months",
        german_days,
        each(_asked("german_months", "tag LIKE '%.{}.2026'"), ["01", "02"] * 5),
        expected=(Expected("like_without_prefix", ("tag",), None, False, False),),
    ),
    Pair(
        "german_months_cut_out",
        german_days,
        each(_asked("german_months_cut_out", "substr(tag, 4, 7) = '{}.2026'"), ["01", "02"] * 5),
        expected=(Expected("wrapped_column", ("tag",), None, False, False),),
    ),
    # Each part is compared with its own text; widths of what is written are not known.
    Pair(
        "parts_joined_by_dashes",
        hive_days,
        each(
            _asked("parts_joined_by_dashes", "y || '-' || m || '-' || dd = '2026-{}'"),
            ["01-05", "01-17", "02-03", "02-20"],
        ),
        expected=(Expected("wrapped_column", ("y|m|dd",), None, False, None),),
    ),
    # Text as a date, by the function that Trino has for that.
    Pair(
        "iso_text_as_date",
        clicks_by_text,
        each(_asked("iso_text_as_date", "from_iso8601_date(dt) = DATE '{}'"), _DAYS),
        expected=(Expected("type_mismatch|wrapped_column", ("dt",), None, False, None),),
    ),
    Pair(
        "last_week_of_text",
        clicks_of_late,
        each(
            _asked("last_week_of_text", "dt >= date_sub(current_date(), {})"), range(2, 9), **SPARK
        ),
        expected=(Expected("type_mismatch", ("dt",), None, False, None),),
    ),
    # Yesterday is made text, not the column a date.
    Pair(
        "yesterday_as_text",
        clicks_of_late,
        each(
            _asked(
                "yesterday_as_text",
                "dt = date_format(current_date - INTERVAL '{}' DAY, '%Y-%m-%d')",
            ),
            range(1, 9),
        ),
        tempting={"type_mismatch": "text with text", "wrapped_column": "the constant is formatted"},
    ),
    Pair(
        "a_week_as_text_in_spark",
        clicks_of_late,
        each(
            _asked(
                "a_week_as_text_in_spark",
                "dt >= date_format(date_sub(current_date(), {}), 'yyyy-MM-dd')",
            ),
            range(1, 9),
            **SPARK_35,
        ),
        tempting={"type_mismatch": "text with text", "wrapped_column": "the constant is formatted"},
    ),
    Pair(
        "days_back_cast_to_text",
        clicks_of_late,
        each(
            _asked(
                "days_back_cast_to_text", "dt > CAST(current_date - INTERVAL '{}' DAY AS varchar)"
            ),
            range(2, 9),
        ),
        tempting={"type_mismatch": "text with text"},
    ),
    # Trino takes starts_with as it takes LIKE; so does Spark's startswith.
    Pair(
        "keys_that_start_with",
        customers,
        each(_asked("keys_that_start_with", "starts_with(customer_key, '{}')"), _TENS),
        tempting={"wrapped_column": "it is pushed", "like_without_prefix": "it is a prefix"},
    ),
    Pair(
        "keys_startswith",
        customers,
        each(_asked("keys_startswith", "startswith(customer_key, '{}')"), _TENS, **SPARK),
        tempting={"wrapped_column": "it is pushed", "like_without_prefix": "it is a prefix"},
    ),
    Pair(
        "codes_cut_as_partitions_are",
        keys_by_beginning,
        each(
            _asked("codes_cut_as_partitions_are", "substr(code, 1, 4) = 'K0{:02d}'"),
            range(1, 19, 2),
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("code",), (0.92, 0.97), False, True),
        ),
    ),
    # Nothing tells where the text is within.
    Pair(
        "found_within_mail",
        customers,
        each(_asked("found_within_mail", "strpos(email, '{}@') > 0"), range(1000, 1010)),
        expected=(Expected("like_without_prefix|wrapped_column", ("email",), None, False, False),),
        tempting={"unclustered_column": "an order of mail does not help"},
    ),
    Pair(
        "mail_in_any_case_ilike",
        customers,
        each(_asked("mail_in_any_case_ilike", "email ILIKE 'USER{}%'"), range(1000, 1010), **SPARK),
        expected=(
            Expected("like_without_prefix", ("email",), None, False, False, ("in either case",)),
        ),
    ),
    Pair(
        "type_out_of_json",
        readings,
        each(
            _asked("type_out_of_json", "get_json_object(raw, '$.type') = '{}'"),
            range(1000, 1010),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("raw",), None, False, False),),
        tempting={"unclustered_column": "an order of documents does not help"},
    ),
    Pair(
        "mail_by_its_hash",
        customers,
        each(
            _asked("mail_by_its_hash", "to_hex(md5(to_utf8(email))) = '{:032X}'"),
            range(1000, 1010),
        ),
        expected=(Expected("wrapped_column", ("email",), None, False, False),),
    ),
)
