"""Layouts that serve conditions only once these are written otherwise, while others skip files by
the order that rows have, and lose that until then."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    times,
)

FIRST = "Write the conditions that the engine does not use as their findings say first"
LATER = "only once they are written as their findings say"


def parcels() -> Layout:
    """40 files by day, with one urgent parcel in fifty."""
    draw = rng(72_001)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "urgent": pa.array(draw.random(count) < 0.02),
                "weight": draw.uniform(0, 1000, count),
                "day": dates(np.sort(draw.integers(0, 40, count))),
            }
        )
    )


def invoices() -> Layout:
    """40 files in order of accounts, with any number in each."""
    draw = rng(72_002)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "account": np.sort(draw.integers(0, 5000, count)),
                "number": draw.integers(0, 90_000, count),
            }
        )
    )


def visits() -> Layout:
    """40 files of guests in their order, and then ten in days: the table was not cut before."""
    draw = rng(72_003)
    count, later = 40 * FILE_ROWS, 10 * FILE_ROWS
    at = times(draw.uniform(0, 40 * DAY, count))
    first = table({"at": at, "guest": np.sort(draw.integers(0, 4000, count))})
    since = times(40 * DAY + np.sort(draw.uniform(0, 10 * DAY, later)))
    then = table({"at": since, "guest": draw.integers(0, 4000, later)}, 1)
    commits = [Commit(loaded(rows, by, FILE_ROWS), by) for rows, by in ((first, ()), (then, CUT))]
    return Layout(tuple(commits), CUT, scaled())


CUT = ("days(at)",)


def pings() -> Layout:
    """40 files in order of time, without bounds of hosts, any of which are in each."""
    draw = rng(72_004)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "host": draw.integers(0, 90_000, count),
                "at": times(np.sort(draw.uniform(0, 30 * DAY, count))),
            }
        ),
        properties={"write.metadata.metrics.column.host": "none"},
    )


def _guests(name: str) -> list[Query]:
    return each(f"SELECT at FROM lake.db.{name} WHERE guest = {{}}", range(5, 4000, 700))


def _accounts(name: str) -> list[Query]:
    return each(f"SELECT number FROM lake.db.{name} WHERE account = {{}}", range(7, 5000, 700))


def _in_ranges(firsts: Iterable[int]) -> list[Query]:
    return each(
        "SELECT count(account) FROM lake.db.invoices_by_bands_and_ranges"
        " WHERE number BETWEEN {} AND {}",
        [(first, first + 99) for first in firsts],
    )


def _on_days(days: Iterable[int]) -> list[Query]:
    return each(
        "SELECT guest FROM lake.db.visits_of_old_days_in_both_ways"
        " WHERE at >= TIMESTAMP '{}' AND at < TIMESTAMP '{}'",
        [(instant(number * DAY), instant((number + 1) * DAY)) for number in days],
    )


PAIRS = (
    Pair(
        "parcels_that_are_urgent_as_numbers",
        parcels,
        [
            *repeated(
                "SELECT weight FROM lake.db.parcels_that_are_urgent_as_numbers"
                " WHERE CAST(urgent AS integer) = 1",
                12,
            ),
            *each(
                "SELECT weight FROM lake.db.parcels_that_are_urgent_as_numbers"
                " WHERE day = DATE '{}'",
                map(day, range(0, 40, 3)),
            ),
        ],
        expected=(
            Expected("unclustered_column", ("urgent",), (0.8, 0.93), False, False, (FIRST,)),
            Expected("wrapped_column", ("urgent",), None, False, True, ("urgent = TRUE",)),
        ),
    ),
    Pair(
        "invoices_by_bands_and_ranges",
        invoices,
        [
            *each(
                "SELECT count(account) FROM lake.db.invoices_by_bands_and_ranges"
                " WHERE number / 100 = {}",
                range(10, 800, 90),
            ),
            *_in_ranges(range(1000, 80_000, 9000)),
            *_accounts("invoices_by_bands_and_ranges"),
        ],
        expected=(
            Expected("unclustered_column", ("number",), (0.5, 0.75), True, False, (LATER,)),
            Expected("wrapped_column", ("number",), None, False, True, ("number >= ",)),
        ),
        rewritten={
            "unclustered_column": [
                *_in_ranges(100 * band for band in range(10, 800, 90)),
                *_in_ranges(range(1000, 80_000, 9000)),
                *_accounts("invoices_by_bands_and_ranges"),
            ],
        },
    ),
    Pair(
        "invoices_by_bands_from_a_number_on",
        invoices,
        [
            *each(
                "SELECT count(account) FROM lake.db.invoices_by_bands_from_a_number_on"
                " WHERE number >= 1000 AND number / 10 = {}",
                range(100, 8000, 800),
            ),
            *_accounts("invoices_by_bands_from_a_number_on"),
        ],
        expected=(
            Expected("unclustered_column", ("number",), (0.25, 0.6), False, False, (FIRST,)),
            Expected("wrapped_column", ("number",), None, False, True, ("number >= ",)),
        ),
    ),
    Pair(
        "visits_of_old_days_in_both_ways",
        visits,
        [
            *each(
                "SELECT guest FROM lake.db.visits_of_old_days_in_both_ways"
                " WHERE date_format(at, '%Y-%m-%d') = '{}'",
                map(day, range(0, 40, 5)),
            ),
            *_on_days(range(0, 40, 5)),
            *_guests("visits_of_old_days_in_both_ways"),
        ],
        expected=(
            Expected("old_spec_files", ("at",), (0.3, 0.7), True, False, (LATER,)),
            Expected("wrapped_column", ("at",), None, False, True, ("at >= ",)),
        ),
        rewritten={
            "old_spec_files": [
                *_on_days([*range(0, 40, 5)] * 2),
                *_guests("visits_of_old_days_in_both_ways"),
            ],
        },
    ),
    Pair(
        "visits_of_old_days_as_texts",
        visits,
        [
            *each(
                "SELECT guest FROM lake.db.visits_of_old_days_as_texts"
                " WHERE date_format(at, '%Y-%m-%d') = '{}'",
                map(day, range(0, 40, 5)),
            ),
            *_guests("visits_of_old_days_as_texts"),
        ],
        expected=(
            Expected("old_spec_files", ("at",), None, False, False, (FIRST,)),
            Expected("wrapped_column", ("at",), None, False, True, ("at >= ",)),
        ),
    ),
    Pair(
        "pings_of_ranges_without_bounds",
        pings,
        [
            *each(
                "SELECT at FROM lake.db.pings_of_ranges_without_bounds WHERE host / 1000 = {}",
                range(1, 90, 9),
            ),
            *each(
                "SELECT host FROM lake.db.pings_of_ranges_without_bounds"
                " WHERE at >= TIMESTAMP '{}'",
                [instant(number * DAY) for number in (27, 28, 29)],
            ),
        ],
        expected=(
            Expected("no_column_metrics", ("host",), (0.5, 0.75), False, False, (FIRST,)),
            Expected("wrapped_column", ("host",), None, False, True, ("host >= ",)),
        ),
    ),
)
