"""Expressions compiled to functions from sets of column values to a set of values. Trees are taken
apart once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.arithmetic import is_written_beyond_whole
from prunescope.collectors.sql.constants.clocks import clock_of
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.slot import Slot
from prunescope.collectors.sql.constants.terms import PathOf, column_path
from prunescope.collectors.sql.constants.values import CannotConvert, not_constant
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.choices import skips_nulls
from prunescope.collectors.sql.functions.clocks import Clocks
from prunescope.collectors.sql.functions.folding import folded
from prunescope.collectors.sql.functions.law import Name
from prunescope.collectors.sql.functions.spans import FALSE, NOTHING, UNKNOWN, Span, hull, point
from prunescope.collectors.sql.functions.texts import is_of_text, joined
from prunescope.collectors.sql.ranges.branches import branches_of, by_branch, hoisted
from prunescope.collectors.sql.ranges.calls import call_of
from prunescope.collectors.sql.ranges.choices import as_tried, coalesced, extreme, nullif
from prunescope.collectors.sql.ranges.crossings import Compared
from prunescope.collectors.sql.ranges.times import time_type
from prunescope.collectors.sql.ranges.truths import (
    Evaluate,
    Given,
    Pair,
    comparison,
    is_null,
    is_truth,
    logic,
    rows_compared,
    same,
)
from prunescope.collectors.sql.text.cases import as_in

_PATTERNS = (exp.Like, exp.StartsWith, exp.RegexpLike)
"""Tests of texts that no dialect's functions of times concern."""


class Compiler:
    """Compiles expressions of one session."""

    def __init__(
        self,
        path_of: PathOf,
        session: Session,
        clocks: Clocks,
        *,
        orders_nan: bool = False,
        is_tried: bool = False,
        compared: list[Compared] | None = None,
    ) -> None:
        self.compared: list[Compared] = [] if compared is None else compared
        """The comparisons with constants that were compiled so far."""
        self._orders_nan = orders_nan
        self._is_tried = is_tried
        self._path_of = path_of
        self._session = session
        self.dialect = dialect_of(session.dialect)
        self._clocks = clocks
        # Where columns without a zone are moments, functions read these by more than one clock.
        is_of_utc = self.dialect.plain_are_moments and session.time_zone == "UTC"
        is_known = self.dialect.has_known_functions or self.dialect.has_documented_moves
        self._has_functions = is_known or is_of_utc

    def compiled(self, expression: exp.Expr) -> Evaluate:
        """The expression as a function. Raises CannotConvert for what reads no column of the table
        or a query."""
        expression = expression.unnest()
        path = column_path(expression, self._path_of)
        if path is not None:
            return lambda given: given.get(path)
        if isinstance(expression, exp.Column | exp.Query):
            return _unknown
        if not _has_columns(expression):
            return self._constant(expression)
        if expression.args.get("negate"):
            positive = expression.copy()
            positive.set("negate", None)
            return logic(exp.Not, [self.compiled(positive)])
        return (
            self._truth(expression)
            or self._choice(expression)
            or self._text(expression)
            or self._call(expression)
        )

    def _truth(self, expression: exp.Expr) -> Evaluate | None:
        listed = as_in(expression)
        if listed is not None:
            found = self.compiled(listed)
            if isinstance(expression, exp.ArrayContains) and self.dialect.leaves_out_nulls:
                return coalesced([found, lambda _given: FALSE])
            return found
        match expression:
            case exp.And() | exp.Or():
                return logic(type(expression), self._each(expression.flatten()))
            case exp.Not():
                return logic(exp.Not, [self.compiled(expression.this)])
            case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
                return self._compared(type(expression), expression.this, expression.expression)
            case exp.Between() if not expression.args.get("symmetric"):
                low = self._compared(exp.GTE, expression.this, expression.args["low"])
                high = self._compared(exp.LTE, expression.this, expression.args["high"])
                return logic(exp.And, [low, high])
            case exp.In() if expression.expressions and not expression.args.get("unnest"):
                items = expression.expressions
                if self.dialect.leaves_out_nulls:
                    items = [item for item in items if not isinstance(item, exp.Null)]
                each = [self._listed(expression.this, item) for item in items]
                return logic(exp.Or, each) if each else _unknown
            case exp.NullSafeEQ() | exp.NullSafeNEQ():
                found = same(self.pair(expression.this, expression.expression))
                is_same = isinstance(expression, exp.NullSafeEQ)
                return found if is_same else logic(exp.Not, [found])
            case exp.Is(expression=exp.Null()):
                return is_null(self.compiled(expression.this))
            case exp.Is(expression=exp.Boolean(this=wanted)):
                return is_truth(self.compiled(expression.this), wanted=bool(wanted))
        return None

    def _choice(self, expression: exp.Expr) -> Evaluate | None:
        match expression:
            case exp.Coalesce():
                return coalesced(self._each((expression.this, *expression.expressions)))
            case exp.Nullif():
                subject = self.compiled(expression.this)
                is_same = self._compared(exp.EQ, expression.this, expression.expression)
                return nullif(subject, is_same)
            case exp.Greatest() | exp.Least():
                each = self._each((expression.this, *expression.expressions))
                skips_null = skips_nulls(expression, self.dialect)
                is_least = isinstance(expression, exp.Least)
                return extreme(each, is_least=is_least, skips_null=skips_null)
        tried = as_tried(expression, self.dialect)
        if tried is not None:
            return self._trying().compiled(tried)
        if isinstance(expression, exp.Try | exp.SafeFunc):
            return _unknown
        found = branches_of(expression, self)
        return None if found is None else found.chosen(found.values)

    def _trying(self) -> Compiler:
        """A compiler for expressions whose errors are NULL."""
        read = (self._path_of, self._session, self._clocks)
        return Compiler(*read, orders_nan=self._orders_nan, is_tried=True, compared=self.compared)

    def _text(self, expression: exp.Expr) -> Evaluate | None:
        match expression:
            case exp.Concat() | exp.DPipe():
                return self._joined(expression)
            case exp.UnixToStr(this=seconds):
                whole = exp.Cast(this=seconds.copy(), to=exp.DataType(this=exp.DType.BIGINT))
                moment = exp.Anonymous(this="timestamp_seconds", expressions=[whole])
                return self.compiled(exp.TimeToStr(this=moment, format=expression.args["format"]))
        return None

    def _each(self, expressions: Iterable[exp.Expr]) -> list[Evaluate]:
        return [self.compiled(each) for each in expressions]

    def _constant(self, expression: exp.Expr) -> Evaluate:
        try:
            found: Span | None = point(folded(expression, self._session))
        except CannotConvert:
            found = None
        return lambda _given: found

    def _compared(self, kind: type[exp.Expr], left: exp.Expr, right: exp.Expr) -> Evaluate:
        rows = left.unnest(), right.unnest()
        if all(isinstance(row, exp.Tuple) for row in rows):
            if len(rows[0].expressions) != len(rows[1].expressions):
                return _unknown
            each = zip(rows[0].expressions, rows[1].expressions, strict=True)
            found = rows_compared(kind, [self.pair(*pair) for pair in each], self.dialect)
            return found or _unknown
        if self.dialect.nulls_wide_numbers and any(map(is_written_beyond_whole, rows)):
            return _unknown  # which is TRUE of nulls, too, as `predicates.bind` has it
        sides = self.compiled(left), self.compiled(right)
        session, orders_nan = self._session, self._orders_nan
        as_time = self._text_beside_time(left, right)

        if not (_has_columns(left) and _has_columns(right)):
            self.compared.append(Compared(*sides, as_time))

        def evaluate(given: Given) -> Span | None:
            one, other = sides[0](given), sides[1](given)
            if one is None or other is None:
                known = one or other
                return NOTHING if known is not None and known.is_empty else UNKNOWN
            return comparison(kind, *as_time(one, other), session, orders_nan=orders_nan)

        if (branches := hoisted(left, self)) is not None:
            truths = [self._compared(kind, each, right) for each in branches.operands]
        elif (branches := hoisted(right, self)) is not None:
            truths = [self._compared(kind, left, each) for each in branches.operands]
        return evaluate if branches is None else by_branch(evaluate, branches, truths)

    def _listed(self, subject: exp.Expr, item: exp.Expr) -> Evaluate:
        """The truths of equality between a subject and an item of a list. Depending on a setting,
        Spark casts times beside a text in a list to text, or texts to times as elsewhere."""
        found = self._compared(exp.EQ, subject, item)
        if (
            not self.dialect.casts_arguments
            or not isinstance(item, exp.Literal)
            or not item.is_string
        ):
            return found
        as_text, subject_of, text = self._as_text(), self.compiled(subject), point(item.name)

        def evaluate(given: Given) -> Span | None:
            asked = subject_of(given)
            if asked is None or time_type(asked.low, self.dialect) is None:
                return found(given)
            written = as_text(asked)
            if written is None:
                return UNKNOWN
            same = comparison(exp.EQ, written, text, self._session, orders_nan=self._orders_nan)
            return hull((found(given), same))

        return evaluate

    def pair(self, left: exp.Expr, right: exp.Expr) -> Pair:
        """Two expressions that are compared."""
        one, other = self._each((left, right))
        return Pair(one, other, lambda kind: self._compared(kind, left, right))

    def _text_beside_time(
        self, left: exp.Expr, right: exp.Expr
    ) -> Callable[[Span, Span], tuple[Span, Span]]:
        """Returns a cast of constant texts that are compared with times, to times on the same
        clock."""
        known: dict[tuple[str, exp.DType, str | None], Span] = {}

        def cast(text: Span, beside: Span, is_constant: bool) -> Span:
            kind = time_type(beside.low, self.dialect)
            if kind is None or not is_constant or not isinstance(text.low, str):
                return text
            session = self._session
            if isinstance(beside.low, Timestamp) and beside.low.zoned:
                session = clock_of(beside.low, session)
            key = text.low, kind, session.time_zone
            if key not in known:
                known[key] = _cast(text.low, kind, session) or text
            return known[key]

        constant = not _has_columns(left), not _has_columns(right)
        return lambda one, other: (cast(one, other, constant[0]), cast(other, one, constant[1]))

    def _joined(self, expression: exp.Expr) -> Evaluate:
        """concat(), || or concat_ws(), whose separator is its first operand."""
        parts = self._each(expression.expressions or expression.flatten())
        call, as_text = self._call(expression), self._as_text()
        is_separated = isinstance(expression, exp.ConcatWs)
        skips_nulls = bool(expression.args.get("coalesce"))
        is_strict = not is_separated or self.dialect.joins_null_to_null

        def evaluate(given: Given) -> Span | None:
            found = [part(given) for part in parts]
            if all(each is not None and each.is_point for each in found):
                told = call(given)
                if told is not None:
                    return told
            written = [as_text(each) for each in found]
            if is_separated and (written[0] is None or written[0].null):
                return None
            if skips_nulls:
                written = [each for each in written if each != NOTHING]
            elif is_strict and NOTHING in written:
                return NOTHING
            is_certain = is_strict and not skips_nulls
            if not is_certain and any(each is None or each.null for each in written):
                return None
            if is_separated:
                written = [each for text in written[1:] for each in (written[0], text)][1:]
            return joined(written)

        return evaluate

    def _as_text(self) -> Callable[[Span | None], Span | None]:
        """Returns a cast to text of the operands that are no texts."""
        slot = Slot()
        cast = exp.Cast(this=slot, to=exp.DataType.build("text"))
        call = call_of(cast, [("this", slot)], self._session, self._clocks)

        def text(span: Span | None) -> Span | None:
            if span is None or isinstance(span.low, str | tuple) or span.is_empty:
                return span
            return call([span])

        return text

    def _call(self, expression: exp.Expr) -> Evaluate:
        if not self._has_functions and not isinstance(expression, _PATTERNS):
            return _unknown
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
        filled, is_tried = type(expression)(**given), self._is_tried
        call = call_of(filled, slots, self._session, self._clocks, is_tried=is_tried)
        makes_text = self.dialect.has_java_time and is_of_text(expression)
        as_text = self._as_text() if makes_text and slots[0][0] in ("this", 0) else None

        def evaluate(given: Given) -> Span | None:
            spans = [part(given) for part in parts]
            if as_text is not None:
                spans[0] = as_text(spans[0])
            known = [span for span in spans if span is not None]
            return call(known) if len(known) == len(spans) else call.beside_unknown(known)

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


def _cast(text: str, kind: exp.DType, session: Session) -> Span | None:
    tree = exp.Cast(this=exp.Literal.string(text), to=exp.DataType(this=kind))
    try:
        return point(folded(tree, session))
    except CannotConvert:
        return None


def _has_columns(expression: exp.Expr) -> bool:
    return expression.find(exp.Column, exp.Query) is not None


def _unknown(_given: Given) -> Span | None:
    return None
