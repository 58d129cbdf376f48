"""Partition values of the smallest integers, which wrapped around when they were truncated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table as Written
from pyiceberg.transforms import TruncateTransform
from pyiceberg.types import LongType

from prunescope.audit_jobs.planning.local import replay
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.catalog import open_metadata_file

OPS = {Op.LT: lt, Op.LT_EQ: le, Op.GT: gt, Op.GT_EQ: ge, Op.EQ: eq, Op.NOT_EQ: ne}
BITS = {"int": 32, "long": 64}
MIDDLE = [-1_000, -5, 0, 1_000]


def write(folder: Path, kind: str, width: int, appends: list[list[int]]) -> Written:
    """A table of a file for each row, and a manifest for each append."""
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    schema = pa.schema([("v", pa.int32() if kind == "int" else pa.int64())])
    table = catalog.create_table("db.t", schema)
    with table.update_spec() as update:
        update.add_field("v", TruncateTransform(width), "p")
    for values in appends:
        table.append(pa.table({"v": values}, schema=schema))
    return table


def kept(table: Written, asked: Sequence[tuple[Op, int]]) -> list[tuple[int | None, set[int]]]:
    """How many manifests each comparison keeps, and the rows of the files that it keeps."""
    opened = open_metadata_file(table.metadata_location, TableName(None, (), "t"))
    schema, snapshot = opened.metadata.schema(None), opened.metadata.current_snapshot()
    predicates = [bind(Comparison(op, Column(("v",)), (value,)), schema) for op, value in asked]
    paths = [task.file.file_path for task in table.scan().plan_files()]
    rows = {p: pq.read_table(p.removeprefix("file://"))["v"].to_pylist() for p in paths}
    answers = []
    for found in replay(opened, snapshot, predicates, list_files=True):
        assert found.summary is not None
        of_files = [rows[path] for path in found.kept_files]
        answers.append((found.summary.manifests.kept, set().union(*of_files)))
    return answers


@pytest.mark.slow(minutes=0.1)
@pytest.mark.parametrize("together", [False, True], ids=["apart", "together"])
@pytest.mark.parametrize(("kind", "width"), [("int", 10), ("int", 7), ("long", 10), ("int", 8)])
def test_no_row_is_lost(tmp_path: Path, kind: str, width: int, together: bool) -> None:
    least = -(2 ** (BITS[kind] - 1))
    rows = [least, least + width, *MIDDLE, -least - 1]
    table = write(tmp_path, kind, width, [rows] if together else [[row] for row in rows])
    asked = list(product(OPS, [least + 1, least + width, *MIDDLE, -least - 1]))
    for (op, value), (_, found) in zip(asked, kept(table, asked), strict=True):
        assert found >= {row for row in rows if OPS[op](row, value)}, (op, value)


def test_no_row_of_a_promoted_column_is_lost(tmp_path: Path) -> None:
    table = write(tmp_path, "int", 10, [[-(2**31), 0], MIDDLE])
    with table.update_schema() as update:
        update.update_column("v", LongType())
    asked = [(Op.LT, -5_000), (Op.LT, -1)]
    assert kept(table, asked) == [(1, {-(2**31)}), (2, {-(2**31), *MIDDLE[:2]})]


def test_other_partitions_are_ruled_out(tmp_path: Path) -> None:
    """Also that of the largest integers, which lies above the one that wrapped around."""
    largest = 2**31 - 1
    table = write(tmp_path, "int", 7, [[-(2**31)], MIDDLE, [largest], [0, largest - 7]])
    assert kept(table, [(Op.LT, -5_000), (Op.LT, -5), (Op.GT, 5_000)]) == [
        (1, {-(2**31)}),
        (2, {-(2**31), -1_000}),
        (3, {largest, largest - 7}),
    ]
