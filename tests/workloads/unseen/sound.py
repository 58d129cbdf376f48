"""Tables of which nothing should be told to change."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa

from tests.workloads.layouts import apply
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, curve, sound


def currencies() -> Layout:
    """Two files."""
    draw = rng(95001)
    count = 2 * FILE_ROWS
    return laid_out(
        table(
            {
                "code": texts(draw.integers(0, 150, count), "C{:03d}"),
                "rate": draw.integers(1, 900, count),
            }
        )
    )


def yearly_audit() -> Layout:
    """60 files in no order, of which one query a month asks."""
    draw = rng(95002)
    count = 60 * FILE_ROWS
    return laid_out(
        table({"entry_id": draw.permutation(count), "cents": draw.integers(0, 9000, count)})
    )


def sessions_sorted() -> Layout:
    """14 days of eight files, sorted by user inside."""
    draw = rng(95003)
    count = 112 * FILE_ROWS
    seconds = draw.uniform(0, 14 * DAY, count)
    user = draw.integers(0, 8000, count)
    order = np.lexsort((user, seconds // DAY))
    return laid_out(table({"ts": times(seconds[order]), "user_id": user[order]}), "days(ts)")


def inventory() -> Layout:
    """50 files, always read whole."""
    draw = rng(95004)
    count = 50 * FILE_ROWS
    return laid_out(
        table(
            {
                "item": draw.permutation(count),
                "warehouse": draw.integers(0, 20, count),
                "units": draw.integers(0, 99, count),
            }
        )
    )


def lines_to_join() -> Layout:
    """70 files, joined whole with what is not audited."""
    draw = rng(95005)
    count = 70 * FILE_ROWS
    return laid_out(
        table(
            {
                "order_id": draw.permutation(count),
                "product_id": draw.integers(0, 4000, count),
                "units": draw.integers(1, 9, count),
            }
        )
    )


def tasks_mostly_done() -> Layout:
    """60 files; nine in ten tasks are done, anywhere."""
    draw = rng(95006)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "task_id": draw.permutation(count),
                "state": texts(np.where(draw.random(count) < 0.9, "done", "open").tolist()),
                "minutes": draw.integers(1, 900, count),
            }
        )
    )


def trades_by_hour() -> Layout:
    """Four days of hours, each a file and a half."""
    draw = rng(95007)
    count = 96 * 900
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 4 * DAY, count))),
                "symbol": draw.integers(0, 300, count),
            }
        ),
        "hours(ts)",
    )


def wallets_one_file_each() -> Layout:
    """64 buckets of one file."""
    draw = rng(95008)
    count = 64 * 560
    return laid_out(
        table(
            {"wallet_id": draw.integers(0, 15_000, count), "cents": draw.integers(0, 9000, count)}
        ),
        "bucket(64, wallet_id)",
    )


@cache
def map_tiles() -> Layout:
    """100 files along Hilbert's curve of both coordinates."""
    draw = rng(95009)
    count = 100 * FILE_ROWS
    made = laid_out(
        table({"x": draw.integers(0, 1 << 20, count), "y": draw.integers(0, 1 << 20, count)})
    )
    return apply(curve("map_tiles", "hilbert(`x`, `y`)"), made)


def visits_in_buckets() -> Layout:
    """Ten buckets of the patient, of ten files each, in order of time inside."""
    draw = rng(95010)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "patient": draw.integers(0, 20_000, count),
                "visited_at": times(np.sort(draw.uniform(0, 100 * DAY, count))),
            }
        ),
        "bucket(10, patient)",
    )


def products_scd() -> Layout:
    """60 files sorted by product; versions of one are side by side."""
    draw = rng(95011)
    count = 60 * FILE_ROWS
    product = np.sort(draw.integers(0, 9000, count))
    return laid_out(
        table(
            {
                "product_id": product,
                "is_current": pa.array(draw.random(count) < 0.2),
                "price": draw.integers(1, 9000, count),
            }
        )
    )


def jobs_open_at_the_end() -> Layout:
    """90 files in order of time, of which the newest three have what is not done."""
    draw = rng(95012)
    count = 90 * FILE_ROWS
    state = np.full(count, "done", dtype=object)
    newest = np.arange(count) >= 87 * FILE_ROWS
    state[newest] = np.array(["done", "queued", "running"])[draw.integers(0, 3, int(newest.sum()))]
    return laid_out(
        table(
            {
                "job_id": np.arange(count),
                "begun_at": times(np.sort(draw.uniform(0, 45 * DAY, count))),
                "state": texts(state.tolist()),
            }
        )
    )


def payroll() -> Layout:
    """Twelve months of five files."""
    draw = rng(95013)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "paid_on": dates(np.sort(draw.integers(0, 365, count))),
                "employee": draw.integers(0, 3000, count),
            }
        ),
        "months(paid_on)",
    )


def deliveries_late() -> Layout:
    """16 days of events in five files each; one row in fifty came up to two days late."""
    draw = rng(95014)
    count = 80 * FILE_ROWS
    at = np.sort(draw.uniform(0, 16 * DAY, count))
    late = draw.random(count) < 0.02
    arrived = at + np.where(late, draw.uniform(0, 2 * DAY, count), 0)
    order = np.argsort(arrived)
    return laid_out(
        table(
            {
                "event_at": times(at[order]),
                "arrived_at": times(arrived[order]),
                "route": draw.integers(0, 200, count),
            }
        ),
        "days(event_at)",
    )


def tenants_of_their_own() -> Layout:
    """Twelve tenants of two to twenty files."""
    draw = rng(95015)
    sizes = np.array([20, 15, 12, 10, 8, 6, 5, 4, 4, 3, 2, 2]) * FILE_ROWS
    count = int(sizes.sum())
    tenant = draw.permutation(np.repeat(np.arange(12), sizes))
    return laid_out(
        table({"tenant": texts(tenant, "t{:02d}"), "units": draw.integers(0, 99, count)}), "tenant"
    )


def calls() -> Layout:
    """20 days of four files."""
    draw = rng(95016)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "called_at": times(np.sort(draw.uniform(0, 20 * DAY, count))),
                "agent": texts(draw.integers(0, 90, count), "Agent {:02d}"),
            }
        ),
        "days(called_at)",
    )


def archive_and_days() -> Layout:
    """60 old files of no partition, which nobody asks for, and eight new days of four files."""
    draw = rng(95017)
    old = laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY - 1, 60 * FILE_ROWS)),
                "unit": draw.integers(0, 99, 60 * FILE_ROWS),
            }
        )
    )
    new = laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(60 * DAY, 68 * DAY, 32 * FILE_ROWS))),
                "unit": draw.integers(0, 99, 32 * FILE_ROWS),
            }
        ),
        "days(ts)",
    )
    return replace(new, commits=(*old.commits, *new.commits))


def traces_without_metrics_of_text() -> Layout:
    """30 days of three files; the message has no metrics, on purpose."""
    draw = rng(95018)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 30 * DAY, count))),
                "message": texts(draw.integers(0, 9000, count), "message number {}"),
            }
        ),
        "days(ts)",
        properties={"write.metadata.metrics.column.message": "none"},
    )


def grades() -> Layout:
    """60 files, of whose rows nearly nine in ten are asked for."""
    draw = rng(95019)
    count = 60 * FILE_ROWS
    return laid_out(
        table({"pupil": draw.permutation(count), "points": draw.integers(0, 100, count)})
    )


def stream_of_today() -> Layout:
    """19 days of four good files, and one day of 16 small ones that is still being written."""
    draw = rng(95020)
    done = table(
        {
            "ts": times(np.sort(draw.uniform(0, 19 * DAY, 76 * FILE_ROWS))),
            "page": draw.integers(0, 99, 76 * FILE_ROWS),
        }
    )
    today = table(
        {
            "ts": times(np.sort(draw.uniform(19 * DAY, 20 * DAY, 16 * 100))),
            "page": draw.integers(0, 99, 1600),
        }
    )
    old = laid_out(done, "days(ts)")
    new = laid_out(today, "days(ts)", commits=16, file_rows=100)
    return replace(old, commits=(*old.commits, *new.commits))


PAIRS = (
    sound(
        "currencies",
        currencies,
        each("SELECT rate FROM lake.db.currencies WHERE code = 'C{:03d}'", range(150)),
        "Two files are as good as one.",
    ),
    sound(
        "yearly_audit",
        yearly_audit,
        repeated("SELECT cents FROM lake.db.yearly_audit WHERE entry_id = 77", 1),
        "One query a month does not pay for a rewrite.",
    ),
    sound(
        "sessions_sorted",
        sessions_sorted,
        [
            *each(
                "SELECT * FROM lake.db.sessions_sorted WHERE user_id = {} AND ts >= TIMESTAMP '{}'",
                [(n * 79 % 8000, instant(7 * DAY)) for n in range(100)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.sessions_sorted WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(d * DAY), instant((d + 1) * DAY)) for d in range(14)],
            ),
        ],
        "Days are partitions, and a user is in one file of each.",
    ),
    sound(
        "inventory",
        inventory,
        repeated("SELECT warehouse, sum(units) FROM lake.db.inventory GROUP BY warehouse", 50),
        "Everything is asked for.",
    ),
    sound(
        "lines_to_join",
        lines_to_join,
        repeated(
            "SELECT p.brand, sum(l.units) FROM lake.db.lines_to_join AS l JOIN stage.db.products AS p ON l.product_id = p.product_id GROUP BY p.brand",
            30,
        ),
        "A join without filters needs all rows; no layout helps.",
        also_fine=(),
    ),
    sound(
        "tasks_mostly_done",
        tasks_mostly_done,
        repeated("SELECT sum(minutes) FROM lake.db.tasks_mostly_done WHERE state = 'done'", 60),
        "Nine in ten rows match: nothing could be skipped.",
    ),
    sound(
        "trades_by_hour",
        trades_by_hour,
        each(
            "SELECT symbol, count(*) FROM lake.db.trades_by_hour WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY symbol",
            [(instant(n % 96 * 3600), instant((n % 96 + 1) * 3600)) for n in range(120)],
        ),
        "Hours are asked for, and an hour fills a file.",
    ),
    sound(
        "wallets_one_file_each",
        wallets_one_file_each,
        each(
            "SELECT * FROM lake.db.wallets_one_file_each WHERE wallet_id = {}",
            [n * 73 % 15_000 for n in range(200)],
        ),
        "A lookup reads one file, and cannot read less.",
    ),
    sound(
        "map_tiles",
        map_tiles,
        each(
            "SELECT * FROM lake.db.map_tiles WHERE x BETWEEN {} AND {} AND y BETWEEN {} AND {}",
            [
                (a := n * 7919 % 940_000, a + 100_000, b := n * 104_729 % 940_000, b + 100_000)
                for n in range(90)
            ],
        ),
        "Rows are along a curve of what the boxes ask for already.",
    ),
    sound(
        "visits_in_buckets",
        visits_in_buckets,
        [
            *each(
                "SELECT * FROM lake.db.visits_in_buckets WHERE patient = {}",
                [n * 97 % 20_000 for n in range(150)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.visits_in_buckets WHERE visited_at >= TIMESTAMP '{}' AND visited_at < TIMESTAMP '{}'",
                [(instant(n % 99 * DAY), instant((n % 99 + 1) * DAY)) for n in range(150)],
            ),
        ],
        "Buckets of the key in order of time serve both groups; any other order takes from one what it gives to the other.",
    ),
    sound(
        "products_scd",
        products_scd,
        each(
            "SELECT * FROM lake.db.products_scd WHERE product_id = {} AND is_current",
            [n * 59 % 9000 for n in range(150)],
        ),
        "A product is in one file; the flag changes and must not be laid out by.",
    ),
    sound(
        "jobs_open_at_the_end",
        jobs_open_at_the_end,
        repeated(
            "SELECT job_id FROM lake.db.jobs_open_at_the_end WHERE state <> 'done'", 60, **SPARK
        ),
        "Iceberg 1.11 rules out files of one state by <>, so three files are read, which hold what is wanted.",
    ),
    sound(
        "payroll",
        payroll,
        each(
            "SELECT sum(employee) FROM lake.db.payroll WHERE paid_on >= DATE '2026-{:02d}-01' AND paid_on < DATE '2026-{:02d}-01'",
            [(1 + n % 11, 2 + n % 11) for n in range(60)],
        ),
        "Whole months are asked of partitions of months.",
    ),
    sound(
        "deliveries_late",
        deliveries_late,
        each(
            "SELECT route, count(*) FROM lake.db.deliveries_late WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}' GROUP BY route",
            [(instant(n % 16 * DAY), instant((n % 16 + 1) * DAY)) for n in range(80)],
        ),
        "Late rows go to the partition of their day: days of events are read, and no more.",
    ),
    sound(
        "tenants_of_their_own",
        tenants_of_their_own,
        each(
            "SELECT sum(units) FROM lake.db.tenants_of_their_own WHERE tenant = 't{:02d}'",
            [n % 12 for n in range(96)],
        ),
        "Each tenant is a partition of whole files, all of whose rows match.",
    ),
    sound(
        "calls_of_an_hour_and_name",
        calls,
        each(
            "SELECT count(*) FROM lake.db.calls_of_an_hour_and_name WHERE called_at >= TIMESTAMP '{}' AND called_at < TIMESTAMP '{}' AND hour(called_at) >= 8 AND lower(agent) <> 'agent 00'",
            [(instant(n % 20 * DAY), instant((n % 20 + 1) * DAY)) for n in range(80)],
            **SPARK,
        ),
        "The day prunes; the functions beside it select most of what is left.",
    ),
    sound(
        "archive_and_days",
        archive_and_days,
        each(
            "SELECT unit, count(*) FROM lake.db.archive_and_days WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY unit",
            [(instant((60 + n % 8) * DAY), instant((61 + n % 8) * DAY)) for n in range(80)],
        ),
        "Files of the old spec are ruled out by their bounds, and nobody asks for them.",
    ),
    sound(
        "traces_without_metrics_of_text",
        traces_without_metrics_of_text,
        each(
            "SELECT message FROM lake.db.traces_without_metrics_of_text WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n % 30 * DAY), instant((n % 30 + 1) * DAY)) for n in range(90)],
        ),
        "The column without bounds is never compared.",
    ),
    sound(
        "grades",
        grades,
        each(
            "SELECT avg(points) FROM lake.db.grades WHERE points >= {}",
            [4 + n % 14 for n in range(60)],
        ),
        "Nearly nine in ten rows match, so a sort would win little and be a rewrite of everything.",
        r"PARTITION FIELD",
        also_fine=(Change("order", ("points",), "points: a tenth of the bytes"),),
    ),
    sound(
        "stream_of_today",
        stream_of_today,
        each(
            "SELECT page, count(*) FROM lake.db.stream_of_today WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY page",
            [(instant(d * DAY), instant((d + 1) * DAY)) for d in [19] * 40 + list(range(10, 19))],
        ),
        "Sixteen small files of today are merged by tonight's compaction: no cause to change the table.",
        r"PARTITION FIELD",
        r"ORDERED BY",
        also_fine=(Change("rewrite_some", ("ts",), "merge the files of the newest day"),),
    ),
)
