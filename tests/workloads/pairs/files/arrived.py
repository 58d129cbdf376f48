"""Tables by how their rows arrived: late, by the hour, in small files, under several specs."""

from __future__ import annotations

import numpy as np

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    SPARK,
    day,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)


def logs_of_months() -> Layout:
    """Two months by when rows came in, which three of a hundred did up to twenty days late."""
    numbers = rng(931)
    came = np.sort(numbers.integers(0, 59 * DAY, 24_000))
    late = np.where(numbers.random(24_000) < 0.03, numbers.integers(0, 20 * DAY, 24_000), 0)
    return laid_out(
        table({"ingested": times(came), "event_ts": times(came - late)}, 931), "months(ingested)"
    )


def shipments() -> Layout:
    """Sixty days by order, a file each; what is ordered is shipped one to five days later."""
    numbers = rng(932)
    ordered = np.sort(numbers.integers(0, 60 * DAY, 30_000))
    shipped = ordered + numbers.integers(DAY, 5 * DAY, 30_000)
    return laid_out(
        table({"ordered_at": times(ordered), "shipped_at": times(shipped)}, 932), "days(ordered_at)"
    )


def invoices() -> Layout:
    """A year by month; numbers of invoices grow with time."""
    issued = np.sort(rng(933).integers(0, 365 * DAY, 28_800))
    return laid_out(
        table({"issued": times(issued), "invoice_no": np.arange(28_800) + 10_000}, 933),
        "months(issued)",
    )


def hours_of_little() -> Layout:
    """Ten days by the hour, a hundredth of a file each."""
    seconds = np.repeat(np.arange(240) * 3_600, 40) + np.tile(np.arange(40) * 89, 240)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "v": rng(934).random(9_600)}, 934),
        "hours(ts)",
        properties=scaled(600_000),
    )


def hours_of_files() -> Layout:
    """Two days by the hour, a file each."""
    seconds = np.repeat(np.arange(48) * 3_600, 600) + np.tile(np.arange(600) * 6, 48)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "v": rng(935).random(28_800)}, 935), "hours(ts)"
    )


def days_of_utc() -> Layout:
    """Thirty days, a file each, times mixed within."""
    numbers = rng(936)
    days = np.repeat(np.arange(30), 700)
    seconds = days * DAY + numbers.integers(0, DAY, 21_000)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "v": numbers.integers(0, 99, 21_000)}, 936), "days(ts)"
    )


def trips() -> Layout:
    """Forty days: the first twenty by month and mixed, the others by day."""
    numbers = rng(937)
    old = table({"ts": times(numbers.integers(0, 20 * DAY, 12_000), "UTC")}, 937)
    new = table({"ts": times(np.sort(numbers.integers(20 * DAY, 40 * DAY, 12_000)), "UTC")}, 938)
    return Layout(
        (
            Commit(loaded(old, ("months(ts)",), 600), ("months(ts)",)),
            Commit(loaded(new, ("days(ts)",), 600), ("days(ts)",)),
        ),
        ("days(ts)",),
        scaled(),
    )


def feed() -> Layout:
    """Twenty days; nineteen of a whole file, and the newest of 150 files of four rows."""
    days = np.repeat(np.arange(19), 600)
    old = table({"ts": times(days * DAY + np.tile(np.arange(600) * 144, 19), "UTC")}, 939)
    fresh = table({"ts": times(19 * DAY + np.arange(600) * 144, "UTC")}, 940)
    return Layout(
        (
            Commit(loaded(old, ("days(ts)",), 600), ("days(ts)",)),
            *(Commit(tuple(cut(part, 4)), ("days(ts)",)) for part in cut(fresh, 40)),
        ),
        ("days(ts)",),
        scaled(),
    )


def years_in_order() -> Layout:
    """Two years by year, rows in order of time."""
    seconds = np.sort(rng(941).integers(0, 730 * DAY, 24_000))
    return laid_out(table({"ts": times(seconds), "v": np.arange(24_000)}, 941), "years(ts)")


def years_mixed() -> Layout:
    """Two years by year, rows as they fall."""
    seconds = rng(942).integers(0, 730 * DAY, 24_000)
    return laid_out(table({"ts": times(seconds), "v": np.arange(24_000)}, 942), "years(ts)")


def giant_and_dwarfs() -> Layout:
    """Thirteen tenants, of whom one has seven of ten rows; rows in order of time."""
    numbers = rng(943)
    tenant = np.where(numbers.random(24_000) < 0.7, 0, numbers.integers(1, 13, 24_000))
    seconds = np.sort(numbers.integers(0, 60 * DAY, 24_000))
    return laid_out(table({"tenant": texts(tenant, "t{:02}"), "ts": times(seconds)}, 943), "tenant")


def giant_mixed() -> Layout:
    """Thirteen tenants, of whom one has seven of ten rows; times mixed."""
    numbers = rng(944)
    tenant = np.where(numbers.random(24_000) < 0.7, 0, numbers.integers(1, 13, 24_000))
    seconds = numbers.integers(0, 60 * DAY, 24_000)
    return laid_out(table({"tenant": texts(tenant, "t{:02}"), "ts": times(seconds)}, 944), "tenant")


def regions_mixed() -> Layout:
    """Four regions of ten files, times mixed."""
    numbers = rng(945)
    return laid_out(
        table(
            {
                "region": texts(np.repeat(["AP", "EU", "LA", "NA"], 6_000)),
                "ts": times(numbers.integers(0, 60 * DAY, 24_000)),
            },
            945,
        ),
        "region",
    )


def settings() -> Layout:
    """Thirty rows."""
    return laid_out(table({"k": texts(range(30), "key{}"), "v": np.arange(30)}, 946))


def loads_by_region() -> Layout:
    """Thirty loads of eight regions, a file each, in small manifests."""
    numbers = rng(947)
    rows = table(
        {
            "region": texts(np.tile(np.repeat(np.arange(8), 300), 30), "r{}"),
            "v": numbers.integers(0, 99, 72_000),
        },
        947,
        row_bytes=60,
    )
    return laid_out(
        rows,
        "region",
        commits=30,
        properties={
            "commit.manifest.target-size-bytes": "9000",
            **scaled(30_000),
        },
    )


def _day(name: str, number: int, column: str = "ts", zone: str = " UTC") -> str:
    return (
        f"SELECT * FROM {name} WHERE {column} >= TIMESTAMP '{day(number)} 00:00:00{zone}' AND "
        f"{column} < TIMESTAMP '{day(number + 1)} 00:00:00{zone}'"
    )


PAIRS = (
    Pair(
        "late_logs",
        logs_of_months,
        [Query(_day("late_logs", n, "event_ts", "")) for n in (5, 12, 20, 27, 35, 44)],
        # A few late rows widen the bounds of each file; months(ingested) cut little.
        (
            Expected(
                "no_partition_filter|unclustered_column",
                ("event_ts",),
                (0.6, 0.95),
                statements=True,
            ),
        ),
        (Expected("misaligned_partitioning", ("ingested|event_ts",)),),
    ),
    Pair(
        "orders_and_shipments",
        shipments,
        [Query(_day("orders_and_shipments", n, "ordered_at", "")) for n in (5, 12, 20, 27)]
        + [Query(_day("orders_and_shipments", n, "shipped_at", "")) for n in (9, 33)],
        (),
        # Days of shipping lie in five or six of order: little to win, and not by other partitions.
        (Expected("no_partition_filter|unclustered_column", ("shipped_at",)),),
        tempting={"misaligned_partitioning": "days of order serve both"},
        never=("DROP PARTITION", "REPLACE PARTITION"),
    ),
    Pair(
        "invoices_by_number",
        invoices,
        each("SELECT * FROM invoices_by_number WHERE invoice_no = {}", [11_000, 20_000, 31_000])
        + each(
            "SELECT * FROM invoices_by_number WHERE invoice_no BETWEEN {} AND {}",
            [(15_000, 15_100), (30_000, 30_050)],
            **SPARK,
        ),
        tempting={
            "misaligned_partitioning": "numbers follow time, so months keep them together",
            "no_partition_filter": "numbers follow time, so files tell them apart",
            "unclustered_column": "rows are in order of numbers",
        },
        never=("DROP PARTITION",),
    ),
    Pair(
        "hours_read_by_day",
        hours_of_little,
        [Query(_day("hours_read_by_day", n)) for n in (1, 2, 4, 5, 7, 8)],
        (Expected("partitions_too_fine", ("ts",), statements=True, says=(r"days?\(ts\)",)),),
        tempting={
            "small_files": "no file spans two partitions, so that merging wins nothing",
            "misaligned_partitioning": "queries do ask for times",
        },
    ),
    Pair(
        "hours_read_by_both",
        hours_of_files,
        [Query(_day("hours_read_by_both", n)) for n in (0, 1)]
        + [
            Query(
                f"SELECT * FROM hours_read_by_both WHERE ts >= TIMESTAMP '{instant(n * 3600)} UTC'"
                f" AND ts < TIMESTAMP '{instant((n + 1) * 3600)} UTC'"
            )
            for n in (3, 17, 30, 41)
        ],
        tempting={"partitions_too_fine": "each hour is a whole file"},
    ),
    Pair(
        "berlin_of_mixed_days",
        days_of_utc,
        [Query(_day("berlin_of_mixed_days", n, zone=" Europe/Berlin")) for n in (3, 8, 13, 21)],
        (Expected("local_day_boundaries", ("ts",), (0.35, 0.5), statements=False),),
        tempting={"partitions_too_coarse": "a partition is a file"},
    ),
    Pair(
        "days_of_kolkata",
        days_of_utc,
        [
            Query(_day("days_of_kolkata", n, zone=""), time_zone="Asia/Kolkata")
            for n in (3, 8, 13, 21)
        ],
        # The session's zone stands in for one in the text: half an hour off, too.
        (Expected("local_day_boundaries", ("ts",), (0.35, 0.5), statements=False),),
    ),
    Pair(
        "days_of_utc_by_name",
        days_of_utc,
        [Query(_day("days_of_utc_by_name", n, zone=" Etc/UTC")) for n in (3, 8)]
        + [Query(_day("days_of_utc_by_name", n, zone="+00:00")) for n in (13, 21)],
        tempting={"local_day_boundaries": "Etc/UTC is UTC"},
    ),
    Pair(
        "afternoons",
        days_of_utc,
        [
            Query(
                f"SELECT * FROM afternoons WHERE ts >= TIMESTAMP '{day(n)} 12:00:00 UTC' "
                f"AND ts < TIMESTAMP '{day(n)} 18:00:00 UTC'"
            )
            for n in (3, 8, 13, 21)
        ],
        tempting={
            "local_day_boundaries": "a quarter of a day is no day of another zone",
            "partitions_too_coarse": "a partition is one file",
        },
    ),
    Pair(
        "trips_long_ago",
        trips,
        [Query(_day("trips_long_ago", n)) for n in (2, 7, 11, 18)],
        (Expected("old_spec_files", (), (0.85, 0.97), statements=True),),
        tempting={"unclustered_column": "days of the new spec tell the rows apart"},
    ),
    Pair(
        "trips_of_late",
        trips,
        [Query(_day("trips_of_late", n)) for n in (24, 29, 33, 38)],
        tempting={"old_spec_files": "nobody reads them"},
    ),
    Pair(
        "feed_of_today",
        feed,
        [Query(_day("feed_of_today", 19))] * 4,
        (Expected("small_files", (), statements=True, says=(r"where =>|WHERE",)),),
        tempting={"partitions_too_fine": "days hold whole files"},
        never=("PARTITION FIELD",),
    ),
    Pair(
        "feed_of_old",
        feed,
        [Query(_day("feed_of_old", n)) for n in (3, 8, 13)],
        tempting={"small_files": "nobody reads them"},
    ),
    Pair(
        "years_asked_by_month",
        years_mixed,
        [
            Query(
                f"SELECT * FROM years_asked_by_month WHERE ts >= TIMESTAMP '{a} 00:00:00' "
                f"AND ts < TIMESTAMP '{b} 00:00:00'"
            )
            for a, b in (
                ("2026-03-01", "2026-04-01"),
                ("2026-08-01", "2026-09-01"),
                ("2027-01-01", "2027-02-01"),
                ("2027-05-01", "2027-06-01"),
            )
        ],
        (Expected("partitions_too_coarse", ("ts",), (0.85, 0.95), statements=True),),
        tempting={"unclustered_column": "months are the partitions' business"},
    ),
    Pair(
        "years_in_order_by_month",
        years_in_order,
        [
            Query(
                f"SELECT * FROM years_in_order_by_month WHERE ts >= TIMESTAMP '{a} 00:00:00' "
                f"AND ts < TIMESTAMP '{b} 00:00:00'"
            )
            for a, b in (("2026-03-01", "2026-04-01"), ("2027-05-01", "2027-06-01"))
        ],
        tempting={"partitions_too_coarse": "files tell months apart already"},
    ),
    Pair(
        "giant_by_day",
        giant_and_dwarfs,
        [
            Query(_day("giant_by_day", n, zone="") + " AND tenant = 't00'")
            for n in (3, 13, 23, 33, 43)
        ],
        tempting={
            "partitions_too_coarse": "files tell days apart already",
            "unclustered_column": "files tell days apart already",
            "partitions_too_fine": "the small tenants are not what is read",
        },
    ),
    Pair(
        "giant_by_day_mixed",
        giant_mixed,
        [
            Query(_day("giant_by_day_mixed", n, zone="") + " AND tenant = 't00'")
            for n in (3, 13, 23, 33, 43)
        ],
        (Expected("unclustered_column", ("ts",), (0.88, 0.97), statements=True),),
        tempting={"misaligned_partitioning": "tenants are asked for"},
        never=("DROP PARTITION",),
    ),
    Pair(
        "dwarfs_alone",
        giant_mixed,
        each("SELECT * FROM dwarfs_alone WHERE tenant = 't{:02}'", [3, 5, 7, 9, 11]),
        tempting={
            "partitions_too_fine": "a tenant is read whole, in a file",
            "small_files": "one file a tenant",
        },
    ),
    Pair(
        "one_night_of_regions",
        regions_mixed,
        [Query(_day("one_night_of_regions", n, zone="")) for n in (3, 13, 23)],
        (Expected("no_partition_filter", ("ts",), (0.75, 0.93)),),
        (Expected("misaligned_partitioning", ("region|ts",)),),
        never=("DROP PARTITION",),
        days=1,
    ),
    Pair(
        "settings_read",
        settings,
        each("SELECT v FROM settings_read WHERE k = 'key{}'", range(12))
        + each("SELECT v FROM settings_read WHERE v > {}", [3, 29]),
        tempting={"unclustered_column": "there is one file"},
    ),
    Pair(
        "settings_of_any_case",
        settings,
        each("SELECT v FROM settings_of_any_case WHERE upper(k) = 'KEY{}'", range(12)),
        tempting={"wrapped_column": "the table is one small file"},
        thresholds={"small_table_bytes": 1 << 20},
    ),
    Pair(
        "regions_planned",
        loads_by_region,
        each("SELECT * FROM regions_planned WHERE region = 'r{}'", [1, 3, 5, 7]),
        (Expected("scattered_manifests", (), statements=True),),
        (Expected("small_files", ()),),
        tempting={"unclustered_column": "all of a region is asked for"},
        never=("PARTITION FIELD",),
    ),
    Pair(
        "whole_regions_summed",
        regions_mixed,
        repeated("SELECT region, count(*) FROM whole_regions_summed GROUP BY region", 5)
        + repeated("SELECT max(ts) FROM whole_regions_summed", 5, **SPARK),
        tempting={
            "misaligned_partitioning": "whoever reads all needs no partitions, and loses nothing",
            "no_partition_filter": "there is no filter",
        },
        never=("DROP PARTITION",),
    ),
)
