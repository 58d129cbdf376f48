"""Groups of manifests that were read: only those that share a kind are judged together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

import numpy as np

from prunescope.audit_jobs.planning.manifest_stage import ManifestPlan
from prunescope.audit_jobs.planning.work import PlannedTable
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.tables.manifests import ManifestEntries


@dataclass(frozen=True, slots=True)
class Opened:
    """Manifests that were read together, and, for each, its numbers among those listed: lists may
    describe it differently."""

    entries: ManifestEntries
    numbers: Sequence[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Kind:
    """Manifests of one content under one spec, and the schemas under which their specs are the
    same."""

    spec: PartitionSpec
    deletes: bool
    opened: Sequence[Opened]
    schema_ids: frozenset[int]

    @property
    def entries(self) -> list[ManifestEntries]:
        """Their entries."""
        return [opened.entries for opened in self.opened]

    @property
    def numbers(self) -> list[tuple[int, ...]]:
        """The numbers of each manifest among those listed."""
        return [numbers for opened in self.opened for numbers in opened.numbers]

    def halves(self) -> Iterator[Kind]:
        """The first half of several manifests, and the second."""
        count = sum(len(opened.numbers) for opened in self.opened)
        for start, stop in ((0, count // 2), (count // 2, count)):
            some = []
            before = 0
            for opened in self.opened:
                own = range(max(0, start - before), min(len(opened.numbers), stop - before))
                before += len(opened.numbers)
                if own:
                    numbers = [opened.numbers[place] for place in own]
                    some.append(Opened(opened.entries.chosen(own), numbers))
            yield replace(self, opened=some)


def kinds(table: PlannedTable, first: ManifestPlan, batch: Sequence[Opened]) -> Iterator[Kind]:
    """Manifests that any scan keeps, or that are measured, by content and spec, which may differ by
    schema."""
    found: dict[tuple[PartitionSpec, bool], dict[tuple[int, int], set[int]]] = {}
    schemas: dict[tuple[PartitionSpec, bool], set[int]] = {}
    for schema_id, needed in first.needed.items():
        specs = table.contexts[schema_id].specs
        for place, opened in enumerate(batch):
            for own, numbers in enumerate(opened.numbers):
                for number in numbers:
                    if needed.manifests[number]:
                        manifest = first.listed[number].manifest
                        kind = (specs[manifest.spec_id], manifest.deletes)
                        found.setdefault(kind, {}).setdefault((place, own), set()).add(number)
                        schemas.setdefault(kind, set()).add(schema_id)
    for (spec, deletes), places in found.items():
        of_kind = []
        for place, of_opened in groupby(sorted(places), key=itemgetter(0)):
            chosen = [own for _, own in of_opened]
            of_kind.append(
                Opened(
                    batch[place].entries.chosen(chosen),
                    [tuple(sorted(places[place, own])) for own in chosen],
                )
            )
        yield Kind(spec, deletes, of_kind, frozenset(schemas[spec, deletes]))


def any_of_each(kept: BoolArray, numbers: Sequence[tuple[int, ...]]) -> BoolArray:
    """Masks of the manifests that scans keep under any of their numbers: from a mask over M listed
    manifests, of the shape (S, M), to one of the shape (S, len(numbers))."""
    starts = np.cumsum([0, *map(len, numbers[:-1])])
    flat = [number for of_manifest in numbers for number in of_manifest]
    return np.asarray(np.logical_or.reduceat(kept[:, flat], starts, axis=1))
