"""Promises of earlier findings and their outcome: the bytes that queries were to keep, and those
that the same queries keep now. Only what can be proven counts as fixed."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from prunescope.audit_jobs.findings.catalogue import asked_by
from prunescope.audit_jobs.findings.cause import Asks
from prunescope.audit_jobs.findings.history import History, PastFinding, PastHealth, PastWindow
from prunescope.audit_jobs.findings.rows import first_key, shapes_of
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.sums import (
    PassSums,
    RunSums,
    ScanSums,
    TableKey,
    key_of,
    table_key,
)
from prunescope.audit_jobs.units import plural
from prunescope.collectors.observed import TableName

_KEPT = 0.8
"""The part of what was promised that has to have come true for it to be kept: a promise is an
estimate from sampled rows."""
_PARTLY = 0.5
_FEWER = 0.5
"""A column's depth beside what it was, at most, for files to have been laid out anew by it."""
_SMALLER = 0.75
"""Likewise the share of all files that its depth is: of files in no order it is half or more."""
_NEW = 0.9
"""The part of a table's files that `added_since` tells of."""


class State(StrEnum):
    """State of a promise (docs/findings.md#what-was-fixed)."""

    KEPT = "kept"
    PARTLY = "partly"
    NOT_KEPT = "not kept"
    NOT_SEEN = "not seen"


_WORDS = {
    State.KEPT: "fixed",
    State.PARTLY: "fixed in part",
    State.NOT_KEPT: "with no change that would explain it",
    State.NOT_SEEN: "not seen again",
}
FIXED = (State.KEPT, State.PARTLY)
"""States that are reported as fixed, or as fixed in part."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A finding that is not found any more: the state of its promise, and the share of their
    table's bytes that its queries keep, before, as promised, and now. `saved` are the bytes by
    query that the `scans` of this window would have kept beyond those that they keep, without bytes
    that count for another promise."""

    table: TableKey
    cause: str
    fingerprints: tuple[str, ...]
    last_found: dt.datetime
    state: State
    scans: int = 0
    before: float = 0.0
    promised: float = 0.0
    after: float = 0.0
    saved: Mapping[str, int] = field(default_factory=dict)

    @property
    def bytes_saved(self) -> int:
        """The bytes saved by all queries of the finding."""
        return max(0, sum(self.saved.values()))


@dataclass(frozen=True, slots=True)
class Found:
    """A window with which promises are compared: its scans, its findings, also those that are
    suppressed or too small to be reported, and its tables."""

    sums: RunSums
    findings: Sequence[Row]
    tables: Mapping[TableKey, PastHealth]


def table_then(row: Mapping[str, Any], depth: Mapping[str, float]) -> PastHealth:
    """A table's past health, from a row of table_health of any version, and the depths of
    columns."""
    fields, columns = row.get("partition_fields"), row.get("sort_columns")
    return PastHealth(
        Window(row["window_start"], row["window_end"]),
        spec_id=row["spec_id"],
        data_files=row["data_files"],
        small_files=row["small_files"],
        manifests=row["manifests"],
        depth=depth,
        partition_fields=None if fields is None else frozenset(fields),
        sequence_number=row.get("sequence_number"),
        added_since=row.get("added_since"),
        sort_columns=None if columns is None else tuple(columns),
    )


def tables_of(health: Iterable[Row], columns: Iterable[Row]) -> dict[TableKey, PastHealth]:
    """Past health of tables, from rows of table_health and column_health."""
    depth: dict[TableKey, dict[str, float]] = defaultdict(dict)
    for row in columns:
        if row["depth"] is not None:
            depth[table_key(row)][row["column"]] = row["depth"]
    return {table_key(row): table_then(row, depth[table_key(row)]) for row in health}


def mended(history: History, found: Found) -> tuple[Mended, ...]:
    """The promises of findings of earlier windows that promised bytes of data files and are not
    found in this one, most bytes saved first. Bytes that a query keeps less count once, for the
    first promise in this order."""
    windows: dict[tuple[TableName, Window], dict[str, PastWindow]] = defaultdict(dict)
    for (table, fingerprint), past_windows in history.queries.items():
        for window in past_windows:
            windows[table, window.window][fingerprint] = window
    subjects = _Subjects.of(found.findings)
    compared = []
    for key, past in history.findings.items():
        asks = asked_by(past.cause)
        if not past.bytes_at_stake or asks is None or subjects.have(key, past):
            continue
        then = {
            fingerprint: window
            for fingerprint, window in windows[past.table, past.window].items()
            if not past.fingerprints or fingerprint in past.fingerprints
        }
        is_made = _is_made(past, asks, history, found.tables.get(key_of(past.table)))
        now = found.sums.queries.get(key_of(past.table), {})
        compared.append(_compared(past, then, now, is_made))
    told = _each_once(sorted(compared, key=_most_saved))
    return tuple(sorted(told, key=_most_saved))


def told_states(found: Sequence[Mended]) -> str:
    """A sentence with the number of promises in each state."""
    states = Counter(one.state for one in found)
    told = ", ".join(f"{states[state]:,} {_WORDS[state]}" for state in State if states[state])
    return f"{plural(len(found), 'finding')} of the last four weeks not found any more: {told}."


def state_of(*, before: float, promised: float, after: float, is_made: bool | None) -> State:
    """The state of a promise whose queries ran again, by the shares that they keep. `is_made` tells
    whether the requested change was made, None if unknown: without it, queries keep less because
    they ask for other values, or because other rows are there."""
    won, wanted = before - after, before - promised
    if is_made is None:
        return State.NOT_SEEN
    if not is_made or won < _PARTLY * wanted:
        return State.NOT_KEPT
    return State.KEPT if won >= _KEPT * wanted else State.PARTLY


@dataclass(frozen=True, slots=True)
class _Subjects:
    """The subjects of a window's findings: their keys; and, by cause and table, the columns and the
    queries of each."""

    keys: frozenset[str]
    by_cause: Mapping[tuple[str, TableKey], Sequence[tuple[frozenset[str], frozenset[str]]]]

    @classmethod
    def of(cls, rows: Iterable[Row]) -> _Subjects:
        keys = set()
        by_cause = defaultdict(list)
        for row in rows:
            columns, cause = row["columns"] or (), row["cause"]
            keys.add(first_key(cause, _name(row), row["fingerprint"], row["conjunct"], columns))
            by_cause[cause, table_key(row)].append((frozenset(columns), shapes_of(row)))
        return cls(frozenset(keys), by_cause)

    def have(self, key: str, past: PastFinding) -> bool:
        """True if a past finding is still open: it is found again, or another finding has its
        cause, for some of its columns and some of its queries."""
        columns = frozenset(past.columns)
        return key in self.keys or any(
            (columns & others or not columns | others)
            and (past.fingerprints & queries or not past.fingerprints or not queries)
            for others, queries in self.by_cause.get((past.cause, key_of(past.table)), ())
        )


def _name(row: Row) -> TableName:
    return TableName(row["catalog"], tuple((row["namespace"] or "").split(".")), row["table"])


def _is_made(
    past: PastFinding, asks: Asks, history: History, now: PastHealth | None
) -> bool | None:
    """True if the change that a finding asked for was made since; None if the table's state then or
    now is unknown. A query is unchanged as long as its fingerprint is."""
    if asks is Asks.QUERY:
        return False
    windows = history.tables.get(past.table, ())
    then = next((one for one in windows if one.window == past.window), None)
    if then is None or now is None:
        return None
    if asks is Asks.FILES:
        return _is_rewritten(then, now)
    if any(_is_clustered(then, now, name) for name in past.columns):
        return True
    if _is_ordered_since(then, now, past.columns):
        return None
    if then.partition_fields is None or now.partition_fields is None:
        return None
    new = now.partition_fields - then.partition_fields
    if any(field == name or field.endswith(f"({name})") for field in new for name in past.columns):
        return _is_rewritten(then, now)
    return False


def _is_rewritten(then: PastHealth, now: PastHealth) -> bool | None:
    """True if most files are newer than the table's past state, and some of its files then are
    gone: a table that has grown tenfold was not rewritten."""
    if then.sequence_number is None or now.added_since is None:
        return None
    is_grown = then.data_files <= (1 - _NEW) * now.data_files
    return now.added_since > then.sequence_number and not is_grown


def _is_ordered_since(then: PastHealth, now: PastHealth, columns: Sequence[str]) -> bool:
    """Tells whether a table is now sorted by one of some columns, and was not then: if only part of
    its files are rewritten, the depth of a column does not show it."""
    if then.sort_columns is None or not now.sort_columns:
        return False
    return now.sort_columns[0] in columns and then.sort_columns[:1] != now.sort_columns[:1]


def _is_clustered(then: PastHealth, now: PastHealth, column: str) -> bool:
    """True if a value of a column is in far fewer files, by number and as a share of all: files
    that are merged, dropped or added change only one of these."""
    before, after = then.depth.get(column), now.depth.get(column)
    if before is None or after is None or not then.data_files or not now.data_files:
        return False
    shares = before / then.data_files, after / now.data_files
    return after <= _FEWER * before and shares[1] <= _SMALLER * shares[0]


def _compared(
    past: PastFinding,
    then: Mapping[str, PastWindow],
    now: Mapping[str, ScanSums],
    is_made: bool | None,
) -> Mended:
    """The promise of a finding and its outcome, by the queries that ran both then and now."""
    one = Mended(
        key_of(past.table),
        past.cause,
        tuple(sorted(past.fingerprints)),
        past.window.start,
        State.NOT_SEEN,
    )
    shares = {name: window.kept_ratio for name, window in then.items() if name in now}
    pairs = [(name, share, now[name].passes["bytes"]) for name, share in shares.items() if share]
    whole = sum(_whole(bytes_) for _, _, bytes_ in pairs)
    if not whole:
        return one
    saved = {name: round(share * _whole(bytes_)) - bytes_.kept for name, share, bytes_ in pairs}
    kept_then = sum(window.bytes_kept for window in then.values())
    before = sum(share * _whole(bytes_) for _, share, bytes_ in pairs) / whole
    after = sum(bytes_.kept for _, _, bytes_ in pairs) / whole
    promised = before * (1 - min((past.bytes_at_stake or 0) / kept_then, 1.0))
    return replace(
        one,
        state=state_of(before=before, promised=promised, after=after, is_made=is_made),
        scans=sum(bytes_.scans for _, _, bytes_ in pairs),
        before=before,
        promised=promised,
        after=after,
        saved=saved,
    )


def _most_saved(one: Mended) -> tuple[object, ...]:
    name = [part or "" for part in one.table]
    return -one.bytes_saved, name, one.cause, one.fingerprints, one.last_found, one.promised


def _each_once(ordered: Iterable[Mended]) -> Iterator[Mended]:
    """The promises with `saved` cut to queries whose bytes no earlier one in `ordered` counts."""
    told: set[tuple[TableKey, str]] = set()
    for one in ordered:
        if one.state in FIXED:
            own = {name: of for name, of in one.saved.items() if (one.table, name) not in told}
            told.update((one.table, name) for name in own)
            yield replace(one, saved=own)
        else:
            yield replace(one, saved={})


def _whole(bytes_: PassSums) -> int:
    """All bytes of the tables that scans read, or, if unknown, the bytes that they considered."""
    return bytes_.considered if bytes_.total is None else bytes_.total
