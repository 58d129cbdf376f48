"""Tables that reports ask."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    START,
    dates,
    day_text,
    laid_out,
    rng,
    table,
    texts,
    times,
)

FILES = 40
ROWS = FILES * FILE_ROWS
TODAY = (dt.date(2099, 12, 31) - START.date()).days
"""The day on which the queries run, in days after the start."""


def sales_by_date() -> Layout:
    """A partition of one file for each of 60 days, with any shop and product in each."""
    count = 60 * FILE_ROWS
    draw = rng(901)
    return laid_out(
        table(
            {
                "d": dates(np.repeat(np.arange(60), FILE_ROWS)),
                "store_id": draw.integers(0, 40, count),
                "sku": texts(draw.integers(0, 3000, count), "SKU-{:06d}"),
                "status": texts(draw.choice(["done", "open"], count, p=[0.98, 0.02])),
                "note": texts(draw.integers(0, 10**9, count), "note {:09d}"),
            }
        ),
        "d",
    )


def orders_by_day() -> Layout:
    """A partition of two files, in no order, for each of 60 days of a time without a zone."""
    count = 60 * 2 * FILE_ROWS
    draw = rng(902)
    seconds = np.repeat(np.arange(60), 2 * FILE_ROWS) * DAY + draw.uniform(0, DAY, count)
    return laid_out(
        table({"ts": times(seconds), "customer_id": draw.integers(0, 5000, count)}), "days(ts)"
    )


def zoned_by_day() -> Layout:
    """The same of 40 days, with a zone."""
    count = 40 * 2 * FILE_ROWS
    draw = rng(903)
    seconds = np.repeat(np.arange(40), 2 * FILE_ROWS) * DAY + draw.uniform(0, DAY, count)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": draw.integers(0, 5000, count)}), "days(ts)"
    )


def invoices_by_month() -> Layout:
    """A partition of four files, in order of days, for each of 24 months."""
    months = np.repeat(np.arange(24), 4 * FILE_ROWS)
    within = np.tile(np.arange(4 * FILE_ROWS) * 28 // (4 * FILE_ROWS), 24)
    first = np.array([(dt.date(2026 + m // 12, m % 12 + 1, 1) - START.date()).days for m in months])
    draw = rng(904)
    return laid_out(
        table(
            {"issued": dates(first + within), "customer": draw.integers(0, 900, len(first))},
        ),
        "months(issued)",
    )


def months_as_numbers() -> Layout:
    """A partition of one file for each of 36 months, as a number of six digits."""
    ym = np.repeat([202601 + n // 12 * 100 + n % 12 for n in range(36)], FILE_ROWS)
    return laid_out(table({"ym": ym.astype(np.int32), "n": np.arange(len(ym))}), "ym")


def clicks_by_text() -> Layout:
    """A partition of one file for each of 40 days, as text."""
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    draw = rng(905)
    return laid_out(table({"dt": day_text(days), "visitor": draw.integers(0, 9000, ROWS)}), "dt")


def clicks_of_late() -> Layout:
    """The same of the 40 days before today."""
    days = np.repeat(np.arange(TODAY - FILES + 1, TODAY + 1), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "n": np.arange(ROWS)}), "dt")


def visits_of_late() -> Layout:
    """The same, as dates."""
    days = np.repeat(np.arange(TODAY - FILES + 1, TODAY + 1), FILE_ROWS)
    return laid_out(table({"d": dates(days), "n": np.arange(ROWS)}), "d")


def hive_days() -> Layout:
    """A partition of one file for each of 56 days, in three texts."""
    days = [(2026, 1 + n // 28, n % 28 + 1) for n in range(56) for _ in range(FILE_ROWS)]
    return laid_out(
        table(
            {
                "y": texts((y for y, _, _ in days), "{:04d}"),
                "m": texts((m for _, m, _ in days), "{:02d}"),
                "dd": texts((d for _, _, d in days), "{:02d}"),
            }
        ),
        "y",
        "m",
        "dd",
    )


def german_days() -> Layout:
    """A partition of one file for each of 40 days, as Germans write them."""
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(table({"tag": day_text(days, "%d.%m.%Y"), "n": np.arange(ROWS)}), "tag")


def customers() -> Layout:
    """Forty files in order of a key, as text, and of a number; all else is in no order."""
    draw = rng(906)
    keys = np.arange(ROWS)
    missing = draw.uniform(0, 1, ROWS) < 0.02
    states = draw.choice(["active", "asleep", "gone"], ROWS, p=[0.94, 0.04, 0.02])
    return laid_out(
        table(
            {
                "customer_key": texts(keys, "C{:06d}"),
                "customer_no": keys,
                "email": texts(draw.permutation(ROWS), "user{:06d}@example.org"),
                "country": texts(draw.choice(["DE", "FR", "IT", "PL"], ROWS)),
                "state": pa.array(states, mask=missing),
                "touched": dates(draw.integers(0, 400, ROWS)),
            }
        )
    )


def articles() -> Layout:
    """Forty files in order of a key that begins with a country: 40 of them, two letters and -."""
    keys = np.arange(ROWS)
    return laid_out(
        table(
            {
                "article": texts(
                    f"{chr(65 + k // FILE_ROWS // 26)}{chr(65 + k // FILE_ROWS % 26)}-{k:06d}"
                    for k in keys
                ),
                "n": keys,
            }
        )
    )


def readings() -> Layout:
    """Forty files as rows came in, of any of 2,000 devices, at any time of day."""
    draw = rng(907)
    seconds = np.sort(draw.uniform(0, FILES * DAY, ROWS))
    clock = draw.integers(0, DAY, ROWS) * 1_000_000
    return laid_out(
        table(
            {
                "ts": times(seconds),
                "epoch": seconds.astype(np.int64) + int(START.replace(tzinfo=dt.UTC).timestamp()),
                "device_id": draw.integers(0, 2000, ROWS),
                "at_time": pa.array(clock, pa.time64("us")),
                "lat": np.sort(draw.uniform(-90, 90, ROWS)),
                "raw": texts(draw.integers(0, 10**6, ROWS), '{{"type": "{}"}}'),
            }
        )
    )


def contexts() -> Layout:
    """Forty files as events came in, with a struct of the device and the time."""
    draw = rng(908)
    at = times(np.sort(draw.uniform(0, FILES * DAY, ROWS)))
    devices = texts(draw.integers(0, 3000, ROWS), "dev-{:05d}")
    context = pa.StructArray.from_arrays([devices, at], names=["device", "at"])
    return laid_out(table({"ctx": context}))


def tenants() -> Layout:
    """Ten tenants of six files each, in order of time."""
    count = 10 * 6 * FILE_ROWS
    draw = rng(909)
    seconds = np.tile(np.sort(draw.uniform(0, 60 * DAY, 6 * FILE_ROWS)), 10)
    return laid_out(
        table(
            {
                "tenant": texts(np.repeat(np.arange(10), 6 * FILE_ROWS), "t{}"),
                "ts": times(seconds),
                "user_id": draw.integers(0, 4000, count),
            }
        ),
        "tenant",
    )


def accounts_in_buckets() -> Layout:
    """Eight buckets of accounts, of five files each, in no order."""
    draw = rng(910)
    return laid_out(
        table({"account_id": draw.integers(0, 20_000, ROWS), "n": np.arange(ROWS)}),
        "bucket(8, account_id)",
    )


def keys_by_beginning() -> Layout:
    """A partition of two files for each beginning of four letters of a key."""
    keys = np.arange(20 * 2 * FILE_ROWS) // 12
    return laid_out(
        table({"code": texts(keys, "K{:05d}"), "n": np.arange(len(keys))}), "truncate(4, code)"
    )


def arrivals() -> Layout:
    """Days of events, of one file each, and when they arrived: within the hour."""
    draw = rng(911)
    seconds = np.sort(draw.uniform(0, FILES * DAY, ROWS))
    return laid_out(
        table(
            {"happened": times(seconds), "arrived": times(seconds + draw.uniform(0, 3600, ROWS))}
        ),
        "days(happened)",
    )
