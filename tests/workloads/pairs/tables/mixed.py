"""The tables of `blind` and `blind_sound`."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa

from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    day_text,
    instant,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)

FILES = 40
COUNT = FILES * FILE_ROWS
HOUR = 3_600


def tenants_in_buckets_by_day() -> Layout:
    """Eight buckets of tenants in each of twelve days, each about one file."""
    draw = rng(4_001)
    count = 12 * 8 * FILE_ROWS
    return laid_out(
        table(
            {
                "tenant_id": draw.integers(0, 4_000, count),
                "ts": times(np.sort(draw.uniform(0, 12 * DAY, count))),
                "amount": np.arange(count),
            }
        ),
        "bucket(8, tenant_id)",
        "days(ts)",
    )


def metrics_of_a_week() -> Layout:
    """Seven days of six files each, rows as they came."""
    count = 42 * FILE_ROWS
    seconds = np.sort(rng(4_002).uniform(0, 7 * DAY, count))
    rows = table({"ts": times(seconds), "value": np.arange(count)})
    return laid_out(rows, "days(ts)", commits=42)


def customers_with_history(sorted_: bool) -> Layout:
    """Versions of customers; those of today have no end: one in twenty."""
    draw = rng(4_003)
    start = draw.integers(-900, 0, COUNT)
    current = draw.random(COUNT) < 0.05
    end = start + draw.integers(1, 90, COUNT)
    if sorted_:
        order = np.lexsort((start, current))
        start, current, end = start[order], current[order], end[order]
    ends = pa.array(
        [None if now else day(int(number)) for now, number in zip(current, end, strict=True)],
        pa.date32(),
    )
    ids = draw.integers(0, 9_000, COUNT)
    return laid_out(table({"customer_id": ids, "valid_from": dates(start), "valid_to": ends}))


def history_in_order() -> Layout:
    """Versions that have ended first, in order of their start, then those of today."""
    return customers_with_history(sorted_=True)


def history_as_it_came() -> Layout:
    """Versions in order of nothing."""
    return customers_with_history(sorted_=False)


def orders_of_days() -> Layout:
    """A file for each of 40 days, with a status, a customer and a merchant in no order."""
    draw = rng(4_004)
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(
        table(
            {
                "order_day": dates(days),
                "status": texts(
                    draw.choice(
                        ["done", "cancelled", "open", "failed"], COUNT, p=[0.8, 0.16, 0.03, 0.01]
                    )
                ),
                "is_test": draw.random(COUNT) < 0.03,
                "merchant_id": draw.integers(0, 300, COUNT),
                "amount": np.arange(COUNT),
            }
        ),
        "order_day",
    )


def orders_by_number() -> Layout:
    """40 files in order of a number that grows with time; other columns in no order."""
    draw = rng(4_005)
    seconds = np.sort(draw.uniform(0, FILES * DAY, COUNT))
    return laid_out(
        table(
            {
                "order_id": np.arange(COUNT) * 5,
                "created_at": times(seconds + draw.uniform(0, 900, COUNT)),
                "merchant_id": draw.integers(0, 300, COUNT),
                "status": texts(
                    draw.choice(
                        ["done", "cancelled", "open", "failed"], COUNT, p=[0.8, 0.16, 0.03, 0.01]
                    )
                ),
                "note": texts(draw.integers(0, 10**9, COUNT), "note {} of a clerk"),
            }
        )
    )


def days_of_two_months() -> Layout:
    """A file for each of the 59 days of January and February, times in UTC without a zone."""
    count = 59 * FILE_ROWS
    seconds = np.sort(rng(4_006).uniform(0, 59 * DAY, count))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(count)}), "days(ts)")


def zoned_days() -> Layout:
    """A file for each of 40 days of UTC, of times with a zone."""
    seconds = rng(4_007).uniform(0, FILES * DAY, COUNT)
    return laid_out(table({"ts": times(seconds, "UTC"), "amount": np.arange(COUNT)}), "days(ts)")


def dated_by_months() -> Layout:
    """Two files for each of 24 months of a date."""
    days = np.sort(rng(4_008).integers(0, 730, 48 * FILE_ROWS))
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "months(d)")


def tiles() -> Layout:
    """Places by geohash: nine of three letters, of four files each, in order of the hash."""
    draw = rng(4_009)
    letters = np.array(list("0123456789bcdefghjkmnpqrstuvwxyz"))
    heads = np.repeat(["u2f", "u33", "u37", "u0y", "u1h", "gcp", "ezs", "sp3", "sr2"], 4 * 600)
    tails = letters[draw.integers(0, 32, (len(heads), 5))]
    hashes = sorted(head + "".join(tail) for head, tail in zip(heads, tails, strict=True))
    return laid_out(
        table({"geohash": texts(hashes), "visits": np.arange(len(hashes))}), "truncate(3, geohash)"
    )


def accounts_in_sixteen_buckets() -> Layout:
    """Sixteen buckets of one file each."""
    ids = rng(4_010).permutation(16 * FILE_ROWS)
    rows = table({"account_id": ids, "balance": np.arange(len(ids))})
    return laid_out(rows, "bucket(16, account_id)")


def full_hours() -> Layout:
    """A file for each of 96 hours."""
    seconds = np.sort(rng(4_011).uniform(0, 96 * HOUR, 96 * FILE_ROWS))
    return laid_out(table({"ts": times(seconds), "n": np.arange(len(seconds))}), "hours(ts)")


def thin_hours() -> Layout:
    """Thirty rows, a twentieth of a file, for each of 336 hours."""
    seconds = np.repeat(np.arange(336), 30) * HOUR + 60.0
    return laid_out(
        table({"ts": times(seconds), "n": np.arange(len(seconds))}, row_bytes=1_000),
        "hours(ts)",
        properties=scaled(600_000),
    )


def days_in_three_numbers() -> Layout:
    """Days as year, month and day: one file for each of 59."""
    days = np.repeat(np.arange(59), FILE_ROWS)
    of = [day(int(number)) for number in days]
    return laid_out(
        table(
            {
                "year": pa.array([date.year for date in of], pa.int32()),
                "month": pa.array([date.month for date in of], pa.int32()),
                "day": pa.array([date.day for date in of], pa.int32()),
                "n": np.arange(len(days)),
            }
        ),
        "year",
        "month",
        "day",
    )


def months_then_days() -> Layout:
    """Partitions of months until the end of February, of days since: 20 days of one file each."""
    draw = rng(4_012)
    old = np.sort(draw.uniform(0, 59 * DAY, 20 * FILE_ROWS))
    new = np.sort(draw.uniform(59 * DAY, 79 * DAY, 20 * FILE_ROWS))
    commits = tuple(
        Commit(
            loaded(table({"ts": times(part), "n": np.arange(len(part))}), (term,), FILE_ROWS),
            (term,),
        )
        for part, term in ((old, "months(ts)"), (new, "days(ts)"))
    )
    return Layout(commits, ("days(ts)",), scaled())


def never_rewritten() -> Layout:
    """24 files of any of the first 24 days, without partitions; six days since have their own."""
    draw = rng(4_013)
    old = draw.uniform(0, 24 * DAY, 24 * FILE_ROWS)
    new = np.sort(draw.uniform(24 * DAY, 30 * DAY, 6 * FILE_ROWS))
    commits = tuple(
        Commit(loaded(table({"ts": times(part), "n": np.arange(len(part))}), by, FILE_ROWS), by)
        for part, by in ((old, ()), (new, ("days(ts)",)))
    )
    return Layout(commits, ("days(ts)",), scaled())


def amounts_in_order() -> Layout:
    """Decimals from 0.00 to 999.99 in order."""
    cents = np.sort(rng(4_014).integers(0, 100_000, COUNT))
    amounts = pa.array([Decimal(int(value)).scaleb(-2) for value in cents], pa.decimal128(10, 2))
    return laid_out(table({"amount": amounts, "n": np.arange(COUNT)}))


def three_hundred_small_tenants() -> Layout:
    """300 tenants of 20 rows each, a partition for each."""
    tenant = np.repeat(np.arange(300), 20)
    return laid_out(table({"tenant": texts(tenant, "t{:04d}"), "n": np.arange(6_000)}), "tenant")


def logins_by_day() -> Layout:
    """Fifteen days of four files; any user on any day."""
    draw = rng(4_015)
    count = 60 * FILE_ROWS
    users = draw.integers(0, 900, count)
    return laid_out(
        table(
            {
                "login_day": dates(np.repeat(np.arange(15), 4 * FILE_ROWS)),
                "email": texts(users, "user{:04d}@example.org"),
                "n": np.arange(count),
            }
        ),
        "login_day",
    )


def people() -> Layout:
    """People in no order, each with a name and an address as they wrote it."""
    draw = rng(4_016)
    heads = np.array(["Anders", "Berg", "Claus", "Dietz", "Ehlers", "Falk", "Gross", "Maier"])
    names = [
        f"{head}{tail:05d}"
        for head, tail in zip(
            heads[draw.integers(0, 8, COUNT)], draw.integers(0, 10**5, COUNT), strict=True
        )
    ]
    return laid_out(
        table(
            {
                "name": texts(names),
                "email": texts(draw.integers(0, 10**6, COUNT), "User{}@Example.org"),
                "n": np.arange(COUNT),
            }
        )
    )


def days_and_buckets_unasked() -> Layout:
    """Sixteen buckets of 37 rows in each of twenty days."""
    count = 20 * FILE_ROWS
    seconds = np.sort(rng(4_017).uniform(0, 20 * DAY, count))
    return laid_out(
        table({"ts": times(seconds), "device_id": rng(4_018).integers(0, 500, count)}),
        "days(ts)",
        "bucket(16, device_id)",
    )


def streamed() -> Layout:
    """Ten days of sixty files of ten rows each."""
    seconds = np.sort(rng(4_019).uniform(0, 10 * DAY, 10 * FILE_ROWS))
    rows = table({"ts": times(seconds), "n": np.arange(len(seconds))})
    return Layout(
        (Commit(loaded(rows, ("days(ts)",), 10), ("days(ts)",)),), ("days(ts)",), scaled()
    )


def ordered_and_shipped() -> Layout:
    """60 files in order of the day of the order; goods leave up to three days later."""
    ordered = np.repeat(np.arange(60), FILE_ROWS)
    shipped = ordered + rng(4_020).integers(0, 4, len(ordered))
    return laid_out(
        table({"order_day": dates(ordered), "ship_day": dates(shipped), "n": np.arange(36_000)})
    )


def text_days() -> Layout:
    """A file for each of 40 days, written as text."""
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "n": np.arange(COUNT)}), "dt")


def number_days() -> Layout:
    """A file for each of 59 days, written as the number 20260131."""
    keys = np.array([int(day(number).strftime("%Y%m%d")) for number in range(59)])
    return laid_out(
        table({"date_key": np.repeat(keys, FILE_ROWS), "n": np.arange(59 * 600)}), "date_key"
    )


def events_with_a_context() -> Layout:
    """40 files in order of the time within a struct."""
    seconds = np.sort(rng(4_021).uniform(0, FILES * DAY, COUNT))
    at = times(seconds)
    context = pa.StructArray.from_arrays([at, pa.array(np.arange(COUNT))], ["created_at", "seq"])
    return laid_out(table({"ctx": context, "n": np.arange(COUNT)}))


def measured_in_part() -> Layout:
    """40 files in order of a plant, of which writers count values only."""
    plants = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(
        table(
            {
                "plant": texts(plants, "p{:03d}"),
                "ts": times(rng(4_022).uniform(0, 30 * DAY, COUNT)),
                "value": np.arange(COUNT),
            }
        ),
        properties={
            "write.metadata.metrics.default": "counts",
            "write.metadata.metrics.column.ts": "full",
        },
    )


def tags_of_days() -> Layout:
    """A file for each of 30 days, of which writers know the bounds of the day alone."""
    draw = rng(4_026)
    days = np.repeat(np.arange(30), FILE_ROWS)
    return laid_out(
        table(
            {
                "event_day": dates(days),
                "tag": texts(draw.integers(0, 7, len(days)), "t{}"),
                "value": np.arange(len(days)),
            }
        ),
        "event_day",
        properties={
            "write.metadata.metrics.default": "counts",
            "write.metadata.metrics.column.event_day": "full",
        },
    )


def long_months() -> Layout:
    """Two months of sixty files each, with any time of the month."""
    seconds = rng(4_023).uniform(0, 59 * DAY, 120 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "n": np.arange(len(seconds))}), "months(ts)")


def regions_of_forty_days() -> Layout:
    """Five regions of forty files each, with any day of forty."""
    draw = rng(4_024)
    count = 200 * FILE_ROWS
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 5, count), "r{}"),
                "ts": times(draw.uniform(0, 40 * DAY, count)),
                "n": np.arange(count),
            }
        ),
        "region",
    )


def positions_by_latitude() -> Layout:
    """40 files in order of latitude, from 47 to 55 degrees."""
    draw = rng(4_025)
    return laid_out(
        table(
            {
                "lat": np.sort(draw.uniform(47, 55, COUNT)),
                "lon": draw.uniform(6, 15, COUNT),
                "n": np.arange(COUNT),
            }
        )
    )


def window(first: float, seconds: float) -> tuple[str, str]:
    """The ends of a range of times."""
    return instant(first), instant(first + seconds)
