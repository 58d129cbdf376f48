"""Keys and codes within functions that clean, cut, pad and join them."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_hive import in_order_of_stores
from tests.workloads.pairs.sound.days import forty_dates
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, day_text, laid_out, repeated, table, texts

FILES = 40
COUNT = FILES * FILE_ROWS


def codes_of_groups() -> Layout:
    """40 files in order of codes, each of one group, such as ab07-000123."""
    codes = [f"ab{n // FILE_ROWS:02d}-{n % FILE_ROWS:06d}" for n in range(COUNT)]
    return laid_out(table({"code": texts(codes), "amount": np.arange(COUNT)}))


def keys_of_three_parts() -> Layout:
    """40 files in order of keys, each of one shop in one of four regions, such as r2|s07|000123."""
    files = [(n // FILE_ROWS, n % FILE_ROWS) for n in range(COUNT)]
    keys = [f"r{file // 10}|s{file % 10:02d}|{n:06d}" for file, n in files]
    return laid_out(table({"k": texts(keys), "amount": np.arange(COUNT)}))


def padded_accounts() -> Layout:
    """40 files in order of an account, which is a text of six digits."""
    return laid_out(
        table({"account": texts(range(COUNT), "{:06d}"), "amount": np.arange(COUNT)}),
    )


def eight_regions() -> Layout:
    """A partition of five files for each of eight regions."""
    regions = np.repeat(np.arange(8), 5 * FILE_ROWS)
    rows = table({"region": texts(regions, "r{}"), "amount": np.arange(COUNT)})
    return laid_out(rows, "region")


def text_days_of_a_quarter() -> Layout:
    """A partition for each of 90 days, as text: January to March."""
    days = np.repeat(np.arange(90), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "amount": np.arange(len(days))}), "dt")


def id_of_a_day(number: int) -> int:
    """An id that there is on a day of the forty dates."""
    files = list(forty_dates().files)
    return int(files[number].column("id")[0].as_py())


ONE_OF_40 = (0.94, 0.99)
TWO_OF_40 = (0.9, 0.97)
TWO_OF_8 = (0.7, 0.8)
CHANGES = r"ALTER|CALL"

PAIRS = (
    # Any case, and blanks at either end: no range of the column says that.
    Pair(
        "cleaned_code",
        codes_of_groups,
        repeated(
            "SELECT sum(amount) FROM lake.db.cleaned_code"
            " WHERE upper(trim(substr(code, 1, 5))) = 'AB07-'",
            5,
        ),
        expected=(Expected("wrapped_column", ("code",), None, statements=False, rewrite=False),),
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # A default for what is missing, blanks or empty, around a partition column.
    Pair(
        "region_cleaned",
        eight_regions,
        repeated(
            "SELECT sum(amount) FROM lake.db.region_cleaned"
            " WHERE coalesce(nullif(trim(region), ''), 'n/a') = 'r2'",
            5,
        ),
        expected=(Expected("wrapped_column", ("region",), None, statements=False, rewrite=False),),
        tempting={"partitions_too_coarse": "the filter does not reach them"},
        never=(CHANGES,),
    ),
    # Two beginnings of texts: two files of 40.
    Pair(
        "two_beginnings_by_regex",
        codes_of_groups,
        repeated(
            "SELECT sum(amount) FROM lake.db.two_beginnings_by_regex"
            " WHERE regexp_like(code, '^(ab07|ab09)-')",
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
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # The first part alone leaves ten files of 40, both leave one.
    Pair(
        "two_parts_of_a_key",
        keys_of_three_parts,
        repeated(
            "SELECT sum(amount) FROM lake.db.two_parts_of_a_key"
            " WHERE split_part(k, '|', 1) = 'r2' AND split_part(k, '|', 2) = 's07'",
            5,
        ),
        expected=(
            Expected(
                "wrapped_column|like_without_prefix",
                ("k",),
                (0.72, 0.99),
                statements=False,
                rewrite=True,
            ),
        ),
        allowed=(Expected("wrapped_column", ("k",), None, statements=False, rewrite=False),),
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # A day has no underscore, so that it is all before the first one.
    Pair(
        "key_of_a_day_and_a_number",
        forty_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.key_of_a_day_and_a_number"
            f" WHERE concat_ws('_', d, id) = '2026-01-21_{id_of_a_day(20)}'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), ONE_OF_40, statements=False, rewrite=True),),
        tempting={"no_partition_filter": "the day is in the key"},
        never=(CHANGES,),
    ),
    # Texts of digits: padded alike here, but that is not known.
    Pair(
        "accounts_tried_as_numbers",
        padded_accounts,
        repeated(
            "SELECT sum(amount) FROM lake.db.accounts_tried_as_numbers"
            " WHERE TRY_CAST(account AS bigint) BETWEEN 1200 AND 1299",
            5,
        ),
        expected=(Expected("type_mismatch|wrapped_column", ("account",), None, statements=False),),
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # Blanks at the end do not count, which is no reason to read 40 files.
    Pair(
        "codes_as_char",
        codes_of_groups,
        repeated(
            "SELECT sum(amount) FROM lake.db.codes_as_char"
            " WHERE CAST(code AS char(12)) = 'ab07-000123'",
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
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # A number with zeros before it is the number.
    Pair(
        "store_with_zeros",
        in_order_of_stores,
        repeated(
            "SELECT sum(amount) FROM lake.db.store_with_zeros"
            " WHERE lpad(CAST(store_id AS varchar), 4, '0') = '0042'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("store_id",), ONE_OF_40, statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # The list that a tool's parameter is: an array of constants.
    Pair(
        "regions_of_an_array",
        eight_regions,
        repeated(
            "SELECT sum(amount) FROM lake.db.regions_of_an_array"
            " WHERE contains(ARRAY['r2', 'r5'], region)",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("region",), TWO_OF_8, statements=False, rewrite=True),
        ),
        tempting={"partitions_too_coarse": "the filter does not reach them"},
        never=(CHANGES,),
    ),
    # The same as text with commas.
    Pair(
        "regions_of_a_text",
        eight_regions,
        repeated(
            "SELECT sum(amount) FROM lake.db.regions_of_a_text"
            " WHERE find_in_set(region, 'r2,r5') > 0",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("region",), None, statements=False, rewrite=False),),
        tempting={"partitions_too_coarse": "the filter does not reach them"},
        never=(CHANGES,),
    ),
    # Pieces of a text of a day; the year alone is all of the table.
    Pair(
        "month_in_pieces_of_a_text",
        text_days_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_in_pieces_of_a_text"
            " WHERE substr(dt, 1, 4) = '2026' AND substr(dt, 6, 2) = '02'",
            5,
        ),
        expected=(Expected("wrapped_column", ("dt",), None, statements=False),),
        tempting={"partitions_too_fine": "each day is a file of the right size"},
        never=(CHANGES,),
    ),
)
