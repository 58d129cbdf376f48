"""Whether advice helped: what was promised, beside what the same queries keep once the table was
changed so. Judged from rows of the audit tables alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from audit_jobs.advice.candidates import Curve
from audit_jobs.advice.intervals import Interval

DAYS = 28
"""For how many days after a rewrite queries are compared with what was promised of it."""
MIN_RUNS = 0.5
"""The part of the runs that a promise rests on whose queries have to have run again."""

Name = tuple[str, str, str]
"""Catalog, namespace (its parts joined by dots) and name of a table."""


class Kind(StrEnum):
    """What is advised, and what of a table's bytes scans keep by it: partitions and an order (of
    data files), what is inside of files (of their row groups), the order of manifests (of
    these)."""

    LAYOUT = "layout"
    INSIDE = "inside_files"
    MANIFESTS = "manifests"


class State(StrEnum):
    """What became of a piece of advice: the table is as it was; it has the fields, the order and
    the settings, and most files are older; it has been rewritten so; it was rewritten, and metadata
    does not tell in which order; other advice came before any of that."""

    OPEN = "open"
    STARTED = "started"
    APPLIED = "applied"
    REWRITTEN = "rewritten"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Layout:
    """The partition fields and sort columns of new files, None where nobody can tell the fields;
    the bytes of their row groups and the columns with bloom filters, as far as these are set."""

    partition: tuple[str, ...] | None
    sort: tuple[str, ...]
    row_group_bytes: int | None = None
    bloom_filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Advised:
    """What was advised: partition fields and an order by columns (None: those that there are), the
    bytes of row groups (likewise), columns to have bloom filters, and fields to order manifests
    by."""

    partition: tuple[str, ...] | None = None
    order: str | None = None
    columns: tuple[str, ...] = ()
    row_group_bytes: int | None = None
    bloom_filters: tuple[str, ...] = ()
    manifests_by: tuple[str, ...] = ()

    @property
    def is_told(self) -> bool:
        """Whether a table's metadata tells that it has the order: a curve leaves no trace."""
        return self.order in (None, Curve.SORT)

    def is_layout(self, found: Layout) -> bool:
        """Whether new files of a table get it, as far as its metadata tells."""
        if self.partition is not None and (
            found.partition is None or sorted(found.partition) != sorted(self.partition)
        ):
            return False
        if self.is_told and found.sort[: len(self.columns)] != self.columns:
            return False
        if self.row_group_bytes not in (None, found.row_group_bytes):
            return False
        return set(self.bloom_filters) <= set(found.bloom_filters)


@dataclass(frozen=True, slots=True)
class Promise:
    """What was advised for a table when it was of a `layout` and its last commit had a sequence
    number (0 if commits have none): None to keep it as it is. Shares of the table's bytes, or of
    its manifests, that a scan keeps, on average: as it was, and as predicted, with the interval.
    `runs` are those of the log, by the shape of the query."""

    table: Name
    kind: Kind
    at: dt.datetime
    advised: Advised | None
    layout: Layout
    sequence_number: int
    before: float
    promised: Interval | None
    runs: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as an audit saw it that finished then: see `TableHealth.added_since` and
    `TableHealth.listed_since`."""

    at: dt.datetime
    layout: Layout
    added_since: int | None
    listed_since: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """What scans of one shape kept, of all bytes of their tables, or of all manifests."""

    scans: int
    bytes: int
    whole: int


@dataclass(frozen=True, slots=True)
class Followed:
    """A piece of advice and what became of it. `kept` is the share of what it promised of that
    `scans` of the same queries kept since it was `applied_at` (up to `until`); None where too few
    ran."""

    promise: Promise
    state: State
    applied_at: dt.datetime | None = None
    until: dt.datetime | None = None
    kept: float | None = None
    scans: int = 0

    @property
    def within(self) -> bool | None:
        """Whether that is within the interval that was promised; None where it is not known, or
        not known whether the advice was followed."""
        promised = self.promise.promised
        if self.kept is None or promised is None or self.state is not State.APPLIED:
            return None
        return promised.low <= self.kept <= promised.high


ReadKept = Callable[[Name, Kind, dt.datetime, dt.datetime], Mapping[str, Kept]]
"""What scans of a table kept, as a kind of advice counts it, that started from one time on and
before another, by the shapes of their queries."""


def followed(
    promises: Iterable[Promise], seen: Mapping[Name, Sequence[Seen]], kept: ReadKept
) -> tuple[Followed, ...]:
    """Each piece of advice once, the newest first. Rows that say the same one after another are one
    piece: what it promised is what the last one said before the table was rewritten."""
    found: list[Followed] = []
    ordered = sorted(promises, key=lambda one: (one.table, one.kind, one.at))
    for (table, _), of_table in groupby(ordered, key=lambda one: (one.table, one.kind)):
        nights = sorted(seen.get(table, ()), key=lambda one: one.at)
        found += _of_table(list(of_table), nights)
    judged = (one if one.applied_at is None else _judged(one, kept) for one in found)
    return tuple(sorted(judged, key=lambda one: one.promise.at, reverse=True))


def hit_rate(found: Iterable[Followed]) -> tuple[int, int]:
    """How many pieces of advice kept what they promised, and of how many that is known."""
    known = [one.within for one in found if one.within is not None]
    return sum(known), len(known)


def _of_table(promises: Sequence[Promise], nights: Sequence[Seen]) -> list[Followed]:
    """The pieces of advice of one kind for one table, in order."""
    pieces: list[list[Promise]] = []
    superseded: list[bool] = []
    for promise in promises:
        last = pieces[-1] if pieces else None
        done = None if last is None else _applied(last, nights)
        is_done = done is not None and done[1].at <= promise.at
        if last is not None and not is_done and last[-1].advised == promise.advised:
            last.append(promise)
            continue
        if last is not None and not is_done:
            superseded[-1] = not _is_begun(last[-1], promise.layout)
        pieces.append([promise])
        superseded.append(False)
    return [
        _followed(piece, nights, superseded=over)
        for piece, over in zip(pieces, superseded, strict=True)
        if piece[0].advised is not None
    ]


def _is_begun(promise: Promise, layout: Layout) -> bool:
    """Whether the fields, the order and the settings of a table were changed as was advised: new
    manifests are there at once."""
    advised = promise.advised
    if advised is None or promise.kind is Kind.MANIFESTS:
        return False
    return advised.is_told and advised.is_layout(layout)


def _applied(piece: Sequence[Promise], nights: Sequence[Seen]) -> tuple[Promise, Seen] | None:
    """The first night that saw the table rewritten as advised, and the last promise before."""
    for night in nights:
        for promise in reversed(piece):
            if promise.at < night.at and _is_rewritten(promise, night):
                return promise, night
    return None


def _is_rewritten(promise: Promise, night: Seen) -> bool:
    number, added = promise.sequence_number, night.added_since
    if promise.advised is None or number <= 0:
        return False
    if promise.kind is Kind.MANIFESTS:
        # Manifests of files that are older, or that do not tell when these were added.
        is_listed = night.listed_since is not None and night.listed_since > number
        return is_listed and (added is None or added <= number)
    return promise.advised.is_layout(night.layout) and added is not None and added > number


def _followed(piece: Sequence[Promise], nights: Sequence[Seen], *, superseded: bool) -> Followed:
    applied = _applied(piece, nights)
    promise, advised = piece[-1], piece[-1].advised
    assert advised is not None
    if applied is not None:
        promise, night = applied
        left = (n.at for n in nights if n.at > night.at and not advised.is_layout(n.layout))
        until = min((*left, night.at + dt.timedelta(days=DAYS)))
        state = State.APPLIED if advised.is_told else State.REWRITTEN
        return Followed(promise, state, night.at, until)
    if superseded:
        return Followed(promise, State.SUPERSEDED)
    later = [night for night in nights if night.at > promise.at]
    if later and _is_begun(promise, later[-1].layout):
        return Followed(promise, State.STARTED)
    return Followed(promise, State.OPEN)


def _judged(one: Followed, read: ReadKept) -> Followed:
    """With what the queries keep: a ratio of sums."""
    assert one.applied_at is not None
    assert one.until is not None
    runs = one.promise.runs
    found = read(one.promise.table, one.promise.kind, one.applied_at, one.until)
    again = {shape: kept for shape, kept in found.items() if shape in runs and kept.whole}
    whole = sum(kept.whole for kept in again.values())
    scans = sum(kept.scans for kept in again.values())
    if not whole or sum(runs[shape] for shape in again) < MIN_RUNS * sum(runs.values()):
        return replace(one, scans=scans)
    share = sum(kept.bytes for kept in again.values()) / whole
    return replace(one, kept=share, scans=scans)
