"""Conditions that Spark's planner hands to Iceberg's SparkScanBuilder, as Spark 3.5 with Iceberg
1.9 and Spark 4.1 with Iceberg 1.11 were seen to do it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain

from sqlglot import exp

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.calculations import Calculated, widens
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp, is_nan
from prunescope.collectors.predicates.model import (
    FALSE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Or,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    Written,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import HOLDS, ORDERED, Op
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.constants.casts import TIMESTAMPS
from prunescope.collectors.sql.constants.terms import reason_for
from prunescope.collectors.sql.planners.profile import (
    UNKNOWN,
    Planning,
    Profile,
    Pushdown,
    Rewording,
    Version,
    whole_conjuncts,
)
from prunescope.collectors.sql.planners.spark_casts import is_cast, is_cast_before_4, is_no_float
from prunescope.collectors.sql.planners.spark_joined import joined
from prunescope.collectors.sql.planners.spark_nulls import is_date, never_null
from prunescope.collectors.sql.text.boolean import Leaf, Moved, own_columns
from prunescope.collectors.sql.text.nodes import nodes_that_are
from prunescope.collectors.types import INT64_RANGE

# UnwrapCastInBinaryComparison for casts of timestamps to dates: SPARK-42597, Spark 3.5.
_UNWRAPS_DATES = (3, 5)
# The same for casts of timestamps without zone to such with one, and of dates to timestamps.
# Spark 4.0.1 and 4.1.4 were seen to, 3.5 was not.
_UNWRAPS_ZONES = (4,)
# The same for casts of numbers to types that hold all of them: SPARK-24994, Spark 3.1.
_UNWRAPS_NUMBERS = (3, 1)
# The same for casts of booleans to numbers: SPARK-36607, Spark 3.3. 4.1.4 was seen to.
_UNWRAPS_TRUTHS = (3, 3)
# Iceberg's own functions are pushed as transforms of columns since Spark 3.4 (Iceberg 1.4).
_PUSHES_FUNCTIONS = (3, 4)

# 3.5.9 and 4.0.1 were seen not to, 4.1.4 to.
_MERGES_WILDCARDS = (4, 1)

_NUMBERS = (exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL, exp.DType.DOUBLE)

_WHOLE = frozenset({"int", "long"})

_DISTINCTIONS = (exp.NullSafeEQ, exp.NullSafeNEQ)
_NULL_WITH_SIDES = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_COMPARISONS = (*_NULL_WITH_SIDES, *_DISTINCTIONS)

_PLAIN_TIMES = ("timestamp", "timestamp_ns", "date")

# Patterns with a wildcard inside of two others, and nothing but wildcards.
_UNSIMPLIFIED = re.compile(r"[^%]+%+[^%]+%.*|%+|%+[^%]+%+[^%]+.*", re.DOTALL)


def refusal(leaf: Leaf, version: Version) -> Reason | None:
    """The reason why Spark does not push a condition. It pushes only comparisons, IN, null checks
    and prefixes of plain columns and nested fields, of a timestamp cast to a date, and of Iceberg's
    own functions (V2ExpressionBuilder, Spark 3.5). A condition above a node through which Spark
    moves none does not reach the scan; one that it moves last stays as it is computed."""
    condition = leaf.expression
    if leaf.is_above or (leaf.is_made and leaf.moved is Moved.LAST):
        return Reason.KEPT_ABOVE
    match condition:
        case exp.Is(this=operand) if isinstance(operand.unnest(), _NULL_WITH_SIDES):
            return refusal(replace(leaf, expression=operand.unnest()), version)
        case exp.In(this=operand, expressions=[_, _, *_]) if is_date(operand):
            return Reason.CAST  # unwrapped in comparisons only
        case exp.Between(this=operand) | exp.In(this=operand) | exp.Is(this=operand):
            return _refused_term(operand, version)
        case exp.Escape():
            return Reason.LIKE_PATTERN
        case exp.Like(this=operand, expression=pattern):
            if not _is_simplified(pattern.name, version):
                return Reason.LIKE_PATTERN
            return _refused_term(operand, version)
        case exp.StartsWith(this=operand):
            return _refused_term(operand, version)
        case exp.IsNan():
            return Reason.FUNCTION
    if isinstance(condition, _COMPARISONS):
        sides = [side for side in (condition.this, condition.expression) if own_columns(side)]
        if isinstance(condition, _DISTINCTIONS) and any(map(is_date, sides)):
            return Reason.CAST
        if version and version < _UNWRAPS_ZONES and any(map(is_date, sides)):
            others = (s for s in (condition.this, condition.expression) if not own_columns(s))
            if any(
                isinstance(o.unnest(), exp.Cast) and o.unnest().to.this in TIMESTAMPS
                for o in others
            ):
                return Reason.CAST
        return next((r for side in sides if (r := _refused_term(side, version))), None)
    return None


def simplified(condition: exp.Expr, *_known: object) -> exp.Expr:
    """A condition without `positive`, which is its operand."""
    if not any(map(_is_positive, nodes_that_are(exp.Anonymous, condition))):
        return condition
    found: exp.Expr = condition.transform(
        lambda node: node.expressions[0] if _is_positive(node) else node
    )
    return found


def _is_positive(node: exp.Expr) -> bool:
    is_named = isinstance(node, exp.Anonymous) and node.name.lower() == "positive"
    return is_named and len(node.expressions) == 1


def _is_simplified(pattern: str, version: Version) -> bool:
    """True if LikeSimplification rewrites a pattern: `ab%`, `%ab`, `%ab%`, `a%b`. Two wildcards in
    a row are one since Spark 4.1."""
    if "%%" in pattern and version and version < _MERGES_WILDCARDS:
        return False
    return not any(mark in pattern for mark in "_\\") and not _UNSIMPLIFIED.fullmatch(pattern)


def _refused_term(operand: exp.Expr, version: Version) -> Reason | None:
    match operand.unnest():
        case exp.Cast(this=inner, to=exp.DataType(this=exp.DType.DATE)):
            refused = _refused_term(inner, version)
        case exp.Date(this=exp.Expr() as inner) | exp.TsOrDsToDate(this=inner):
            refused = _refused_term(inner, version)
        case exp.Cast(this=inner, to=exp.DataType(this=exp.DType.TEXT)):
            return _refused_term(inner, version)  # SimplifyCasts drops it where that is text
        case exp.Cast(this=inner, to=target) if target.this in TIMESTAMPS:
            if version and version < _UNWRAPS_ZONES:
                return Reason.CAST
            return _refused_term(inner, version)  # likewise
        case exp.Cast(this=inner, to=target) if target.this in _NUMBERS:
            if version and version < _UNWRAPS_NUMBERS:
                return Reason.CAST
            return _refused_term(inner, version)  # of the rest, `typed` decides
        case exp.Dot(expression=exp.Anonymous()):
            return Reason.FUNCTION if version and version < _PUSHES_FUNCTIONS else None
        case exp.Column() | exp.Dot():
            return None
        case other:
            return reason_for(other) if own_columns(other) else None
    return Reason.CAST if version and version < _UNWRAPS_DATES else refused


def pushes(leaf: BoundComparison) -> bool:
    """True if Spark pushes a comparison of a column as it is: `flag = false` becomes NOT (flag =
    true), and a NaN check is a function."""
    is_negated = leaf.field.type == "boolean" and leaf.op is Op.EQ and not leaf.values[0]
    return not is_negated and leaf.op not in (Op.IS_NAN, Op.NOT_NAN)


def typed(predicate: Predicate, schema: Schema, version: Version) -> Predicate:
    """An unbound predicate as Spark pushes it for columns of these types.

    Spark casts the column, not the literal, where a TIMESTAMP literal (it has a zone, unless
    spark.sql.timestampType says otherwise) meets a date or a column without zone. Spark 4 undoes
    that, but for IN of several values (4.0.1 and 4.1.4 were seen to). A literal that has no zone
    itself, such as a TIMESTAMP_NTZ, is pushed by all. Casts of numbers that hold all of them are
    undone, others are not (`is_cast`). NOT IN is pushed with IS NOT NULL (SparkV2Filters). `=
    false` is pushed as NOT (… = true), `<> false` as `= true`, `= NaN` as is_nan, and a float that
    equals no such literal folds to false.
    """
    match predicate:
        case And(children):
            kept = _without_inferred(children, schema)
            return joined(all_of(*(typed(child, schema, version) for child in kept)))
        case Or(children):
            return joined(
                any_of(
                    *(
                        child if _is_distinct(child, children) else typed(child, schema, version)
                        for child in children
                    )
                )
            )
        case Unsupported():
            return _unsupported(predicate, schema, version)
        case Comparison(op, column, values):
            found = schema.by_path(column.path)
            kind = found[0].type if len(found) == 1 else None
            casts = len(values) > 1 or (version and version < _UNWRAPS_ZONES)
            if kind in _PLAIN_TIMES and casts and _has_timestamp(values, kind):
                return Unsupported(Reason.CAST, str(column), str(column), (".".join(column.path),))
            # Iceberg makes no list of NaN.
            if op in (Op.IN, Op.NOT_IN) and len(values) > 1 and any(map(is_nan, values)):
                return Unsupported(
                    Reason.TYPE_MISMATCH, str(column), str(column), (".".join(column.path),)
                )
            if kind in _WHOLE and op in ORDERED and _is_beyond(values):
                return _folded(predicate, schema)
            if kind is not None and (
                is_cast(kind, values) or is_cast_before_4(predicate, kind, version)
            ):
                return Unsupported(Reason.CAST, str(column), str(column), (".".join(column.path),))
            if kind == "boolean" and op in (Op.NOT_EQ, Op.NOT_IN) and set(values) == {False}:
                return Comparison(Op.EQ, column, (True,))
            if op is Op.NOT_IN:
                return all_of(Comparison(Op.NOT_NULL, column), predicate)
            if kind == "boolean" and op in (Op.EQ, Op.IN) and set(values) == {False}:
                return Comparison(Op.NOT_EQ, column, (True,))
            if kind == "float" and op is Op.EQ and is_no_float(values[0]):
                return FALSE
            if kind in ("float", "double") and op is Op.EQ and values == ("NaN",):
                return Comparison(Op.IS_NAN, column)
    return predicate


def _unsupported(predicate: Unsupported, schema: Schema, version: Version) -> Predicate:
    """The pushed part of functions of null of required columns, and of casts that are undone."""
    match predicate:
        case Unsupported(columns=names, if_required=said) if said is not None:
            found = [schema.by_path(tuple(name.split("."))) for name in names]
            if all(len(columns) == 1 and columns[0].required for columns in found):
                return typed(said, schema, version)
            return replace(predicate, if_required=None)
        case Unsupported(calculated=Calculated(calculation=calculation, value=value) as calculated):
            columns = schema.by_path(calculation.path)
            kind = columns[0].type if len(columns) == 1 else None
            if kind == "boolean" and not (version and version < _UNWRAPS_TRUTHS):
                return _of_truth(predicate, calculated, schema, version)
            if kind is None or not widens(calculation.types, kind) or is_cast(kind, (value,)):
                return replace(predicate, calculated=None)
            written = Written(predicate.text, predicate.redacted)
            return Comparison(calculated.op, Column(calculation.path), (value,), written)
    return predicate


def _of_truth(
    predicate: Unsupported, calculated: Calculated, schema: Schema, version: Version
) -> Predicate:
    """A comparison of a boolean that is cast to a number, as one of the boolean."""
    column, value = Column(calculated.calculation.path), calculated.value
    if len(calculated.calculation.types) > 1 or not isinstance(value, int | Decimal):
        return replace(predicate, calculated=None)
    holds = HOLDS[calculated.op]
    matching = [truth for truth in (True, False) if holds(int(truth), value)]
    parts: list[Predicate] = [Comparison(Op.EQ, column, (truth,)) for truth in matching]
    found = any_of(*parts) if len(parts) < len((True, False)) else Comparison(Op.NOT_NULL, column)
    return typed(found, schema, version)


def _without_inferred(children: Sequence[Predicate], schema: Schema) -> Iterator[Predicate]:
    """The parts of a conjunction without null checks of columns whose only other conditions are
    ones that all whole numbers satisfy: Spark infers nothing of these."""
    beyond, others = set[str](), set[str]()
    for child in children:
        match child:
            case Comparison(Op.NOT_NULL):
                pass
            case Comparison(op, column, values) if op in ORDERED and _is_beyond(values):
                beyond.add(".".join(column.path))
            case _:
                others.update(chain.from_iterable(map(_names, leaves(child))))
    for child in children:
        if isinstance(child, Comparison) and child.op is Op.NOT_NULL:
            name = ".".join(child.column.path)
            types = {found.type for found in schema.by_path(child.column.path)}
            if name in beyond - others and types <= _WHOLE:
                continue
        yield child


def _names(leaf: PredicateLeaf) -> tuple[str, ...]:
    match leaf:
        case Comparison(_, column):
            return (".".join(column.path),)
        case Unsupported(columns=columns):
            return columns
    return ()


def _is_beyond(values: Sequence[LiteralValue]) -> bool:
    """True if values are exact numbers beyond all of 64 bits, which are compared as decimals."""
    low, high = INT64_RANGE
    return bool(values) and all(
        isinstance(value, int | Decimal) and not low <= value <= high for value in values
    )


def _folded(predicate: Comparison, schema: Schema) -> Predicate:
    """A range of whole numbers that no number is in, or all are: Spark keeps nothing of the
    latter, not even that the column is not null."""
    bound = bind(predicate, schema)
    if bound == FALSE:
        return FALSE
    shown = str(predicate.column)
    return Unsupported(Reason.CAST, shown, shown, (".".join(predicate.column.path),))


def _has_timestamp(values: Sequence[LiteralValue], kind: str) -> bool:
    """True if a value is a timestamp of another type than the column."""
    return any(
        isinstance(value, Timestamp) and (kind == "date" or not value.is_ntz) for value in values
    )


def _is_distinct(predicate: Predicate, others: Sequence[Predicate]) -> bool:
    """True for `IS DISTINCT FROM false` with a null check among the others: that stays as it is."""
    match predicate:
        case Comparison(Op.NOT_EQ, column, (False,)):
            return Comparison(Op.IS_NULL, column) in others
    return False


def _doubles_quotes(version: Version) -> bool | None:
    """4.1.4 was seen to take `'o''3'` for a text with a quote, 3.5.9 and 4.0.5 for `o3`."""
    return None if version == UNKNOWN else not version or version >= (4, 1)


PROFILE = Profile(
    "spark",
    Pushdown(
        refusal,
        never_null=never_null,
        as_pushed=lambda predicate: whole_conjuncts(joined(predicate)),
        typed=typed,
        pushes=pushes,
        pushes_partition_functions=True,
        refuses_marks=True,
        casts_plain_times=True,
    ),
    Rewording(
        simplified=simplified,
        doubles_quotes=_doubles_quotes,
        reads_patterns=True,
        unwraps_casts=True,
        simplifies_truths=True,  # 3.5.9, 4.0.5 and 4.1.4 were seen to
        knows_required=True,  # 4.1.4 was seen to
        knows_values=True,
        orders_nan=True,
    ),
    # OptimizeMetadataOnlyDeleteFromTable of 4.1 drops partitions.
    Planning(logs_plans=True, drops_partitions=True),
    newest=(4, 1),
)
