"""Conditions that Trino's planner hands to the Iceberg connector, and those that it keeps to
itself."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.model import (
    FALSE,
    And,
    BoundComparison,
    Comparison,
    Field,
    Or,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import UNARY, Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.constants.casts import TIMESTAMPS
from prunescope.collectors.sql.constants.terms import cast_to_text
from prunescope.collectors.sql.planners.profile import (
    UNKNOWN,
    Planning,
    Profile,
    Pushdown,
    Rewording,
    Version,
)
from prunescope.collectors.sql.planners.trino_alternatives import alternatives, is_read_anew
from prunescope.collectors.sql.planners.trino_domains import (
    NO_DOMAIN,
    as_domains,
    as_expression,
    column_domains,
    ends_in_range,
    with_domains,
)
from prunescope.collectors.sql.planners.trino_simplified import simplified
from prunescope.collectors.sql.planners.trino_typed import typed
from prunescope.collectors.sql.text.boolean import Leaf, own_columns
from prunescope.collectors.sql.text.nodes import nodes_that_are
from prunescope.collectors.types import is_floating

# UnwrapYearInComparison: trinodb/trino#16106, merged in February 2023.
_UNWRAPS_YEAR = (409,)
# UnwrapDateTruncInComparison for weeks and quarters: trinodb/trino#30197, July 2026. The release
# 483 does not do it (tests/differential/trino).
_UNWRAPS_WEEKS = (484,)

# The Iceberg library of each release, by dep.iceberg.version of trino-root's pom.
_ICEBERG = {482: (1, 11, 0), 480: (1, 10, 1), 477: (1, 10, 0), 476: (1, 9, 1)}

# The release that was seen to do it (tests/differential/trino); older ones may as well.
_KNOWS_SOLE_CASES = (483,)

# UnwrapDateTruncInComparison knows no units below the hour.
_NEVER_UNWRAPPED = frozenset({"MILLISECOND", "SECOND", "MINUTE"})

_TRUNCATIONS = (exp.TimestampTrunc, exp.DateTrunc)
_PERIODS = (exp.Year, exp.Extract, *_TRUNCATIONS)

# Of casts to these, the types of columns decide (`typed`).
_NUMBERS = (exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL, exp.DType.DOUBLE, exp.DType.FLOAT)


def iceberg_version(version: Version) -> Version:
    """The Iceberg library that a Trino release plans with; unknown where the release is, 1.8 for
    all that are older than the table."""
    if version in ((), UNKNOWN):
        return version
    return next((library for first, library in _ICEBERG.items() if version >= (first,)), (1, 8))


def refusal(leaf: Leaf, version: Version) -> Reason | None:
    """The reason why Trino makes no domain of a condition: functions that this version does not
    unwrap.

    Only comparisons with one value are unwrapped for columns of every type (Trino 483). Of a list
    of several, casts and date_trunc() never are (trinodb/trino#18138 was closed without being
    merged), and year() not if the column has a time zone; BETWEEN is not if it has none
    (trinodb/trino#14451, likewise); NOT BETWEEN and IS DISTINCT FROM are not if it has one, nor
    is BETWEEN SYMMETRIC, an OR. Nothing is unwrapped around date_trunc().
    """
    condition, negated = leaf.expression, leaf.negated
    for function in nodes_that_are(_PERIODS, condition):
        if not own_columns(function):
            continue
        if isinstance(function, _TRUNCATIONS) and _is_within_another(function, condition):
            return Reason.FUNCTION
        if isinstance(condition, exp.Between):
            return Reason.FUNCTION
        if isinstance(function, exp.Year | exp.Extract):
            if version and version < _UNWRAPS_YEAR:
                return Reason.FUNCTION
        elif function.text("unit").upper() in _NEVER_UNWRAPPED:
            return Reason.FUNCTION
        elif function.text("unit").upper() in ("WEEK", "QUARTER") and version < _UNWRAPS_WEEKS:
            return Reason.FUNCTION if version else None
    is_list = (
        isinstance(condition, exp.In)
        and len(condition.expressions) > 1
        and not (isinstance(condition.this.unnest(), exp.Year | exp.Extract) and not negated)
    )
    is_distinct = isinstance(condition, exp.NullSafeEQ if negated else exp.NullSafeNEQ)
    is_outside = isinstance(condition, exp.Between) and (
        negated or bool(condition.args.get("symmetric"))
    )
    if (is_list or is_distinct or is_outside) and _is_wrapped(condition):
        return Reason.CAST if condition.find(exp.Cast) else Reason.FUNCTION
    return None


def _is_within_another(function: exp.Expr, condition: exp.Expr) -> bool:
    """True if something is computed of a function before it is compared."""
    while isinstance(function.parent, exp.Paren):
        function = function.parent
    return function.parent is not condition


def _is_wrapped(condition: exp.Expr) -> bool:
    """True if a side of a condition with columns is no column as it is."""
    sides = (condition.this, condition.args.get("expression"))
    return any(
        isinstance(side, exp.Expr)
        and bool(own_columns(side))
        and not isinstance(_compared(side), exp.Column | exp.Dot | exp.Tuple)
        for side in sides
    )


def _compared(side: exp.Expr) -> exp.Expr:
    """The compared operand of a side: a cast of text to text is dropped when a query is
    analysed."""
    bare = side.unnest()
    if isinstance(bare, exp.Cast) and bare.to.this in (*_NUMBERS, *TIMESTAMPS):
        inner: exp.Expr = bare.this
        return inner.unnest()
    return cast_to_text(bare, "trino") or bare


def of_io_plan(predicate: Predicate, schema: Schema) -> Predicate:
    """An unbound predicate of EXPLAIN (TYPE IO) without the comparisons that may be of another
    column: Trino prints the name of a nested field without those of its parents."""
    nested = {column.path[-1].lower() for column in schema.columns if len(column.path) > 1}

    def told(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case Comparison(_, column) if column.path[-1].lower() in nested:
                shown = f"domain of {column}"
                return Unsupported(Reason.AMBIGUOUS_COLUMN, shown, shown, (column.path[-1],))
        return leaf

    return map_leaves(predicate, told)


def is_convertible(leaf: BoundComparison) -> bool:
    """True if a comparison becomes a domain that the connector takes. Not among these are UUIDs,
    which Trino orders differently than Iceberg, except in null checks (ExpressionConverter of Trino
    482), inequalities of floating numbers, as no range holds NaN, and a prefix without a character
    below DEL, after which its range would end (DomainTranslator)."""
    if leaf.field.type == "uuid":
        return leaf.op in (Op.IS_NULL, Op.NOT_NULL)
    if leaf.op is Op.STARTS_WITH:
        return all(isinstance(prefix, bytes) and ends_in_range(prefix) for prefix in leaf.values)
    if leaf.op in NO_DOMAIN:
        return False
    return not (is_floating(leaf.field.type) and leaf.op in (Op.NOT_EQ, Op.NOT_IN))


def convertible(predicate: Predicate) -> Predicate:
    """A bound predicate without the comparisons that are not pushed. Nothing equals NaN."""
    match predicate:
        case And(children):
            # One domain of a column holds all of them, and is pushed or not.
            kept = set().union(*(_uuids(child) for child in children))
            return all_of(
                *(
                    _unconverted(child.field)
                    if isinstance(child, BoundComparison) and child.field in kept
                    else convertible(child)
                    for child in children
                )
            )
        case Or(children):
            return any_of(*(convertible(child) for child in children))
        case BoundComparison(Op.IS_NAN):
            return FALSE
        case BoundComparison(Op.NOT_NAN, field):
            return BoundComparison(Op.NOT_NULL, field)
        case BoundComparison(_, field) if not is_convertible(predicate):
            return _unconverted(field)
    return predicate


def _uuids(predicate: Predicate) -> frozenset[Field]:
    """The columns of UUIDs that a condition compares with values, and no others."""
    match predicate:
        case Or(children):
            return frozenset[Field].intersection(*map(_uuids, children))
        case BoundComparison(op, field) if field.type == "uuid" and op not in UNARY:
            return frozenset({field})
    return frozenset()


def _unconverted(field: Field) -> Unsupported:
    shown = f"condition on {field.type}"
    return Unsupported(Reason.TYPE_MISMATCH, shown, shown, (field.name,))


PROFILE = Profile(
    "trino",
    Pushdown(
        refusal,
        as_pushed=with_domains,
        typed=lambda pushed, schema, _: typed(pushed, schema),
        convertible=lambda bound: as_domains(convertible(bound)),
        pushes=is_convertible,
        domains=column_domains,
        pushes_any_text=False,
    ),
    Rewording(
        simplified=simplified,
        reads_lists=True,
        alternatives=lambda condition, is_whole: alternatives(condition, is_whole=is_whole),
        reads_alternatives=is_read_anew,
        reads_patterns=True,
        unwraps_casts=True,
        knows_sole_cases=lambda version: not version or version >= _KNOWS_SOLE_CASES,
        knows_values=True,
        knows_rows=True,
        keeps_empty_periods=True,
    ),
    Planning(
        iceberg_version=iceberg_version,
        as_expression=as_expression,
        asks_partition_values=True,
        reads_heads=True,  # IcebergMetadata.getTableHandle of 482
        drops_partitions=True,  # 483 was seen to
    ),
    newest=(483,),
    # Athena's engine version 3 follows Trino without saying which release.
    aliases=("athena",),
)
