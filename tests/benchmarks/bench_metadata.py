"""What reading metadata costs, beside what cannot be avoided: one table, medians of pairs.

Run `python -m tests.benchmarks.bench_metadata`. A table of manifests × 1,000 files × 20 columns
and 1,000 queries, as in `bench_replay`, and Parquet files whose footers are read. Each work is
measured in turns with its peer in one run:

    cold      the replay of all queries, nothing kept, on Spark with two tasks
    decoder   the manifests by DataFusion (arrow-avro), in two processes, and nothing else
    warm      the same replay with everything kept
    changed   the same with all but a few manifests kept
    million   a table of ten times the files, beside this one and the decoder, and the memory that
              it takes
    footers   the footers by our reader and by PyArrow, in as many threads; all queries over them

With versitygw on the PATH, requests are counted before a real S3 server that answers each after
`--latency`.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.table import StaticTable

from prunescope.audit_jobs.config import SparkConfig
from prunescope.audit_jobs.planning.driver import Replay
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.planning.spark_session import open_spark_session
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.in_flight import IN_FLIGHT
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from prunescope.collectors.tables.footers import Footer, ParquetFile, read_footers
from prunescope.collectors.tables.manifest_list import Manifest, read_manifest_list
from prunescope.collectors.tables.manifests import ManifestEntries, read_manifests
from tests.audit_jobs.planning.replays import Asked, asked, planned
from tests.benchmarks.bench_night import Watch, resident
from tests.benchmarks.bench_replay import on_spark, ours, read_in_process, timed, workload
from tests.benchmarks.by_datafusion import decoder
from tests.benchmarks.synthetic_table import build, repeated
from tests.benchmarks.table import heading, medians, show
from tests.object_store import PROGRAM, ObjectStore, Reply, serve

_LOCATION = "metadata-location"


def queries(table: Table, cache: Cache | None, count: int, manifests: int) -> Asked:
    """The workload over the table, which keeps what it reads in the cache."""
    table = replace(table, storage=replace(table.storage, cache=cache))
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    conditions = workload(count, manifests, 20)
    scans = [Scan(number, ours(query, table)) for number, query in enumerate(conditions)]
    return asked(table, table.metadata.schema(snapshot), [(snapshot, scan) for scan in scans])


def opened(directory: Path, manifests: int, files: int, content: bytes | None = None) -> Table:
    """The table, built where it is not there yet."""
    location = directory / _LOCATION
    if not location.exists():
        directory.mkdir(parents=True, exist_ok=True)
        made = build(directory, manifests=manifests, files=files, columns=20, content=content)
        location.write_text(made.metadata_location)
    return open_metadata_file(location.read_text(), TableName(None, (), "wide"))


def manifests_of(table: Table) -> list[tuple[str, int, int | None]]:
    """Paths, lengths, and how many files each has."""
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    listed = read_manifest_list(snapshot, table.storage)
    located = [table.storage.locate(manifest.path).removeprefix("file://") for manifest in listed]
    return [(p, m.length, m.live_files) for p, m in zip(located, listed, strict=True)]


def replays(arguments: argparse.Namespace, folder: Path) -> None:
    """Cold, warm and partly warm replays."""
    table = opened(arguments.keep, arguments.manifests, arguments.files)
    listed = manifests_of(table)
    cache = Cache(str(folder / "kept"), 1 << 40)
    plain = queries(table, None, arguments.queries, arguments.manifests)
    keeping = queries(table, cache, arguments.queries, arguments.manifests)
    with runner(arguments) as run, decoder([path for path, *_ in listed]) as decode:

        def changed() -> Replay:
            for file in list(Path(cache.path).rglob("*.kept"))[: arguments.changed]:
                file.unlink()
            return run(keeping)

        run(plain)  # the first call starts processes and imports
        repeat = range(arguments.repeat)
        cold, decoded = medians([(timed(lambda: run(plain))[0], timed(decode)[0]) for _ in repeat])
        filling, _ = timed(lambda: run(keeping))
        pairs = [(timed(lambda: run(keeping)), timed(lambda: run(plain))[0]) for _ in repeat]
        warm, beside = medians([(seconds, cold) for (seconds, _), cold in pairs])
        read = pairs[0][0][1].of_metadata
        some, beside_some = medians(
            [(timed(changed)[0], timed(lambda: run(plain))[0]) for _ in repeat]
        )
    files = f"{arguments.queries:,} queries × {arguments.manifests * arguments.files:,} files"
    show(f"{files}, cold, beside DataFusion", cold, decoded, "≤ 2 ×")
    show("  and keeping what it reads, beside cold", filling, cold, "")
    told = f"{read['manifests_read']} manifests, {read['footers_read']} footers read"
    show("  warm, beside cold", warm, beside, "≤ 0.15 ×, none read", told)
    show(f"  {arguments.changed} changed, beside cold", some, beside_some, "≤ 0.2 ×")
    judging, all_of_it = medians([_judging(keeping, plain) for _ in repeat])
    show("  CPU of judging alone, one core, beside cold", judging, all_of_it, "warm is not below")
    kept = sum(file.stat().st_size for file in Path(cache.path).rglob("*.kept"))
    show("  MB kept, beside the manifests", kept / 1e6, sum(n for _, n, _ in listed) / 1e6, "≤ 1 ×")


def _judging(keeping: Asked, plain: Asked) -> tuple[float, float]:
    """CPU seconds of a warm replay in this process without taking what is kept, and of a cold
    one."""

    def cpu(work: Callable[[], object]) -> float:
        return timed(work, time.process_time)[0]

    warm = cpu(lambda: planned(keeping, LocalRunner()))
    taking = cpu(lambda: read_in_process(keeping))
    return warm - taking, cpu(lambda: planned(plain, LocalRunner()))


def million(arguments: argparse.Namespace, _: Path) -> None:
    """A table of many times the files."""
    table = opened(arguments.keep, arguments.manifests, arguments.files)
    static = StaticTable.from_metadata((arguments.keep / _LOCATION).read_text())
    many = open_metadata_file(repeated(static, arguments.times), TableName(None, (), "wide"))
    few = queries(table, None, arguments.queries, arguments.manifests)
    asked_of_many = queries(many, None, arguments.queries, arguments.manifests)
    with (
        Watch() as watch,
        runner(arguments) as run,
        decoder([path for path, *_ in manifests_of(table)]) as decode,
    ):
        run(few)  # the first call starts processes and imports
        beside, _ = timed(lambda: run(few))
        decoded, _ = timed(decode)
        seconds, replay = timed(lambda: run(asked_of_many))
    assert not replay.failures
    files = arguments.manifests * arguments.files
    work = f"{arguments.queries:,} queries × {arguments.times * files:,} files"
    show(
        f"{work}, cold, beside {arguments.times} × {files:,}",
        seconds,
        arguments.times * beside,
        "≤ 1.15 ×",
    )
    show(f"  beside {arguments.times} × DataFusion", seconds, arguments.times * decoded, "≤ 2 ×")
    peaks = {"the driver": resident("VmHWM")} | watch.peaks()
    for name, peak in peaks.items():
        show(f"  MiB of {name}", peak / 1024, 1024, "≤ 1 ×")


@contextmanager
def runner(arguments: argparse.Namespace) -> Iterator[Callable[[Asked], Replay]]:
    """How scans are replayed: on Spark with two tasks, or in this process."""
    if arguments.skip_spark:
        yield lambda wanted: planned(wanted, LocalRunner()).replay
        return
    spark, _ = open_spark_session(SparkConfig(master="local[2]"))
    yield partial(on_spark, spark)
    spark.stop()


def parquet(columns: int, row_groups: int) -> bytes:
    """A Parquet file with statistics and field ids, and nothing else to look into."""
    fields = [
        pa.field(f"c{n}", pa.int64(), metadata={b"PARQUET:field_id": str(n).encode()})
        for n in range(1, columns + 1)
    ]
    rows = pa.table([pa.array(range(row_groups * 10))] * columns, pa.schema(fields))
    sink = BytesIO()
    pq.write_table(rows, sink, row_group_size=10, use_dictionary=False)
    return sink.getvalue()


def footers(arguments: argparse.Namespace, folder: Path) -> None:
    """Footers of many files."""
    content = parquet(20, 8)
    paths = [folder / f"{number}.parquet" for number in range(arguments.footers)]
    for path in paths:
        path.write_bytes(content)
    cache = Cache(str(folder / "kept-footers"), 1 << 40)
    columns = tuple((n, "long") for n in (1, 2, 3))

    def ours_of(storage: Storage) -> float:
        wanted = [ParquetFile(str(path), len(content), storage, columns) for path in paths]
        start = time.perf_counter()
        assert all(isinstance(footer, Footer) for footer in read_footers(wanted))
        return time.perf_counter() - start

    def theirs() -> float:
        start = time.perf_counter()
        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            found = pool.map(lambda path: pq.read_metadata(path).num_row_groups, paths)
            assert sum(found) == 8 * len(paths)
        return time.perf_counter() - start

    cold, peer = medians([(ours_of(Storage()), theirs()) for _ in range(arguments.repeat)])
    show(f"{arguments.footers:,} footers × 8 row groups, beside PyArrow", cold, peer, "≤ 1.3 ×")
    keeping = Storage(cache=cache)
    ours_of(keeping)
    warm, beside = medians(
        [(ours_of(keeping), ours_of(Storage())) for _ in range(arguments.repeat)]
    )
    show("  warm, beside cold", warm, beside, "")
    size = sum(pq.read_metadata(path).serialized_size + 8 for path in paths[:1]) * len(paths)
    kept = sum(file.stat().st_size for file in Path(cache.path).rglob("*.kept"))
    show("  MB kept, beside the footers", kept / 1e6, size / 1e6, "≤ 1 ×")
    judged(arguments, folder, content, theirs)


def judged(
    arguments: argparse.Namespace, folder: Path, content: bytes, theirs: Callable[[], float]
) -> None:
    """All queries over files with footers, beside reading as many footers."""
    days = 10
    table = opened(folder / "table", days, arguments.footers // days, content)
    wanted = queries(table, None, arguments.queries, days)
    with runner(arguments) as run:
        replay = run(wanted)
        pairs = [(timed(lambda: run(wanted))[0], theirs()) for _ in range(arguments.repeat)]
    seconds, beside = medians(pairs)
    told = f"{replay.footers_read:,} footers read"
    show(f"  {arguments.queries:,} queries over as many", seconds, beside, "≤ 1.3 ×", told)


def requests(arguments: argparse.Namespace, folder: Path) -> None:
    """Requests for each manifest and footer before an object store that is far away."""
    program = shutil.which(PROGRAM)
    if program is None:
        click.echo(f"requests were not counted: {PROGRAM} is not on the PATH")
        return
    table = opened(arguments.keep, arguments.manifests, arguments.files)
    known = manifests_of(table)
    of_table = [known[n % len(known)] for n in range(arguments.far)]
    content = parquet(20, 8)
    with serve(Path(program), folder / "store") as store:
        manifests = [
            Manifest(
                store.put(f"m{n}.avro", Path(path).read_bytes()), size, 0, False, files, None, None
            )
            for n, (path, size, files) in enumerate(of_table)
        ]
        paths = [store.put(f"{n}.parquet", content) for n in range(arguments.far)]
        storage = Storage(properties=store.properties)
        _read_manifests(manifests[:1], storage)  # the first call imports, and creates the client
        store.delay = arguments.latency / 1000
        for n in range(0, arguments.far, 100):
            store.fail(f"m{n}.avro", Reply(503, "SlowDown"))
            store.fail(f"{n}.parquet", Reply(503, "SlowDown"))
        for kept in (False, True):
            cache = Cache(str(folder / "kept-far"), 1 << 40)
            used = replace(storage, cache=cache)
            told = "kept" if kept else "cold"
            reading = partial(_read_manifests, manifests, used)
            _far(f"{len(manifests)} manifests from S3, {told}", len(manifests), reading, store)
            wanted = [ParquetFile(path, len(content), used, ((1, "long"),)) for path in paths]
            reading = partial(_read_footers, wanted)
            _far(f"{len(paths)} footers from S3, {told}", len(paths), reading, store)


def _far(work: str, files: int, read: Callable[[], None], store: ObjectStore) -> None:
    """Beside what the latency alone takes, as many requests being on their way as may be."""
    store.requests.clear()
    seconds, _ = timed(read)
    each = f"{len(store.requests) / files:.2f} requests each"
    show(work, seconds, files * store.delay / IN_FLIGHT, "≤ 1 request each", each)


def _read_manifests(manifests: Sequence[Manifest], storage: Storage) -> None:
    for _, found in read_manifests(manifests, storage, columns=None):
        assert isinstance(found, ManifestEntries)


def _read_footers(files: Sequence[ParquetFile]) -> None:
    assert all(isinstance(footer, Footer) for footer in read_footers(files))


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Those of the command line, or others."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--manifests", type=int, default=100)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--changed", type=int, default=1, help="manifests that are not kept")
    parser.add_argument("--footers", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=10, help="the files of the larger table")
    parser.add_argument("--far", type=int, default=500, help="files in the object store, of a kind")
    parser.add_argument("--latency", type=float, default=50.0, help="milliseconds per request")
    parser.add_argument("--keep", type=Path, help="a folder to build the table in, or reuse")
    parser.add_argument("--repeat", type=int, default=3, help="pairs of measurements")
    parser.add_argument("--skip-spark", action="store_true", help="replay in this process")
    parser.add_argument("--only", choices=list(_PARTS))
    return parser.parse_args(given)


_PARTS: dict[str, Callable[[argparse.Namespace, Path], None]] = {
    "replays": replays,
    "million": million,
    "footers": footers,
    "requests": requests,
}


def run(arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as temporary:
        arguments.keep = arguments.keep or Path(temporary, "table")
        for name, measure in _PARTS.items():
            if arguments.only in (None, name):
                folder = Path(temporary, name)
                folder.mkdir()
                measure(arguments, folder)


if __name__ == "__main__":
    heading()
    run(parse())
