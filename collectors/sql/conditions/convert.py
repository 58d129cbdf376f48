"""Leaves of a SQL condition as comparisons of columns.

Each leaf is converted together with its negation: a predicate that the leaf only implies, such as
the prefix of a LIKE pattern, must not be negated afterwards.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.model import (
    FALSE,
    Always,
    Comparison,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import FLIPPED, NEGATED, Op
from prunescope.collectors.predicates.walks import leaves as parts_of
from prunescope.collectors.predicates.walks import written_as
from prunescope.collectors.sql.conditions.comparisons import (
    compare_constants,
    compare_value,
    member,
    row,
    rows,
)
from prunescope.collectors.sql.conditions.constant_choices import (
    is_joined,
    is_listed,
    without_queries,
)
from prunescope.collectors.sql.conditions.leaf_tests import (
    COMPARISONS,
    compares_columns,
    require_pushable,
)
from prunescope.collectors.sql.conditions.nulls import null_safe, null_test, or_null
from prunescope.collectors.sql.conditions.own_clocks import on_own_clock
from prunescope.collectors.sql.conditions.patterns import text_match
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.conditions.required import of_values
from prunescope.collectors.sql.conditions.simplified import simplified
from prunescope.collectors.sql.constants.terms import reason_for, reason_of_queries
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Null
from prunescope.collectors.sql.ranges.solved import solved
from prunescope.collectors.sql.text.boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    as_written,
    leaves,
    nested_queries,
    own_columns,
)
from prunescope.collectors.sql.text.cases import as_in

_TESTS = exp.Predicate | exp.StartsWith | exp.IsNan | exp.Column | exp.Dot
"""Tests of columns as they are."""
_PATTERNS = exp.ILike | exp.SimilarTo | exp.Glob | exp.RegexpLike | exp.RegexpFullMatch
"""Patterns that the search compares with texts."""


def convert(condition: Formula, reader: Reader) -> Predicate:
    """Converts a condition whose columns are all of one table to a predicate of the table's
    rows."""
    reader = reader.reading(condition)
    match condition:
        case AllOf(parts):
            reader = reader.knowing(parts)
            return all_of(*(convert(part, reader) for part in parts))
        case AnyOf():
            if reader.planner is None and (whole := _solved_whole(condition, reader)) is not None:
                return whole
            planned = condition if reader.planner is None else _settled(condition, reader)
            if isinstance(planned, AnyOf):
                planned = reader.alternatives(planned)
            if not isinstance(planned, AnyOf):
                return convert(planned, replace(reader, is_whole=False))
            reader = reader.of_part()
            return any_of(*(convert(part, reader) for part in planned.parts))
        case Leaf(is_converted=True):
            return reader.unsupported(Reason.EXPRESSION, condition)
        case Leaf():
            try:
                condition, reader = on_own_clock(condition, reader)
            except CannotConvert as error:
                return reader.unsupported(error.reason, condition)
            left = simplified(condition, reader)
            if left is not None:
                return convert(left, reader)
            try:
                left = reader.planned(condition)
                if not isinstance(left, Leaf):
                    return written_as(reader.written(condition), convert(left, reader))
                require_pushable(left, reader.planner)
                found = _leaf(left, reader)
            except CannotConvert as error:
                instead = of_values(condition, reader)
                if instead is None:
                    return reader.unsupported(error.reason, condition)
                said = convert(as_written(instead, condition), reader)
                said = written_as(reader.written(condition), said)
                return reader.unsupported(error.reason, condition, if_required=said)
            if compares_columns(condition.expression) and not _has_double(found):
                return found
            return written_as(reader.written(condition), found)


def _settled(condition: Formula, reader: Reader) -> Formula:
    """A condition without its constant parts."""
    if isinstance(condition, Leaf):
        is_constant = not (
            own_columns(condition.expression) or nested_queries(condition.expression)
        )
        told = convert(condition, reader) if is_constant else None
        if not isinstance(told, Always):
            return condition
        return Leaf(exp.true() if told.value else exp.false(), False)
    is_any = isinstance(condition, AnyOf)
    parts = [_settled(part, reader) for part in condition.parts]
    kept = []
    for part in parts:
        match part:
            case Leaf(exp.Boolean(this=value), False):
                if bool(value) is is_any:
                    return part
            case _:
                kept.append(part)
    if len(kept) < 2:
        return kept[0] if kept else parts[0]
    return AnyOf(tuple(kept)) if is_any else AllOf(tuple(kept))


def _leaf(leaf: Leaf, reader: Reader) -> Predicate:
    if reader.planner is not None or not _is_searched(leaf, reader):
        return _read(leaf, reader)
    found = solved(leaf, reader.told_beside(leaf))
    if found is not None and found.is_exact:
        return found.predicate
    try:
        read = _read(leaf, reader)
    except CannotConvert as error:
        is_cast = error.reason is Reason.CAST and _casts_text(leaf, reader)
        reason = Reason.TYPE_MISMATCH if is_cast else error.reason
        if found is None:
            raise CannotConvert(reason) from error
        return all_of(found.predicate, reader.unsupported(reason, leaf))
    return read if found is None else all_of(found.predicate, read)


def _is_searched(leaf: Leaf, reader: Reader) -> bool:
    """True if the search may find more than the conversion of a leaf; for a leaf on two columns,
    only if a condition on one of them is known to hold beside it."""
    return not is_plain(leaf, reader) and (
        not _is_bare(leaf, reader) or bool(reader.beside.of(leaf))
    )


def _casts_text(leaf: Leaf, reader: Reader) -> bool:
    """True if a leaf casts a column of texts to numbers or times."""
    casts = leaf.expression.find_all(exp.Cast, exp.TryCast)
    texts = (cast for cast in casts if cast.to.this not in exp.DataType.TEXT_TYPES)
    return any(reader.type_of(cast.this) == "string" for cast in texts)


def _is_of_no_text(leaf: Leaf, reader: Reader) -> bool:
    """True if a leaf matches a pattern against a column of another type than text, which some
    engines cast to text."""
    subject = leaf.expression.this
    return isinstance(leaf.expression, exp.Like | exp.StartsWith) and reader.type_of(
        subject
    ) not in (None, "string")


def _solved_whole(condition: AnyOf, reader: Reader) -> Predicate | None:
    """The predicate of one column that is equivalent to a disjunction, whose parts alone say less
    or more; None if there is none."""
    if all(is_plain(leaf, reader) for leaf in leaves(condition)):
        return None
    found = solved(condition, reader.told_beside(condition))
    return found.predicate if found is not None and found.is_exact else None


def is_plain(leaf: Leaf, reader: Reader) -> bool:
    """True if a leaf compares a column as it is with constants, so that no condition beside the
    leaf adds to it."""
    return _is_bare(leaf, reader) and len(own_columns(leaf.expression)) < 2


def _is_bare(leaf: Leaf, reader: Reader) -> bool:
    """True if a leaf compares columns as they are."""
    expression, columns = leaf.expression, own_columns(leaf.expression)
    if not isinstance(expression, _TESTS) or isinstance(expression, _PATTERNS):
        return False
    if _is_of_no_text(leaf, reader):
        return False
    return all(column.parent is expression for column in columns) and as_in(expression) is None


def _read(leaf: Leaf, reader: Reader) -> Predicate:
    expression, negated = leaf.expression, leaf.negated
    bare = without_queries(expression)
    if bare is not None and _is_known(leaf, bare, reader):
        plain = replace(leaf, expression=bare)
        return _read(plain, reader) if reader.planner is None else convert(plain, reader)
    if queries := nested_queries(expression):
        raise CannotConvert(reason_of_queries(queries))
    match expression:
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            op = COMPARISONS[type(expression)]
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
            return null_safe(expression.this, expression.expression, equal, leaf, reader)
        case exp.Like() | exp.Escape() | exp.StartsWith():
            return text_match(leaf, reader)
        case exp.IsNan(this=operand):
            return Comparison(Op.NOT_NAN if negated else Op.IS_NAN, reader.column(operand))
        case exp.Column() | exp.Dot():
            return Comparison(Op.EQ, reader.column(expression), (not negated,))
    return _truth(expression, negated, reader)


def _is_known(leaf: Leaf, bare: exp.Expr, reader: Reader) -> bool:
    """True if the reader's planner knows the values of the queries in a leaf, which then is
    `bare`."""
    if reader.planner is None:
        return True
    profile = reader.planner.profile
    if not is_listed(leaf.expression):
        return profile.rewording.knows_values
    has_null = bare.find(exp.Null) is not None
    return profile.rewording.knows_rows and not has_null and not is_joined(leaf)


def _has_double(predicate: Predicate) -> bool:
    """True if a predicate compares a column with a floating-point number."""
    compared = (leaf.values for leaf in parts_of(predicate) if isinstance(leaf, Comparison))
    return any(isinstance(value, float) for values in compared for value in values)


def _truth(expression: exp.Expr, negated: bool, reader: Reader) -> Predicate:
    """A constant as a condition; raises CannotConvert for other expressions."""
    if own_columns(expression):
        raise CannotConvert(reason_for(expression))
    value = reader.literal(expression)
    if value is NULL:
        return FALSE
    if isinstance(value, bool):
        return Always(value != negated)
    raise CannotConvert(Reason.EXPRESSION)


def _compare(op: Op, left: exp.Expr, right: exp.Expr, leaf: Leaf, reader: Reader) -> Predicate:
    if own_columns(right):
        if own_columns(left):
            raise CannotConvert(Reason.COLUMN_TO_COLUMN)
        left, right, op = right, left, FLIPPED[op]
    if not own_columns(left):
        return compare_constants(op, reader.literal(left), reader.literal(right))
    columns = left.unnest()
    if isinstance(columns, exp.Tuple):
        return row(op, columns, right.unnest(), leaf, reader)
    found = reader.term(left)
    value = reader.literal(right)
    return FALSE if isinstance(value, Null) else compare_value(op, found, value, leaf, reader)


def _between(leaf: Leaf, expression: exp.Between, reader: Reader) -> Predicate:
    ends = expression.args["low"], expression.args["high"]
    if expression.args.get("symmetric"):
        ranges = [_within(leaf, *order, reader) for order in (ends, ends[::-1])]
        return all_of(*ranges) if leaf.negated else any_of(*ranges)
    return _within(leaf, *ends, reader)


def _within(leaf: Leaf, low: exp.Expr, high: exp.Expr, reader: Reader) -> Predicate:
    subject = leaf.expression.this
    above = exp.GTE(this=subject.copy(), expression=low.copy())
    below = exp.LTE(this=subject.copy(), expression=high.copy())
    of_bound = reader.of_part()
    bounds = [convert(Leaf(bound, leaf.negated), of_bound) for bound in (above, below)]
    match bounds:
        case [Unsupported(reason=reason, calculated=None), Unsupported(calculated=None)]:
            return reader.unsupported(reason, leaf)
    return any_of(*bounds) if leaf.negated else all_of(*bounds)


def _in(expression: exp.In, leaf: Leaf, reader: Reader) -> Predicate:
    if not expression.expressions or expression.args.get("unnest"):
        raise CannotConvert(Reason.EXPRESSION)
    if isinstance(expression.this, exp.Tuple) and own_columns(expression.this):
        return rows(expression.this, expression.expressions, leaf, reader)
    found = reader.term(expression.this) if own_columns(expression.this) else None
    if any(own_columns(item) for item in expression.expressions):
        raise CannotConvert(Reason.COLUMN_TO_COLUMN)
    items = [reader.literal(item) for item in expression.expressions]
    if found is None:
        value = reader.literal(expression.this)
        op, join = (Op.NOT_EQ, all_of) if leaf.negated else (Op.EQ, any_of)
        return join(*(compare_constants(op, value, item) for item in items))
    return member(found, items, leaf, reader)


def _is(expression: exp.Is, negated: bool, reader: Reader) -> Predicate:
    subject, value = expression.this, expression.expression
    if isinstance(value, exp.Null):
        if own_columns(subject):
            return null_test(subject, negated, reader)
        return Always((reader.literal(subject) is NULL) != negated)
    if isinstance(value, exp.Boolean):
        column = reader.column(subject)
        if negated:
            return or_null(Comparison(Op.NOT_EQ, column, (bool(value.this),)), column)
        return Comparison(Op.EQ, column, (bool(value.this),))
    raise CannotConvert(Reason.EXPRESSION)
