"""Tables and logs of a second author, with what one should say of each before anything is run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from tests.backtest.draws import daily
from tests.backtest.model import DAYS, Asked, Case
from tests.backtest.tables import A_DAY, COMING, COUNT, as_it_comes, fixed, growing, rolling
from tests.workloads.rows import dates, day, rng, table, texts

_WEEKEND = 2


def tickets() -> pa.Table:
    """One ticket of thirty is open; the day on which it was closed is null then."""
    draw = rng(31)
    opened = np.repeat(np.arange(-7, DAYS), A_DAY)
    is_open = draw.random(COMING) < 1 / 30
    closed = dates(opened + draw.integers(0, 20, COMING)).to_pylist()
    values = [None if still else at for still, at in zip(is_open, closed, strict=True)]
    return table(
        {
            "state": texts(np.where(is_open, "open", "closed")),
            "closed_on": pa.array(values, pa.date32()),
            "agent": draw.integers(0, 60, COMING),
        }
    )


def payments() -> pa.Table:
    """Amounts as decimals, of forty countries, of which three have most rows."""
    draw = rng(32)
    weights = 1 / np.arange(1, 41) ** 1.5
    cents = draw.integers(0, 10_000_000, COUNT)
    texts_of = [f"{number // 100}.{number % 100:02d}" for number in cents.tolist()]
    return table(
        {
            "country": texts(draw.choice(40, COUNT, p=weights / weights.sum()), "c{:02d}"),
            "amount": pa.array(texts_of).cast(pa.decimal128(12, 2)),
        }
    )


def transfers() -> pa.Table:
    draw = rng(33)
    return table(
        {"sender": draw.integers(0, 3_000, COUNT), "receiver": draw.integers(0, 3_000, COUNT)}
    )


def bookings() -> pa.Table:
    draw = rng(34)
    return table({"hotel": draw.integers(0, 900, COMING), "guest": draw.integers(0, 9_000, COMING)})


def _weekly() -> Iterator[Asked]:
    """Hotels on five days of a week, guests on the other two."""
    hotels = daily(
        341, "SELECT * FROM t WHERE hotel = {}", lambda g, _: (g.integers(0, 900),), a_day=6
    )
    guests = daily(
        342, "SELECT * FROM t WHERE guest = {}", lambda g, _: (g.integers(0, 9_000),), a_day=6
    )
    yield from (one for one in hotels if one.day % 7 >= _WEEKEND)
    yield from (one for one in guests if one.day % 7 < _WEEKEND)


def _amounts(low: int) -> tuple[int, int]:
    return low, low + 3_000


SECOND_CASES: tuple[Case, ...] = (
    # By closed_on: open tickets come last, a thirtieth of the rows, and days beside each other.
    Case(
        "tickets",
        "Few tickets are open; asked for these by agent, and for those closed on a day",
        rolling(tickets),
        as_it_comes(),
        (
            *daily(
                311,
                "SELECT * FROM t WHERE state = 'open' AND agent = {}",
                lambda g, _: (g.integers(0, 60),),
                a_day=3,
            ),
            *daily(
                312,
                "SELECT * FROM t WHERE closed_on = DATE '{}'",
                lambda g, n: (day(n - int(g.integers(1, 8))),),
                a_day=3,
            ),
        ),
        ("state", "closed_on", "agent"),
    ),
    # By country, and in it by amount: large countries have files of their own ranges.
    Case(
        "payments",
        "Few countries have most payments; asked by country and range of amounts",
        fixed(payments),
        as_it_comes(),
        tuple(
            daily(
                321,
                "SELECT * FROM t WHERE country = 'c{:02d}' AND amount BETWEEN {} AND {}",
                lambda g, _: (int(g.integers(0, 6)), *_amounts(int(g.integers(0, 95_000)))),
                a_day=5,
            )
        ),
        ("country", "amount"),
    ),
    # Any order serves one side of OR alone, and two coarse ones both: a third is what one reads.
    Case(
        "either_party",
        "Asked for an account on either side of a transfer",
        fixed(transfers),
        as_it_comes(),
        tuple(
            daily(
                331,
                "SELECT * FROM t WHERE sender = {0} OR receiver = {0}",
                lambda g, _: (g.integers(0, 3_000),),
                engine="spark",
            )
        ),
        ("sender", "receiver"),
    ),
    # A week always has both groups: what serves five days is worth more than what serves two.
    Case(
        "weekly_rhythm",
        "Hotels are asked for on weekdays, guests on weekends; grows every day",
        growing(bookings),
        as_it_comes(),
        tuple(_weekly()),
        ("hotel", "guest"),
    ),
)
