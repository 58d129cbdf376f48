"""Columns that are nested, long, mostly null, text in place of a date, or joined."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS
PAGE = "https://shop.example.com/products/{:06d}"


def devices() -> Layout:
    """60 files with any devices, whose serials are in a struct."""
    draw = rng(5401)
    device = pa.StructArray.from_arrays(
        [
            texts(draw.integers(0, 3, COUNT), "os-{}"),
            pa.array(draw.integers(0, 3000, COUNT)),
        ],
        ["os", "serial"],
    )
    return laid_out(table({"device": device, "amount": np.arange(COUNT)}))


def pages() -> Layout:
    """60 files in order of pages, whose addresses begin alike for 34 characters."""
    numbers = np.sort(rng(5402).integers(0, 6000, COUNT))
    return laid_out(table({"url": texts(map(int, numbers), PAGE), "amount": np.arange(COUNT)}))


def pages_by_day() -> Layout:
    """60 days of one file each, with any pages."""
    draw = rng(5403)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, COUNT)),
                "url": texts(map(int, draw.integers(0, 6000, COUNT)), PAGE),
            }
        ),
        "days(ts)",
    )


def cancelled() -> Layout:
    """60 files; two rows of a hundred were cancelled."""
    draw = rng(5404)
    at = times(draw.uniform(0, 60 * DAY, COUNT))
    never = pa.array(draw.random(COUNT) >= 0.02)
    none = pa.nulls(COUNT, at.type)
    return laid_out(
        table({"cancelled_at": pc.if_else(never, none, at), "amount": np.arange(COUNT)})
    )


def deleted() -> Layout:
    """15 days of four files each; three rows of a hundred are deleted."""
    draw = rng(5405)
    seconds = draw.uniform(0, 15 * DAY, COUNT)
    there = pa.array(draw.random(COUNT) >= 0.03)
    return laid_out(
        table(
            {
                "ts": times(seconds),
                "deleted_at": pc.if_else(
                    there, pa.nulls(COUNT, pa.timestamp("us")), times(seconds + 3600)
                ),
            }
        ),
        "days(ts)",
    )


def days_as_text() -> Layout:
    """30 days as text, of two files each."""
    days = rng(5406).integers(0, 30, COUNT)
    return laid_out(table({"dt": day_text(days), "amount": np.arange(COUNT)}), "dt")


def facts() -> Layout:
    """30 days as numbers, of two files each."""
    draw = rng(5407)
    keys = np.array([int(f"{day(n):%Y%m%d}") for n in range(30)])
    return laid_out(
        table(
            {
                "date_key": keys[draw.integers(0, 30, COUNT)],
                "store_key": draw.integers(0, 400, COUNT),
                "amount": np.arange(COUNT),
            }
        ),
        "date_key",
    )


PAIRS = (
    # 12 rows of 36,000 match.
    Pair(
        "serials_in_a_struct",
        devices,
        each(
            "SELECT amount FROM lake.db.serials_in_a_struct WHERE device.serial = {}",
            range(40, 3000, 250),
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("device.serial",), (0.9, 0.99), True, False),),
        tempting={"no_column_metrics": "there are bounds inside the struct"},
    ),
    # In order, but every file has the bounds `https://shop.exa`.
    Pair(
        "pages_of_one_shop",
        pages,
        each(
            "SELECT amount FROM lake.db.pages_of_one_shop WHERE url = '{}'",
            [PAGE.format(n) for n in range(100, 6000, 500)],
        ),
        expected=(
            Expected(
                "truncated_bounds", ("url",), (0.9, 0.985), True, False, (r"truncate\(\d+\)",)
            ),
        ),
        tempting={"unclustered_column": "rows are in order already"},
    ),
    # One file is read, as the day says.
    Pair(
        "pages_of_one_day",
        pages_by_day,
        each(
            "SELECT count(*) FROM lake.db.pages_of_one_day WHERE url = '{}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (PAGE.format(n * 90), instant(n * DAY), instant((n + 1) * DAY))
                for n in range(0, 60, 5)
            ],
        ),
        tempting={
            "truncated_bounds": "the day leaves one file",
            "unclustered_column": "the day leaves one file",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # 720 rows of 36,000 match: a sort puts them into two files.
    Pair(
        "few_were_cancelled",
        cancelled,
        repeated(
            "SELECT count(*) FROM lake.db.few_were_cancelled WHERE cancelled_at IS NOT NULL", 10
        ),
        expected=(Expected("unclustered_column", ("cancelled_at",), (0.85, 0.985), True, False),),
    ),
    # Nearly every row of the days is there still.
    Pair(
        "most_are_not_deleted",
        deleted,
        each(
            "SELECT count(*) FROM lake.db.most_are_not_deleted WHERE deleted_at IS NULL"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(13)],
        ),
        tempting={
            "unclustered_column": "97 rows of a hundred match",
            "partitions_too_coarse": "whole days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # One team compares text with text; the other makes dates of it, and reads all days.
    Pair(
        "days_as_text_of_two_teams",
        days_as_text,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.days_as_text_of_two_teams"
                " WHERE dt BETWEEN '{}' AND '{}'",
                [(day(n), day(n + 6)) for n in range(0, 24, 2)],
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.days_as_text_of_two_teams"
                " WHERE CAST(dt AS date) = DATE '{}'",
                [day(n) for n in range(0, 30, 3)],
                user="finance",
            ),
        ],
        # What texts mean is not known, so the comparison of texts is advice.
        expected=(
            Expected("type_mismatch", ("dt",), None, False, False, (r"dt >= '2026-01-31'",)),
        ),
        tempting={
            "no_partition_filter": "the column is in the filter",
            "misaligned_partitioning": "the days are what is asked for",
        },
        never=("DROP",),
    ),
    # Which days a quarter has is known as the join runs; it is by the partition column.
    Pair(
        "facts_joined_with_days",
        facts,
        [
            *repeated(
                "SELECT sum(f.amount) FROM lake.db.facts_joined_with_days f"
                " JOIN shop.public.dates d ON f.date_key = d.date_key"
                " WHERE d.fiscal_week = '2026-W02'",
                10,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.facts_joined_with_days"
                " WHERE date_key BETWEEN {} AND {}",
                [(20260101 + n, 20260103 + n) for n in range(0, 28, 3)],
            ),
        ],
        expected=(Expected("runtime_only", (), statements=False),),
        tempting={
            "no_partition_filter": "the join is by the partition column",
            "misaligned_partitioning": "joins and reports use the days",
        },
        never=("DROP", "ORDERED BY"),
    ),
)
