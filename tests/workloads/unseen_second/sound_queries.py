"""Tables whose queries no layout and no other wording would serve better, or not enough."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

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
from tests.workloads.unseen.truth import Change, sound
from tests.workloads.unseen_second.asked import windows, within


def books_read_whole() -> Layout:
    """60 files in no order of the book."""
    draw = rng(87001)
    count = 60 * FILE_ROWS
    return laid_out(table({"book": draw.permutation(count), "shelf": draw.integers(0, 90, count)}))


def archive_of_letters() -> Layout:
    """64 files in no order, of which two questions were asked on one day."""
    draw = rng(87002)
    count = 64 * FILE_ROWS
    return laid_out(
        table(
            {
                "letter": draw.permutation(count),
                "sent_on": dates(draw.integers(0, 900, count)),
                "folder": draw.integers(0, 300, count),
            }
        )
    )


def checked_parts() -> Layout:
    """70 files; 97 of 100 parts are good, anywhere."""
    draw = rng(87003)
    count = 70 * FILE_ROWS
    return laid_out(
        table(
            {
                "is_good": pa.array(draw.random(count) < 0.97),
                "line": draw.integers(0, 12, count),
                "grams": draw.integers(10, 900, count),
            }
        )
    )


def previewed_events() -> Layout:
    """90 files in no order."""
    draw = rng(87004)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "country": texts(draw.integers(0, 4, count), "c{}"),
                "seen_at": times(draw.uniform(0, 30 * DAY, count)),
                "kind": draw.integers(0, 9, count),
            }
        )
    )


def sales_joined_by_day() -> Layout:
    """30 days of three files, by which tables are joined and nothing is filtered."""
    draw = rng(87005)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "sale_day": dates(np.sort(draw.integers(0, 30, count))),
                "store": draw.integers(0, 500, count),
                "cents": draw.integers(1, 9000, count),
            }
        ),
        "sale_day",
    )


def stores_joined_in_buckets() -> Layout:
    """16 buckets of stores of six files, in order of time inside."""
    draw = rng(87006)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "store": draw.integers(0, 5000, count),
                "moved_at": times(np.sort(draw.uniform(0, 12 * DAY, count))),
                "units": draw.integers(1, 90, count),
            }
        ),
        "bucket(16, store)",
    )


def chats_searched() -> Layout:
    """28 days of three files of chats."""
    draw = rng(87007)
    count = 84 * FILE_ROWS
    return laid_out(
        table(
            {
                "said_at": times(np.sort(draw.uniform(0, 28 * DAY, count))),
                "line": texts(draw.integers(0, 9000, count), "a line that says {}"),
            }
        ),
        "days(said_at)",
    )


def profiles_sampled() -> Layout:
    """60 files in order of the profile."""
    draw = rng(87008)
    count = 60 * FILE_ROWS
    return laid_out(table({"profile": np.arange(count), "features": draw.integers(0, 900, count)}))


def fares_by_hour_of_day() -> Layout:
    """21 days of four files in order of time."""
    draw = rng(87009)
    count = 84 * FILE_ROWS
    return laid_out(
        table(
            {
                "boarded_at": times(np.sort(draw.uniform(0, 21 * DAY, count))),
                "cents": draw.integers(100, 900, count),
            }
        ),
        "days(boarded_at)",
    )


def shops_nearly_everywhere() -> Layout:
    """66 files; of 30 countries, queries want 29."""
    draw = rng(87010)
    count = 66 * FILE_ROWS
    return laid_out(
        table(
            {
                "land": texts(draw.integers(0, 30, count), "L{:02d}"),
                "turnover": draw.integers(0, 90_000, count),
            }
        )
    )


PAIRS = (
    sound(
        "books_read_whole",
        books_read_whole,
        [
            *repeated("SELECT shelf, count(*) FROM lake.db.books_read_whole GROUP BY shelf", 160),
            *each("SELECT * FROM lake.db.books_read_whole WHERE book = {}", [77, 20_411, 31_007]),
        ],
        "160 queries want everything, three a book: an order by it would save 3 of 163, for a rewrite of all.",
    ),
    replace(
        sound(
            "archive_of_letters",
            archive_of_letters,
            [
                *each("SELECT * FROM lake.db.archive_of_letters WHERE letter = {}", [4711]),
                *each(
                    "SELECT count(*) FROM lake.db.archive_of_letters WHERE sent_on >= DATE '{}'",
                    ["2026-11-01"],
                ),
            ],
            "Two different questions, once each, on the only day that is known: nothing to lay a table out by.",
        ),
        days=1,
    ),
    sound(
        "checked_parts",
        checked_parts,
        repeated(
            "SELECT line, avg(grams) FROM lake.db.checked_parts WHERE is_good = true GROUP BY line",
            90,
        ),
        "97 of 100 rows match: at best two of 70 files could be left out.",
    ),
    sound(
        "previewed_events",
        previewed_events,
        [
            *repeated("SELECT * FROM lake.db.previewed_events LIMIT 100", 150, **SPARK),
            *each(
                "SELECT * FROM lake.db.previewed_events WHERE country = 'c{}' LIMIT 50",
                [n % 4 for n in range(60)],
                **SPARK,
            ),
        ],
        "Previews end after the first rows of the first file, whichever these are.",
    ),
    sound(
        "sales_joined_by_day",
        sales_joined_by_day,
        each(
            "SELECT c.week, sum(s.cents) FROM lake.db.sales_joined_by_day AS s JOIN stage.db.calendar AS c"
            " ON s.sale_day = c.day WHERE c.fiscal_week = {} GROUP BY c.week",
            [n % 4 for n in range(60)],
            **SPARK,
        ),
        "The calendar restricts days when queries run, and partitions of days are what lets them be skipped then.",
    ),
    sound(
        "stores_joined_in_buckets",
        stores_joined_in_buckets,
        [
            *repeated(
                "SELECT t.region, sum(m.units) FROM lake.db.stores_joined_in_buckets AS m"
                " JOIN stage.db.store_targets AS t ON m.store = t.store GROUP BY t.region",
                40,
                **SPARK,
            ),
            *each(
                f"SELECT sum(units) FROM lake.db.stores_joined_in_buckets WHERE {within('moved_at')}",
                windows((n % 6 for n in range(30)), 5.5),
                **SPARK,
            ),
        ],
        "Buckets let both tables be joined without a shuffle, and rows inside are in order of time already.",
    ),
    sound(
        "chats_searched",
        chats_searched,
        each(
            "SELECT line FROM lake.db.chats_searched WHERE line LIKE '%{}%'"
            f" AND {within('said_at')}",
            [(n * 37 % 900, *one) for n, one in enumerate(windows(n % 28 for n in range(84)))],
            **SPARK,
        ),
        "A day is three files; a text that may begin anywhere has no range, whatever the order.",
    ),
    sound(
        "profiles_sampled",
        profiles_sampled,
        each(
            "SELECT * FROM lake.db.profiles_sampled WHERE pmod(hash(profile), 100) = {}",
            [n % 100 for n in range(70)],
            **SPARK,
        ),
        "A sample by hash is to be spread over everything: no order and no wording changes that.",
        also_fine=(
            Change("condition", ("profile",), "TABLESAMPLE, or a column that holds the number"),
        ),
    ),
    sound(
        "fares_by_hour_of_day",
        fares_by_hour_of_day,
        each(
            "SELECT avg(cents) FROM lake.db.fares_by_hour_of_day WHERE hour(boarded_at) IN ({}, {})"
            f" AND boarded_at >= TIMESTAMP '{instant(7 * DAY)}'",
            [(n % 22, n % 22 + 1) for n in range(80)],
            **SPARK,
        ),
        "Hours of the day recur in each of the 14 days that the query names: four files of a day, of which "
        "a column of its own could leave one, and no sort by the time can.",
    ),
    sound(
        "shops_nearly_everywhere",
        shops_nearly_everywhere,
        repeated(
            "SELECT land, sum(turnover) FROM lake.db.shops_nearly_everywhere WHERE land IN ("
            + ", ".join(f"'L{n:02d}'" for n in range(30) if n != 19)
            + ") GROUP BY land",
            80,
        ),
        "29 of 30 countries are wanted, so a thirtieth could be skipped at the very most.",
    ),
)
