"""The part of a table that is worth a rewrite: a range of partitions of a time, in whose files
scans read most needlessly.

A rewrite leaves rows in their partitions, so the gain of scans from an order is the sum of the
gains in each partition. The gain is measured in the partitions that have sampled rows. In any other
one, scans read and gain the same share of its bytes as in the nearest measured one; the number of
scans that ask for the partition follows from its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from prunescope.audit_jobs.advice.current_layout import is_of_times, terms_of
from prunescope.audit_jobs.advice.layouts import Layouts
from prunescope.audit_jobs.advice.sampled_files import SampledFiles, present
from prunescope.audit_jobs.advice.scores import Replayed, batch_of, file_batch, judged
from prunescope.audit_jobs.advice.simulated_containers import Laid
from prunescope.audit_jobs.findings.model import Times
from prunescope.audit_jobs.findings.trials import TrialScan
from prunescope.audit_jobs.health.sketch import Sketch
from prunescope.audit_jobs.tuning import POINT
from prunescope.collectors.arrays import Floats, IntArray
from prunescope.collectors.statistics import FileBatch, Statistics, constant, from_values
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.types import NANOS_PER_UNIT, arrow_type

_HOURS = 24
_NAMED = (-719_162, 2_932_896)
"""Days since 1970 that statements can name: of the years 1 to 9999."""


@dataclass(frozen=True, slots=True, eq=False)
class Asking:
    """Scans; the number that each of them stands for; and the share of the bytes of files whose row
    groups it reads, 1 if unknown."""

    scans: Replayed
    weights: Floats
    inside: Floats

    @classmethod
    def of(cls, scans: Replayed, tried: Sequence[TrialScan]) -> Asking:
        """Replayed scans that are tried."""
        inside = [1.0 if one.inside is None else one.inside for one in tried]
        return cls(scans, np.array([one.weight for one in tried]), np.array(inside))


@dataclass(frozen=True, slots=True, eq=False)
class Calendar:
    """The N partitions of a table by a time: the numbers of their spans (of days since 1970, say),
    in ascending order, and their bytes."""

    term: Term
    spans: IntArray
    bytes: Floats

    @property
    def count(self) -> int:
        """N."""
        return len(self.spans)

    def share(self, part: slice) -> float:
        """The share of the table's bytes that a range has."""
        return float(self.bytes[part].sum() / self.bytes.sum())

    def times(self, part: slice) -> Times | None:
        """The times of a range, without a limit at an end of the calendar, because files may have
        come beyond it since; None if it is all of the calendar, or no statement can name a limit.
        """
        start = self._start_of(int(self.spans[part.start]))
        until = self._start_of(int(self.spans[part.stop - 1]) + 1)
        if part.start == 0:
            start, ends = None, [until]
        elif part.stop == self.count:
            until, ends = None, [start]
        else:
            ends = [start, until]
        if part == slice(0, self.count) or None in ends:
            return None
        column = self.term.column
        return Times(column.name, column.type, start, until)

    def apart(self, part: slice, layouts: Layouts) -> tuple[Layouts, Layouts]:
        """Rows of a range, and all others."""
        places, rows = self.places(layouts), layouts.rows
        is_inside = (places >= part.start) & (places < part.stop)
        inside, beside = (
            layouts.standing_for(np.where(chosen, rows.weight, 0.0), rows.records_each)
            for chosen in (is_inside, ~is_inside)
        )
        return inside, beside

    def _start_of(self, span: int) -> int | None:
        transform, column = self.term
        whole, hours = divmod(span, _HOURS) if transform == "hour" else (span, 0)
        unit = {"year": "Y", "month": "M"}.get(transform, "D")
        units = np.array([whole]).astype(f"datetime64[{unit}]")
        day = int(units.astype("datetime64[D]").astype(np.int64)[0])
        per_day = NANOS_PER_UNIT["date"] // NANOS_PER_UNIT[column.type]
        is_named = _NAMED[0] <= day <= _NAMED[1]
        return day * per_day + hours * per_day // _HOURS if is_named else None

    def places(self, layouts: Layouts) -> IntArray:
        """The place of each row's partition; N of rows that are in none."""
        return self.of_codes(layouts)[layouts.partitions(self.term).code]

    def of_codes(self, layouts: Layouts) -> IntArray:
        """The place in the calendar of each code by which layouts know a partition; N if it has
        none."""
        values = layouts.partitions(self.term).values
        spans = values.fill_null(0).to_numpy(zero_copy_only=False)
        place = np.searchsorted(self.spans, spans)
        known = self.spans[np.minimum(place, self.count - 1)] == spans
        is_known = known & values.is_valid().to_numpy(zero_copy_only=False)
        found: IntArray = np.where(is_known, place, self.count)
        return found


def calendar_of(metadata: TableMetadata, sketch: Sketch) -> Calendar | None:
    """The partitions of a table by a time; None if there are none, or not all files are in one: a
    condition might take any of the others."""
    spec, terms = (
        metadata.specs(metadata.schema(None)),
        terms_of(metadata, metadata.default_spec_id),
    )
    fields = [one for one in spec[metadata.default_spec_id].fields if one.transform != "void"]
    number = next((n for n, one in enumerate(fields) if is_of_times(one)), None)
    if terms is None or number is None or sketch.times.total() != sketch.bytes:
        return None
    spans = sorted(sketch.times)
    sizes = np.array([sketch.times[span] for span in spans], np.float64)
    return Calendar(terms[number], np.array(spans, np.int64), sizes) if sizes.any() else None


def part_worth_most(
    calendar: Calendar,
    layouts: Layouts,
    files: SampledFiles,
    candidate: Candidate,
    asking: Asking,
    most: float,
) -> slice | None:
    """The smallest range of a calendar in which a layout gains as much as in all of it, but for a
    point of the bytes that scans read; or the range with the largest gain, if the first has more
    than the share `most` of all bytes. None if sampled rows show no gain. The layout leaves rows in
    their partitions."""
    places, weight = calendar.places(layouts), layouts.rows.weight * layouts.rows.row_bytes
    held = np.bincount(places, weight, calendar.count + 1)[:-1]
    now = np.zeros(calendar.count)
    for one in present(layouts, files, asking.scans):
        read = _asked(one.files, one.candidate, asking) * one.laid.bytes
        now += _by_place(calendar, layouts, one.laid, one.candidate, read)
    laid = layouts.lay(candidate)
    read = _asked(file_batch(layouts, candidate, [laid], asking.scans), candidate, asking)
    then = _by_place(calendar, layouts, laid, candidate, read * laid.bytes)
    asked = calendar.bytes * _asked(*_partitions(calendar), asking)
    told = np.flatnonzero((asked > 0) & (held > 0))
    if not len(told):
        return None
    near = told[_nearest(calendar.spans[told], calendar.spans)]
    scale = asked * calendar.bytes[near] / (asked[near] * held[near])
    won = np.maximum(scale * (now - then)[near], 0.0)
    beside = POINT * float(np.sum(scale * now[near]))
    size = most * float(calendar.bytes.sum())
    part = range_worth_most(won, calendar.bytes, beside, size, asking.scans.count)
    return part if part is not None and held[part].any() else None


def _asked(files: FileBatch, candidate: Candidate, asking: Asking) -> Floats:
    """Returns the number of scans that keep each file."""
    found: Floats = np.zeros(files.partition.count)
    for part in judged(files, candidate, asking.scans):
        found = found + asking.weights[part.scans] @ part.kept
    return found


def _by_place(
    calendar: Calendar, layouts: Layouts, laid: Laid, candidate: Candidate, of_each: Floats
) -> Floats:
    """Returns the sums by partition of a number of each container."""
    codes = laid.codes[candidate.partition.index(calendar.term)]
    places = calendar.of_codes(layouts)[codes]
    sums = np.bincount(places, of_each, calendar.count + 1).astype(np.float64)
    return sums[:-1]


def _partitions(calendar: Calendar) -> tuple[FileBatch, Candidate]:
    """A file for each partition, with nothing else known."""
    candidate = Candidate((calendar.term,), Order(Curve.SORT, ()))
    (field,) = candidate.spec.fields
    assert field.result_type is not None
    values = from_values(pa.array(calendar.spans, arrow_type(field.result_type)))
    none = constant(False, calendar.count)
    partition = Statistics(calendar.count, none, {(field.field_id, field.result_type): values})
    return batch_of(partition, Statistics(calendar.count, none, {})), candidate


def _nearest(known: IntArray, spans: IntArray) -> IntArray:
    """The place of the nearest of some spans to each other one."""
    after = np.clip(np.searchsorted(known, spans), 1, max(1, len(known) - 1))
    before = after - 1
    after = np.minimum(after, len(known) - 1)
    is_after = known[after] - spans < spans - known[before]
    found: IntArray = np.where(is_after, after, before)
    return found


def range_worth_most(
    won: Floats, sizes: Floats, beside: float, most: float, scans: int
) -> slice | None:
    """The range of fewest bytes outside of which at most `beside` is gained; or, if that has more
    than `most` bytes, the last range within `most` whose gain is about the largest. The scans are
    only a sample: ranges are alike within the standard error of the best one's share, and the one
    that this sample favours would be promised too much."""
    by, taken = (np.concatenate(([0.0], np.cumsum(each))) for each in (won, sizes))
    needed = by[-1] - beside
    if needed <= 0:
        return None
    end = np.searchsorted(by, by[:-1] + needed)
    cost = np.where(end < len(by), taken[np.minimum(end, len(won))] - taken[:-1], np.inf)
    first = int(np.argmin(cost))
    if cost[first] > most:
        end = np.searchsorted(taken, taken[:-1] + most, side="right") - 1
        shares = (by[end] - by[:-1]) / by[-1]
        best = shares.max()
        error = np.sqrt(best * (1 - best) / scans)
        first = int(np.flatnonzero(shares >= best - error)[-1])
    inside = first + np.flatnonzero(won[first : end[first]])
    return slice(int(inside[0]), int(inside[-1]) + 1) if len(inside) else None
