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
    "Filter by how the text begins where that is known, keep the part that is searched for in "
    "a column of its own and compare that, or add a condition on another column, best one of "
    "a partition field."
)
_WAYS: dict[Wrapping, WayOut] = {
    Wrapping.SEARCH: WayOut(
        "no order of values tells where texts are that hold what is searched for",
        SEARCHED,
    ),
    Wrapping.NORMALISED: WayOut(
        "filter by a column that holds the normalised text",
        "The order of its values does not tell which are alike once they are normalised. Write the "
        "normalised text into a column of its own (or normalise what is written), sort by it, and "
        "compare that.",
    ),
    Wrapping.REPEATED: WayOut(
        "its values lie everywhere, so no condition on the bare column says the same",
        "Nothing helps as long as these are the values that are asked for: only a column that has "
        "the value itself, with the rows in its order, lets files be skipped.",
    ),
    Wrapping.BEGINNING: WayOut(
        "add a range of the bare column beside it",
        "What is asked for begins the text, by whose order it lies: {bare} >= ? AND {bare} < ? "
        "beside the condition, from the first beginning that is wanted to what follows all of the "
        "last, lets the planner prune where rows are in order of the column. If it is cast before "
        "it is compared, see first that it is written in one way alone.",
    ),
    Wrapping.PIECE: WayOut(
        "filter by a column that holds the part that is asked for",
        "The order of its values does not tell what is within them. Write the part that is asked "
        "for into a column of its own, sort by it, and compare that.",
    ),
    Wrapping.TIME_TEXT: WayOut(
        "compare the bare column with dates or times",
        "A text that is made of a time is none to the planner. Compare the column with dates or "
        "times, from one on and before another.",
    ),
    Wrapping.NULL_TAKEN: WayOut(
        "compare the bare column, and ask for nulls where they are meant",
        "The function makes null of values, or values of null. Compare the bare column with the "
        "values that are wanted; where rows without a value are wanted as well, those are "
        "({bare} = ? OR {bare} IS NULL).",
    ),
    Wrapping.OTHER: WayOut(
        "compare the bare column where that says the same, add a range beside it, or filter by a "
        "column that has the value",
        "A range that the condition implies, such as {bare} >= ? AND {bare} < ? beside it, lets "
        "the planner prune; so does a column that has the value itself.",
    ),
}
_TRUTH = WayOut(
    "compare the bare column with TRUE or FALSE",
    "Compare the column as it is: {bare} = TRUE, or {bare} = FALSE; OR {bare} IS NULL beside it "
    "adds the rows that have neither.",
)
_OF_RESTS = WayOut(
    "its values lie everywhere, so no condition on the bare column says the same",
    "Nothing is at fault where that takes a sample, or a share of the rows. Nothing helps as long "
    "as these are the values that are asked for: only a column that has the value itself, with the "
    "rows in its order, lets files be skipped.",
    is_fault=False,
)
_OF_EACH_YEAR = WayOut(
    "add the range of each year that the table has",
    "It comes once a year. Where the table has few years, add the range of each of them beside the "
    "condition, such as ({bare} >= ? AND {bare} < ? OR {bare} >= ? AND {bare} < ?), and that of a "
    "new year once there are rows of it. Else only a column that has the value itself, with the "
    "rows in its order, lets files be skipped.",
)
_OF_KNOWN_YEARS = WayOut(
    "add the range that the conditions on the column mean together",
    "Another condition tells the years. Add the range that both mean in each of these years beside "
    "them: {bare} >= ? AND {bare} < ? lets the planner prune.",
)
_OF_SEVERAL = WayOut(
    "compare each of them by itself, or filter by a column that has the value",
    "No range of one column says the same. Compare each column by itself where that says it, or "
    "write the value into a column of its own, sort by it, and compare that.",
)
OF_UUIDS_UNSERVED = WayOut(
    "add a condition on another column, or keep the key as text",
    UUIDS_UNSERVED,
)
_SIGNS: dict[type[exp.Expr], tuple[str, str]] = {
    exp.GT: (">", ">"),
    exp.GTE: (">", ">="),
    exp.LT: ("<", "<"),
    exp.LTE: ("<", "<="),
}
"""How the parts of what is compared differ, and how the last one may."""
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
