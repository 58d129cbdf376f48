"""The scans of one table that a log holds: what was asked, how often, and on which days."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from audit_jobs.early_stop import part_read, stops_early
from audit_jobs.pruning.rules import FLOOR, PlannerRules
from audit_jobs.pruning.scans import Scan
from collectors.arrays import Floats, IntArray
from collectors.predicates.model import Field, Predicate
from collectors.predicates.operators import Op
from collectors.predicates.walks import comparisons

MAX_SCANS = 1_000
"""Distinct scans of a table that are replayed: of more, a sample that has every fingerprint."""


@dataclass(frozen=True, slots=True)
class AskedScan:
    """What one planner plans of a filter (`planned`, by `rules`), the filter as a whole, and the
    shape of the queries that it comes from; with `enough` rows that match, these have all that they
    ask for, and their engine stops (LIMIT). Equal ones are one scan."""

    planned: Predicate
    rules: PlannerRules
    whole: Predicate
    fingerprint: str
    enough: int | None = None


@dataclass(slots=True)
class Asked:
    """Scans of a table, and how often each ran, by day; None for runs of which no time is known;
    and how many of them call its catalog what, by engine.
    Where partitions are `overwritten`, these stay: what is overwritten follows from them."""

    runs: dict[AskedScan, Counter[dt.date | None]] = field(default_factory=dict)
    overwritten: bool = False
    catalogs: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, scan: AskedScan, day: dt.date | None) -> None:
        """One more run."""
        self.runs.setdefault(scan, Counter())[day] += 1

    def named(self, engine: str | None, catalog: str | None) -> None:
        """That one more names the catalog so."""
        if engine is not None and catalog is not None:
            self.catalogs.setdefault(engine, Counter())[catalog] += 1


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """S scans, and how often each ran on each of D days (`runs`, of the shape (D, S)): of a sample
    of the scans, as often as all of its fingerprint did."""

    scans: tuple[AskedScan, ...]
    days: tuple[dt.date | None, ...]
    runs: Floats

    @property
    def weight(self) -> Floats:
        """How often each scan ran."""
        found: Floats = self.runs.sum(axis=0)
        return found

    def of(self, numbers: IntArray) -> Workload:
        """Some of the scans."""
        return Workload(tuple(self.scans[n] for n in numbers), self.days, self.runs[:, numbers])

    def reads_on(self, matching: Floats) -> IntArray:
        """The numbers of the scans that do not stop early, if so many rows match each. They count
        as a whole, as planning keeps files: that is what promises are compared with."""
        parts = (
            part_read(scan.enough, rows)
            for scan, rows in zip(self.scans, matching.tolist(), strict=True)
        )
        return np.flatnonzero([not stops_early(part) for part in parts])

    @property
    def planned(self) -> list[Scan]:
        """The scans as their planners plan them."""
        return [Scan(n, scan.planned, scan.rules) for n, scan in enumerate(self.scans)]

    @property
    def whole(self) -> list[Scan]:
        """The whole filters, as rows match them."""
        return [Scan(n, scan.whole, FLOOR) for n, scan in enumerate(self.scans)]

    @property
    def fingerprints(self) -> dict[str, IntArray]:
        """The scans of each fingerprint, by their numbers."""
        found: dict[str, list[int]] = {}
        for number, scan in enumerate(self.scans):
            found.setdefault(scan.fingerprint, []).append(number)
        return {name: np.array(numbers, np.int64) for name, numbers in found.items()}


def workload(asked: Asked, seed: int, most: int = MAX_SCANS) -> Workload:
    """The scans that were asked for; of more than `most` a sample, in which each fingerprint ran as
    often as it did."""
    days = sorted(
        {day for runs in asked.runs.values() for day in runs}, key=lambda d: d or dt.date.min
    )
    place = {day: number for number, day in enumerate(days)}
    generator = np.random.default_rng(seed)
    by_shape: dict[str, list[AskedScan]] = {}
    for scan in asked.runs:
        by_shape.setdefault(scan.fingerprint, []).append(scan)
    each = _most_of_each([len(scans) for scans in by_shape.values()], most)
    chosen: list[AskedScan] = []
    columns = []
    for scans in by_shape.values():
        total = _runs(asked, scans, place)
        kept = scans
        if len(scans) > each:
            numbers = np.sort(generator.choice(len(scans), each, replace=False))
            kept = [scans[number] for number in numbers]
        own = _runs(asked, kept, place)
        chosen += kept
        columns.append(own * (total.sum() / own.sum()))
    runs = np.concatenate(columns, axis=1) if columns else np.zeros((0, 0))
    return Workload(tuple(chosen), tuple(days), runs)


def some_of(found: Workload, bytes_read: Floats, seed: int, most: int) -> tuple[IntArray, Floats]:
    """The numbers of at most so many scans, drawn by how much they read, and the weights by which
    they stand for all: these add up to about 1."""
    weight = found.weight / found.weight.sum()
    if len(weight) <= most:
        return np.arange(len(weight)), weight
    chance = weight * (bytes_read + bytes_read.mean() / 10)
    chance = chance / chance.sum()
    places = (np.random.default_rng(seed).random() + np.arange(most)) / most
    drawn = np.minimum(np.searchsorted(np.cumsum(chance), places), len(weight) - 1)
    numbers, counts = np.unique(drawn, return_counts=True)
    return numbers, counts * weight[numbers] / (chance[numbers] * most)


def _most_of_each(sizes: Sequence[int], most: int) -> int:
    """How many scans of each fingerprint there is room for."""
    each = most
    while each > 1 and sum(min(size, each) for size in sizes) > most:
        each = each * 3 // 4
    return each


def _runs(asked: Asked, scans: Sequence[AskedScan], place: dict[dt.date | None, int]) -> Floats:
    runs = np.zeros((len(place), len(scans)))
    for number, scan in enumerate(scans):
        for day, count in asked.runs[scan].items():
            runs[place[day], number] = count
    return runs


@dataclass(frozen=True, slots=True)
class UsedColumn:
    """A column that scans compare, the operators by which they do, and what the scans that do read
    now."""

    column: Field
    ops: frozenset[Op]
    bytes: float


def used_columns(found: Workload, bytes_read: Iterable[float]) -> list[UsedColumn]:
    """The columns that scans compare, those of the most bytes first."""
    ops: dict[Field, set[Op]] = {}
    read: Counter[Field] = Counter()
    for scan, weight, size in zip(found.scans, found.weight, bytes_read, strict=True):
        for column, op in dict.fromkeys(_compared(scan.planned)):
            ops.setdefault(column, set()).add(op)
        for column in {column for column, _ in _compared(scan.planned)}:
            read[column] += weight * size
    used = [UsedColumn(column, frozenset(ops[column]), read[column]) for column in ops]
    return sorted(used, key=lambda one: (-one.bytes, one.column.field_id))


def _compared(predicate: Predicate) -> Iterator[tuple[Field, Op]]:
    for leaf in comparisons(predicate):
        yield leaf.field._replace(transform=None), leaf.op
