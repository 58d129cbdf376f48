"""Where a table's small files begin, as a part of the time that it spans."""

from __future__ import annotations

from collections import Counter

import pytest

from prunescope.audit_jobs.health.measure import ManifestFacts, table_health
from prunescope.audit_jobs.health.sketch import Measure, SampledFile, Sketch, hash_of
from prunescope.collectors.observed import TableName
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import ColumnKey

WHOLE, SMALL = 1_000, 10


def small_from(sizes: list[int]) -> float | None:
    """Of files of a day each."""
    key: ColumnKey = (1, "date")
    days = range(len(sizes))
    files = {
        f"f{day}": SampledFile(f"f{day}", size, 1, True, {key: (day, day)})
        for day, size in zip(days, sizes, strict=True)
    }
    sketch = Sketch(
        manifests=1,
        files=len(sizes),
        bounded=Counter({key: len(sizes)}),
        low={key: 0},
        high={key: len(sizes) - 1},
        sample={hash_of(path): file for path, file in files.items()},
    )
    measure = Measure(snapshot_id=1, spec_id=0, columns=(key,), small_bytes=WHOLE / 4)
    health = table_health(
        TableName("lake", ("db",), "t"),
        measure,
        ManifestFacts(manifests=1, planned=1, bytes=1, depth=None, files_by_spec={}),
        sketch,
        {1: "day"},
        PartitionSpec(0, ()),
    )
    return health.columns[0].small_from


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        pytest.param([WHOLE] * 101, None, id="none"),
        pytest.param([SMALL] * 101, 0.05, id="all, but for one in twenty"),
        pytest.param([WHOLE] * 90 + [SMALL] * 11, 0.9, id="the newest"),
        pytest.param([SMALL] + [WHOLE] * 70 + [SMALL] * 30, 0.71, id="one of old"),
        pytest.param([SMALL] * 11 + [WHOLE] * 90, 0.0, id="the oldest"),
        pytest.param([-1] * 50 + [WHOLE] * 51, None, id="sizes that cannot be"),
        pytest.param([SMALL], None, id="one value"),
    ],
)
def test_small_files_begin(sizes: list[int], expected: float | None) -> None:
    assert small_from(sizes) == expected
