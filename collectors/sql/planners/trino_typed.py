"""Conditions that Trino pushes for columns of their types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from prunescope.collectors.predicates.calculations import Calculated
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    And,
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
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import leaves, map_leaves
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.constants.values import is_int
from prunescope.collectors.sql.planners.trino_casts import (
    converted,
    has_zone,
    stays_approximate,
    uncast,
)
from prunescope.collectors.types import is_floating

# A unit that dates do not have, and what the connector does not unwrap: a list, and a cast.
_HOUR = re.compile(r"\bDATE_TRUNC\('HOUR',", re.IGNORECASE)
_YEARS = re.compile(r"\b(?:YEAR\(|EXTRACT\(YEAR FROM ).* IN \(", re.IGNORECASE)
_TRY_CAST = re.compile(r"\bTRY_CAST\(", re.IGNORECASE)


def typed(predicate: Predicate, schema: Schema) -> Predicate:
    """An unbound predicate as Trino pushes it for columns of these types.

    A negated range of floating numbers holds NaN, which no domain does
    (DomainTranslator.extractOrderableDomain); of one that is none of several, Trino keeps that it
    is not null. Casts of columns that lose nothing are undone (`trino_casts`). Some comparisons of
    decimals with approximate numbers stay casts (UnwrapCastInComparison), as do those of whole
    numbers beyond what a DOUBLE or REAL holds, and of a column that has a time zone with more than
    microseconds. Functions of such a column are unwrapped by the connector, which knows neither OR
    nor TRY_CAST (ConstraintExtractor). Several ranges of a nested field are looked for above the
    scan, if there is any other condition (`as_domains`), unless they are a list of values, or what
    IS DISTINCT FROM means (Trino 483). Functions of dates and times read a column that has a time
    zone in UTC, whatever the session's zone.
    """
    return _typed(predicate, schema, frozenset(), is_whole=True)


def _typed(
    predicate: Predicate, schema: Schema, listed: frozenset[str], *, is_whole: bool = False
) -> Predicate:
    """A part of a predicate as Trino pushes it. `listed` are the texts of the comparisons beside it
    that form a list."""
    match predicate:
        case And(children):
            lists = _lists(children)
            return all_of(*(_typed(child, schema, lists) for child in children))
        case Or(children):
            nested = [column for column in _columns(predicate) if len(column.path) > 1]
            is_all = is_whole and len({*_columns(predicate)}) == 1 and _is_known(predicate)
            if nested and not (is_all or _is_distinct(children) or _is_list(children)):
                return _kept(nested[0], "ranges of")
            arms = tuple(_as_read(children, schema))
            if len({leaf.written for arm in arms for leaf in _comparisons(arm)}) > 1:
                arms = tuple(map_leaves(arm, partial(_as_it_is, schema)) for arm in arms)
            lists = _lists(arms)
            return any_of(*(_typed(child, schema, lists) for child in arms))
        case Unsupported(calculated=Calculated(calculation=calculation), text=text):
            found = schema.by_path(calculation.path)
            kind = found[0].type if len(found) == 1 else ""
            bare = uncast(predicate, kind, is_listed=text in listed)
            if bare is None:
                return replace(predicate, calculated=None)
            return _typed(bare, schema, frozenset())
        case Comparison(op, column, values):
            types = [found.type for found in schema.by_path(column.path)]
            if any(is_floating(found) for found in types):
                if predicate.or_nan:
                    return _kept(column, "NOT of a range of")
                if op is Op.NOT_IN and len(values) > 1:
                    return Comparison(Op.NOT_NULL, column)
            written = "" if predicate.written is None else predicate.written.text
            if any(stays_approximate(found, values, written) for found in types):
                return _kept(column, "approximate comparison of")
            if any(_stays_wrapped(found, written) for found in types):
                return _kept(column, "function of")
            if op is Op.NOT_IN and len(column.path) > 1 and _are_a_range(values):
                return _kept(column, "ranges of")
            if len(types) == 1:
                return converted(predicate, types[0])
    return predicate


def _lists(parts: Sequence[Predicate]) -> frozenset[str]:
    """The texts of comparisons of casts that occur several times: such are made of a list."""
    equal = (
        part.text
        for part in parts
        if isinstance(part, Unsupported)
        and part.calculated is not None
        and part.calculated.op in (Op.EQ, Op.NOT_EQ)
    )
    return frozenset(text for text, count in Counter(equal).items() if count > 1)


def _as_read(arms: Sequence[Predicate], schema: Schema) -> Iterator[Predicate]:
    """The arms of an OR without those that read a column of another type: of a function of a date
    or time, there may be arms for columns with a time zone and for those without (`dates`)."""
    found = [_reading(arm) for arm in arms]
    both = {written for written, column, zoned in found if (written, column, not zoned) in found}
    for arm, (written, column, zoned) in zip(arms, found, strict=True):
        types = [] if column is None else [field.type for field in schema.by_path(column.path)]
        is_other = bool(types) and all(has_zone(kind) != zoned for kind in types)
        if written is None or written not in both or not is_other:
            yield arm


def _as_it_is(schema: Schema, leaf: PredicateLeaf) -> PredicateLeaf:
    """A part of an OR of several, but for the functions of columns with a time zone."""
    match leaf:
        case Comparison(column=column, written=Written()):
            if any(has_zone(found.type) for found in schema.by_path(column.path)):
                return _kept(column, "OR with a function of")
    return leaf


def _reading(arm: Predicate) -> tuple[Written | None, Column | None, bool]:
    """The condition that an arm is of, if it compares anything but a column itself with values, its
    column, and whether these are moments of UTC."""
    compared = _comparisons(arm)
    written = {leaf.written for leaf in compared}
    zoned = any(getattr(value, "zoned", False) for leaf in compared for value in leaf.values)
    if len(written) != 1 or not any(leaf.values for leaf in compared):
        return None, None, zoned
    return written.pop(), compared[0].column, zoned


def _comparisons(predicate: Predicate) -> list[Comparison]:
    return [leaf for leaf in leaves(predicate) if isinstance(leaf, Comparison)]


def _columns(predicate: Predicate) -> Iterator[Column]:
    """The columns that comparisons read, also those within casts."""
    for leaf in leaves(predicate):
        match leaf:
            case Comparison(column=column):
                yield column
            case Unsupported(calculated=Calculated(calculation=calculation)):
                yield Column(calculation.path)


def _is_known(predicate: Predicate) -> bool:
    """True if a predicate is of comparisons alone, or of casts that may become such."""
    return not any(
        isinstance(leaf, Unsupported) and leaf.calculated is None for leaf in leaves(predicate)
    )


def _is_distinct(arms: Sequence[Predicate]) -> bool:
    """True if the arms of an OR mean IS DISTINCT FROM."""
    ops = {arm.op if isinstance(arm, Comparison) else None for arm in arms}
    return ops == {Op.NOT_EQ, Op.IS_NULL}


def _is_list(arms: Sequence[Predicate]) -> bool:
    """True if the arms of an OR are equalities of one column, of which Trino makes a list."""
    compared = [arm for arm in arms if isinstance(arm, Comparison) and arm.op is Op.EQ]
    return len(compared) == len(arms) and len({arm.column for arm in compared}) == 1


def _kept(column: Column, condition: str) -> Unsupported:
    shown = f"{condition} {column}"
    return Unsupported(Reason.TYPE_MISMATCH, shown, shown, (".".join(column.path),))


def _stays_wrapped(type_name: str, written: str) -> bool:
    """True if a function stays around a column of a type."""
    kept = (_TRY_CAST, _YEARS) if has_zone(type_name) else (_HOUR,) if type_name == "date" else ()
    return any(each.search(written) for each in kept)


def _are_a_range(values: Sequence[LiteralValue]) -> bool:
    """True if values are several whole numbers without gaps."""
    whole = {value for value in values if is_int(value)}
    return len(whole) == len(set(values)) > 1 and max(whole) - min(whole) + 1 == len(whole)
