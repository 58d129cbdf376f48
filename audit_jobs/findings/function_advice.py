"""Advice about functions around columns by which nothing prunes, in a few words and in more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from sqlglot import exp

from prunescope.audit_jobs.findings.parsed_texts import way_out_of_digits, way_out_of_parsed
from prunescope.audit_jobs.findings.uuid_lookups import UUIDS_UNSERVED
from prunescope.audit_jobs.findings.wrappings import (
    Wrapping,
    asks_for_rest,
    repeated_within,
    wrapping_of,
)
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.predicates.calendar import Unit
from prunescope.collectors.sql.text.boolean import own_columns
from prunescope.collectors.sql.text.nodes import nodes_in_depth
from prunescope.collectors.sql.text.parse import parse_condition
from prunescope.collectors.types import NANOS_PER_UNIT


class WayOut(NamedTuple):
    """Advice in a few words and in more, and whether anything is at fault."""

    briefly: str
    advice: str
    is_fault: bool = True


SEARCHED = (
    "Do one of these: filter on a known prefix; store the searched part in its own column; add a "
    "filter on a partition column."
)
_WAYS: dict[Wrapping, WayOut] = {
    Wrapping.SEARCH: WayOut(
        "no sort order brings strings together by what they contain",
        SEARCHED,
    ),
    Wrapping.NORMALISED: WayOut(
        "filter on a column with the normalised string",
        "Store the normalised string in its own column (or normalise on write), sort by it, and "
        "filter on it.",
    ),
    Wrapping.REPEATED: WayOut(
        "matching values recur in every part of the table, so no range replaces it",
        "No rewrite of the query helps. To skip files, store the value in its own column and sort "
        "by it.",
    ),
    Wrapping.BEGINNING: WayOut(
        "add a range on the column",
        "The condition is on a prefix. AND a range: {bare} >= ? (first prefix) AND {bare} < ? "
        "(after the last prefix). It prunes if the table is sorted by the column. If the column is "
        "cast, first check that values use one format.",
    ),
    Wrapping.PIECE: WayOut(
        "filter on a column with that part of the value",
        "Store this part of the value in its own column, sort by it, and filter on it.",
    ),
    Wrapping.TIME_TEXT: WayOut(
        "compare the column with dates or timestamps",
        "Planners cannot use a timestamp formatted as a string. Compare the column with "
        "timestamps: >= start AND < end.",
    ),
    Wrapping.NULL_TAKEN: WayOut(
        "compare the column itself, and test for NULL explicitly",
        "The function converts to or from NULL. Compare the column itself; to include NULLs, write "
        "({bare} = ? OR {bare} IS NULL).",
    ),
    Wrapping.OTHER: WayOut(
        "compare the column itself if that is equivalent, add a range, or filter on a column that "
        "stores the value",
        "Planners prune by a range that the condition implies, such as {bare} >= ? AND {bare} < ?, "
        "or by a column that stores the value.",
    ),
}
_TRUTH = WayOut(
    "compare the column with TRUE or FALSE",
    "Compare the column itself: {bare} = TRUE, or {bare} = FALSE. To include NULLs, add OR {bare} "
    "IS NULL.",
)
_OF_RESTS = WayOut(
    "matching values recur in every part of the table, so no range replaces it",
    "Nothing is wrong if this takes a sample or a share of the rows. No rewrite of the query "
    "helps. To skip files, store the value in its own column and sort by it.",
    is_fault=False,
)
_OF_EACH_YEAR = WayOut(
    "add one range per year of the table",
    "The period recurs each year. If the table has few years, AND one range per year: ({bare} >= ? "
    "AND {bare} < ? OR {bare} >= ? AND {bare} < ?). Add a range when a new year begins. Otherwise "
    "store the value in its own column and sort by it.",
)
_OF_KNOWN_YEARS = WayOut(
    "add the range that the conditions on the column imply together",
    "Another condition limits the years. For each of these years, AND the range that both imply: "
    "{bare} >= ? AND {bare} < ?.",
)
_OF_SEVERAL = WayOut(
    "compare each column separately, or filter on a column that stores the value",
    "No range on one column is equivalent. Compare each column separately if that is equivalent, "
    "or store the value in its own column, sort by it, and filter on it.",
)
OF_UUIDS_UNSERVED = WayOut(
    "add a condition on another column, or store the key as a string",
    UUIDS_UNSERVED,
)
_SIGNS: dict[type[exp.Expr], tuple[str, str]] = {
    exp.GT: (">", ">"),
    exp.GTE: (">", ">="),
    exp.LT: ("<", "<"),
    exp.LTE: ("<", "<="),
}
"""Operators between the parts of a comparison, and before the last one."""
_FROM_THE_RIGHT: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
}
_PARTS_OF_DATES = re.compile(r"(?P<year>y|yr|year)|(?P<month>m|mo|mon|month)|(?P<day>d|dd|day)")


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A column within a function, as the query's engine quotes it, its name and type."""

    quoted: str
    name: str
    type: str | None

    @property
    def is_time(self) -> bool:
        """True for a date or a time."""
        return self.type in NANOS_PER_UNIT


def way_out(
    conditions: Sequence[str],
    dialect: str,
    columns: Sequence[Wrapped],
    *,
    of_parts: bool,
    by_column: bool,
    is_bounded: bool = False,
) -> WayOut:
    """Advice about conditions on the same columns, given as SQL with literals, none of which the
    advice shows. `of_parts`: lists, maps and structs have no ranges; `by_column`: the engine prunes
    by one condition for each column; `is_bounded`: other conditions limit both ends."""
    first, *others = columns
    if [column.type for column in columns] == ["boolean"]:
        return _for_column(_TRUTH, first)
    is_time = all(column.is_time for column in columns)
    is_of_one = is_time and not others
    trees = [tree for text in conditions for tree in _parsed(text, dialect)]
    kinds: dict[Wrapping, list[exp.Expr]] = {}
    for tree in trees:
        kinds.setdefault(wrapping_of(tree, is_time=is_time), []).append(tree)
    kind = min(kinds, key=lambda kind: kind.value, default=Wrapping.OTHER)
    if kind is Wrapping.JOINED:
        return _of_joined(kinds[kind], columns, by_column=by_column)
    if others and kind is Wrapping.OTHER:
        return _OF_SEVERAL
    if kind is Wrapping.REPEATED and is_of_one and repeated_within(kinds[kind][-1]) is Unit.YEAR:
        return _for_column(_OF_KNOWN_YEARS if is_bounded else _OF_EACH_YEAR, first)
    if kind is Wrapping.REPEATED and not is_time and all(map(asks_for_rest, trees)):
        return _OF_RESTS
    if kind is Wrapping.OTHER:
        by_format = way_out_of_parsed(" AND ".join(conditions), first.quoted, dialect)
        if by_format is not None:
            return WayOut(*by_format)
        kind = Wrapping.PIECE if of_parts else kind
    if kind is Wrapping.NORMALISED and not others:
        by_digits = way_out_of_digits(kinds[kind][-1], first.quoted)
        if by_digits is not None:
            return WayOut(*by_digits)
    return _for_column(_WAYS[kind], first)


def _parsed(text: str, dialect: str) -> Iterator[exp.Expr]:
    """The tree of a condition; none for what only a plan of Spark writes so."""
    with suppress(PrunescopeError):
        yield parse_condition(text, dialect)


def _for_column(way: WayOut, column: Wrapped) -> WayOut:
    return way._replace(advice=way.advice.format(bare=column.quoted))


def _of_joined(
    conditions: Sequence[exp.Expr], columns: Sequence[Wrapped], *, by_column: bool
) -> WayOut:
    """Advice to compare the parts of which one text or date is made, the larger ones first, as each
    of the conditions compares the whole, so that both ends of a range are shown."""
    ordered = _larger_first(conditions[0], columns)
    names = [column.quoted for column in ordered]
    parts = [part for tree in conditions for part in _comparisons(tree)]
    told = [_by_part(part, names) for part in parts]
    if None in told:
        return _OF_SEVERAL
    each = " AND ".join(dict.fromkeys(text for text in told if text is not None))
    advice = "No range of one column says the same. Compare each part by itself"
    if any(isinstance(part, exp.In) and len(part.expressions) > 1 for part in parts):
        advice += ", with all parts of each value of the list"
    if any(type(part) in _SIGNS for part in parts):
        advice += ", the next one only where those before it are equal"
        by_one = f"{names[0]} = ? AND … where one value of it is wanted."
        alone = f" The engine prunes by what that says of each column alone: write {by_one}"
        return WayOut("compare each of them by itself", f"{advice}: {each}.{alone * by_column}")
    return WayOut("compare each of them by itself", f"{advice}: {each}.")


def _comparisons(condition: exp.Expr) -> Iterator[exp.Expr]:
    """The comparisons of which a condition is made, each with what is compared on the left."""
    match condition.unnest():
        case exp.And() as both:
            yield from _comparisons(both.this)
            yield from _comparisons(both.expression)
        case exp.Between(this=compared, args={"low": low, "high": high}):
            yield exp.GTE(this=compared.copy(), expression=low.copy())
            yield exp.LTE(this=compared.copy(), expression=high.copy())
        case exp.Binary() as found if type(found) in _FROM_THE_RIGHT and own_columns(
            found.expression
        ):
            turned = _FROM_THE_RIGHT[type(found)]
            yield turned(this=found.expression.copy(), expression=found.this.copy())
        case found:
            yield found


def _by_part(comparison: exp.Expr, names: Sequence[str]) -> str | None:
    """Condition on the parts that a comparison of the whole implies; None for other conditions."""
    signs = _SIGNS.get(type(comparison))
    if signs is not None:
        return f"({_in_order(names, *signs)})"
    equal = " AND ".join(f"{name} = ?" for name in names)
    match comparison:
        case exp.EQ():
            return equal
        case exp.In(expressions=[_]):
            return equal
        case exp.In(expressions=[_, *_]):
            return f"({equal} OR {equal})"
        case exp.NEQ():
            return f"({' OR '.join(f'{name} <> ?' for name in names)})"
    return None


def _in_order(names: Sequence[str], sign: str, last: str) -> str:
    first, *others = names
    if not others:
        return f"{first} {last} ?"
    inner = _in_order(others, sign, last)
    inner = f"({inner})" if len(others) > 1 else inner
    return f"{first} {sign} ? OR {first} = ? AND {inner}"


def _larger_first(condition: exp.Expr, columns: Sequence[Wrapped]) -> list[Wrapped]:
    """Year, month and day where that is what columns are called, else as they are put together."""
    names = [column.name.rpartition(".")[2].casefold() for column in columns]
    places = [name.lastindex if (name := _PARTS_OF_DATES.fullmatch(n)) else None for n in names]
    if None not in places:
        keys: list[object] = list(places)
    else:
        columns_in = (c for c in nodes_in_depth(condition) if isinstance(c, exp.Column))
        written = [column.name.casefold() for column in columns_in]
        keys = [written.index(name) if name in written else len(written) for name in names]
    by_key = sorted(zip(keys, range(len(columns)), strict=True))
    return [columns[number] for _, number in by_key]
