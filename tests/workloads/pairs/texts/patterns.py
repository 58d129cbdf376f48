"""LIKE, OR, bounds that are missing, and bounds that are cut."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

COUNT = 40 * FILE_ROWS


def pages() -> Layout:
    """40 files with addresses of pages, in no order."""
    numbers = rng(71).integers(0, 100_000, COUNT)
    return laid_out(table({"url": texts(numbers, "/shop/{:06d}/view")}))


def codes_in_order() -> Layout:
    """40 files in order of codes like `e-007-0123`."""
    numbers = np.sort(rng(72).integers(0, 1_000, COUNT))
    return laid_out(table({"code": texts(numbers, "e-{:03d}-x")}))


def scattered_codes() -> Layout:
    """40 files with any codes in each."""
    return laid_out(table({"code": texts(rng(73).integers(0, 1_000, COUNT), "e-{:03d}-x")}))


def days_of_pages() -> Layout:
    """A partition for each of 40 days, one file each, with any pages in it."""
    draw = rng(74)
    seconds = np.repeat(np.arange(40), FILE_ROWS) * DAY + draw.uniform(0, DAY, COUNT)
    return laid_out(
        table(
            {"ts": times(seconds), "url": texts(draw.integers(0, 10**6, COUNT), "/shop/{:06d}/v")}
        ),
        "days(ts)",
    )


def long_urls_in_order() -> Layout:
    """40 files in order of addresses whose first 36 characters are the same."""
    numbers = np.sort(rng(75).integers(0, 10**6, COUNT))
    return laid_out(table({"url": texts(numbers, "https://www.example.com/catalog/item/{:07d}")}))


def numbered_in_time() -> Layout:
    """40 files in order of time, and of a number that grows with it."""
    seconds = np.sort(rng(76).uniform(0, 40 * DAY, COUNT))
    return laid_out(table({"order_id": np.arange(COUNT), "ts": times(seconds)}))


def unmeasured_in_order() -> Layout:
    """40 files in order of customers, of which no bounds were written."""
    return laid_out(
        table({"customer_id": np.sort(rng(77).integers(0, 10_000, COUNT))}),
        properties={"write.metadata.metrics.column.customer_id": "none"},
    )


def unmeasured_note() -> Layout:
    """40 files in order of customers; no bounds of a note that nobody filters by."""
    draw = rng(78)
    return laid_out(
        table(
            {
                "customer_id": np.sort(draw.integers(0, 10_000, COUNT)),
                "note": texts(draw.integers(0, 10, COUNT)),
            }
        ),
        properties={"write.metadata.metrics.column.note": "none"},
    )


PAIRS = (
    # No order of addresses helps to find what is in their middle.
    Pair(
        "pages_that_hold",
        pages,
        repeated("SELECT count(*) FROM lake.db.pages_that_hold WHERE url LIKE '%0042%'", 10),
        expected=(Expected("like_without_prefix", ("url",), statements=False),),
        tempting={"unclustered_column": "no sort by url serves a search within it"},
    ),
    # One code of 1,000 begins so: one file of 40 or two.
    Pair(
        "codes_that_begin",
        codes_in_order,
        repeated("SELECT * FROM lake.db.codes_that_begin WHERE code LIKE 'e-042%'", 10),
        tempting={
            "like_without_prefix": "it is a prefix, and pushed",
            "unclustered_column": "files are in order of code",
        },
    ),
    Pair(
        "scattered_codes_that_begin",
        scattered_codes,
        repeated(
            "SELECT * FROM lake.db.scattered_codes_that_begin WHERE code LIKE 'e-042%'",
            10,
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("code",), (0.9, 0.98), True, False),),
        tempting={"like_without_prefix": "it is a prefix, and pushed"},
    ),
    # Spark pushes no pattern with an underscore; `e-30` in front of it is four codes in ... 10 of
    # 1,000, so one file or two of 40.
    Pair(
        "codes_with_underscore",
        codes_in_order,
        repeated(
            "SELECT * FROM lake.db.codes_with_underscore WHERE code LIKE 'e-30_-x'", 10, **SPARK
        ),
        expected=(Expected("like_without_prefix", ("code",), (0.9, 0.98), False, True, ("e-30",)),),
    ),
    # The day leaves one file. No pattern could leave fewer.
    Pair(
        "pattern_of_a_day",
        days_of_pages,
        each(
            "SELECT count(*) FROM lake.db.pattern_of_a_day WHERE ts >= TIMESTAMP '{}'"
            " AND ts < TIMESTAMP '{}' AND url LIKE '%0042%'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 40, 4)],
        ),
        tempting={"like_without_prefix": "the day leaves one file of 40"},
    ),
    # In order, but bounds are cut after 16 characters, which all have in common.
    Pair(
        "long_urls",
        long_urls_in_order,
        each(
            "SELECT * FROM lake.db.long_urls"
            " WHERE url = 'https://www.example.com/catalog/item/{:07d}'",
            range(1_000, 10**6, 100_000),
        ),
        expected=(
            Expected(
                "truncated_bounds", ("url",), (0.9, 0.98), True, False, (r"(truncate\(|full)",)
            ),
        ),
        tempting={"unclustered_column": "rows are in order; bounds do not show it"},
    ),
    # Trino pushes no OR over two columns; each arm alone leaves one file of 40.
    Pair(
        "either_in_trino",
        numbered_in_time,
        repeated(
            "SELECT * FROM lake.db.either_in_trino WHERE order_id = 12345"
            " OR ts >= TIMESTAMP '2026-02-09 12:00:00'",
            10,
        ),
        expected=(Expected("or_across_columns", ("order_id", "ts"), (0.85, 0.98), False),),
        # The arms of a UNION ALL are scans of their own.
        rewritten={
            "or_across_columns": [
                *repeated("SELECT * FROM lake.db.either_in_trino WHERE order_id = 12345", 10),
                *repeated(
                    "SELECT * FROM lake.db.either_in_trino"
                    " WHERE ts >= TIMESTAMP '2026-02-09 12:00:00'",
                    10,
                ),
            ]
        },
        tempting={"unclustered_column": "files are in order of both"},
    ),
    Pair(
        "either_in_spark",
        numbered_in_time,
        repeated(
            "SELECT * FROM lake.db.either_in_spark WHERE order_id = 12345"
            " OR ts >= TIMESTAMP '2026-02-09 12:00:00'",
            10,
            **SPARK,
        ),
        tempting={"or_across_columns": "Spark pushes it whole"},
    ),
    # Rows are in order, as footers prove; only bounds are missing.
    Pair(
        "unmeasured",
        unmeasured_in_order,
        each("SELECT * FROM lake.db.unmeasured WHERE customer_id = {}", range(13, 10_000, 500)),
        expected=(
            Expected(
                "no_column_metrics",
                ("customer_id",),
                (0.9, 0.98),
                True,
                False,
                (r"write\.metadata\.metrics\.column\.customer_id",),
            ),
        ),
        tempting={"unclustered_column": "rows are in order"},
    ),
    Pair(
        "unmeasured_unasked",
        unmeasured_note,
        each(
            "SELECT note FROM lake.db.unmeasured_unasked WHERE customer_id = {}",
            range(13, 10_000, 500),
        ),
        tempting={"no_column_metrics": "no query filters by the note"},
    ),
)
