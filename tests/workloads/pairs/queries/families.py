"""Several kinds of queries of one table: one order for all of them, or none."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
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

DAYS = 60
COUNT = DAYS * FILE_ROWS


def events_in_order() -> Layout:
    """60 files in order of time, without partitions; sessions are anywhere."""
    draw = rng(381)
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, DAYS * DAY, COUNT))),
                "session_id": draw.integers(0, 20_000, COUNT),
                "amount": np.arange(COUNT),
            }
        )
    )


def days_of_four_files() -> Layout:
    """A partition for each of 20 days, of four files with any session."""
    draw = rng(382)
    days = np.repeat(np.arange(20), 4 * FILE_ROWS)
    return laid_out(
        table(
            {
                "day": dates(days),
                "session_id": draw.integers(0, 20_000, len(days)),
                "amount": np.arange(len(days)),
            }
        ),
        "day",
    )


def places() -> Layout:
    """100 files of places as they come."""
    draw = rng(384)
    count = 100 * FILE_ROWS
    return laid_out(
        table({"lat": draw.uniform(-90, 90, count), "lon": draw.uniform(-180, 180, count)})
    )


def three_wishes() -> Layout:
    """60 files of orders as they come, without partitions."""
    draw = rng(385)
    return laid_out(
        table(
            {
                "customer_id": draw.integers(0, 9_000, COUNT),
                "due": dates(draw.integers(0, DAYS, COUNT)),
                "state": texts(np.where(draw.random(COUNT) < 0.02, "open", "done")),
            }
        )
    )


PAIRS = (
    # Days are in order, which 30 reports a night use. Ten lookups read all files; an order by
    # session would cost the reports more than it wins, and few ranges of sessions half of that.
    Pair(
        "sessions_against_days",
        events_in_order,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.sessions_against_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 60, 2)],
            ),
            *each(
                "SELECT * FROM lake.db.sessions_against_days WHERE session_id = {}",
                range(5, 20_000, 2_000),
            ),
        ],
        expected=(
            Expected(
                "unclustered_column",
                ("session_id", "ts"),
                (0.3, 0.5),
                True,
                False,
                (r"truncate\(\d+, session_id\), ts",),
            ),
        ),
        never=("ORDERED BY session_id", "sort_order => 'session_id"),
    ),
    # Sessions of a day: an order inside the days does no harm to reports of days.
    Pair(
        "sessions_of_a_day",
        days_of_four_files,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.sessions_of_a_day WHERE day = DATE '{}'",
                map(day, range(20)),
            ),
            *each(
                "SELECT * FROM lake.db.sessions_of_a_day WHERE day = DATE '{}'"
                " AND session_id BETWEEN {} AND {}",
                [(day(n % 20), 450 * n, 450 * n + 200) for n in range(40)],
            ),
        ],
        # 80 files for reports; 160 for sessions, of which 40 or 50 would do.
        expected=(Expected("unclustered_column", ("session_id",), (0.4, 0.51), True, False),),
        never=("DROP",),
    ),
    # Two ranges in each query, each of a tenth: a square of both is a hundredth.
    Pair(
        "places_in_a_square",
        places,
        each(
            "SELECT count(*) FROM lake.db.places_in_a_square"
            " WHERE lat BETWEEN {} AND {} AND lon BETWEEN {} AND {}",
            [
                (n * 8 - 80, n * 8 - 62, (n * 7 % 18) * 18 - 170, (n * 7 % 18) * 18 - 134)
                for n in range(16)
            ],
        ),
        expected=(Expected("unclustered_column", ("lat|lon",), (0.8, 0.98), True, False),),
    ),
    # Three kinds of lookups in a table without any order: the one that asks most is served, another
    # one with it, as customers of each state are in order, or all three by a Z-order.
    Pair(
        "most_ask_for_customers",
        three_wishes,
        [
            *each(
                "SELECT * FROM lake.db.most_ask_for_customers WHERE customer_id = {}",
                range(10, 9_000, 250),
            ),
            *each(
                "SELECT * FROM lake.db.most_ask_for_customers WHERE due = DATE '{}'",
                map(day, range(0, 60, 6)),
            ),
            *repeated("SELECT * FROM lake.db.most_ask_for_customers WHERE state = 'open'", 4),
        ],
        # 36 scans of 50 win 59 files of 60, or 40 about as many, or all of them four in five.
        expected=(Expected("unclustered_column", ("customer_id",), (0.55, 0.85), True, False),),
        allowed=(
            Expected("unclustered_column", ("due",), (0.0, 0.0), False),
            Expected("unclustered_column", ("state",), (0.0, 0.0), False),
        ),
    ),
)
