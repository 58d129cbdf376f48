"""Names of functions that say nothing of a query's values, wherever they stand: those of Spark.

Catalyst prints texts without quoting, so that a text `Miller(retired)` looks like a call. Another
name is that of a function only where no text can stand.
"""

from __future__ import annotations

from sqlglot.dialects.spark import Spark

_ADDED = """
    aes_decrypt aes_encrypt array_repeat array_union arrays_overlap assert_true bin bround btrim
    cardinality case_when conv crc32 date_part datepart expm1 find_in_set forall format_number
    from_csv from_xml gettimestamp hash hypot input_file_block_length input_file_block_start
    input_file_name is_valid_utf8 is_variant_null isnotnull isnull java_method json_array_length
    json_tuple knownnotnull knownnullable lambda log1p luhn_check make_date make_dt_interval
    make_time make_timestamp_ltz make_timestamp_ntz make_valid_utf8 make_ym_interval map_concat
    map_entries map_filter map_values map_zip_with mask monotonically_increasing_id named_struct
    nullifzero octet_length pmod positive printf raise_error reflect regexp schema_of_csv
    schema_of_json schema_of_variant schema_of_xml sentences shiftrightunsigned spark_partition_id
    stringsplitsql timestamp_micros timestamp_millis timestamp_seconds to_csv to_time
    to_timestamp_ltz to_timestamp_ntz to_unix_timestamp to_varchar to_variant_object to_xml
    transform_keys transform_values try_aes_decrypt try_make_interval try_make_timestamp
    try_make_timestamp_ltz try_make_timestamp_ntz try_mod try_parse_json try_parse_url try_reflect
    try_to_binary try_to_date try_to_number try_to_time try_to_timestamp try_url_decode
    try_validate_utf8 try_variant_get udf url_decode url_encode validate_utf8 variant_get weekday
    width_bucket xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number
    xpath_short xpath_string xxhash64 zeroifnull zip_with
"""
# Spark 4.1's, of rows, and what Catalyst prints otherwise, where sqlglot has no such name.
_KNOWN = frozenset(
    (*Spark.Parser.FUNCTIONS, *Spark.Parser.FUNCTION_PARSERS, *_ADDED.upper().split())
)


def is_of_spark(name: str) -> bool:
    """True if a name, as Catalyst prints it, is one of Spark's own functions."""
    return name.strip("<>").upper() in _KNOWN
