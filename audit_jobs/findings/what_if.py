"""Savings of a bloom filter of each column that scans compare by equality, beside what rows in
order of it would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from prunescope.audit_jobs.findings.bloom_filters import (
    FALSE_POSITIVES,
    Index,
    Indexed,
    bytes_of_filter,
)
from prunescope.audit_jobs.findings.model import Change, Files
from prunescope.audit_jobs.findings.trials import (
    Groups,
    Read,
    Trial,
    TrialScan,
    opening_cost,
    tried,
    usual_row_group,
)
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.collectors.predicates.model import BoundComparison, Predicate, conjuncts
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.properties import BLOOM_FILTER_OF


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The effect of bloom filters of a column on `scans` that compare it by equality, which keep
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


def indexes_of(usage: TableUsage) -> tuple[Index, ...]:
    """Bloom filters of the columns that scans compare by equality, of which there are none yet and
    of whose types there are any."""
    properties, row_group_bytes = usage.metadata.properties, usual_row_group(usage)
    types = {column.name: column.type for column in usage.schema.columns}
    conditions = (c.predicate for group in usage.groups for c in group.conditions)
    return tuple(
        Index(name, row_group_bytes, FALSE_POSITIVES)
        for name in dict.fromkeys(name for part in conditions for name in _asked_by(part))
        if types.get(name, "boolean") != "boolean"
        if properties.get(BLOOM_FILTER_OF + name) != "true"
    )


def sort_by(index: Index) -> Change:
    """The layout that an index is compared with."""
    return Change(order=(index.column,), files=Files.ALL).layout


def what_if(
    trial: Trial, reads: Mapping[Change, Read], indexed: Mapping[Index, Indexed]
) -> tuple[WhatIf, ...]:
    """Returns what comes of the indexes of a trial, those first that win most."""
    known = tried(trial, reads, opening_cost(trial.usage))
    found = []
    for index in trial.indexes:
        asking = [one for one in trial.scans if index.column in _asked_by(one.scan.predicate)]
        one = WhatIf(
            index.column,
            round(sum(scan.weight for scan in asking)),
            round(sum(scan.weight * scan.bytes for scan in asking)),
            round(sum(scan.weight * scan.bytes * _inside(scan) for scan in asking)),
        )
        if index in indexed:
            one = _as_tried(one, trial, index, indexed[index])
        by_sort = known.get(sort_by(index))
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


def _asked_by(predicate: Predicate) -> Iterator[str]:
    for part in conjuncts(predicate):
        match part:
            case BoundComparison(Op.EQ | Op.IN, field) if field.transform is None:
                yield field.name


def _inside(scan: TrialScan) -> float:
    return 1.0 if scan.inside is None else scan.inside
