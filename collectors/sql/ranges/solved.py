"""Predicates of columns that follow from conditions on functions of them, where their types are
known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_SECOND
from collectors.predicates.instants import parse_zone
from collectors.predicates.model import Column, Comparison, Predicate, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PathOf
from collectors.sql.dialects import dialect_of
from collectors.sql.functions.clocks import Clocks
from collectors.sql.functions.spans import NOTHING, UNKNOWN, Span, point
from collectors.sql.ranges.axes import axis_of, held_of
from collectors.sql.ranges.boxes import Axis, Box, after
from collectors.sql.ranges.compiled import Compiler
from collectors.sql.ranges.said import MOST_RANGES, coarser, predicate_of
from collectors.sql.ranges.solve import Solution, Test, Truth, solve, truth_of
from collectors.sql.ranges.times import LAST_OF_CALENDAR, LATE
from collectors.sql.ranges.truths import Evaluate, Path, logic
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, leaves, own_columns
from collectors.types import NANOS_PER_UNIT, is_floating

_MOST_OF_INEXACT = 2
"""Ranges beside a condition that they do not stand for."""
_MOST_OF_NULLS = 4
"""Columns of a condition that are asked for one by one where others are null: their orders are as
many as the factorial of this, at most."""
_NONE: frozenset[Path] = frozenset()
_NAN = point(float("nan"))


@dataclass(frozen=True, slots=True)
class Solved:
    """The predicate of its columns that a condition implies, and whether it implies the condition,
    too."""

    predicate: Predicate
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Known:
    """The surroundings of a condition: how columns of the table are found in it, their Iceberg
    types by lower-case name, and the conditions that hold beside it."""

    path_of: PathOf
    session: Session
    types: Mapping[str, str]
    beside: Sequence[Formula] = ()
    orders_nan: bool = False


def solved(condition: Formula, known: Known) -> Solved | None:
    """The predicate of its columns that a condition implies; None where nothing is ruled out, and
    where the type of none of them is known."""
    if dialect_of(known.session.dialect).has_snowflake_patterns and _asks_for_weeks(condition):
        return None  # which begin on a day that sessions set
    paths = _paths(condition, known.path_of)
    kinds = {path: known.types.get(".".join(path).lower()) for path in paths if path is not None}
    typed = {path: kind for path, kind in kinds.items() if kind is not None}
    return _of_columns(condition, typed, _reading(condition, known)) if typed else None


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a condition and those beside it are read: with the texts and the clocks that they
    name."""

    known: Known
    texts: Sequence[str]
    clocks: Clocks
    compiler: Compiler

    def axis(self, path: Path) -> Axis | None:
        """The values that a column may have; None where its type is not known."""
        kind = self.known.types.get(".".join(path).lower())
        return None if kind is None else axis_of(kind, self.known.session, self.clocks, self.texts)


def _reading(condition: Formula, known: Known) -> _Reading:
    texts = _texts((condition, *known.beside))
    digits = dialect_of(known.session.dialect).formatted_digits
    early = 0 if digits is None else NANOS_PER_SECOND // 10**digits // 2
    clocks = Clocks(_zones(known.session, texts), early)
    compiler = Compiler(known.path_of, known.session, clocks, orders_nan=known.orders_nan)
    return _Reading(known, texts, clocks, compiler)


def _paths(condition: Formula, path_of: PathOf) -> list[Path | None]:
    columns = (column for leaf in leaves(condition) for column in own_columns(leaf.expression))
    return [*dict.fromkeys(path_of(column) for column in columns)]


def _of_columns(
    condition: Formula, kinds: Mapping[Path, str], reading: _Reading, nulls: frozenset[Path] = _NONE
) -> Solved | None:
    """What a condition says of columns where others are null."""
    found = []
    for path in kinds:
        one = _of_column(condition, path, kinds, reading, nulls)
        if one is not None and one.is_exact:
            return one
        if one is not None:
            found.append(one.predicate)
    return Solved(all_of(*found), is_exact=False) if found else None


def _of_column(
    condition: Formula,
    path: Path,
    kinds: Mapping[Path, str],
    reading: _Reading,
    nulls: frozenset[Path],
) -> Solved | None:
    axis, kind = reading.axis(path), kinds[path]
    if axis is None:
        return None
    others = {**_others(condition, path, reading), **dict.fromkeys(nulls, NOTHING)}
    test = _test(condition, path, reading.compiler, others)
    held = held_of(axis, reading.known.session)
    found, is_late = (
        solve(test, axis, [held]),
        kind in NANOS_PER_UNIT and _may_be_late(condition, test),
    )
    if not found.is_exact or len(found.boxes) > MOST_RANGES:
        domain = _domain(path, axis, reading)
        if domain != (axis.whole,) and held == axis.whole:
            found, is_late = solve(test, axis, domain), False
            if found.boxes == domain and not found.is_exact:
                return None
    if not found.is_exact and (found.is_all or _has_single_gaps(found.boxes, axis)):
        return None
    column = Column(path)
    null = Solved(Comparison(Op.IS_NULL, column), found.null is not None)
    left = {each: kind for each, kind in kinds.items() if each != path}
    if found.null is None and len(left) + len(nulls) < _MOST_OF_NULLS:
        rest = _of_columns(condition, left, reading, nulls | {path})
        if rest is not None:
            null = Solved(all_of(null.predicate, rest.predicate), rest.is_exact)
    said = _said(found, axis, column, _numbers(condition), null)
    if is_late and not (found.boxes and found.boxes[-1].end == axis.whole.end):
        later = Comparison(Op.GT, column, (LAST_OF_CALENDAR[kind == "date"],))
        said = Solved(any_of(said.predicate, later), said.is_exact)
    if is_floating(kind):
        said = _beside_nan(said, found, axis, column, truth_of(test(_NAN)), reading.known)
    if held == axis.whole:
        return said
    before, after = Box(axis.whole.start, held.start), Box(held.end or 0, axis.whole.end)
    ends = [predicate_of([box], axis, column) for box in (before, after)]
    return Solved(any_of(ends[0], said.predicate, ends[1]), is_exact=False)


def _has_single_gaps(boxes: Sequence[Box], axis: Axis) -> bool:
    """Whether boxes hold all but a few single values, which prunes nothing."""
    if not boxes or boxes[0].start != axis.whole.start or boxes[-1].end != axis.whole.end:
        return False
    return all(
        one.end is not None and after(one.end) == other.start for one, other in pairwise(boxes)
    )


def _beside_nan(
    said: Solved, found: Solution, axis: Axis, column: Column, truth: Truth, known: Known
) -> Solved:
    """A predicate with what a condition says of NaN, which is in ranges without an end where it is
    the largest number, or may be."""
    is_open = bool(found.boxes) and found.boxes[-1].end == axis.whole.end
    may_be_largest = known.orders_nan or not dialect_of(known.session.dialect).is_trino
    if truth is Truth.NONE or (may_be_largest and is_open):
        return said
    whole = any_of(said.predicate, Comparison(Op.IS_NAN, column))
    return Solved(whole, said.is_exact and truth is Truth.ALL)


def _said(
    found: Solution, axis: Axis, column: Column, told: frozenset[str], null: Solved
) -> Solved:
    boxes = coarser(found.boxes, MOST_RANGES if found.is_exact else _MOST_OF_INEXACT)
    said = predicate_of(boxes, axis, column, told)
    is_exact = found.is_exact and len(boxes) == len(found.boxes) and null.is_exact
    if found.null is not False:
        said = any_of(said, null.predicate)
    elif boxes == (axis.whole,):
        said = Comparison(Op.NOT_NULL, column)
    return Solved(said, is_exact)


def _may_be_late(condition: Formula, test: Test) -> bool:
    """Whether a condition is known to be true of times after all calendars, as texts of these are
    less than others, and functions of these may have no value."""
    columns = (column for leaf in leaves(condition) for column in own_columns(leaf.expression))
    is_read = any(not isinstance(column.parent, exp.Predicate) for column in columns)
    found = test(replace(LATE, null=is_read))
    return found is not None and found != UNKNOWN and truth_of(found) is not Truth.NONE


def _others(condition: Formula, path: Path, reading: _Reading) -> dict[Path, Span | None]:
    """The values that the conditions beside one leave of its other columns."""
    found: dict[Path, Span | None] = {}
    for other in _paths(condition, reading.known.path_of):
        axis = None if other is None or other == path else reading.axis(other)
        if other is None or axis is None:
            continue
        domain = _domain(other, axis, reading)
        if domain != (axis.whole,) and domain:
            values = axis.span(Box(domain[0].start, domain[-1].end))
            if not (isinstance(values.low, float) and _may_be(_NAN, other, reading)):
                found[other] = values.or_null(_may_be(NOTHING, other, reading))
    return found


def _may_be(value: Span, path: Path, reading: _Reading) -> bool:
    """Whether the conditions beside one leave that a column has a value that is in no box."""
    return all(
        truth_of(_test(part, path, reading.compiler, {})(value)) is not Truth.NONE
        for part in _beside(path, reading)
    )


def _beside(path: Path, reading: _Reading) -> list[Formula]:
    """The conditions beside one that are on a column alone."""
    known = reading.known
    return [part for part in known.beside if _paths(part, known.path_of) == [path]]


def _test(
    condition: Formula, path: Path, compiler: Compiler, others: Mapping[Path, Span | None]
) -> Test:
    evaluate = _evaluate(condition, compiler)

    def test(span: Span) -> Span | None:
        return evaluate({**others, path: span})

    return test


def _evaluate(condition: Formula, compiler: Compiler) -> Evaluate:
    match condition:
        case Leaf(expression, negated):
            found = compiler.compiled(expression)
            return logic(exp.Not, [found]) if negated else found
        case AllOf(parts):
            return logic(exp.And, [_evaluate(part, compiler) for part in parts])
        case AnyOf(parts):
            return logic(exp.Or, [_evaluate(part, compiler) for part in parts])


def _domain(path: Path, axis: Axis, reading: _Reading) -> tuple[Box, ...]:
    """The values of a column that the conditions beside one leave."""
    domain: tuple[Box, ...] = (axis.whole,)
    for _ in range(2):
        for part in _beside(path, reading):
            found = solve(_test(part, path, reading.compiler, {}), axis, domain)
            if len(found.boxes) <= MOST_RANGES:
                domain = found.boxes
    return domain


def _texts(conditions: Sequence[Formula]) -> list[str]:
    """The constant texts of conditions."""
    found = (
        literal.name
        for condition in conditions
        for leaf in leaves(condition)
        for literal in leaf.expression.find_all(exp.Literal)
        if literal.is_string
    )
    return [*dict.fromkeys(found)]


def _asks_for_weeks(condition: Formula) -> bool:
    """Whether a condition counts weeks or their days, but by ISO's rules."""
    nodes = (node for leaf in leaves(condition) for node in leaf.expression.walk())
    return any(
        isinstance(node, exp.WeekOfYear | exp.DayOfWeek | exp.YearOfWeek)
        or node.name.upper() in ("WEEK", "DAYOFWEEK", "WEEKOFYEAR", "YEAROFWEEK")
        for node in nodes
    )


def _numbers(condition: Formula) -> frozenset[str]:
    """The constant numbers of a condition, as they are written."""
    return frozenset(
        literal.name
        for leaf in leaves(condition)
        for literal in leaf.expression.find_all(exp.Literal)
        if not literal.is_string
    )


def _zones(session: Session, texts: Sequence[str]) -> list[str]:
    """The zones that a condition may read clocks of."""
    named = [
        text for text in texts if text and not text[0].isdigit() and parse_zone(text) is not None
    ]
    return [*named, *([session.time_zone] if session.time_zone else [])]
