"""Tables that were changed or filled in ways of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.sound.keys import changes_in_buckets
from tests.workloads.pairs.tables.implied import NEVER
from tests.workloads.pairs.times.daily import days_of_structs
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    loaded,
    random_uuids,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)


def days_and_documents() -> Layout:
    """Thirty days of two files each with names of files."""
    draw = rng(1205)
    seconds = draw.uniform(0, 30 * DAY, 60 * FILE_ROWS)
    kinds = np.array(["pdf", "png", "txt"])[draw.integers(0, 3, len(seconds))]
    names = [f"f{n:06d}.{kind}" for n, kind in enumerate(kinds)]
    return laid_out(table({"ts": times(seconds), "name": texts(names)}), "days(ts)")


def partitioned_since_a_month() -> Layout:
    """Twenty files of thirty days in order of time, then thirty partitions of days."""
    before = np.sort(rng(1206).uniform(0, 30 * DAY, 20 * FILE_ROWS))
    since = rng(1207).uniform(30 * DAY, 60 * DAY, 30 * FILE_ROWS)
    old = table({"ts": times(before), "amount": np.arange(len(before))})
    new = table({"ts": times(since), "amount": np.arange(len(since))}, 1)
    spec = ("days(ts)",)
    return Layout(
        (Commit(tuple(cut(old, FILE_ROWS))), Commit(loaded(new, spec, FILE_ROWS), spec)),
        spec,
        scaled(),
    )


def events_that_came_late() -> Layout:
    """Sixty days of arrival, two files each; a fifth of the events are up to thirty days old."""
    draw = rng(1208)
    arrived = draw.uniform(30 * DAY, 90 * DAY, 120 * FILE_ROWS)
    late = np.where(draw.random(len(arrived)) < 0.2, draw.uniform(0, 30 * DAY, len(arrived)), 0)
    return laid_out(
        table({"arrived_at": times(arrived), "event_at": times(arrived - late)}),
        "days(arrived_at)",
    )


def newest_day_in_scraps() -> Layout:
    """Thirty days of a file each, and one of 200 scraps that nobody has merged yet."""
    whole = rng(1209).uniform(0, 30 * DAY, 30 * FILE_ROWS)
    scraps = np.sort(rng(1210).uniform(30 * DAY, 31 * DAY, 200 * 6))
    spec = ("days(ts)",)
    old = table({"ts": times(whole), "amount": np.arange(len(whole))})
    new = table({"ts": times(scraps), "amount": np.arange(len(scraps))}, 1)
    return Layout(
        (
            Commit(loaded(old, spec, FILE_ROWS), spec),
            *(Commit((new.slice(start, 6),), spec) for start in range(0, len(new), 6)),
        ),
        spec,
        scaled(),
    )


def one_large_tenant() -> Layout:
    """Twelve tenants, of which the first has 66 of 88 files; orders are anywhere in each."""
    tenant = np.repeat(np.arange(12), [66 * FILE_ROWS, *[2 * FILE_ROWS] * 11])
    return laid_out(
        table({"tenant": texts(tenant, "t{:02d}"), "order_id": rng(1211).permutation(len(tenant))}),
        "tenant",
    )


def keys_at_random() -> Sequence[str]:
    """As many UUIDs as sixty files have rows."""
    return random_uuids(1212, 60 * FILE_ROWS)


def sessions() -> Layout:
    """Sixty files of sessions by text that is a UUID."""
    return laid_out(table({"session_id": texts(keys_at_random())}, row_bytes=130))


def countries_in_structs() -> Layout:
    """Five files for each of eight countries within a struct."""
    country = np.repeat(["AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT"], 5 * FILE_ROWS)
    address = pa.StructArray.from_arrays(
        [texts(country), texts(np.arange(len(country)) % 7, "s{}")], ["country", "street"]
    )
    return laid_out(table({"address": address}))


PAIRS = (
    Pair(
        "documents_of_a_day",
        days_and_documents,
        each(
            "SELECT count(*) FROM lake.db.documents_of_a_day WHERE name LIKE '%.pdf'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 30, 3)],
        ),
        tempting={"like_without_prefix": "the day skips the rest"},
        never=NEVER,
    ),
    Pair(
        "days_since_the_change",
        partitioned_since_a_month,
        each(
            "SELECT sum(amount) FROM lake.db.days_since_the_change"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(31, 60, 3)],
        ),
        tempting={"old_spec_files": "old files are not read"},
        never=NEVER,
    ),
    Pair(
        "days_of_late_events",
        events_that_came_late,
        each(
            "SELECT count(*) FROM lake.db.days_of_late_events"
            " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(32, 60, 3)],
            **SPARK,
        ),
        expected=(
            Expected(
                "no_partition_filter|unclustered_column", ("event_at",), (0.7, 0.98), True, False
            ),
        ),
        allowed=(Expected("misaligned_partitioning", (), None),),
        tempting={"partitions_too_coarse": "nobody asks for arrivals"},
    ),
    Pair(
        "newest_day_unmerged",
        newest_day_in_scraps,
        repeated(
            "SELECT sum(amount) FROM lake.db.newest_day_unmerged"
            f" WHERE ts >= TIMESTAMP '{instant(30 * DAY)}'",
            20,
        ),
        expected=(Expected("small_files", (), None, True, False, ("where",)),),
        tempting={"partitions_too_fine": "the other days are whole files"},
        never=NEVER,
    ),
    Pair(
        "orders_of_the_large_tenant",
        one_large_tenant,
        each(
            "SELECT * FROM lake.db.orders_of_the_large_tenant"
            " WHERE tenant = 't00' AND order_id = {}",
            range(100, 50_000, 2_500),
        ),
        expected=(Expected("unclustered_column", ("order_id",), (0.9, 0.99), True, False),),
        tempting={
            "no_partition_filter": "the tenant is asked for",
            "partitions_too_coarse": "tenants are no ranges",
        },
        never=("PARTITION FIELD",),
    ),
    # Four values are four buckets of 32, once they are listed.
    Pair(
        "a_few_keys_between",
        changes_in_buckets,
        [
            *each(
                "SELECT * FROM lake.db.a_few_keys_between WHERE id BETWEEN {} AND {}",
                [(n, n + 3) for n in range(10, 3_900, 400)],
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.a_few_keys_between WHERE id = {}",
                range(5, 3_900, 100),
                **SPARK,
            ),
        ],
        expected=(Expected("range_on_bucketed_column", ("id",), None, says=(r"IN \(",)),),
        never=("DROP", "REPLACE", "WRITE ORDERED"),
    ),
    Pair(
        "sessions_by_random_key",
        sessions,
        each(
            "SELECT * FROM lake.db.sessions_by_random_key WHERE session_id = '{}'",
            keys_at_random()[::2_000],
        ),
        expected=(Expected("unclustered_column", ("session_id",), (0.9, 0.99), True, False),),
        tempting={"truncated_bounds": "sixteen characters tell keys apart"},
    ),
    Pair(
        "weeks_in_structs",
        days_of_structs,
        each(
            "SELECT count(*) FROM lake.db.weeks_in_structs"
            " WHERE date_trunc('WEEK', event.ts) = TIMESTAMP '{}'",
            map(instant, (4 * DAY, 11 * DAY, 18 * DAY)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("event.ts",), (0.72, 0.8), False, True),),
        never=NEVER,
    ),
    Pair(
        "addresses_of_a_country",
        countries_in_structs,
        each(
            "SELECT count(*) FROM lake.db.addresses_of_a_country WHERE address.country = '{}'",
            ("AT", "DE", "FR", "IT"),
        ),
        tempting={"unclustered_column": "countries are in order"},
        never=NEVER,
    ),
)
