"""Which findings of earlier windows are mended, and what that brought: the promise that a finding
made of a query's bytes, beside those that the same query keeps now."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from audit_jobs.findings.catalogue import is_repeated
from audit_jobs.findings.history import History, PastFinding, PastWindow
from audit_jobs.results.sums import PassSums, RunSums, ScanSums, TableKey, key_of

_KEPT_PROMISE = 0.5
"""The part of what was promised that has to have come true."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A finding that is not found any more, and which share of their table's bytes its queries
    keep: before, as was promised (None if nobody knew), and now. `bytes_saved` are those that the
    `scans` of this window would have kept beyond what they keep."""

    table: TableKey
    cause: str
    fingerprints: tuple[str, ...]
    last_found: dt.datetime
    scans: int
    before: float
    promised: float | None
    after: float
    bytes_saved: int


def mended(history: History, sums: RunSums, found: Collection[str]) -> tuple[Mended, ...]:
    """Findings of earlier windows whose keys are not `found` in this one, whose queries ran again
    and keep less: at least half of what was promised. A query that was rewritten is another query,
    and is not among them. Most bytes saved first."""
    windows: dict[tuple[object, dt.datetime], dict[str, PastWindow]] = defaultdict(dict)
    for (table, fingerprint), past_windows in history.queries.items():
        for window in past_windows:
            windows[table, window.start][fingerprint] = window
    compared = []
    for key, past in history.findings.items():
        if key in found or is_repeated(past.cause):
            continue
        then = {
            fingerprint: window
            for fingerprint, window in windows[past.table, past.start].items()
            if not past.fingerprints or fingerprint in past.fingerprints
        }
        compared.append(_compared(past, then, sums.queries.get(key_of(past.table), {})))
    return tuple(sorted((one for one in compared if one is not None), key=_most_saved))


def _most_saved(one: Mended) -> tuple[object, ...]:
    promised = -1.0 if one.promised is None else one.promised
    name = [part or "" for part in one.table]
    return -one.bytes_saved, name, one.cause, one.fingerprints, one.last_found, promised


def _compared(
    past: PastFinding, then: Mapping[str, PastWindow], now: Mapping[str, ScanSums]
) -> Mended | None:
    """The queries of a finding that ran both then and now."""
    whole, kept, expected, scans = 0, 0, 0.0, 0
    for fingerprint, window in then.items():
        ratio = window.kept_ratio
        if ratio is None or fingerprint not in now:
            continue
        bytes_ = now[fingerprint].passes["bytes"]
        scans += bytes_.scans
        whole += _whole(bytes_)
        kept += bytes_.kept
        expected += ratio * _whole(bytes_)
    if not whole:
        return None
    before, after = expected / whole, kept / whole
    promised = None
    if past.bytes_at_stake is not None:
        kept_then = sum(window.bytes_kept for window in then.values())
        promised = before * (1 - min(past.bytes_at_stake / kept_then, 1.0)) if kept_then else None
    if after >= before or after > before - _KEPT_PROMISE * (before - (promised or 0.0)):
        return None
    saved = round(expected) - kept
    names = tuple(sorted(past.fingerprints))
    return Mended(
        key_of(past.table), past.cause, names, past.start, scans, before, promised, after, saved
    )


def _whole(bytes_: PassSums) -> int:
    """All bytes of the tables that scans read, or those that they considered."""
    return bytes_.considered if bytes_.total is None else bytes_.total
