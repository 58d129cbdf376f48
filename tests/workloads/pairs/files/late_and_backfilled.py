"""Orders that rows got by how they came: numbers that grow, backfills, loads that were sorted."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    instant,
    laid_out,
    rng,
    scaled,
    table,
    texts,
    times,
)

CITIES = ("Aachen", "Bremen", "Celle", "Dresden", "Erfurt", "Fulda", "Gera", "Hamm", "Jena", "Kiel")


def work_orders() -> Layout:
    """110 days of two files each, of orders that are numbered as they come."""
    draw = rng(8821)
    count = 110 * 2 * FILE_ROWS
    return laid_out(
        table(
            {
                "opened_at": times(np.sort(draw.uniform(0, 110 * DAY, count))),
                "work_order": np.arange(count) * 2 + 40_000,
                "machine": draw.integers(0, 90, count),
            }
        ),
        "days(opened_at)",
    )


def stations() -> Layout:
    """Three countries of 40, 20 and 10 files, in order of time, with any city of theirs."""
    draw = rng(8822)
    count = 70 * FILE_ROWS
    countries = draw.choice(3, count, p=[4 / 7, 2 / 7, 1 / 7])
    cities = countries * 40 + draw.integers(0, 40, count)
    return laid_out(
        table(
            {
                "country": texts(np.array(["DE", "FR", "AT"])[countries]),
                "city": texts([f"{CITIES[c % 10]} {c // 10:02d}" for c in cities]),
                "measured_at": times(np.sort(draw.uniform(0, 90 * DAY, count))),
            }
        ),
        "country",
    )


def invoices() -> Layout:
    """60 files of invoices in order of their numbers, of which bounds keep too little."""
    draw = rng(8823)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "invoice_no": texts(np.arange(count), "INVOICE-2026-{:07d}"),
                "amount": draw.integers(1, 90_000, count),
            }
        )
    )


def _premiums(seed: int, days: tuple[float, float], files: int, *, in_order: bool) -> pa.Table:
    draw = rng(seed)
    count = files * FILE_ROWS
    seconds = draw.uniform(days[0] * DAY, days[1] * DAY, count)
    return table(
        {
            "paid_at": times(np.sort(seconds) if in_order else seconds),
            "policy": draw.integers(0, 50_000, count),
        },
        seed,
    )


def backfilled() -> Layout:
    """60 days in order of time, a file each, and 15 files of a backfill of the first 40 days,
    which came in no order."""
    usual = Commit(tuple(cut(_premiums(8824, (0, 60), 60, in_order=True), FILE_ROWS)))
    filled = Commit(tuple(cut(_premiums(8825, (0, 40), 15, in_order=False), FILE_ROWS)))
    return Layout((usual, filled), (), scaled())


def loads_by_account() -> Layout:
    """12 months, each one load of five files in order of accounts."""
    commits = []
    for month in range(12):
        draw = rng(8826 + month)
        count = 5 * FILE_ROWS
        rows = table(
            {
                "posted_on": dates(draw.integers(30 * month, 30 * (month + 1), count)),
                "account": np.sort(draw.integers(0, 9000, count)),
            },
            8826 + month,
        )
        commits.append(Commit(tuple(cut(rows, FILE_ROWS))))
    return Layout(tuple(commits), (), scaled())


def charts() -> Layout:
    """40 files of measurements, which the table's order says are by patient, and are not."""
    draw = rng(8840)
    count = 40 * FILE_ROWS
    made = laid_out(
        table(
            {
                "patient_id": draw.integers(0, 5000, count),
                "taken_at": times(np.sort(draw.uniform(0, 40 * DAY, count))),
            }
        ),
        commits=40,
    )
    return Layout(made.commits, (), made.properties, declared=("patient_id",))


def grid() -> Layout:
    """64 files of drives, each of an eighth by an eighth of a map, as along a curve."""
    draw = rng(8841)
    count = 64 * FILE_ROWS
    x, y = draw.integers(0, 64, count), draw.integers(0, 64, count)
    curve = sum(((x >> bit) & 1) << (2 * bit) | ((y >> bit) & 1) << (2 * bit + 1) for bit in range(6))
    order = np.argsort(curve, kind="stable")
    return laid_out(
        table(
            {"cell_x": x[order], "cell_y": y[order], "speed": draw.integers(0, 130, count)},
        )
    )


PAIRS = (
    # Numbers grow with time, so bounds tell the one file of an order.
    Pair(
        "work_orders_by_number",
        work_orders,
        each(
            "SELECT * FROM lake.db.work_orders_by_number WHERE work_order = {}",
            range(40_000, 304_000, 5000),
        ),
        tempting={
            "no_partition_filter": "bounds tell the file",
            "misaligned_partitioning": "days keep numbers together",
            "unclustered_column": "numbers are in order",
            "row_groups_not_pruned": "a file is one row group of a few megabytes",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A city is in all files of its country, and its name within the bounds of all others.
    Pair(
        "stations_of_a_city",
        stations,
        [
            *each(
                "SELECT * FROM lake.db.stations_of_a_city WHERE city = '{}'",
                [f"{CITIES[n % 10]} {n // 10:02d}" for n in range(0, 120, 4)],
            ),
            *each(
                "SELECT * FROM lake.db.stations_of_a_city WHERE country = '{}' AND city = '{}'",
                [("DE", f"{CITIES[n % 10]} {n // 10:02d}") for n in range(0, 40, 3)],
            ),
        ],
        expected=(
            Expected("unclustered_column|no_partition_filter", ("city",), (0.8, 0.97), True, False),
        ),
        allowed=(
            Expected("misaligned_partitioning", ()),
            Expected("unclustered_column", ("city",)),
            Expected("no_partition_filter", ("city",)),
        ),
    ),
    # Sixteen characters end within the number: seventeen files begin alike.
    Pair(
        "invoices_of_sixteen_characters",
        invoices,
        each(
            "SELECT * FROM lake.db.invoices_of_sixteen_characters"
            " WHERE invoice_no = 'INVOICE-2026-{:07d}'",
            range(40, 36_000, 1200),
            **SPARK,
        ),
        expected=(Expected("truncated_bounds", ("invoice_no",), (0.8, 0.98), True, False),),
        tempting={
            "unclustered_column": "rows are in order of it",
            "row_groups_not_pruned": "the files are the fault",
        },
        never=("PARTITION FIELD",),
    ),
    # A backfill of old days is in nobody's way who asks for the newest.
    Pair(
        "premiums_of_newest_days",
        backfilled,
        each(
            "SELECT count(*) FROM lake.db.premiums_of_newest_days WHERE paid_at >= TIMESTAMP '{}'",
            [instant((59 - n % 4) * DAY) for n in range(48)],
        ),
        tempting={
            "unclustered_column": "the newest files have the newest days",
            "small_files": "files are as large as they should be",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Each of the backfill's files has each of its days.
    Pair(
        "premiums_of_filled_days",
        backfilled,
        each(
            "SELECT count(*) FROM lake.db.premiums_of_filled_days"
            " WHERE paid_at >= TIMESTAMP '{}' AND paid_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 39)],
        ),
        expected=(Expected("unclustered_column", ("paid_at",), (0.7, 0.97), True, False),),
    ),
    # Twelve files of an account, of which two would do; months would lose what they have.
    Pair(
        "accounts_in_loads_of_months",
        loads_by_account,
        [
            *each(
                "SELECT sum(account) FROM lake.db.accounts_in_loads_of_months"
                " WHERE posted_on >= DATE '{}' AND posted_on < DATE '{}'",
                [(day(30 * (n % 12)), day(30 * (n % 12 + 1))) for n in range(100)],
            ),
            *each(
                "SELECT * FROM lake.db.accounts_in_loads_of_months WHERE account = {}",
                range(40, 9000, 900),
            ),
        ],
        allowed=(Expected("unclustered_column", ("account",), statements=False),),
        tempting={
            "small_files": "files are as large as they should be",
            "row_groups_not_pruned": "a file is one row group of a few megabytes",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # The order is declared, and no writer kept to it.
    Pair(
        "charts_by_an_order_nobody_kept",
        charts,
        each(
            "SELECT * FROM lake.db.charts_by_an_order_nobody_kept WHERE patient_id = {}",
            range(13, 5000, 130),
        ),
        expected=(Expected("unclustered_column", ("patient_id",), (0.85, 0.98), True, False),),
        tempting={"small_files": "files are as large as they should be"},
        never=("PARTITION FIELD",),
    ),
    # Either one alone, and both, are served by the curve.
    Pair(
        "drives_on_a_grid",
        grid,
        [
            *each(
                "SELECT avg(speed) FROM lake.db.drives_on_a_grid"
                " WHERE cell_x BETWEEN {} AND {} AND cell_y BETWEEN {} AND {}",
                [(n % 60, n % 60 + 3, n * 7 % 60, n * 7 % 60 + 3) for n in range(60)],
            ),
            *each(
                "SELECT avg(speed) FROM lake.db.drives_on_a_grid WHERE cell_x = {}", range(3, 64, 9)
            ),
            *each(
                "SELECT avg(speed) FROM lake.db.drives_on_a_grid WHERE cell_y = {}", range(2, 64, 9)
            ),
        ],
        tempting={
            "unclustered_column": "an order of one of them loses the other",
            "row_groups_not_pruned": "a file is one row group of a few megabytes",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
