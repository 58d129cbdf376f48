"""How sure predictions are: what another sample of rows, another cut into files, and other days of
the log would have said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from audit_jobs.advice.candidates import Candidate
from audit_jobs.advice.layouts import Layouts, drawn
from audit_jobs.advice.rounds import Asking, Sampled, ask
from audit_jobs.advice.scores import scores
from audit_jobs.advice.workload import Workload
from collectors.arrays import Floats, IntArray

REPLICATES = 10
"""Samples of rows that are drawn anew."""
DRAWS = 50
"""Weeks that are drawn anew for each of them."""
HORIZON = 7
"""Days that a prediction is for."""
_FEW_DAYS = 5
"""Of a log of fewer days, scans are drawn in their place."""
_LOW, _HIGH = 5, 95
MIN_GAIN = 0.02
"""The part of the table's bytes that a scan must keep less, on average and at the lower end of the
interval, for a rewrite to be advised; and so much more of what it keeps now (MIN_SHARE)."""
MIN_SHARE = 0.05
ALIKE = 0.005
"""Changes whose costs differ by no more than this part of the table's bytes are as good as each
other: the simpler one is advised."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A prediction, and what it lies between with 90 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """For K drawn weeks: how often each scan runs in each (K, S), and the sample of rows that goes
    with it."""

    runs: Floats
    replicate: np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def draws(found: Workload, seed: int) -> Draws:
    """Weeks as the log could have had: drawn from its days, or, where it has few, its scans."""
    generator = np.random.default_rng(seed)
    count = REPLICATES * DRAWS
    replicate = np.arange(count) // DRAWS
    days = len(found.days)
    if days >= _FEW_DAYS:
        chosen = generator.multinomial(min(HORIZON, days), np.full(days, 1 / days), size=count)
        return Draws(chosen @ found.runs, replicate)
    weight = found.weight
    total = max(1, min(int(weight.sum()), 100_000))
    return Draws(
        generator.multinomial(total, weight / weight.sum(), size=count).astype(float), replicate
    )


class Draw(NamedTuple):
    """Another sample of rows: how often each sampled file is drawn (None: once), and from where on
    rows are cut into files."""

    clusters: IntArray | None = None
    phase: float = 0.0

    def of(self, layouts: Layouts) -> Layouts:
        """The layouts of its rows."""
        return layouts if self.clusters is None else layouts.weighted(self.clusters)


def samples(clusters: int, files: int, seed: int) -> list[Draw]:
    """Samples as there could have been of so many files of a table of so many."""
    generator = np.random.default_rng(seed)
    return [
        Draw(drawn(clusters, generator) if clusters < files else None, generator.random())
        for _ in range(REPLICATES)
    ]


def deviations(candidates: Sequence[Candidate], others: Sequence[Draw]) -> Asking[Floats]:
    """By how much other samples of rows change the mean bytes that some scans keep: of the shape
    (samples, candidates)."""
    of = partial(_means, candidates=tuple(candidates))
    before, *again = yield from ask(of, [Draw(), *others], layouts=len(candidates))
    return np.array([one - before for one in again])


def _means(
    sampled: Sampled, parts: Sequence[Draw], candidates: tuple[Candidate, ...]
) -> list[Floats]:
    return [
        scores(draw.of(sampled.layouts), candidates, sampled.some, phase=draw.phase).bytes
        @ sampled.of_some
        for draw in parts
    ]


def means(bytes_of_scans: Floats, weeks: Draws) -> Floats:
    """Mean bytes per scan of each drawn week (K), given those of the scans."""
    found: Floats = weeks.runs @ bytes_of_scans / np.maximum(weeks.runs.sum(axis=1), 1e-9)
    return found


def interval(
    value: float, drawn_means: Floats, resolution: float, whole: float = float("inf")
) -> Interval:
    """The interval of a prediction of bytes, of a `whole`, or of a difference of some. It holds the
    prediction, and is no finer than a `resolution`: files are not cut to the row."""
    low, high = np.percentile(drawn_means, (_LOW, _HIGH))
    low = min(value, float(low)) - resolution / 2
    high = max(value, float(high)) + resolution / 2
    return Interval(value, low if whole == float("inf") else max(0.0, low), min(whole, high))
