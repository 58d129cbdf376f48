"""Events by time: days, hours, late data, dashboards, partitions too fine or too coarse."""

from __future__ import annotations

import numpy as np

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, Truth, fields, sort


def app_events() -> Layout:
    """20 days of six files, whose users come in any order."""
    draw = rng(91001)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 20 * DAY, count))),
                "user_id": draw.integers(1, 5000, count),
                "kind": draw.integers(0, 12, count),
            }
        ),
        "days(ts)",
    )


def gps_by_arrival() -> Layout:
    """24 days of arrival, four files each; one row in six comes one to ten days late."""
    draw = rng(91002)
    count = 96 * FILE_ROWS
    at = draw.uniform(0, 24 * DAY, count)
    late = np.where(
        draw.random(count) < 1 / 6, draw.uniform(DAY, 10 * DAY, count), draw.uniform(0, 900, count)
    )
    arrived = at + late
    keep = arrived < 24 * DAY
    order = np.argsort(arrived[keep])
    return laid_out(
        table(
            {
                "arrived_at": times(arrived[keep][order]),
                "event_at": times(at[keep][order]),
                "vehicle": draw.integers(0, 900, int(keep.sum())),
            }
        ),
        "days(arrived_at)",
    )


def metrics_by_hour() -> Layout:
    """288 hours, each a tenth of a file."""
    draw = rng(91003)
    count = 288 * 60
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 12 * DAY, count))),
                "host": draw.integers(0, 50, count),
                "value": draw.integers(0, 10_000, count),
            }
        ),
        "hours(ts)",
    )


def trips_by_month() -> Layout:
    """Three months of 40 files or so, in no order of time: loads of the city's agencies."""
    draw = rng(91004)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "started_at": times(draw.uniform(0, 90 * DAY - 1, count)),
                "zone": draw.integers(0, 260, count),
            }
        ),
        "months(started_at)",
    )


def readings_by_date() -> Layout:
    """Six dates of 24 files, in no order of time within the date."""
    draw = rng(91005)
    count = 144 * FILE_ROWS
    seconds = draw.uniform(0, 6 * DAY, count)
    return laid_out(
        table(
            {
                "dt": dates((seconds // DAY).astype(int)),
                "ts": times(seconds),
                "sensor": draw.integers(0, 3000, count),
            }
        ),
        "dt",
    )


def logs_with_hour_windows() -> Layout:
    """Six days of 24 files, in no order of time within the day."""
    draw = rng(91006)
    count = 144 * FILE_ROWS
    return laid_out(
        table(
            {
                "logged_at": times(draw.uniform(0, 6 * DAY, count)),
                "level": draw.integers(0, 5, count),
            }
        ),
        "days(logged_at)",
    )


def sales_by_day_and_store() -> Layout:
    """Twelve days of 30 stores, each a fifteenth of a file."""
    draw = rng(91007)
    count = 12 * 30 * 40
    return laid_out(
        table(
            {
                "sold_at": times(np.sort(draw.uniform(0, 12 * DAY, count))),
                "store_id": draw.integers(1, 31, count),
                "amount": draw.integers(1, 90_000, count),
            }
        ),
        "days(sold_at)",
        "store_id",
    )


def board() -> Layout:
    """100 files of 25 days, written by a backfill that had shuffled them."""
    draw = rng(91008)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 25 * DAY, count)),
                "service": draw.integers(0, 40, count),
                "latency_ms": draw.integers(1, 4000, count),
            }
        )
    )


def clickstream() -> Layout:
    """Five days of 60 commits: what a stream leaves, 30 rows a file, in order of time."""
    draw = rng(91009)
    count = 300 * 30
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 5 * DAY, count))),
                "page": draw.integers(0, 500, count),
            }
        ),
        "days(ts)",
        commits=300,
        file_rows=30,
    )


def region_then_anything() -> Layout:
    """Five regions, sorted by region alone: 20 files each, of any time."""
    draw = rng(91010)
    count = 100 * FILE_ROWS
    region = np.sort(draw.integers(0, 5, count))
    return laid_out(
        table(
            {
                "region": texts(region, "eu-{}"),
                "ordered_at": times(draw.uniform(0, 40 * DAY, count)),
                "amount": draw.integers(1, 9000, count),
            }
        )
    )


PAIRS = (
    Truth(
        "app_events",
        app_events,
        [
            *each(
                "SELECT * FROM lake.db.app_events WHERE user_id = {} AND ts >= TIMESTAMP '{}'",
                [(7 + n * 41 % 4900, instant(13 * DAY)) for n in range(100)],
            ),
            *each(
                "SELECT kind, count(*) FROM lake.db.app_events WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY kind",
                [(instant(d * DAY), instant((d + 1) * DAY)) for d in range(12, 20)],
            ),
        ],
        sound=False,
        first=Change("order", ("user_id",), "user_id inside days(ts)"),
        also_fine=(
            Change("partition", ("user_id",), "add bucket(4..6, user_id) beside days(ts)"),
            Change("order", ("user_id", "ts"), "user_id, ts"),
        ),
        harmful=(
            r"DROP PARTITION FIELD",
            r"ADD PARTITION FIELD `?user_id",
            r"hours\(",
            r"REPLACE PARTITION FIELD",
        ),
        share=(0.72, 0.88),
        why="A lookup reads all six files of each of seven days, of which a sort inside days leaves one each.",
        statements=sort("app_events", "`user_id`"),
    ),
    Truth(
        "gps_by_arrival",
        gps_by_arrival,
        each(
            "SELECT vehicle, count(*) FROM lake.db.gps_by_arrival WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}' GROUP BY vehicle",
            [(instant(d * DAY), instant((d + 1) * DAY)) for n in range(4) for d in range(2, 22)],
        ),
        sound=False,
        first=Change(
            "partition", ("event_at", "arrived_at"), "days(event_at) in place of days(arrived_at)"
        ),
        also_fine=(
            Change(
                "order", ("event_at",), "event_at inside days(arrived_at): three quarters of it"
            ),
            Change("order", ("event_at",), "no partition, sorted by event_at"),
        ),
        harmful=(r"hours\(", r"ORDERED BY.*vehicle"),
        share=(0.75, 0.95),
        why="Nobody filters by arrival, and each day of arrival holds rows of the ten days before it, so a day of events reads eleven.",
        statements=fields(
            "gps_by_arrival", "REPLACE PARTITION FIELD days(`arrived_at`) WITH days(`event_at`)"
        ),
    ),
    Truth(
        "metrics_by_hour",
        metrics_by_hour,
        each(
            "SELECT host, avg(value) FROM lake.db.metrics_by_hour WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY host",
            [(instant((11 - n % 4) * DAY), instant((12 - n % 4) * DAY)) for n in range(60)],
        ),
        sound=False,
        first=Change("partition", ("ts",), "days(ts) in place of hours(ts)"),
        also_fine=(),
        harmful=(r"ADD PARTITION FIELD.*host", r"minutes", r"ORDERED BY.*(host|value)"),
        share=(0.0, 0.03),
        why="An hour is a tenth of a file, and every query is of whole days: it opens 24 files where three would do.",
        statements=fields(
            "metrics_by_hour", "REPLACE PARTITION FIELD hours(`ts`) WITH days(`ts`)", by="`ts`"
        ),
    ),
    Truth(
        "trips_by_month",
        trips_by_month,
        each(
            "SELECT zone, count(*) FROM lake.db.trips_by_month WHERE started_at >= TIMESTAMP '{}' AND started_at < TIMESTAMP '{}' GROUP BY zone",
            [(instant(n * 13 % 90 * DAY), instant((n * 13 % 90 + 1) * DAY)) for n in range(70)],
        ),
        sound=False,
        first=Change(
            "partition", ("started_at",), "days(started_at) in place of months(started_at)"
        ),
        also_fine=(Change("order", ("started_at",), "started_at inside months"),),
        harmful=(r"ORDERED BY.*zone", r"PARTITION FIELD.*zone", r"hours\("),
        share=(0.92, 0.98),
        why="A query of one day reads the 40 files of its month, and a day fills a file and a third.",
        statements=fields(
            "trips_by_month", "REPLACE PARTITION FIELD months(`started_at`) WITH days(`started_at`)"
        ),
    ),
    Truth(
        "readings_by_date",
        readings_by_date,
        [
            *each(
                "SELECT avg(sensor) FROM lake.db.readings_by_date WHERE dt = DATE '{}' AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [
                    (
                        day(n % 6),
                        instant(n % 6 * DAY + n % 24 * 3600),
                        instant(n % 6 * DAY + n % 24 * 3600 + 3600),
                    )
                    for n in range(120)
                ],
                **SPARK,
            ),
            *each(
                "INSERT OVERWRITE TABLE lake.db.readings_by_date PARTITION (dt = DATE '{}') SELECT ts, sensor, payload FROM stage.db.readings_staging",
                [day(5), day(4)],
                **SPARK,
            ),
        ],
        sound=False,
        first=Change("order", ("ts",), "ts inside dt"),
        also_fine=(Change("order", ("ts", "sensor"), "ts, sensor"),),
        harmful=(r"PARTITION FIELD", r"ORDERED BY `?sensor"),
        share=(0.88, 0.97),
        why="An hour is spread over the 24 files of its date; partitions are overwritten by date and must stay what they are.",
        statements=sort("readings_by_date", "`ts`"),
    ),
    Truth(
        "logs_with_hour_windows",
        logs_with_hour_windows,
        [
            *each(
                "SELECT level, count(*) FROM lake.db.logs_with_hour_windows WHERE logged_at >= TIMESTAMP '{}' AND logged_at < TIMESTAMP '{}' GROUP BY level",
                [
                    (
                        instant(n % 6 * DAY + n * 5 % 24 * 3600),
                        instant(n % 6 * DAY + n * 5 % 24 * 3600 + 3600),
                    )
                    for n in range(150)
                ],
            ),
            *repeated(
                f"SELECT count(*) FROM lake.db.logs_with_hour_windows WHERE logged_at >= TIMESTAMP '{instant(5 * DAY)}'",
                5,
            ),
        ],
        sound=False,
        first=Change("order", ("logged_at",), "logged_at inside days"),
        also_fine=(
            Change("partition", ("logged_at",), "hours(logged_at) in place of days: a file each"),
        ),
        harmful=(r"ORDERED BY `?level", r"PARTITION FIELD.*level", r"months\("),
        share=(0.85, 0.95),
        why="Queries want an hour of 24, and rows are in no order within the day.",
        statements=sort("logs_with_hour_windows", "`logged_at`"),
    ),
    Truth(
        "sales_by_day_and_store",
        sales_by_day_and_store,
        each(
            "SELECT sum(amount) FROM lake.db.sales_by_day_and_store WHERE sold_at >= TIMESTAMP '{}' AND sold_at < TIMESTAMP '{}'",
            [(instant((11 - n % 8) * DAY), instant((12 - n % 8) * DAY)) for n in range(80)],
        ),
        sound=False,
        first=Change("partition", ("store_id",), "drop store_id"),
        also_fine=(Change("partition", ("store_id",), "bucket(2, store_id) in place of store_id"),),
        harmful=(
            r"DROP PARTITION FIELD.*sold_at",
            r"hours\(",
            r"months\(",
            r"ADD PARTITION FIELD.*amount",
        ),
        share=(0.0, 0.03),
        why="No query asks for a store, and each store's day is a fifteenth of a file: a day opens 30 files where two would do.",
        statements=fields("sales_by_day_and_store", "DROP PARTITION FIELD `store_id`"),
    ),
    Truth(
        "board",
        board,
        [
            *repeated(
                f"SELECT service, avg(latency_ms) FROM lake.db.board WHERE ts >= TIMESTAMP '{instant(24 * DAY)}' GROUP BY service",
                96,
            ),
            *repeated(
                f"SELECT service, max(latency_ms) FROM lake.db.board WHERE ts >= TIMESTAMP '{instant(23 * DAY)}' AND ts < TIMESTAMP '{instant(24 * DAY)}' GROUP BY service",
                24,
            ),
        ],
        sound=False,
        first=Change("partition", ("ts",), "days(ts)"),
        also_fine=(Change("order", ("ts",), "ts over the whole table"),),
        harmful=(r"hours\(", r"PARTITION FIELD.*service", r"ORDERED BY `?(service|latency)"),
        share=(0.93, 0.97),
        why="A dashboard over the newest day reads all 25, as rows were written in no order of time.",
        statements=fields("board", "ADD PARTITION FIELD days(`ts`)"),
    ),
    Truth(
        "clickstream",
        clickstream,
        each(
            "SELECT page, count(*) FROM lake.db.clickstream WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY page",
            [(instant((n % 3) * DAY), instant((n % 3 + 2) * DAY)) for n in range(60)],
        ),
        sound=False,
        first=Change(
            "rewrite_some",
            ("ts",),
            "merge small files inside days, and let the writer commit less often",
        ),
        also_fine=(
            Change("rewrite_some", ("ts",), "the same, sorted by ts"),
            Change("manifests", (), "rewrite_manifests, as each commit left one"),
        ),
        harmful=(r"hours\(", r"PARTITION FIELD.*page", r"ORDERED BY `?page"),
        share=(0.0, 0.03),
        why="A scan of two days opens 120 files of a twentieth of the target size each, which fit into six.",
        statements=(
            "CALL `lake`.system.rewrite_data_files(table => '`lake`.`db`.`clickstream`', options => map('min-input-files', '2'));",
        ),
    ),
    Truth(
        "region_then_anything",
        region_then_anything,
        each(
            "SELECT sum(amount) FROM lake.db.region_then_anything WHERE region = 'eu-{}' AND ordered_at >= TIMESTAMP '{}' AND ordered_at < TIMESTAMP '{}'",
            [
                (n % 5, instant(n * 7 % 39 * DAY), instant((n * 7 % 39 + 1) * DAY))
                for n in range(100)
            ],
        ),
        sound=False,
        first=Change("order", ("region", "ordered_at"), "region, ordered_at"),
        also_fine=(
            Change("partition", ("region",), "partition by region, sorted by ordered_at"),
            Change("order", ("ordered_at", "region"), "ordered_at, region"),
            Change("partition", ("ordered_at",), "days(ordered_at): two to three files each"),
        ),
        harmful=(r"ORDERED BY `amount", r"PARTITION FIELD.*amount", r"hours\("),
        share=(0.82, 0.95),
        why="Files hold one region but all 40 days, so a day of a region reads 20 files of which one or two have it.",
        statements=sort("region_then_anything", "`region`, `ordered_at`"),
    ),
)
