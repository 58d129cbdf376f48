"""Tables and logs of all kinds, each drawn by a number: columns, the order in which rows came,
partitions, loads, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.scenarios.lake import Query
from tests.workloads.model import Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    ROW_BYTES,
    SPARK,
    SPARK_35,
    day,
    instant,
    laid_out,
    loaded,
    repeated,
    scaled,
    table,
    texts,
    times,
)

FILE_ROWS = 200
"""Rows of a file that is as large as it should be: small, as there are many tables."""
DAYS, KEYS, REGIONS, PLACES = 30, 1_000, 6, 10_000
_OF_TIME, _OF_KEY = ("days(ts)", "months(ts)"), ("bucket(4, key)", "truncate(250, key)")
_FULL = 40
"""Files of the largest table."""

_ENGINES = (Query(""), *repeated("", 1, **SPARK), *repeated("", 1, **SPARK_35))

Draw = np.random.Generator
Ask = Callable[[Draw], str]


def random_pair(number: int) -> Pair:
    """The table and log of a number."""
    draw = np.random.default_rng([51, number])
    layout = _layout(draw)
    name = f"drawn{number}"
    return Pair(name, lambda: layout, _queries(draw, name))


def _layout(draw: Draw) -> Layout:
    rows = _rows(draw, int(draw.integers(4, _FULL + 1)) * FILE_ROWS)
    fields = [str(draw.choice(some)) for some in (_OF_TIME, ("region",), _OF_KEY)]
    partition = tuple(map(str, draw.choice(fields, draw.choice([0, 0, 1, 1, 2]), replace=False)))
    properties = scaled(FILE_ROWS * ROW_BYTES)
    if draw.random() < 0.15:
        column = draw.choice(["key", "ts", "region", "place"])
        properties[f"write.metadata.metrics.column.{column}"] = "counts"
    file_rows = int(FILE_ROWS * draw.choice([0.25, 0.5, 1.0, 1.0]))
    layout = laid_out(
        rows,
        *partition,
        file_rows=file_rows,
        commits=int(draw.integers(1, 6)),
        properties=properties,
    )
    if partition and draw.random() < 0.2:  # since when it is partitioned
        at = len(rows) // 2
        old = Commit(loaded(rows.slice(0, at), (), file_rows))
        new = Commit(loaded(rows.slice(at), partition, file_rows), partition)
        layout = replace(layout, commits=(old, new))
    return layout


def _rows(draw: Draw, count: int) -> pa.Table:
    """Rows as they came: by time, some late, or by a column, or in no order."""
    seconds = np.sort(draw.uniform(0, DAYS * DAY, count))
    late = draw.random(count) < draw.choice([0, 0.1, 1])
    seconds = np.where(late, draw.uniform(0, DAYS * DAY, count), seconds)
    key = draw.integers(0, KEYS, count)
    if draw.random() < 0.3:  # few have most of the rows
        key = np.minimum(draw.zipf(1.5, count), KEYS - 1)
    rows = table(
        {
            "id": np.arange(count),
            "key": key,
            "ts": times(seconds, "UTC" if draw.random() < 0.5 else None),
            "region": texts(draw.integers(0, REGIONS, count), "r{}"),
            "place": texts(draw.integers(0, PLACES, count), "p{:05d}"),
            "amount": draw.normal(100, 30, count),
            "closed_by": pa.array(seconds.astype(np.int64), mask=draw.random(count) < 0.9),
        },
        seed=count,
    )
    order = draw.choice(["", "", "key", "region", "place"])
    return rows.take(pc.sort_indices(rows, [(order, "ascending")])) if order else rows


def _queries(draw: Draw, name: str) -> list[Query]:
    asked: list[Query] = []
    for number in draw.choice(len(_ASKS), int(draw.integers(1, 6)), replace=False):
        engine = _ENGINES[int(draw.integers(len(_ENGINES)))]
        chosen = str(draw.choice(["*", "count(*)", "sum(amount)"]))
        for _ in range(int(draw.integers(1, 9))):
            where = _ASKS[number](draw)
            asked.append(replace(engine, sql=f"SELECT {chosen} FROM lake.db.{name}{where}"))
    places = draw.permutation(len(asked))
    return [asked[place] for place in places]


def _key(draw: Draw) -> int:
    return int(draw.integers(KEYS))


def _keys(draw: Draw) -> str:
    first, width = _key(draw), int(draw.integers(1, KEYS // 10))
    return f" WHERE key BETWEEN {first} AND {first + width}"


def _some_keys(draw: Draw) -> str:
    return f" WHERE key IN ({', '.join(str(_key(draw)) for _ in range(int(draw.integers(2, 9))))})"


def _of_a_day(draw: Draw) -> str:
    first = int(draw.integers(DAYS))
    return (
        f"ts >= TIMESTAMP '{instant(first * DAY)} UTC' AND "
        f"ts < TIMESTAMP '{instant((first + int(draw.integers(1, 4))) * DAY)} UTC'"
    )


def _region(draw: Draw) -> str:
    return f"region = 'r{int(draw.integers(REGIONS))}'"


def _box(draw: Draw) -> str:
    low = int(draw.integers(20, 150))
    return f"{_keys(draw)} AND amount BETWEEN {low} AND {low + 20}"


_ASKS: tuple[Ask, ...] = (
    lambda _: "",
    lambda draw: f" WHERE key = {_key(draw)}",
    _keys,
    _some_keys,
    lambda draw: f" WHERE {_of_a_day(draw)}",
    lambda draw: f" WHERE CAST(ts AS DATE) = DATE '{day(int(draw.integers(DAYS)))}'",
    lambda draw: f" WHERE {_region(draw)}",
    lambda draw: f" WHERE {_region(draw)} AND {_of_a_day(draw)}",
    lambda draw: f" WHERE key = {_key(draw)} AND {_of_a_day(draw)}",
    lambda draw: f" WHERE place = 'p{int(draw.integers(PLACES)):05d}'",
    lambda draw: f" WHERE place LIKE 'p{int(draw.integers(100)):02d}%'",
    lambda draw: f" WHERE substr(place, 1, 3) = 'p{int(draw.integers(100)):02d}'",
    lambda draw: f" WHERE amount > {int(draw.integers(150, 200))}",
    lambda draw: f" WHERE key = {_key(draw)} OR place = 'p{int(draw.integers(PLACES)):05d}'",
    lambda draw: f" WHERE NOT (key < {KEYS - 50}) AND {_region(draw)}",
    _box,
    lambda _: " WHERE closed_by IS NOT NULL",
)
