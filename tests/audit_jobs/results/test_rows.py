"""Rows of scans in parts that one task can hold."""

from __future__ import annotations

import pyarrow as pa
import pytest

from prunescope.audit_jobs.results.rows import ScanRows, joined

_KEYS = [f"scan-{number:04}" for number in range(9)]
_BATCHES = [
    ScanRows(
        pa.table({"scan_key": _KEYS[first : first + 3]}),
        pa.table({"scan_key": [key for key in _KEYS[first : first + 3] for _ in range(2)]}),
    )
    for first in (0, 3, 6)
]
_BATCH = _BATCHES[0].nbytes


@pytest.mark.parametrize(
    ("most", "most_bytes", "counts"),
    [
        pytest.param(100, 100 * _BATCH, [9], id="all fit"),
        pytest.param(6, 100 * _BATCH, [6, 3], id="scans"),
        pytest.param(5, 100 * _BATCH, [3, 3, 3], id="no batch is cut"),
        pytest.param(100, 2 * _BATCH, [6, 3], id="bytes"),
        pytest.param(100, 2 * _BATCH - 1, [3, 3, 3], id="bytes, all but one"),
        pytest.param(1, 1, [3, 3, 3], id="a batch that is too large is a part"),
    ],
)
def test_parts_have_so_many_scans_and_bytes(most: int, most_bytes: int, counts: list[int]) -> None:
    parts = list(joined(_BATCHES, most, most_bytes))
    assert [part.count for part in parts] == counts
    plans = pa.concat_tables([part.scan_plans for part in parts])
    assert plans["scan_key"].to_pylist() == _KEYS
    conjuncts = pa.concat_tables([part.conjuncts for part in parts])
    assert conjuncts["scan_key"].to_pylist() == [key for key in _KEYS for _ in range(2)]
