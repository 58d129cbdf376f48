"""Pass 1 with its reading: a snapshot's manifest list against all of its scans."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit_jobs.health.measure import MAX_MEASURED_MANIFESTS, ManifestFacts, manifest_depth
from audit_jobs.health.sketch import hash_of, smallest
from audit_jobs.isolation import attempt
from audit_jobs.pruning.counts import Counts
from audit_jobs.pruning.passes import prune_manifests
from audit_jobs.pruning.summary import SnapshotTotals
from audit_jobs.pruning.verdicts import Reach, counts
from audit_jobs.replay.work import Failure, ManifestTask, TableWork, failed_snapshot, pack
from collectors.errors import PrunescopeError
from collectors.tables.manifest_list import Manifest, manifest_batches, read_manifest_list
from collectors.tables.metadata import Snapshot
from collectors.tables.properties import count_of


@dataclass(frozen=True, slots=True)
class ManifestPlan:
    """What pass 1 found: totals of the snapshot, counts of the work's scans, the manifests that
    some scan keeps or that are measured, and, of the snapshot that is measured, `facts`."""

    totals: SnapshotTotals
    counts: Counts
    kept: tuple[ManifestTask, ...]
    facts: ManifestFacts | None = None


def plan_manifests(work: TableWork, snapshot_id: int) -> ManifestPlan:
    """Runs pass 1 for every scan of one snapshot. Raises UnreadableMetadata."""
    snapshot, positions = work.snapshots[snapshot_id]
    manifests = read_manifest_list(snapshot, work.storage)
    found = work.no_counts()
    specs = dict(work.specs)
    partition_columns = {key for keys in work.partition_columns.values() for key in keys}
    kept = np.zeros((len(work.scans), len(manifests)), np.bool_)
    reading = np.zeros((len(work.scans), 1), np.bool_)
    reading[list(positions)] = True
    for deletes in (False, True):
        for batch in manifest_batches(manifests, specs, partition_columns, deletes=deletes):
            reach = Reach(reading, np.zeros(len(batch.live), np.int64))
            for block in prune_manifests(work.shapes, batch, specs[batch.spec_id], reach):
                kept[np.ix_(block.scans, batch.ordinal)] = block.kept
                if deletes:
                    found.add("delete_manifests_kept", block.scans, counts(block.kept))
                else:
                    found.add("manifests_kept", block.scans, counts(block.kept))
                    found.add_conjuncts(("manifests_pruned", "manifests_unknown"), block)
    measured, facts = _measured(work, snapshot_id, manifests)
    oldest = _min_data_sequence_number(manifests)
    tasks = tuple(
        ManifestTask(
            path=manifest.path,
            spec_id=manifest.spec_id,
            deletes=manifest.deletes,
            work_key=work.key,
            scans=bitmap,
            measured=is_measured,
            sequence_number=manifest.sequence_number,
            min_data_sequence_number=oldest,
            length=manifest.length,
            live_files=manifest.live_files,
        )
        for manifest, bitmap, is_measured in zip(manifests, pack(kept), measured, strict=True)
        if any(bitmap) or is_measured
    )
    return ManifestPlan(snapshot_totals(manifests, snapshot), found, tasks, facts)


def try_manifests(work: TableWork, snapshot_id: int) -> ManifestPlan | Failure:
    """Pass 1 of one snapshot, or the failure of all of its scans."""
    doing = f"reading the manifest list of snapshot {snapshot_id} of {work.table}"
    plan = attempt(doing, plan_manifests, work, snapshot_id)
    if isinstance(plan, PrunescopeError):
        return failed_snapshot(work, snapshot_id, plan.code, str(plan))
    return plan


def _min_data_sequence_number(manifests: Sequence[Manifest]) -> int:
    """No more than the data sequence number of any data file of a snapshot; beyond those of all
    deletes where it has no data file."""
    return min(
        (m.min_sequence_number for m in manifests if not m.deletes and m.live_files != 0),
        default=sys.maxsize,
    )


def _measured(
    work: TableWork, snapshot_id: int, manifests: Sequence[Manifest]
) -> tuple[list[bool], ManifestFacts | None]:
    """Which manifests are measured, and what their list says, if this is the snapshot: all of
    them, or those of the smallest hashes."""
    if work.measure is None or work.measure.snapshot_id != snapshot_id:
        return [False] * len(manifests), None
    spec = work.specs[work.measure.spec_id]
    fields = [(f.field_id, f.result_type) for f in spec.fields if f.result_type is not None]
    batches = manifest_batches(manifests, dict(work.specs), fields, deletes=False)
    data = [manifest for manifest in manifests if not manifest.deletes]
    chosen = {manifest.path for manifest in manifests}
    if len(data) > MAX_MEASURED_MANIFESTS:
        drawn = smallest({hash_of(m.path): m.path for m in data}, MAX_MEASURED_MANIFESTS)
        chosen = {*drawn.values(), *(m.path for m in manifests if m.deletes)}
    files_by_spec: Counter[int] = Counter()
    for manifest in data:
        files_by_spec[manifest.spec_id] += manifest.live_files or 0
    facts = ManifestFacts(
        manifests=len(data),
        planned=min(len(data), MAX_MEASURED_MANIFESTS),
        bytes=sum(manifest.length for manifest in data),
        depth=manifest_depth(batches, spec),
        files_by_spec=dict(files_by_spec),
    )
    return [manifest.path in chosen for manifest in manifests], facts


def snapshot_totals(manifests: tuple[Manifest, ...], snapshot: Snapshot) -> SnapshotTotals:
    """What a manifest list and a snapshot summary say of the whole snapshot."""
    data = [manifest for manifest in manifests if not manifest.deletes]
    deletes = [manifest for manifest in manifests if manifest.deletes]
    delete_files = _sum([manifest.live_files for manifest in deletes])
    return SnapshotTotals(
        manifests=len(data),
        delete_manifests=len(deletes),
        data_files=_sum([manifest.live_files for manifest in data]),
        delete_files=delete_files,
        records=_sum([manifest.live_records for manifest in data]),
        bytes=count_of(snapshot.summary, "total-files-size") if delete_files == 0 else None,
        spec_ids=tuple(sorted({manifest.spec_id for manifest in data})),
    )


def _sum(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(count for count in counts if count is not None)
