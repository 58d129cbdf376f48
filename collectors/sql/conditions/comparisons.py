"""Leaves that compare a column with one or several values, as predicates of the column."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.bound_values import is_beyond_whole
from prunescope.collectors.predicates.calculations import Calculation
from prunescope.collectors.predicates.calendar import nanos_of
from prunescope.collectors.predicates.column_casts import is_text_of
from prunescope.collectors.predicates.instants import cast_text
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Column,
    Comparison,
    Predicate,
    Reason,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.sql.conditions.computed_types import DATE, as_cast, time_type
from prunescope.collectors.sql.conditions.nan import compare_column, not_in
from prunescope.collectors.sql.conditions.number_casts import calculated
from prunescope.collectors.sql.conditions.periods import beside_unheld, compare_period
from prunescope.collectors.sql.conditions.reader import Reader, TextCast, Wrapped
from prunescope.collectors.sql.constants.calls import order
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.terms import (
    PeriodStart,
    Term,
    TimeCast,
    Yields,
    reason_for,
)
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Null
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import Leaf, own_columns

_STRICT = {Op.LT: Op.LT, Op.LT_EQ: Op.LT, Op.GT: Op.GT, Op.GT_EQ: Op.GT}
"""The comparison of the first values of rows that differ."""
_TYPES = {Yields.DATE: "date", Yields.TIMESTAMP: "timestamptz", Yields.YEAR_NUMBER: "int"}


def compare_value(
    op: Op, found: Term | Wrapped, value: LiteralValue, leaf: Leaf, reader: Reader
) -> Predicate:
    """`found op value` as comparisons of the column; raises CannotConvert if there are none."""
    session = reader.session_of(leaf.expression)
    is_beyond = (
        op in ORDERED and is_beyond_whole(value) and dialect_of(session.dialect).nulls_wide_numbers
    )
    if is_beyond and not isinstance(found, Column):
        # It may be TRUE for nulls as well, which is known of columns alone (`predicates.bind`).
        raise CannotConvert(_reason_of(leaf))
    value = as_cast(value, leaf, session, reader.type_of)
    match found:
        case Column():
            return compare_with(op, found, value, leaf, reader)
        case TimeCast(column):
            return replace(compare_with(op, column, value, leaf, reader), of_time=True)
        case TextCast(column):
            if not isinstance(value, str):
                raise CannotConvert(Reason.CAST)
            return Comparison(op, column, (value,), of_text=True)
        case PeriodStart():
            keeps_empty = (
                reader.planner is not None and reader.planner.profile.rewording.keeps_empty_periods
            )
            selected = compare_period(op, found, value, session, keeps_empty=keeps_empty)
            wider = beside_unheld(selected, Column(found.path), session.dialect)
            if wider is selected:
                return selected
            return all_of(wider, reader.unsupported(_reason_of(leaf), leaf))
        case Calculation():
            compared = calculated(
                op, found, value, is_ordered=reader.orders_nan, negated=leaf.negated
            )
            return reader.unsupported(_reason_of(leaf), leaf, compared)


def compare_with(
    op: Op, column: Column, value: LiteralValue, leaf: Leaf, reader: Reader
) -> Comparison:
    """`column op value`, for a leaf that tests nothing else."""
    is_ordered, negated = reader.orders_nan, leaf.negated
    compared = compare_column(op, column, value, is_ordered=is_ordered, negated=negated)
    return _casting(compared, reader.session)


def _casting(compared: Comparison, session: Session) -> Comparison:
    """A comparison, marked as one that casts its texts if not every engine reads them alike."""
    has_java_time = dialect_of(session.dialect).has_java_time
    is_cast = has_java_time and any(
        isinstance(value, str) and cast_text(value, is_date=True) not in (None, value)
        for value in compared.values
    )
    return replace(compared, casts_text=True) if is_cast else compared


def _reason_of(leaf: Leaf) -> Reason:
    """The reason why no engine uses a comparison of a calculated value."""
    subject, other = leaf.expression.this, leaf.expression.args.get("expression")
    return reason_for(subject if other is None or own_columns(subject) else other)


def member(
    found: Term | Wrapped, items: Sequence[LiteralValue | Null], leaf: Leaf, reader: Reader
) -> Predicate:
    """`found IN (items)`; raises CannotConvert as compare_value does."""
    values = [item for item in items if not isinstance(item, Null)]
    if leaf.negated and len(values) < len(items):
        if not dialect_of(reader.session.dialect).leaves_out_nulls:
            return FALSE
        if not values:
            raise CannotConvert(_reason_of(leaf))
    has_text = dialect_of(reader.session.dialect).casts_arguments and any(
        isinstance(value, str) for value in values
    )
    if has_text and not _is_alike_as_text(found, values, leaf, reader):
        raise CannotConvert(Reason.CAST)
    if not values:
        return FALSE
    is_told = not has_text or _are_its_texts(values, leaf, reader)
    if not leaf.negated:
        # What is equal as text is so as a time: NOT IN leaves that to the type of the column.
        values = [as_cast(value, leaf, reader.session, reader.type_of) for value in values]
    if isinstance(found, Column | TimeCast):
        column = found.column if isinstance(found, TimeCast) else found
        among = _column_among(column, values, leaf, reader)
        is_cast = isinstance(found, TimeCast)
        said = _casting(replace(among, in_list=has_text, of_time=is_cast), reader.session)
        if is_cast and not is_told and not leaf.negated:
            return all_of(said, reader.unsupported(Reason.CAST, leaf))
        return said
    op = Op.NOT_EQ if leaf.negated else Op.EQ
    parts = [compare_value(op, found, value, leaf, reader) for value in values]
    if leaf.negated:
        return all_of(*parts)
    if is_told:
        return any_of(*parts)
    return all_of(any_of(*parts), reader.unsupported(Reason.CAST, leaf))


def _are_its_texts(values: Sequence[LiteralValue], leaf: Leaf, reader: Reader) -> bool:
    """True if the texts in a list are the texts of the times they are cast to, so that it does not
    matter whether Spark casts these times to text. True with a planner, whose version is known."""
    kind = time_type(leaf.expression.this, reader.session, reader.type_of)
    if kind is None or reader.planner is not None:
        return True
    return is_text_of(values, kind, reader.session.time_zone)


def _column_among(
    column: Column, values: Sequence[LiteralValue], leaf: Leaf, reader: Reader
) -> Comparison:
    is_ordered, negated = reader.orders_nan, leaf.negated
    if len(values) == 1:
        op = Op.NOT_EQ if negated else Op.EQ
        return compare_column(op, column, values[0], is_ordered=is_ordered, negated=negated)
    if negated:
        return not_in(column, values, is_ordered=is_ordered)
    return Comparison(Op.IN, column, tuple(values))


def _is_alike_as_text(
    found: Term | Wrapped, values: Sequence[LiteralValue], leaf: Leaf, reader: Reader
) -> bool:
    """True if the selection by a list with text also holds if all is cast to text. For columns,
    that is decided with their types."""
    match found:
        case Column() | TimeCast() | TextCast():
            return True
        case PeriodStart(yields=yields) if leaf.negated:
            return is_text_of(values, _TYPES[yields], reader.session.time_zone)
    if leaf.negated:
        kind = time_type(leaf.expression.this, reader.session, reader.type_of)
        return kind == DATE and is_text_of(values, "date", None)
    return not any(isinstance(value, float) for value in values)


def rows(columns: exp.Tuple, rows: Sequence[exp.Expr], leaf: Leaf, reader: Reader) -> Predicate:
    """`(a, b) IN ((1, 2), (3, 4))`, which no engine takes apart. In Spark, a row equals another one
    with nulls in the same places, so rows with nulls are refused. Raises CannotConvert for them,
    for a negated leaf, and with a planner."""
    if leaf.negated or reader.planner is not None:
        raise CannotConvert(Reason.FUNCTION)
    found = [reader.column(column) for column in columns.expressions]
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
                    compare_value(Op.EQ, column, value, leaf, reader)
                    for column, value in zip(found, known, strict=True)
                )
            )
        )
    return any_of(*arms)


def row(op: Op, columns: exp.Tuple, row: exp.Expr, leaf: Leaf, reader: Reader) -> Predicate:
    """`(a, b) = (1, 2)`, and `(a, b) > (1, 2)`, which is `a > 1 OR a = 1 AND b > 2`. In Spark null
    is less than any value, and no engine takes a row apart. Raises CannotConvert as `rows` does."""
    if op is Op.EQ:
        return rows(columns, [row], leaf, reader)
    dialect = dialect_of(reader.session.dialect)
    if op not in _STRICT or not dialect.is_measured or leaf.negated or reader.planner is not None:
        raise CannotConvert(Reason.FUNCTION)
    if not isinstance(row, exp.Tuple) or len(row.expressions) != len(columns.expressions):
        raise CannotConvert(Reason.FUNCTION)
    found = [reader.column(column) for column in columns.expressions]
    values = [reader.literal(item) for item in row.expressions]
    takes_null = dialect.nulls_are_least and op in (Op.LT, Op.LT_EQ)

    def compared(op: Op, column: Column, value: LiteralValue | Null) -> Predicate:
        if isinstance(value, Null):
            raise CannotConvert(Reason.FUNCTION)
        selected = compare_value(op, column, value, leaf, reader)
        is_null = Comparison(Op.IS_NULL, column)
        return any_of(selected, is_null) if takes_null and op is not Op.EQ else selected

    selected = compared(op, found[-1], values[-1])
    for column, value in reversed(list(zip(found[:-1], values[:-1], strict=True))):
        same = all_of(compared(Op.EQ, column, value), selected)
        selected = any_of(compared(_STRICT[op], column, value), same)
    return selected


def _midnight(value: LiteralValue | Null) -> LiteralValue | Null:
    """A date as its midnight, to compare it with a time; other values unchanged."""
    return Timestamp(nanos_of(value), zoned=False) if isinstance(value, dt.date) else value


def compare_constants(op: Op, left: LiteralValue | Null, right: LiteralValue | Null) -> Predicate:
    """`left op right`; raises CannotConvert for values of different kinds."""
    if left is NULL or right is NULL:
        return FALSE
    if isinstance(left, Timestamp) != isinstance(right, Timestamp):
        left, right = (_midnight(side) for side in (left, right))
    found = order(left, right)
    holds = {
        Op.EQ: found == 0,
        Op.NOT_EQ: found != 0,
        Op.LT: found < 0,
        Op.LT_EQ: found <= 0,
        Op.GT: found > 0,
        Op.GT_EQ: found >= 0,
    }
    return TRUE if holds[op] else FALSE
