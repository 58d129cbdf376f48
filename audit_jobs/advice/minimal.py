"""Which partitions are worth rewriting now: the bytes that scans keep less per byte rewritten.

Partitions are ranked by what each would win if it were rewritten alone; then the best of them are
laid out together, in ever larger sets, as one rewrite would do it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from audit_jobs.advice.candidates import Candidate, Term
from audit_jobs.advice.layouts import Layouts
from audit_jobs.advice.partition_ranges import Key
from audit_jobs.advice.scores import Replayed, read_of_containers, scores
from audit_jobs.units import size
from collectors.arrays import Floats, IntArray

_POINTS = 24
"""Sets of partitions that are laid out, at most."""
_BEND = 0.1
"""How far above a straight line the curve must reach for a part of the table to be worth more than
its share."""


@dataclass(frozen=True, slots=True, eq=False)
class PartitionReads:
    """The partitions of a table: the bytes of each, and how many of these a scan keeps on average.
    Files of older specs, of `older_bytes`, are in none."""

    keys: tuple[Key, ...]
    bytes: Floats
    read: Floats
    older_bytes: int


@dataclass(frozen=True, slots=True)
class Point:
    """So many of the best partitions, their bytes, and how many bytes less a scan keeps on average
    once they are rewritten."""

    partitions: int
    bytes: float
    saved: float


@dataclass(frozen=True, slots=True)
class Minimal:
    """The curve of what rewriting the best of `all_keys` saves, by the current partition fields
    (`terms`), its `knee`, and the partitions up to there (`keys`): None and none where all count
    alike. Of `unsampled` partitions no row is known: they are in no set. Files of older specs have
    `older_bytes`."""

    terms: tuple[Term, ...]
    points: tuple[Point, ...]
    knee: Point | None
    keys: tuple[Key, ...]
    all_keys: tuple[Key, ...]
    bytes: float
    unsampled: int
    older_bytes: int

    @property
    def limits(self) -> tuple[str, ...]:
        """What is not known, in sentences."""
        return tuple(self._limits())

    def _limits(self) -> Iterator[str]:
        if self.unsampled:
            yield (
                f"Of {self.unsampled:,} of {len(self.all_keys):,} partitions no row was sampled: "
                "they are not among those that are worth rewriting now."
            )
        if self.older_bytes:
            yield (
                f"{size(self.older_bytes)} are in files of older partition specs: a condition may "
                "have a rewrite take these, too."
            )


def minimal_rewrite(
    layouts: Layouts,
    candidate: Candidate,
    terms: tuple[Term, ...],
    parts: PartitionReads,
    scans: tuple[Replayed, Floats],
) -> Minimal:
    """The curve of a layout for a table that is partitioned by `terms`, of which scans of these
    weights (1 in all) read so much now."""
    replayed, weight = scans
    if not parts.keys:
        return Minimal(terms, (), None, (), (), 0.0, 0, parts.older_bytes)
    of_row = _partition_of_rows(layouts, terms, parts.keys)
    known = of_row >= 0
    has = np.bincount(of_row[known], layouts.rows.weight[known], len(parts.keys))
    # Rows of a partition stand for its own bytes, however many of them were drawn.
    factor = parts.bytes / np.maximum(has * layouts.rows.row_bytes, 1e-9)
    own = np.where(known, layouts.rows.weight * factor[of_row], 0.0)
    sampled = np.flatnonzero((has > 0) & (parts.bytes > 0))
    if len(sampled):
        alone = _read_alone(layouts.standing_for(own), candidate, terms, parts.keys, scans)
    else:
        alone = np.zeros(len(parts.keys))
    gain = (parts.read - alone)[sampled] / parts.bytes[sampled]
    ranked = sampled[np.argsort(-gain, kind="stable")]
    points = []
    for count in _counts(len(ranked)):
        chosen = ranked[:count]
        together = layouts.standing_for(np.where(np.isin(of_row, chosen), own, 0.0))
        then = float(scores(together, [candidate], replayed).bytes[0] @ weight)
        saved = float(parts.read[chosen].sum()) - then
        points.append(Point(count, float(parts.bytes[chosen].sum()), saved))
    whole = float(parts.bytes.sum())
    knee = knee_of(points, whole)
    return Minimal(
        terms,
        tuple(points),
        knee,
        tuple(parts.keys[n] for n in ranked[: knee.partitions].tolist()) if knee else (),
        parts.keys,
        whole,
        len(parts.keys) - len(sampled),
        parts.older_bytes,
    )


def knee_of(points: Sequence[Point], whole: float) -> Point | None:
    """The point of a curve that is furthest above the straight line to all bytes and the most that
    can be saved; None where none is far above."""
    most = max((point.saved for point in points), default=0.0)
    if most <= 0:
        return None
    best = max(points, key=lambda point: point.saved / most - point.bytes / whole)
    return best if best.saved / most - best.bytes / whole >= _BEND else None


def _counts(partitions: int) -> list[int]:
    if partitions <= _POINTS:
        return list(range(1, partitions + 1))
    return sorted({round(count) for count in np.geomspace(1, partitions, _POINTS).tolist()})


def _partition_of_rows(layouts: Layouts, terms: Sequence[Term], keys: Sequence[Key]) -> IntArray:
    """The number of each row's partition; −1 where there is none of its values."""
    parts = [layouts.partitions(term) for term in terms]
    codes = np.stack([part.code for part in parts], axis=1)
    distinct, place = np.unique(codes, axis=0, return_inverse=True)
    return _numbers(distinct, layouts, terms, keys)[place.ravel()]


def _numbers(
    codes: IntArray, layouts: Layouts, terms: Sequence[Term], keys: Sequence[Key]
) -> IntArray:
    """The numbers of the partitions whose fields have these codes."""
    number = {key: place for place, key in enumerate(keys)}
    values = [layouts.partitions(term).values.to_pylist() for term in terms]
    return np.array(
        [
            number.get(tuple(of[code] for of, code in zip(values, row, strict=True)), -1)
            for row in codes.tolist()
        ],
        np.int64,
    )


def _read_alone(
    layouts: Layouts,
    candidate: Candidate,
    terms: tuple[Term, ...],
    keys: Sequence[Key],
    scans: tuple[Replayed, Floats],
) -> Floats:
    """What a scan would keep of each partition, on average, if it were rewritten by itself."""
    more = tuple(term for term in candidate.partition if term not in terms)
    laid, read = read_of_containers(layouts, Candidate((*terms, *more), candidate.order), *scans)
    of_container = _numbers(np.stack(laid.codes[: len(terms)], axis=1), layouts, terms, keys)
    found: Floats = np.bincount(of_container, read, len(keys)).astype(np.float64)
    return found
