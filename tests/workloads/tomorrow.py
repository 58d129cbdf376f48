"""Nights whose advice on the layout is kept with what was weighed for it, and the logs of days like
another."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from unittest import mock

from prunescope.audit_jobs.findings.choosing import bytes_won, chosen
from prunescope.audit_jobs.findings.history import PastWindow
from prunescope.audit_jobs.findings.model import KEPT, Change, Finding
from prunescope.audit_jobs.findings.prescribing import prescribed
from prunescope.audit_jobs.findings.proposing import proposed
from prunescope.audit_jobs.findings.refused_layouts import overwriting
from prunescope.audit_jobs.findings.trials import Tried
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery
from tests.scenarios.lake import Query, observed
from tests.workloads.lake import Night, Tables
from tests.workloads.model import Pair

Asked = Query | ObservedQuery

_LITERAL = re.compile(r"'[^']*'|\d+")


@dataclass(frozen=True)
class Advice:
    """What a night asks for of a table's layout: the first change that moves rows, by the finding
    of a cause, with its statements; KEPT where there is none. `chosen` is the change that was
    chosen, told or not, and `worth` what each wins that was weighed, of the bytes that scans
    `read`; `asked` is what history will have of the night."""

    change: Change = KEPT
    cause: str = ""
    statements: tuple[str, ...] = ()
    chosen: Change = KEPT
    worth: Mapping[Change, float] | None = None
    read: int = 0
    asked: Mapping[str, PastWindow] = field(default_factory=dict)

    def won_by(self, change: Change) -> float | None:
        """What a change wins; None where it was not weighed, or costs more."""
        return 0.0 if change == KEPT else (self.worth or {}).get(change.layout)


def advice(
    pair: Pair,
    tables: Tables,
    metadata: str,
    queries: Sequence[Asked],
    day: Advice | None = None,
) -> Advice:
    """The advice of a night of queries on a table that has the name of a pair's, the first one or
    that after a `day`."""
    with _weighed() as weighed:
        night = tables.audit(pair, metadata, queries, None if day is None else day.asked)
    best, worth = weighed[-1] if weighed else (KEPT, {})
    first = _first(night)
    if first is None:
        return Advice(chosen=best, worth=worth, read=night.bytes_kept, asked=night.asked)
    fix, read = first.fix, night.bytes_kept
    return Advice(fix.change, first.named, fix.spark, best, worth, read, night.asked)


def _first(night: Night) -> Finding | None:
    asking = (
        one
        for one in night.findings
        if one.suppressed is None and one.fix.change.moves_rows and one.fix.spark
    )
    return next(asking, None)


@contextmanager
def _weighed() -> Iterator[list[tuple[Change, dict[Change, float]]]]:
    """Has audits keep which layouts they weigh for a table, as the share of what scans read that
    each wins."""
    found: list[tuple[Change, dict[Change, float]]] = []

    def kept(
        usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Change, Tried]
    ) -> list[Finding]:
        asking = [overwriting(usage, one) for one in findings]
        proposals = proposed(usage, asking)
        read = max(1, sum(group.bytes_read for group in usage.groups))
        worth: dict[Change, float] = {}
        for change in proposals:
            won = bytes_won(usage, asking, change, tried)
            if won is not None:
                worth[change.layout] = max(won / read, worth.get(change.layout, 0.0))
        found.append((chosen(usage, asking, proposals, tried), worth))
        return prescribed(usage, findings, tried)

    with mock.patch("prunescope.audit_jobs.findings.judge.prescribed", kept):
        yield found


@dataclass(frozen=True)
class Log:
    """Queries of a day that is like another, and how many shapes of queries that were asked once
    there it lacks."""

    queries: tuple[Asked, ...]
    missing: int


def drawn(pair: Pair, number: int, times: int) -> Log:
    """As many queries as a pair has, or so many times as many, each drawn from these, in their
    order: of each shape that has several, one at least."""
    # What is drawn follows from the name, whichever other pairs are measured.
    draw = random.Random(f"{pair.name} {number}")  # noqa: S311  # no secret
    of_shape: dict[str, list[int]] = defaultdict(list)
    for place, query in enumerate(pair.queries):
        of_shape[_shape(place, query)].append(place)
    places = draw.choices(range(len(pair.queries)), k=times * len(pair.queries))
    lacking = [some for some in of_shape.values() if not {*some} & {*places}]
    places += [draw.choice(some) for some in lacking if len(some) > 1]
    queries = [_again(pair.queries[place], copy) for copy, place in enumerate(sorted(places))]
    return Log(tuple(queries), sum(len(some) == 1 for some in lacking))


def _shape(place: int, query: Asked) -> str:
    """What queries have in common that differ in literals alone."""
    if isinstance(query, Query):
        named = name_tables(observed(place, query))
        return f"{query.engine} {query.user} {named.shape}"
    named = name_tables(query)
    return named.fingerprint or _LITERAL.sub("?", f"{query.engine} {query.user} {query.scans}")


def _again(query: Asked, copy: int) -> Asked:
    if isinstance(query, Query):
        return query
    return replace(query, query_id=f"{query.query_id}-{copy}")
