"""What distinct literals cost: scans of one shape, planned together through all passes.

A table of 240 days, a Parquet file each, and scans of one shape by two planners' rules (Iceberg's
and the floor's) whose literals all differ. Printed beside one another: what 10,000 such scans
cost and what 1,000 do, in CPU seconds of one process; footers, dictionaries and bloom filters
are read.
"""

from __future__ import annotations

import argparse
import datetime as dt
import tempfile
import time
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.transforms import DayTransform

from prunescope.audit_jobs.planning.local import replay
from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_12
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.predicates.model import Column, Comparison, Predicate, all_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.benchmarks.table import heading, show

_DAYS, _ROWS, _CUSTOMERS = 240, 400, 500
FIRST = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
_SECONDS = _DAYS * 86_400
AIMED_AT = 10_000


def build(folder: Path, days: int = _DAYS) -> str:
    """Writes the table, a file a day; the location of its metadata file."""
    random = np.random.default_rng(1)
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    schema = pa.schema(
        [("ts", pa.timestamp("us")), ("customer", pa.int64()), ("amount", pa.decimal128(12, 2))]
    )
    table = catalog.create_table("db.orders", schema)
    with table.update_spec() as update:
        update.add_field("ts", DayTransform(), "day")
    first = int(FIRST.timestamp()) * 1_000_000
    rows = days * _ROWS
    seconds = np.repeat(np.arange(days) * 86_400, _ROWS) + random.integers(0, 86_400, rows)
    cents = random.integers(0, 100_000, rows).tolist()
    table.append(
        pa.table(
            {
                "ts": pa.array(first + seconds * 1_000_000, pa.timestamp("us")),
                "customer": random.integers(0, _CUSTOMERS, rows),
                "amount": pa.array([Decimal(c) / 100 for c in cents], schema.field(2).type),
            },
            schema=schema,
        )
    )
    return str(table.metadata_location)


def predicates(table: Table, count: int) -> list[Predicate]:
    """Filters of one shape, with literals drawn at random."""
    random = np.random.default_rng(count)
    schema = table.metadata.schema(table.metadata.current_snapshot())
    found = []
    for _ in range(count):
        start = int(FIRST.timestamp()) + int(random.integers(0, _SECONDS))
        end = start + int(random.integers(3_600, 30 * 86_400))
        moments = [Timestamp(second * 1_000_000_000, zoned=False) for second in (start, end)]
        condition = all_of(
            Comparison(Op.GT_EQ, Column(("ts",)), (moments[0],)),
            Comparison(Op.LT, Column(("ts",)), (moments[1],)),
            Comparison(Op.EQ, Column(("customer",)), (int(random.integers(0, _CUSTOMERS)),)),
            Comparison(
                Op.GT, Column(("amount",)), (Decimal(int(random.integers(0, 100_000))) / 100,)
            ),
        )
        found.append(bind(condition, schema, time_zone="UTC"))
    return found


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Those of the command line, or others."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scans", type=int, nargs="+", default=[1_000, 10_000])
    return parser.parse_args(given)


def run(arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as folder:
        table = open_metadata_file(build(Path(folder)), TableName(None, (), "orders"))
        snapshot = table.metadata.current_snapshot()
        replay(table, snapshot, predicates(table, 1))
        for count in arguments.scans:
            scans = [
                (p, rules) for p in predicates(table, count) for rules in (ICEBERG_1_12, FLOOR)
            ]
            started = time.process_time()
            replay(table, snapshot, scans)
            seconds = time.process_time() - started
            show(
                f"{count:,} scans of one shape, {_DAYS} files, two planners",
                seconds,
                None,
                "≤ 2 s" if count == AIMED_AT else "",
                f"{1000 * seconds / count:.2f} ms of CPU each",
            )


if __name__ == "__main__":
    heading()
    run(parse())
