"""Texts and numbers under functions and casts."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.periods import (
    NEVER,
    digests_in_order,
    ids_in_order,
    number_days,
    text_days,
)
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, each, laid_out, repeated, rng, table, texts


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


def cities_in_order() -> Layout:
    """Five files for each of eight first letters, in order of the name."""
    number = rng(3010).integers(0, 100_000, 40 * FILE_ROWS)
    names = [f"{'ABCDEFÅÖ'[i // (5 * FILE_ROWS)]}{n:05d}" for i, n in enumerate(number)]
    return laid_out(table({"city": texts(sorted(names))}))


PAIRS = (
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
)
