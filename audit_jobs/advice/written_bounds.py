"""The bounds that Iceberg's writers keep of values: whole, or truncated."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from prunescope.audit_jobs.pruning.comparisons import successor
from prunescope.collectors.predicates.text_order import after_all_of
from prunescope.collectors.tables.metrics_modes import WITHOUT_BOUNDS, truncated_to
from prunescope.collectors.types import Physical, arrow_type, physical


def bounds(distinct: pa.Array, type_name: str, mode: str) -> tuple[pa.Array, pa.Array]:
    """The lower and the upper bound that stand for each value; null where there is none."""
    if mode in WITHOUT_BOUNDS or type_name == "uuid":  # whose order writers do not agree on
        nothing = pa.nulls(len(distinct), arrow_type(type_name))
        return nothing, nothing
    size = truncated_to(mode)
    if size is None or physical(type_name) is not Physical.BINARY:
        return distinct, distinct
    lower, upper = _TEXT if type_name == "string" else _BYTES
    values = distinct.to_pylist()
    return (
        pa.array([lower(value, size) for value in values], pa.binary()),
        pa.array([upper(value, size) for value in values], pa.binary()),
    )


def _lower_text(value: bytes, size: int) -> bytes | None:
    return value.decode(errors="surrogateescape")[:size].encode(errors="surrogateescape")


def _upper_text(value: bytes, size: int) -> bytes | None:
    text = value.decode(errors="replace")
    if len(text) <= size:
        return value
    after = after_all_of(text[:size])
    return None if after is None else after.encode()


def _lower_bytes(value: bytes, size: int) -> bytes | None:
    return value[:size]


def _upper_bytes(value: bytes, size: int) -> bytes | None:
    return value if len(value) <= size else successor(value[:size])


_Bound = Callable[[bytes, int], bytes | None]
_TEXT: tuple[_Bound, _Bound] = _lower_text, _upper_text
_BYTES: tuple[_Bound, _Bound] = _lower_bytes, _upper_bytes
