"""Sketches add up to the same whatever the split, and estimate what they cannot hold."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.audit_jobs.health.sketch import (
    MAX_FILES,
    MAX_KEPT,
    MAX_PARTITIONS,
    MAX_VOTERS,
    KeptFiles,
    SampledFile,
    Sketch,
    hash_of,
    smallest,
)

KEY = (1, "long")


def of_files(numbers: list[int]) -> Sketch:
    """The sketch of files that are named by a number, with a partition each."""
    files = {hash_of(f"f{n}"): SampledFile(f"f{n}", n, n, True, {KEY: (n, n + 1)}) for n in numbers}
    partitions: dict[int, tuple[int, int]] = {}
    for number in numbers:
        key = hash_of(f"p{number % 2_500}")
        count, size = partitions.get(key, (0, 0))
        partitions[key] = (count + 1, size + number)
    kept = {}
    for scan in range(300):  # each keeps one file in so many
        of_scan = sorted(hash_of(f"f{n}") for n in numbers if n % 300 == scan)
        if of_scan:
            kept[hash_of(f"s{scan}")] = KeptFiles(len(of_scan), tuple(of_scan[:MAX_KEPT]))
    kept = smallest(kept, MAX_VOTERS)
    deleted_from = Counter(hash_of(f"f{n % 2_000}") for n in numbers)
    return Sketch(
        manifests=1,
        files=len(numbers),
        bytes=sum(numbers),
        records=sum(numbers),
        of_one=len(numbers),
        deletes_of_one=smallest(deleted_from, MAX_FILES),
        bounded=Counter({KEY: len(numbers)}),
        low={KEY: min(numbers)},
        high={KEY: max(numbers) + 1},
        sample=smallest(files, MAX_FILES),
        partitions=smallest(partitions, MAX_PARTITIONS),
        times=Counter(
            {day: sum(n for n in numbers if n % 70 == day) for day in {n % 70 for n in numbers}}
        ),
        kept=kept,
        kept_files={key: files[key] for found in kept.values() for key in found.smallest},
    )


@settings(max_examples=20)
@given(st.integers(2, 5_000), st.integers(2, 6), st.integers(0, 2**32))
def test_any_split_of_the_files_adds_up_to_the_same(count: int, parts: int, seed: int) -> None:
    numbers = list(range(count))
    whole = of_files(numbers)
    random.Random(seed).shuffle(numbers)  # noqa: S311
    added = Sketch()
    for part in range(parts):
        if numbers[part::parts]:
            added.add(of_files(numbers[part::parts]))
    added.manifests = whole.manifests
    assert added == whole


def test_the_sample_is_bounded_and_partitions_in_it_are_complete() -> None:
    sketch = of_files(list(range(10_000)))
    assert len(sketch.sample) == MAX_FILES
    assert len(sketch.partitions) == MAX_PARTITIONS
    assert {count for count, _ in sketch.partitions.values()} == {4}
    assert len(sketch.deletes_of_one) == MAX_FILES
    assert set(sketch.deletes_of_one.values()) == {5}


@pytest.mark.slow
def test_partitions_are_never_more_than_files() -> None:
    """Of as many partitions as files, every other estimate would be too high."""
    for first in range(0, 40_000, 2_000):
        numbers = list(range(first, first + 2_000))
        sketch = of_files(numbers)
        assert len(sketch.partitions) == MAX_PARTITIONS
        assert sketch.partition_count <= sketch.files


@pytest.mark.slow
def test_few_partitions_are_counted_and_many_estimated() -> None:
    assert of_files(list(range(900))).partition_count == 900
    assert of_files(list(range(10_000))).partition_count == pytest.approx(2_500, rel=0.15)
