"""Planner profiles: which part of a filter an engine hands to Iceberg's planner.

An engine keeps for itself what its connector interface cannot express: Spark does not push
`year(ts) = 2024`, Trino pushes no OR over two columns. A profile is decided in three steps:
per SQL condition, while the filter is extracted (`refusal`); over the whole filter
(`as_pushed`); and per comparison, once the types of its columns are known (`bind_pushed`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collectors.predicates import planner_spark, planner_trino
from collectors.predicates.bind import bind
from collectors.predicates.model import (
    And,
    Or,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    conjuncts,
)
from collectors.tables.schema import Schema

if TYPE_CHECKING:
    from sqlglot import exp

_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)*")


@dataclass(frozen=True, slots=True)
class Planner:
    """An engine and its version; an empty version is the newest known one."""

    engine: str
    version: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.engine, *filter(None, [".".join(map(str, self.version))])])


PLANNERS = (Planner("spark"), Planner("trino"))
"""The newest planner of every engine that has a profile."""

# Athena's engine version 3 follows Trino without saying which release: taken for the newest.
_ALIASES = {"spark": "spark", "trino": "trino", "athena": "trino"}


def planner_of(engine: str | None, version: str | None) -> Planner | None:
    """The planner of an engine by its name in a log, and its version (`3.5.6`, `482`,
    `3.4.1-amzn-2`). None for engines without a profile: what they push is not known."""
    name = (engine or "").strip().lower()
    if name not in _ALIASES:
        return None
    found = _NUMBERS.match(version or "") if name == _ALIASES[name] else None
    return Planner(_ALIASES[name], tuple(map(int, found[0].split("."))) if found else ())


def refusal(planner: Planner, condition: exp.Expr) -> Reason | None:
    """Why the engine keeps a single SQL condition to itself; None if it can push it."""
    if planner.engine == "spark":
        return planner_spark.refusal(condition, planner.version)
    return planner_trino.refusal(condition, planner.version)


def never_null(planner: Planner, condition: exp.Expr) -> tuple[exp.Expr, ...]:
    """The columns of which the engine infers from a condition that they are not null, and
    pushes that as well."""
    return tuple(planner_spark.never_null(condition)) if planner.engine == "spark" else ()


def as_pushed(planner: Planner, predicate: Predicate) -> Predicate:
    """The part of a filter, extracted with this planner's refusals, that is pushed."""
    if planner.engine == "trino":
        return planner_trino.as_domains(predicate)
    return _whole_conjuncts(predicate)


def bind_pushed(
    planner: Planner | None, pushed: Predicate, schema: Schema, *, time_zone: str | None
) -> Predicate:
    """`bind` for what a planner pushes: comparisons that it does not push for columns of their
    type are left out."""
    if planner is not None and planner.engine == "spark":
        pushed = planner_spark.typed(pushed, schema)
    bound = bind(pushed, schema, time_zone=time_zone)
    if planner is not None and planner.engine == "trino":
        bound = planner_trino.convertible(bound)
    return _whole_conjuncts(bound)


def _whole_conjuncts(predicate: Predicate) -> Predicate:
    """The conjuncts of which every part can be pushed."""
    return all_of(*(part for part in conjuncts(predicate) if not _has_unsupported(part)))


def _has_unsupported(predicate: Predicate) -> bool:
    match predicate:
        case And(children) | Or(children):
            return any(_has_unsupported(child) for child in children)
        case Unsupported(Reason.UNKNOWN_COLUMN):
            return False  # an error of the query, which must show
        case Unsupported():
            return True
        case _:
            return False
