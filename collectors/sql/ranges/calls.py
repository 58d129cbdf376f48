"""Calls whose arguments are sets of values. The interpreter of constants evaluates calls at the
ends of these sets, and laws of functions bound the values between."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from prunescope.collectors.recently_used import Recent
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.slot import Slot
from prunescope.collectors.sql.constants.values import (
    NULL,
    CannotConvert,
    Exact,
    Fails,
    Folded,
    NoValue,
    Overflows,
    Varies,
    Whole,
)
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.clocks import Clocks
from prunescope.collectors.sql.functions.ends import edges_between, origin_of, zero_between
from prunescope.collectors.sql.functions.folding import folded, may_read_clock
from prunescope.collectors.sql.functions.law import Name
from prunescope.collectors.sql.functions.spans import (
    NEVER,
    NOTHING,
    Span,
    hull,
    is_between,
    key,
    middle,
    point,
    union,
)
from prunescope.collectors.sql.functions.table import row_of

_MOST_SPANS = 20_000
"""Sets of values that a call remembers."""
_MOST_APART = 4
"""Spans of texts that a call is evaluated for one by one, instead of all that is between them."""
Marks = tuple[tuple[object, ...], ...]


def _marks(values: Iterable[Folded]) -> Marks:
    """A cache key of values with their types, bits and signs of zeros: 1 equals 1.0, and 1 of 32
    bits equals 1 of 64."""
    return tuple([(type(each), _size(each), each or str(each)) for each in values])


def _size(value: Folded) -> object:
    if isinstance(value, Whole):
        return value.bits
    return (value.precision, value.scale) if isinstance(value, Exact) else None


def _other_zero(value: Folded) -> Folded:
    return type(value)(-value) if isinstance(value, float) and not value else value


def _middle(edges: Sequence[Folded], low: Folded, high: Folded) -> Folded | None:
    """The middle one of the edges between two values, or what lies midway if there are none."""
    return edges[len(edges) // 2] if edges else middle(low, high)


class Call:
    """A call with slots for the arguments that depend on columns."""

    def __init__(
        self,
        expression: exp.Expr,
        slots: Sequence[tuple[Name, Slot]],
        session: Session,
        clocks: Clocks,
        *,
        is_tried: bool,
    ) -> None:
        self._is_tried = is_tried
        self.expression = expression
        self.session = session
        self.clocks = clocks
        self.names: Sequence[Name] = [name for name, _ in slots]
        self._slots = [slot for _, slot in slots]
        row = row_of(expression, session.dialect)
        self._law = None if row is None else row.law
        self.notes: dict[str, Any] = {}
        self._known: dict[Marks, Folded | None] = {}
        self._spans: dict[tuple[object, ...], Span | None] = {}
        self._constants: dict[Name, Folded | None] = {}
        self._between: dict[Marks, Span] = {}
        self._ends: dict[Marks, Folded] = {}
        self._wrapped: dict[Marks, Folded] = {}
        self._failing: set[Marks] = set()
        self._beyond: set[Marks] = set()
        self._limits: dict[object, list[tuple[Folded, Folded]]] = {}

    def value(self, *arguments: Folded) -> Folded | None:
        """The value of the call for values of its arguments; None if it is unknown."""
        marks = _marks(arguments)
        try:
            return self._known[marks]
        except KeyError:
            pass
        for slot, argument in zip(self._slots, arguments, strict=True):
            slot.value = argument
        try:
            found: Folded | None = folded(self.expression, self.session)
        except (Fails, Overflows) as error:
            found = self._failed(error, marks)
        except Varies as error:
            found = None
            if self._takes_constants():
                self._between[marks] = Span(error.low, error.high)
        except NoValue:
            found = None
            self._beyond.add(marks)
        except CannotConvert:
            found = None
        self._known[marks] = found
        return found

    def _failed(self, error: Fails | Overflows, marks: Marks) -> Folded | None:
        """The value of a call that fails or overflows: NULL, or None if it overflows its type
        untried."""
        is_own = self._takes_constants()
        if isinstance(error, Overflows) and not self._is_tried:
            if is_own:
                self._between[marks] = Span(error.low, error.high)
                if error.wrapped is not None:
                    self._wrapped[marks] = error.wrapped
            return None
        self._failing.add(marks)
        if error.end is not None and is_own:
            self._ends[marks] = error.end
        return NULL  # no row matches

    def _takes_constants(self) -> bool:
        """True if no constant argument of the call fails, so that the error is the call's own."""
        for value in self.expression.args.values():
            for each in value if isinstance(value, list) else [value]:
                try:
                    if isinstance(each, exp.Expr) and not isinstance(each, Slot):
                        folded(each, self.session)
                except (Fails, Overflows):
                    return False
                except CannotConvert:
                    continue
        return True

    def between(self, *arguments: Folded) -> Span | None:
        """The values that the call may have for arguments, depending on settings and versions; None
        if they are unknown."""
        value = self.value(*arguments)
        return self._between.get(_marks(arguments)) if value is None else point(value)

    def end(self, *arguments: Folded) -> Folded | None:
        """The end of the type that the call's number lies beyond, so that the call has no value."""
        self.value(*arguments)
        return self._ends.get(_marks(arguments))

    def _fails(self, spans: Sequence[Span]) -> bool:
        return self.is_error(*(span.low for span in spans))

    def is_error(self, *arguments: Folded) -> bool:
        """True if Trino raises an error for arguments, so that the query finds no row."""
        marks = _marks(arguments)
        is_strict = dialect_of(self.session.dialect).is_strict
        return marks in self._failing and is_strict and not self._is_tried

    def is_beyond(self, argument: Folded) -> bool:
        """True if the call's value lies beyond Python's calendar, rather than not existing."""
        return _marks((argument,)) in self._beyond

    def limits(self, low: Folded, high: Folded) -> tuple[Folded, Folded] | None:
        """The first and last argument between two others for which the call has a value. If there
        is none between, the nearest one, twice; None if they are unknown."""
        anchors = (low, high, zero_between(low, high), middle(low, high), origin_of(low))
        anchor = next((at for at in anchors if self._has_value(at)), None)
        if anchor is None:
            return None
        ends = self._limit(low, anchor), self._limit(high, anchor)
        return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])

    def _has_value(self, argument: Folded | None) -> bool:
        return argument is not None and self.value(argument) not in (None, NULL)

    def _limit(self, end: Folded, anchor: Folded) -> Folded | None:
        """The last argument on the way to one end for which the call has a value."""
        if self._has_value(end):
            return end
        inside, outside = anchor, end
        # By type: that of one is no argument of another.
        limits = self._limits.setdefault((type(end), _size(end), getattr(end, "zoned", None)), [])
        for last, first in limits:
            # In this direction: the last value that is one, and the first that is none.
            if is_between(inside, last, first) and is_between(last, first, outside):
                return last
        edges = edges_between(*sorted((inside, outside), key=key))
        if key(outside) < key(inside):
            edges.reverse()
        while (at := _middle(edges, inside, outside)) is not None:
            if self.value(at) is None and not self.is_beyond(at):
                return None
            if self._has_value(at):
                inside, edges = at, edges[len(edges) // 2 + 1 :]
            else:
                outside, edges = at, edges[: len(edges) // 2]
        limits.append((inside, outside))
        return inside

    def constant(self, name: Name) -> Folded | None:
        """The value of an argument that depends on no column; None if it has none."""
        if name not in self._constants:
            self._constants[name] = self._folded(name)
        return self._constants[name]

    def _folded(self, name: Name) -> Folded | None:
        if name in self.names:
            return None
        args = self.expression.args
        listed = args.get("expressions") or []
        if isinstance(name, str):
            value = args.get(name)
        else:
            value = listed[name] if name < len(listed) else None
        try:
            return folded(value, self.session) if isinstance(value, exp.Expr) else None
        except CannotConvert:
            return None

    def __call__(self, spans: Sequence[Span]) -> Span | None:
        """The image of sets of arguments under the call; None if it is unknown."""
        marks = tuple([(type(span.low), _size(span.low), span) for span in spans])
        try:
            return self._spans[marks]
        except KeyError:
            pass
        if len(self._spans) > _MOST_SPANS:
            self._forget()
        found = self._spans[marks] = self._span(spans)
        return found

    def _forget(self) -> None:
        """Forgets all values, to bound memory over a night of different literals."""
        for known in (self._spans, self._known, self._between, self._ends, self._wrapped):
            known.clear()
        self._failing.clear()
        self._beyond.clear()
        self._limits.clear()

    def _of_other_zeros(self, spans: Sequence[Span]) -> Iterator[Span | None]:
        """The value of the call for zeros of the other sign, which comparisons do not tell
        apart."""
        if any(isinstance(span.low, float) and not span.low for span in spans):
            value = self.value(*(_other_zero(span.low) for span in spans))
            yield None if value is None else point(value)

    def beside_unknown(self, spans: Iterable[Span]) -> Span | None:
        """The image of the call if other arguments are unknown: NOTHING if one argument is NULL,
        because functions with a law are NULL then; None otherwise."""
        return NOTHING if self._law and any(span.is_empty for span in spans) else None

    def _span(self, spans: Sequence[Span]) -> Span | None:
        has_empty, are_points = False, True
        for span in spans:
            if span.is_empty and not span.null:
                return NEVER
            has_empty |= span.is_empty
            are_points &= span.is_point
        if are_points:
            arguments = [span.low for span in spans]
            value = self.value(*arguments)
            if value is None and (wrapped := self._wrapped.get(_marks(arguments))) is not None:
                return point(wrapped)
            if value is not None:
                one = NEVER if value is NULL and self._fails(spans) else point(value)
                return hull((one, *self._of_other_zeros(spans)))
        if self._law is None:
            return None
        if has_empty:
            # Functions with a law are NULL of any NULL, or of none.
            value = self.value(*(span.low for span in spans))
            return NOTHING if value is NULL else None
        for place, span in enumerate(spans):
            if 1 < len(span.among) <= _MOST_APART and isinstance(span.low, str):
                parts = (replace(each, null=span.null) for each in span.among)
                return union(self([*spans[:place], part, *spans[place + 1 :]]) for part in parts)
        try:
            found = self._law(self, spans)
        except (TypeError, ValueError, ArithmeticError):
            return None
        # What rises says what it is of values that are cut; of these, others have any value.
        is_cut = any(span.is_cut for span in spans)
        return None if is_cut and found is not None and not found.is_cut else found


class _Calls(threading.local):
    """The cached calls of one thread, because a slot holds one argument at a time."""

    def __init__(self) -> None:
        self.known: Recent[tuple[object, ...], Call] = Recent(1_000)


_CALLS = _Calls()


def call_of(
    expression: exp.Expr,
    slots: Sequence[tuple[Name, Slot]],
    session: Session,
    clocks: Clocks,
    *,
    is_tried: bool = False,
) -> Call:
    """A call that keeps its values across conditions. Its errors are NULL if `is_tried`."""
    if not may_read_clock(expression):
        session = replace(session, started_at=None)
    names = tuple(name for name, _ in slots)
    key = (repr(expression), names, session, clocks.zones, is_tried)
    found = _CALLS.known.get(key)
    if found is None:
        found = Call(expression, slots, session, clocks, is_tried=is_tried)
        _CALLS.known.put(key, found)
    return found
