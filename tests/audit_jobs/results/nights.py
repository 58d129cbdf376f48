"""Nights of a table of which it is known what was done to it: files have ranges of two columns, and
scans keep those that may have a value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from prunescope.audit_jobs.findings.history import History, PastHealth, PastWindow
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from prunescope.audit_jobs.findings.rows import finding_row, keyed
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.fixed_findings import FIXED, Found, Mended, mended
from prunescope.audit_jobs.results.sums import SUMMED, PassSums, RunSums, ScanSums, key_of
from prunescope.audit_jobs.sinks.published_history import past_findings
from prunescope.collectors.observed import TableName

DAY = dt.timedelta(days=1)
START = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
THEN, NOW = Window(START, START + DAY), Window(START + DAY, START + 2 * DAY)
ORDERS = TableName("lake", ("sales", "eu"), "orders")
VALUES = 1_000
"""Columns have the values from 0 to this one."""

Range = tuple[int, int]


@dataclass(frozen=True)
class File:
    """A data file, and the commit that added it."""

    bytes: int
    ranges: Mapping[str, Range]
    commit: int

    def may_have(self, column: str, value: int) -> bool:
        low, high = self.ranges[column]
        return low <= value <= high


@dataclass(frozen=True)
class Query:
    """So many runs that ask for a value of a column; of one that is `wrapped`, no planner makes
    anything."""

    column: str
    value: int
    runs: int = 1
    wrapped: bool = False

    @property
    def fingerprint(self) -> str:
        return f"f({self.column})" if self.wrapped else self.column

    def kept(self, files: Sequence[File]) -> int:
        return self.runs * sum(
            one.bytes for one in files if self.wrapped or one.may_have(self.column, self.value)
        )


@dataclass(frozen=True)
class Night:
    """A table and the queries of it."""

    files: tuple[File, ...]
    queries: tuple[Query, ...]
    table: TableName = ORDERS
    window: Window = THEN
    fields: frozenset[str] = frozenset()
    order: tuple[str, ...] | None = ()
    found: tuple[str, ...] = ()
    """The fingerprints of the queries of which a finding is found."""

    @property
    def commit(self) -> int:
        return max(one.commit for one in self.files)

    @property
    def whole(self) -> int:
        return sum(one.bytes for one in self.files)

    def health(self) -> PastHealth:
        newest = sorted((one.commit for one in self.files), reverse=True)
        depth = {}
        for column in ("a", "b"):
            lows = [one.ranges[column][0] for one in self.files]
            holding = [sum(one.may_have(column, low) for one in self.files) for low in lows]
            depth[column] = sum(holding) / len(holding)
        return PastHealth(
            self.window,
            len(self.fields),
            len(self.files),
            0,
            1,
            depth,
            self.fields,
            self.commit,
            newest[-(-9 * len(newest) // 10) - 1],
            self.order,
        )


def finding_of(night: Night, query: Query) -> Finding:
    """What a night promises of a query: that it keeps no more than an order would let it."""
    kept = query.kept(night.files)
    most = max(one.bytes for one in night.files)
    return Finding(
        cause="wrapped_column" if query.wrapped else "unclustered_column",
        severity=Severity.LOW,
        confidence=Confidence.HIGH,
        table=night.table,
        sentence="",
        scans=query.runs,
        bytes_read=kept,
        bytes_at_stake=max(0, kept - query.runs * most),
        fix=Fix(),
        fingerprint=query.fingerprint,
        columns=(query.column,),
        conjunct="?",
    )


def rows_of(night: Night, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    window = {"window_start": night.window.start, "window_end": night.window.end, "run_id": "r"}
    return [
        {**finding_row(key, 1, one), "evidence": "{}", **window} for key, one in keyed(findings)
    ]


def told(then: Night, now: Night) -> tuple[Mended, ...]:
    """What a night says of what the one before promised of all of its queries."""
    found = [finding_of(then, query) for query in then.queries]
    history = History(
        queries={
            (then.table, query.fingerprint): (
                PastWindow(
                    then.window,
                    query.runs,
                    query.kept(then.files),
                    query.runs * then.whole,
                    query.runs * len(then.files),
                ),
            )
            for query in then.queries
        },
        tables={then.table: (then.health(),)},
        findings=past_findings(rows_of(then, found)),
    )
    sums = {}
    for query in now.queries:
        whole = query.runs * now.whole
        kept = PassSums(query.runs, whole, whole, query.kept(now.files), None)
        passes = {**dict.fromkeys(SUMMED, PassSums()), "bytes": kept}
        sums[query.fingerprint] = ScanSums(query.runs, passes=passes)
    still = [finding_of(now, query) for query in now.queries if query.fingerprint in now.found]
    here = key_of(now.table)
    return mended(
        history, Found(RunSums(queries={here: sums}), rows_of(now, still), {here: now.health()})
    )


def fixed(then: Night, now: Night) -> list[str]:
    return sorted(one.fingerprints[0] for one in told(then, now) if one.state in FIXED)


# What is done to a table.


def in_order(night: Night, column: str, count: int | None = None) -> Night:
    """All rows written anew, in order of a column, into so many files."""
    count = count or len(night.files)
    step = VALUES / count
    other = {"a": "b", "b": "a"}[column]
    files = [
        File(
            night.whole // count,
            {column: (round(n * step), round((n + 1) * step) - 1), other: (0, VALUES - 1)},
            night.commit + 1,
        )
        for n in range(count)
    ]
    return replace(night, files=tuple(files))


def packed(night: Night) -> Night:
    """Files of which each has the rows of two."""
    pairs = [night.files[n : n + 2] for n in range(0, len(night.files), 2)]
    files = [
        File(
            sum(one.bytes for one in pair),
            {
                name: (
                    min(one.ranges[name][0] for one in pair),
                    max(one.ranges[name][1] for one in pair),
                )
                for name in ("a", "b")
            },
            night.commit + 1,
        )
        for pair in pairs
    ]
    return replace(night, files=tuple(files))


def grown(night: Night, times: int) -> Night:
    """With new rows, as those that are there."""
    files = [replace(one, commit=night.commit + n) for n in range(1, times) for one in night.files]
    return replace(night, files=(*night.files, *files))


def shrunk(night: Night) -> Night:
    """Without every other file."""
    return replace(night, files=night.files[::2])


def thinned(night: Night) -> Night:
    """With half of the rows of each file, which are written anew where they were."""
    commit = night.commit + 1
    files = [replace(one, bytes=max(1, one.bytes // 2), commit=commit) for one in night.files]
    return replace(night, files=tuple(files))


def asked(night: Night, **changes: Any) -> Night:
    return replace(night, queries=tuple(replace(one, **changes) for one in night.queries))


def next_night(night: Night) -> Night:
    return replace(night, window=NOW)
