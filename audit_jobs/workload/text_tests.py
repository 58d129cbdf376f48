"""Conditions that read strings of partitions as times or numbers, as tests of the strings: bounds
show nothing about `to_date(dt) = DATE '2026-01-31'`, but a partition value in the form that the
condition reads shows whether the rows of its files match."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from contextlib import suppress

from sqlglot import exp

from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.bind import field_of
from prunescope.collectors.predicates.calendar import NANOS_PER_DAY, NANOS_PER_SECOND, date_of
from prunescope.collectors.predicates.instants import parse_date, parse_zone
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    all_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.text_times import sortable_number
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.text_readings import NUMBER, Reading, reading_of
from prunescope.collectors.sql.constants.values import CannotConvert, Null
from prunescope.collectors.sql.functions.folding import literal
from prunescope.collectors.sql.text.parse import parse_condition

_REASONS = (Reason.FUNCTION, Reason.CAST, Reason.TYPE_MISMATCH)
_OPS: dict[type[exp.Expr], tuple[Op, Op]] = {
    exp.EQ: (Op.EQ, Op.EQ),
    exp.NEQ: (Op.NOT_EQ, Op.NOT_EQ),
    exp.LT: (Op.LT, Op.GT),
    exp.LTE: (Op.LT_EQ, Op.GT_EQ),
    exp.GT: (Op.GT, Op.LT),
    exp.GTE: (Op.GT_EQ, Op.LT_EQ),
}
"""Comparisons, and what they are with their sides exchanged."""


def with_text_tests(
    predicate: Predicate, schema: Schema, specs: Iterable[PartitionSpec], session: Session
) -> Predicate:
    """The predicate with tests in the place of conditions that read texts by which partitions are
    made as they are."""
    fields = (field for spec in specs for field in spec.fields)
    partitioned = {
        field.source_id
        for field in fields
        if (field.transform, field.source_type) == ("identity", "string")
    }

    def with_test(leaf: PredicateLeaf) -> Predicate:
        if not isinstance(leaf, Unsupported) or leaf.reason not in _REASONS:
            return leaf
        field = field_of(schema, leaf.columns[0]) if len(leaf.columns) == 1 else None
        if field is None or field.field_id not in partitioned:
            return leaf
        with suppress(PrunescopeError, CannotConvert):
            return _test(parse_condition(leaf.text, session.dialect), field, session) or leaf
        return leaf

    return map_leaves(predicate, with_test) if partitioned else predicate


def _test(condition: exp.Expr, field: Field, session: Session) -> Predicate | None:
    """The test for a condition, or None. Raises CannotConvert for a comparison with no constant."""
    match condition.unnest():
        case exp.Between(this=text, args={"low": low, "high": high}):
            ends = (Op.GT_EQ, [low]), (Op.LT_EQ, [high])
            told = (_compared(op, text, value, field, session) for op, value in ends)
            found = [part for part in told if part is not None]
            return all_of(*found) if len(found) == len(ends) else None
        case exp.In(this=text, expressions=[_, *_] as listed):
            return _compared(Op.IN, text, listed, field, session)
        case exp.Binary(this=left, expression=right) as binary if type(binary) in _OPS:
            op, exchanged = _OPS[type(binary)]
            if right.find(exp.Column):
                return _compared(exchanged, right, [left], field, session)
            return _compared(op, left, [right], field, session)
    return None


def _compared(
    op: Op, text: exp.Expr, others: Sequence[exp.Expr], field: Field, session: Session
) -> Predicate | None:
    values = [literal(other, session) for other in others]
    reading = reading_of(text, session, values[0])
    if reading is None:
        return None
    found = {_sortable(value, reading, session) for value in values}
    known = sorted(value.encode() for value in found if value is not None)
    if len(known) < len(found):
        return None
    op = Op.EQ if op is Op.IN and len(known) == 1 else op
    return BoundComparison(op, field._replace(transform=reading.transform), tuple(known))


def _sortable(value: LiteralValue | Null, reading: Reading, session: Session) -> str | None:
    """Returns the sortable string that a reading makes of strings for a value; None if unknown: a
    zone's clock skips times, so strings of two of them may be one moment."""
    if reading == NUMBER:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return sortable_number(str(value)) if is_whole else None
    if isinstance(value, str):
        value = parse_date(value) or value
    if isinstance(value, Timestamp) and not value.zoned and value.nanos % NANOS_PER_DAY == 0:
        value = date_of(value.nanos)
    is_day = isinstance(value, dt.date)
    is_utc = session.time_zone is not None and parse_zone(session.time_zone) == dt.UTC
    if reading.is_moment and not is_utc and (reading.has_clock or not is_day):
        return None
    match value:
        case dt.date():
            return f"{value.isoformat()} 00:00:00"
        case Timestamp(nanos, zoned=False) if nanos % NANOS_PER_SECOND == 0:
            seconds = nanos % NANOS_PER_DAY // NANOS_PER_SECOND
            clock = dt.time(seconds // 3600, seconds // 60 % 60, seconds % 60)
            return f"{date_of(nanos).isoformat()} {clock.isoformat()}"
    return None
