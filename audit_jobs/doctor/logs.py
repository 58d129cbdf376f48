"""Checks of query logs: their contents, their span of time, and the part that can be replayed."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from time import monotonic

from prunescope.audit_jobs.catalog_names import CatalogNames
from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.doctor.model import Check, State, ok
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.sources import find_logs, read_queries, storage_of_logs
from prunescope.audit_jobs.records import Elsewhere, Window
from prunescope.audit_jobs.sources.source import Log, Logs
from prunescope.audit_jobs.starter.recognise import recognise
from prunescope.audit_jobs.windows import AHEAD, days_text
from prunescope.audit_jobs.workload.queries import NamedTables
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import Rejected, ScanReport
from prunescope.collectors.outcomes import CLEAN, Outcome
from prunescope.collectors.storage.files import Storage

SECONDS = 60.0
"""The seconds for which one source is read."""
_QUERIES = ("queries", "query")
_NO_CATALOG = "no catalog"
_NO_QUERY = "check that the engine writes logs"
_NO_TIME = (
    "every audit counts queries without a time again: write the time into the log, or, for "
    "sql_records, name the field that has it: fields: {started_at: …}"
)
_NAME_THE_DIALECT = (
    "texts that name no engine are read as Trino's: if another one wrote them, say which, as with "
    "engine: bigquery or engine: snowflake, or say dialect:"
)
_REMEDY = "docs/audit.md explains each of these outcomes"


@dataclass
class Seen:
    """Contents of a source in a window: queries by engine, those on tables of configured catalogs,
    other catalogs, failures by code and the reason of the first, reports; and its entries
    elsewhere. `timeless` queries have no time, and are of every window. `known` has hashes of ids
    with their texts, `kinds` the other kinds of its files."""

    engines: Counter[str] = field(default_factory=Counter)
    ours: int = 0
    others: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    why: str | None = None
    reports: int = 0
    timeless: int = 0
    known: set[int] = field(default_factory=set)
    elsewhere: list[Elsewhere] = field(default_factory=list)
    first: dt.datetime | None = None
    last: dt.datetime | None = None
    is_whole: bool = True
    kinds: tuple[str, ...] = ()

    def add(self, found: object, catalogs: CatalogNames) -> None:
        """Counts one input."""
        match found:
            case Elsewhere():
                self.elsewhere.append(found)
            case Rejected():
                self.failures[found.reason] += found.inputs
                if found.reason not in CLEAN:
                    self.why = self.why or f"{found.location}: {found.message}"
            case ScanReport():
                self.reports += 1
            case NamedTables(query, tables):
                self.engines[query.engine or "unknown engine"] += 1
                if query.sql is not None:
                    self.known.add(hash((query.query_id, query.sql)))
                moment = query.started_at
                self.timeless += moment is None
                if moment is not None:
                    self.first = min(self.first or moment, moment)
                    self.last = max(self.last or moment, moment)
                if found.failure is not None and not tables:
                    self.failures[found.failure.code] += 1
                elif any(catalogs.known(name.catalog) is not None for name in tables):
                    self.ours += 1
                else:
                    self.others.update({name.shown.catalog or _NO_CATALOG for name in tables})


def check_logs(config: AuditConfig, window: Window) -> Iterator[Check]:
    """Checks each source, and queries that two sources share."""
    read: list[tuple[str, Logs, Seen]] = []
    catalogs = CatalogNames.of(config)
    storage = storage_of_logs(config)
    for number, source in enumerate(config.sources):
        name = f"sources[{number}] {source.type}"
        seen = attempt(f"reading sources[{number}]", _read, source, storage, window, catalogs)
        if isinstance(seen, PrunescopeError):
            yield Check(name, State.FAILED, str(seen))
        else:
            yield judged(name, seen, window)
            read.append((name, source, seen))
    yield from _in_both(read)


def _in_both(read: Sequence[tuple[str, Logs, Seen]]) -> Iterator[Check]:
    """Warns of queries in two sources of different types: an audit recognises repeats only within
    one type."""
    for (one, of_one, seen), (other, of_other, also_seen) in combinations(read, 2):
        both = len(seen.known & also_seen.known)
        if both and of_one.type != of_other.type:
            detail = (
                f"{both:,} duplicate {_QUERIES[both == 1]} (same id and text): each counts twice"
            )
            yield Check(f"{one} and {other}", State.WARNING, detail, "leave one of them out")


def _read(source: Logs, storage: Storage, window: Window, catalogs: CatalogNames) -> Seen:
    until = monotonic() + SECONDS
    logs, missing = find_logs([source], storage)
    seen = Seen()

    def in_time() -> Iterator[Log]:
        """The logs that can still be begun: one without entries of the window takes time as
        well."""
        for log in logs:
            if monotonic() > until:
                seen.is_whole = False
                return
            yield log

    for found in chain(missing, read_queries(in_time(), storage, window)):
        seen.add(found, catalogs)
        if monotonic() > until:
            seen.is_whole = False
            break
    if (not seen.engines and not seen.reports) or seen.failures.keys() - CLEAN:
        seen.kinds = tuple(_other_kinds(source, storage))
    if source.has_assumed_dialect and Outcome.UNPARSEABLE in seen.failures:
        seen.kinds += (_NAME_THE_DIALECT,)
    return seen


def _other_kinds(source: Logs, storage: Storage) -> Iterator[str]:
    """The kinds that `init` would assign to files of a source, if they differ from its type."""
    for path in source.paths:
        found = attempt(f"looking into {path}", recognise, path, storage)
        if isinstance(found, PrunescopeError):
            continue
        others = [one for one in found.sources if one.source.type != source.type]
        for one in others:
            files = "the file is" if found.files == 1 else f"{one.files} of {found.files} files are"
            yield f"{path}: {files} {one.source.what}: write type: {one.source.type}" + (
                ""
                if len(others) == len(found.sources)
                else ", in a source of its own, with a glob for each"
            )


def judged(name: str, seen: Seen, window: Window) -> Check:
    """The check of a source."""
    days = (window.end - window.start) / dt.timedelta(days=1)
    queries = seen.engines.total()
    lost = _listed({code: n for code, n in seen.failures.items() if code not in CLEAN})
    clean = _listed({code: n for code, n in seen.failures.items() if code in CLEAN})
    whole = "" if seen.is_whole else f" (of what was read in {SECONDS:g} s)"
    if not queries and not seen.reports:
        elsewhere = Elsewhere.together(seen.elsewhere)
        if elsewhere is not None:
            first, last = (f"{t:%Y-%m-%d %H:%M}" for t in (elsewhere.first, elsewhere.last))
            there = f"The log has {elsewhere.queries:,}, from {first} to {last}"
            detail = f"no queries in the last {days:g} days{whole}. {there}"
            days_told = days_text(elsewhere.first, elsewhere.last, dt.datetime.now(dt.UTC))
            remedy = AHEAD if days_told is None else f"prunescope audit --window {days_told}"
            return Check(name, State.WARNING, detail, remedy)
        kinds = "; ".join(seen.kinds)
        if lost:
            remedy = kinds or seen.why or _REMEDY
            return Check(name, State.FAILED, f"no query{whole}: {lost}", remedy)
        return Check(name, State.WARNING, f"no query at all{whole}", kinds or _NO_QUERY)
    engines = ", ".join(f"{n:,} of {engine}" for engine, n in seen.engines.most_common())
    limits = [f"{moment:%Y-%m-%d %H:%M}" for moment in (seen.first, seen.last) if moment]
    span = f", {' to '.join(limits)}" if limits else ""
    reports = f"{seen.reports:,} reports; " if seen.reports else ""
    detail = (
        f"{reports}{_of_window(seen, queries, days)}{whole}: "
        f"{engines or 'none'}{span}"
        f"; {seen.ours:,} on tables of the configured catalogs"
    )
    if clean:
        detail += f"; without a scan: {clean}"
    if lost:
        detail += f"; not read: {lost}"
    if queries and not seen.ours and (seen.others or not lost):
        named = ", ".join(name for name, _ in seen.others.most_common(3)) or "none"
        remedy = f"add the names that engines use to catalogs.NAME.aliases: queries name {named}"
        if [*seen.others] == [_NO_CATALOG]:
            remedy = "queries name no catalog, and none of several is the default: docs/catalogs"
        return Check(name, State.WARNING, detail, remedy)
    if lost:
        remedy = "; ".join(filter(None, (*seen.kinds, seen.why, _REMEDY)))
        return Check(name, State.WARNING, detail, remedy)
    if seen.timeless:
        return Check(name, State.WARNING, detail, _NO_TIME)
    return ok(name, detail)


def _of_window(seen: Seen, queries: int, days: float) -> str:
    """The number of queries, with and without a start time."""
    timed = queries - seen.timeless
    parts = [f"{timed:,} {_QUERIES[timed == 1]} of the last {days:g} days"]
    if seen.timeless:
        without = f"{seen.timeless:,} {_QUERIES[seen.timeless == 1]} without a time, which every "
        parts = [*(parts if timed else ()), f"{without}window takes"]
    return " and ".join(parts)


def _listed(counts: Mapping[str, int]) -> str:
    """The counts as text, the largest first."""
    return ", ".join(f"{n:,} {code}" for code, n in Counter(counts).most_common())
