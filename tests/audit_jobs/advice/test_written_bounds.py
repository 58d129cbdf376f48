"""Truncated bounds, against those that PyIceberg writes."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from pyiceberg.utils.truncate import (
    truncate_upper_bound_binary_string,
    truncate_upper_bound_text_string,
)

from prunescope.audit_jobs.advice.written_bounds import bounds

# PyIceberg counts on past the last code point in ways of its own.
TEXTS = st.text(st.characters(max_codepoint=0xD000), max_size=24)


@given(TEXTS, st.integers(1, 20))
def test_bounds_of_texts_are_those_of_pyiceberg(text: str, width: int) -> None:
    lower, upper = bounds(pa.array([text.encode()]), "string", f"truncate({width})")

    assert lower[0].as_py() == text[:width].encode()
    written = truncate_upper_bound_text_string(text, width)
    assert upper[0].as_py() == (None if written is None else written.encode())


@given(st.binary(max_size=24), st.integers(1, 20))
def test_bounds_of_bytes_are_those_of_pyiceberg(value: bytes, width: int) -> None:
    lower, upper = bounds(pa.array([value], pa.binary()), "binary", f"truncate({width})")

    assert lower[0].as_py() == value[:width]
    written = truncate_upper_bound_binary_string(value, width)
    assert upper[0].as_py() is None or value <= upper[0].as_py()
    assert upper[0].as_py() == written or written is None or len(written) > len(upper[0].as_py())


@given(st.text(max_size=24), st.integers(1, 20))
def test_bounds_hold_the_value(text: str, width: int) -> None:
    value = text.encode(errors="surrogatepass")
    lower, upper = bounds(pa.array([value], pa.binary()), "string", f"truncate({width})")

    assert lower[0].as_py() <= value
    assert upper[0].as_py() is None or upper[0].as_py() >= value


def test_no_bounds_where_none_are_kept() -> None:
    for kind, mode in (("string", "none"), ("string", "counts"), ("uuid", "full")):
        lower, upper = bounds(pa.array([b"a"]), kind, mode)
        assert lower.null_count == upper.null_count == 1
