"""Rows of the demo tables: made up, and the same in every build."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from prunescope.collectors.predicates.calendar import EPOCH_DAY

CUSTOMERS = 20_000
COUNTRIES = ("DE", "ES", "FR", "IT", "PT", "SE")
STATUSES = ("OPEN", "PAID", "SHIPPED", "RETURNED")
EVENT_KINDS = ("view", "click", "search", "purchase")

_MICROS_PER_DAY = 86_400_000_000


def orders(rng: np.random.Generator, days: Sequence[dt.date], per_day: int) -> pa.Table:
    """Orders of some days, sorted by customer within each day."""
    count = len(days) * per_day
    customer = np.sort(rng.integers(1, CUSTOMERS + 1, (len(days), per_day))).ravel()
    returned = rng.random(count) < 0.02
    return pa.table(
        {
            "order_id": pa.array(rng.permutation(count) + _micros(days[0]) // 1_000_000),
            "order_ts": _instants(rng, days, per_day),
            "customer_id": pa.array(customer),
            "status": _choose(rng, STATUSES, count),
            "amount": _money(rng, count),
            "country": _choose(rng, COUNTRIES, count),
            "note": pa.array(["arrived broken"] * count, mask=~returned),
        }
    )


def customers(rng: np.random.Generator, first: int, count: int) -> pa.Table:
    """Customers with consecutive ids, in no order of anything else."""
    ids = np.arange(first, first + count)
    domains = _choose(rng, ("example.com", "example.net", "example.org"), count).to_pylist()
    signup = rng.integers(0, 2_000, count) + (dt.date(2018, 1, 1) - EPOCH_DAY).days
    return pa.table(
        {
            "customer_id": pa.array(ids),
            "name": pa.array([f"Customer {number}" for number in ids]),
            "email": pa.array(
                [f"c{number}@{domain}" for number, domain in zip(ids, domains, strict=True)]
            ),
            "country": _choose(rng, COUNTRIES, count),
            "signup_date": pa.array(signup.astype(np.int32), pa.date32()),
        }
    )


def events(rng: np.random.Generator, days: Sequence[dt.date], per_day: int) -> pa.Table:
    """Web events of some days, in no order."""
    count = len(days) * per_day
    return pa.table(
        {
            "event_ts": _instants(rng, days, per_day).take(pa.array(rng.permutation(count))),
            "user_id": pa.array(rng.integers(1, CUSTOMERS + 1, count)),
            "kind": _choose(rng, EVENT_KINDS, count),
            "url": pa.array([f"/p/{page}" for page in rng.integers(1, 5_000, count)]),
            "duration_ms": pa.array(rng.integers(1, 60_000, count)),
        }
    )


def sessions(rng: np.random.Generator, days: Sequence[dt.date], per_day: int) -> pa.Table:
    """Web sessions of some days."""
    count = len(days) * per_day
    return pa.table(
        {
            "session_id": pa.array(rng.integers(1, 2**62, count)),
            "started_at": _instants(rng, days, per_day),
            "country": _choose(rng, COUNTRIES, count),
            "user_id": pa.array(rng.integers(1, CUSTOMERS + 1, count)),
            "pages": pa.array(rng.integers(1, 40, count).astype(np.int32)),
        }
    )


def _micros(day: dt.date) -> int:
    return (day - EPOCH_DAY).days * _MICROS_PER_DAY


def _instants(rng: np.random.Generator, days: Sequence[dt.date], per_day: int) -> pa.Array:
    midnights = np.repeat([_micros(day) for day in days], per_day)
    offsets = rng.integers(0, _MICROS_PER_DAY, len(midnights))
    return pa.array(midnights + offsets, pa.timestamp("us", tz="UTC"))


def _choose(rng: np.random.Generator, values: Sequence[str], count: int) -> pa.Array:
    return pa.array(values).take(pa.array(rng.integers(0, len(values), count)))


def _money(rng: np.random.Generator, count: int) -> pa.Array:
    cents: list[Any] = rng.integers(100, 100_000, count).tolist()
    return pa.array([Decimal(value).scaleb(-2) for value in cents], pa.decimal128(12, 2))
