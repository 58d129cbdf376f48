"""Filters in Iceberg's JSON form, and what they are as predicates here."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import Column, Comparison, Predicate, all_of, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import negate
from tests.differential.iceberg_java.values import FILLERS, MAX_FILLERS, POOLS

Filter = dict[str, Any]

COMPARISONS = {
    "lt": Op.LT,
    "lt-eq": Op.LT_EQ,
    "gt": Op.GT,
    "gt-eq": Op.GT_EQ,
    "eq": Op.EQ,
    "not-eq": Op.NOT_EQ,
    "starts-with": Op.STARTS_WITH,
    "not-starts-with": Op.NOT_STARTS_WITH,
}
SETS = {"in": Op.IN, "not-in": Op.NOT_IN}
UNARY = {"is-null": Op.IS_NULL, "not-null": Op.NOT_NULL, "is-nan": Op.IS_NAN, "not-nan": Op.NOT_NAN}
_NULLNESS = ("is-null", "not-null")
_ORDERED = ("lt", "lt-eq", "gt", "gt-eq", "eq", "not-eq")
_LONG_LISTS = (150, 199, 200, 201, 250)

# Per type of a column: transforms, and values of their results beyond the column's own.
_TRANSFORMS: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "int": {"bucket[4]": range(4), "truncate[10]": [-110, -20, -10, 0, 5, 10, 100]},
    "long": {"bucket[3]": range(3), "truncate[20]": [-40, -20, 0, 20, 40]},
    "string": {"bucket[4]": range(4), "truncate[2]": ["", "a", "ab", "ze", "日本"]},
    "binary": {"truncate[1]": ["", "00", "61", "ff"]},
    "decimal(9,2)": {"truncate[100]": ["-101.00", "-1.00", "0.00", "9.00", "10.00"]},
    "date": {
        "year": [-1969, -1, 0, 54],
        "month": [-1, 0, 649, 650],
        "day": ["1969-12-31", "1970-01-01", "2024-02-29"],
    },
}
_OF_TIMES: Mapping[str, Sequence[Any]] = {
    "year": [-1, 0, 53, 54],
    "month": [-1, 0, 647, 649, 650],
    "day": ["1969-12-31", "1970-01-01", "2024-02-29", "2024-03-01"],
    "hour": [-1, 0, 474_756, 474_768],
}

# Literals that are not written as values of the column's type, so that Iceberg must convert them.
_UNTYPED: Mapping[str, Sequence[Any]] = {
    "i": [-(10**12), -(2**31) - 1, -(2**31), 0, 5, 2**31 - 1, 2**31, 10**12],
    "f": [-1e300, -1.5, 0, 1, 2.5, 1e300],
    "d": [-3, 0, 1, 0.1],
    "dec": ["-123456789.01", "0.01", "10.00", "123456789.01"],
    "dt": ["1969-12-31", "2024-02-29"],
    "s": ["ab", "é"],
    "ts": ["1970-01-01T00:00:00+00:00", "2024-02-29T13:30:00+01:00"],
    "tsn": ["1970-01-01T00:00:00"],
    "tns": POOLS["tns"].values,
    "tzns": POOLS["tzns"].values,
}
# Iceberg takes typed literals of these columns for microseconds when it binds them (1.9 to 1.11).
_NEVER_TYPED = ("tns", "tzns")


@dataclass(frozen=True)
class ScanFilter:
    """A filter in Iceberg's JSON form; `typed` tells that its literals are in the form of their
    column's type."""

    filter: Filter
    typed: bool


def random_scan_filter(random_: random.Random, columns: Sequence[str]) -> ScanFilter:
    """A filter over some of `columns`: primitive ones, and structs by a name that is no pool."""
    untyped = [column for column in columns if column in _UNTYPED]
    if set(columns) & set(_NEVER_TYPED) or (untyped and random_.random() < 0.12):
        return ScanFilter(_filter(random_, untyped, depth=2, typed=False), typed=False)
    return ScanFilter(_filter(random_, columns, depth=2, typed=True), typed=True)


def _filter(random_: random.Random, columns: Sequence[str], *, depth: int, typed: bool) -> Filter:
    kind = random_.random()
    if depth == 0 or kind < 0.5:
        return _leaf(random_, random_.choice(columns), typed=typed)
    if kind < 0.6:
        return {"type": "not", "child": _filter(random_, columns, depth=depth - 1, typed=typed)}
    return {
        "type": "and" if kind < 0.85 else "or",
        "left": _filter(random_, columns, depth=depth - 1, typed=typed),
        "right": _filter(random_, columns, depth=depth - 1, typed=typed),
    }


def _leaf(random_: random.Random, column: str, *, typed: bool) -> Filter:
    if column not in POOLS:
        return {"type": random_.choice(_NULLNESS), "term": column}
    type_name = POOLS[column].type
    of_times = type_name.startswith("timestamp")
    transforms = _OF_TIMES if of_times else _TRANSFORMS.get(type_name, {})
    if transforms and random_.random() < 0.1:
        transform = random_.choice(list(transforms))
        term = {"type": "transform", "transform": transform, "term": column}
        operators: tuple[str, ...] = (*_ORDERED, *SETS, *_NULLNESS)
        if transform.startswith("truncate") and type_name == "string":
            operators += ("starts-with", "not-starts-with")
        return _comparison(random_, term, transforms[transform], operators)
    if not typed:
        return _comparison(random_, column, _UNTYPED[column], (*_ORDERED, *SETS))
    operators = (*_ORDERED, *SETS, *SETS, *_NULLNESS)
    if type_name in ("float", "double"):
        operators += ("is-nan", "not-nan")
    if type_name == "string":
        operators += ("starts-with", "starts-with", "not-starts-with")
    pool = (*POOLS[column].values, *POOLS[column].beyond)
    return _comparison(random_, column, pool, operators)


def _comparison(
    random_: random.Random, term: str | Filter, pool: Sequence[Any], operators: Sequence[str]
) -> Filter:
    operator = random_.choice(operators)
    if operator in UNARY:
        return {"type": operator, "term": term}
    if operator in SETS:
        return {"type": operator, "term": term, "values": _values(random_, term, pool)}
    return {"type": operator, "term": term, "value": random_.choice(pool)}


def _values(random_: random.Random, term: str | Filter, pool: Sequence[Any]) -> list[Any]:
    values = random_.sample(list(pool), random_.randint(1, min(3, len(pool))))
    filler = FILLERS.get(POOLS[term].type) if isinstance(term, str) else None
    if filler is not None and random_.random() < 0.25:
        wanted = random_.choice(_LONG_LISTS)
        more = (filler(n) for n in random_.sample(range(MAX_FILLERS), MAX_FILLERS))
        values = list(dict.fromkeys([*values, *more]))[:wanted]
    return values


def predicate(filter_: Filter) -> Predicate:
    """The filter as an unbound predicate."""
    kind = filter_["type"]
    if kind in ("and", "or"):
        combine = all_of if kind == "and" else any_of
        return combine(predicate(filter_["left"]), predicate(filter_["right"]))
    if kind == "not":
        return negate(predicate(filter_["child"]))
    column, type_name = _column(filter_["term"])
    if kind in UNARY:
        return Comparison(UNARY[kind], column)
    if kind in SETS:
        values = tuple(_literal(type_name, value) for value in filter_["values"])
        return Comparison(SETS[kind], column, values)
    return Comparison(COMPARISONS[kind], column, (_literal(type_name, filter_["value"]),))


def _column(term: str | Filter) -> tuple[Column, str]:
    """The column of a term, and the type of what it is compared with: "" where that is not
    the column's."""
    if isinstance(term, dict):
        name, transform = term["term"], term["transform"]
        own = transform.startswith("truncate")
        return Column(tuple(name.split(".")), transform), POOLS[name].type if own else ""
    return Column(tuple(term.split("."))), POOLS[term].type if term in POOLS else ""


def _literal(type_name: str, value: Any) -> LiteralValue:
    """Texts of dates, times and UUIDs stay text, as SQL has them; those of decimals are decimals,
    as engines compare a text with a decimal as doubles."""
    if type_name == "binary" or type_name.startswith("fixed"):
        return bytes.fromhex(value)
    if type_name.startswith("decimal"):
        return Decimal(value)
    literal: LiteralValue = value
    return literal
