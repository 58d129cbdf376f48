"""Statistics that scans do not need: against plans of PyIceberg for tables that were written
without them, and against a planner of a few lines."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.table import StaticTable
from pyiceberg.typedef import Record

from prunescope.audit_jobs.advice.unneeded_statistics import FULL, Diet, Proof
from prunescope.audit_jobs.demo.position_deletes import append_delete_files
from prunescope.audit_jobs.jobs.diet import diet_of
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import And, BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import FileBatch, Statistics, constant, from_counts
from prunescope.collectors.tables.catalog import open_metadata_file
from tests.backtest.lake import NAME, Lake, asked_of
from tests.backtest.model import Asked
from tests.workloads.physical import Commit, Layout

FILES = 12
EACH = 50


def _rows() -> pa.Table:
    """`a` and `twin` grow from file to file, `spread` is in no order, `gap` is null in every third
    file alone, `text` is long and asked by nobody."""
    draw = np.random.default_rng(3)
    count = FILES * EACH
    number = np.arange(count)
    file = number // EACH
    return pa.table(
        {
            "a": pa.array(number),
            "twin": pa.array(number * 2),
            "spread": pa.array(draw.permutation(count)),
            "gap": pa.array(number, mask=file % 3 == 0),
            "text": pa.array([draw.bytes(8).hex() for _ in number]),
            "day": pa.array(file // 4),
        }
    )


def _layout(
    properties: Mapping[str, str] = MappingProxyType({}), partition: tuple[str, ...] = ()
) -> Layout:
    rows = _rows()
    files = tuple(rows.slice(n * EACH, EACH) for n in range(FILES))
    return Layout((Commit(files, partition),), partition, properties)


QUERIES = (
    ("a < 120", 3),
    ("twin >= 1100", 2),
    ("a < 300 and twin < 200", 3),
    ("spread = 300", 4),
    ("gap is null", 5),
    ("day = 1 and a > 10", 6),
)


def _asked(filters: Sequence[tuple[str, int]]) -> list[Asked]:
    return [Asked(day, f"SELECT * FROM t WHERE {text}") for text, day in filters]


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    with chdir(tmp_path):
        yield Lake(tmp_path)


def _diet(lake: Lake, layout: Layout, filters: Sequence[tuple[str, int]]) -> Diet:
    table = lake.open(lake.write(layout))
    return diet_of(table, asked_of(table, _asked(filters)), ())


def _planned(lake: Lake, layout: Layout) -> list[list[str]]:
    """The files that PyIceberg plans for each query, by name."""
    table = StaticTable.from_metadata(lake.write(layout))
    return [
        sorted(Path(task.file.file_path).name for task in table.scan(text).plan_files())
        for text, _ in QUERIES
    ]


@pytest.mark.parametrize("partition", [(), ("day",)])
@pytest.mark.slow
def test_a_table_without_what_goes_is_planned_the_same(
    lake: Lake, partition: tuple[str, ...]
) -> None:
    diet = _diet(lake, _layout(partition=partition), QUERIES)
    assert [(one.column, one.mode) for one in diet.dropped] == [("text", "none")]
    assert ("spread", "none") in [(one.column, one.mode) for one in diet.idle]
    assert ("gap", "counts") in [(one.column, one.mode) for one in diet.idle]
    assert diet.missing == ()
    prefix = "write.metadata.metrics.column."
    idle = {prefix + one.column: one.mode for one in diet.idle}
    everything = _planned(lake, _layout(partition=partition))
    assert _planned(lake, _layout({**diet.properties, **idle}, partition)) == everything
    # Each of the others is needed by some plan, but for the source of the partitions.
    for needed in {"a", "twin"} - {one.column for one in diet.idle}:
        less = {**diet.properties, **idle, prefix + needed: "none"}
        assert _planned(lake, _layout(less, partition)) != everything, needed


def test_what_is_saved_is_near_what_manifests_lose(lake: Lake) -> None:
    whole = _layout()
    diet = _diet(lake, whole, QUERIES)
    lean = _diet(lake, _layout(diet.properties), QUERIES)
    lost = diet.manifest_bytes - lean.manifest_bytes
    assert diet.bytes == pytest.approx(lost, rel=0.25)
    assert lean.dropped == ()


def test_columns_that_are_asked_for_and_have_no_bounds(lake: Lake) -> None:
    prefix = "write.metadata.metrics.column."
    settings = {f"{prefix}a": "none", f"{prefix}twin": "counts", f"{prefix}text": "none"}
    diet = _diet(lake, _layout(settings), QUERIES)
    # `a` is in more of the scans than `twin`; `text` is in none.
    found = [(one.column, one.mode, one.files, one.runs) for one in diet.missing]
    assert found == [("a", "none", FILES, 3.0), ("twin", "counts", FILES, 2.0)]
    assert diet.properties == {f"{prefix}{name}": "truncate(16)" for name in ("a", "twin")}


def test_columns_of_layouts_stay(lake: Lake) -> None:
    table = lake.open(lake.write(_layout(partition=("day",))))
    asked = asked_of(table, _asked([("a < 120", 3)]))
    without = {one.column for one in diet_of(table, asked, ()).dropped}
    assert without == {"twin", "spread", "gap", "text"}
    advised = {one.column for one in diet_of(table, asked, ["text"]).dropped}
    assert advised == without - {"text"}


def test_columns_of_equality_deletes_stay(tmp_path: Path) -> None:
    catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("db")
    table = catalog.create_table("db.t", _rows().schema)
    table.append(_rows())
    append_delete_files(
        table,
        [
            DataFile.from_args(
                content=DataFileContent.EQUALITY_DELETES,
                file_path=f"{table.location()}/data/deletes",
                file_format=FileFormat.PARQUET,
                partition=Record(),
                record_count=1,
                file_size_in_bytes=10,
                equality_ids=[5],
                value_counts={5: 1},
                null_value_counts={5: 0},
                lower_bounds={5: b"x"},
                upper_bounds={5: b"x"},
                spec_id=0,
            )
        ],
    )
    opened = open_metadata_file(table.metadata_location, NAME)
    diet = diet_of(opened, asked_of(opened, _asked([("a < 120", 3)])), ())
    assert {one.column for one in diet.dropped} == {"twin", "spread", "gap", "day"}


OPS = {Op.LT: operator.lt, Op.GT_EQ: operator.ge}


@pytest.mark.parametrize("seed", range(20))
def test_no_plan_changes_however_the_files_come(seed: int) -> None:
    """Of four columns with random bounds and scans of two conditions: as many columns go as a
    planner of a few lines allows, and none that it needs."""
    draw = np.random.default_rng(seed)
    count = 30
    low = draw.integers(0, 40, (4, count))
    low[0] = draw.integers(0, 3, count)  # hardly ever rules anything out
    high = low + draw.integers(0, 60, (4, count))
    columns = [Field(number, f"c{number}", "long") for number in range(4)]
    asked = [
        [(int(c), list(OPS)[draw.integers(2)], int(draw.integers(0, 100))) for c in two]
        for two in (draw.choice(4, 2, replace=False) for _ in range(3))
    ]
    scans = [
        Scan(n, And(tuple(BoundComparison(op, columns[c], (v,)) for c, op, v in one)))
        for n, one in enumerate(asked)
    ]

    def kept(known: set[int], files: range) -> list[list[int]]:
        return [
            [
                file
                for file in files
                if all(
                    c not in known or OPS[op](int((low if op is Op.LT else high)[c][file]), value)
                    for c, op, value in one
                )
            ]
            for one in asked
        ]

    proof = Proof.of(range(4))
    for files in (range(10), range(10, count)):
        proof.show(
            shapes(scans), _batch(low, high, files), PartitionSpec(0, ()), _all(scans, files)
        )
    stay = {column for column, mode in proof.modes.items() if mode == FULL}
    assert kept(stay, range(count)) == kept({0, 1, 2, 3}, range(count))
    if seed % 2:  # shown at once, nothing more could have gone
        proof = Proof.of(range(4))
        files = range(count)
        proof.show(
            shapes(scans), _batch(low, high, files), PartitionSpec(0, ()), _all(scans, files)
        )
        stay = {column for column, mode in proof.modes.items() if mode == FULL}
        for column in stay:
            assert kept(stay - {column}, files) != kept({0, 1, 2, 3}, files)


def _all(scans: Sequence[Scan], files: range) -> Reach:
    return Reach(np.ones((len(scans), 1), np.bool_), np.zeros(len(files), np.int64))


def _batch(low: np.ndarray, high: np.ndarray, files: range) -> FileBatch:
    count = len(files)
    one = np.ones(count, np.int64)
    metrics = {
        (c, "long"): from_counts(
            pa.array(low[c][files.start : files.stop]),
            pa.array(high[c][files.start : files.stop]),
            null_count=pa.array(one - 1),
            nan_count=None,
            value_count=pa.array(one),
        )
        for c in range(4)
    }
    return FileBatch(
        spec_id=0,
        manifest=one - 1,
        paths=pa.repeat("", count),
        content=one - 1,
        sequence_number=one,
        records=one,
        size=one,
        row_groups=one,
        parquet=np.ones(count, np.bool_),
        partition=Statistics(count, constant(False, count), {}),
        metrics=Statistics(count, constant(False, count), metrics),
    )
