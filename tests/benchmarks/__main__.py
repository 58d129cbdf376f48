"""What is measured beside a peer or an aim, as one table: medians, each beside its peer in one run.

Run `make bench`, or `python -m tests.benchmarks`. The sizes are those that the aims are for; each
program takes others when it is run alone. Nights are measured by `make bench-night`.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module

from tests.benchmarks.table import heading

PROGRAMS = ("queries", "shapes", "java", "replay", "footers", "explain")
PARTS = ("replays", "million", "footers", "requests")
"""Parts of the benchmark of metadata, of one table."""


def measure(name: str, arguments: Sequence[str]) -> None:
    """Runs a benchmark and prints its lines."""
    program = import_module(f"tests.benchmarks.bench_{name}")
    program.run(program.parse(arguments))


def measure_apart(name: str, *arguments: str) -> bool:
    """Runs a benchmark in a new process, whose peak of memory is its own; true if it succeeds."""
    process = multiprocessing.get_context("spawn").Process(target=measure, args=(name, arguments))
    process.start()
    process.join()
    return process.exitcode == 0


def main() -> int:
    """Runs all benchmarks; 1 if one of them fails."""
    heading()
    done = [measure_apart(name) for name in PROGRAMS]
    with tempfile.TemporaryDirectory() as folder:
        done += [measure_apart("metadata", "--keep", folder, "--only", part) for part in PARTS]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
