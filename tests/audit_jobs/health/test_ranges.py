"""What the ranges of files say of a column as a whole."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from prunescope.audit_jobs.health.measure import ManifestFacts, table_health
from prunescope.audit_jobs.health.model import ColumnHealth
from prunescope.audit_jobs.health.sketch import Measure, SampledFile, Sketch, hash_of
from prunescope.collectors.observed import TableName
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import ColumnKey


def column(kind: str, ranges: list[tuple[Any, Any]]) -> ColumnHealth:
    """A column of files that have such ranges."""
    key: ColumnKey = (1, kind)
    files = {
        f"f{number}": SampledFile(f"f{number}", 1, 1, True, {key: found})
        for number, found in enumerate(ranges)
    }
    sketch = Sketch(
        manifests=1,
        files=len(ranges),
        bounded=Counter({key: len(ranges)}),
        low={key: min(low for low, _ in ranges)},
        high={key: max(high for _, high in ranges)},
        sample={hash_of(path): file for path, file in files.items()},
    )
    health = table_health(
        TableName("lake", ("db",), "t"),
        Measure(snapshot_id=1, spec_id=0, columns=(key,), small_bytes=1),
        ManifestFacts(manifests=1, planned=1, bytes=1, depth=None, files_by_spec={}),
        sketch,
        {1: "c"},
        PartitionSpec(0, ()),
    )
    return health.columns[0]


@pytest.mark.parametrize(
    ("kind", "ranges", "share"),
    [
        pytest.param("long", [(n, n + 1) for n in range(10)], 0.1, id="in order"),
        pytest.param("long", [(0, 10)] * 10, 1.0, id="in no order"),
        pytest.param("date", [(0, 10), (0, 5)], 0.75, id="on average"),
        pytest.param("long", [(0, 10), (7, 3)], 1.0, id="bounds that contradict themselves"),
        pytest.param("long", [(3, 3)] * 10, None, id="one value"),
        pytest.param("string", [(b"a", b"b")] * 10, None, id="texts"),
    ],
)
def test_what_a_file_spans(kind: str, ranges: list[tuple[Any, Any]], share: float | None) -> None:
    assert column(kind, ranges).spanned == share


CUT = [(f"{name}/clicks/2026-01-{name}".encode()[:16], b"z") for name in ("aa", "bb", "cc", "dd")]


@pytest.mark.parametrize(
    ("ranges", "share"),
    [
        pytest.param(CUT[:1] * 10, 1.0, id="one beginning"),
        pytest.param(CUT[:3] * 5, 1.0, id="three beginnings"),
        pytest.param(CUT * 2, 0.0, id="two files of each"),
        pytest.param([*CUT[:1] * 3, *CUT[1:]], 0.5, id="half of the files"),
        pytest.param([(b"short", b"z")] * 10, 0.0, id="not cut"),
        pytest.param([(CUT[0][0], b"z" * 17)] * 10, 0.0, id="as long as values are"),
        pytest.param([(CUT[0][0], CUT[0][0])] * 10, 0.0, id="one value"),
    ],
)
def test_files_that_begin_alike(ranges: list[tuple[bytes, bytes]], share: float) -> None:
    assert column("string", ranges).common_bounds == share
