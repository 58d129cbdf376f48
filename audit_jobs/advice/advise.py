"""From what is known of a table, its rows and its workload to what is advised, if anything."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from audit_jobs.advice.basis import Basis
from audit_jobs.advice.candidates import Candidate, Term
from audit_jobs.advice.inside import best_as_it_is, look_inside
from audit_jobs.advice.intervals import (
    ALIKE,
    MIN_GAIN,
    MIN_SHARE,
    Interval,
    deviations,
    draws,
    interval,
    means,
    samples,
)
from audit_jobs.advice.laid import Laid
from audit_jobs.advice.layouts import MIN_ROWS
from audit_jobs.advice.model import Advice, Drift, Effect, Now, Prediction, Sizes
from audit_jobs.advice.proposals import propose
from audit_jobs.advice.rounds import Asking, Sampled, ask, together
from audit_jobs.advice.scores import scores
from audit_jobs.advice.workload import Workload
from collectors.arrays import Floats

FINALISTS = 5
"""Layouts of which intervals are made."""


def advising(basis: Basis) -> Asking[Advice]:
    """The advice for a table, but for what is to be rewritten first, and for manifests."""
    if basis.inside is None:
        chosen = yield from _choosing(basis)
        return replace(chosen, of_bounds=True)
    advice, as_is = yield from together(_choosing(basis), best_as_it_is(basis, basis.inside))
    best = None if advice.best is None else advice.best.candidate
    inside = yield from look_inside(basis, basis.inside, as_is, best)
    return advice.with_inside(inside)


def _choosing(basis: Basis) -> Asking[Advice]:
    """The layout of files that is advised, if any."""
    now, found, kept, weight = basis.now, basis.found, basis.kept, basis.weight

    def costs(candidates: Sequence[Candidate]) -> Asking[Floats]:
        read = yield from ask(_of_some, candidates)
        size, files = (np.stack(of_each) for of_each in zip(*read, strict=True))
        cost: Floats = (size + now.open_file_cost * files) @ basis.of_some
        return cost

    proposed = yield from propose(basis.by, costs)
    ranked = _ranked(proposed.candidates, proposed.costs, now)
    cost_now = float((kept + now.open_file_cost * basis.files) @ weight)
    predictions, by_scan, kept_interval = yield from _predicted(basis, ranked)
    best = next(
        (
            number
            for number, prediction in enumerate(predictions)
            if _is_real(prediction, by_scan[number], cost_now, weight, kept_interval, now)
        ),
        None,
    )
    then = kept if best is None else by_scan[best].bytes
    return Advice(
        now=now,
        scans=len(found.scans),
        runs=float(found.weight.sum()),
        days=len(found.days),
        kept=kept_interval,
        files_kept=float(basis.files @ weight),
        least=float(basis.least @ weight),
        best=None if best is None else predictions[best],
        others=tuple(p for number, p in enumerate(predictions) if number != best),
        effects=_effects(found, kept, then, basis.least),
        scored=len(proposed.candidates),
        sampled_files=basis.coverage.files,
        sampled_rows=basis.coverage.rows,
        resolution=max(1, basis.coverage.rows // MIN_ROWS),
        drift=_drift(found, kept),
        unread=basis.unread,
        stopped=basis.stopped,
    )


def _of_some(sampled: Sampled, candidates: Sequence[Candidate]) -> list[tuple[Floats, Floats]]:
    """The bytes and files that some scans keep of layouts."""
    found = scores(sampled.layouts, candidates, sampled.some)
    return list(zip(found.bytes, found.files, strict=True))


def _ranked(candidates: Sequence[Candidate], costs: Sequence[float], now: Now) -> list[Candidate]:
    """The best layouts, one of each partitioning: of those that are alike the simplest first."""
    order = sorted(range(len(candidates)), key=costs.__getitem__)
    if not order:
        return []
    limit = costs[order[0]] + ALIKE * now.bytes
    alike = [number for number in order if costs[number] <= limit]
    current = now.partition or ()
    first = min(alike, key=lambda n: (candidates[n].complexity(current), costs[n]))
    chosen: dict[tuple[Term, ...], Candidate] = {}
    for number in (first, *order):
        chosen.setdefault(candidates[number].partition, candidates[number])
    return list(chosen.values())[:FINALISTS]


class _Read(NamedTuple):
    """The bytes and files that each scan keeps of a layout, and its sizes."""

    bytes: Floats
    files: Floats
    sizes: Sizes


def _of_all(sampled: Sampled, candidates: Sequence[Candidate]) -> list[_Read]:
    found = scores(sampled.layouts, candidates, sampled.scans)
    sizes = (_sizes(sampled.layouts.lay(candidate)) for candidate in candidates)
    return list(map(_Read, found.bytes, found.files, sizes))


def _predicted(
    basis: Basis, candidates: Sequence[Candidate]
) -> Asking[tuple[list[Prediction], Sequence[_Read], Interval]]:
    """Predictions of layouts, what each scan keeps of them, and what scans keep of the table as it
    is."""
    now, weight = basis.now, basis.weight
    weeks = draws(basis.found, basis.seed)
    file = min(now.target_bytes, now.bytes)
    means_now = means(basis.kept, weeks)
    kept_interval = interval(float(basis.kept @ weight), means_now, file, now.bytes)
    if not candidates:
        return [], [], kept_interval
    others = samples(basis.coverage.files, now.files, basis.seed)
    read, by_sample = yield from together(
        ask(_of_all, candidates, layouts=basis.all_beside_some), deviations(candidates, others)
    )
    predictions = []
    for number, (candidate, of_all) in enumerate(zip(candidates, read, strict=True)):
        value = float(of_all.bytes @ weight)
        drawn_means = means(of_all.bytes, weeks) + by_sample[weeks.replicate, number]
        gain = interval(kept_interval.value - value, means_now - drawn_means, file)
        predictions.append(
            Prediction(
                candidate,
                interval(value, drawn_means, file, now.bytes),
                float(of_all.files @ weight),
                gain,
                of_all.sizes,
            )
        )
    return predictions, read, kept_interval


def _is_real(
    prediction: Prediction,
    read: _Read,
    cost_now: float,
    weight: Floats,
    kept: Interval,
    now: Now,
) -> bool:
    """Whether a layout wins by more than what may be chance, opening of files counted in."""
    cost = float((read.bytes + now.open_file_cost * read.files) @ weight)
    least = max(MIN_GAIN * now.bytes, MIN_SHARE * kept.value)
    return prediction.gain.low >= least and cost < cost_now


def _effects(found: Workload, now: Floats, then: Floats, least: Floats) -> tuple[Effect, ...]:
    weight = found.weight
    effects = []
    for name, numbers in found.fingerprints.items():
        own = weight[numbers]
        runs = float(own.sum())
        means_of = (float(some[numbers] @ own) / runs for some in (now, then, least))
        effects.append(Effect(name, runs, *means_of))
    return tuple(sorted(effects, key=lambda one: -one.runs * one.now))


def _drift(found: Workload, now: Floats) -> Drift | None:
    """None where the log has no days before the last seven."""
    days = [day for day in found.days if day is not None]
    if not days:
        return None
    since = days[-1] - dt.timedelta(days=6)
    is_last = np.array([day is not None and day >= since for day in found.days])
    last, before = found.runs[is_last].sum(axis=0), found.runs[~is_last].sum(axis=0)
    if not before.sum():
        return None
    return Drift(float(last @ now / last.sum()), float(before @ now / before.sum()))


def _sizes(laid: Laid) -> Sizes:
    of_partition = np.bincount(laid.partition, laid.bytes)
    files = laid.files
    each = np.repeat(laid.bytes / files, np.maximum(1, np.rint(files)).astype(np.int64))
    return Sizes(
        partitions=len(of_partition),
        files=round(float(files.sum())),
        partition_bytes=float(np.median(of_partition)),
        file_bytes=float(np.median(each)),
    )
