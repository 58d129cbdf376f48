"""Which rows SQL wants, by PyArrow's arithmetic alone."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tests.differential.readers.conditions import Both, Condition, Either, Leaf, Not, Op
from tests.differential.readers.tables import Lake

_COMPARE = {
    Op.EQ: pc.equal,
    Op.NOT_EQ: pc.not_equal,
    Op.LT: pc.less,
    Op.LT_EQ: pc.less_equal,
    Op.GT: pc.greater,
    Op.GT_EQ: pc.greater_equal,
}


def matching(lake: Lake, condition: Condition) -> frozenset[int]:
    """The `n` of the rows of which the condition is true; numbers compare as IEEE 754 has it."""
    rows = lake.every_row
    return frozenset(rows.filter(_holds(rows, condition))["n"].to_pylist())


def _holds(rows: pa.Table, condition: Condition) -> Any:
    match condition:
        case Both(parts):
            return reduce(pc.and_kleene, [_holds(rows, part) for part in parts])
        case Either(parts):
            return reduce(pc.or_kleene, [_holds(rows, part) for part in parts])
        case Not(part):
            return pc.invert(_holds(rows, part))
        case Leaf(op, name, values):
            return _compared(op, rows[name], values)
    raise TypeError(condition)


def _compared(op: Op, column: pa.ChunkedArray, values: tuple[Any, ...]) -> Any:
    if op in _COMPARE:
        return _COMPARE[op](column, pa.scalar(values[0], column.type))
    match op:
        case Op.IS_NULL:
            return pc.is_null(column)
        case Op.NOT_NULL:
            return pc.is_valid(column)
        case Op.IS_NAN:
            return pc.is_nan(column)
        case Op.NOT_NAN:
            return pc.invert(pc.is_nan(column))
        case Op.STARTS_WITH:
            return pc.starts_with(column, values[0])
        case Op.NOT_STARTS_WITH:
            return pc.invert(pc.starts_with(column, values[0]))
        case _:
            found = reduce(
                pc.or_kleene, [pc.equal(column, pa.scalar(v, column.type)) for v in values]
            )
            return found if op is Op.IN else pc.invert(found)
