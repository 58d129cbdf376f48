"""What benchmarks with a peer measure, as one table: medians, each beside its peer in one run.

Run `make bench`, or `python -m tests.benchmarks`. The sizes are those that the aims are for; each
program takes others when it is run alone.
"""

from __future__ import annotations

from tests.benchmarks import bench_footers, bench_metadata, bench_replay
from tests.benchmarks.table import heading

if __name__ == "__main__":
    heading()
    for program in (bench_metadata, bench_replay, bench_footers):
        program.run(program.parse([]))
