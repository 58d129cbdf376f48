"""How long the longest texts take that SQL lets people write, by shape and number of parts.

Run `python -m tests.benchmarks.bench_sql_limits`. Prints CPU seconds for each size, and how the
text ended: `ok`, or the code under which an audit lists it.
"""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.connection import Connection

import click

from prunescope.audit_jobs.workload.text_scans import TextScans
from tests.sql_growth import COLUMNS, QUERIES


def measure(shape: str, size: int, answer: Connection) -> None:
    """Sends the seconds that one text takes, and how it ended."""
    TextScans(COLUMNS).find(QUERIES["or"](2))  # imports
    query = QUERIES[shape](size)
    started = time.process_time()
    found = TextScans(COLUMNS).find(query)
    end = "ok" if found.failure is None else found.failure.code
    answer.send((time.process_time() - started, end))


def measured(shape: str, size: int, limit: float) -> tuple[float, str]:
    """The same, in a process of its own that is given up after `limit` seconds."""
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(
        target=measure, args=(shape, size, there)
    )
    process.start()
    there.close()
    try:
        seconds, end = here.recv() if here.poll(limit) else (limit, "not ended")
    except EOFError:
        seconds, end = limit, "killed"
    process.kill()
    process.join()
    return seconds, end


@click.command()
@click.option("--sizes", default="100,1000,10000", show_default=True)
@click.option("--limit", default=60.0, show_default=True, help="Seconds for one text.")
@click.argument("shapes", nargs=-1)
def main(sizes: str, limit: float, shapes: tuple[str, ...]) -> None:
    """Prints a table of shapes by sizes."""
    for shape in shapes or QUERIES:
        cells = []
        for size in map(int, sizes.split(",")):
            seconds, end = measured(shape, size, limit)
            cells.append(f"{size:>7,}: {seconds:6.2f} s {end:<12}")
            if end == "not ended":
                break
        click.echo(f"{shape:<30} {'  '.join(cells)}")


if __name__ == "__main__":
    main()
