"""By what changes of the inside of files are searched for: what scans keep of layouts with row
groups and filters, what that costs, and how much of it may be chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from audit_jobs.advice.basis import Basis, InsideNow
from audit_jobs.advice.candidates import Candidate
from audit_jobs.advice.intervals import REPLICATES, Draw, Draws, draws, samples
from audit_jobs.advice.layouts import MIN_ROWS
from audit_jobs.advice.lookups import Filters, Lookups
from audit_jobs.advice.rounds import Asking, Sampled, ask, together
from audit_jobs.advice.row_groups import ReadInside, read_inside
from collectors.arrays import Floats

_FILTERS = 3
"""Columns of which filters are tried."""
_REQUESTS = 16
"""A row group costs a reader this part of what a file costs it to open."""
_READ = 3.0
"""How much work it is to judge row groups and files, of what it is to judge files."""


class LaidInside(NamedTuple):
    """A layout whose row groups have about so many bytes, of a sample of rows."""

    candidate: Candidate
    size: int
    draw: Draw = Draw()
    at_least: bool = False


def _read(sampled: Sampled, parts: Sequence[LaidInside]) -> list[ReadInside]:
    return [
        read_inside(
            one.draw.of(sampled.layouts),
            one.candidate,
            sampled.scans,
            one.size,
            phase=one.draw.phase,
            at_least=one.at_least,
        )
        for one in parts
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What changes are scored by: `weight` has how often scans run (1 in all), `weeks` and `others`
    what could have been drawn instead, and `asked` the columns of which filters are tried."""

    basis: Basis
    inside: InsideNow
    weight: Floats
    weeks: Draws
    others: tuple[Draw, ...]
    asked: tuple[Lookups, ...]

    @classmethod
    def of(cls, basis: Basis, inside: InsideNow) -> Search:
        """The search for a table."""
        weight = basis.weight
        kept = inside.kept.bytes
        read = {of.column: float((weight * kept)[of.scans].sum()) for of in inside.lookups}
        return cls(
            basis,
            inside,
            weight,
            draws(basis.found, basis.seed),
            tuple(samples(basis.coverage.files, basis.now.files, basis.seed)),
            tuple(sorted(inside.lookups, key=lambda of: -read[of.column])[:_FILTERS]),
        )

    @property
    def usual(self) -> int:
        """The bytes that row groups should have now."""
        return self.inside.written.row_group_bytes

    @property
    def tells_apart(self) -> bool:
        """Whether the sample has rows of more than one row group of a file: of a larger table, no
        order and no size makes a difference inside of files that it could show."""
        now = self.basis.now
        return self.basis.coverage.rows / MIN_ROWS > now.bytes / now.target_bytes

    def read(self, parts: Sequence[LaidInside]) -> Asking[Sequence[ReadInside]]:
        """What scans keep of layouts inside of files, whose dictionaries and filters tell of as
        many columns as they do now."""
        found = yield from ask(_read, parts, layouts=_READ * self.basis.all_beside_some)
        return [self._told(kept) for kept in found]

    def _told(self, kept: ReadInside) -> ReadInside:
        left = np.ones(len(kept.bytes))
        for of in self.inside.told:
            left[of.scans] = np.minimum(left[of.scans], of.holding(kept.groups))
        return ReadInside(kept.bytes * left, kept.groups * left, kept.files)

    def at_least(self, base: Candidate, size: int) -> Asking[ReadInside]:
        """What is kept if the sample shows too much of it: no less than the rows that match."""
        (found,) = yield from self.read([LaidInside(base, size, at_least=True)])
        return replace(found, bytes=np.maximum(found.bytes, self.basis.least))

    def filtered(
        self, kept: ReadInside, size: int, columns: Sequence[Lookups], *, absent: bool = False
    ) -> tuple[ReadInside, Floats]:
        """What is left with bloom filters in row groups of about a size, and the bytes of the
        filters: of several, the one that leaves least."""
        mean = min(size, float(kept.bytes.sum() / max(kept.groups.sum(), 1.0)))
        row_bytes = self.basis.now.bytes / max(1, self.basis.now.records)
        filters = Filters(self.inside.written.filter_bytes, mean / row_bytes)
        left, extra = np.ones(len(kept.bytes)), np.zeros(len(kept.bytes))
        for of in columns:
            part, bytes_of_filters = filters.left(of, kept.groups, absent=absent)
            left[of.scans] = np.minimum(left[of.scans], part)
            extra[of.scans] += bytes_of_filters
        return ReadInside(kept.bytes * left, kept.groups * left, kept.files), extra

    def cost(self, kept: ReadInside, filters: Floats) -> float:
        """What the workload costs on average that keeps so much, with filters of so many bytes."""
        overhead = kept.files + kept.groups / _REQUESTS
        return float(
            (kept.bytes + filters + self.basis.now.open_file_cost * overhead) @ self.weight
        )

    def starting(self, base: Candidate | None) -> Asking[tuple[ReadInside, ReadInside]]:
        """What is kept without a change, of a layout or of the table as it is; and at least."""
        if base is None:
            return self.inside.kept, self.inside.kept
        (start,), least = yield from together(
            self.read([LaidInside(base, self.usual)]), self.at_least(base, self.usual)
        )
        return start, least

    def deviations(
        self, base: Candidate | None, asked: Sequence[Lookups], size: int
    ) -> Asking[Floats]:
        """By how much other samples of rows change the mean bytes that are kept of row groups: none
        of the table as it is."""
        if base is None:
            return np.zeros(REPLICATES)
        parts = [LaidInside(base, size, draw) for draw in (Draw(), *self.others)]
        found = yield from self.read(parts)
        usual, *again = (
            float(self.filtered(kept, size, asked)[0].bytes @ self.weight) for kept in found
        )
        return np.array([mean - usual for mean in again])
