"""Random conditions over the columns of the tables, and how each reads as SQL.

They are drawn as trees, not as text: Polars and PyIceberg are asked by expressions of their own.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

UTC = dt.UTC


@dataclass(frozen=True)
class Column:
    """The type of a column by its name in Iceberg, values that rows hold, and some that none
    does."""

    type: str
    values: Sequence[Any]
    beyond: Sequence[Any]


_TIMES = (
    dt.datetime(1969, 12, 31, 23, 59, 59, 999_999),
    dt.datetime(1970, 1, 1),
    dt.datetime(2024, 2, 28, 23, 30),
    dt.datetime(2024, 2, 29, 12, 30),
    dt.datetime(2024, 2, 29, 12, 30, 0, 1),
    dt.datetime(2024, 3, 1),
    dt.datetime(2024, 12, 31, 23, 59, 59),
    dt.datetime(2025, 1, 1),
)
_OTHER_TIMES = (dt.datetime(1960, 5, 5), dt.datetime(2024, 2, 29), dt.datetime(2030, 1, 1))
_DECIMALS = tuple(
    map(Decimal, ("-100.01", "-1.00", "-0.01", "0.00", "0.01", "9.99", "10.00", "10.01", "5000.00"))
)
_NUMBERS = (-101, -20, -11, -10, -1, 0, 1, 5, 9, 10, 11, 20, 100)

COLUMNS: Mapping[str, Column] = {
    "n": Column("long", range(200), (-1, 1_000)),
    "i": Column("int", (*_NUMBERS, 2**31 - 1), (-5, 7, -(2**31))),
    "l": Column("long", (*_NUMBERS, 5_000_000_000, 2**63 - 1), (-5, 7, -(2**62))),
    "d": Column(
        "double", (-1e300, -2.25, -1.0, -0.0, 0.0, 0.1, 1.0, 3.5, 7.0, 1e300), (-3.0, 0.5, 9.75)
    ),
    "dec": Column(
        "decimal",
        _DECIMALS,
        (Decimal("-5.50"), Decimal("0.02"), Decimal("77777.77")),
    ),
    "s": Column(
        "string",
        (
            "", "a", "ab", "abc", "abd", "b", "bz", "zebra and a long tail of text",
            "zebra and a long tale", "é", "日本",
        ),
        ("aa", "c", "zebra and a long", "ab%"),
    ),
    "dt": Column(
        "date",
        (
            dt.date(1969, 12, 31), dt.date(1970, 1, 1), dt.date(2023, 12, 31),
            dt.date(2024, 2, 28), dt.date(2024, 2, 29), dt.date(2024, 3, 1), dt.date(2025, 1, 1),
        ),
        (dt.date(1960, 1, 1), dt.date(2024, 1, 15), dt.date(2030, 1, 1)),
    ),
    "tsn": Column("timestamp", _TIMES, _OTHER_TIMES),
    "ts": Column(
        "timestamptz",
        tuple(value.replace(tzinfo=UTC) for value in _TIMES),
        tuple(value.replace(tzinfo=UTC) for value in _OTHER_TIMES),
    ),
    "b": Column("boolean", (True, False), ()),
}  # fmt: skip


class Op(Enum):
    """What a leaf asks, in the words of SQL."""

    EQ = "="
    NOT_EQ = "<>"
    LT = "<"
    LT_EQ = "<="
    GT = ">"
    GT_EQ = ">="
    IN = "IN"
    NOT_IN = "NOT IN"
    IS_NULL = "IS NULL"
    NOT_NULL = "IS NOT NULL"
    STARTS_WITH = "LIKE"
    NOT_STARTS_WITH = "NOT LIKE"
    IS_NAN = "isnan"
    NOT_NAN = "NOT isnan"  # of planners: here it is written as NOT


COMPARISONS = (Op.EQ, Op.NOT_EQ, Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ)
_LISTS = (Op.IN, Op.IN, Op.NOT_IN)
_CHECKS = (Op.IS_NULL, Op.NOT_NULL)
_PREFIXES = (Op.STARTS_WITH, Op.STARTS_WITH, Op.NOT_STARTS_WITH)
_LONG_LIST = 250


@dataclass(frozen=True)
class Leaf:
    """One column compared with constants; those of a prefix are without the `%`."""

    op: Op
    column: str
    values: tuple[Any, ...] = ()

    @property
    def type(self) -> str:
        """The type of the column."""
        return COLUMNS[self.column].type


@dataclass(frozen=True)
class Both:
    """Both parts."""

    parts: tuple[Condition, Condition]


@dataclass(frozen=True)
class Either:
    """Either part."""

    parts: tuple[Condition, Condition]


@dataclass(frozen=True)
class Not:
    """The opposite, which is unknown where the part is."""

    part: Condition


Condition = Leaf | Both | Either | Not


def leaves(condition: Condition) -> Iterator[Leaf]:
    """Every leaf."""
    match condition:
        case Leaf():
            yield condition
        case Not(part):
            yield from leaves(part)
        case Both(parts) | Either(parts):
            for part in parts:
                yield from leaves(part)


def random_condition(random_: random.Random, depth: int = 2) -> Condition:
    """A leaf, or a tree of some."""
    kind = random_.random()
    if depth == 0 or kind < 0.5:
        return _leaf(random_)
    if kind < 0.6:
        return Not(random_condition(random_, depth - 1))
    left, right = (random_condition(random_, depth - 1) for _ in range(2))
    return Both((left, right)) if kind < 0.82 else Either((left, right))


def _leaf(random_: random.Random) -> Condition:
    name = random_.choice(list(COLUMNS))
    column = COLUMNS[name]
    kind = random_.random()
    if kind < 0.12:
        return Leaf(random_.choice(_CHECKS), name)
    if column.type == "boolean":
        return Leaf(Op.EQ, name, (random_.choice(column.values),))
    if column.type == "double" and kind < 0.2:
        return Leaf(Op.IS_NAN, name)
    pool = [*column.values, *column.beyond]
    if column.type == "string" and kind < 0.4:
        prefix = random_.choice([value for value in pool if value and "%" not in value])
        return Leaf(random_.choice(_PREFIXES), name, (prefix[: random_.randint(1, 18)],))
    if kind < 0.55:
        size = min(len(pool), random_.choice((1, 2, 3, 4)))
        values = random_.sample(pool, size)
        if column.type == "long" and random_.random() < 0.2:
            values = list(dict.fromkeys([*values, *range(300, 300 + _LONG_LIST)]))
        return Leaf(random_.choice(_LISTS), name, tuple(values))
    if kind < 0.65:
        low, high = sorted(random_.sample(pool, 2))
        return Both((Leaf(Op.GT_EQ, name, (low,)), Leaf(Op.LT_EQ, name, (high,))))
    return Leaf(random_.choice(COMPARISONS), name, (random_.choice(pool),))


def sql(condition: Condition, own: Callable[[Any], str | None] = lambda _: None) -> str:
    """The condition in words that DuckDB and DataFusion have in common; with values in an engine's
    `own` words, where it has such."""

    def shown(value: Any) -> str:
        return own(value) or _literal(value)

    match condition:
        case Both(parts):
            return f"({' AND '.join(sql(part, own) for part in parts)})"
        case Either(parts):
            return f"({' OR '.join(sql(part, own) for part in parts)})"
        case Not(part):
            return f"NOT ({sql(part, own)})"
        case Leaf(Op.IS_NULL | Op.NOT_NULL as op, column):
            return f"{column} {op.value}"
        case Leaf(Op.IS_NAN, column):
            return f"isnan({column})"
        case Leaf(Op.STARTS_WITH | Op.NOT_STARTS_WITH as op, column, (prefix,)):
            return f"{column} {op.value} {shown(prefix + '%')}"
        case Leaf(Op.IN | Op.NOT_IN as op, column, values):
            return f"{column} {op.value} ({', '.join(map(shown, values))})"
        case Leaf(op, column, (value,)):
            return f"{column} {op.value} {shown(value)}"
    raise TypeError(condition)


def _literal(value: Any) -> str:
    match value:
        case bool():
            return str(value).upper()
        case float():
            return f"{value!r}e0" if "e" not in repr(value) else repr(value)
        case str():
            return "'" + value.replace("'", "''") + "'"
        case dt.datetime(tzinfo=None):
            return f"TIMESTAMP '{value}'"
        case dt.datetime():
            return f"TIMESTAMP WITH TIME ZONE '{value}'"
        case dt.date():
            return f"DATE '{value}'"
    return str(value)


_OPPOSITES = {
    Op.EQ: Op.NOT_EQ,
    Op.LT: Op.GT_EQ,
    Op.GT: Op.LT_EQ,
    Op.IN: Op.NOT_IN,
    Op.IS_NULL: Op.NOT_NULL,
    Op.STARTS_WITH: Op.NOT_STARTS_WITH,
    Op.IS_NAN: Op.NOT_NAN,
}
OPPOSITE = _OPPOSITES | {there: here for here, there in _OPPOSITES.items()}


def without_not(condition: Condition, *, negated: bool = False) -> Condition:
    """The condition with every NOT moved into the leaves, as planners do."""
    match condition:
        case Not(part):
            return without_not(part, negated=not negated)
        case Both(parts) | Either(parts):
            left, right = (without_not(part, negated=negated) for part in parts)
            is_all = isinstance(condition, Both) is not negated
            return Both((left, right)) if is_all else Either((left, right))
        case Leaf(op, column, values) if negated:
            return Leaf(OPPOSITE[op], column, values)
    return condition
