"""Expressions as functions of what their columns may be: a set of values for sets of values. Trees
are taken apart once; calls are evaluated by the interpreter of constants, at the ends of sets."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from collectors.predicates.literals import Timestamp, is_nan
from collectors.recent import Recent
from collectors.sql.constants.calls import HOLDS, compared
from collectors.sql.constants.folding import folded, may_read_clock
from collectors.sql.constants.session import Session
from collectors.sql.constants.slot import Slot
from collectors.sql.constants.terms import PathOf, column_path
from collectors.sql.constants.values import (
    NULL,
    CannotConvert,
    Fails,
    Folded,
    NoValue,
    Whole,
    not_constant,
)
from collectors.sql.dialects import dialect_of
from collectors.sql.functions.clocks import MARGIN, Clocks
from collectors.sql.functions.law import Law, Name
from collectors.sql.functions.laws import law_of
from collectors.sql.functions.spans import (
    EITHER,
    FALSE,
    LAST,
    NEVER,
    NOTHING,
    TRUE,
    UNKNOWN,
    Span,
    are_of_one_kind,
    extreme_of,
    has_text,
    hull,
    is_between,
    is_number,
    may_begin,
    key,
    middle,
    point,
    zero_between,
)
from collectors.sql.functions.texts import joined

Path = tuple[str, ...]
Box = Mapping[Path, Span | None]
"""What columns may be, by their paths; None for any value."""
Evaluate = Callable[[Box], Span | None]
"""All values of an expression; None where nothing is known of them."""

_ORDERED = (str, dt.date, int, Whole)
"""Types whose values Python orders as all engines do."""
_CHECKED = (exp.Add, exp.Sub, exp.Mul, exp.Neg, exp.Abs)
_MOST_TOLD = 20_000
"""Sets of values that a call remembers."""


class Compiler:
    """Takes expressions of one session apart."""

    def __init__(
        self, path_of: PathOf, session: Session, clocks: Clocks, *, orders_nan: bool = False
    ) -> None:
        self._orders_nan = orders_nan
        self._path_of = path_of
        self._session = session
        self._dialect = dialect_of(session.dialect)
        self._clocks = clocks

    def compiled(self, expression: exp.Expr) -> Evaluate:
        """The expression as a function. Raises CannotConvert for what reads no column of the table
        or a query."""
        expression = expression.unnest()
        path = column_path(expression, self._path_of)
        if path is not None:
            return lambda box: box.get(path)
        if isinstance(expression, exp.Column | exp.Query):
            return _unknown
        if not _has_columns(expression):
            return self._constant(expression)
        if expression.args.get("negate"):
            positive = expression.copy()
            positive.set("negate", None)
            return logic(exp.Not, [self.compiled(positive)])
        match expression:
            case exp.And() | exp.Or() | exp.Not():
                parts = [self.compiled(each) for each in _operands(expression)]
                return logic(type(expression), parts)
            case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
                return self._compared(type(expression), expression.this, expression.expression)
            case exp.Between() if not expression.args.get("symmetric"):
                low = self._compared(exp.GTE, expression.this, expression.args["low"])
                high = self._compared(exp.LTE, expression.this, expression.args["high"])
                return logic(exp.And, [low, high])
            case exp.In() if expression.expressions and not expression.args.get("unnest"):
                each = [self._compared(exp.EQ, expression.this, e) for e in expression.expressions]
                return logic(exp.Or, each)
            case exp.Is(expression=exp.Null()):
                return _is_null(self.compiled(expression.this))
            case exp.Is(expression=exp.Boolean(this=wanted)):
                return _is_truth(self.compiled(expression.this), bool(wanted))
            case exp.Coalesce():
                return _coalesced(
                    [self.compiled(e) for e in (expression.this, *expression.expressions)]
                )
            case exp.Case() | exp.If():
                return self._chosen(expression)
            case exp.Nvl2():
                given, absent = expression.args["true"], expression.args.get("false")
                is_null = _is_null(self.compiled(expression.this))
                otherwise = _nothing if absent is None else self.compiled(absent)
                return _choice([(is_null, otherwise)], self.compiled(given))
            case exp.Nullif():
                subject = self.compiled(expression.this)
                same = self._compared(exp.EQ, expression.this, expression.expression)
                return _nullif(subject, same)
            case exp.Greatest() | exp.Least():
                each = [self.compiled(e) for e in (expression.this, *expression.expressions)]
                return _extreme(each, is_least=isinstance(expression, exp.Least))
            case exp.Concat() | exp.DPipe() if not isinstance(expression, exp.ConcatWs):
                return self._joined(expression)
            case exp.Like() | exp.StartsWith():
                return self._like(expression)
        return self._call(expression)

    def _constant(self, expression: exp.Expr) -> Evaluate:
        try:
            found: Span | None = point(folded(expression, self._session))
        except CannotConvert:
            found = None
        return lambda _box: found

    def _compared(self, kind: type[exp.Expr], left: exp.Expr, right: exp.Expr) -> Evaluate:
        rows = left.unnest(), right.unnest()
        if all(isinstance(row, exp.Tuple) for row in rows):
            return self._rows_compared(kind, rows[0].expressions, rows[1].expressions)
        sides = self.compiled(left), self.compiled(right)
        session, orders_nan = self._session, self._orders_nan
        as_time = self._text_beside_time(left, right)

        def evaluate(box: Box) -> Span | None:
            one, other = sides[0](box), sides[1](box)
            if one is None or other is None:
                return UNKNOWN
            if is_nan(one.low) or is_nan(other.low):
                return _of_nan(kind, one, other, orders_nan=orders_nan)
            return _comparison(kind, *as_time(one, other), session)

        return evaluate

    def _rows_compared(
        self, kind: type[exp.Expr], left: Sequence[exp.Expr], right: Sequence[exp.Expr]
    ) -> Evaluate:
        """A comparison of rows, by their first values that differ."""
        if len(left) != len(right) or not left:
            return _unknown
        if kind in (exp.EQ, exp.NEQ) or len(left) == 1:
            each = [self._compared(kind, *pair) for pair in zip(left, right, strict=True)]
            return logic(exp.Or if kind is exp.NEQ else exp.And, each)
        if not dialect_of(self._session.dialect).is_trino:
            return _unknown  # others may order nulls
        strict = {exp.LTE: exp.LT, exp.GTE: exp.GT}.get(kind, kind)
        first = self._compared(strict, left[0], right[0])
        same = self._compared(exp.EQ, left[0], right[0])
        rest = self._rows_compared(kind, left[1:], right[1:])
        return logic(exp.Or, [first, logic(exp.And, [same, rest])])

    def _text_beside_time(
        self, left: exp.Expr, right: exp.Expr
    ) -> Callable[[Span, Span], tuple[Span, Span]]:
        """Makes times of constant texts that are compared with times."""
        known: dict[tuple[Folded, exp.DType], Span] = {}

        def cast(text: Span, beside: Span, is_constant: bool) -> Span:
            kind = _time_type(beside.low)
            if kind is None or not is_constant or not isinstance(text.low, str):
                return text
            found = known.get((text.low, kind))
            if found is None:
                tree = exp.Cast(this=exp.Literal.string(text.low), to=exp.DataType(this=kind))
                try:
                    found = point(folded(tree, self._session))
                except CannotConvert:
                    found = text
                known[text.low, kind] = found
            return found

        constant = not _has_columns(left), not _has_columns(right)
        return lambda one, other: (cast(one, other, constant[0]), cast(other, one, constant[1]))

    def _chosen(self, expression: exp.Case | exp.If) -> Evaluate:
        branches = expression.args.get("ifs") or [expression]
        subject = expression.this if isinstance(expression, exp.Case) else None
        tests, values = [], []
        for branch in branches:
            if subject is None:
                tests.append(self.compiled(branch.this))
            else:
                is_odd = isinstance(branch.this, exp.Null) and self._dialect.leaves_out_nulls
                same = self._compared(exp.EQ, subject, branch.this)
                tests.append(_unknown if is_odd else same)
            values.append(self.compiled(branch.args["true"]))
        default = expression.args.get("default") or expression.args.get("false")
        otherwise = _nothing if default is None else self.compiled(default)
        return _choice([*zip(tests, values, strict=True)], otherwise)

    def _joined(self, expression: exp.Expr) -> Evaluate:
        items = expression.expressions or [*expression.flatten()]
        parts = [self.compiled(item) for item in items]
        call = self._call(expression)
        texts = [self._text_of(item) for item in items]

        def evaluate(box: Box) -> Span | None:
            found = [part(box) for part in parts]
            if all(each is not None and each.is_point for each in found):
                return call(box)
            written = [text(each) for text, each in zip(texts, found, strict=True)]
            if any(each is not None and each.null for each in written):
                return None  # some engines leave out nulls
            return joined(written)

        return evaluate

    def _text_of(self, item: exp.Expr) -> Callable[[Span | None], Span | None]:
        """What is joined of a part that is no text."""
        slot = Slot()
        cast = exp.Cast(this=slot, to=exp.DataType.build("text"))
        call = _call(cast, [("this", slot)], self._session, self._clocks)

        def text(span: Span | None) -> Span | None:
            if span is None or isinstance(span.low, str) or span.is_empty:
                return span
            return call([span])

        return text

    def _like(self, expression: exp.Expr) -> Evaluate:
        subject, pattern = self.compiled(expression.this), expression.expression
        call = self._call(expression)
        is_plain = isinstance(pattern, exp.Literal) and pattern.is_string
        text = pattern.name if is_plain else ""
        prefix = text
        if isinstance(expression, exp.Like):
            ends = [place for place in map(text.find, "%_\\") if place >= 0]
            prefix = text[: min(ends)] if ends else text
        is_open = isinstance(expression, exp.StartsWith) or text == f"{prefix}%"

        def evaluate(box: Box) -> Span | None:
            span = subject(box)
            if span is None or not is_plain or not isinstance(span.low, str) or span.is_empty:
                return NOTHING if span is not None and span.is_empty else UNKNOWN
            if span.is_point and (found := call(box)) is not None:
                return found
            if str(span.high) < prefix or span.low > prefix + LAST:
                return FALSE.or_null(span.null)
            if not may_begin(span, prefix):
                return FALSE.or_null(span.null)
            if is_open and span.low.startswith(prefix) and str(span.high).startswith(prefix):
                return TRUE.or_null(span.null)
            return EITHER.or_null(span.null)

        return evaluate

    def _call(self, expression: exp.Expr) -> Evaluate:
        try:
            return self._filled(expression)
        except CannotConvert:
            return _unknown

    def _filled(self, expression: exp.Expr) -> Evaluate:
        parts: list[Evaluate] = []
        slots: list[tuple[Name, Slot]] = []
        given: dict[str, object] = {}
        for name, value in expression.args.items():
            if isinstance(value, list):
                given[name] = [
                    self._operand(each, place if name == "expressions" else name, parts, slots)
                    for place, each in enumerate(value)
                ]
            else:
                given[name] = self._operand(value, name, parts, slots)
        call = _call(type(expression)(**given), slots, self._session, self._clocks)

        def evaluate(box: Box) -> Span | None:
            spans = [part(box) for part in parts]
            if any(span is None for span in spans):
                return None
            return call([span for span in spans if span is not None])

        return evaluate

    def _operand(
        self, value: object, name: Name, parts: list[Evaluate], slots: list[tuple[Name, Slot]]
    ) -> object:
        if not isinstance(value, exp.Expr):
            return value
        if not _has_columns(value):
            return value.copy()
        if isinstance(value, exp.Interval | exp.Tuple | exp.Array):
            raise not_constant()
        slot = Slot()
        parts.append(self.compiled(value))
        slots.append((name, slot))
        return slot


class _Call:
    """A call whose arguments are filled in."""

    def __init__(
        self,
        expression: exp.Expr,
        slots: Sequence[tuple[Name, Slot]],
        session: Session,
        clocks: Clocks,
        law: Law | None,
    ) -> None:
        self.expression = expression
        self.session = session
        self.clocks = clocks
        self.names = [name for name, _ in slots]
        self._slots = [slot for _, slot in slots]
        self._law = law
        self._known: dict[tuple[object, ...], Folded | None] = {}
        self._told: dict[tuple[object, ...], Span | None] = {}
        self._constants: dict[Name, Folded | None] = {}
        self.notes: dict[str, Any] = {}
        self._failing: set[tuple[object, ...]] = set()
        self._beyond: set[tuple[object, ...]] = set()
        self._limits: list[tuple[Folded, Folded]] = []

    def value(self, *arguments: Folded) -> Folded | None:
        marks = tuple((type(each), each) for each in arguments)
        if marks in self._known:
            return self._known[marks]
        for slot, argument in zip(self._slots, arguments, strict=True):
            slot.value = argument
        try:
            found: Folded | None = folded(self.expression, self.session)
        except Fails:
            found = NULL  # no row matches
            self._failing.add(marks)
        except NoValue:
            found = None
            self._beyond.add(marks)
        except CannotConvert:
            found = None
            if self._overflows(arguments):
                found = NULL
                self._failing.add(marks)
        self._known[marks] = found
        return found

    def _overflows(self, arguments: Sequence[Folded]) -> bool:
        """Whether what has no value is whole numbers whose result is none of their type, of which
        Trino makes errors."""
        is_checked = dialect_of(self.session.dialect).is_trino and type(self.expression) in _CHECKED
        return is_checked and all(isinstance(each, Whole) for each in arguments)

    def _fails(self, spans: Sequence[Span]) -> bool:
        return self.is_error(*(span.low for span in spans))

    def is_error(self, *arguments: Folded) -> bool:
        """Whether Trino makes an error of arguments, so that no row is found at all."""
        marks = tuple((type(each), each) for each in arguments)
        return marks in self._failing and dialect_of(self.session.dialect).is_trino

    def is_beyond(self, argument: Folded) -> bool:
        return ((type(argument), argument),) in self._beyond

    def limits(self, low: Folded, high: Folded) -> tuple[Folded, Folded] | None:
        anchors = (low, high, zero_between(low, high), middle(low, high))
        anchor = next((at for at in anchors if self._has_value(at)), None)
        if anchor is None:
            return None
        ends = self._limit(low, anchor), self._limit(high, anchor)
        return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])

    def _has_value(self, argument: Folded | None) -> bool:
        return argument is not None and self.value(argument) not in (None, NULL)

    def _limit(self, end: Folded, anchor: Folded) -> Folded | None:
        """The last value on the way to one end that the call has a value of."""
        if self._has_value(end):
            return end
        inside, outside = anchor, end
        for known in self._limits:
            if is_between(inside, known[0], outside) and is_between(inside, known[1], outside):
                return known[0]
        while (at := middle(inside, outside)) is not None:
            if self.value(at) is None and not self.is_beyond(at):
                return None
            if self._has_value(at):
                inside = at
            else:
                outside = at
        self._limits.append((inside, outside))
        return inside

    def constant(self, name: Name) -> Folded | None:
        if name not in self._constants:
            args = self.expression.args
            listed = args.get("expressions")
            value = listed[name] if isinstance(name, int) and isinstance(listed, list) else None
            value = args.get(name) if isinstance(name, str) else value
            try:
                found = folded(value, self.session) if isinstance(value, exp.Expr) else None
            except CannotConvert:
                found = None
            self._constants[name] = found
        return self._constants[name]

    def __call__(self, spans: Sequence[Span]) -> Span | None:
        marks = tuple((type(span.low), span) for span in spans)
        if marks not in self._told:
            if len(self._told) > _MOST_TOLD:
                self._told.clear()
                self._known.clear()
            self._told[marks] = self._span(spans)
        return self._told[marks]

    def _span(self, spans: Sequence[Span]) -> Span | None:
        if any(span.is_empty and not span.null for span in spans):
            return NEVER
        if all(span.is_point for span in spans):
            value = self.value(*(span.low for span in spans))
            if value is not None:
                return NEVER if value is NULL and self._fails(spans) else point(value)
        elif any(span.is_empty for span in spans):
            return None
        if self._law is None:
            return None
        try:
            return self._law(self, spans)
        except (TypeError, ValueError, ArithmeticError):
            return None


class _Calls(threading.local):
    """The calls of a thread: slots are filled by one at a time."""

    def __init__(self) -> None:
        self.known: Recent[tuple[object, ...], _Call] = Recent(1_000)


_CALLS = _Calls()


def _call(
    expression: exp.Expr, slots: Sequence[tuple[Name, Slot]], session: Session, clocks: Clocks
) -> _Call:
    """A call, which remembers what it was of values that other conditions asked for."""
    if not may_read_clock(expression):
        session = replace(session, started_at=None)
    names = tuple(name for name, _ in slots)
    key = (repr(expression), names, session, clocks.zones)
    found = _CALLS.known.get(key)
    if found is None:
        found = _Call(expression, slots, session, clocks, law_of(expression))
        _CALLS.known.put(key, found)
    return found


def _has_columns(expression: exp.Expr) -> bool:
    return expression.find(exp.Column, exp.Query) is not None


def _unknown(_box: Box) -> Span | None:
    return None


def _operands(expression: exp.Expr) -> Sequence[exp.Expr]:
    return [expression.this] if isinstance(expression, exp.Not) else [*expression.flatten()]


def _time_type(value: Folded) -> exp.DType | None:
    if isinstance(value, Timestamp):
        return exp.DType.TIMESTAMPTZ if value.zoned else exp.DType.TIMESTAMPNTZ
    return exp.DType.DATE if isinstance(value, dt.date) else None


def logic(kind: type[exp.Expr], parts: Sequence[Evaluate]) -> Evaluate:
    def negated(box: Box) -> Span | None:
        found = parts[0](box) or UNKNOWN
        if found.is_empty:
            return found
        return Span(not found.high, not found.low, null=found.null)

    def connected(box: Box) -> Span | None:
        found = None
        for part in parts:
            one = part(box) or UNKNOWN
            if one == decided:
                return one
            found = one if found is None else _both(found, one, is_or=decided is TRUE)
        return found

    decided = TRUE if kind is exp.Or else FALSE
    return negated if kind is exp.Not else connected


def _both(one: Span, other: Span, *, is_or: bool) -> Span:
    """OR or AND of two truths, each a set of the three."""
    truths = {
        _either(a, b) if is_or else _every(a, b) for a in _truths(one) for b in _truths(other)
    }
    known = truths - {None}
    if not known:
        return NOTHING
    return Span(False not in known, True in known, null=None in truths)


def _truths(span: Span) -> set[bool | None]:
    found: set[bool | None] = set()
    if not span.is_empty:
        found = {bool(span.low), bool(span.high)}
    return found | {None} if span.null else found


def _either(a: bool | None, b: bool | None) -> bool | None:
    if a or b:
        return True
    return None if a is None or b is None else False


def _every(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _are_apart(left: Folded, right: Folded) -> bool:
    """Whether two times differ by more than clocks do."""
    times = (Timestamp, dt.date)
    if not isinstance(left, times) or not isinstance(right, times):
        return False
    return abs(key(left) - key(right)) > MARGIN  # type: ignore[operator]


def _are_comparable(one: Folded, other: Folded) -> bool:
    times = (Timestamp, dt.date)
    return are_of_one_kind((one, other)) or (isinstance(one, times) and isinstance(other, times))


def _of_nan(kind: type[exp.Expr], one: Span, other: Span, *, orders_nan: bool) -> Span:
    """A comparison with NaN, which is more than any number and equal to itself, or not even that."""
    if one.is_empty or other.is_empty or not (one.is_point and other.is_point):
        return NOTHING if one.is_empty or other.is_empty else UNKNOWN
    are_nan = is_nan(one.low), is_nan(other.low)
    if not orders_nan:
        return TRUE if kind is exp.NEQ else FALSE
    order = are_nan[0] - are_nan[1]
    return TRUE if HOLDS[kind](order) else FALSE


def _comparison(kind: type[exp.Expr], one: Span, other: Span, session: Session) -> Span:
    if one.is_empty or other.is_empty:
        return NOTHING
    null = one.null or other.null
    if not _are_comparable(one.low, other.low):
        return UNKNOWN  # of casts, which may give null

    def holds(test: type[exp.Expr], left: Folded, right: Folded) -> object:
        if type(left) is type(right) and type(left) in _ORDERED:
            return HOLDS[test]((left > right) - (left < right))  # type: ignore[operator]
        try:
            if _are_apart(left, right):
                return HOLDS[test]((key(left) > key(right)) - (key(left) < key(right)))  # type: ignore[operator]
            return compared(test, left, right, session)
        except (CannotConvert, ValueError, ArithmeticError):
            return None

    if kind in (exp.GT, exp.GTE):
        one, other = other, one
        kind = exp.LT if kind is exp.GT else exp.LTE
    if kind in (exp.LT, exp.LTE):
        if holds(kind, one.high, other.low) is True:
            return TRUE.or_null(null)
        if holds(kind, one.low, other.high) is False:
            return FALSE.or_null(null)
        return EITHER.or_null(null)
    is_equal = None
    if one.is_point and other.is_point:
        is_equal = holds(exp.EQ, one.low, other.low)
    elif (
        holds(exp.LT, one.high, other.low) is True
        or holds(exp.LT, other.high, one.low) is True
        or not (_may_have(one, other) and _may_have(other, one))
    ):
        is_equal = False
    if is_equal is None:
        return EITHER.or_null(null)
    return (TRUE if is_equal == (kind is exp.EQ) else FALSE).or_null(null)


def _may_have(span: Span, other: Span) -> bool:
    """Whether a text may be one of a span."""
    if not other.is_point or not isinstance(other.low, str) or not isinstance(span.low, str):
        return True
    return has_text(span, other.low)


def _is_null(subject: Evaluate) -> Evaluate:
    def evaluate(box: Box) -> Span | None:
        found = subject(box)
        if found is None:
            return EITHER
        if found.is_empty:
            return TRUE
        return EITHER if found.null else FALSE

    return evaluate


def _is_truth(subject: Evaluate, wanted: bool) -> Evaluate:
    def evaluate(box: Box) -> Span | None:
        truths = {each is wanted for each in _truths(subject(box) or UNKNOWN)}
        return Span(False not in truths, True in truths)

    return evaluate


def _coalesced(parts: Sequence[Evaluate]) -> Evaluate:
    def evaluate(box: Box) -> Span | None:
        found: list[Span | None] = []
        for part in parts:
            one = part(box)
            if one is None:
                return None
            if not one.is_empty:
                found.append(replace(one, null=False))
            if not one.null:
                return hull(found)
        return None if not found else hull([*found, NOTHING])

    return evaluate


def _nothing(_box: Box) -> Span | None:
    return NOTHING


def _choice(branches: Sequence[tuple[Evaluate, Evaluate]], otherwise: Evaluate) -> Evaluate:
    """The value of the first branch whose test is true."""

    def evaluate(box: Box) -> Span | None:
        found: list[Span | None] = []
        values = [*(value(box) for _, value in branches), otherwise(box)]
        if _are_rounded(values):
            return None
        for (test, _), value in zip(branches, values, strict=False):
            holds = test(box) or UNKNOWN
            if holds.is_empty or holds.high is False:
                continue
            found.append(value)
            if holds.low is True and not holds.null:
                return hull(found)
        return hull([*found, values[-1]])

    return evaluate


def _are_rounded(values: Sequence[Span | None]) -> bool:
    """Whether numbers are made doubles because one of them is."""
    numbers = [each.low for each in values if each is not None and is_number(each.low)]
    return len({isinstance(number, float) for number in numbers}) > 1


def _nullif(subject: Evaluate, same: Evaluate) -> Evaluate:
    def evaluate(box: Box) -> Span | None:
        found, is_same = subject(box), same(box) or UNKNOWN
        if found is None or is_same.is_empty or is_same.high is False:
            return found
        if is_same.low is True and not is_same.null:
            return NOTHING
        return found.or_null(True)

    return evaluate


def _extreme(parts: Sequence[Evaluate], *, is_least: bool) -> Evaluate:
    choose = min if is_least else max

    def evaluate(box: Box) -> Span | None:
        found = [part(box) for part in parts]
        known = [each for each in found if each is not None and not each.is_empty]
        if not are_of_one_kind(value for each in known for value in (each.low, each.high)):
            return None
        if not known:
            return None
        open_end = extreme_of(known[0].low, is_least=is_least)
        is_open = any(each is None or each.is_empty or each.null for each in found)
        if is_open and open_end is None:
            return None
        low = choose((each.low for each in known), key=key)  # type: ignore[type-var, arg-type]
        high = choose((each.high for each in known), key=key)  # type: ignore[type-var, arg-type]
        if is_open and is_least:
            low = open_end
        elif is_open:
            high = open_end
        # Of what is null, some engines take the others.
        return Span(low, high, null=is_open)

    return evaluate
