"""Savings of a bloom filter of each column that scans compare by equality, beside what rows in
order of it would."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from audit_jobs.findings.bloom_filters import FALSE_POSITIVES, bytes_of_filter, written_bytes
from audit_jobs.findings.indexes import Index
from audit_jobs.findings.model import Change, Files
from audit_jobs.findings.trials import (
    Groups,
    Reads,
    Trial,
    TrialScan,
    Tried,
    opening_cost,
    tried,
    usual_row_group,
)
from audit_jobs.findings.usage import TableUsage
from collectors.predicates.model import BoundComparison, Predicate, conjuncts
from collectors.predicates.operators import Op
from collectors.tables.properties import BLOOM_FILTER_OF


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
    of whose types there are any: of row groups as files have them once written anew."""
    properties, now = usage.metadata.properties, usual_row_group(usage)
    size = None if now is None or usage.health is None else written_bytes(usage.health, now)
    row_group_bytes = None if size is None else round(size)
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


def what_ifs(trial: Trial, reads: Reads) -> tuple[WhatIf, ...]:
    """Returns what comes of the indexes of a trial, those first that win most."""
    known = tried(trial, reads.layouts, opening_cost(trial.usage))
    found = [_what_if(trial, reads, index, known.get(sort_by(index))) for index in trial.indexes]
    return tuple(sorted(found, key=lambda one: (-(one.bytes_won or 0), one.column)))


def _what_if(trial: Trial, reads: Reads, index: Index, by_sort: Tried | None) -> WhatIf:
    asking = [one for one in trial.scans if index.column in _asked_by(one.scan.predicate)]
    told, won = reads.indexed.get(index), won_by_index(trial, reads, index)
    size = None
    if told is not None:
        size = bytes_of_filter(told.values, index.false_positives) * told.containers
    health = trial.usage.health
    assert health is not None
    return WhatIf(
        index.column,
        round(sum(scan.weight for scan in asking)),
        round(sum(scan.weight * scan.bytes for scan in asking)),
        round(sum(scan.weight * scan.bytes * _inside(scan) for scan in asking)),
        bytes_won=None if won is None else sum(won),
        filter_bytes=None if size is None else round(size),
        share_written=None if size is None else size / max(1, health.bytes),
        bytes_by_sort=None if by_sort is None else by_sort.won,
    )


def won_by_index(trial: Trial, reads: Reads, index: Index) -> tuple[int, ...] | None:
    """The bytes of row groups that each group reads less with an index, net of those of its
    filters; None where no row was read."""
    told = reads.indexed.get(index)
    if told is None:
        return None
    groups = Groups(trial.scans, len(trial.usage.groups))
    each = bytes_of_filter(told.values, index.false_positives)
    more = groups.more(told.now, told.left, groups.bytes, groups.read)
    # Readers ask a dictionary first, and a filter of what it leaves.
    asked = told.asked * np.array([scan.filtered for scan in trial.scans]) * each
    filters = groups.more(told.now, asked, groups.bytes, np.zeros_like(groups.read))
    return tuple(map(round, (np.maximum(0.0, -more) - filters).tolist()))


def _asked_by(predicate: Predicate) -> Iterator[str]:
    for part in conjuncts(predicate):
        match part:
            case BoundComparison(Op.EQ | Op.IN, field) if field.transform is None:
                yield field.name


def _inside(scan: TrialScan) -> float:
    return 1.0 if scan.inside is None else scan.inside
