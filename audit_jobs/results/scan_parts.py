"""The rows of all scans of a run, wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from prunescope.audit_jobs.planning.items import Item, ItemGroup, Items, Runner
from prunescope.audit_jobs.results.rows import ScanRows
from prunescope.collectors.observed import TableName

ROWS = "rows"
"""The kind of items that are ScanRows."""

FEW = 65_536
"""So many rows are worked on in this process: a task would cost more than they do."""

_MADE = "made"

Function = Callable[[Iterator[ScanRows]], Iterable[Any]]
"""Makes results of some parts; can be pickled."""
Change = Callable[[ScanRows], ScanRows]
"""One part as another; pickles."""


class Place(Protocol):
    """A place of parts: this process or a runner."""

    def __iter__(self) -> Iterator[ScanRows]:
        """The parts, with few in memory at a time."""

    def each(self, function: Function) -> list[Any]:
        """The results of a function over all parts, called in the place of the parts."""


@dataclass(frozen=True, slots=True)
class Here:
    """Parts in this process."""

    parts: Sequence[ScanRows]

    def __iter__(self) -> Iterator[ScanRows]:
        return iter(self.parts)

    def each(self, function: Function) -> list[Any]:
        """The results of a function over all parts, called in this process."""
        return list(function(iter(self)))


@dataclass(frozen=True, slots=True)
class Spread:
    """Parts that are items of a runner (ROWS), in `groups` by table, and other parts `here`."""

    items: Items
    groups: Mapping[str, int]
    runner: Runner
    here: Here = Here(())  # it cannot be changed

    def __iter__(self) -> Iterator[ScanRows]:
        yield from self.here
        yield from self.items.stream(ROWS)

    def each(self, function: Function) -> list[Any]:
        """The results of a function over all parts, called in tasks and here."""
        stage = partial(_each, function=function)
        made = self.runner.run(stage, self.items.of(ROWS), self.groups)
        return [*self.here.each(function), *made.found(_MADE).get(_MADE, ())]


def _each(groups: Iterable[ItemGroup], function: Function) -> Iterator[Item]:
    parts = (part for group in groups for _, _, part in group.tasks)
    return (Item(_MADE, made) for made in function(parts))


@dataclass(frozen=True, slots=True)
class ScanParts:
    """The rows of all scans of a run: their number, the parts, each of which has all rows of an
    input; the tables with a row that cannot be written; and changes that are made to each part
    whenever it is used."""

    count: int
    source: Place
    unwritable: Mapping[TableName, str] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()

    def __iter__(self) -> Iterator[ScanRows]:
        return _changed(iter(self.source), self.changes)

    def changed(self, change: Change) -> ScanParts:
        """The parts with one more change, which must keep the number of rows."""
        return replace(self, changes=(*self.changes, change))

    def each(self, function: Function) -> list[Any]:
        """The results of a function, called on some or all parts at a time, for all parts: here, or
        in tasks."""
        if self.count <= FEW:
            return list(function(iter(self)))
        return self.source.each(partial(_of_changed, changes=self.changes, function=function))


def _of_changed(
    parts: Iterator[ScanRows], changes: Sequence[Change], function: Function
) -> Iterable[Any]:
    return function(_changed(parts, changes))


def _changed(parts: Iterator[ScanRows], changes: Sequence[Change]) -> Iterator[ScanRows]:
    for part in parts:
        found = part
        for change in changes:
            found = change(found)
        yield found
