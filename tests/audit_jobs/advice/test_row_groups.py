"""Simulated row groups, against row groups that are cut from the rows by other code, and what
scans keep of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.layouts import metrics
from prunescope.audit_jobs.advice.row_groups import read_inside
from prunescope.audit_jobs.advice.scores import replayed, scores
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.advice.samples import fields, layouts, numbers, rows_of
from tests.workloads.physical import cut, split

TYPES = {"a": "long", "day": "long", "text": "string"}
FIELDS = fields(TYPES)
COUNT, FILES, GROUPS, ROW_BYTES = 4_000, 10, 4, 100
GROUP_BYTES = COUNT // FILES // GROUPS * ROW_BYTES
COLUMNS = {
    "a": numbers(np.random.default_rng(5).permutation(COUNT).tolist()),
    "day": numbers((np.arange(COUNT) // 800).tolist()),
    "text": pa.array([f"{'x' * 20}{n:04}".encode() for n in range(COUNT)], pa.binary()),
}
BY_DAY = Candidate((Term("identity", FIELDS["day"]),), Order(Curve.SORT, (FIELDS["a"],)))


def _bounds(values: pa.Table) -> tuple[int, int]:
    found = values["a"].to_numpy()
    return int(found.min()), int(found.max())


def _real() -> list[list[tuple[int, int]]]:
    """The bounds of the row groups of each file."""
    parts = split(pa.table(COLUMNS), ("day",))
    files = [file for part in parts for file in cut(part.sort_by("a"), COUNT // FILES)]
    return [[_bounds(group) for group in cut(file, len(file) // GROUPS)] for file in files]


def test_row_groups_are_those_that_a_writer_cuts() -> None:
    found = layouts(rows_of(COLUMNS, TYPES, row_bytes=ROW_BYTES), FILES)
    inside = found.cut_inside(found.lay(BY_DAY), GROUP_BYTES)
    column = metrics(found.rows, [inside.laid], [(1, "long")], whole=True).columns[1, "long"]
    told = zip(column.lower.to_pylist(), column.upper.to_pylist(), strict=True)
    by_file: list[list[tuple[int, int]]] = [[] for _ in range(FILES)]
    for owner, bounds in zip(inside.owner.tolist(), told, strict=True):
        by_file[owner].append(bounds)
    assert by_file == _real()
    assert set(inside.groups.tolist()) == {1.0}


@pytest.mark.parametrize("low", [0, 1_234, 3_990])
def test_scans_keep_the_row_groups_that_may_hold_their_rows(low: int) -> None:
    found = layouts(rows_of(COLUMNS, TYPES, row_bytes=ROW_BYTES), FILES)
    scan = Scan(0, BoundComparison(Op.GT_EQ, FIELDS["a"], (low,)))
    read = read_inside(found, BY_DAY, replayed([scan]), GROUP_BYTES)
    kept = sum(high >= low for file in _real() for _, high in file)
    assert read.groups.tolist() == [kept]
    assert read.bytes.tolist() == [kept * GROUP_BYTES]
    assert read.files.tolist() == [sum(file[-1][1] >= low for file in _real())]


def test_row_groups_of_too_few_sampled_rows_are_read_together() -> None:
    rows = rows_of(COLUMNS, TYPES, times=1_000, row_bytes=ROW_BYTES)
    found = layouts(rows, FILES * 10)
    scan = Scan(0, BoundComparison(Op.EQ, FIELDS["a"], (7,)))
    replay = replayed([scan])
    read = read_inside(found, BY_DAY, replay, GROUP_BYTES)
    assert read.bytes[0] == pytest.approx(scores(found, [BY_DAY], replay).bytes[0, 0])
    assert read.groups[0] > read.files[0]


def test_parquet_has_bounds_where_iceberg_has_truncated_ones() -> None:
    """All texts begin with the sixteen letters that Iceberg keeps of them."""
    rows = rows_of(COLUMNS, TYPES, row_bytes=ROW_BYTES)
    found = layouts(rows, FILES)
    order = Candidate((), Order(Curve.SORT, (FIELDS["text"],)))
    value = COLUMNS["text"][17].as_py()
    replay = replayed([Scan(0, BoundComparison(Op.EQ, FIELDS["text"], (value,)))])
    assert read_inside(found, order, replay, GROUP_BYTES).groups.tolist() == [1]
    assert scores(found, [order], replay).files.tolist() == [[FILES]]
