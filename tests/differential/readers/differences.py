"""Where readers differ from the product's plan, each as a rule that says which comparison explains
it. Anything that no rule explains is a fault on one side or the other.

A reader that skips less than statistics allow is no fault. Rules of Kind.ANSWERS say where its
rows are not those that SQL wants, and those of Kind.LOST where it answers rows, beside those of
SQL, that the product does not keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

import pyarrow as pa
import pyarrow.compute as pc

from tests.differential.readers.comparison import Compared
from tests.differential.readers.conditions import (
    Both,
    Condition,
    Either,
    Leaf,
    Op,
    leaves,
    sql,
    without_not,
)


class Kind(Enum):
    """Whether the reader reads more than the product keeps, or less; whether it answers other rows
    than SQL wants, and whether the product loses some of these."""

    MORE_FILES = auto()
    FEWER_FILES = auto()
    MORE_ROW_GROUPS = auto()
    FEWER_ROW_GROUPS = auto()
    ANSWERS = auto()
    LOST = auto()


@dataclass(frozen=True)
class Difference:
    """A known difference, by what the reader does, and the comparisons in which it can show; with
    `alternatives`, those only that are a part of an OR."""

    name: str
    kinds: frozenset[Kind]
    explains: Callable[[Leaf, Compared], bool]
    alternatives: bool = False


def kinds(scan: Compared) -> frozenset[Kind]:
    """How a scan differs."""
    found = {
        Kind.MORE_FILES: scan.files[0],
        Kind.FEWER_FILES: scan.files[1],
        Kind.MORE_ROW_GROUPS: scan.row_groups[0],
        Kind.FEWER_ROW_GROUPS: scan.row_groups[1],
        Kind.ANSWERS: scan.answer ^ scan.theirs.rows,
        Kind.LOST: scan.lost,
    }
    return frozenset(kind for kind, differs in found.items() if differs)


def explanations(engine: str, scan: Compared, kind: Kind) -> list[Difference]:
    """Which known differences can make a scan differ in this way."""
    whole = without_not(scan.condition)
    return [
        known
        for known in DIFFERENCES[engine]
        if kind in known.kinds
        and any(
            known.explains(leaf, scan)
            for leaf in (_alternatives(whole) if known.alternatives else leaves(whole))
        )
    ]


def _alternatives(condition: Condition) -> Iterator[Leaf]:
    match condition:
        case Either():
            yield from leaves(condition)
        case Both(parts):
            for part in parts:
                yield from _alternatives(part)


_MORE = frozenset({Kind.MORE_FILES, Kind.MORE_ROW_GROUPS})
_LISTS = (Op.IN, Op.NOT_IN)
_UNTURNED = (*_LISTS, Op.IS_NULL, Op.NOT_NULL)


def _any(_leaf: Leaf, _scan: Compared) -> bool:
    return True


def _of_double(leaf: Leaf, _scan: Compared) -> bool:
    return leaf.type == "double"


def _nans(rows: pa.Table, leaf: Leaf) -> int:
    return int(pc.sum(pc.is_nan(rows[leaf.column])).as_py() or 0) if leaf.type == "double" else 0


def _answers_nan(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row of which the answers differ has NaN."""
    return _nans(scan.odd_rows, leaf) > 0


def _passes_nan(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row group is passed by that may have NaN, for all that statistics tell; or a row
    of NaN that SQL wants, with others of its file."""
    return leaf.type == "double" and (bool(scan.passed_by) or _nans(scan.passed_rows, leaf) > 0)


def _of(*ops: Op) -> Callable[[Leaf, Compared], bool]:
    return lambda leaf, _: leaf.op in ops


def _is_long(limit: int) -> Callable[[Leaf, Compared], bool]:
    return lambda leaf, _: leaf.op in _LISTS and len(leaf.values) > limit


def _is_null_throughout(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row group that could be left out has nothing but nulls in the column."""
    return any(rows[leaf.column].null_count == len(rows) for rows in scan.left_out)


def _has_no_bounds(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row group that could be left out is in a file that has nothing but nulls and NaN
    in the column."""
    homes = scan.lake.homes
    files = {homes[rows["n"][0].as_py()][0] for rows in scan.left_out}
    bounded = {path for (path, _), rows in scan.lake.rows.items() if _numbers(rows[leaf.column])}
    return not files <= bounded


def _numbers(column: pa.ChunkedArray) -> int:
    found = column.drop_null()
    if pa.types.is_floating(found.type):
        return len(found) - int(pc.sum(pc.is_nan(found)).as_py() or 0)
    return len(found)


def _is_null_in_part(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row group that could be left out has nulls and values in the column."""
    return any(0 < rows[leaf.column].null_count < len(rows) for rows in scan.left_out)


def _has_zero(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row of which the answers differ has a zero where one is asked for."""
    is_asked = leaf.type == "double" and 0.0 in leaf.values
    return is_asked and 0.0 in scan.odd_rows[leaf.column].to_pylist()


def _is_negated(leaf: Leaf, scan: Compared) -> bool:
    return leaf.op in _UNTURNED and "NOT (" in sql(scan.condition)


def _excludes_another(leaf: Leaf, scan: Compared) -> bool:
    """Whether nothing is kept, and the condition has more on the same column."""
    same = [other for other in leaves(scan.condition) if other.column == leaf.column]
    return len(same) > 1 and not scan.ours.files


_NAN_IS_GREATEST = Difference(
    "NaN is greater than every number, and equal to itself",
    frozenset({Kind.ANSWERS, Kind.LOST}),
    _answers_nan,
)
_NAN_BY_BOUNDS = Difference(
    "judges by bounds what may be NaN, which these do not hold, and can answer too few rows",
    frozenset({Kind.ANSWERS, Kind.FEWER_ROW_GROUPS}),
    _passes_nan,
)
_ZEROS = Difference("takes -0.0 for another number than 0.0", frozenset({Kind.ANSWERS}), _has_zero)
_EXCLUDING = Difference(
    "does not see that conditions on one column exclude each other", _MORE, _excludes_another
)

DUCKDB = (
    _EXCLUDING,
    _NAN_IS_GREATEST,
    _NAN_BY_BOUNDS,
    Difference("judges no NOT IN and no NOT LIKE", _MORE, _of(Op.NOT_IN, Op.NOT_STARTS_WITH)),
    Difference("judges no list and no null check under a NOT", _MORE, _is_negated),
    Difference(
        "judges no OR but of plain comparisons of one column", _MORE, _any, alternatives=True
    ),
)

DATAFUSION = (
    _NAN_IS_GREATEST,
    _NAN_BY_BOUNDS,
    Difference(
        "ignores null counts of 0 in files with field ids, and so judges no null checks",
        _MORE,
        _of(Op.IS_NULL, Op.NOT_NULL),
    ),
    Difference("judges nothing by columns of which a file has no bounds", _MORE, _has_no_bounds),
    Difference("judges IN lists of more than 20 values by bloom filters only", _MORE, _is_long(20)),
    Difference(
        "judges no booleans",
        _MORE,
        lambda leaf, _: leaf.type == "boolean" and leaf.op in (Op.EQ, Op.NOT_EQ),
    ),
    Difference("judges no isnan()", _MORE, _of(Op.IS_NAN, Op.NOT_NAN)),
)

POLARS = (
    replace(
        _NAN_IS_GREATEST,
        kinds=_NAN_IS_GREATEST.kinds | {Kind.FEWER_FILES, Kind.FEWER_ROW_GROUPS},
    ),
    Difference("judges no ranges and no lists of doubles", _MORE, _of_double),
    Difference("reads row groups and files of nothing but nulls", _MORE, _is_null_throughout),
    Difference(
        "judges no <>, no NOT IN and no prefixes",
        _MORE,
        _of(Op.NOT_EQ, Op.NOT_IN, Op.STARTS_WITH, Op.NOT_STARTS_WITH),
    ),
    Difference("judges long IN lists by their range", _MORE, _is_long(20)),
    _EXCLUDING,
)

PYICEBERG = (
    Difference(
        "NOT IN matches nulls when files are read",
        frozenset({Kind.ANSWERS, Kind.LOST, Kind.MORE_ROW_GROUPS}),
        _of(Op.NOT_IN),
    ),
    Difference(
        "turns comparisons around under NOT, so that NaN satisfies neither",
        frozenset({Kind.ANSWERS, Kind.LOST}),
        _answers_nan,
    ),
    _NAN_BY_BOUNDS,
    _ZEROS,
    Difference(
        "judges no row groups that hold nulls and values (Arrow's scanner)",
        _MORE,
        _is_null_in_part,
    ),
    Difference("judges no IN lists of more than 50 values by row group", _MORE, _is_long(50)),
    Difference("judges no prefixes by row group", _MORE, _of(Op.STARTS_WITH, Op.NOT_STARTS_WITH)),
)

DIFFERENCES = {
    "DuckDB": DUCKDB,
    "DataFusion": DATAFUSION,
    "Polars": POLARS,
    "PyIceberg": PYICEBERG,
}
