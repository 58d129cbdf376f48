"""Filters of values for row groups and files that a table has not, against what filters that know
every value would leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from prunescope.audit_jobs.advice.indexes import read_with_index
from prunescope.audit_jobs.advice.sampled_files import SampledFiles
from prunescope.audit_jobs.advice.scores import replayed
from prunescope.audit_jobs.findings.bloom_filters import Index, Indexed
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.predicates.model import BoundComparison, Predicate, all_of, any_of
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.advice.samples import fields, layouts, numbers, rows_of

TYPES = {"key": "long", "day": "long", "kind": "long"}
FIELDS = fields(TYPES)
FILES, ROWS, GROUPS, ROW_BYTES = 10, 400, 4, 100
COUNT = FILES * ROWS
KEYS = np.random.default_rng(7).permutation(COUNT)
TABLE = {
    "key": KEYS,
    "day": np.arange(COUNT) // ROWS,
    "kind": np.arange(COUNT) % 3,
}
FILE_BYTES = ROWS * ROW_BYTES
GROUP_BYTES = FILE_BYTES // GROUPS


def equal(name: str, *values: int) -> Predicate:
    return BoundComparison(Op.IN if len(values) > 1 else Op.EQ, FIELDS[name], values)


def read(
    *predicates: Predicate,
    column: str = "key",
    container_bytes: int | None = GROUP_BYTES,
    false_positives: float = 0.0,
    every: int = 1,
) -> Indexed:
    """Returns what scans of the table read, of which one row in `every` was sampled of each
    file."""
    rows = rows_of(
        {name: numbers(values[::every].tolist()) for name, values in TABLE.items()},
        TYPES,
        clusters=FILES,
        times=every,
        row_bytes=ROW_BYTES,
    )
    rows = replace(rows, files=FILES, records_each=np.full(FILES, float(ROWS)))
    files = SampledFiles(
        [
            {
                (field.field_id, field.type): (int(part.min()), int(part.max()))
                for name, field in FIELDS.items()
                for part in [TABLE[name][number * ROWS : (number + 1) * ROWS]]
            }
            for number in range(FILES)
        ],
        [()] * FILES,
        [frozenset()] * FILES,
    )
    scans = [Scan(number, predicate) for number, predicate in enumerate(predicates)]
    index = Index(column, container_bytes, false_positives)
    field = FIELDS[column]
    return read_with_index(
        index, (field.field_id, field.type), layouts(rows, FILES), files, replayed(scans)
    )


def _holding(values: Sequence[int], rows_each: int) -> int:
    """Returns how many containers of so many rows hold any of some values."""
    return len({int(np.flatnonzero(value == KEYS)[0]) // rows_each for value in values})


@pytest.mark.parametrize(("size", "rows_each"), [(GROUP_BYTES, ROWS // GROUPS), (None, ROWS)])
@pytest.mark.parametrize("false_positives", [0.0, 0.01, 0.2])
@pytest.mark.parametrize("values", [(2005,), (2005, 1017), tuple(range(2100, 2140))])
def test_containers_without_a_value_are_skipped_but_for_false_positives(
    size: int | None, rows_each: int, false_positives: float, values: tuple[int, ...]
) -> None:
    found = read(equal("key", *values), container_bytes=size, false_positives=false_positives)
    containers, holding = COUNT // rows_each, _holding(values, rows_each)
    told = 1 - (1 - false_positives) ** len(values)
    expected = (holding + told * (containers - holding)) * rows_each * ROW_BYTES
    assert found.now.tolist() == [COUNT * ROW_BYTES]
    assert found.left.tolist() == pytest.approx([expected])
    assert found.asked.tolist() == [containers]
    assert found.containers == containers
    assert found.values == pytest.approx(rows_each)


def test_containers_that_statistics_skip_are_not_asked() -> None:
    predicate = all_of(equal("key", int(KEYS[3 * ROWS + 9])), equal("day", 3))
    found = read(predicate)
    assert found.now.tolist() == [FILE_BYTES]
    assert found.left.tolist() == [GROUP_BYTES]
    assert found.asked.tolist() == [GROUPS]


@pytest.mark.parametrize(
    "predicate",
    [
        pytest.param(equal("day", 3), id="another-column"),
        pytest.param(any_of(equal("key", 5), equal("kind", 1)), id="or-another-column"),
        pytest.param(BoundComparison(Op.GT_EQ, FIELDS["key"], (5,)), id="a-range"),
        pytest.param(BoundComparison(Op.NOT_EQ, FIELDS["key"], (5,)), id="not-equal"),
    ],
)
def test_other_conditions_ask_no_index(predicate: Predicate) -> None:
    found = read(predicate)
    assert found.now.tolist() == [0]
    assert found.left.tolist() == [0]
    assert found.asked.tolist() == [0]


def test_values_that_all_containers_hold_skip_none() -> None:
    found = read(equal("kind", 1), column="kind")
    assert found.left.tolist() == [COUNT * ROW_BYTES]
    assert found.values == pytest.approx(3)


@pytest.mark.parametrize("every", [2, 10])
def test_keys_lie_in_one_container_each_whether_they_were_sampled_or_not(every: int) -> None:
    """On average over all keys; of a sample the number of keys is estimated as well."""
    found = read(
        *(equal("key", value) for value in range(COUNT)), container_bytes=None, every=every
    )
    assert found.left.mean() == pytest.approx(FILE_BYTES, rel=0.15)
    assert found.values == pytest.approx(ROWS, rel=0.02)


def test_values_of_a_sample_lie_in_as_many_containers_as_their_share_makes_likely() -> None:
    """Of a kind in three, all containers have some, though not each of the rows that are read."""
    found = read(equal("kind", 2), column="kind", every=20)
    assert found.left.tolist() == pytest.approx([COUNT * ROW_BYTES], rel=0.01)
    assert found.values == pytest.approx(3, rel=0.1)
