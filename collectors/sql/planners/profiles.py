"""Planner profiles: which part of a filter an engine hands to Iceberg's planner.

An engine keeps for itself what its connector interface cannot express: Spark does not push
`year(ts) = 2024`, Trino pushes no OR over two columns. A profile is decided in three steps:
per SQL condition, while the filter is extracted (`refusal`); over the whole filter
(`as_pushed`); and per comparison, once the types of its columns are known (`bind_pushed`). What
Iceberg's library then plans by may be worded otherwise (`as_expression`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from collectors.predicates.bind import bind
from collectors.predicates.column_domains import Domains
from collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Or,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from collectors.predicates.operators import Op
from collectors.schema import Schema
from collectors.sql.planners import pyiceberg, spark, trino

if TYPE_CHECKING:
    from sqlglot import exp

_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)*")


@dataclass(frozen=True, slots=True)
class Planner:
    """An engine, its version, and the version of the Iceberg library that plans for it; an empty
    version is the newest known one."""

    engine: str
    version: tuple[int, ...] = ()
    iceberg: tuple[int, ...] = ()

    def __str__(self) -> str:
        parts = [self.engine, _dotted(self.version)]
        if self.iceberg:
            parts += ["with Iceberg", _dotted(self.iceberg)]
        return " ".join(filter(None, parts))


PLANNERS = (Planner("spark"), Planner("trino"))
"""The newest planner of every query engine that has a profile."""

# Athena's engine version 3 follows Trino without saying which release: taken for the newest.
ENGINES = {"spark": "spark", "trino": "trino", "athena": "trino", "pyiceberg": "pyiceberg"}
"""Names of engines in logs, and the engine whose profile they have."""

# IS NULL of a required field in an optional struct was never true: apache/iceberg#14270.
_FOLDS_NESTED_SOUNDLY = (1, 10, 1)


@lru_cache(maxsize=256)
def planner_of(
    engine: str | None, version: str | None, iceberg: str | None = None
) -> Planner | None:
    """The planner of an engine by its name in a log, its version (`3.5.6`, `482`,
    `3.4.1-amzn-2`), and the version of its Iceberg library where the log tells. None for engines
    without a profile: what they push is not known."""
    name = (engine or "").strip().lower()
    if name not in ENGINES:
        return None
    known = _numbers(version) if name == ENGINES[name] else ()
    library = _numbers(iceberg)
    if ENGINES[name] == "trino" and not library:
        library = trino.iceberg_version(known)
    return Planner(ENGINES[name], known, library)


def _numbers(version: str | None) -> tuple[int, ...]:
    found = _NUMBERS.match(version or "")
    return tuple(map(int, found[0].split("."))) if found else ()


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def refusal(planner: Planner, condition: exp.Expr, *, negated: bool = False) -> Reason | None:
    """Why the engine keeps a single SQL condition, or its negation, to itself; None if it can push
    it."""
    match planner.engine:
        case "spark":
            return spark.refusal(condition, planner.version)
        case "trino":
            return trino.refusal(condition, planner.version, negated=negated)
        case _:
            return pyiceberg.refusal(condition)


def reads_patterns(planner: Planner) -> bool:
    """Whether `refusal`, or `pushes_any_text`, depends on the pattern of a LIKE. Neither depends on
    any other literal that is an operand of a condition."""
    return planner.engine in ("spark", "trino")


def pushes_any_text(planner: Planner) -> bool:
    """Whether the engine pushes LIKE '%', as that the text is not null."""
    return planner.engine != "trino"


def unwraps_casts(planner: Planner) -> bool:
    """Whether a cast of a number that is not refused is pushed, for some types of its column."""
    return planner.engine == "spark"


def pushes(planner: Planner, leaf: BoundComparison) -> bool:
    """Whether the engine pushes a comparison of a column as it is, with values of its type."""
    match planner.engine:
        case "spark":
            return spark.pushes(leaf)
        case "trino":
            return trino.is_convertible(leaf)
        case _:
            return True


def plans_by_column(planner: Planner) -> bool:
    """Whether the engine pushes one condition for each column, which all conditions on it make
    together, and so no OR over several columns."""
    return planner.engine == "trino"


def never_null(
    planner: Planner, condition: exp.Expr, *, negated: bool = False
) -> tuple[exp.Expr, ...]:
    """The columns of which the engine infers from a condition, or its negation, that they are not
    null, and pushes that as well."""
    if planner.engine != "spark":
        return ()
    return tuple(spark.never_null(condition, negated=negated))


def as_pushed(planner: Planner, predicate: Predicate) -> Predicate:
    """The part of a filter, extracted with this planner's refusals, that is pushed."""
    if planner.engine == "trino":
        return trino.as_domains(predicate)
    return _whole_conjuncts(predicate)


def bind_pushed(
    planner: Planner | None, pushed: Predicate, schema: Schema, *, time_zone: str | None
) -> Predicate:
    """`bind` for what a planner pushes: comparisons that it does not push for columns of their
    type are left out."""
    if planner is not None and planner.engine == "spark":
        pushed = spark.typed(pushed, schema, planner.version)
    if planner is not None and planner.engine == "trino":
        pushed = trino.typed(pushed, schema)
    by_iceberg = planner is not None and planner.engine == "pyiceberg"
    bound = bind(pushed, schema, time_zone=time_zone, folds_like_iceberg=by_iceberg)
    if planner is not None and planner.engine == "trino":
        bound = trino.convertible(bound)
    return _whole_conjuncts(as_planned(planner, bound, schema))


def as_planned(planner: Planner | None, bound: Predicate, schema: Schema) -> Predicate:
    """A bound predicate as the planner's library binds it: Iceberg Java before 1.10.1 and
    PyIceberg take a required field for never null, though the struct around it may be."""
    if planner is None or not _assumes_structs(planner):
        return bound
    match bound:
        case And(children):
            return all_of(*(as_planned(planner, child, schema) for child in children))
        case Or(children):
            return any_of(*(as_planned(planner, child, schema) for child in children))
        case BoundComparison(Op.IS_NULL | Op.NOT_NULL as op, field):
            column = schema.by_id(field.field_id)
            if column is not None and column.declared_required:
                return FALSE if op is Op.IS_NULL else TRUE
    return bound


def as_expression(planner: Planner | None, pushed: Predicate) -> Predicate:
    """The expression that the planner's library evaluates for what is pushed; both are bound."""
    if planner is not None and planner.engine == "trino":
        return trino.as_expression(pushed)
    return pushed


def pushed_domains(engine: str | None, pushed: Predicate | None) -> Domains | None:
    """The domains of columns that an engine that plans by them (Trino) makes of what is pushed,
    which is bound; None for other engines, and where nothing can match."""
    if engine != "trino" or pushed is None:
        return None
    return trino.column_domains(pushed)


def _assumes_structs(planner: Planner) -> bool:
    if planner.engine == "pyiceberg":
        return True
    return bool(planner.iceberg) and planner.iceberg < _FOLDS_NESTED_SOUNDLY


def _whole_conjuncts(predicate: Predicate) -> Predicate:
    """The conjuncts of which every part can be pushed."""
    return all_of(*(part for part in conjuncts(predicate) if not _has_unsupported(part)))


def _has_unsupported(predicate: Predicate) -> bool:
    match predicate:
        case And(children) | Or(children):
            return any(_has_unsupported(child) for child in children)
        case Unsupported(Reason.UNKNOWN_COLUMN):
            return False  # an error of the query, which must show
        case Unsupported(calculated=calculated):
            return calculated is None  # else its column's type decides
        case _:
            return False
