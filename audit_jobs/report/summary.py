"""Summary at the head of a report, in words: for the template."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from prunescope.audit_jobs.findings.catalogue import is_repeated, title_of
from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.report.head import (
    TABLES_FAILED,
    FixKind,
    bytes_kept,
    failures,
    fix_kinds,
    headline,
    lead,
)
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.fixed_findings import FIXED, Mended, State, told_states
from prunescope.audit_jobs.results.stakes import counted_stake
from prunescope.audit_jobs.results.sums import RunSums, table_key
from prunescope.audit_jobs.sinks.run_rows import RunRows
from prunescope.audit_jobs.units import plural, size

_TOP = 5
_WORSE = 10
_REASONS = 3

_FAILED = (*TABLES_FAILED, "causes_failed", "tables_unmeasured")
"""The columns of audit_runs that name what did not work, worst first."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that the page begins with."""

    name: str
    number: str
    more: str


@dataclass(frozen=True, slots=True)
class Story:
    """A finding in short. `share` is the share of all read bytes that is at stake, `before` and
    `now` the kept shares of a query that got worse; all in percent, None if unknown."""

    key: str
    title: str
    severity: str
    table: str
    fingerprint: str | None
    scans: str
    sentence: str
    condition: str | None
    stake: str
    read: str
    share: float | None
    before: float | None
    now: float | None


@dataclass(frozen=True, slots=True)
class Fixed:
    """A finding that is fixed, or in part, in short: shares that its queries keep, in percent."""

    table: str
    title: str
    queries: str
    last_found: str
    before: float
    promised: float
    now: float
    saved: str
    remark: str


@dataclass(frozen=True, slots=True)
class ShownReason:
    """A message, its place, and the number of its occurrences."""

    message: str
    where: str


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """An outcome of some inputs."""

    name: str
    inputs: str
    reasons: tuple[ShownReason, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a run for the template; `worse` and `top` share no finding."""

    window: str
    status: str
    sentence: str
    kinds: tuple[FixKind, ...]
    lead: str
    failures: str
    figures: tuple[Figure, ...]
    worse: tuple[Story, ...]
    top: tuple[Story, ...]
    fixed: tuple[Fixed, ...]
    fixed_more: int
    earlier: str
    outcomes: tuple[ShownOutcome, ...]
    failed: tuple[tuple[str, str], ...]
    footer: str


def summary_of(rows: RunRows) -> Summary:
    """The summary of a run. The same rows make the same summary."""
    run, sums = rows.run, rows.sums
    told = [row for row in rows.findings if row["suppressed"] is None]
    earlier = rows.promises
    fixed = [one for one in earlier if one.state in FIXED]
    worse = sorted((row for row in told if is_repeated(row["cause"])), key=_most_at_stake)
    others = sorted((row for row in told if not is_repeated(row["cause"])), key=_most_at_stake)
    top = [row for row in others if row["bytes_at_stake"]]
    return Summary(
        window=window_text(run["window_start"], run["window_end"]),
        status=run["status"],
        sentence=headline(told, len(worse), sums),
        kinds=fix_kinds(told),
        lead=lead(sums),
        failures=failures(run),
        figures=_figures(rows, sums, told),
        worse=tuple(_story(row) for row in worse[:_WORSE]),
        top=tuple(_story(row) for row in top[:_TOP]),
        fixed=tuple(_fixed(one) for one in fixed[:_TOP]),
        fixed_more=max(len(fixed) - _TOP, 0),
        earlier=told_states(earlier) if earlier else "",
        outcomes=_outcomes(run, sums),
        failed=tuple(item for name in _FAILED for item in dict(run[name] or ()).items()),
        footer=_footer(run),
    )


def window_text(start: dt.datetime, end: dt.datetime) -> str:
    """A span of time in UTC in words: a day if it is one."""
    start, end = start.astimezone(dt.UTC), end.astimezone(dt.UTC)
    midnights = all(moment.time() == dt.time() for moment in (start, end))
    if not midnights:
        return f"{_date(start)}, {start:%H:%M} to {_date(end)}, {end:%H:%M} UTC"
    last = end - dt.timedelta(days=1)
    return f"{_date(start)} (UTC)" if last <= start else f"{_date(start)} to {_date(last)} (UTC)"


def _date(moment: dt.datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _most_at_stake(row: Row) -> tuple[int, int]:
    return -(row["bytes_at_stake"] or 0), row["rank"]


def _figures(rows: RunRows, sums: RunSums, told: Sequence[Row]) -> tuple[Figure, ...]:
    queries = dict(rows.run["queries"])
    severities = Counter(row["severity"] for row in told)
    stakes = [stake for stake in map(counted_stake, told) if stake]
    data = [table.passes["bytes"] for table in sums.tables.values()]
    total = [bytes_.total for bytes_ in data]
    of_all = "" if None in total else f"of {size(sum(filter(None, total)))} in the tables scanned"
    by_severity = ", ".join(f"{severities[s]:,} {s}" for s in Severity if severities[s])
    return (
        Figure("Read", size(bytes_kept(sums)), of_all),
        Figure(
            "Could skip",
            size(sum(stakes)) if stakes else "none",
            f"in {plural(len(stakes), 'finding')}" if stakes else "",
        ),
        Figure("Findings", f"{len(told):,}", by_severity or "none open"),
        Figure(
            "Replayed",
            f"{queries.get(REPLAYED, 0):,}",
            f"of {plural(sum(queries.values()), 'log entry', 'log entries')}",
        ),
    )


def _story(row: Row) -> Story:
    evidence = json.loads(row["evidence"])
    stake, read = row["bytes_at_stake"], row["bytes_read"]
    return Story(
        key=row["finding_key"],
        title=title_of(row["cause"]),
        severity=row["severity"],
        table=str(table_key(row)),
        fingerprint=row["fingerprint"],
        scans=plural(row["scans"], "scan"),
        sentence=row["sentence"],
        condition=row["conjunct"],
        stake=size(stake),
        read=size(read),
        share=_percent(stake / read if stake is not None and read else None),
        before=_percent(evidence.get("usual_kept_ratio")),
        now=_percent(evidence.get("kept_ratio")),
    )


def _fixed(one: Mended) -> Fixed:
    first, *more = one.fingerprints or [None]
    return Fixed(
        table=str(one.table),
        title=title_of(one.cause),
        queries=f"query {first}" if first and not more else plural(one.scans, "scan"),
        last_found=_date(one.last_found.astimezone(dt.UTC)),
        before=round(one.before * 100, 2),
        promised=round(one.promised * 100, 2),
        now=round(one.after * 100, 2),
        saved=size(one.bytes_saved) if one.bytes_saved else "",
        remark="" if one.state is State.KEPT else "In part: less than promised.",
    )


def _percent(share: object) -> float | None:
    return round(min(share, 1.0) * 100, 2) if isinstance(share, int | float) else None


def _outcomes(run: Row, sums: RunSums) -> tuple[ShownOutcome, ...]:
    """Replayed inputs first, then the most frequent."""
    queries = dict(run["queries"])
    ordered = sorted(
        {**dict.fromkeys(sums.reasons, 0), **queries}.items(),
        key=lambda item: (item[0] != REPLAYED, -item[1], item[0]),
    )
    return tuple(
        ShownOutcome(
            name.replace("_", " "),
            f"{inputs:,}",
            tuple(
                ShownReason(
                    reason.message,
                    reason.place
                    if reason.rows == 1
                    else f"{reason.rows:,} ×, for example {reason.place}",
                )
                for reason in sums.reasons.get(name, ())[:_REASONS]
            ),
        )
        for name, inputs in ordered
    )


def _footer(run: Row) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in dict(run["versions"]).items())
    return (
        f"Run {run['run_id']}, finished {run['finished_at'].astimezone(dt.UTC):%Y-%m-%d %H:%M} "
        f"UTC after {run['duration_seconds']:,.1f} s. {plural(run['footers_read'], 'footer')} "
        f"read{_unread(run)}. {versions}."
    )


def _unread(run: Row) -> str:
    unread = run["footers_unread"]
    return f", {unread:,} could not be" if unread else ""
