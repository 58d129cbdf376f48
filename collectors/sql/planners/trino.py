"""What Trino's planner hands to the Iceberg connector, and what it keeps to itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import (
    FALSE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Or,
    Predicate,
    Reason,
    Unsupported,
    Written,
    all_of,
    any_of,
)
from collectors.predicates.operators import Op
from collectors.schema import Schema
from collectors.sql.constants.terms import cast_to_text
from collectors.sql.planners.profile import UNKNOWN, Profile, Version
from collectors.sql.planners.trino_domains import (
    as_domains,
    as_expression,
    column_domains,
    ends_in_range,
)
from collectors.sql.text.boolean import own_columns
from collectors.sql.text.nodes import nodes_that_are
from collectors.types import decimal_parameters, is_floating

# UnwrapYearInComparison: trinodb/trino#16106, merged in February 2023.
_UNWRAPS_YEAR = (409,)
# UnwrapDateTruncInComparison for weeks and quarters: trinodb/trino#30197, July 2026. The release
# 483 does not do it (tests/differential/trino).
_UNWRAPS_WEEKS = (484,)

# The Iceberg library of each release, by dep.iceberg.version of trino-root's pom.
_ICEBERG = {482: (1, 11, 0), 480: (1, 10, 1), 477: (1, 10, 0), 476: (1, 9, 1)}

# UnwrapDateTruncInComparison knows no units below the hour.
_NEVER_UNWRAPPED = frozenset({"MILLISECOND", "SECOND", "MINUTE"})

# Digits that a number of each type holds exactly: of decimals with more, a comparison with such a
# number is one of approximate numbers (UnwrapCastInComparison.hasInjectiveImplicitCoercion).
_EXACT_DIGITS, _EXACT_DIGITS_OF_REAL = 15, 6

_TRUNCATIONS = (exp.TimestampTrunc, exp.DateTrunc)
_PERIODS = (exp.Year, exp.Extract, *_TRUNCATIONS)

# Whole numbers up to which a DOUBLE holds each, beside those that no INTEGER, and no BIGINT is.
_EXACT_WHOLE, _WHOLE = 1 << 53, {"int": 1 << 31, "long": 1 << 63}

# The same of a REAL; how one is written, a unit that dates do not have, and a cast that the
# connector does not unwrap.
_EXACT_WHOLE_OF_REAL = 1 << 23
_REAL = re.compile(r"\bAS REAL\)(?! AS )", re.IGNORECASE)
_HOUR = re.compile(r"\bDATE_TRUNC\('HOUR',", re.IGNORECASE)
_TRY_CAST = re.compile(r"\bTRY_CAST\(", re.IGNORECASE)

# What is unwrapped in lists, too.
_YEAR = re.compile(r"YEAR\(|EXTRACT\(YEAR ", re.IGNORECASE)


def iceberg_version(version: Version) -> Version:
    """The Iceberg library that a Trino release plans with; unknown where the release is, 1.8 for
    all that are older than the table."""
    if version in ((), UNKNOWN):
        return version
    return next((library for first, library in _ICEBERG.items() if version >= (first,)), (1, 8))


def refusal(condition: exp.Expr, version: Version, negated: bool) -> Reason | None:
    """Why Trino makes no domain of a condition, which may be `negated`: functions that this
    version does not unwrap.

    Only comparisons with one value are unwrapped for columns of every type (Trino 483). Of a list
    of several, casts and date_trunc() never are (trinodb/trino#18138 was closed without being
    merged), and year() not if the column has a time zone; BETWEEN is not if it has none
    (trinodb/trino#14451, likewise); NOT BETWEEN and IS DISTINCT FROM are not if it has one, nor
    is BETWEEN SYMMETRIC, an OR. Nothing is unwrapped around date_trunc().
    """
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
    is_list = isinstance(condition, exp.In) and len(condition.expressions) > 1
    is_distinct = isinstance(condition, exp.NullSafeEQ if negated else exp.NullSafeNEQ)
    is_outside = isinstance(condition, exp.Between) and (
        negated or bool(condition.args.get("symmetric"))
    )
    if (is_list or is_distinct or is_outside) and _is_wrapped(condition):
        return Reason.CAST if condition.find(exp.Cast) else Reason.FUNCTION
    return None


def _is_within_another(function: exp.Expr, condition: exp.Expr) -> bool:
    """Whether something is computed of a function before it is compared."""
    while isinstance(function.parent, exp.Paren):
        function = function.parent
    return function.parent is not condition


def _is_wrapped(condition: exp.Expr) -> bool:
    """Whether a side of a condition with columns is no column as it is."""
    sides = (condition.this, condition.args.get("expression"))
    return any(
        isinstance(side, exp.Expr)
        and bool(own_columns(side))
        and not isinstance(_compared(side), exp.Column | exp.Dot | exp.Tuple)
        for side in sides
    )


def _compared(side: exp.Expr) -> exp.Expr:
    """What is compared: a cast of text to text is dropped when a query is analysed."""
    return (cast_to_text(side.unnest(), "trino") or side).unnest()


def of_io_plan(predicate: Predicate, schema: Schema) -> Predicate:
    """An unbound predicate of EXPLAIN (TYPE IO) without the comparisons that may be of another
    column: Trino prints the name of a nested field without those of its parents."""
    nested = {column.path[-1].lower() for column in schema.columns if len(column.path) > 1}
    match predicate:
        case And(children):
            return all_of(*(of_io_plan(child, schema) for child in children))
        case Or(children):
            return any_of(*(of_io_plan(child, schema) for child in children))
        case Comparison(_, column) if column.path[-1].lower() in nested:
            shown = f"domain of {column}"
            return Unsupported(Reason.AMBIGUOUS_COLUMN, shown, shown, (column.path[-1],))
    return predicate


def typed(predicate: Predicate, schema: Schema) -> Predicate:
    """An unbound predicate as Trino pushes it for columns of these types.

    A negated range of floating numbers holds NaN, which no domain does
    (DomainTranslator.extractOrderableDomain); of one that is none of several, Trino keeps that it
    is not null. Some comparisons of decimals with approximate numbers stay casts
    (UnwrapCastInComparison), as do those of whole numbers beyond what a DOUBLE or REAL holds, and
    of a column that has a time zone with more than microseconds. Functions of such a column are
    unwrapped by the connector, which knows neither OR nor TRY_CAST (ConstraintExtractor); an OR of
    equalities of one function is a
    list (see `refusal`). Several ranges of a nested field are looked for above the scan, if there
    is any other condition (Trino 483); here, in any case. Functions of dates and times read
    a column that has a time zone in UTC, whatever the session's zone.
    """
    match predicate:
        case And(children):
            return all_of(*(typed(child, schema) for child in children))
        case Or(children):
            nested = [leaf.column for leaf in _leaves(predicate) if len(leaf.column.path) > 1]
            if nested and not _is_distinct(children):
                return _kept(nested[0], "ranges of")
            arms = tuple(_as_read(children, schema))
            if (wrapped := _as_it_is(arms, schema)) is not None:
                return _kept(wrapped, "OR with a function of")
            return any_of(*(typed(child, schema) for child in arms))
        case Comparison(op, column, values):
            types = [found.type for found in schema.by_path(column.path)]
            if any(is_floating(found) for found in types):
                if predicate.or_nan:
                    return _kept(column, "NOT of a range of")
                if op is Op.NOT_IN and len(values) > 1:
                    return Comparison(Op.NOT_NULL, column)
            written = "" if predicate.written is None else predicate.written.text
            if any(_stays_approximate(found, values, written) for found in types):
                return _kept(column, "approximate comparison of")
            if any(_stays_wrapped(found, written) for found in types):
                return _kept(column, "function of")
            if op is Op.NOT_IN and len(column.path) > 1 and _are_a_range(values):
                return _kept(column, "ranges of")
    return predicate


def _as_read(arms: Sequence[Predicate], schema: Schema) -> Iterator[Predicate]:
    """The arms of an OR without those that read a column of another type: of a function of a date
    or time, there may be arms for columns with a time zone and for those without (`dates`)."""
    found = [_reading(arm) for arm in arms]
    both = {written for written, column, zoned in found if (written, column, not zoned) in found}
    for arm, (written, column, zoned) in zip(arms, found, strict=True):
        types = [] if column is None else [field.type for field in schema.by_path(column.path)]
        is_other = bool(types) and all(_has_zone(kind) != zoned for kind in types)
        if written is None or written not in both or not is_other:
            yield arm


def _as_it_is(arms: Sequence[Predicate], schema: Schema) -> Column | None:
    """A column of which the arms of an OR read a function that stays as it is beside other arms: of
    a column with a time zone, or one that two arms compare with a value each."""
    columns = {leaf.written: leaf.column for arm in arms for leaf in _leaves(arm)}
    functions: set[str] = set()
    for written, column in columns.items():
        if written is None or len(columns) == 1:
            continue
        function, is_equality, _ = written.text.partition(" = ")
        is_listed = bool(is_equality) and function in functions
        if is_listed or any(_has_zone(found.type) for found in schema.by_path(column.path)):
            return column
        if not _YEAR.match(function):
            functions.add(function)
    return None


def _has_zone(type_name: str) -> bool:
    return type_name.startswith("timestamptz")


def _reading(arm: Predicate) -> tuple[Written | None, Column | None, bool]:
    """The condition that an arm is of, if it compares anything but a column itself, its column, and
    whether it compares with moments of UTC."""
    leaves = list(_leaves(arm))
    written = {leaf.written for leaf in leaves}
    zoned = any(getattr(value, "zoned", False) for leaf in leaves for value in leaf.values)
    if len(written) != 1:
        return None, None, zoned
    return written.pop(), leaves[0].column, zoned


def _leaves(predicate: Predicate) -> Iterator[Comparison]:
    match predicate:
        case And(children) | Or(children):
            for child in children:
                yield from _leaves(child)
        case Comparison():
            yield predicate


def _is_distinct(arms: Sequence[Predicate]) -> bool:
    """Whether the arms of an OR are what IS DISTINCT FROM means."""
    ops = {arm.op if isinstance(arm, Comparison) else None for arm in arms}
    return ops == {Op.NOT_EQ, Op.IS_NULL}


def _kept(column: Column, condition: str) -> Unsupported:
    shown = f"{condition} {column}"
    return Unsupported(Reason.TYPE_MISMATCH, shown, shown, (".".join(column.path),))


def _stays_approximate(type_name: str, values: Sequence[LiteralValue], written: str) -> bool:
    if _has_zone(type_name) or (type_name == "timestamp" and len(values) > 1):
        return any(isinstance(value, Timestamp) and value.nanos % 1000 for value in values)
    numbers = [abs(value) for value in values if isinstance(value, float)]
    is_real = _REAL.search(written) is not None
    if not numbers or (type_name == "int" and not is_real):
        return False
    if type_name in _WHOLE:
        exact = _EXACT_WHOLE_OF_REAL if is_real else _EXACT_WHOLE
        return len(values) > 1 or any(exact <= n <= _WHOLE[type_name] for n in numbers)
    if not type_name.startswith("decimal"):
        return False
    digits = _EXACT_DIGITS_OF_REAL if is_real else _EXACT_DIGITS
    return len(values) > 1 or decimal_parameters(type_name)[0] > digits


def _stays_wrapped(type_name: str, written: str) -> bool:
    """Whether a function stays around a column of a type."""
    unwrapped = _TRY_CAST if _has_zone(type_name) else _HOUR if type_name == "date" else None
    return unwrapped is not None and unwrapped.search(written) is not None


def _are_a_range(values: Sequence[LiteralValue]) -> bool:
    """Whether they are several whole numbers without gaps."""
    whole = {value for value in values if type(value) is int}
    return len(whole) == len(set(values)) > 1 and max(whole) - min(whole) + 1 == len(whole)


def is_convertible(leaf: BoundComparison) -> bool:
    """Whether a comparison becomes a domain that the connector takes: of UUIDs, which Trino orders
    differently than Iceberg, only null checks do (ExpressionConverter of Trino 482), and no
    inequality of floating numbers does, as no range holds NaN, nor a prefix without a character
    below DEL, after which its range would end (DomainTranslator)."""
    if leaf.field.type == "uuid":
        return leaf.op in (Op.IS_NULL, Op.NOT_NULL)
    if leaf.op is Op.STARTS_WITH:
        return all(isinstance(prefix, bytes) and ends_in_range(prefix) for prefix in leaf.values)
    return not (is_floating(leaf.field.type) and leaf.op in (Op.NOT_EQ, Op.NOT_IN))


def convertible(predicate: Predicate) -> Predicate:
    """A bound predicate without the comparisons that are not pushed. Nothing equals NaN."""
    match predicate:
        case And(children):
            return all_of(*(convertible(child) for child in children))
        case Or(children):
            return any_of(*(convertible(child) for child in children))
        case BoundComparison(Op.IS_NAN):
            return FALSE
        case BoundComparison(Op.NOT_NAN, field):
            return BoundComparison(Op.NOT_NULL, field)
        case BoundComparison(_, field) if not is_convertible(predicate):
            shown = f"condition on {field.type}"
            return Unsupported(Reason.TYPE_MISMATCH, shown, shown, (field.name,))
    return predicate


PROFILE = Profile(
    "trino",
    refusal,
    # Athena's engine version 3 follows Trino without saying which release.
    aliases=("athena",),
    iceberg_version=iceberg_version,
    reads_patterns=True,
    keeps_empty_periods=True,
    pushes_any_text=False,
    as_pushed=as_domains,
    typed=lambda pushed, schema, _: typed(pushed, schema),
    convertible=convertible,
    pushes=is_convertible,
    as_expression=as_expression,
    domains=column_domains,
)
