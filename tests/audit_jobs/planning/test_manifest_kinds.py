from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.planning.manifest_kinds import Kind, Opened, any_of_each
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.tables.manifests import ManifestEntries


@given(st.data())
def test_a_manifest_is_kept_where_any_of_its_listings_is(data: st.DataObject) -> None:
    listed = data.draw(st.integers(1, 6))
    kept = np.array(data.draw(st.lists(st.lists(st.booleans(), min_size=listed, max_size=listed))))
    kept = kept.reshape(-1, listed).astype(np.bool_)
    some = st.lists(st.integers(0, listed - 1), min_size=1, max_size=3, unique=True).map(tuple)
    numbers = data.draw(st.lists(some, min_size=1, max_size=4))
    found = any_of_each(kept, numbers)
    assert found.tolist() == [[any(row[n] for n in own) for own in numbers] for row in kept]


@pytest.mark.parametrize("sizes", [[2], [1, 1], [3, 1, 2], [1, 4]])
def test_halves_are_all_manifests_once(sizes: list[int]) -> None:
    numbers = iter(range(sum(sizes)))
    opened = [
        Opened(ManifestEntries([0] * size, []), [(next(numbers),) for _ in range(size)])
        for size in sizes
    ]
    kind = Kind(PartitionSpec(0, ()), False, opened, frozenset((0,)))
    first, second = kind.halves()
    assert [*first.numbers, *second.numbers] == kind.numbers
    assert len(first.numbers) == sum(sizes) // 2
    for half in (first, second):
        assert [len(found.counts) for found in half.entries] == [
            len(found.numbers) for found in half.opened
        ]
