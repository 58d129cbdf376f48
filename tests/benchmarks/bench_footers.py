"""How fast footers are read from an object store, one by one and many at once.

Run `python -m tests.benchmarks.bench_footers` with `versitygw` on the PATH. A real S3 server on
loopback answers each request after `--latency`, as one in the same region would. Compared:

    open and parse     Arrow opens and parses each file, one by one: what `pq.ParquetFile` does
    in flight N        `read_tails`, at most N files at once, and the parsing of what it reads
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq

from collectors.storage.files import Storage
from collectors.storage.ranges import read_tails
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


def run(store: ObjectStore, arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    file = content(arguments.columns)
    footer = pq.read_metadata(BytesIO(file)).serialized_size
    click.echo(f"{arguments.files} files, footers of {footer:,} bytes, {arguments.latency} ms")
    locations = [store.put(f"{number}.parquet", file) for number in range(arguments.files)]
    storage = Storage(properties=store.properties)
    one_by_one(storage, locations[:1])  # the first call imports, and creates the client
    at_once(storage, locations[:1], len(file), 1)
    store.delay = arguments.latency / 1000

    def measure(label: str, baseline: float, read: int, seconds: float) -> None:
        assert read == len(locations) * ROW_GROUPS
        requests = len(store.requests) / len(locations)
        speed = len(locations) / seconds
        times = f"{speed / baseline:6.1f} times" if baseline else ""
        click.echo(f"{label:20} {speed:8.1f} footers/s {requests:4.1f} requests each {times}")
        store.requests.clear()

    store.requests.clear()
    start = time.perf_counter()
    read = one_by_one(storage, locations)
    seconds = time.perf_counter() - start
    baseline = len(locations) / seconds
    measure("open and parse", 0, read, seconds)
    for in_flight in arguments.in_flight:
        start = time.perf_counter()
        read = at_once(storage, locations, len(file), in_flight)
        measure(f"in flight {in_flight}", baseline, read, time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--latency", type=float, default=30.0, help="milliseconds per request")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[1, 4, 8, 16, 32])
    arguments = parser.parse_args()
    program = shutil.which(PROGRAM)
    if program is None:
        parser.error(f"{PROGRAM} is not on the PATH")
    with tempfile.TemporaryDirectory() as folder, serve(Path(program), Path(folder)) as store:
        run(store, arguments)


if __name__ == "__main__":
    main()
