"""Sets of partitions: as conditions on the columns that they are made of, and in words without any
value of a row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from audit_jobs.advice.candidates import Term
from audit_jobs.findings.statements import spark_part, trino_part
from audit_jobs.pruning.transforms import TIME_TRANSFORMS, width
from collectors.predicates.calendar import EPOCH_DAY
from collectors.predicates.literals import PhysicalValue
from collectors.predicates.model import And, BoundComparison, Or, Predicate, PredicateLeaf
from collectors.predicates.operators import Op
from collectors.predicates.render import render
from collectors.predicates.walks import comparisons, map_leaves
from collectors.types import NANOS_PER_UNIT

Key = tuple[PhysicalValue | None, ...]
"""A partition: the value of each field."""

_NANOS_PER_SECOND = 1_000_000_000


def condition(terms: Sequence[Term], keys: Collection[Key]) -> Predicate | None:
    """What the rows of partitions have in common, and no row of others; None where no engine would
    tell partitions by a condition (buckets, prefixes)."""
    if len(terms) == 1 and _has_ranges(terms[0]):
        values = {key[0] for key in keys}
        runs = _runs(values - {None}, _step(terms[0]))
        arms: list[Predicate | None] = [_range(terms[0], *ends) for ends in runs]
        if None in values:
            arms.append(_is_null(terms[0]))
        return _any(arms)
    found = []
    for key in sorted(keys, key=repr):
        parts = [_one(term, value) for term, value in zip(terms, key, strict=True)]
        told = [part for part in parts if part is not None]
        if len(told) < len(parts):
            return None
        flat = [p for part in told for p in (part.children if isinstance(part, And) else (part,))]
        found.append(flat[0] if len(flat) == 1 else And(tuple(flat)))
    return _any(found)


def _any(arms: Sequence[Predicate | None]) -> Predicate | None:
    told = [arm for arm in arms if arm is not None]
    if len(told) < len(arms) or not told:
        return None
    return told[0] if len(told) == 1 else Or(tuple(told))


def _has_ranges(term: Term) -> bool:
    return term.transform in TIME_TRANSFORMS or (
        term.transform.startswith("truncate") and term.column.type in ("int", "long")
    )


def _one(term: Term, value: PhysicalValue | None) -> Predicate | None:
    if value is None:
        return _is_null(term)
    if _has_ranges(term):
        assert isinstance(value, int)
        return _range(term, value, value + _step(term))
    if term.transform != "identity" or (isinstance(value, bytes) and is_unsafe(value)):
        return None
    return BoundComparison(Op.EQ, term.column, (value,))


def is_unsafe(value: bytes) -> bool:
    """Whether engines differ in how they write a text."""
    return any(mark in value for mark in b"'\\") or not value.isascii()


def _is_null(term: Term) -> Predicate:
    return BoundComparison(Op.IS_NULL, term.column, ())


def _step(term: Term) -> int:
    return 1 if term.transform in TIME_TRANSFORMS else width(term.transform)


def _runs(values: Collection[PhysicalValue | None], step: int) -> list[tuple[int, int]]:
    """Values that follow each other, from the first up to the one after the last."""
    found: list[tuple[int, int]] = []
    for value in sorted(v for v in values if isinstance(v, int)):
        if found and found[-1][1] == value:
            found[-1] = (found[-1][0], value + step)
        else:
            found.append((value, value + step))
    return found


def _range(term: Term, first: int, end: int) -> Predicate | None:
    """The rows of partitions from one on up to another."""
    low, high = first, end
    if term.transform in TIME_TRANSFORMS:
        starts = _start(term, first), _start(term, end)
        if starts[0] is None or starts[1] is None:
            return None
        low, high = starts[0], starts[1]
    return And(
        (
            BoundComparison(Op.GT_EQ, term.column, (low,)),
            BoundComparison(Op.LT, term.column, (high,)),
        )
    )


def _start(term: Term, value: int) -> int | None:
    """The first physical value of a year, month, day or hour; None beyond the calendar."""
    try:
        if term.transform in ("year", "month"):
            months = value if term.transform == "month" else value * 12
            start = dt.date(1970 + months // 12, months % 12 + 1, 1)
        else:
            days = value // 24 if term.transform == "hour" else value
            start = EPOCH_DAY + dt.timedelta(days=days)
    except (OverflowError, ValueError):
        return None
    seconds = (start - EPOCH_DAY).days * 86_400
    if term.transform == "hour":
        seconds += value % 24 * 3_600
    return seconds * _NANOS_PER_SECOND // NANOS_PER_UNIT[term.column.type]


def spark_condition(predicate: Predicate) -> str:
    """The condition in Spark's SQL."""
    text = render(_named(predicate, spark_part))
    if not any(leaf.field.type.startswith("timestamptz") for leaf in comparisons(predicate)):
        # Spark casts the column where a literal has a zone and the column has none.
        return text.replace("TIMESTAMP '", "TIMESTAMP_NTZ '")
    return text


def trino_conditions(predicate: Predicate) -> tuple[str, ...]:
    """The condition in Trino's SQL, as several where it is one of several columns: `optimize` takes
    what is a set of values of each column, and an OR of several columns is none."""
    columns = {leaf.field.field_id for leaf in comparisons(predicate)}
    arms: tuple[Predicate, ...] = (predicate,)
    if isinstance(predicate, Or) and len(columns) > 1:
        arms = predicate.children
    return tuple(render(_named(arm, trino_part)) for arm in arms)


def _named(predicate: Predicate, part: Callable[[str], str]) -> Predicate:
    """The predicate with its columns as an engine writes them."""

    def named(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case BoundComparison(field=field):
                name = ".".join(map(part, field.name.split(".")))
                return replace(leaf, field=field._replace(name=name))
        return leaf

    return map_leaves(predicate, named)


def _first(key: Key) -> int:
    assert isinstance(key[0], int)
    return key[0]


def described(terms: Sequence[Term], keys: Collection[Key], everything: Collection[Key]) -> str:
    """A set of partitions among all that there are, without their values."""
    fields = ", ".join(map(str, terms))
    counted = f"{len(keys):,} of {len(everything):,} partitions of {fields}"
    if len(terms) == 1 and terms[0].transform in TIME_TRANSFORMS:
        known = sorted((key for key in everything if isinstance(key[0], int)), key=_first)
        chosen = set(keys)
        if chosen == set(known[-len(chosen) :]):
            return f"the newest {counted}"
        if chosen == set(known[: len(chosen)]):
            return f"the oldest {counted}"
    return counted
