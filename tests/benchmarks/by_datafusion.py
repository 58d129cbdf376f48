"""Decoding manifests by DataFusion (arrow-avro), and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

_PROCESSES = 2
"""Processes that decode beside two Spark tasks."""


def decode_manifests(paths: Sequence[str]) -> int:
    """The number of entries, decoded to Arrow and dropped."""
    from datafusion import SessionConfig, SessionContext  # noqa: PLC0415

    context = SessionContext(SessionConfig().with_target_partitions(1))
    batches = (
        batch.to_pyarrow()
        for path in paths
        for batch in context.read_avro(path, file_extension=".avro").execute_stream()
    )
    return sum(batch.num_rows for batch in batches)


@contextmanager
def decoder(paths: Sequence[str]) -> Iterator[Callable[[], None]]:
    """How manifests are decoded by DataFusion, in processes that run already."""
    with ProcessPoolExecutor(_PROCESSES) as pool:

        def decode() -> None:
            list(pool.map(decode_manifests, [paths[0::2], paths[1::2]]))

        decode()
        yield decode
