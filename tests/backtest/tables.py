"""Tables of many kinds, whose rows are drawn by a seed, and how they come."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache

import numpy as np
import pyarrow as pa

from tests.backtest.model import DAYS
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    Numbers,
    dates,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)

A_DAY = 800
"""Rows of one day."""
COUNT = DAYS * A_DAY
"""Rows of a table that stays as it is, and of one that keeps its newest ones."""
BEFORE = 7
"""Days before the log begins, of which there are rows already."""
COMING = (BEFORE + DAYS) * A_DAY
"""All rows that a table to which rows are added ever has."""


def growing(make: Callable[[], pa.Table]) -> Callable[[int], pa.Table]:
    """A table to which rows are added every day."""
    made = cache(make)
    return lambda days: made().slice(0, (BEFORE + days) * A_DAY)


def rolling(make: Callable[[], pa.Table]) -> Callable[[int], pa.Table]:
    """A table to which rows are added every day, and which keeps its newest ones."""
    made = cache(make)
    return lambda days: made().slice((BEFORE + days) * A_DAY - COUNT, COUNT)


def fixed(make: Callable[[], pa.Table]) -> Callable[[int], pa.Table]:
    """A table that stays as it is."""
    made = cache(make)
    return lambda days: made()  # noqa: ARG005


def as_it_comes(*partition: str, commits: int = 1) -> Callable[[pa.Table], Layout]:
    """Rows in files as they come, by partition."""
    return lambda rows: laid_out(rows, *partition, commits=commits)


def sorted_by(name: str, *partition: str) -> Callable[[pa.Table], Layout]:
    """Rows in the order of a column, in partitions."""
    return lambda rows: laid_out(rows.sort_by(name), *partition)


def _day_numbers() -> Numbers:
    """The day of each row that comes, in order."""
    return np.repeat(np.arange(-BEFORE, DAYS), A_DAY)


def seconds_of_days(seed: int) -> Numbers:
    """Seconds of rows that come day by day, at any time of it."""
    return _day_numbers() * DAY + rng(seed).integers(0, DAY, COMING)


# TPC-H's lineitem, as its specification draws the rows: dates follow each other.
def lineitem() -> pa.Table:
    draw = rng(1)
    order = draw.integers(0, 2406, COUNT)
    ship = order + draw.integers(1, 122, COUNT)
    commit = order + draw.integers(30, 91, COUNT)
    receipt = ship + draw.integers(1, 31, COUNT)
    return table(
        {
            "l_orderkey": np.arange(COUNT) // 4,
            "l_partkey": draw.integers(0, 20_000, COUNT),
            "l_suppkey": draw.integers(0, 1_000, COUNT),
            "l_quantity": draw.integers(1, 51, COUNT),
            "l_discount": draw.integers(0, 11, COUNT),
            "l_shipdate": dates(ship - 2_500),
            "l_commitdate": dates(commit - 2_500),
            "l_receiptdate": dates(receipt - 2_500),
        }
    )


def tenants() -> pa.Table:
    draw = rng(2)
    weights = 1 / np.arange(1, 301)
    return table(
        {
            "tenant": draw.choice(300, COMING, p=weights / weights.sum()),
            "ts": times(seconds_of_days(seed=2), "UTC"),
            "amount": draw.integers(0, 10_000, COMING),
        }
    )


def late() -> pa.Table:
    """Rows come in the order of their arrival; one of ten is up to ten days late."""
    draw = rng(3)
    arrived = seconds_of_days(seed=3)
    delay = np.where(draw.random(COMING) < 0.1, draw.uniform(0, 10 * DAY, COMING), 0)
    return table(
        {
            "ts": times(arrived - delay, "UTC"),
            "device": draw.integers(0, 500, COMING),
        }
    )


def keys() -> pa.Table:
    """Keys of 36 letters that are drawn at random."""
    return table(
        {
            "id": texts(uuid(number) for number in range(COUNT)),
            "kind": rng(4).integers(0, 9, COUNT),
        }
    )


def uuid(number: int) -> str:
    text = hashlib.sha256(str(number).encode()).hexdigest()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:32]}"


def orders() -> pa.Table:
    """Goods are shipped one to six days after they are ordered, and paid in up to 60."""
    draw = rng(5)
    ordered = _day_numbers()
    return table(
        {
            "ordered": dates(ordered),
            "shipped": dates(ordered + draw.integers(1, 7, COMING)),
            "paid": dates(ordered + draw.integers(0, 61, COMING)),
            "customer": draw.integers(0, 2_000, COMING),
        }
    )


def sales() -> pa.Table:
    """Sales of 400 stores; queries join them with the stores of a town."""
    draw = rng(6)
    return table(
        {
            "store": draw.integers(0, 400, COMING),
            "day": dates(_day_numbers()),
            "amount": draw.integers(0, 1_000, COMING),
        }
    )


def two_groups() -> pa.Table:
    draw = rng(7)
    return table(
        {
            "customer": draw.integers(0, 5_000, COUNT),
            "product": draw.integers(0, 5_000, COUNT),
            "amount": draw.integers(0, 1_000, COUNT),
        }
    )


def scores() -> pa.Table:
    draw = rng(8)
    return table({"score": draw.integers(0, 100_000, COUNT), "n": np.arange(COUNT)})


def events() -> pa.Table:
    draw = rng(9)
    return table(
        {
            "ts": times(seconds_of_days(seed=9), "UTC"),
            "kind": texts(draw.choice(["view", "click", "buy"], COMING, p=[0.8, 0.15, 0.05])),
            "amount": draw.integers(0, 1_000, COMING),
        }
    )


def hours_then_days(rows: pa.Table) -> Layout:
    """By day at first, and then by hour: of small files."""
    half = len(rows) // 2
    commits = (
        Commit(loaded(rows.slice(0, half), ("days(ts)",), FILE_ROWS), ("days(ts)",)),
        Commit(loaded(rows.slice(half), ("hours(ts)",), FILE_ROWS), ("hours(ts)",)),
    )
    return Layout(commits, ("hours(ts)",), scaled())


def regions() -> pa.Table:
    draw = rng(10)
    return table(
        {
            "region": texts(draw.integers(0, 8, COMING), "region-{}"),
            "ts": times(seconds_of_days(seed=10), "UTC"),
            "user_id": draw.integers(0, 3_000, COMING),
        }
    )


def urls() -> pa.Table:
    """Addresses that begin alike for longer than a bound is."""
    draw = rng(12)
    shop = draw.integers(0, 40, COUNT)
    page = draw.integers(0, 500, COUNT)
    made = [f"https://s{a:02d}.example.com/p/{b}" for a, b in zip(shop, page, strict=True)]
    return table({"url": pa.array(made, pa.string()), "n": np.arange(COUNT)})


def deleted() -> pa.Table:
    draw = rng(13)
    gone = draw.random(COUNT) < 0.01
    at = times(draw.uniform(0, 30 * DAY, COUNT)).to_pylist()
    values = [value if g else None for value, g in zip(at, gone, strict=True)]
    return table({"id": np.arange(COUNT), "deleted_at": pa.array(values, pa.timestamp("us"))})


def readings() -> pa.Table:
    draw = rng(14)
    return table(
        {
            "device": draw.integers(0, 200, COMING),
            "metric": texts(draw.integers(0, 20, COMING), "m{:02d}"),
            "ts": times(seconds_of_days(seed=14), "UTC"),
        }
    )


def prices() -> pa.Table:
    draw = rng(15)
    cents = (draw.lognormal(8, 1.2, COUNT)).astype(np.int64)
    decimals = pa.array([f"{c // 100}.{c % 100:02d}" for c in cents]).cast(pa.decimal128(12, 2))
    return table({"price": decimals, "category": draw.integers(0, 30, COUNT)})


def hot_days() -> pa.Table:
    """Half of all rows are of three days."""
    draw = rng(16)
    number = np.where(
        draw.random(COUNT) < 0.5, draw.choice([3, 11, 24], COUNT), draw.integers(0, 30, COUNT)
    )
    return table(
        {
            "at": times(number * DAY + draw.integers(0, DAY, COUNT), "UTC"),
            "account": draw.integers(0, 800, COUNT),
        }
    )


def hashed() -> pa.Table:
    draw = rng(17)
    return table(
        {
            "user_id": draw.integers(0, 4_000, COMING),
            "day": dates(_day_numbers()),
        }
    )


def points() -> pa.Table:
    draw = rng(18)
    return table({"x": draw.integers(0, 1 << 20, COUNT), "y": draw.integers(0, 1 << 20, COUNT)})
