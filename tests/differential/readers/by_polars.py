"""Polars, whose `scan_iceberg` has PyIceberg plan what it can say to it, and then judges files and
row groups itself."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from functools import reduce
from operator import and_, or_

import polars as pl
import pyarrow.parquet as pq

from prunescope.collectors.sql.planners.profiles import planner_of
from tests.differential.readers.comparison import Counts, Plan, Read, Refused
from tests.differential.readers.conditions import Both, Condition, Either, Leaf, Not, Op
from tests.differential.readers.tables import Lake, local

_PLANNED = re.compile(r"native scan_parquet\(\): num_sources: (\d+)")
_SKIPPED = re.compile(r"Predicate pushdown allows skipping (\d+) / \d+ files")
_ROW_GROUPS = re.compile(r"Predicate pushdown: reading (\d+) / \d+ row groups")
# Its own planner is another package, polars_iceberg, of which there is a first version only.
os.environ.setdefault("POLARS_ICEBERG_PLANNER", "pyiceberg")
_ALL = "all"


class Polars:
    """Files of a table as Polars' messages count them, which do not name them; and row groups, file
    by file."""

    name = "Polars"
    version = pl.__version__
    dialect = "duckdb"
    planner = planner_of("polars", pl.__version__, is_asked=True)

    def read(self, lake: Lake, asked: Condition) -> Read:
        """Runs a scan. Raises Refused."""
        filter_ = expression(asked)
        rows, text = _run(pl.scan_iceberg(lake.written).filter(filter_))
        files = sum(map(int, _PLANNED.findall(text))) - sum(map(int, _SKIPPED.findall(text)))
        row_groups = {path: _row_groups(path, filter_) for path in lake.files}
        return Read({_ALL: files}, row_groups, rows)

    def counts(self, plan: Plan) -> tuple[Counts | None, Counts | None]:
        """See `Engine`."""
        row_groups = {path: sum(kept) for path, kept in plan.row_groups.items()}
        return {_ALL: len(plan.files)}, row_groups


def _row_groups(path: str, filter_: pl.Expr) -> int:
    _, text = _run(pl.scan_parquet(local(path)).filter(filter_))
    found = _ROW_GROUPS.findall(text)
    # Without anything to judge by it says nothing, and reads them all.
    return int(found[0]) if found else pq.read_metadata(local(path)).num_row_groups


def _run(scan: pl.LazyFrame) -> tuple[frozenset[int], str]:
    with _messages() as messages:
        try:
            rows = frozenset(scan.select("n").collect()["n"].to_list())
        except TypeError as error:
            raise Refused(str(error)) from error
    return rows, messages[0]


@contextmanager
def _messages() -> Iterator[list[str]]:
    """What is written to standard error meanwhile; known at the end. Half of Polars writes to the
    file of that number, the other half to Python's, which is another one while pytest captures."""
    found: list[str] = []
    standard_error = os.dup(2)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        os.dup2(file.fileno(), 2)
        try:
            with redirect_stderr(file), pl.Config(verbose=True):
                yield found
        finally:
            os.dup2(standard_error, 2)
            os.close(standard_error)
            file.flush()
            file.seek(0)
            found.append(file.read())


_COMPARE = {
    Op.EQ: pl.Expr.eq,
    Op.NOT_EQ: pl.Expr.ne,
    Op.LT: pl.Expr.lt,
    Op.LT_EQ: pl.Expr.le,
    Op.GT: pl.Expr.gt,
    Op.GT_EQ: pl.Expr.ge,
}


def expression(asked: Condition) -> pl.Expr:
    """The condition as an expression of Polars."""
    match asked:
        case Both(parts):
            return reduce(and_, map(expression, parts))
        case Either(parts):
            return reduce(or_, map(expression, parts))
        case Not(part):
            return ~expression(part)
        case Leaf(op, name, values):
            return _of_column(op, pl.col(name), values)
    raise TypeError(asked)


def _of_column(op: Op, column: pl.Expr, values: tuple[object, ...]) -> pl.Expr:
    if op in _COMPARE:
        return _COMPARE[op](column, values[0])
    match op:
        case Op.IS_NULL:
            return column.is_null()
        case Op.NOT_NULL:
            return column.is_not_null()
        case Op.IS_NAN:
            return column.is_nan()
        case Op.STARTS_WITH:
            return column.str.starts_with(str(values[0]))
        case Op.NOT_STARTS_WITH:
            return ~column.str.starts_with(str(values[0]))
        case Op.IN:
            return column.is_in(list(values))
    return ~column.is_in(list(values))
