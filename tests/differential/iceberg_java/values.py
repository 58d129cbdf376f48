"""The columns of the tables, and the values that they hold and are compared with."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Pool:
    """The type of a column, and values of it in the single-value JSON form of the table spec.
    The rows of the tables hold some of `values`; comparisons are with those `beyond`, too."""

    type: str
    values: Sequence[Any]
    beyond: Sequence[Any] = ()


_TEXTS = [
    "", "a", "ab", "abc", "abcd", "abd", "b", "bz", "zebra and a long tail of text",
    "é", "日本", "\U0001f600", "\U0001f600x", "日本" * 12, "\U0010ffff" * 20,
]  # fmt: skip
_BYTES = ["", "00", "0001", "61", "6162", "ff", "ffff", "ff" * 20, "00" * 20]
_DATES = [
    "0001-01-01", "1969-12-30", "1969-12-31", "1970-01-01", "1970-01-02",
    "2024-02-28", "2024-02-29", "2024-03-01", "9999-12-31",
]  # fmt: skip
_TIMES_BEFORE_1970 = ["1969-12-31T23:00:00.000001", "1969-12-31T23:59:59.999999"]
_TIMES = [
    *_TIMES_BEFORE_1970, "1970-01-01T00:00:00", "2023-12-31T23:59:59.999999",
    "2024-01-01T00:00:00", "2024-02-29T12:30:00", "2024-02-29T12:59:59.999999",
    "2024-03-01T00:00:00",
]  # fmt: skip
_NANOS = [
    "1969-12-31T23:59:59.999999999", "1970-01-01T00:00:00.000000000",
    "2024-02-29T12:30:00.000000001", "2024-02-29T12:59:59.999999999",
    "2024-03-01T00:00:00.000000000",
]  # fmt: skip

POOLS: Mapping[str, Pool] = {
    "i": Pool("int", [-101, -100, -11, -10, -1, 0, 1, 5, 9, 10, 11, 100, 2**31 - 1], [-(2**31)]),
    "l": Pool("long", [-21, -20, -1, 0, 7, 19, 20, 21, 5_000_000_000, 2**63 - 1], [-(2**63)]),
    "f": Pool("float", [-1.5, -0.0, 0.0, 0.5, 1.0, 2.5, 1e10]),
    "d": Pool("double", [-1e300, -2.25, -0.0, 0.0, 0.1, 1.0, 3.5, 1e300]),
    "dec": Pool(
        "decimal(9,2)", ["-100.01", "-1.00", "-0.01", "0.00", "0.01", "9.99", "10.00", "10.01"]
    ),
    "b": Pool("boolean", [True, False]),
    "s": Pool("string", _TEXTS),
    "bin": Pool("binary", _BYTES),
    "dt": Pool("date", _DATES),
    "ts": Pool("timestamptz", [f"{value}+00:00" for value in _TIMES]),
    "tsn": Pool("timestamp", _TIMES),
    "st.x": Pool("int", [1, 2, 3, 50]),
    "st.y": Pool("string", ["p", "q", "qq"]),
    "long_dec": Pool(
        "decimal(18,4)",
        ["-99999999999999.9999", "-0.0001", "0.0000", "1.5000", "99999999999999.0001"],
    ),
    "big_dec": Pool(
        "decimal(38,10)",
        [
            "-9999999999999999999999999999.0000000000", "-0.0000000001", "0.0000000000",
            "12345678901234567890.1234567890", "9999999999999999999999999999.9999999999",
        ],
    ),
    "t": Pool(
        "time", ["00:00:00", "00:00:00.000001", "11:59:59.999999", "12:00:00", "23:59:59.999999"]
    ),
    "u": Pool(
        "uuid",
        [
            "00000000-0000-0000-0000-000000000000", "0f8fad5b-d9cb-469f-a165-70867728950e",
            "7c9e6679-7425-40de-944b-e07fc1f90ae7", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        ],
    ),
    "fx": Pool(
        "fixed[4]", ["00000000", "00000001", "61626364", "7fffffff", "80000000", "ffffffff"]
    ),
    "tns": Pool("timestamp_ns", _NANOS),
    "tzns": Pool("timestamptz_ns", [f"{value}+00:00" for value in _NANOS]),
    "outer.inner.z": Pool("long", [-1, 0, 1, 2, 3]),
    "outer.inner.w": Pool("string", ["p", "q", "qq"]),
    "outer.n": Pool("int", [1, 2, 3]),
    # Apart, because Iceberg truncates them to large ones (apache/iceberg#9767).
    "small_i": Pool("int", [-(2**31), -(2**31) + 1, -(2**31) + 8, -5, 0, 5]),
    "small_l": Pool("long", [-(2**63), -(2**63) + 1, -(2**63) + 8, -5, 0, 5]),
    "later": Pool("int", [-1, 0, 7, 9]),
    "later_text": Pool("string", ["", "x", "xy", "y"]),
}  # fmt: skip

# Values that make IN lists long: per type, the n-th.
FILLERS: Mapping[str, Callable[[int], Any]] = {
    "int": lambda n: n - 100,
    "long": lambda n: 7 * n,
    "double": lambda n: n / 4,
    "string": lambda n: f"k{n}",
    "date": lambda n: f"{1900 + n}-06-15",
    "decimal(9,2)": lambda n: f"{n}.25",
}
MAX_FILLERS = 260


def seeded(seed: int | str) -> random.Random:
    """Random values that are the same in every run."""
    return random.Random(seed)  # noqa: S311


def random_value(random_: random.Random, column: str, part: int) -> Any:
    """A value that rows of this part hold, in JSON form; None for null. Parts hold stretches of
    the pools, so that files differ in what they can be ruled out by."""
    pool = POOLS[column]
    if random_.random() < 0.08:
        return None
    if pool.type in ("float", "double") and part % 4 == 3 and random_.random() < 0.3:
        return random_.choice([float("nan"), float("nan"), float("inf"), float("-inf")])
    stretch = max(2, len(pool.values) // 2)
    return pool.values[(part * stretch // 2 + random_.randrange(stretch)) % len(pool.values)]
