"""Where readers differ from the product's plan, each as a rule that says which comparison explains
it. Anything that no rule explains is a fault on one side or the other.

A reader that skips less than statistics allow is no fault. Rules of Kind.ANSWERS say where its
rows are not those that SQL wants, and those of Kind.LOST where it answers rows, beside those of
SQL, that the product does not keep.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum, auto

from tests.differential.readers.comparison import Compared
from tests.differential.readers.conditions import (
    COMPARISONS,
    Both,
    Condition,
    Either,
    Leaf,
    Not,
    Op,
    leaves,
    without_not,
)
from tests.differential.readers.showing import (
    LISTS,
    NAN_CHECKS,
    RANGES,
    answers_nan,
    begins_at_the_end,
    has_no_bounds,
    has_null_booleans,
    is_by_one_field_of_several,
    is_decimal_in_an_or,
    is_least_integer,
    is_long,
    is_null_in_whole_files,
    is_of_one_value,
    is_of_unread_files,
    is_presence,
    lists_all_there_are,
    lists_what_another_excludes,
    lists_zero,
    matches_null,
    of,
    passes_nan,
    passes_zeros,
    stays_negated,
    turns_nan,
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
    """A known difference, by what the reader does, the comparisons in which it can show, and a
    condition on a table of which it does, alone. Comparisons are those without NOT."""

    name: str
    kinds: frozenset[Kind]
    explains: Callable[[Leaf, Compared], bool]
    case: Condition
    table: str = "plain"


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
        if kind in known.kinds and any(known.explains(leaf, scan) for leaf in leaves(whole))
    ]


_MORE = frozenset({Kind.MORE_FILES, Kind.MORE_ROW_GROUPS})
_NAN_IS_GREATEST = Difference(
    "NaN is greater than every number, and equal to itself",
    frozenset({Kind.ANSWERS, Kind.LOST}),
    answers_nan,
    Leaf(Op.GT_EQ, "d", (0.0,)),
    "truncate_i",
)
_NAN_BY_BOUNDS = Difference(
    "judges by bounds what may be NaN, which these do not hold, and can answer too few rows",
    frozenset({Kind.ANSWERS, Kind.FEWER_ROW_GROUPS}),
    passes_nan,
    Leaf(Op.IS_NAN, "d"),
    "year_dt",
)
_ZEROS = Difference(
    "takes -0.0 for another number than 0.0 in a list",
    frozenset({Kind.ANSWERS}),
    lists_zero,
    Leaf(Op.IN, "d", (-2.25, -0.0)),
)

_ONE_VALUE = Difference(
    "judges what holds one value by that value, whatever is asked",
    frozenset({Kind.FEWER_FILES, Kind.FEWER_ROW_GROUPS}),
    is_of_one_value,
    Either((Leaf(Op.STARTS_WITH, "s", ("ab",)), Leaf(Op.EQ, "b", (False,)))),
    "day_ts",
)

DUCKDB = (
    Difference(
        "does not see that a list, a prefix or a null check excludes another condition on its"
        " column",
        _MORE,
        lists_what_another_excludes,
        Both((Leaf(Op.IS_NULL, "i"), Leaf(Op.GT, "i", (10,)))),
    ),
    _NAN_IS_GREATEST,
    _NAN_BY_BOUNDS,
    Difference(
        "judges no NOT IN of one value",
        _MORE,
        of(Op.NOT_IN, Op.NOT_STARTS_WITH),
        Leaf(Op.NOT_IN, "dt", (dt.date(2030, 1, 1),)),
        "identity_s",
    ),
    Difference(
        "judges a NOT IN by all values between bounds, if all of them are listed",
        frozenset({Kind.FEWER_ROW_GROUPS}),
        lists_all_there_are,
        Leaf(Op.NOT_IN, "i", (-1, -5, -10, 0)),
        "bucket_l",
    ),
    Difference(
        "judges no list, no prefix and no null check under a NOT",
        _MORE,
        stays_negated,
        Not(Leaf(Op.NOT_IN, "i", (5, 9))),
    ),
)

DATAFUSION = (
    _NAN_IS_GREATEST,
    replace(_NAN_BY_BOUNDS, case=Leaf(Op.NOT_EQ, "d", (1.0,)), table="truncate_s"),
    # Of fewer values it makes an OR.
    replace(_ZEROS, case=Leaf(Op.IN, "d", (-2.25, -0.0, -3.0, 0.5)), table="day_ts"),
    Difference(
        "judges nothing by columns of which a file has no bounds",
        _MORE,
        has_no_bounds,
        Leaf(Op.LT_EQ, "l", (10,)),
        "day_ts",
    ),
    Difference(
        "judges whole files by more of their statistics than row groups, null checks and booleans",
        frozenset({Kind.FEWER_ROW_GROUPS}),
        is_of_unread_files,
        Leaf(Op.IS_NULL, "n"),
        "identity_s",
    ),
    Difference(
        "judges NOT IN lists of more than 20 values by nothing",
        _MORE,
        is_long(20),
        Leaf(Op.NOT_IN, "l", (0, 10, *range(300, 550))),
    ),
    Difference(
        "takes what comes right after a prefix for one of its texts (build_like_match)",
        _MORE,
        begins_at_the_end,
        Leaf(Op.STARTS_WITH, "s", ("a",)),
        "identity_b",
    ),
)

POLARS = (
    _ONE_VALUE,
    _NAN_IS_GREATEST,
    Difference(
        "judges no ranges, no lists and no isnan() of doubles",
        _MORE,
        of(*RANGES, *LISTS, *NAN_CHECKS, of_type="double"),
        Leaf(Op.IN, "d", (-2.25, 3.5)),
    ),
    Difference(
        "reads files of nothing but nulls",
        frozenset({Kind.MORE_FILES}),
        is_null_in_whole_files,
        Leaf(Op.GT, "dec", (Decimal("9.99"),)),
        "identity_s",
    ),
    Difference(
        "reads row groups of other booleans and nulls",
        _MORE,
        has_null_booleans,
        Leaf(Op.EQ, "b", (True,)),
        "bucket_l",
    ),
    Difference(
        "tells PyIceberg of no OR with a decimal, and so judges none by partitions",
        frozenset({Kind.MORE_FILES}),
        is_decimal_in_an_or,
        Either(
            (
                Leaf(Op.IS_NULL, "l"),
                Both((Leaf(Op.LT, "dec", (Decimal("0.02"),)), Leaf(Op.EQ, "l", (1,)))),
            )
        ),
        "bucket_l",
    ),
)

PYICEBERG = (
    _ONE_VALUE,
    Difference(
        "NOT IN matches nulls when files are read",
        frozenset({Kind.ANSWERS, Kind.LOST, Kind.MORE_ROW_GROUPS}),
        matches_null,
        Leaf(Op.NOT_IN, "i", (5, 9)),
    ),
    Difference(
        "turns comparisons around under NOT, so that NaN satisfies neither",
        frozenset({Kind.ANSWERS, Kind.LOST}),
        turns_nan,
        Not(Leaf(Op.LT_EQ, "d", (0.5,))),
        "truncate_s",
    ),
    _NAN_BY_BOUNDS,
    _ZEROS,
    Difference(
        "takes row groups of no number but zeros for ones of -0.0 alone, which a list of 0.0 has"
        " not (Arrow's scanner), and can answer too few rows",
        frozenset({Kind.FEWER_ROW_GROUPS}),
        passes_zeros,
        Leaf(Op.IN, "d", (0.0, 1.0)),
        "several",
    ),
)

CLICKHOUSE = (
    replace(
        _NAN_BY_BOUNDS,
        kinds=_NAN_BY_BOUNDS.kinds | {Kind.FEWER_FILES},
        case=Leaf(Op.NOT_EQ, "d", (1.0,)),
        table="truncate_i",
    ),
    replace(_ZEROS, case=Leaf(Op.IN, "d", (-1e300, -0.0)), table="truncate_i"),
    Difference(
        "judges some files by no bounds of decimals",
        frozenset({Kind.MORE_FILES}),
        of(*COMPARISONS, *LISTS, of_type="decimal"),
        Leaf(Op.IN, "dec", (Decimal("0.02"), Decimal("-5.50"), Decimal("-100.01"))),
        "identity_s",
    ),
    Difference(
        "judges no IS NOT NULL by partitions that are no values",
        frozenset({Kind.MORE_FILES}),
        is_presence,
        Leaf(Op.NOT_NULL, "i"),
        "truncate_i",
    ),
    Difference(
        "judges no range of a time by one of several partition fields",
        frozenset({Kind.MORE_FILES}),
        is_by_one_field_of_several,
        Leaf(Op.LT, "ts", (dt.datetime(2024, 3, 1, tzinfo=dt.UTC),)),
        "several",
    ),
    Difference(
        "truncates the least integer to one that no file has",
        frozenset({Kind.FEWER_FILES}),
        is_least_integer,
        Leaf(Op.EQ, "i", (-(2**31),)),
        "truncate_i",
    ),
)

DIFFERENCES = {
    "ClickHouse": CLICKHOUSE,
    "DuckDB": DUCKDB,
    "DataFusion": DATAFUSION,
    "Polars": POLARS,
    "PyIceberg": PYICEBERG,
}
