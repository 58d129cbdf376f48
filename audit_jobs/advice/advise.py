"""From sampled rows and a workload to the layout that is advised, if any."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from audit_jobs.advice.candidates import Candidate, Term
from audit_jobs.advice.intervals import (
    ALIKE,
    MIN_GAIN,
    MIN_SHARE,
    Interval,
    deviations,
    draws,
    interval,
    means,
)
from audit_jobs.advice.layouts import MIN_ROWS, Laid, Layouts
from audit_jobs.advice.model import Advice, Drift, Effect, Now, Prediction, Sizes
from audit_jobs.advice.proposals import propose
from audit_jobs.advice.rows import Floats, SampledRows
from audit_jobs.advice.scores import Replayed, replayed, scores
from audit_jobs.advice.workload import Workload, some_of, used_columns

FINALISTS = 5
"""Layouts of which intervals are made."""
SEARCHED = 256
"""Scans by which layouts are searched for, of those that are replayed on the finalists."""


def advise(
    rows: SampledRows,
    found: Workload,
    kept: tuple[Floats, Floats],
    least: Floats,
    now: Now,
    *,
    seed: int = 0,
) -> Advice:
    """The advice for a table of which scans keep so many bytes and files (`kept`, by scan), though
    the rows that they match have so few (`least`)."""
    scans = replayed(found.planned)
    layouts = Layouts(rows, now.target_bytes)
    weight = found.weight / found.weight.sum()

    numbers, of_some = some_of(found, kept[0], seed, SEARCHED)
    some = replayed([replace(found.planned[n], scan_id=i) for i, n in enumerate(numbers)])

    def costs(candidates: Sequence[Candidate]) -> Floats:
        scored = scores(layouts, candidates, some)
        cost: Floats = (scored.bytes + now.open_file_cost * scored.files) @ of_some
        return cost

    used = used_columns(found, kept[0])
    proposed = propose(layouts, used, now.partition or (), costs)
    ranked = _ranked(proposed.candidates, proposed.costs, now)
    cost_now = float((kept[0] + now.open_file_cost * kept[1]) @ weight)
    replay = _Replay(layouts, scans, found, kept[0], (some, of_some))
    predictions, by_scan, kept_interval = _predicted(replay, ranked, seed)
    best = next(
        (
            number
            for number, prediction in enumerate(predictions)
            if _is_real(prediction, by_scan[number], cost_now, weight, kept_interval, now)
        ),
        None,
    )
    then = kept[0] if best is None else by_scan[best][0]
    return Advice(
        now=now,
        scans=len(found.scans),
        runs=float(found.weight.sum()),
        days=len(found.days),
        kept=kept_interval,
        files_kept=float(kept[1] @ weight),
        least=float(least @ weight),
        best=None if best is None else predictions[best],
        others=tuple(p for number, p in enumerate(predictions) if number != best),
        effects=_effects(found, kept[0], then, least),
        scored=len(proposed.candidates),
        sampled_files=rows.clusters,
        sampled_rows=rows.count,
        resolution=max(1, rows.count // MIN_ROWS),
        drift=_drift(found, kept[0]),
        unread=tuple(
            one.column.name
            for one in used
            if (one.column.field_id, one.column.type) not in rows.columns
        ),
    )


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


@dataclass(frozen=True, slots=True, eq=False)
class _Replay:
    """What layouts are scored by: rows, scans, how often these ran, the bytes that they keep of the
    table as it is; and some of the scans, with their weights."""

    layouts: Layouts
    scans: Replayed
    found: Workload
    kept: Floats
    some: tuple[Replayed, Floats]


def _predicted(
    replay: _Replay, candidates: Sequence[Candidate], seed: int
) -> tuple[list[Prediction], list[tuple[Floats, Floats]], Interval]:
    """Predictions of layouts, the bytes and files that each scan keeps of them, and what scans keep
    of the table as it is."""
    layouts, scans, kept = replay.layouts, replay.scans, replay.kept
    weeks = draws(replay.found, seed)
    file = min(layouts.target_bytes, layouts.rows.bytes)
    weight = replay.found.weight / replay.found.weight.sum()
    means_now = means(kept, weeks)
    kept_interval = interval(float(kept @ weight), means_now, file, layouts.rows.bytes)
    if not candidates:
        return [], [], kept_interval
    scored = scores(layouts, candidates, scans)
    by_sample = deviations(layouts, candidates, *replay.some, seed)
    predictions = []
    for number, candidate in enumerate(candidates):
        value = float(scored.bytes[number] @ weight)
        drawn_means = means(scored.bytes[number], weeks) + by_sample[weeks.replicate, number]
        gain = interval(kept_interval.value - value, means_now - drawn_means, file)
        predictions.append(
            Prediction(
                candidate,
                interval(value, drawn_means, file, layouts.rows.bytes),
                float(scored.files[number] @ weight),
                gain,
                _sizes(layouts.lay(candidate)),
            )
        )
    by_scan = list(zip(scored.bytes, scored.files, strict=True))
    return predictions, by_scan, kept_interval


def _is_real(
    prediction: Prediction,
    by_scan: tuple[Floats, Floats],
    cost_now: float,
    weight: Floats,
    kept: Interval,
    now: Now,
) -> bool:
    """Whether a layout wins by more than what may be chance, opening of files counted in."""
    cost = float((by_scan[0] + now.open_file_cost * by_scan[1]) @ weight)
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
