"""Layouts that findings ask for, tried on a table's scans: which, on what, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunescope.audit_jobs.findings.bloom_filters import Index
from prunescope.audit_jobs.findings.disturbance import (
    Disturbance,
    columns_in_order,
    columns_skipped_by,
)
from prunescope.audit_jobs.findings.early_stop import STOPPED
from prunescope.audit_jobs.findings.engines import as_planned
from prunescope.audit_jobs.findings.keeping import modes_to_set
from prunescope.audit_jobs.findings.model import Change
from prunescope.audit_jobs.findings.unused_conditions import waiting_for_writing
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.tuning import ABOUT_ONE, HALF, OPENINGS, SCANS_TRIED, SLACK, TOLD
from prunescope.collectors.arrays import Floats
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import all_of
from prunescope.collectors.tables.properties import OPEN_FILE_COST


def columns_of(change: Change) -> frozenset[str]:
    """Columns by which a layout tells rows apart and the present one does not."""
    return frozenset((*change.order, *change.keeps, *(name for _, name in change.added)))


def modes_of(usage: TableUsage, change: Change) -> dict[str, str]:
    """The metrics modes of columns that statements set beside a change that writes files anew."""
    return modes_to_set(usage, change.order, is_zorder=change.is_zorder)


@dataclass(frozen=True, slots=True)
class TrialScan:
    """A scan on which layouts are tried, by its whole filter. It keeps so many `bytes` and `files`,
    as far as statistics tell, and stands for `weight` scans of a group, by its number. It
    `reads_old` files, which were written under other partition specs, or none. Of the bytes it
    reads those of a share of row groups (`inside`), None where that is not known, and dictionaries
    and bloom filters leave so much (`filtered`) of those that statistics do."""

    scan: Scan
    bytes: int
    files: int
    weight: float
    group: int
    reads_old: bool
    inside: float | None = None
    filtered: float = 1.0


@dataclass(frozen=True, slots=True)
class Trial:
    """Trial of layouts (`Change.layout`) of a table on its scans. The statements of each set
    metrics `modes` of columns, beside those that a sort brings by itself. The table's files have
    row groups of `row_group_bytes`, and new ones as well; None if each is one row group, or that is
    unknown. Orders are also tried on the range of partitions of a time in which they win most, of
    at most the share `part` of the table's bytes. `indexes` are tried on files as they are."""

    usage: TableUsage
    layouts: tuple[Change, ...]
    modes: Mapping[Change, Mapping[str, str]]
    scans: tuple[TrialScan, ...]
    row_group_bytes: int | None
    part: float = HALF
    indexes: tuple[Index, ...] = ()

    @property
    def table(self) -> TableName:
        """The table."""
        return self.usage.table


class Read(NamedTuple):
    """The bytes and files that each scan of a trial keeps of sampled files as they are, and of
    their rows in a layout; and the bytes of the row groups of the latter that their statistics do
    not rule out, all of them where their size is not known. Files with the share `rewritten` of the
    table's bytes are written anew. `is_assumed` where no row was read."""

    bytes_now: Floats
    files_now: Floats
    bytes: Floats
    files: Floats
    row_groups: Floats
    is_assumed: bool = False
    rewritten: float = 1.0


Reads = Mapping[TableName, Mapping[Change, Read]]
"""Bytes that scans keep of layouts, and of parts of them, by table, as far as these could be
tried."""

Trying = Callable[[Sequence[Trial]], Reads]
"""Tries layouts, wherever rows can be read."""


def untried(trials: Sequence[Trial]) -> Reads:  # noqa: ARG001  # whatever they are
    """Tries no layout, for runs that read no rows."""
    return {}


@dataclass(frozen=True, slots=True)
class Tried:
    """Effect of a layout on all scans of a table: the bytes that they no longer keep (`won`), net
    of those that others keep in addition (`lost`), the bytes that each group keeps `more`, by its
    number; and of what all cost, with opening of files (`cost`), the part that is `opening`, and
    how much less of that there is (`opening_won`). `is_worse` if scans cost more in all. If they
    win a smaller share of what they read of row groups, the bytes follow that share; if they win
    nothing of it, these are bytes of row groups. `is_worse_yet` if scans cost more as long as
    conditions that engines do not use are not rewritten, as those that the layout would serve win
    nothing until then. Files with the share `rewritten` of the table's bytes are written anew."""

    won: int
    lost: Disturbance
    is_worse: bool
    more: tuple[int, ...] = ()
    opening_won: int = 0
    opening: int = 0
    cost: int = 0
    is_worse_yet: bool = False
    is_assumed: bool = False
    rewritten: float = 1.0


def trial_of(
    usage: TableUsage, changes: Iterable[Change], indexes: Sequence[Index] = ()
) -> Trial | None:
    """Trial of some changes of a table, before one is chosen; None if there are none."""
    wanted: dict[Change, dict[str, str]] = {}
    for change in changes:
        modes = {**modes_of(usage, change), **dict(change.modes)}
        wanted.setdefault(change.layout, {}).update(modes)
    scans = _scans(usage) if wanted else ()
    if not scans:
        return None
    of_night = usage.part_of_night
    part = HALF if of_night is None else of_night
    row_group = usual_row_group(usage)
    return Trial(usage, tuple(wanted), wanted, scans, row_group, part, tuple(indexes))


def _scans(usage: TableUsage) -> tuple[TrialScan, ...]:
    """Some scans of each group that does not stop early, as many as there is room for."""
    health = usage.health
    if health is None or not health.data_files:
        return ()
    groups = [
        (number, group)
        for number, group in enumerate(usage.groups)
        if STOPPED not in group.traits and all(scan.potential for scan in group.sample)
    ]
    groups.sort(key=lambda one: (-one[1].bytes_total, -one[1].bytes_read))
    groups = groups[:SCANS_TRIED]
    each = max(1, SCANS_TRIED // max(1, len(groups)))
    found: list[TrialScan] = []
    for number, group in groups:
        found += _of_group(group, number, each, len(found))
    return tuple(found)


def _of_group(group: Group, number: int, most: int, first: int) -> Iterator[TrialScan]:
    chosen = group.sample[:most]
    for place, scan in enumerate(chosen):
        plan, allowed = scan.potential, scan.bytes_allowed
        assert plan is not None
        assert allowed is not None
        predicate = as_planned(group, all_of(*(part.predicate for part in scan.conjuncts)))
        yield TrialScan(
            scan=Scan(first + place, predicate, FLOOR),
            bytes=allowed,
            files=plan.files_kept,
            weight=group.count / len(chosen),
            group=number,
            reads_old=plan.old_spec_bytes > 0,
            inside=plan.share_read,
            filtered=plan.share_left_by_filters,
        )


def tried(trial: Trial, reads: Mapping[Change, Read], opening: int) -> dict[Change, Tried]:
    """Results of a trial, by layout. Opening a file costs `opening` bytes. What scans keep of the
    table changes as what they keep of sampled files does, those of a group together, except for
    those that read files of other partition specs, which are by themselves: a month that was never
    cut into days is much to read. A layout has no result if most of what is read is of such groups
    that keep no sampled file. A scan keeps at least one file, about as large as those that it keeps
    now. A layout wins no larger share of what scans keep than of what they read of row groups:
    readers may skip now what another order spreads."""
    groups = Groups(trial.scans, len(trial.usage.groups))
    least_more = groups.of_one_file() - groups.by_group(groups.bytes)
    found = {}
    for layout, read in reads.items():
        if not groups.are_told(read.bytes_now):
            continue
        files_more = groups.more(read.files_now, read.files, groups.files)
        kept, bytes_more = _bytes_more(trial, groups, read)
        bytes_more = np.maximum(bytes_more, least_more)
        losing = {place: size for place, size in enumerate(bytes_more.tolist()) if size > 0}
        cost_more = bytes_more + opening * files_more
        opening_now = opening * float(groups.files.sum())
        cost = kept + opening_now
        least = SLACK * cost
        waiting = np.array(waiting_for_writing(trial.usage, columns_of(layout)))
        yet = np.where(waiting, np.maximum(cost_more, 0), cost_more)
        found[layout] = Tried(
            won=-round(float(bytes_more.sum())),
            lost=_disturbance(trial.usage, layout, losing),
            is_worse=float(cost_more.sum()) > least,
            more=tuple(map(round, bytes_more.tolist())),
            opening_won=-round(opening * float(files_more.sum())),
            opening=round(opening_now),
            cost=round(cost),
            is_worse_yet=bool(waiting.any()) and float(yet.sum()) > least,
            is_assumed=read.is_assumed,
            rewritten=read.rewritten,
        )
    return found


def _bytes_more(trial: Trial, groups: Groups, read: Read) -> tuple[float, Floats]:
    """The bytes that scans keep of files or read of row groups, of which a layout wins the smaller
    share, and how much more each group does then."""
    of_files = groups.more(read.bytes_now, read.bytes, groups.bytes)
    kept, inside = float(groups.bytes.sum()), float(groups.read.sum())
    if trial.row_group_bytes is None:
        return kept, of_files
    then = _read_then(trial.scans, read, trial.row_group_bytes)
    of_row_groups = groups.more(read.bytes_now, then, groups.bytes, groups.read)
    won = -float(of_row_groups.sum())
    if won <= 0:
        return inside, of_row_groups
    if won * kept < -float(of_files.sum()) * inside:
        return kept, of_row_groups * (kept / inside)
    return kept, of_files


def _read_then(scans: Sequence[TrialScan], read: Read, row_group_bytes: int) -> Floats:
    """The bytes of row groups that scans read in a layout, as statistics tell, or as much of files
    as dictionaries and bloom filters leave now: of a scan that has rows no less than one row group.
    All of files where it is not known what is read now."""
    filtered = np.array([one.filtered for one in scans])
    has_rows = np.array([one.inside != 0 for one in scans])
    is_known = np.array([one.inside is not None for one in scans])
    left = np.maximum(filtered * read.bytes, np.where(has_rows, row_group_bytes, 0))
    found: Floats = np.where(is_known, np.minimum(read.row_groups, left), read.bytes)
    return found


def usual_row_group(usage: TableUsage) -> int | None:
    """The bytes of row groups of the files that scans read; None where each is one row group, or
    footers are not known. A file of one row group is opened as a whole, whatever its dictionaries
    rule out."""
    plans = [
        plan
        for group in usage.groups
        for scan in group.sample
        if (plan := scan.potential) is not None and plan.row_group_bytes_considered
    ]
    files = sum(plan.files_kept for plan in plans)
    row_groups = sum(plan.row_groups_considered or 0 for plan in plans)
    if row_groups <= ABOUT_ONE * files:
        return None
    return sum(plan.row_group_bytes_considered or 0 for plan in plans) // row_groups


def opening_cost(usage: TableUsage) -> int:
    """Cost of opening a file in bytes, as Spark counts it when it plans splits of a table; capped
    at a fraction of the target file size, for a table that wants small ones."""
    cost = OPEN_FILE_COST.of(usage.metadata.properties)
    return cost if usage.health is None else min(cost, usage.health.target_file_bytes // OPENINGS)


class Groups:
    """The groups of a trial's scans, each of them twice, as scans read no old files or some, and
    the `bytes` and `files` that each of these keeps, and the bytes of row groups that it reads."""

    def __init__(self, scans: Sequence[TrialScan], count: int) -> None:
        self._halves = 2 * count
        self._half = np.array([2 * one.group + one.reads_old for one in scans], np.int64)
        self._weight = np.array([one.weight for one in scans])
        self._bytes_of_scans = np.array([one.bytes for one in scans], np.float64)
        self._files_of_scans = np.array([one.files for one in scans], np.float64)
        self.bytes = self._summed(self._bytes_of_scans)
        self.files = self._summed(self._files_of_scans)
        inside = [1.0 if one.inside is None else one.inside for one in scans]
        self.read = self._summed(self._bytes_of_scans * np.array(inside))

    def _summed(self, of_scans: Floats) -> Floats:
        weighed = self._weight * of_scans
        found: Floats = np.bincount(self._half, weighed, self._halves).astype(np.float64)
        return found

    def are_told(self, now: Floats) -> bool:
        """True if sampled files cover most of the bytes that are read."""
        told = self._summed(now) > 0
        return float(self.bytes[told].sum()) >= TOLD * float(self.bytes.sum())

    def more(self, now: Floats, then: Floats, kept: Floats, read: Floats | None = None) -> Floats:
        """Increase of what each group keeps, or of what it keeps over what it reads now (`read`); 0
        for what no sampled file shows."""
        before, after = self._summed(now), self._summed(then)
        told = before > 0
        had = kept if read is None else read
        return self.by_group(np.where(told, kept * after / np.where(told, before, 1.0) - had, 0.0))

    def of_one_file(self) -> Floats:
        """The bytes of one of the files that each scan keeps, by group."""
        return self.by_group(
            self._summed(self._bytes_of_scans / np.maximum(self._files_of_scans, 1.0))
        )

    def by_group(self, halves: Floats) -> Floats:
        """Sums both halves of each group."""
        found: Floats = halves.reshape(-1, 2).sum(axis=1)
        return found


def _disturbance(usage: TableUsage, layout: Change, losing: Mapping[int, float]) -> Disturbance:
    """Loss of groups by a layout, and the columns by whose order they skip files now, other than
    that of the layout."""
    least = SLACK * sum(losing.values())
    groups = [usage.groups[number] for number, size in losing.items() if size > least]
    dropped = {name for _, name in layout.dropped}
    in_order = {*columns_in_order(usage), *dropped}
    columns = [
        name
        for group in groups
        for name in columns_skipped_by(usage, group, dropped)
        if name in in_order and (layout.is_zorder or name not in layout.order[:1])
    ]
    scans = Counter[str]()
    for group in groups:
        scans[group.fingerprint or ""] += group.count
    return Disturbance(round(sum(losing.values())), scans, tuple(dict.fromkeys(columns)))
