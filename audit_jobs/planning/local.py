"""Replaying scans of one table in-process, for `explain`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from prunescope.audit_jobs.health.sketch import Measure
from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.planning.collection import collected_seldom
from prunescope.audit_jobs.planning.conclude import conclude
from prunescope.audit_jobs.planning.driver import Scans, replay_scans
from prunescope.audit_jobs.planning.gathered import OF_SCANS, gathered
from prunescope.audit_jobs.planning.items import Item
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.planning.stages import BLOCK
from prunescope.audit_jobs.planning.work import Home, TableContext, TableWork, table_work
from prunescope.audit_jobs.pruning.counts import no_counts
from prunescope.audit_jobs.pruning.rules import PlannerRules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.summaries import Summaries
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary, SnapshotTotals
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.schema import Schema
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.initial_defaults import initial_defaults
from prunescope.collectors.tables.manifest_list import Manifest
from prunescope.collectors.tables.metadata import Snapshot


@dataclass(frozen=True, slots=True)
class Replayed:
    """A scan's plan, or why there is none; and the names of the kept files, if asked for."""

    summary: ScanPlanSummary | None
    failure: Failed | None
    kept_files: tuple[str, ...] = ()


MAX_SCANS = 16_384
"""Scans of one block: enough to judge them together, and a bounded amount of memory per task."""


def table_context(
    table: Table, schema: Schema, read: Iterable[int], measure: Measure | None = None
) -> TableContext:
    """The context that scans of a table under a schema share, if they read the snapshots with the
    ids `read`; with `measure`, the table's health is measured as well. Raises PrunescopeError if
    the metadata is malformed."""
    scanned = frozenset(read)
    snapshots = {id_: table.metadata.snapshot_by_id(id_) for id_ in sorted(scanned)}
    if measure is not None:
        snapshots[measure.snapshot_id] = table.metadata.snapshot_by_id(measure.snapshot_id)
    return TableContext(
        table=str(table.name),
        specs=table.metadata.specs(schema),
        storage=table.storage,
        defaults=initial_defaults(schema),
        name_mapping=table.metadata.name_mapping,
        snapshots=snapshots,
        scanned=scanned,
        schema_id=schema.schema_id,
        default_spec_id=table.metadata.default_spec_id,
        measure=measure,
    )


def table_works(
    key: int,
    context: TableContext,
    scans: Sequence[tuple[int, Scan]],
    *,
    size: int = MAX_SCANS,
    home: Home = Home(),  # noqa: B008  # it cannot be changed
) -> list[TableWork]:
    """The scans of a context, each with the id of its snapshot, in blocks of at most `size` whose
    keys are `key` and those that follow."""
    return [
        table_work(
            number,
            context.table,
            context.schema_id,
            context.specs,
            scans[start : start + size],
            home,
        )
        for number, start in enumerate(range(0, len(scans), size), key)
    ]


def block_items(works: Iterable[TableWork]) -> list[Item]:
    """The blocks of works, as items for tasks."""
    return [Item(BLOCK, work.block, work.table, work.key) for work in works]


@collected_seldom()
def replay(  # noqa: PLR0913  # all that a plan depends on
    table: Table,
    snapshot: Snapshot | None,
    predicates: Sequence[Predicate | tuple[Predicate, PlannerRules]],
    *,
    schema: Schema | None = None,
    list_files: bool = False,
    max_footers: int | None = None,
    listed: tuple[Manifest, ...] | None = None,
) -> list[Replayed]:
    """Plans predicates against one snapshot, in order, by the rules of the newest Iceberg or by the
    rules given with each. `snapshot` is None for a table without any.

    Predicates are bound to `schema`, by default that of a scan that names no version. Each manifest
    and each footer is read once for all of them; of more than `max_footers` footers, a sample.
    `listed` is the manifest list of the snapshot, if it was read before.
    Unreadable metadata is the failure of the scans that need it.
    """
    schema = table.metadata.schema(snapshot) if schema is None else schema
    scans = [
        Scan(number, *asked) if isinstance(asked, tuple) else Scan(number, asked)
        for number, asked in enumerate(predicates)
    ]
    if not scans:
        return []
    if snapshot is None:
        nothing = nothing_to_read(schema.schema_id, table.metadata.specs(schema), scans)
        return [Replayed(found, None) for found in nothing]
    read = snapshot.snapshot_id
    context = table_context(table, schema, [read])
    if listed is not None:
        context = replace(context, listed={read: listed})
    works = table_works(0, context, [(read, scan) for scan in scans])
    runner = LocalRunner()
    name = context.table
    found = replay_scans(
        {name: {schema.schema_id: context}},
        Scans(runner.items(block_items(works)), {name: len(scans)}),
        runner,
        max_footers=max_footers,
        list_files=list_files,
    )
    if (name, read) in found.unlisted:
        return [Replayed(None, found.unlisted[name, read])] * len(scans)
    together = gathered(found.of_scans.found(*OF_SCANS))
    about = (read, schema.schema_id, found.totals[name, read], context.specs)
    replayed = []
    for work in works:
        counts = together.counts.get(work.key, work.block.no_counts())
        everyone = np.arange(len(work.scans))
        summaries = conclude(work.scans, work.block.shapes, counts, about, everyone)
        failed = together.failed(work.key)
        for position in range(len(work.scans)):
            # Manifests come in any order: those that are in the cache, together.
            paths = tuple(sorted(together.kept_paths.get((work.key, position), ())))
            why = failed.get(position)
            replayed.append(
                Replayed(summaries[position], None, paths) if why is None else Replayed(None, why)
            )
    return replayed


def nothing_to_read(
    schema_id: int, specs: Mapping[int, PartitionSpec], scans: Sequence[Scan]
) -> Summaries:
    """The plans of a table that was never written: all counts are 0, and known."""
    totals = SnapshotTotals(0, 0, 0, 0, 0, 0, ())
    snapshot = (None, schema_id, totals, specs)
    return conclude(scans, shapes(scans), no_counts(scans), snapshot, np.arange(len(scans)))
