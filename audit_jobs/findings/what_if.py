"""What a bloom filter of each column that scans compare by equality would save, beside what rows in
order of it would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from audit_jobs.findings.bloom_filters import FALSE_POSITIVES, bytes_of_filter
from audit_jobs.findings.indexes import Index, Indexed
from audit_jobs.findings.model import Change, Files
from audit_jobs.findings.trials import Groups, Read, Trial, TrialScan, opening_cost, tried
from collectors.predicates.model import BoundComparison, conjuncts
from collectors.predicates.operators import Op
from collectors.tables.properties import BLOOM_FILTER_OF


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What bloom filters of a column would do for `scans` that compare it by equality, which keep
    so many bytes of files (`bytes_kept`), and of these read as many of row groups (`bytes_read`):
    `bytes_won` that these skip, less what they read of filters; `filter_bytes` of all row groups,
    a share of what writers write without (`share_written`). A sort by the column wins
    `bytes_by_sort` of what all scans keep. None where no rows tell."""

    column: str
    scans: int
    bytes_kept: int
    bytes_read: int
    bytes_won: int | None = None
    filter_bytes: int | None = None
    share_written: float | None = None
    bytes_by_sort: int | None = None


def with_indexes(trial: Trial) -> Trial:
    """A trial of indexes as well, and of a sort by the column of each."""
    indexes = tuple(Index(name, trial.row_group_bytes, FALSE_POSITIVES) for name in _columns(trial))
    layouts = dict.fromkeys((*trial.layouts, *(_sort(index.column) for index in indexes)))
    modes = {layout: trial.modes.get(layout, {}) for layout in layouts}
    return replace(trial, layouts=tuple(layouts), modes=modes, indexes=indexes)


def what_if(
    trial: Trial, reads: Mapping[Change, Read], indexed: Mapping[Index, Indexed]
) -> tuple[WhatIf, ...]:
    """What comes of the indexes of a trial, those first that win most."""
    known = tried(trial, reads, opening_cost(trial.usage))
    found = []
    for index in trial.indexes:
        asking = [one for one in trial.scans if index.column in _asked_by(one)]
        one = WhatIf(
            index.column,
            round(sum(scan.weight for scan in asking)),
            round(sum(scan.weight * scan.bytes for scan in asking)),
            round(sum(scan.weight * scan.bytes * _inside(scan) for scan in asking)),
        )
        if index in indexed:
            one = _as_tried(one, trial, index, indexed[index])
        by_sort = known.get(_sort(index.column))
        found.append(one if by_sort is None else replace(one, bytes_by_sort=by_sort.won))
    return tuple(sorted(found, key=lambda one: (-(one.bytes_won or 0), one.column)))


def _as_tried(found: WhatIf, trial: Trial, index: Index, told: Indexed) -> WhatIf:
    groups = Groups(trial.scans, len(trial.usage.groups))
    each = bytes_of_filter(told.values, index.false_positives)
    more = groups.more(told.now, told.left, groups.bytes, groups.read)
    # Readers ask a dictionary first, and a filter of what it leaves.
    asked = told.asked * np.array([scan.filtered for scan in trial.scans]) * each
    filters = groups.more(told.now, asked, groups.bytes, np.zeros_like(groups.read))
    won = float(np.maximum(0.0, -more).sum() - filters.sum())
    size = each * told.containers
    health = trial.usage.health
    assert health is not None
    return replace(
        found,
        bytes_won=round(won),
        filter_bytes=round(size),
        share_written=size / max(1, health.bytes),
    )


def _columns(trial: Trial) -> Iterator[str]:
    """Those of which there are no filters yet, and of a type of which there are any."""
    properties = trial.usage.metadata.properties
    types = {column.name: column.type for column in trial.usage.schema.columns}
    asked = dict.fromkeys(name for scan in trial.scans for name in _asked_by(scan))
    for name in asked:
        is_indexed = properties.get(BLOOM_FILTER_OF + name) == "true"
        if types.get(name, "boolean") != "boolean" and not is_indexed:
            yield name


def _asked_by(scan: TrialScan) -> Iterator[str]:
    for part in conjuncts(scan.scan.predicate):
        match part:
            case BoundComparison(Op.EQ | Op.IN, field) if field.transform is None:
                yield field.name


def _inside(scan: TrialScan) -> float:
    return 1.0 if scan.inside is None else scan.inside


def _sort(column: str) -> Change:
    return Change(order=(column,), files=Files.ALL).layout
