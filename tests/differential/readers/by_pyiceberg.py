"""PyIceberg: the files that it plans, and the row groups that Arrow's scanner reads of them by the
expression that PyIceberg makes for it."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pyarrow.dataset as ds
import pyiceberg
from pyiceberg.expressions import (
    And,
    BooleanExpression,
    EqualTo,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    IsNaN,
    IsNull,
    LessThan,
    LessThanOrEqual,
    NotEqualTo,
    NotIn,
    NotNull,
    NotStartsWith,
    Or,
    StartsWith,
)
from pyiceberg.expressions import Not as NotExpression
from pyiceberg.expressions.visitors import bind, rewrite_not
from pyiceberg.io.pyarrow import expression_to_pyarrow

from prunescope.collectors.sql.planners.profiles import planner_of
from tests.differential.readers.comparison import Counts, Plan, Read, Refused
from tests.differential.readers.conditions import Both, Condition, Either, Leaf, Not, Op
from tests.differential.readers.tables import Lake, local

_CHECKS = {Op.IS_NULL: IsNull, Op.NOT_NULL: NotNull, Op.IS_NAN: IsNaN}
_LISTS = {Op.IN: In, Op.NOT_IN: NotIn}
_COMPARISONS = {
    Op.EQ: EqualTo,
    Op.NOT_EQ: NotEqualTo,
    Op.LT: LessThan,
    Op.LT_EQ: LessThanOrEqual,
    Op.GT: GreaterThan,
    Op.GT_EQ: GreaterThanOrEqual,
    Op.STARTS_WITH: StartsWith,
    Op.NOT_STARTS_WITH: NotStartsWith,
}


class PyIceberg:
    """What `Table.scan(row_filter)` plans and reads."""

    name = "PyIceberg"
    version = pyiceberg.__version__
    dialect = "duckdb"
    planner = planner_of("pyiceberg", pyiceberg.__version__)

    def read(self, lake: Lake, asked: Condition) -> Read:
        """Runs a scan. Raises Refused."""
        filter_ = expression(asked)
        scan = lake.written.scan(row_filter=filter_)
        try:
            files = [task.file.file_path for task in scan.plan_files()]
        except TypeError as error:
            raise Refused(str(error)) from error
        schema = lake.written.schema()
        arrow = expression_to_pyarrow(bind(schema, rewrite_not(filter_), case_sensitive=True))
        row_groups = {path: _row_groups(path, arrow) for path in files}
        rows = frozenset(scan.to_arrow()["n"].to_pylist())
        return Read(dict.fromkeys(files, 1), row_groups, rows)

    def counts(self, plan: Plan) -> tuple[Counts | None, Counts | None]:
        """See `Engine`."""
        kept = {path: sum(plan.row_groups[path]) for path in plan.files}
        return dict.fromkeys(plan.files, 1), kept


def _row_groups(path: str, filter_: ds.Expression) -> int:
    (fragment,) = ds.dataset(local(path), format="parquet").get_fragments()
    return len(fragment.subset(filter=filter_).row_groups)


def expression(asked: Condition) -> BooleanExpression:
    """The condition as an expression of PyIceberg."""
    match asked:
        case Both(parts):
            return reduce(And, map(expression, parts))
        case Either(parts):
            return reduce(Or, map(expression, parts))
        case Not(part):
            return NotExpression(expression(part))
        case Leaf(op, column, values):
            return _of_column(op, column, values)
    raise TypeError(asked)


def _of_column(op: Op, column: str, values: tuple[Any, ...]) -> BooleanExpression:
    found: BooleanExpression
    if op in _CHECKS:
        found = _CHECKS[op](column)
    elif op in _LISTS:
        found = _LISTS[op](column, values)
    else:
        found = _COMPARISONS[op](column, values[0])
    return found
