"""From the sums of a workload to findings: every cause, over every table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nsmallest

from prunescope.audit_jobs.findings.aggregates import Aggregates, GroupKey
from prunescope.audit_jobs.findings.catalogue import CAUSES
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.change_statements import with_statements
from prunescope.audit_jobs.findings.examples import with_example
from prunescope.audit_jobs.findings.history import NO_HISTORY, History, days_seen
from prunescope.audit_jobs.findings.keeping import keeping_bounds, keeping_order
from prunescope.audit_jobs.findings.model import Change, Finding, Severity
from prunescope.audit_jobs.findings.policy import Policy, is_reported
from prunescope.audit_jobs.findings.prescribing import prescribed
from prunescope.audit_jobs.findings.proposing import in_present_fields, merges_in_order, proposed
from prunescope.audit_jobs.findings.remedy import with_step
from prunescope.audit_jobs.findings.sums import GroupSums
from prunescope.audit_jobs.findings.trials import (
    Read,
    Trial,
    Trying,
    modes_of,
    opening_cost,
    trial_of,
    tried,
    untried,
)
from prunescope.audit_jobs.findings.usage import KnownTable, TableUsage, table_usage
from prunescope.audit_jobs.findings.what_if import indexes_of, sort_by
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.records import Window
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName

MAX_SMALL = 10_000
"""More findings that are too small are counted, and not kept."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Findings, and the causes that could not be judged: `CAUSE of TABLE`, with a message. Of
    findings beyond these, which are below the thresholds: how many faults, the bytes at stake of
    those of which that is known, and MAX_SMALL of which that are most. These are told one by one:
    no judgement of a table's layout is made of them."""

    findings: tuple[Finding, ...]
    failed: Mapping[str, str]
    too_small: int = 0
    too_small_bytes: int = 0
    largest_small: tuple[Finding, ...] = ()


def judge(  # noqa: PLR0913  # all that findings depend on
    workload: Aggregates,
    tables: Mapping[TableName, KnownTable],
    policy: Policy,
    window: Window,
    history: History = NO_HISTORY,
    trying: Trying = untried,
    *,
    what_if: bool = False,
) -> Judgement:
    """The findings of a window: what may be wrong first, then by bytes at stake, and what is no
    fault last but for suppressed ones, which say why. Layouts that findings ask for are tried
    before, and, if asked `what_if`, indexes. A cause that fails on a table is told; the other
    causes of the table and the other tables are judged."""
    day = (window.end - dt.timedelta(microseconds=1)).date()
    findings: list[Finding] = []
    small: list[Finding] = []
    failed: dict[str, str] = {}
    waiting: list[_Suspected] = []
    window_bytes = sum(group.totals.bytes_read for group in workload.groups.values())

    def told(finding: Finding, usage: TableUsage) -> Finding:
        return with_step(with_statements(usage, with_example(usage, finding, policy.query_links)))

    def settle(one: _Suspected, reads: Mapping[Change, Read]) -> None:
        name = one.usage.table
        doing, clock = f"judging the layout of {name}", one.usage.clock
        settled = attempt(doing, clock.timed(_settled), one, reads)
        # Where that fails there are none: findings that are not settled contradict each other.
        if isinstance(settled, PrunescopeError):
            failed[f"layout of {name}"] = str(settled)
        else:
            findings.extend(told(found, one.usage) for found in settled.worth)
            small.extend(told(found, one.usage) for found in settled.too_small)

    for name, groups in sorted(_by_table(workload).items(), key=lambda found: str(found[0])):
        if name not in tables:
            continue
        known = tables[name]
        thresholds = replace(policy.thresholds_of(name), window_bytes=window_bytes)
        summing = known.clock.timed(table_usage)
        doing = f"summing up the queries of {name}"
        read: TableUsage | PrunescopeError | None = workload.failed.get(name)
        if read is None:
            read = attempt(doing, summing, name, groups, known, thresholds, CAUSES, history)
        if isinstance(read, PrunescopeError):
            failed |= {f"{cause.id} of {name}": str(read) for cause in CAUSES}
            continue
        days = days_seen(window, read.past_health)
        usage = replace(
            read,
            overwrites=workload.overwrites(name),
            changing=workload.changing(name, read.schema),
            days_seen=days,
            rewrite_bytes=policy.rewrite_bytes,
        )
        suspected: list[Finding] = []
        for cause in CAUSES:
            doing = f"judging {cause.id} of {name}"
            found = attempt(doing, known.clock.timed(_found), cause, usage, policy, day)
            if isinstance(found, PrunescopeError):
                failed[f"{cause.id} of {name}"] = str(found)
            else:
                suspected += found.worth
                small += [told(one, usage) for one in found.too_small]
        doing = f"preparing trials of {name}"
        trial = attempt(doing, known.clock.timed(_trial_of), usage, suspected, what_if=what_if)
        if isinstance(trial, Trial):
            waiting.append(_Suspected(usage, suspected, trial))
        else:  # what is not tried is judged by what is known of scans
            settle(_Suspected(usage, suspected), {})
    reads = trying([one.trial for one in waiting if one.trial is not None]) if waiting else {}
    for one in waiting:
        settle(one, reads.get(one.usage.table, {}))
    lost = sum(finding.bytes_at_stake or 0 for finding in small)
    largest = tuple(nsmallest(MAX_SMALL, small, key=_rank))
    return Judgement(tuple(sorted(findings, key=_rank)), failed, len(small), lost, largest)


@dataclass(slots=True)
class _Found:
    """Findings of a table: those worth reporting, and faults that are too small."""

    worth: list[Finding] = field(default_factory=list)
    too_small: list[Finding] = field(default_factory=list)

    def add(self, finding: Finding, usage: TableUsage) -> None:
        """Adds a finding, suppressed or not."""
        size = None if usage.health is None else usage.health.bytes
        if is_reported(finding, usage.thresholds, size):
            self.worth.append(finding)
        elif finding.suppressed is None and finding.severity is not Severity.INFO:
            self.too_small.append(finding)


def _by_table(workload: Aggregates) -> dict[TableName, dict[GroupKey, GroupSums]]:
    found: dict[TableName, dict[GroupKey, GroupSums]] = {name: {} for name in workload.failed}
    for key, sums in workload.groups.items():
        found.setdefault(key.table, {})[key] = sums
    return found


@dataclass(frozen=True, slots=True)
class _Suspected:
    """A table, what its causes find, each by itself, and how the layouts that these ask for are
    tried, if they ask for any."""

    usage: TableUsage
    findings: Sequence[Finding]
    trial: Trial | None = None


def _trial_of(usage: TableUsage, findings: Sequence[Finding], *, what_if: bool) -> Trial | None:
    merging = [one.fix.change for one in findings if merges_in_order(one)]
    indexes = indexes_of(usage) if what_if else ()
    wishes = (change for one in findings for change in one.fix.wish.any_of)
    beside = [*map(sort_by, indexes), *map(in_present_fields, wishes)]
    return trial_of(usage, [*proposed(usage, findings), *merging, *beside], indexes)


def _settled(one: _Suspected, reads: Mapping[Change, Read]) -> _Found:
    """The findings of a table that are worth telling, with one change of its layout."""
    usage = one.usage
    known = {} if one.trial is None else tried(one.trial, reads, opening_cost(usage))
    found = _Found()
    for finding in prescribed(usage, one.findings, known):
        found.add(keeping_bounds(finding, modes_of(usage, finding.fix.change)), usage)
    return found


def _found(cause: Cause, usage: TableUsage, policy: Policy, day: dt.date) -> _Found:
    found = _Found()
    for finding in _united(cause.find(usage)):
        found.add(_suppressed(finding, policy, day), usage)
    found.worth = [keeping_order(usage, one) for one in found.worth]
    return found


def _united(findings: Iterable[Finding]) -> list[Finding]:
    """Findings that say the same of the same query, as one: a query can scan a table more than
    once, with filters that differ elsewhere, or be asked of several versions of an engine."""
    by_subject: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        subject = (
            *(finding.fingerprint, finding.conjunct, finding.columns, finding.sentence),
            *(finding.fix.rewrite, finding.fix.advice),
        )
        known = by_subject.get(subject)
        by_subject[subject] = finding if known is None else _sum(known, finding)
    return list(by_subject.values())


def _sum(known: Finding, more: Finding) -> Finding:
    stakes = (known.bytes_at_stake, more.bytes_at_stake)
    return replace(
        known,
        scans=known.scans + more.scans,
        bytes_read=known.bytes_read + more.bytes_read,
        bytes_at_stake=None if None in stakes else sum(stake or 0 for stake in stakes),
    )


def _suppressed(finding: Finding, policy: Policy, day: dt.date) -> Finding:
    suppression = policy.suppressed_by(finding, day)
    return finding if suppression is None else replace(finding, suppressed=suppression.reason)


def _rank(finding: Finding) -> tuple[bool, bool, bool, int, int]:
    return (
        finding.suppressed is not None,
        finding.severity is Severity.INFO,
        finding.severity is not Severity.CRITICAL,
        -(finding.bytes_at_stake or 0),
        -finding.bytes_read,
    )
