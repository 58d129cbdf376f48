"""The samples of a run, computed from its rows in the audit tables: the same whether the run was
just made or is read back, and whichever way they are exported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.sums import RunSums
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_catalogue import OTHER, TABLE_LABELS, Metric
from prunescope.audit_jobs.sinks.metric_reading import Labels, passes
from prunescope.audit_jobs.sinks.run_rows import RunRows
from prunescope.collectors.safe_text import plain

MAX_VALUES = 50
"""Values of a label other than the table's. Each has a handful by design; tables that another
version wrote may have any."""

_CAPPED = ("agreement", "finding", "outcome")
"""The labels that are capped by it."""


class Sample(NamedTuple):
    """A value of a metric; `labels` are the values of its labels, in their order."""

    metric: Metric
    labels: Labels
    value: float


def run_samples(rows: RunRows, *, max_tables: int) -> list[Sample]:
    """The samples of a published run, as the catalogue describes them, in its order.

    At most `max_tables` tables have labels of their own: those with most considered bytes. All
    others are folded into `other`.
    """
    found = {metric: _read(metric, rows) for metric in catalogue.PUBLISHED}
    tables = {labels[:3] for metric, of in found.items() if _is_of_tables(metric) for labels in of}
    kept = _widest(tables, rows, max_tables)
    values = _Values()
    samples = [
        sample for metric, of in found.items() for sample in _samples(metric, of, kept, values)
    ]
    samples.append(Sample(catalogue.RUN_TABLES_FOLDED, (), len(tables) - len(kept)))
    samples += (
        Sample(catalogue.RUN_LABELS_FOLDED, (label,), count)
        for label, count in values.folded.items()
    )
    place = {metric: number for number, metric in enumerate(catalogue.PUBLISHED)}
    return sorted(samples, key=lambda sample: place[sample.metric])


def attempt_samples(run: Row) -> list[Sample]:
    """The samples of a run of any status, from its row in audit_runs: also of one whose rows were
    not published."""
    rows = RunRows(run, RunSums(), (), (), ())
    return [
        Sample(metric, labels, value)
        for metric in catalogue.ATTEMPT_METRICS
        for labels, value in _read(metric, rows).items()
        if value is not None
    ]


_Counts = dict[Labels, float | None]
"""Counts by labels; None if unknown."""


def _read(metric: Metric, rows: RunRows) -> _Counts:
    return {} if metric.read is None else _together(metric, metric.read(rows))


def _together(metric: Metric, found: Iterable[tuple[Labels, float | None]]) -> _Counts:
    """The values of the same labels, folded into one."""
    parts: dict[Labels, list[float | None]] = {}
    for labels, value in found:
        parts.setdefault(labels, []).append(value)
    fold = _highest if metric.worst else _sum
    return {labels: fold(values) for labels, values in parts.items()}


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _highest(values: Sequence[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _is_of_tables(metric: Metric) -> bool:
    return metric.labels[:3] == TABLE_LABELS


def _widest(tables: Collection[Labels], rows: RunRows, count: int) -> frozenset[Labels]:
    """The tables with most considered bytes: at most `count`, and the same for all metrics."""
    considered = Counter[Labels]()
    for labels, size in passes("bytes", lambda sums: sums.considered)(rows):
        considered[labels] += int(size or 0)
    return frozenset(sorted(tables, key=lambda labels: (-considered[labels], labels))[:count])


def _samples(
    metric: Metric, found: _Counts, kept: frozenset[Labels], values: _Values
) -> Iterator[Sample]:
    """The samples of a metric, tables in their order."""
    if _is_of_tables(metric):
        others = (OTHER,) * 3
        named = (
            (labels if labels[:3] in kept else (*others, *labels[3:]), value)
            for labels, value in found.items()
        )
        found = dict(sorted(_together(metric, named).items(), key=lambda item: item[0][:3]))
    for place in (n for n, label in enumerate(metric.labels) if label in _CAPPED):
        renamed = (
            (values.exported(metric, labels, place), value)
            for labels, value in _by_count(found, place)
        )
        found = dict(sorted(_together(metric, renamed).items()))
    for labels, value in found.items():
        if value is not None:
            yield Sample(metric, labels, value)


def _by_count(found: _Counts, place: int) -> list[tuple[Labels, float | None]]:
    """Samples sorted by the labels before a place, then by descending value: the largest are first
    to keep the name of the label at that place."""
    return sorted(
        found.items(), key=lambda item: (item[0][:place], -(item[1] or 0), item[0][place:])
    )


class _Values:
    """The values of labels other than the table's: the first MAX_VALUES of each keep their own, the
    others share one."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, str]] = {label: {} for label in _CAPPED}

    def exported(self, metric: Metric, labels: Labels, place: int) -> Labels:
        """The labels, with the value at a place replaced by the one that is exported for it."""
        value, known = plain(labels[place]), self._known[metric.labels[place]]
        own = known.setdefault(value, value if len(known) < MAX_VALUES else OTHER)
        return (*labels[:place], own, *labels[place + 1 :])

    @property
    def folded(self) -> dict[str, int]:
        """The number of values that share one, by label."""
        return {
            label: sum(exported == OTHER != value for value, exported in known.items())
            for label, known in self._known.items()
        }
