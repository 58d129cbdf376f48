"""Rows and queries of made tables. Everything is drawn by a seed, so that a table is always the
same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.physical import Commit, Layout, cut, split

START = dt.datetime(2026, 1, 1)
DAY = 86_400
ROW_BYTES = 100
"""About what a row takes in a file, most of it payload that nothing compresses."""
FILE_ROWS = 600
"""Rows of a file that is as large as it should be."""
TARGET_BYTES = FILE_ROWS * ROW_BYTES

SPARK = {"engine": "spark", "engine_version": "4.1.0", "iceberg_version": "1.11.0"}
SPARK_35 = {"engine": "spark", "engine_version": "3.5.6", "iceberg_version": "1.10.1"}

Numbers = npt.NDArray[np.int64]


def rng(seed: int) -> np.random.Generator:
    """A generator of numbers; the seed is part of what a table is."""
    return np.random.default_rng(seed)


def table(columns: Mapping[str, Any], seed: int = 0, row_bytes: int = ROW_BYTES) -> pa.Table:
    """Columns and a payload beside them."""
    made = {
        name: values if isinstance(values, pa.Array) else pa.array(values)
        for name, values in columns.items()
    }
    count = len(next(iter(made.values())))
    width = max(row_bytes - 8 * len(made), 8)
    noise = rng(seed).bytes(count * width)
    payload = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(width), count, [None, pa.py_buffer(noise)]
    )
    return pa.table({**made, "payload": payload})


def times(seconds: Any, zone: str | None = None) -> pa.Array:
    """Timestamps, so many seconds after the start."""
    epoch = int(START.replace(tzinfo=dt.UTC).timestamp() * 1_000_000)
    micros = (np.asarray(seconds) * 1_000_000).astype(np.int64) + epoch
    return pa.array(micros, pa.timestamp("us", tz=zone))


def dates(days: Any) -> pa.Array:
    """Dates, so many days after the start."""
    first = (START.date() - dt.date(1970, 1, 1)).days
    return pa.array(np.asarray(days).astype(np.int32) + first, pa.int32()).cast(pa.date32())


def texts(values: Iterable[Any], form: str = "{}") -> pa.Array:
    """Texts of values, of which each that is distinct is written once."""
    encoded = pa.array(values).dictionary_encode()
    written = [form.format(value) for value in encoded.dictionary.to_pylist()]
    return pa.array(written, pa.string()).take(encoded.indices)


@cache
def random_uuids(seed: int, count: int) -> Sequence[str]:
    """Texts of UUIDs of version 4. Their bytes are set at once, and no `uuid.UUID` is made: pairs
    are made wherever tests are collected."""
    drawn = np.frombuffer(rng(seed).bytes(16 * count), np.uint8).reshape(count, 16).copy()
    drawn[:, 6] = drawn[:, 6] & 0x0F | 0x40
    drawn[:, 8] = drawn[:, 8] & 0x3F | 0x80
    digits = drawn.tobytes().hex()
    whole = (digits[start : start + 32] for start in range(0, len(digits), 32))
    return [f"{one[:8]}-{one[8:12]}-{one[12:16]}-{one[16:20]}-{one[20:]}" for one in whole]


def day_text(days: Any, form: str = "%Y-%m-%d") -> pa.Array:
    """Dates as text, so many days after the start."""
    return texts(dates(days), f"{{:{form}}}")


def day(number: int) -> dt.date:
    """The date so many days after the start."""
    return START.date() + dt.timedelta(days=number)


def instant(seconds: float) -> str:
    """The time so many seconds after the start, as SQL writes it within quotes."""
    return (START + dt.timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S")


def laid_out(
    rows: pa.Table,
    *partition: str,
    file_rows: int = FILE_ROWS,
    commits: int = 1,
    properties: Mapping[str, str] | None = None,
    format_version: int = 2,
) -> Layout:
    """Rows as they arrive: `commits` loads, each cut into partitions, and these into files."""
    size = -(-len(rows) // commits)
    made = [
        Commit(loaded(rows.slice(start, size), partition, file_rows), partition)
        for start in range(0, len(rows), size)
    ]
    return Layout(tuple(made), partition, {**scaled(), **(properties or {})}, format_version)


def loaded(rows: pa.Table, partition: Sequence[str], file_rows: int) -> tuple[pa.Table, ...]:
    """The files of one load."""
    return tuple(file for part in split(rows, partition) for file in cut(part, file_rows))


def scaled(target_bytes: int = TARGET_BYTES) -> dict[str, str]:
    """Sizes in the proportions of Iceberg's defaults (512 MB, 128 MB, 4 MB) for a target."""
    return {
        "write.target-file-size-bytes": str(target_bytes),
        "read.split.target-size": str(target_bytes // 4),
        "read.split.open-file-cost": str(target_bytes // 128),
    }


def each(sql: str, values: Iterable[Any], **asked: Any) -> list[Query]:
    """One query for each value, which stands in place of `{}`; a tuple has several."""
    return [
        Query(sql.format(*(value if isinstance(value, tuple) else (value,))), **asked)
        for value in values
    ]


def repeated(sql: str, count: int, **asked: Any) -> list[Query]:
    """The same query several times."""
    return [Query(sql, **asked) for _ in range(count)]
