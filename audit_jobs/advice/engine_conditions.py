"""Conditions as engines write them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from prunescope.audit_jobs.findings.statements import spark_part, trino_part
from prunescope.collectors.predicates.model import BoundComparison, Or, Predicate, PredicateLeaf
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import comparisons, map_leaves


def is_unsafe(value: bytes) -> bool:
    """Tells whether engines differ in how they write a string."""
    return any(mark in value for mark in b"'\\") or not value.isascii()


def spark_condition(predicate: Predicate) -> str:
    """The condition in Spark's SQL."""
    text = render(_named(predicate, spark_part))
    if not any(leaf.field.type.startswith("timestamptz") for leaf in comparisons(predicate)):
        # Spark casts the column where a literal has a zone and the column has none.
        return text.replace("TIMESTAMP '", "TIMESTAMP_NTZ '")
    return text


def trino_conditions(predicate: Predicate) -> tuple[str, ...]:
    """The condition in Trino's SQL: several conditions if it is an OR over several columns, because
    `optimize` takes one set of values for each column."""
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
