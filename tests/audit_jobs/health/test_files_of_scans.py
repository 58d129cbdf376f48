"""Which files scans ask for, and of which files rows are read."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.audit_jobs.health.files_of_scans import AskedFiles, Voters, strata
from prunescope.audit_jobs.health.measured_files import MeasuredFiles
from prunescope.audit_jobs.health.sketch import (
    MAX_FILES,
    MAX_KEPT,
    KeptFiles,
    Measure,
    SampledFile,
    Sketch,
    hash_of,
    smallest,
)
from prunescope.collectors.statistics import FileBatch, Statistics, constant

DAYS, OF_A_DAY = 100, 10
NAMES = [f"day-{number // OF_A_DAY}/{number}.parquet" for number in range(DAYS * OF_A_DAY)]


def batch(names: list[str], parquet: bool = True) -> FileBatch:
    count = len(names)
    ones = np.ones(count, np.int64)
    nothing = Statistics(count, constant(False, count), {})
    return FileBatch(
        spec_id=0,
        manifest=ones - 1,
        paths=pa.array(names),
        content=ones - 1,
        sequence_number=ones,
        records=ones * 600,
        size=ones * 1_000,
        row_groups=ones,
        parquet=np.full(count, parquet),
        partition=nothing,
        metrics=nothing,
    )


def sketch_of(
    days: list[range], names: list[str] = NAMES, key: int = 1, *, parquet: bool = True
) -> Sketch:
    """That of some files, which scans are asked for that keep some days each."""
    files = batch(names, parquet)
    measure = Measure(1, 0, (), 0.0)
    measured = MeasuredFiles.of(files, np.ones(len(names), np.bool_), None, measure)
    of_day = np.array([int(name[4:].split("/")[0]) for name in names])
    asked = AskedFiles(measured.numbers, measured.sampled)
    kept = np.array([(found.start <= of_day) & (of_day < found.stop) for found in days])
    scans = np.arange(len(days))
    voters = Voters(scans, np.array([hash_of(f"{key}/{n}") for n in scans], np.uint64))
    asked.add(voters, scans, kept.reshape(len(days), len(names)))
    sampled = {hash_of(name): SampledFile(name, 1_000, 600, parquet, {}) for name in names}
    sketch = Sketch(files=len(names), sample=smallest(sampled, MAX_FILES))
    sketch.add(asked.sketch())
    return sketch


NEWEST, WEEK, ALL = range(99, 100), range(93, 100), range(100)


@pytest.mark.parametrize(
    ("days", "hot"),
    [
        pytest.param([ALL, ALL], None, id="everything"),
        pytest.param([range(50, 100)] * 20, None, id="a half meets the sample of all"),
        pytest.param([range(200, 201)], None, id="nothing"),
        pytest.param([], None, id="no scans"),
        pytest.param([NEWEST], NEWEST, id="one narrow scan"),
        pytest.param([ALL] * 20 + [NEWEST] * 2, NEWEST, id="narrow ones among wide ones"),
        pytest.param([range(3, 4)] + [NEWEST] * 2, NEWEST, id="what most ask for"),
        pytest.param([WEEK] * 3, WEEK, id="a week"),
    ],
)
def test_files_that_most_narrow_scans_ask_for_are_a_stratum(
    days: list[range], hot: range | None
) -> None:
    found = strata(sketch_of(days), 16)
    assert sum(stratum.population for stratum in found) == len(NAMES)
    for stratum in found:
        assert len({file.path for file in stratum.files}) == len(stratum.files)
    if hot is None:
        (of_all,) = found
        assert len(of_all.files) == 16
        return
    asked, others = found
    within = {name for name in NAMES if int(name[4:].split("/")[0]) in hot}
    assert asked.population == len(within)
    assert len(asked.files) == 8
    assert {file.path for file in asked.files} <= within
    assert within.isdisjoint(file.path for file in others.files)
    assert 10 <= len(others.files) <= 16


def test_a_small_table_is_one_stratum() -> None:
    (of_all,) = strata(sketch_of([NEWEST], NAMES[-16:]), 16)
    assert (len(of_all.files), of_all.population) == (16, 16)


def test_few_files_are_all_known() -> None:
    """Two files of the newest day of 40: none of them is among the others."""
    asked, others = strata(sketch_of([NEWEST], NAMES[:38] + NAMES[-2:]), 16)
    assert {file.path for file in asked.files} == set(NAMES[-2:])
    assert (asked.population, others.population) == (2, 38)


def test_rows_of_other_formats_are_not_read() -> None:
    (found,) = strata(sketch_of([NEWEST], parquet=False), 16)
    assert not found.files


@settings(max_examples=30)
@given(st.permutations(range(40)), st.integers(1, 5), st.lists(st.integers(0, 99), max_size=6))
def test_any_split_of_the_files_tells_the_same(
    order: list[int], parts: int, firsts: list[int]
) -> None:
    days = [range(first, first + 3) for first in firsts]
    names = [NAMES[25 * number] for number in range(40)]
    whole = sketch_of(days, names)
    added = Sketch()
    for part in range(parts):
        added.add(sketch_of(days, [names[n] for n in order[part::parts]]))
    assert added == whole


def test_what_a_scan_keeps_is_counted_whole_and_sampled() -> None:
    (kept,) = sketch_of([ALL]).kept.values()
    assert kept == KeptFiles(len(NAMES), tuple(sorted(map(hash_of, NAMES))[:MAX_KEPT]))
