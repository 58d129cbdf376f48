"""Predicates of columns that follow from conditions on functions of them, if their types are
known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_

from sqlglot import exp

from prunescope.collectors.predicates.calendar import NANOS_PER_SECOND
from prunescope.collectors.predicates.instants import parse_zone
from prunescope.collectors.predicates.model import Column, Predicate, all_of, any_of
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.terms import PathOf
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.clocks import Clocks
from prunescope.collectors.sql.functions.patterns import beginnings
from prunescope.collectors.sql.functions.spans import Span, hull
from prunescope.collectors.sql.ranges.axes import axis_of, held_of, named_times
from prunescope.collectors.sql.ranges.boxes import Apart, Axis, Box, Values, WholePlaces
from prunescope.collectors.sql.ranges.compiled import Compiler
from prunescope.collectors.sql.ranges.crossings import Compared, Guide, Range
from prunescope.collectors.sql.ranges.regions import Term
from prunescope.collectors.sql.ranges.said import MOST_RANGES, predicate_of, shortened
from prunescope.collectors.sql.ranges.solve import MOST_TERMS, Solution, Test, solve, solve_by_cells
from prunescope.collectors.sql.ranges.truths import Evaluate, Path, logic
from prunescope.collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, leaves, own_columns

_MOST_OF_INEXACT = 4
"""Ranges of a predicate that is implied by a condition but not equivalent to it."""
_MOST_TOGETHER = 4
"""Columns of one condition that are searched together."""
_LONGEST_JOINED = 40
"""Characters of texts at which those of other columns may begin."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The predicate of its columns that a condition implies. `is_exact` if it also implies the
    condition."""

    predicate: Predicate
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Known:
    """The context of a condition: its columns' paths in the table, their Iceberg types by
    lower-case name, and the conditions that hold beside it."""

    path_of: PathOf
    session: Session
    types: Mapping[str, str]
    beside: Sequence[Formula] = ()
    orders_nan: bool = False


def solved(condition: Formula, known: Known) -> Solved | None:
    """The predicate of its columns that a condition implies; None if nothing is ruled out, or the
    type of no column is known."""
    paths = _paths(condition, known.path_of)
    if isinstance(condition, AnyOf) and len(paths) > 1:
        return None  # whose parts say as much
    reading = _reading(condition, known, together=len(paths) > 1)
    axes = {path: axis for path in paths if path and (axis := reading.axis(path)) is not None}
    groups = [[*axes]] if len(axes) <= _MOST_TOGETHER else [[path] for path in axes]
    each = [
        _of_columns(condition, {path: axes[path] for path in group}, reading)
        for group in groups
        if group
    ]
    found = [one for one in each if one is not None]
    if not found:
        return None
    whole = all_of(*(one.predicate for one in found))
    return Solved(whole, is_exact=groups == [paths] and found[0].is_exact)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The means to evaluate a condition and those beside it, with their constants and clocks."""

    known: Known
    texts: Sequence[str]
    numbers: Sequence[int]
    times: Sequence[int]
    clocks: Clocks
    compiler: Compiler

    def axis(self, path: Path) -> Axis | None:
        """The axis of a column; None if its type is unknown."""
        kind = self.known.types.get(".".join(path).lower())
        if kind is None:
            return None
        constants = self.texts, self.numbers, self.times
        return axis_of(kind, self.known.session, self.clocks, *constants)


def _reading(condition: Formula, known: Known, *, together: bool) -> _Reading:
    """The means to evaluate a condition. For several columns `together`, axes are also split at
    endings of texts, which may begin anywhere in other texts, and at numbers, because factors tell
    how large products are."""
    texts = _texts((condition, *known.beside))
    digits = dialect_of(known.session.dialect).formatted_digits
    early = 0 if digits is None else NANOS_PER_SECOND // 10**digits // 2
    clocks = Clocks(_zones(known.session, texts), early)
    compiler = Compiler(known.path_of, known.session, clocks, orders_nan=known.orders_nan)
    times = named_times([*texts, *_numbers(condition)], early)
    numbers = []
    if together:
        numbers = [int(each) for each in _numbers(condition) if each.isdecimal()]
        texts += _endings(condition)
    return _Reading(known, texts, numbers, times, clocks, compiler)


def _paths(condition: Formula, path_of: PathOf) -> list[Path | None]:
    """The columns of a condition, in the order in which they appear."""
    columns = (column for leaf in leaves(condition) for column in _in_order(leaf.expression))
    return [*dict.fromkeys(path_of(column) for column in columns)]


def _in_order(expression: exp.Expr) -> Sequence[exp.Column]:
    found = own_columns(expression)
    if len(found) < 2:
        return found
    order = {id(node): place for place, node in enumerate(expression.walk(bfs=False))}
    return sorted(found, key=lambda column: order[id(column)])


def _of_columns(condition: Formula, axes: Mapping[Path, Axis], reading: _Reading) -> Solved | None:
    """The predicate of some columns that a condition implies; None if nothing is ruled out."""
    others = _others(condition, axes, reading)
    before = len(reading.compiler.compared)
    test = _test(condition, [*axes], reading.compiler, others)
    guide = _guide(axes, reading.compiler.compared[before:], others)
    held = [held_of(axis, reading.known.session) for axis in axes.values()]
    domains = [
        Values((box,), frozenset(axis.apart)) for axis, box in zip(axes.values(), held, strict=True)
    ]
    found = solve(test, [*axes.values()], domains, guide) if len(axes) == 1 else None
    if found is None or not found.is_exact or _is_long(found):
        known = [
            _domain(path, axis, box, reading)
            for (path, axis), box in zip(axes.items(), held, strict=True)
        ]
        if found is None or known != domains:
            domains = known
            found = solve(test, [*axes.values()], domains, guide)
    if len(axes) > 1 and not found.is_exact:
        columns = [(*each, domain) for each, domain in zip(axes.items(), domains, strict=True)]
        alone = _alone(condition, columns, reading)
        found = solve_by_cells(test, [*axes.values()], alone) or found
        if len(found.terms) > MOST_TERMS:
            found = Solution((alone,), is_exact=False)
    terms, is_exact = found.terms, found.is_exact
    if _is_long(found) or len(terms) > MOST_TERMS:
        terms, is_exact = (_hull(terms),), False
    if not is_exact:
        most = 1 if _is_long(found) else _MOST_OF_INEXACT
        terms = tuple(
            tuple(
                shortened(values, domain, axis, most)
                for values, domain, axis in zip(term, domains, axes.values(), strict=True)
            )
            for term in terms
        )
        wholes = [domain.boxes for domain in domains]
        if found.is_all or any([each.boxes for each in term] == wholes for term in terms):
            return None
    said = any_of(*(_said(term, axes, condition, reading) for term in terms))
    if reading.known.orders_nan and any(_has_more_nan(term, axes) for term in terms):
        is_exact = False
    beyond = [
        predicate_of(Values((box,)), axis, Column(path))
        for (path, axis), at in zip(axes.items(), held, strict=True)
        if at != axis.whole
        for box in (Box(axis.whole.start, at.start), Box(at.end or 0, axis.whole.end))
    ]
    return Solved(any_of(said, *beyond), is_exact and not beyond)


def _is_long(found: Solution) -> bool:
    """True if a solution has more than MOST_RANGES ranges."""
    return sum(max(len(each.boxes) for each in term) for term in found.terms) > MOST_RANGES


def _hull(terms: Sequence[Term]) -> Term:
    """The union of each column's values over all terms."""
    return tuple(reduce(or_, each) for each in zip(*terms, strict=True))


def _alone(
    condition: Formula, columns: Sequence[tuple[Path, Axis, Values]], reading: _Reading
) -> Term:
    """The values that a condition leaves of each column, for any values of the others."""
    spans = {path: _span_of(domain, axis) for path, axis, domain in columns}
    found = []
    for path, axis, domain in columns:
        test = _test(condition, [path], reading.compiler, spans)
        terms = solve(test, [axis], [domain]).terms
        found.append(terms[0][0] if terms else Values(()))
    return tuple(found)


def _span_of(values: Values, axis: Axis) -> Span | None:
    """The least span that holds some values of a column; None if NaN is one of them."""
    if Apart.NAN in values.apart:
        return None
    ends = Box(values.boxes[0].start, values.boxes[-1].end) if values.boxes else None
    apart = (axis.apart[each] for each in values.apart)
    return hull([*apart, *([] if ends is None else [axis.span(ends)])])


def _has_more_nan(term: Term, axes: Mapping[Path, Axis]) -> bool:
    """True if a range without an end admits NaN, the largest number, and its term does not."""
    return any(
        Apart.NAN in axis.apart
        and Apart.NAN not in values.apart
        and any(box.end == axis.whole.end for box in values.boxes)
        for axis, values in zip(axes.values(), term, strict=True)
    )


def _said(
    term: Term, axes: Mapping[Path, Axis], condition: Formula, reading: _Reading
) -> Predicate:
    told, orders_nan = _numbers(condition), reading.known.orders_nan
    return all_of(
        *(
            predicate_of(values, axis, Column(path), told, orders_nan=orders_nan)
            for (path, axis), values in zip(axes.items(), term, strict=True)
        )
    )


def _others(
    condition: Formula, axes: Mapping[Path, Axis], reading: _Reading
) -> dict[Path, Span | None]:
    """The spans that the conditions beside one leave of its other columns."""
    found: dict[Path, Span | None] = {}
    for other in _paths(condition, reading.known.path_of):
        axis = None if other is None or other in axes else reading.axis(other)
        if other is None or axis is None:
            continue
        domain = _domain(other, axis, axis.whole, reading)
        if domain != Values((axis.whole,), frozenset(axis.apart)):
            found[other] = _span_of(domain, axis)
    return found


def _test(
    condition: Formula,
    paths: Sequence[Path],
    compiler: Compiler,
    others: Mapping[Path, Span | None],
) -> Test:
    evaluate = _evaluate(condition, compiler)

    def test(spans: Sequence[Span]) -> Span | None:
        return evaluate({**others, **dict(zip(paths, spans, strict=True))})

    return test


def _guide(
    axes: Mapping[Path, Axis], compared: Sequence[Compared], others: Mapping[Path, Span | None]
) -> Guide | None:
    """The crossings of some comparisons on the only axis; None if there are several axes, or one
    whose values are not spread evenly."""
    if len(axes) != 1:
        return None
    ((path, axis),) = axes.items()
    if not isinstance(axis, WholePlaces) or not axis.step:
        return None
    differences = [partial(_differences, each, path, others) for each in compared]
    return Guide(axis, differences)


def _differences(
    compared: Compared, path: Path, others: Mapping[Path, Span | None], at: Span
) -> Range | None:
    return compared.differences({**others, path: at})


def _evaluate(condition: Formula, compiler: Compiler) -> Evaluate:
    match condition:
        case Leaf(expression, negated):
            found = compiler.compiled(expression)
            return logic(exp.Not, [found]) if negated else found
        case AllOf(parts):
            return logic(exp.And, [_evaluate(part, compiler) for part in parts])
        case AnyOf(parts):
            return logic(exp.Or, [_evaluate(part, compiler) for part in parts])


def _domain(path: Path, axis: Axis, held: Box, reading: _Reading) -> Values:
    """The part of a column's `held` values that the conditions beside one leave."""
    domain = Values((held,), frozenset(axis.apart))
    known = reading.known
    parts = [part for part in known.beside if _paths(part, known.path_of) == [path]]
    for _ in range(2):
        for part in parts:
            found = solve(_test(part, [path], reading.compiler, {}), [axis], [domain])
            if not _is_long(found):
                domain = found.terms[0][0] if found.terms else Values(())
    return domain


def _texts(conditions: Sequence[Formula]) -> list[str]:
    """The constant texts of conditions; of regular expressions, the texts with which they begin."""
    found = (
        text
        for condition in conditions
        for leaf in leaves(condition)
        for literal in leaf.expression.find_all(exp.Literal, exp.RawString)
        if literal.is_string or isinstance(literal, exp.RawString)
        for text in _told_by(literal)
    )
    return [*dict.fromkeys(found)]


def _told_by(literal: exp.Expr) -> Sequence[str]:
    is_pattern = isinstance(literal.parent, exp.RegexpLike | exp.RegexpFullMatch | exp.SimilarTo)
    return beginnings(literal.name) if is_pattern else (literal.name,)


def _endings(condition: Formula) -> list[str]:
    """The endings of a condition's constant texts, except those that are cast."""
    found = (
        literal.name[start:]
        for leaf in leaves(condition)
        for literal in leaf.expression.find_all(exp.Literal)
        if literal.is_string and not isinstance(literal.parent, exp.Cast)
        for start in range(1, min(len(literal.name), _LONGEST_JOINED))
    )
    return [*dict.fromkeys(found)]


def _numbers(condition: Formula) -> frozenset[str]:
    """The constant numbers of a condition, as they are written."""
    return frozenset(
        literal.name
        for leaf in leaves(condition)
        for literal in leaf.expression.find_all(exp.Literal)
        if not literal.is_string
    )


def _zones(session: Session, texts: Sequence[str]) -> list[str]:
    """The zones whose clocks a condition may read."""
    named = [
        text for text in texts if text and not text[0].isdigit() and parse_zone(text) is not None
    ]
    return [*named, *([session.time_zone] if session.time_zone else [])]
