"""Snapshots of a table at a time, by binary search: metadata may have hundreds of thousands of
entries, and as many queries ask."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np

from prunescope.collectors.arrays import IntArray

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_NEVER = np.iinfo(np.int64).max


class Log:
    """Ids by the times from which they hold; whatever the order of entries, the last one that has
    begun counts."""

    def __init__(self, entries: Sequence[tuple[dt.datetime, int]]) -> None:
        self.first = entries[0][0] if entries else None
        self._ids = [number for _, number in entries]
        # The earliest time of each entry and those after it: these ascend.
        times = accumulate((since for since, _ in reversed(entries)), min)
        self._from = list(times)[::-1]

    def at(self, moment: dt.datetime) -> int | None:
        """The id that holds at a moment; None before all of them."""
        begun = bisect_right(self._from, moment)
        return self._ids[begun - 1] if begun else None


class Lineage:
    """Snapshots by their ids, each with its time and its parent. A parent that is unknown, or leads
    back, ends the lineage."""

    def __init__(self, entries: Sequence[tuple[int, dt.datetime, int | None]]) -> None:
        self._ids = [number for number, _, _ in entries]
        self._places = {number: place for place, number in enumerate(self._ids)}
        end = len(entries)
        parents, times = np.full(end + 1, end), np.full(end + 1, _NEVER)
        for place, (_, time, parent) in enumerate(entries):
            parents[place] = end if parent is None else self._places.get(parent, end)
            times[place] = _microseconds(time)
        # Of each the ancestor 1, 2, 4, … steps away, and the earliest time before that.
        self._steps: list[tuple[IntArray, IntArray]] = [(parents, times)]
        for _ in range(end.bit_length()):
            ancestors, earliest = self._steps[-1]
            self._steps.append((ancestors[ancestors], np.minimum(earliest, earliest[ancestors])))

    def at(self, head: int, moment: dt.datetime) -> int | None:
        """The first of a snapshot and its ancestors that was there at a moment; None if the moment
        was before all known ones."""
        wanted, place = _microseconds(moment), self._places[head]
        for ancestors, earliest in reversed(self._steps):
            if earliest[place] > wanted:
                place = int(ancestors[place])
        return self._ids[place] if self._steps[0][1][place] <= wanted else None


class Past:
    """A table's history: its commits, to any branch, as the entries of a Lineage, and a log of its
    current snapshots; without a log, the commits are the log."""

    def __init__(
        self,
        commits: Sequence[tuple[int, dt.datetime, int | None]],
        history: Sequence[tuple[dt.datetime, int]],
    ) -> None:
        self._commits = commits
        self._history = history

    @cached_property
    def commits(self) -> Log:
        """The last commit to any branch, by time."""
        return Log(self._in_order)

    @cached_property
    def log(self) -> Log:
        """The current snapshot, by time."""
        return Log(self._history) if self._history else self.commits

    @cached_property
    def lineage(self) -> Lineage:
        """The lineage that finds the head of a branch at a time."""
        return Lineage(self._commits)

    @cached_property
    def newest(self) -> dt.datetime | None:
        """The time of the newest commit; None if there is none."""
        return self._in_order[-1][0] if self._in_order else None

    @cached_property
    def _in_order(self) -> list[tuple[dt.datetime, int]]:
        return sorted((time, number) for number, time, _ in self._commits)


def _microseconds(moment: dt.datetime) -> int:
    return (moment - _EPOCH) // dt.timedelta(microseconds=1)
