"""Leaves of a SQL condition as comparisons of columns.

Each leaf is converted together with its negation sign: what is only implied by the leaf, such
as the prefix of a LIKE pattern, must not be negated afterwards.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calculations import Calculated, Calculation
from collectors.predicates.fingerprint import redact, render
from collectors.predicates.model import (
    FALSE,
    NEGATED,
    SET,
    TRUE,
    Always,
    Column,
    Comparison,
    LiteralValue,
    Op,
    Predicate,
    Reason,
    Timestamp,
    Unsupported,
    Written,
    all_of,
    any_of,
    has_double,
    written_as,
)
from collectors.predicates.planners import (
    Planner,
    pushes_any_text,
    reads_patterns,
    refusal,
    unwraps_casts,
)
from collectors.predicates.sql_boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    nested_queries,
    own_columns,
)
from collectors.predicates.sql_calculations import calculated, calculation, may_calculate
from collectors.predicates.sql_choices import choice, may_choose
from collectors.predicates.sql_constants import literal
from collectors.predicates.sql_date_formats import (
    FormattedTime,
    compare_formatted,
    formatted_time,
)
from collectors.predicates.sql_date_parts import (
    KnownPeriods,
    PartOfPeriod,
    compare_part,
    known_periods,
    part_of_period,
)
from collectors.predicates.sql_dates import compare_period
from collectors.predicates.sql_day_numbers import DayNumber, compare_day_number, day_number
from collectors.predicates.sql_day_shifts import (
    DayShift,
    compare_shift,
    day_shift,
    may_shift_days,
)
from collectors.predicates.sql_epoch_texts import EpochText, compare_epoch_text, epoch_text
from collectors.predicates.sql_epochs import EpochSeconds, compare_epoch, epoch_seconds
from collectors.predicates.sql_like import expression_prefix, split_pattern
from collectors.predicates.sql_month_ends import MonthEnd, compare_month_end, month_end
from collectors.predicates.sql_month_shifts import (
    MonthShift,
    compare_month_shift,
    may_shift_months,
    month_shift,
)
from collectors.predicates.sql_months_between import (
    MonthsBetween,
    compare_months,
    months_between,
)
from collectors.predicates.sql_nan import compare_column, not_in
from collectors.predicates.sql_session import SPARK_FAMILY, TRINO_FAMILY, Session
from collectors.predicates.sql_terms import (
    PathOf,
    PeriodStart,
    Term,
    columns_of,
    reason_for,
    term,
)
from collectors.predicates.sql_text_prefixes import TextPrefix, compare_prefix, text_prefix
from collectors.predicates.sql_text_starts import TextStart, compare_start, text_start
from collectors.predicates.sql_time_texts import (
    TimeText,
    compare_text,
    cut_text,
    is_exact,
    starting_with,
    time_text,
)
from collectors.predicates.sql_values import NULL, CannotConvert, Null, not_constant
from collectors.predicates.sql_zoned_days import ZonedDay, compare_zoned, zoned_day

_COMPARISONS: dict[type[exp.Expr], Op] = {
    exp.EQ: Op.EQ,
    exp.NEQ: Op.NOT_EQ,
    exp.LT: Op.LT,
    exp.LTE: Op.LT_EQ,
    exp.GT: Op.GT,
    exp.GTE: Op.GT_EQ,
}
# Functions that no engine unwraps, of dates but for the last.
Wrapped = (
    FormattedTime
    | TimeText
    | PartOfPeriod
    | EpochSeconds
    | EpochText
    | TextPrefix
    | TextStart
    | DayShift
    | DayNumber
    | MonthEnd
    | MonthShift
    | MonthsBetween
    | ZonedDay
    | Calculation
)
_FLIPPED = {Op.LT: Op.GT, Op.LT_EQ: Op.GT_EQ, Op.GT: Op.LT, Op.GT_EQ: Op.LT_EQ}


# How an expression is written, with its literals and without.
Printer = Callable[[exp.Expr], Written]


@dataclass(frozen=True, slots=True)
class Reader:
    """How the columns of one table are found in an expression, and what constants mean. `printer`
    writes leaves, where something knows a faster way than from their trees."""

    path_of: PathOf
    session: Session
    known: KnownPeriods = field(default_factory=KnownPeriods)
    printer: Printer | None = None

    def knowing(self, conditions: Sequence[Formula]) -> Reader:
        """The reader of the parts of a conjunction, each of which holds for every row of the
        whole."""
        if self.session.planner is not None:
            return self
        dialect = self.session.dialect
        known = known_periods(conditions, self.path_of, dialect, self.literal, self.known)
        return replace(self, known=known)

    def term(self, expression: exp.Expr) -> Term | Wrapped:
        """What the expression says of a column; raises CannotConvert."""
        return self._wrapped(expression.unnest()) or term(
            expression, self.path_of, self.session.dialect
        )

    def _wrapped(self, expression: exp.Expr) -> Wrapped | None:
        if isinstance(expression, exp.Column | exp.Dot):
            return None
        planner = self.session.planner
        if planner is not None:
            unwraps = isinstance(expression, exp.Cast) and unwraps_casts(planner)
            return calculation(expression, self.path_of, self.session) if unwraps else None
        place = self.path_of, self.session.dialect
        return (
            formatted_time(expression, *place)
            or time_text(expression, *place)
            or cut_text(expression, *place)
            or epoch_seconds(expression, *place)
            or epoch_text(expression, *place)
            or zoned_day(expression, self.path_of, self.session)
            or part_of_period(expression, *place, self.known)
            or text_prefix(expression, *place)
            or text_start(expression, *place)
            or month_end(expression, *place)
            or month_shift(expression, self.path_of, self.session)
            or months_between(expression, self.path_of, self.session)
            or day_shift(expression, self.path_of, self.session)
            or day_number(expression, self.path_of, self.session)
            or calculation(expression, self.path_of, self.session)
        )

    def literal(self, expression: exp.Expr) -> LiteralValue | Null:
        """The value of a constant expression; raises CannotConvert."""
        return literal(expression, self.session)

    def written(self, leaf: Leaf) -> Written:
        """The leaf as SQL."""
        found = self.printed(leaf.expression)
        if leaf.negated:
            return Written(f"NOT ({found.text})", f"NOT ({found.redacted})")
        return found

    def printed(self, expression: exp.Expr) -> Written:
        """An expression as SQL."""
        if self.printer is not None:
            return self.printer(expression)
        return printed(expression, self.session.dialect)

    def unsupported(
        self, reason: Reason, leaf: Leaf, calculated: Calculated | None = None
    ) -> Unsupported:
        """The leaf as a part that never prunes."""
        written = self.written(leaf)
        columns = columns_of(leaf.expression, self.path_of)
        return Unsupported(reason, written.text, written.redacted, columns, calculated)


def printed(expression: exp.Expr, dialect: str) -> Written:
    """An expression as SQL of a dialect."""
    return Written(render(expression, dialect), redact(expression, dialect))


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """A leaf that compares one `subject` with constants that are still to be read: by each of
    `ops` with one of them, or by IN, NOT IN and LIKE (STARTS_WITH, or NOT_STARTS_WITH) with all.
    `is_plain` tells that the subject is a column as it is."""

    leaf: Leaf
    ops: tuple[Op, ...]
    subject: Term | Wrapped
    constants: tuple[exp.Expr, ...]
    is_plain: bool

    def of(self, values: Sequence[LiteralValue | Null], reader: Reader) -> Predicate:
        """What it says for values of the constants; raises CannotConvert as a leaf does."""
        found = self._said(values, reader)
        return found if self.is_plain else written_as(reader.written(self.leaf), found)

    def _said(self, values: Sequence[LiteralValue | Null], reader: Reader) -> Predicate:
        first = self.ops[0]
        if first in SET:
            return _member(self.subject, values, self.leaf, reader)
        if first in (Op.STARTS_WITH, Op.NOT_STARTS_WITH):
            is_negated = first is Op.NOT_STARTS_WITH
            return _matched(self.subject, values[0], None, is_negated, self.leaf, reader)
        parts = [
            FALSE
            if isinstance(value, Null)
            else _compare_value(op, self.subject, value, self.leaf, reader)
            for op, value in zip(self.ops, values, strict=True)
        ]
        if len(parts) == 1:
            return parts[0]
        return any_of(*parts) if self.leaf.negated else all_of(*parts)


def test_of(leaf: Leaf, reader: Reader) -> Test | None:
    """The test that a leaf is, whatever its constants are; None for any other. Raises
    CannotConvert for a leaf that says nothing of a column, whatever its constants are."""
    expression, negated = leaf.expression, leaf.negated
    planner = reader.session.planner
    if isinstance(expression, exp.Like) and planner is not None and reads_patterns(planner):
        return None
    _require_pushable(leaf, planner)
    if nested_queries(expression):
        raise CannotConvert(Reason.SUBQUERY)
    constants: tuple[exp.Expr, ...]
    match expression:
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            op = _COMPARISONS[type(expression)]
            op = NEGATED[op] if negated else op
            subject, constants = expression.this, (expression.expression,)
            if own_columns(constants[0]):
                op, subject, constants = _FLIPPED.get(op, op), constants[0], (subject,)
            ops: tuple[Op, ...] = (op,)
        case exp.Between() if not expression.args.get("symmetric"):
            ops = (Op.LT, Op.GT) if negated else (Op.GT_EQ, Op.LT_EQ)
            subject = expression.this
            constants = expression.args["low"], expression.args["high"]
        case exp.In() if _is_of_values(expression):
            ops, subject = (Op.NOT_IN if negated else Op.IN,), expression.this
            constants = tuple(expression.expressions)
        case exp.Like() if not isinstance(expression.expression, exp.Any | exp.All):
            is_negated = negated != bool(expression.args.get("negate"))
            ops = (Op.NOT_STARTS_WITH if is_negated else Op.STARTS_WITH,)
            subject, constants = expression.this, (expression.expression,)
        case _:
            return None
    if not own_columns(subject) or any(map(own_columns, constants)):
        return None
    if _has_literals(subject, reader) or may_choose(subject) or isinstance(subject, exp.Tuple):
        return None
    found = reader.term(subject)
    is_plain = _compares_columns(expression)
    if len(ops) > 1 and not is_plain:
        return None
    if isinstance(expression, exp.Like) and not isinstance(found, TimeText):
        found = _column(subject, reader)
    return Test(leaf, ops, found, constants, is_plain)


def _is_of_values(expression: exp.In) -> bool:
    """Whether a list holds values of one subject, and neither a query's nor rows of several."""
    is_list = bool(expression.expressions) and not expression.args.get("unnest")
    return is_list and not isinstance(expression.this, exp.Tuple)


def _has_literals(subject: exp.Expr, reader: Reader) -> bool:
    """Whether literals of a subject count as well, so that it is another one with others."""
    dialect = reader.session.dialect
    return (
        may_calculate(subject, dialect)
        or may_shift_days(subject, dialect)
        or may_shift_months(subject, dialect)
        or isinstance(subject.unnest(), exp.MonthsBetween)
    )


def convert(condition: Formula, reader: Reader) -> Predicate:
    """What a condition, whose columns are all of one table, says of that table's rows."""
    match condition:
        case AllOf(parts):
            reader = reader.knowing(parts)
            return all_of(*(convert(part, reader) for part in parts))
        case AnyOf(parts):
            return any_of(*(convert(part, reader) for part in parts))
        case Leaf():
            try:
                _require_pushable(condition, reader.session.planner)
                found = _leaf(condition, reader)
            except CannotConvert as error:
                return reader.unsupported(error.reason, condition)
            if _compares_columns(condition.expression) and not has_double(found):
                return found
            return written_as(reader.written(condition), found)


def _compares_columns(expression: exp.Expr) -> bool:
    """Whether a leaf compares columns as they are, without anything around them. (Doubles are: to
    compare them, engines cast decimals to doubles, so `9.5e0` is another condition than `9.5`.)"""
    return all(_is_operand(column, expression) for column in own_columns(expression))


def _is_operand(column: exp.Expr, of: exp.Expr) -> bool:
    while isinstance(column.parent, exp.Dot | exp.Paren):
        column = column.parent
    return column is of or column.parent is of


def _require_pushable(leaf: Leaf, planner: Planner | None) -> None:
    if planner is None:
        return
    reason = refusal(planner, leaf.expression, negated=leaf.negated)
    if reason is not None:
        raise CannotConvert(reason)


def _leaf(leaf: Leaf, reader: Reader) -> Predicate:
    expression, negated = leaf.expression, leaf.negated
    if nested_queries(expression):
        raise CannotConvert(Reason.SUBQUERY)
    chosen = choice(leaf, reader.session, lambda part: convert(part, reader))
    if chosen is not None:
        found = convert(chosen.condition, reader)
        return found if chosen.is_all else all_of(found, reader.unsupported(Reason.FUNCTION, leaf))
    match expression:
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            op = _COMPARISONS[type(expression)]
            sides = expression.this, expression.expression
            return _compare(NEGATED[op] if negated else op, *sides, leaf, reader)
        case exp.Between():
            return _between(leaf, expression, reader)
        case exp.In():
            return _in(expression, leaf, reader)
        case exp.Is():
            return _is(expression, negated, reader)
        case exp.NullSafeEQ() | exp.NullSafeNEQ():
            equal = isinstance(expression, exp.NullSafeEQ) != negated
            return _null_safe(expression.this, expression.expression, equal, leaf, reader)
        case exp.Like() | exp.Escape() | exp.StartsWith():
            return _text_match(leaf, reader)
        case exp.RegexpLike():
            return _expression_match(expression, leaf, reader)
        case exp.Anonymous(this=str() as name, expressions=[text, pattern]) if (
            name.lower() == "regexp" and reader.session.dialect in SPARK_FAMILY
        ):
            call = exp.RegexpLike(this=text.copy(), expression=pattern.copy())
            return _expression_match(call, leaf, reader)
        case exp.IsNan(this=operand):
            return Comparison(Op.NOT_NAN if negated else Op.IS_NAN, _column(operand, reader))
        case exp.Column() | exp.Dot():
            return Comparison(Op.EQ, _column(expression, reader), (not negated,))
    return _truth(expression, negated, reader)


def _truth(expression: exp.Expr, negated: bool, reader: Reader) -> Predicate:
    """A constant as a condition."""
    if own_columns(expression):
        raise CannotConvert(reason_for(expression))
    value = reader.literal(expression)
    if value is NULL:
        return FALSE
    if isinstance(value, bool):
        return Always(value != negated)
    raise CannotConvert(Reason.EXPRESSION)


def _column(expression: exp.Expr, reader: Reader) -> Column:
    found = reader.term(expression)
    if isinstance(found, Column) and found.transform is None:
        return found
    raise CannotConvert(reason_for(expression))


def _compare(op: Op, left: exp.Expr, right: exp.Expr, leaf: Leaf, reader: Reader) -> Predicate:
    if own_columns(right):
        if own_columns(left):
            raise CannotConvert(Reason.COLUMN_TO_COLUMN)
        left, right, op = right, left, _FLIPPED.get(op, op)
    if not own_columns(left):
        return _compare_constants(op, reader.literal(left), reader.literal(right))
    columns = left.unnest()
    if isinstance(columns, exp.Tuple):
        return _row(op, columns, right.unnest(), leaf, reader)
    found = reader.term(left)
    value = reader.literal(right)
    return FALSE if isinstance(value, Null) else _compare_value(op, found, value, leaf, reader)


def _compare_value(
    op: Op, found: Term | Wrapped, value: LiteralValue, leaf: Leaf, reader: Reader
) -> Predicate:
    session = reader.session
    match found:
        case Column():
            return compare_column(op, found, value, session, negated=leaf.negated)
        case PeriodStart():
            return compare_period(op, found, value, session)
        case PartOfPeriod():
            return compare_part(op, found, value, session)
        case EpochSeconds():
            return compare_epoch(op, found, value, session)
        case ZonedDay():
            return compare_zoned(op, found, value, session)
        case TextPrefix() | TextStart():
            return _compare_beginning(op, found, value)
        case EpochText():
            return compare_epoch_text(op, found, value, session)
        case MonthShift():
            return compare_month_shift(op, found, value, session)
        case MonthsBetween():
            selected = compare_months(op, found, value, session)
            is_all, reason = False, Reason.FUNCTION
        case DayShift():
            return compare_shift(op, found, value, session)
        case DayNumber():
            return compare_day_number(op, found, value, session)
        case MonthEnd():
            return compare_month_end(op, found, value, session)
        case Calculation():
            compared = calculated(op, found, value, session, negated=leaf.negated)
            return reader.unsupported(_reason_of(leaf), leaf, compared)
        case FormattedTime():
            selected = compare_formatted(op, found, value, session)
            is_all, reason = found.is_certain, Reason.FUNCTION
        case TimeText():
            selected = compare_text(op, found, value, session)
            is_all, reason = is_exact(op, found), Reason.CAST
    return selected if is_all else all_of(selected, reader.unsupported(reason, leaf))


def _compare_beginning(op: Op, found: TextPrefix | TextStart, value: LiteralValue) -> Predicate:
    if isinstance(found, TextPrefix):
        return compare_prefix(op, found, value)
    return compare_start(op, found, value)


def _reason_of(leaf: Leaf) -> Reason:
    """Why no engine makes anything of a comparison of what is calculated."""
    subject, other = leaf.expression.this, leaf.expression.args.get("expression")
    return reason_for(subject if other is None or own_columns(subject) else other)


def _compare_constants(op: Op, left: LiteralValue | Null, right: LiteralValue | Null) -> Predicate:
    if left is NULL or right is NULL:
        return FALSE
    order = _order(left, right)
    holds = {
        Op.EQ: order == 0,
        Op.NOT_EQ: order != 0,
        Op.LT: order < 0,
        Op.LT_EQ: order <= 0,
        Op.GT: order > 0,
        Op.GT_EQ: order >= 0,
    }
    return TRUE if holds[op] else FALSE


def _order(left: object, right: object) -> int:
    """-1, 0 or 1 for values of the same kind."""
    numbers = int | float | Decimal
    if isinstance(left, numbers) and isinstance(right, numbers):
        return (left > right) - (left < right)
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    if isinstance(left, dt.date) and isinstance(right, dt.date):
        return (left > right) - (left < right)
    if isinstance(left, Timestamp) and isinstance(right, Timestamp) and left.zoned == right.zoned:
        return (left.nanos > right.nanos) - (left.nanos < right.nanos)
    raise not_constant()


def _between(leaf: Leaf, expression: exp.Between, reader: Reader) -> Predicate:
    if expression.args.get("symmetric"):
        raise CannotConvert(Reason.EXPRESSION)
    subject = expression.this
    low = exp.GTE(this=subject.copy(), expression=expression.args["low"].copy())
    high = exp.LTE(this=subject.copy(), expression=expression.args["high"].copy())
    bounds = [convert(Leaf(bound, leaf.negated), reader) for bound in (low, high)]
    match bounds:
        case [Unsupported(reason=reason, calculated=None), Unsupported(calculated=None)]:
            return reader.unsupported(reason, leaf)
    return any_of(*bounds) if leaf.negated else all_of(*bounds)


def _in(expression: exp.In, leaf: Leaf, reader: Reader) -> Predicate:
    if not expression.expressions or expression.args.get("unnest"):
        raise CannotConvert(Reason.EXPRESSION)
    if not own_columns(expression.this):
        raise CannotConvert(Reason.EXPRESSION)
    if isinstance(expression.this, exp.Tuple):
        return _rows(expression.this, expression.expressions, leaf, reader)
    found = reader.term(expression.this)
    if any(own_columns(item) for item in expression.expressions):
        raise CannotConvert(Reason.COLUMN_TO_COLUMN)
    items = [reader.literal(item) for item in expression.expressions]
    return _member(found, items, leaf, reader)


def _rows(columns: exp.Tuple, rows: Sequence[exp.Expr], leaf: Leaf, reader: Reader) -> Predicate:
    """`(a, b) IN ((1, 2), (3, 4))`, which no engine takes apart. To Spark a row equals another that
    has nulls in the same places; such rows are refused."""
    if leaf.negated or reader.session.planner is not None:
        raise CannotConvert(Reason.FUNCTION)
    found = [_column(column, reader) for column in columns.expressions]
    arms = []
    for row in rows:
        if not isinstance(row, exp.Tuple) or len(row.expressions) != len(found):
            raise CannotConvert(Reason.FUNCTION)
        values = [reader.literal(item) for item in row.expressions]
        known = [value for value in values if not isinstance(value, Null)]
        if len(known) < len(values):
            raise CannotConvert(Reason.FUNCTION)
        arms.append(
            all_of(
                *(
                    _compare_value(Op.EQ, column, value, leaf, reader)
                    for column, value in zip(found, known, strict=True)
                )
            )
        )
    return any_of(*arms)


def _row(op: Op, columns: exp.Tuple, row: exp.Expr, leaf: Leaf, reader: Reader) -> Predicate:
    """`(a, b) = (1, 2)`, and of `(a, b) > (1, 2)` what it says of the first column. Spark takes
    null for less than any value."""
    if op is Op.EQ:
        return _rows(columns, [row], leaf, reader)
    dialect = reader.session.dialect
    is_known = op in (Op.GT, Op.GT_EQ) and dialect in SPARK_FAMILY | TRINO_FAMILY
    if op in (Op.LT, Op.LT_EQ):
        is_known = dialect in TRINO_FAMILY
    if not is_known or leaf.negated or reader.session.planner is not None:
        raise CannotConvert(Reason.FUNCTION)
    if not isinstance(row, exp.Tuple) or len(row.expressions) != len(columns.expressions):
        raise CannotConvert(Reason.FUNCTION)
    value = reader.literal(row.expressions[0])
    if isinstance(value, Null):
        raise CannotConvert(Reason.FUNCTION)
    within = Op.GT_EQ if op in (Op.GT, Op.GT_EQ) else Op.LT_EQ
    first = _compare_value(within, _column(columns.expressions[0], reader), value, leaf, reader)
    return all_of(first, reader.unsupported(Reason.FUNCTION, leaf))


def _member(
    found: Term | Wrapped, items: Sequence[LiteralValue | Null], leaf: Leaf, reader: Reader
) -> Predicate:
    values = [item for item in items if not isinstance(item, Null)]
    if leaf.negated and len(values) < len(items):
        return FALSE
    op = Op.NOT_EQ if leaf.negated else Op.EQ
    if not isinstance(found, Column) or len(values) == 1:
        parts = [_compare_value(op, found, value, leaf, reader) for value in values]
        return all_of(*parts) if leaf.negated else any_of(*parts)
    if not values:
        return FALSE
    if leaf.negated:
        return not_in(found, values, reader.session)
    return Comparison(Op.IN, found, tuple(values))


def _is(expression: exp.Is, negated: bool, reader: Reader) -> Predicate:
    subject, value = expression.this, expression.expression
    if isinstance(value, exp.Null):
        if own_columns(subject):
            return Comparison(Op.NOT_NULL if negated else Op.IS_NULL, _column(subject, reader))
        return Always((reader.literal(subject) is NULL) != negated)
    if isinstance(value, exp.Boolean):
        column = _column(subject, reader)
        if negated:
            return _or_null(Comparison(Op.NOT_EQ, column, (bool(value.this),)), column)
        return Comparison(Op.EQ, column, (bool(value.this),))
    raise CannotConvert(Reason.EXPRESSION)


def _null_safe(
    left: exp.Expr, right: exp.Expr, equal: bool, leaf: Leaf, reader: Reader
) -> Predicate:
    if own_columns(right):
        if own_columns(left):
            raise CannotConvert(Reason.COLUMN_TO_COLUMN)
        left, right = right, left
    if not own_columns(left):
        raise CannotConvert(Reason.EXPRESSION)
    value = reader.literal(right)
    if isinstance(value, Null):
        return Comparison(Op.IS_NULL if equal else Op.NOT_NULL, _column(left, reader))
    found = reader.term(left)
    if not isinstance(found, Column | PeriodStart):
        raise CannotConvert(reason_for(left))
    if equal:
        return _compare_value(Op.EQ, found, value, leaf, reader)
    if isinstance(found, Column):  # of which NaN is not distinct from itself
        return _or_null(Comparison(Op.NOT_EQ, found, (value,)), found)
    return _or_null(_compare_value(Op.NOT_EQ, found, value, leaf, reader), Column(found.path))


def _or_null(predicate: Predicate, column: Column) -> Predicate:
    return any_of(predicate, Comparison(Op.IS_NULL, column))


def _text_match(leaf: Leaf, reader: Reader) -> Predicate:
    expression, negated = leaf.expression, leaf.negated
    escape: str | None = None
    if isinstance(expression, exp.Escape):
        character = reader.literal(expression.expression)
        if not isinstance(character, str) or not isinstance(expression.this, exp.Like):
            raise CannotConvert(Reason.LIKE_PATTERN)
        expression, escape = expression.this, character
    negated = negated != bool(expression.args.get("negate"))
    if isinstance(expression.expression, exp.Any | exp.All):
        raise CannotConvert(Reason.LIKE_PATTERN)
    subject = reader.term(expression.this)
    if not isinstance(subject, TimeText):
        subject = _column(expression.this, reader)
    if own_columns(expression.expression):
        raise CannotConvert(Reason.COLUMN_TO_COLUMN)
    pattern = reader.literal(expression.expression)
    if isinstance(expression, exp.StartsWith) and isinstance(pattern, str):
        return _starting(subject, pattern, "%", negated, leaf, reader)
    return _matched(subject, pattern, escape, negated, leaf, reader)


def _expression_match(expression: exp.RegexpLike, leaf: Leaf, reader: Reader) -> Predicate:
    """A regular expression of which the start of the text is known. No engine makes anything of
    it."""
    if leaf.negated or reader.session.planner is not None or expression.args.get("flag"):
        raise CannotConvert(Reason.FUNCTION)
    column = _column(expression.this, reader)
    if own_columns(expression.expression):
        raise CannotConvert(Reason.COLUMN_TO_COLUMN)
    pattern = reader.literal(expression.expression)
    prefix = expression_prefix(pattern) if isinstance(pattern, str) else ""
    if not prefix:
        raise CannotConvert(Reason.FUNCTION)
    whole = reader.unsupported(Reason.LIKE_PATTERN, leaf)
    starts = _starts_with(column, prefix, False)
    return all_of(written_as(Written(whole.text, whole.redacted), starts), whole)


def _matched(  # a pattern has this many parts
    subject: Term | Wrapped,
    pattern: LiteralValue | Null,
    escape: str | None,
    negated: bool,
    leaf: Leaf,
    reader: Reader,
) -> Predicate:
    """`subject LIKE pattern`."""
    if isinstance(pattern, Null):
        return FALSE
    if not isinstance(pattern, str):
        raise CannotConvert(Reason.LIKE_PATTERN)
    prefix, rest = split_pattern(pattern, escape, reader.session.dialect)
    return _starting(subject, prefix, rest, negated, leaf, reader)


def _starting(  # likewise
    subject: Term | Wrapped, prefix: str, rest: str, negated: bool, leaf: Leaf, reader: Reader
) -> Predicate:
    """A text that starts with a prefix, with the rest of a pattern after it."""
    if not rest:
        return _compare_value(Op.NOT_EQ if negated else Op.EQ, subject, prefix, leaf, reader)
    is_prefix = rest.strip("%") == ""
    if isinstance(subject, TimeText):
        selected, is_all = starting_with(subject, prefix, negated, is_prefix, reader.session)
        return selected if is_all else all_of(selected, reader.unsupported(Reason.CAST, leaf))
    assert isinstance(subject, Column)
    planner = reader.session.planner
    if not prefix and planner is not None and not pushes_any_text(planner):
        raise CannotConvert(Reason.LIKE_PATTERN)
    if is_prefix:
        return _starts_with(subject, prefix, negated)
    whole = reader.unsupported(Reason.LIKE_PATTERN, leaf)
    if negated or not prefix:
        return whole
    starts = _starts_with(subject, prefix, False)
    return all_of(written_as(Written(whole.text, whole.redacted), starts), whole)


def _starts_with(column: Column, prefix: str, negated: bool) -> Predicate:
    if not prefix:
        return FALSE if negated else Comparison(Op.NOT_NULL, column)
    return Comparison(Op.NOT_STARTS_WITH if negated else Op.STARTS_WITH, column, (prefix,))
