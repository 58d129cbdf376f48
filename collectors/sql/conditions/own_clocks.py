"""Leaves on the clock of their column, in dialects whose columns and constants may have another
clock than the session: constants are evaluated in the session first, and then the leaf is read in a
session on the column's clock.

ClickHouse 26.9: compared with a moment with a zone of its own, a date is its midnight on the clock
of that zone or of the session, depending on the types of both. Values in a list take the type of
the column, so that a moment in a list of dates becomes a date on its own clock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.instants import parse_zone
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.predicates.model import Reason, Written
from prunescope.collectors.predicates.moments import Clocks, is_moment
from prunescope.collectors.predicates.render import clock_text
from prunescope.collectors.sql.conditions.computed_types import DATE
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.constants.casts import to_date
from prunescope.collectors.sql.constants.clocks import instant_of
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.terms import reason_of_queries
from prunescope.collectors.sql.constants.values import CannotConvert, Folded, is_int
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.folding import fold
from prunescope.collectors.sql.text.boolean import Leaf, nested_queries, own_columns

_WRITTEN = (
    exp.Column,
    exp.Literal,
    exp.Null,
    exp.Boolean,
    exp.Interval,
    exp.Identifier,
    exp.Var,
    exp.DataType,
)
"""Expressions that mean the same on every clock."""
_LISTED = (exp.Paren, exp.Tuple, exp.Array)


def has_own_clocks(session: Session) -> bool:
    """True if columns and constants may have another clock than the session."""
    return dialect_of(session.dialect).plain_are_moments


def on_own_clock(leaf: Leaf, reader: Reader) -> tuple[Leaf, Reader]:
    """The leaf with its constants evaluated, and a reader with a session on the clock of the leaf's
    columns; its zone is unknown if they have several clocks or unknown ones. Raises CannotConvert
    for constants that cannot be evaluated."""
    session, asked = reader.session, leaf.expression
    if not has_own_clocks(session):
        return leaf, reader
    leaf = _beside_dates(leaf, reader)
    own = reader
    is_utc = session.time_zone is not None and parse_zone(session.time_zone) == dt.UTC
    if not (reader.is_on_clock or is_utc):
        leaf, own = _on_column_clock(leaf, reader)
    if leaf.expression is asked:
        return leaf, own

    def printer(expression: exp.Expr) -> Written:
        return reader.printed(asked if expression is leaf.expression else expression)

    return leaf, replace(own, printer=printer)


def _on_column_clock(leaf: Leaf, reader: Reader) -> tuple[Leaf, Reader]:
    session = reader.session
    clocks = Clocks(session.time_zone, plain_are_moments=True)
    kinds = {reader.type_of(column) for column in own_columns(leaf.expression)}
    zones = {clocks.zone(kind) for kind in kinds if kind is not None}
    zone = zones.pop() if len(zones) == 1 and None not in kinds else None
    expression = leaf.expression
    is_own = None not in kinds and not zones and zone == session.time_zone
    if zone is None and is_own:
        # A clock may skip or repeat what is told of it, beside all but moments that are on it, too.
        is_own = _is_plain(leaf) and all(map(is_moment, filter(None, kinds)))
    if not is_own:
        expression, has_moments = _with_constants(expression, session)
        if has_moments and not _is_plain(leaf):
            # Of a date, it is the midnight on the session's clock that compares with a moment.
            raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    own = replace(
        reader,
        session=replace(session, time_zone=zone),
        types={name: clocks.read_as(kind) for name, kind in reader.types.items()},
        is_on_clock=True,
    )
    return replace(leaf, expression=expression), own


def _beside_dates(leaf: Leaf, reader: Reader) -> Leaf:
    """The leaf with moments converted to dates if they are compared with dates, unless the
    session's clock decides that. Raises CannotConvert for moments that may be compared with dates,
    or not."""
    session, expression = reader.session, leaf.expression
    is_list = isinstance(expression, exp.In)
    moments = [value for _, value in _moments(expression, session)]
    if not moments or not (is_list or any(_has_own_zone(each, session) for each in moments)):
        return leaf
    kinds = {reader.type_of(column) for column in own_columns(expression)}
    is_plain = _is_plain(leaf) and not nested_queries(expression)
    if is_plain and all(kind is not None and is_moment(kind) for kind in kinds):
        if is_list and len(moments) < len(expression.expressions):
            raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)  # which makes all of them of one type
        return leaf
    if not is_plain or not is_list or kinds != {DATE}:
        raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    values = [fold(each, session) for each in expression.expressions]
    zones = {value.zone for value in values if isinstance(value, Timestamp)}
    if len(zones) > 1 or any(isinstance(value, str) for value in values):
        raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    days = [_written(to_date(value, session)) for value in values]
    return replace(leaf, expression=exp.In(this=expression.this.copy(), expressions=days))


def _moments(expression: exp.Expr, session: Session) -> Iterator[tuple[exp.Expr, Timestamp]]:
    """The constants of an expression that are moments. Raises CannotConvert for one with a zone of
    its own that is part of a constant with unknown value."""
    if isinstance(expression, _WRITTEN):
        return
    is_constant = not own_columns(expression) and not isinstance(expression, _LISTED)
    if is_constant:
        try:
            value = fold(expression, session)
        except CannotConvert:
            pass
        else:
            if isinstance(value, Timestamp):
                yield expression, value
            return
    for node in [*expression.iter_expressions()]:
        for part, value in _moments(node, session):
            if is_constant and _has_own_zone(value, session):
                raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
            yield part, value


def _has_own_zone(value: Timestamp, session: Session) -> bool:
    return value.zone is not None and value.zone != session.time_zone


def _is_plain(leaf: Leaf) -> bool:
    """True if a leaf compares bare columns."""
    return all(column.parent is leaf.expression for column in own_columns(leaf.expression))


def _with_constants(expression: exp.Expr, session: Session) -> tuple[exp.Expr, bool]:
    """An expression with constants replaced by their values, and whether one of them is a moment;
    raises CannotConvert for constants without a value."""
    if isinstance(expression, _WRITTEN):
        return expression, False
    if not own_columns(expression) and not isinstance(expression, _LISTED):
        try:
            value = fold(expression, session)
        except CannotConvert:
            if queries := nested_queries(expression):
                raise CannotConvert(reason_of_queries(queries)) from None
            if session.time_zone is None:
                raise CannotConvert(Reason.TIME_ZONE_UNKNOWN) from None
            raise
        is_moment = isinstance(value, Timestamp)
        if isinstance(value, Timestamp):
            value = Timestamp(instant_of(value, session), zoned=True)
        return _written(value) or expression, is_moment
    found, has_moments = expression.copy(), False
    for node in [*found.iter_expressions()]:
        constant, is_moment = _with_constants(node, session)
        has_moments |= is_moment
        if constant is not node:
            node.replace(constant)
    return found, has_moments


def _written(value: Folded) -> exp.Expr | None:
    """A value as SQL that means the same in any zone; None for values that do not depend on
    a zone."""
    match value:
        case Timestamp(nanos):
            text = exp.Literal.string(f"{clock_text(nanos)} UTC")
            return exp.Cast(this=text, to=exp.DataType(this=exp.DType.TIMESTAMPTZ))
        case dt.date():
            text = exp.Literal.string(value.isoformat())
            return exp.Cast(this=text, to=exp.DataType(this=exp.DType.DATE))
        case str():
            return exp.Literal.string(value)
        case int() if is_int(value):
            number = exp.Literal.number(abs(value))
            return number if value >= 0 else exp.Neg(this=number)
    return None
