"""The bounds that Iceberg's writers keep of values: whole, or truncated."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa

from collectors.tables.metrics_modes import WITHOUT_BOUNDS, truncated_to
from collectors.types import Physical, arrow_type, physical

_LAST_CODE_POINT = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)


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
    points = _incremented([ord(letter) for letter in text[:size]], _LAST_CODE_POINT)
    return None if points is None else "".join(map(chr, points)).encode()


def _lower_bytes(value: bytes, size: int) -> bytes | None:
    return value[:size]


def _upper_bytes(value: bytes, size: int) -> bytes | None:
    if len(value) <= size:
        return value
    found = _incremented(list(value[:size]), 0xFF)
    return None if found is None else bytes(found)


def _incremented(units: Sequence[int], last: int) -> list[int] | None:
    """The smallest sequence, no longer, that is above all that begin with `units`."""
    kept = list(units)
    while kept:
        kept[-1] += 1
        if last > 0xFF and kept[-1] in _SURROGATES:
            kept[-1] = _SURROGATES.stop
        if kept[-1] <= last:
            return kept
        kept.pop()
    return None


_Bound = Callable[[bytes, int], bytes | None]
_TEXT: tuple[_Bound, _Bound] = _lower_text, _upper_text
_BYTES: tuple[_Bound, _Bound] = _lower_bytes, _upper_bytes
