"""What is measured beside a peer or an aim, as one table: medians, each beside its peer in one run.

Run `make bench`, or `python -m tests.benchmarks`. The sizes are those that the aims are for; each
program takes others when it is run alone. Nights are measured by `make bench-night`.
"""

from __future__ import annotations

from tests.benchmarks import (
    bench_explain,
    bench_footers,
    bench_java,
    bench_metadata,
    bench_queries,
    bench_replay,
    bench_shapes,
)
from tests.benchmarks.table import heading

if __name__ == "__main__":
    heading()
    for program in (
        bench_queries,
        bench_shapes,
        bench_java,
        bench_replay,
        bench_footers,
        bench_metadata,
    ):
        program.run(program.parse([]))
    bench_explain.run()
