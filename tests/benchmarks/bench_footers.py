"""How fast footers are read from an object store, one by one and many at once.

Run `python -m tests.benchmarks.bench_footers` with `versitygw` on the PATH. A real S3 server on
loopback answers each request after `--latency`, as one in the same region would. Compared:

    one by one    Arrow opens and parses each file: what `pq.ParquetFile` does
    N at once     `read_tails`, at most N files at once, and the parsing of what it reads
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq

from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.ranges import read_tails
from tests.benchmarks.table import heading, show
from tests.object_store import PROGRAM, ObjectStore, serve

ROW_GROUPS = 10
ROWS = 1000


def content(columns: int) -> bytes:
    """A file whose footer has statistics of ten row groups."""
    table = pa.table({f"column_{n}": pa.array(range(ROWS)) for n in range(columns)})
    sink = BytesIO()
    pq.write_table(table, sink, row_group_size=ROWS // ROW_GROUPS)
    return sink.getvalue()


def one_by_one(storage: Storage, locations: Sequence[str]) -> int:
    """Row groups of files that are opened in turn."""
    row_groups = 0
    for location in locations:
        with storage.open(location) as stream:
            row_groups += pq.ParquetFile(stream).metadata.num_row_groups
    return row_groups


def at_once(storage: Storage, locations: Sequence[str], size: int, in_flight: int) -> int:
    """Row groups of files that are read at once."""
    row_groups = 0
    tails = read_tails([(storage, one, size) for one in locations], in_flight=in_flight)
    for tail in tails:
        if not isinstance(tail, bytes):
            raise tail
        row_groups += pq.read_metadata(pa.BufferReader(tail)).num_row_groups
    return row_groups


def _run(store: ObjectStore, arguments: argparse.Namespace) -> None:
    file = content(arguments.columns)
    locations = [store.put(f"{number}.parquet", file) for number in range(arguments.files)]
    storage = Storage(properties=store.properties)
    one_by_one(storage, locations[:1])  # the first call imports, and creates the client
    at_once(storage, locations[:1], len(file), 1)
    store.delay = arguments.latency / 1000
    alone = _measured(lambda: one_by_one(storage, locations), len(locations))
    work = f"{arguments.files} footers from S3, {arguments.latency:g} ms each request"
    for in_flight in arguments.in_flight:
        store.requests.clear()
        read = partial(at_once, storage, locations, len(file), in_flight)
        seconds = _measured(read, len(locations))
        each = f"{len(store.requests) / len(locations):.1f} requests each"
        show(f"{work}, {in_flight} at once, beside one by one", seconds, alone, "", each)


def _measured(read: Callable[[], int], files: int) -> float:
    start = time.perf_counter()
    assert read() == files * ROW_GROUPS
    return time.perf_counter() - start


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Those of the command line, or others."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--latency", type=float, default=30.0, help="milliseconds per request")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[1, 4, 8, 16, 32])
    return parser.parse_args(given)


def run(arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    program = shutil.which(PROGRAM)
    if program is None:
        click.echo(f"footers were not read from S3: {PROGRAM} is not on the PATH")
        return
    with tempfile.TemporaryDirectory() as folder, serve(Path(program), Path(folder)) as store:
        _run(store, arguments)


if __name__ == "__main__":
    heading()
    run(parse())
