"""Tables and logs of many kinds. Everything is drawn by a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
import pyarrow as pa

from tests.backtest.model import DAYS, Asked, Case
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    Numbers,
    dates,
    day,
    instant,
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


def _day_numbers() -> Numbers:
    """The day of each row that comes, in order."""
    return np.repeat(np.arange(-BEFORE, DAYS), A_DAY)


def _days(seed: int) -> Numbers:
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


def _lineitem_queries() -> Sequence[Asked]:
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


def tenants() -> pa.Table:
    draw = rng(2)
    weights = 1 / np.arange(1, 301)
    return table(
        {
            "tenant": draw.choice(300, COMING, p=weights / weights.sum()),
            "ts": times(_days(seed=2), "UTC"),
            "amount": draw.integers(0, 10_000, COMING),
        }
    )


def _tenant_queries() -> Sequence[Asked]:
    weights = 1 / np.arange(1, 301)
    p = weights / weights.sum()
    return tuple(daily(21, "SELECT * FROM t WHERE tenant = {}", lambda g, _: (g.choice(300, p=p),)))


def late() -> pa.Table:
    """Rows come in the order of their arrival; one of ten is up to ten days late."""
    draw = rng(3)
    arrived = _days(seed=3)
    delay = np.where(draw.random(COMING) < 0.1, draw.uniform(0, 10 * DAY, COMING), 0)
    return table(
        {
            "ts": times(arrived - delay, "UTC"),
            "device": draw.integers(0, 500, COMING),
        }
    )


def _last_days(seed: int, column: str, a_day: int = 4) -> Iterator[Asked]:
    return daily(
        seed,
        f"SELECT * FROM t WHERE {column} >= TIMESTAMP '{{}} UTC' "
        f"AND {column} < TIMESTAMP '{{}} UTC'",
        _before,
        a_day=a_day,
    )


def _before(g: np.random.Generator, number: int) -> tuple[object, ...]:
    """One of the last seven days."""
    back = int(g.integers(1, 8))
    first = (number - back) * DAY
    return instant(first), instant(first + DAY)


def keys() -> pa.Table:
    """Keys of 36 letters that are drawn at random."""
    return table(
        {
            "id": texts(_uuid(number) for number in range(COUNT)),
            "kind": rng(4).integers(0, 9, COUNT),
        }
    )


def _uuid(number: int) -> str:
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


def _stores(g: np.random.Generator, _: int) -> tuple[object, ...]:
    first = int(g.integers(0, 50)) * 8
    return (", ".join(str(first + number) for number in range(8)),)


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


def _scores(g: np.random.Generator, _: int) -> tuple[object, ...]:
    low = int(g.integers(0, 98_000))
    return low, low + 2_000


def events() -> pa.Table:
    draw = rng(9)
    return table(
        {
            "ts": times(_days(seed=9), "UTC"),
            "kind": texts(draw.choice(["view", "click", "buy"], COMING, p=[0.8, 0.15, 0.05])),
            "amount": draw.integers(0, 1_000, COMING),
        }
    )


def _hours_then_days(rows: pa.Table) -> Layout:
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
            "ts": times(_days(seed=10), "UTC"),
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
            "ts": times(_days(seed=14), "UTC"),
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


def _box(g: np.random.Generator, _: int) -> tuple[object, ...]:
    x, y = (int(n) for n in g.integers(0, (1 << 20) * 9 // 10, 2))
    return x, x + (1 << 20) // 10, y, y + (1 << 20) // 10


CASES: tuple[Case, ...] = (
    Case(
        "tpch_lineitem",
        "TPC-H's lineitem, unclustered; its queries by ship and receipt date",
        fixed(lineitem),
        as_it_comes(),
        _lineitem_queries(),
        ("l_shipdate", "l_discount"),
    ),
    Case(
        "skewed_tenants",
        "300 tenants, the first with a sixth of all rows; partitioned by day, asked by tenant",
        growing(tenants),
        as_it_comes("days(ts)"),
        _tenant_queries(),
        ("tenant", "ts"),
    ),
    Case(
        "late_data",
        "Rows by arrival, a tenth of them late; asked by a day of the event",
        growing(late),
        as_it_comes(),
        tuple(_last_days(31, "ts")),
        ("ts",),
    ),
    Case(
        "uuid_keys",
        "Keys drawn at random; looked up one at a time",
        fixed(keys),
        as_it_comes(),
        tuple(
            daily(
                41,
                "SELECT * FROM t WHERE id = '{}'",
                lambda g, _: (_uuid(int(g.integers(0, COUNT))),),
            )
        ),
        ("id",),
    ),
    Case(
        "correlated_dates",
        "In the order of the days of orders; asked by the day of shipping, which follows it",
        rolling(orders),
        as_it_comes(),
        tuple(
            daily(
                51,
                "SELECT * FROM t WHERE shipped = DATE '{}' AND customer < {}",
                lambda g, n: (day(n - int(g.integers(1, 6))), int(g.integers(500, 2_000))),
            )
        ),
        ("shipped", "customer"),
    ),
    Case(
        "join_restricted",
        "Sales by day; joins ask for eight stores of a town",
        rolling(sales),
        as_it_comes("day"),
        tuple(daily(61, "SELECT * FROM t WHERE store IN ({})", _stores)),
        ("store", "day"),
    ),
    Case(
        "two_groups",
        "One group asks by customer, another by product",
        fixed(two_groups),
        as_it_comes(),
        (
            *daily(
                71,
                "SELECT * FROM t WHERE customer = {}",
                lambda g, _: (g.integers(0, 5_000),),
                a_day=3,
            ),
            *daily(
                72,
                "SELECT * FROM t WHERE product = {}",
                lambda g, _: (g.integers(0, 5_000),),
                a_day=3,
            ),
        ),
        ("customer", "product"),
    ),
    Case(
        "predicate_sorted",
        "In the order of the column that queries ask by",
        fixed(scores),
        sorted_by("score"),
        tuple(
            daily(
                81,
                "SELECT * FROM t WHERE score BETWEEN {} AND {}",
                _scores,
            )
        ),
        ("score",),
        keeps=True,
    ),
    Case(
        "perfect",
        "Partitioned by the day that queries ask for",
        rolling(events),
        as_it_comes("days(ts)"),
        tuple(_last_days(91, "ts")),
        ("ts",),
        keeps=True,
    ),
    Case(
        "hopeless",
        "Queries want nine of ten rows, or ask by what no statistics tell",
        rolling(events),
        as_it_comes(),
        (
            *daily(
                101,
                "SELECT * FROM t WHERE amount > {}",
                lambda g, _: (g.integers(20, 100),),
                a_day=3,
            ),
            *daily(
                102,
                "SELECT * FROM t WHERE amount % 7 = {}",
                lambda g, _: (g.integers(0, 7),),
                a_day=1,
            ),
        ),
        ("amount",),
        keeps=True,
    ),
    Case(
        "hourly_and_daily",
        "Partitioned by day at first, by hour since; asked by day",
        rolling(events),
        _hours_then_days,
        tuple(_last_days(111, "ts")),
        ("ts",),
    ),
    Case(
        "region_and_time",
        "Eight regions over time, unpartitioned; asked by region and the last days",
        rolling(regions),
        as_it_comes(commits=DAYS),
        (
            *daily(
                121,
                "SELECT * FROM t WHERE region = 'region-{}' AND ts >= TIMESTAMP '{} UTC' "
                "AND ts < TIMESTAMP '{} UTC'",
                lambda g, n: (int(g.integers(0, 8)), *_before(g, n)),
                a_day=3,
            ),
            *daily(
                122,
                "SELECT * FROM t WHERE region = 'region-{}'",
                lambda g, _: (int(g.integers(0, 8)),),
                a_day=3,
            ),
        ),
        ("region", "ts"),
    ),
    Case(
        "prefixes",
        "Addresses that are asked for by their beginning, longer than a bound keeps",
        fixed(urls),
        as_it_comes(),
        tuple(
            daily(
                131,
                "SELECT * FROM t WHERE url LIKE 'https://s{:02d}.example.com/%'",
                lambda g, _: (int(g.integers(0, 40)),),
            )
        ),
        ("url",),
    ),
    Case(
        "deleted_rows",
        "One row of a hundred was deleted, anywhere; asked for those",
        fixed(deleted),
        as_it_comes(),
        tuple(daily(141, "SELECT * FROM t WHERE deleted_at IS NOT NULL", lambda _, __: ())),
        ("deleted_at",),
    ),
    Case(
        "three_columns",
        "Readings of devices; asked by device and metric, by metric and time, by device",
        rolling(readings),
        as_it_comes("days(ts)"),
        (
            *daily(
                151,
                "SELECT * FROM t WHERE device = {} AND metric = 'm{:02d}'",
                lambda g, _: (g.integers(0, 200), int(g.integers(0, 20))),
                a_day=3,
            ),
            *daily(
                152,
                "SELECT * FROM t WHERE metric = 'm{:02d}' AND ts >= TIMESTAMP '{} UTC' "
                "AND ts < TIMESTAMP '{} UTC'",
                lambda g, n: (int(g.integers(0, 20)), *_before(g, n)),
                a_day=2,
            ),
            *daily(
                153,
                "SELECT * FROM t WHERE device = {}",
                lambda g, _: (g.integers(0, 200),),
                a_day=2,
            ),
        ),
        ("device", "metric", "ts"),
    ),
    Case(
        "prices",
        "Prices with a long tail; asked by ranges of them, and by category",
        fixed(prices),
        as_it_comes(),
        (
            *daily(
                161,
                "SELECT * FROM t WHERE price >= {}",
                lambda g, _: (g.integers(100, 900),),
                a_day=3,
                engine="spark",
            ),
            *daily(
                162,
                "SELECT * FROM t WHERE category = {}",
                lambda g, _: (g.integers(0, 30),),
                a_day=1,
                engine="spark",
            ),
        ),
        ("price", "category"),
    ),
    Case(
        "hot_days",
        "Half of all rows are of three days; asked by day, and by account within a day",
        fixed(hot_days),
        as_it_comes(),
        (
            *_last_days(171, "at", a_day=3),
            *daily(
                172,
                "SELECT * FROM t WHERE account = {} AND at >= TIMESTAMP '{} UTC' "
                "AND at < TIMESTAMP '{} UTC'",
                lambda g, n: (g.integers(0, 800), *_before(g, n)),
                a_day=3,
            ),
        ),
        ("at", "account"),
    ),
    Case(
        "hashed_users",
        "Buckets of users, which suit half of the queries; the others ask by day",
        rolling(hashed),
        as_it_comes("bucket(16, user_id)"),
        (
            *daily(
                181,
                "SELECT * FROM t WHERE user_id = {}",
                lambda g, _: (g.integers(0, 4_000),),
                a_day=3,
            ),
            *daily(
                182,
                "SELECT * FROM t WHERE day >= DATE '{}'",
                lambda g, n: (day(n - int(g.integers(1, 4))),),
                a_day=3,
            ),
        ),
        ("user_id", "day"),
    ),
    Case(
        "boxes",
        "Points in a plane; asked by boxes",
        fixed(points),
        as_it_comes(),
        tuple(
            daily(
                191,
                "SELECT * FROM t WHERE x BETWEEN {} AND {} AND y BETWEEN {} AND {}",
                _box,
                a_day=6,
            )
        ),
        ("x", "y"),
    ),
)
BY_NAME = {case.name: case for case in CASES}
