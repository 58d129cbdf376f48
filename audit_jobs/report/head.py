"""Head of a report in words: what fixes would skip, how much was read, and what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.results.columns import Row, count_of
from prunescope.audit_jobs.results.stakes import counted_stake
from prunescope.audit_jobs.results.sums import RunSums, table_key
from prunescope.audit_jobs.units import of, plural, size
from prunescope.collectors.outcomes import Outcome, Standing

TABLES_FAILED = ("tables_failed", "tables_set_aside")
"""The columns of audit_runs that name tables without results."""
_NAMED = 3
_QUERIES, _TABLES, _NOTHING = "change queries", "change tables", "no fix known"


@dataclass(frozen=True, slots=True)
class FixKind:
    """The findings that one kind of fix answers: their bytes at stake, their number, and their
    tables."""

    name: str
    stake: str
    findings: str
    tables: str


def headline(told: Sequence[Row], worse: int, sums: RunSums) -> str:
    """The most important sentence about the findings of a run."""
    critical = sum(row["severity"] == Severity.CRITICAL for row in told)
    if critical:
        return f"Results may be wrong: {plural(critical, 'critical finding')}"
    if worse:
        return f"{plural(worse, 'query', 'queries')} regressed"
    fixable = [row for row in told if counted_stake(row) and _kind(row) != _NOTHING]
    if fixable:
        stake = sum(counted_stake(row) or 0 for row in fixable)
        return f"{plural(len(fixable), 'fix', 'fixes')} would skip {_of_read(stake, sums)}"
    if told:
        return f"{plural(len(told), 'finding')}, avoidable bytes unknown"
    return "No findings in this window"


def fix_kinds(told: Sequence[Row]) -> tuple[FixKind, ...]:
    """The bytes at stake by kind of fix; kinds that no finding asks for are left out."""
    kinds: dict[str, list[Row]] = {_QUERIES: [], _TABLES: [], _NOTHING: []}
    for row in told:
        if counted_stake(row):
            kinds[_kind(row)].append(row)
    return tuple(_fix_kind(name, rows) for name, rows in kinds.items() if rows)


def _kind(row: Row) -> str:
    if row["fix_spark"] or row["fix_trino"]:
        return _TABLES
    return _QUERIES if row["rewrite"] else _NOTHING


def _fix_kind(name: str, rows: Sequence[Row]) -> FixKind:
    tables = list(dict.fromkeys(str(table_key(row)) for row in rows))
    more = len(tables) - _NAMED
    named = ", ".join(tables[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    stake = size(sum(counted_stake(row) or 0 for row in rows))
    return FixKind(name, stake, plural(len(rows), "finding"), named)


def lead(sums: RunSums) -> str:
    """The number of scans, and what they would read if planners used all statistics."""
    scans = sum(table.scans for table in sums.tables.values())
    if not scans:
        return "No scan of the window could be replayed."
    rate = sums.all_scans.false_keep_rate
    in_vain = "" if rate is None else f" In files without a matching row: {rate} of the bytes read."
    told = f"{plural(scans, 'scan')} of {plural(len(sums.tables), 'table')}.{in_vain}"
    compared = [
        (bytes_.kept, bytes_.allowed)
        for bytes_ in (table.passes["bytes"] for table in sums.tables.values())
        if bytes_.scans and bytes_.allowed is not None
    ]
    if not compared:
        return told
    kept, allowed = (sum(part) for part in zip(*compared, strict=True))
    unknown = len(sums.tables) - len(compared)
    but = f" (without {plural(unknown, 'table')} whose numbers are unknown)" if unknown else ""
    if allowed >= kept:
        return (
            f"{told} Pruning uses all available statistics{but}. To read less, change the layout."
        )
    share = f"{allowed / kept:.0%}"
    return f"{told} Best case with current layouts: {size(allowed)} ({share} of the bytes){but}."


def bytes_kept(sums: RunSums) -> int | None:
    """The bytes of data files that scans keep; None if no scan has them."""
    known = [table.passes["bytes"] for table in sums.tables.values()]
    return sum(bytes_.kept for bytes_ in known) if any(b.scans for b in known) else None


def _of_read(stake: int, sums: RunSums) -> str:
    kept = bytes_kept(sums)
    return f"{of(stake, kept)} read ({min(stake / kept, 1):.0%})" if kept else size(stake)


def failures(run: Row) -> str:
    """The log entries and tables of a run that failed, in words; nothing if none did."""
    queries = dict(run["queries"])
    faults = sum(n for name, n in queries.items() if _is_fault(name))
    tables = sum(count_of(run, name) or 0 for name in TABLES_FAILED)
    entries = plural(sum(queries.values()), "log entry", "log entries")
    told = [f"{faults:,} of {entries} failed"] if faults else []
    if tables:
        told.append(f"{plural(tables, 'table')} could not be read")
    return ", ".join(told)


def _is_fault(outcome: str) -> bool:
    return any(one == outcome and one.standing is Standing.FAULT for one in Outcome)
