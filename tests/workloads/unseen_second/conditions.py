"""Conditions that have to be written otherwise, alone or before another layout."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

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
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, Truth
from tests.workloads.unseen_second.asked import windows, within

TRINO = {"engine": "trino", "engine_version": "482", "iceberg_version": "1.11.0"}
NO_LAYOUT = (r"PARTITION FIELD", r"ORDERED BY", r"rewrite_data_files")
FIRSTS = (20260101, 20260201, 20260301, 20260401, 20260501, 20260601)


def kiosk_sales() -> Layout:
    """72 files of 36 days in order of time."""
    draw = rng(85001)
    count = 72 * FILE_ROWS
    return laid_out(
        table(
            {
                "sold_at": times(np.sort(draw.uniform(0, 36 * DAY, count))),
                "kiosk": draw.integers(0, 200, count),
            }
        )
    )


def balances_by_day_key() -> Layout:
    """66 files in order of a day that is a number, as 20260131."""
    draw = rng(85002)
    count = 66 * FILE_ROWS
    days = np.sort(draw.integers(0, 181, count))
    keys = [int(f"{day(number):%Y%m%d}") for number in range(181)]
    return laid_out(
        table(
            {
                "day_key": np.array(keys)[days],
                "account": draw.integers(0, 9000, count),
                "cents": draw.integers(0, 90_000, count),
            }
        )
    )


def spare_parts() -> Layout:
    """80 files in order of the code, which begins with one of eight countries."""
    draw = rng(85003)
    count = 80 * FILE_ROWS
    number = np.sort(draw.integers(0, 80_000, count))
    lands = ["AT", "BE", "CH", "DE", "ES", "FR", "IT", "NL"]
    codes = [f"{lands[n // 10_000]}-{n % 10_000:04d}" for n in number]
    return laid_out(table({"code": texts(codes), "stock": draw.integers(0, 900, count)}))


def contracts_with_open_end() -> Layout:
    """80 files in order of the day of the end, of which the last eight have none."""
    draw = rng(85004)
    count = 80 * FILE_ROWS
    ended = np.sort(draw.integers(0, 720, count))
    first = dates([0]).cast(pa.int32())[0].as_py()
    is_open = np.arange(count) >= 72 * FILE_ROWS
    return laid_out(
        table(
            {
                "contract": draw.permutation(count),
                "ended_on": pa.array(
                    (ended * count // (72 * FILE_ROWS) + first).astype(np.int32),
                    pa.int32(),
                    mask=is_open,
                ).cast(pa.date32()),
            }
        )
    )


def branches_of_regions() -> Layout:
    """Four regions of 16 files, in order of the branch inside."""
    draw = rng(85005)
    count = 64 * FILE_ROWS
    region = draw.integers(0, 4, count)
    branch = np.sort(draw.integers(0, 1000, count))
    return laid_out(
        table(
            {
                "region": texts([("north", "east", "south", "west")[n] for n in region]),
                "branch": texts(branch, "{:03d}"),
                "cents": draw.integers(0, 90_000, count),
            }
        ),
        "region",
    )


def gate_entries() -> Layout:
    """Eight days of twelve files, in no order inside."""
    draw = rng(85006)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "entered_at": times(draw.uniform(0, 8 * DAY, count)),
                "gate": draw.integers(0, 30, count),
            }
        ),
        "days(entered_at)",
    )


def museum_tickets() -> Layout:
    """72 files of six months, in no order."""
    draw = rng(85007)
    count = 72 * FILE_ROWS
    return laid_out(
        table(
            {
                "sold_at": times(draw.uniform(0, 181 * DAY, count)),
                "museum": draw.integers(0, 40, count),
            }
        )
    )


PAIRS = (
    Truth(
        "kiosk_sales",
        kiosk_sales,
        each(
            "SELECT kiosk, count(*) FROM lake.db.kiosk_sales"
            " WHERE date_format(sold_at, 'yyyy-MM-dd HH') = '{}' GROUP BY kiosk",
            [instant(n * 13 % 860 * 3600)[:13] for n in range(90)],
            **SPARK,
        ),
        sound=False,
        first=Change(
            "condition", ("sold_at",), "sold_at >= '2026-01-05 13:00' AND sold_at < '… 14:00'"
        ),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.96, 0.99),
        why="Rows are in order of time, of which Spark can use nothing through date_format; an hour is in 1 of 72 files.",
        rewritten=each(
            f"SELECT kiosk, count(*) FROM lake.db.kiosk_sales WHERE {within('sold_at')} GROUP BY kiosk",
            windows((n * 13 % 860 / 24 for n in range(90)), 1 / 24),
            **SPARK,
        ),
    ),
    Truth(
        "balances_by_day_key",
        balances_by_day_key,
        each(
            "SELECT sum(cents) FROM lake.db.balances_by_day_key WHERE CAST(day_key AS varchar) LIKE '{}%'",
            [f"20260{1 + n % 6}" for n in range(66)],
            **TRINO,
        ),
        sound=False,
        first=Change("condition", ("day_key",), "day_key BETWEEN 20260301 AND 20260331"),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.79, 0.84),
        why="A number is compared as text; a month is eleven of 66 files and one more, as rows are in order of it.",
        rewritten=each(
            "SELECT sum(cents) FROM lake.db.balances_by_day_key WHERE day_key BETWEEN {} AND {}",
            [(FIRSTS[n % 6], FIRSTS[n % 6] + 30) for n in range(66)],
            **TRINO,
        ),
    ),
    Truth(
        "spare_parts",
        spare_parts,
        each(
            "SELECT code, stock FROM lake.db.spare_parts WHERE left(code, 4) = '{}-{}'",
            [
                (("AT", "BE", "CH", "DE", "ES", "FR", "IT", "NL")[n % 8], n * 3 % 10)
                for n in range(80)
            ],
            **SPARK,
        ),
        sound=False,
        first=Change("condition", ("code",), "code LIKE 'DE-0%'"),
        also_fine=(Change("condition", ("code",), "code >= 'DE-0' AND code < 'DE-1'"),),
        harmful=NO_LAYOUT,
        share=(0.96, 0.99),
        why="Files are in order of the code, whose first four characters are cut out: an eightieth of the rows, 2 files.",
        rewritten=each(
            "SELECT code, stock FROM lake.db.spare_parts WHERE code LIKE '{}-{}%'",
            [
                (("AT", "BE", "CH", "DE", "ES", "FR", "IT", "NL")[n % 8], n * 3 % 10)
                for n in range(80)
            ],
            **SPARK,
        ),
    ),
    Truth(
        "contracts_with_open_end",
        contracts_with_open_end,
        each(
            "SELECT count(contract) FROM lake.db.contracts_with_open_end"
            " WHERE coalesce(ended_on, DATE '9999-12-31') >= DATE '{}'",
            [day(660 + n % 60) for n in range(90)],
            **SPARK,
        ),
        sound=False,
        first=Change(
            "condition", ("ended_on",), "(ended_on >= DATE '2027-11-01' OR ended_on IS NULL)"
        ),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.82, 0.9),
        why="Contracts of the last weeks or without an end are in 8 files and up to 6 more of 80; around the "
        "column, coalesce tells the planner nothing.",
        rewritten=each(
            "SELECT count(contract) FROM lake.db.contracts_with_open_end"
            " WHERE (ended_on >= DATE '{}' OR ended_on IS NULL)",
            [day(660 + n % 60) for n in range(90)],
            **SPARK,
        ),
    ),
    Truth(
        "branches_of_regions",
        branches_of_regions,
        each(
            "SELECT sum(cents) FROM lake.db.branches_of_regions WHERE concat(region, '-', branch) = '{}-{:03d}'",
            [(("north", "east", "south", "west")[n % 4], n * 7 % 1000) for n in range(96)],
            **SPARK,
        ),
        sound=False,
        first=Change("condition", ("region", "branch"), "region = 'north' AND branch = '017'"),
        also_fine=(),
        harmful=NO_LAYOUT,
        share=(0.96, 0.99),
        why="Two columns, one of partitions and one of the order inside, are compared as one text: one of 64 files.",
        rewritten=each(
            "SELECT sum(cents) FROM lake.db.branches_of_regions WHERE region = '{}' AND branch = '{:03d}'",
            [(("north", "east", "south", "west")[n % 4], n * 7 % 1000) for n in range(96)],
            **SPARK,
        ),
    ),
    Truth(
        "gate_entries",
        gate_entries,
        each(
            "SELECT gate, count(*) FROM lake.db.gate_entries"
            " WHERE date_trunc('hour', entered_at) = TIMESTAMP '{}' GROUP BY gate",
            [instant(n * 5 % 192 * 3600) for n in range(120)],
            **SPARK,
        ),
        sound=False,
        first=Change("condition", ("entered_at",), "a range of one hour of entered_at"),
        also_fine=(),
        harmful=(
            r"DROP PARTITION FIELD",
            r"PARTITION FIELD.*gate",
            r"ORDERED BY `?gate",
            r"months\(",
        ),
        share=(0.85, 0.9),
        why="The range leaves a day's twelve of 96 files. Only then does an order by entered_at inside days "
        "win, one or two of these twelve: eleven points more, and the second thing to do.",
        rewritten=each(
            f"SELECT gate, count(*) FROM lake.db.gate_entries WHERE {within('entered_at')} GROUP BY gate",
            windows((n * 5 % 192 / 24 for n in range(120)), 1 / 24),
            **SPARK,
        ),
    ),
    Truth(
        "museum_tickets",
        museum_tickets,
        each(
            "SELECT museum, count(*) FROM lake.db.museum_tickets"
            " WHERE year(sold_at) = 2026 AND month(sold_at) = {} GROUP BY museum",
            [1 + n % 6 for n in range(72)],
            **SPARK,
        ),
        sound=False,
        first=Change(
            "condition", ("sold_at",), "a range of one month of sold_at, and then an order by it"
        ),
        also_fine=(
            Change("order", ("sold_at",), "sold_at, told together with the condition"),
            Change("partition", ("sold_at",), "months(sold_at), told together with the condition"),
        ),
        harmful=(r"(days|hours)\(", r"PARTITION FIELD.*museum", r"ORDERED BY `?museum"),
        share=(0.0, 0.84),
        why="Either alone wins nothing: rows are in no order, and Spark pushes no year(). Together a month is "
        "12 or 13 of 72 files.",
        rewritten=each(
            f"SELECT museum, count(*) FROM lake.db.museum_tickets WHERE {within('sold_at')} GROUP BY museum",
            [
                windows([start], length)[0]
                for start, length in ((0, 31), (31, 28), (59, 31), (90, 30), (120, 31), (151, 30))
            ]
            * 12,
            **SPARK,
        ),
    ),
)
