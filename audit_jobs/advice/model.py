"""What is advised for a table, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from audit_jobs.advice.candidates import Candidate, Term
from audit_jobs.advice.changes import Inside
from audit_jobs.advice.intervals import Interval
from audit_jobs.advice.manifests import Manifests
from audit_jobs.advice.minimal import Minimal
from audit_jobs.isolation import Failed


class Now(NamedTuple):
    """The table as it is: bytes, records and files; how large files should be, what opening one
    costs in bytes (`read.split.open-file-cost`), and its partition fields, None where it has one by
    which nobody can lay out rows anew. Partitions that statements overwrite (`overwritten`)
    stay."""

    bytes: int
    records: int
    files: int
    target_bytes: int
    open_file_cost: int
    partition: tuple[Term, ...] | None
    overwritten: bool = False


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many partitions and files a layout has, and the medians of their bytes."""

    partitions: int
    files: int
    partition_bytes: float
    file_bytes: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """What scans keep of a layout: the mean of bytes and of files per scan, and by how many bytes
    that is less than what they keep of the table as it is."""

    candidate: Candidate
    bytes: Interval
    files: float
    gain: Interval
    sizes: Sizes


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of the scans of one shape of query: how often they ran, and the mean of bytes
    that they keep now and then. `least` bytes hold the rows that match: no layout keeps less."""

    fingerprint: str
    runs: float
    now: float
    then: float
    least: float


@dataclass(frozen=True, slots=True)
class Drift:
    """Mean bytes per scan, of the table as it is, in the last seven days of the log and in those
    before."""

    last: float
    before: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The best of `scored` layouts for a table, or None where keeping it as it is wins; what scans
    keep now (`kept`, `files_kept`: means per scan); what they would have to keep of any layout
    (`least`); the effects of the best layout (or of none) by fingerprint, those of the most bytes
    first; and the next best layouts. `minimal` is what to rewrite first for it, or why that is not
    known; None where nothing is advised, or the table has no partitions by which rows can be
    told. `inside` is what is in the files; `manifests` how they are listed, None where that
    changes with the layout, or there is nothing to choose. `runs` are those of `scans` distinct
    scans on `days`. `sampled_rows` of `sampled_files` were laid out, in as many simulated files as
    there are, at most `resolution`. Of the columns that scans compare, no row told anything of
    `unread` ones. `of_bounds`: no row could be read, and values stand for the bounds of files. Runs
    that LIMIT `stopped` early are none of `runs`."""

    now: Now
    scans: int
    runs: float
    days: int
    kept: Interval
    files_kept: float
    least: float
    best: Prediction | None
    others: tuple[Prediction, ...]
    effects: tuple[Effect, ...]
    scored: int
    sampled_files: int
    sampled_rows: int
    resolution: int
    drift: Drift | None
    unread: tuple[str, ...]
    minimal: Minimal | Failed | None = None
    inside: Inside | None = None
    manifests: Manifests | Failed | None = None
    of_bounds: bool = False
    stopped: float = 0.0

    def with_inside(self, inside: Inside) -> Advice:
        """The same with what is in the files: no other layout is advised where a change of that
        wins as much, or what scans read of them costs less as it is."""
        if self.best is None or inside.layout is not None:
            return replace(self, inside=inside)
        return replace(
            self,
            best=None,
            others=(self.best, *self.others),
            effects=tuple(replace(effect, then=effect.now) for effect in self.effects),
            inside=inside,
        )

    @property
    def layout(self) -> Candidate | None:
        """The partitions and the order that rows are advised to have; None to keep theirs."""
        if self.best is not None:
            return self.best.candidate
        change = None if self.inside is None else self.inside.change
        if change is None or change.order is None:
            return None
        return Candidate(self.now.partition or (), change.order)

    @property
    def losers(self) -> tuple[Effect, ...]:
        """The shapes of queries that would read more than now, by more than a hundredth."""
        return tuple(one for one in self.effects if one.then > one.now * 1.01)

    @property
    def break_even_days(self) -> float | None:
        """After how many days scans have kept so much less that it outweighs rewriting all of the
        table, as often as they ran; None where nothing is advised."""
        if self.best is None:
            return None
        return self.days_until(self.now.bytes, self.best.gain.value)

    def days_until(self, rewritten: float, saved: float) -> float | None:
        """After how many days scans that keep so much less outweigh so many bytes rewritten; None
        where they never do."""
        a_day = saved * self.runs / max(1, self.days)
        return rewritten / a_day if a_day > 0 else None
