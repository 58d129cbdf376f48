"""Keys of rows of scan_plans: `KEY/POSITION` for the scans of a query, whose key is the same
whenever its window is audited, and `KIND/KEY` for every other input."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

_OF_A_QUERY = r"^([0-9a-f]+)/\d+$"
_FURTHER = r"^[0-9a-f]+/0*[1-9]\d*$"


def key_of_scan(query: str, position: int) -> str:
    """The key of a query's row at a position, from 0."""
    return f"{query}/{position}"


def is_first(scan_keys: pa.ChunkedArray) -> pa.ChunkedArray:
    """Mask of the rows that stand for their inputs: all but the second and further rows of
    queries."""
    return pc.invert(pc.match_substring_regex(scan_keys, _FURTHER))


def inputs_of(scan_keys: pa.ChunkedArray) -> pa.ChunkedArray:
    """The inputs that rows are about."""
    return pc.replace_substring_regex(scan_keys, _OF_A_QUERY, r"\1")
