"""Tables that are asked for days, weeks and months, and what is said of them alike."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    day_text,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)

NEVER = ("PARTITION FIELD", "ORDERED BY")
ONE_OF_TWELVE = (0.89, 0.93)
FIRSTS = ("2026-02", "2026-05", "2026-09")
NOTHING = {
    "wrapped_column": "the column is bare",
    "type_mismatch": "types are alike once constants are folded",
    "unclustered_column": "it skips what it can",
    "no_partition_filter": "the partition is asked for",
    "misaligned_partitioning": "partitions are what queries ask for",
    "partitions_too_coarse": "queries ask for whole partitions",
    "partitions_too_fine": "partitions fill files",
}


def twelve_months() -> Layout:
    """A year by months, two files each."""
    seconds = rng(3001).uniform(0, 365 * DAY, 24 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


def sixty_days() -> Layout:
    """Sixty days, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "days(d)")


def thirty_days_with_zone() -> Layout:
    """Thirty days of UTC, two files each, in no order within."""
    seconds = rng(3003).uniform(0, 30 * DAY, 60 * FILE_ROWS)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": np.arange(len(seconds))}), "days(ts)"
    )


def thirty_days() -> Layout:
    """Thirty days of times without zone, two files each."""
    seconds = rng(3004).uniform(0, 30 * DAY, 60 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "days(ts)")


def text_days() -> Layout:
    """Sixty days as text, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "amount": np.arange(len(days))}), "dt")


def number_days() -> Layout:
    """Sixty days as numbers such as 20260131, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    keys = np.array([int(f"{day(int(n)):%Y%m%d}") for n in days], np.int32)
    return laid_out(table({"dt": keys, "amount": np.arange(len(days))}), "dt")


def six_regions() -> Layout:
    """Six regions, four files each."""
    region = np.repeat(["AP", "CA", "EU", "LA", "ME", "US"], 4 * FILE_ROWS)
    return laid_out(table({"region": texts(region), "n": np.arange(len(region))}), "region")


def digests_in_order() -> Layout:
    """Forty files in order of eight bytes."""
    draw = rng(3006)
    digests = sorted(draw.bytes(8) for _ in range(40 * FILE_ROWS))
    return laid_out(table({"digest": pa.array(digests, pa.binary())}))


def customers_of_countries() -> Layout:
    """Ten countries, of which the first has forty of 76 files; customers are anywhere in each."""
    country = np.repeat(
        ["US", "AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT", "NL"],
        [40 * FILE_ROWS, *[4 * FILE_ROWS] * 9],
    )
    customers = rng(3007).integers(0, 5_000, len(country))
    return laid_out(table({"country": texts(country), "customer_id": customers}), "country")


def newest_text_day_in_scraps() -> Layout:
    """Thirty days as text, a file each, and one of 200 scraps."""
    whole = np.repeat(np.arange(30), FILE_ROWS)
    old = table({"dt": day_text(whole), "amount": np.arange(len(whole))})
    new = table({"dt": day_text(np.full(1_200, 30)), "amount": np.arange(1_200)}, 1)
    spec = ("dt",)
    scraps = tuple(new.slice(start, 6) for start in range(0, len(new), 6))
    return Layout(
        (Commit(loaded(old, spec, FILE_ROWS), spec), Commit(scraps, spec)), spec, scaled()
    )


def ids_in_order() -> Layout:
    """Sixty files in order of the id."""
    ids = np.arange(60 * FILE_ROWS)
    return laid_out(table({"id": ids}))
