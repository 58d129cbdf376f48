"""What is known of a table when its layout is chosen, but for the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from audit_jobs.advice.candidates import Candidate
from audit_jobs.advice.changes import Written
from audit_jobs.advice.layouts import Layouts
from audit_jobs.advice.lookups import Lookups, lookups
from audit_jobs.advice.model import Now
from audit_jobs.advice.proposals import Proposable, proposable
from audit_jobs.advice.rounds import Sampled
from audit_jobs.advice.row_groups import ReadInside
from audit_jobs.advice.rows import SampledRows
from audit_jobs.advice.scores import replayed
from audit_jobs.advice.workload import Workload, some_of, used_columns
from audit_jobs.pruning.scans import Scan
from collectors.arrays import Floats
from collectors.statistics import ColumnKey

SEARCHED = 256
"""Scans by which layouts are searched for, of those that are replayed on the finalists."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many rows were sampled, of how many files, and the columns that could be read."""

    rows: int
    files: int
    columns: frozenset[ColumnKey]

    def can_lay(self, candidate: Candidate) -> bool:
        """Whether it has the columns of a candidate."""
        return all((one.field_id, one.type) in self.columns for one in candidate.columns)


@dataclass(frozen=True, slots=True, eq=False)
class InsideNow:
    """What is inside of files as they are: what scans keep of it, how it is written, and what scans
    look up: that nothing tells yet, and that dictionaries or filters tell (`told`)."""

    kept: ReadInside
    written: Written
    lookups: tuple[Lookups, ...]
    told: tuple[Lookups, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """The table as it is; S scans, how many bytes and files each of them keeps (`kept`, `files`),
    and how many bytes the rows that it matches have (`least`); `some` scans, numbered anew, and the
    weights by which they stand for all (`of_some`, 1 in all); the coverage, by what layouts are
    proposed, and columns that scans compare and no row tells of; what is `inside` of files, None
    where no row could be read. `stopped` runs had enough rows early, and are none of the scans."""

    now: Now
    found: Workload
    kept: Floats
    files: Floats
    least: Floats
    some: tuple[Scan, ...]
    of_some: Floats
    coverage: Coverage
    by: Proposable
    unread: tuple[str, ...]
    inside: InsideNow | None
    stopped: float
    seed: int

    @property
    def all_beside_some(self) -> float:
        """How much work all scans are, of what some are."""
        return max(1.0, len(self.found.scans) / max(1, len(self.some)))

    @property
    def weight(self) -> Floats:
        """How often each scan ran, 1 in all."""
        weight = self.found.weight
        found: Floats = weight / weight.sum()
        return found


def basis_of(
    rows: SampledRows,
    found: Workload,
    reads: tuple[Floats, Floats, Floats],
    now: Now,
    inside: tuple[ReadInside, Written] | None,
    *,
    seed: int = 0,
) -> tuple[Basis, Sampled]:
    """From sampled rows and a workload, of which each scan keeps so many bytes and files though the
    rows that match it have so few (`reads`), to what a layout is chosen by, with and without the
    rows."""
    kept, files, least = reads
    layouts = Layouts(rows, now.target_bytes)
    used = used_columns(found, kept)
    numbers, of_some = some_of(found, kept, seed, SEARCHED)
    planned = found.planned
    some = tuple(replace(planned[n], scan_id=i) for i, n in enumerate(numbers))
    inside_now = None
    if inside is not None:
        of_files, written = inside
        known = lookups(planned, rows)
        inside_now = InsideNow(
            of_files,
            written,
            tuple(one for one in known if one.column.field_id not in written.told),
            tuple(one for one in known if one.column.field_id in written.told),
        )
    basis = Basis(
        now=now,
        found=found,
        kept=kept,
        files=files,
        least=least,
        some=some,
        of_some=of_some,
        coverage=Coverage(rows.count, rows.clusters, frozenset(rows.columns)),
        by=proposable(
            layouts,
            used,
            now.partition if now.overwritten else now.partition or (),
            keep=now.overwritten,
        ),
        unread=tuple(
            one.column.name
            for one in used
            if (one.column.field_id, one.column.type) not in rows.columns
        ),
        inside=inside_now,
        stopped=0.0,
        seed=seed,
    )
    again = Layouts(rows, now.target_bytes)  # without what was made of partitions on the way
    return basis, Sampled(again, replayed(planned), replayed(some), of_some)
