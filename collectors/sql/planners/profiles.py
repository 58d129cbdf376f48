"""Pushed predicates by engine and version: each function asks the engine's profile."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import Domains
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    BoundComparison,
    Predicate,
    PredicateLeaf,
    Reason,
    all_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.planners.profile import UNKNOWN, Profile, Version, whole_conjuncts
from prunescope.collectors.sql.planners.registry import ENGINES, PROFILES
from prunescope.collectors.sql.text.boolean import Leaf

NEWEST = "newest"
"""The version of an engine, or its library, in words: the newest one that is known."""

_NUMBERS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})*(?![0-9])")


@dataclass(frozen=True, slots=True)
class Planner:
    """An engine, its version, and the version of the Iceberg library that plans for it. An empty
    version is the newest known one; an UNKNOWN one pushes only what all versions do."""

    engine: str
    version: Version = ()
    iceberg: Version = ()

    def __str__(self) -> str:
        is_unknown = self.version == UNKNOWN
        parts = [self.engine, "of an unknown version" if is_unknown else _dotted(self.version)]
        if self.iceberg not in ((), UNKNOWN):
            parts += ["with Iceberg", _dotted(self.iceberg)]
        return " ".join(filter(None, parts))

    @property
    def profile(self) -> Profile:
        """The profile of the engine."""
        return ENGINES[self.engine]

    @property
    def doubles_quotes(self) -> bool | None:
        """True if doubled quotes in a text of its queries are one; None if that is unknown."""
        return self.profile.rewording.doubles_quotes(self.version)


PLANNERS = tuple(Planner(each.engine) for each in PROFILES if each.runs_queries)
"""The newest planner of every query engine that has a profile."""

# Of Java, whose rules audit_jobs/pruning/rules.py has.
_NEWEST_ICEBERG = (1, 12)

# IS NULL of a required field in an optional struct was never true: apache/iceberg#14270.
_FOLDS_NESTED_SOUNDLY = (1, 10, 1)


@lru_cache(maxsize=256)
def planner_of(
    engine: str | None, version: str | None, iceberg: str | None = None, *, is_asked: bool = False
) -> Planner | None:
    """The planner of an engine by its name in a log, its version (`3.5.6`, `482`,
    `3.4.1-amzn-2`, or `newest`), and the version of its Iceberg library where the log tells. A
    version without a number (`testversion`, or none) is UNKNOWN, and so is that of an engine that
    follows another one. None for engines without a profile, as what they push is not known; and
    for those by which logs are not planned, unless it is asked for."""
    name = (engine or "").strip().lower()
    if name not in ENGINES:
        return None
    profile = ENGINES[name]
    if not (profile.in_logs or is_asked):
        return None
    known = _version(version) if name == profile.engine or version == NEWEST else UNKNOWN
    library = _version(iceberg)
    told = library if library not in ((), UNKNOWN) else profile.planning.iceberg_version(known)
    return Planner(profile.engine, known, library if told is None else told)


def _version(text: str | None) -> Version:
    if text == NEWEST:
        return ()
    found = _NUMBERS.match(text or "")
    return tuple(map(int, found[0].split("."))) if found else UNKNOWN


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


@lru_cache(maxsize=256)
def beyond_known(planner: Planner) -> tuple[str, ...]:
    """Warnings of versions of the planner, or its library, that are newer than any known one. Such
    a version is planned as the newest."""
    parts = (
        (planner.engine, planner.version, planner.profile.newest),
        ("Iceberg", planner.iceberg, _NEWEST_ICEBERG),
    )
    return tuple(
        f"{name} {_dotted(version)} is newer than any that is known: it is planned as "
        f"{_dotted(newest)}"
        for name, version, newest in parts
        if version[: len(newest)] > newest
    )


def refusal(planner: Planner, leaf: Leaf) -> Reason | None:
    """The reason why the engine keeps a single SQL condition to itself; None if it can push it."""
    return planner.profile.pushdown.refusal(leaf, planner.version)


def pushes(planner: Planner, leaf: BoundComparison) -> bool:
    """True if the engine pushes a comparison of a column as it is, with values of its type."""
    return planner.profile.pushdown.pushes(leaf)


def as_pushed(planner: Planner, predicate: Predicate, inferred: Predicate = TRUE) -> Predicate:
    """The part of a filter, extracted with this planner's refusals, that is pushed, and the
    conditions that the planner infers and pushes with it."""
    return all_of(inferred, planner.profile.pushdown.as_pushed(predicate))


def bind_pushed(
    planner: Planner | None,
    pushed: Predicate,
    schema: Schema,
    *,
    time_zone: str | None,
    plain_are_moments: bool = False,
) -> Predicate:
    """`bind` for what a planner pushes: comparisons that it does not push for columns of their
    type are left out."""
    bind_ = partial(bind, time_zone=time_zone, plain_are_moments=plain_are_moments)
    if planner is None:
        return whole_conjuncts(bind_(pushed, schema))
    profile = planner.profile
    typed = profile.pushdown.typed(pushed, schema, planner.version)
    bound = bind_(typed, schema, folds_like_iceberg=profile.planning.by_pyiceberg)
    return whole_conjuncts(as_planned(planner, profile.pushdown.convertible(bound), schema))


def as_planned(planner: Planner | None, bound: Predicate, schema: Schema) -> Predicate:
    """A bound predicate as the planner's library binds it: Iceberg Java before 1.10.1 and
    PyIceberg take a required field for never null, though the struct around it may be."""
    if planner is None or not _assumes_structs(planner):
        return bound
    return map_leaves(bound, lambda leaf: _of_required(leaf, schema))


def _of_required(leaf: PredicateLeaf, schema: Schema) -> Predicate:
    match leaf:
        case BoundComparison(Op.IS_NULL | Op.NOT_NULL as op, field):
            column = schema.by_id(field.field_id)
            if column is not None and column.declared_required:
                return FALSE if op is Op.IS_NULL else TRUE
    return leaf


def as_expression(planner: Planner | None, pushed: Predicate) -> Predicate:
    """The expression that the planner's library evaluates for what is pushed; both are bound."""
    return pushed if planner is None else planner.profile.planning.as_expression(pushed)


def reads_heads(engine: str | None) -> bool:
    """True if an engine is known to read a branch under the schema of its last commit."""
    return engine is not None and ENGINES[engine].planning.reads_heads


def plans_by_domains(engine: str | None) -> bool:
    """True if an engine is known to push one condition for each column."""
    return engine is not None and ENGINES[engine].pushdown.domains is not None


def pushed_domains(engine: str | None, pushed: Predicate | None) -> Domains | None:
    """The domains of columns that an engine that plans by them (Trino) makes of the pushed
    predicate, which is bound; None for other engines, and if nothing can match."""
    domains = None if engine is None else ENGINES[engine].pushdown.domains
    return None if domains is None or pushed is None else domains(pushed)


def _assumes_structs(planner: Planner) -> bool:
    if planner.profile.planning.by_pyiceberg:
        return True
    # Which rules out more than others do.
    return planner.iceberg not in ((), UNKNOWN) and planner.iceberg < _FOLDS_NESTED_SOUNDLY
