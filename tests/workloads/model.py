"""A table, the queries of a night on it, and what a senior engineer would say of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from prunescope.collectors.observed import ObservedQuery
from tests.scenarios.lake import Query
from tests.workloads.physical import Layout

WHOLE_WEEK = 7
"""Days of windows from which on a table is known well enough to take something from it."""


@dataclass(frozen=True)
class Expected:
    """A cause that the table has: `cause` is an id, or several with `|` between, of which one will
    do, as they are names of one thing.

    `columns` have to be among those that the finding names. `share` are the bounds of what its fix
    saves, over all bytes that the workload reads, where one can say. `statements` and `rewrite` say
    whether the fix has Spark's statements and a condition to write; None where either is right.
    `says` are patterns that the sentence or the fix has to hold, as `re.search` takes them.
    """

    cause: str
    columns: tuple[str, ...]
    share: tuple[float, float] | None = None
    statements: bool | None = None
    rewrite: bool | None = None
    says: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair:
    """One table and workload. `name` is that of the table, too.

    `expected` are the causes that have to be found, once each; `allowed` those that one may name
    or not; `tempting` those that look right and are false, each with the reason. Whatever is in
    none of these is false. `never` are patterns that no statement may hold, `unsaid` patterns
    that no sentence or advice may. `days` says of how many days the audit knows the queries, its
    own among them. `rewritten` are the queries as their author writes them when told a cause, where
    the finding leaves values to them. `why` is the reason of the verdict.
    """

    name: str
    layout: Callable[[], Layout]
    queries: Sequence[Query | ObservedQuery]
    expected: tuple[Expected, ...] = ()
    allowed: tuple[Expected, ...] = ()
    tempting: Mapping[str, str] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    days: int = WHOLE_WEEK
    thresholds: Mapping[str, Any] = field(default_factory=dict)
    findings: Mapping[str, Any] = field(default_factory=dict)
    rewritten: Mapping[str, Sequence[Query]] = field(default_factory=dict)
    why: str = ""
