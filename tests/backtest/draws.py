"""What queries ask for, drawn by a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tests.backtest.model import DAYS, Asked
from tests.workloads.rows import DAY, day, instant, rng


def daily(
    seed: int,
    sql: str,
    draw: Callable[[np.random.Generator, int], tuple[object, ...]],
    *,
    a_day: int = 4,
    engine: str = "trino",
) -> Iterator[Asked]:
    """So many queries a day, each with values of its own."""
    generator = rng(seed)
    for number in range(DAYS):
        for _ in range(a_day):
            yield Asked(number, sql.format(*draw(generator, number)), engine)


def lineitem_queries() -> Sequence[Asked]:
    return (
        *daily(
            11,
            "SELECT * FROM t WHERE l_shipdate >= DATE '{}' AND l_shipdate < DATE '{}' "
            "AND l_discount BETWEEN {} AND {} AND l_quantity < 24",
            lambda g, _: _year(g) + _two(g),
            a_day=2,
        ),
        *daily(
            12,
            "SELECT * FROM t WHERE l_shipdate >= DATE '{}' AND l_shipdate < DATE '{}'",
            lambda g, _: _month(g),
            a_day=2,
        ),
        *daily(
            13,
            "SELECT * FROM t WHERE l_receiptdate >= DATE '{}' AND l_receiptdate < DATE '{}'",
            lambda g, _: _month(g),
            a_day=1,
        ),
        *daily(
            14, "SELECT * FROM t WHERE l_shipdate <= DATE '{}'", lambda _, __: (day(-60),), a_day=1
        ),
    )


def _year(g: np.random.Generator) -> tuple[object, ...]:
    first = int(g.integers(0, 6)) * 365 - 2_400
    return day(first), day(first + 365)


def _two(g: np.random.Generator) -> tuple[object, ...]:
    low = int(g.integers(2, 9))
    return low - 1, low + 1


def _month(g: np.random.Generator) -> tuple[object, ...]:
    first = int(g.integers(0, 75)) * 30 - 2_400
    return day(first), day(first + 30)


def tenant_queries() -> Sequence[Asked]:
    weights = 1 / np.arange(1, 301)
    p = weights / weights.sum()
    return tuple(daily(21, "SELECT * FROM t WHERE tenant = {}", lambda g, _: (g.choice(300, p=p),)))


def last_days(seed: int, column: str, a_day: int = 4) -> Iterator[Asked]:
    return daily(
        seed,
        f"SELECT * FROM t WHERE {column} >= TIMESTAMP '{{}} UTC' "
        f"AND {column} < TIMESTAMP '{{}} UTC'",
        recent_day,
        a_day=a_day,
    )


def recent_day(g: np.random.Generator, number: int) -> tuple[object, ...]:
    """One of the last seven days."""
    back = int(g.integers(1, 8))
    first = (number - back) * DAY
    return instant(first), instant(first + DAY)


def eight_stores(g: np.random.Generator, _: int) -> tuple[object, ...]:
    first = int(g.integers(0, 50)) * 8
    return (", ".join(str(first + number) for number in range(8)),)


def score_range(g: np.random.Generator, _: int) -> tuple[object, ...]:
    low = int(g.integers(0, 98_000))
    return low, low + 2_000


def box(g: np.random.Generator, _: int) -> tuple[object, ...]:
    x, y = (int(n) for n in g.integers(0, (1 << 20) * 9 // 10, 2))
    return x, x + (1 << 20) // 10, y, y + (1 << 20) // 10
