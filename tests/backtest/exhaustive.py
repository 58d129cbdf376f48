"""The best of many layouts, each written for real and asked the queries of the test: what hindsight
would have chosen. Nothing of how layouts are proposed or scored is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import pyarrow as pa
import pyarrow.compute as pc

from tests.backtest.lake import Lake
from tests.backtest.model import DAYS, TRAINING_DAYS, Case
from tests.workloads.layouts import apply
from tests.workloads.physical import Layout, split

_TIMES = ("years", "months", "days", "hours")
_LEAST_FILE = 0.5
"""Files of less than this part of the target, on average, are too small to be a layout."""


@dataclass(frozen=True)
class Tried:
    """A layout, as a partition and an order, and the share of the table that queries keep of it."""

    layout: str
    share: float


def search(case: Case, lake: Lake) -> list[Tried]:
    """All layouts of a case, the best first."""
    rows = case.rows(DAYS)
    before = case.lay(rows)
    size = int(before.properties["write.target-file-size-bytes"])
    test = case.asked(TRAINING_DAYS, DAYS)
    found = []
    metadata = lake.write(before)
    found.append(Tried("as it is", lake.kept_share(metadata, test)))
    row_bytes = lake.row_bytes(metadata)
    most = len(rows) * row_bytes / size / _LEAST_FILE
    for partition in _partitions(case.columns, rows, most):
        for order in _orders(case.columns, rows, partition):
            made = _made(before, partition, order, row_bytes)
            if sum(1 for _ in made.files) > most:
                break
            share = lake.kept_share(lake.write(made), test)
            found.append(Tried(f"{', '.join(partition) or 'none'} / {order}", share))
    return sorted(found, key=lambda tried: tried.share)


def _made(before: Layout, partition: Sequence[str], order: str, row_bytes: float) -> Layout:
    rewrite = (
        "CALL lake.system.rewrite_data_files(table => 'db.t', strategy => 'sort', "
        f"sort_order => '{order}')"
    )
    statements = [
        *(f"ALTER TABLE t DROP PARTITION FIELD {term}" for term in before.partition),
        *(f"ALTER TABLE t ADD PARTITION FIELD {term}" for term in partition),
        rewrite,
    ]
    return apply(statements, before, row_bytes=row_bytes)


def _partitions(columns: Sequence[str], rows: pa.Table, most: float) -> Iterator[tuple[str, ...]]:
    """Fields whose partitions are not more than `most` files, as far as counts of each tell."""
    counts = {
        term: (column, len(split(rows.select([column]), (term,))))
        for column in columns
        for term in _terms(column, rows, most)
    }
    yield ()
    yield from ((term,) for term, (_, count) in counts.items() if 1 < count <= most)
    for one, other in combinations(counts, 2):
        (column, count), (another, others) = counts[one], counts[other]
        if column != another and min(count, others) > 1 and count * others <= most:
            yield one, other


def _terms(column: str, rows: pa.Table, most: float) -> Iterator[str]:
    kind = rows.schema.field(column).type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        names = _TIMES if pa.types.is_timestamp(kind) else _TIMES[:3]
        yield from (f"{name}({column})" for name in names)
        return
    if pc.count_distinct(rows.column(column)).as_py() <= most:
        yield column
    yield from (f"bucket({count}, {column})" for count in (4, 16))


def _orders(columns: Sequence[str], rows: pa.Table, partition: Sequence[str]) -> Iterator[str]:
    free = [column for column in columns if column not in partition]
    yield from free
    if not free:
        yield columns[0]
    if not partition or len(columns) < 3:
        yield from (f"{one}, {other}" for one, other in permutations(free, 2))
        curved = [column for column in free if _has_curve(rows.schema.field(column).type)]
        for size in (2, 3):
            for some in combinations(curved, size):
                yield from (f"{curve}({', '.join(some)})" for curve in ("zorder", "hilbert"))


def _has_curve(kind: pa.DataType) -> bool:
    without_zone = pa.types.is_timestamp(kind) and kind.tz is None
    return not (without_zone or pa.types.is_decimal(kind))
