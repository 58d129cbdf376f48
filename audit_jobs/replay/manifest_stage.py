"""Pass 1 with its reading: a snapshot's manifest list against all of its scans."""

from __future__ import annotations

from dataclasses import dataclass

from audit_jobs.pruning.passes import ConjunctVerdict, Verdict, prune_manifests
from audit_jobs.pruning.summary import WHOLE_SCAN, SnapshotTotals, Tallies, Tally
from audit_jobs.replay.work import ManifestTask, SnapshotWork
from collectors.tables.manifest_list import Manifest, manifest_batches, read_manifest_list
from collectors.tables.metadata import Snapshot


@dataclass(frozen=True, slots=True)
class ManifestPlan:
    """What pass 1 found: totals of the snapshot, counts per scan, and the manifests that some
    scan keeps."""

    totals: SnapshotTotals
    tallies: Tallies
    kept: tuple[ManifestTask, ...]


def plan_manifests(work: SnapshotWork) -> ManifestPlan:
    """Runs pass 1 for every scan of the snapshot. Raises UnreadableMetadata."""
    manifests = read_manifest_list(work.snapshot, work.storage)
    tallies: Tallies = {(scan.scan_id, WHOLE_SCAN): Tally() for scan in work.scans}
    keepers: dict[int, list[int]] = {}
    specs = dict(work.specs)
    partition_columns = {key for keys in work.partition_columns.values() for key in keys}
    for deletes in (False, True):
        for batch in manifest_batches(manifests, specs, partition_columns, deletes=deletes):
            for verdict in prune_manifests(work.scans, batch, specs[batch.spec_id]):
                _count(verdict, tallies, deletes=deletes)
                for ordinal in batch.ordinal[verdict.kept].tolist():
                    keepers.setdefault(ordinal, []).append(verdict.scan.scan_id)
    kept = tuple(
        ManifestTask(
            path=manifests[ordinal].path,
            spec_id=manifests[ordinal].spec_id,
            deletes=manifests[ordinal].deletes,
            work_key=work.key,
            scan_ids=tuple(scan_ids),
        )
        for ordinal, scan_ids in sorted(keepers.items())
    )
    return ManifestPlan(snapshot_totals(manifests, work.snapshot), tallies, kept)


def snapshot_totals(manifests: tuple[Manifest, ...], snapshot: Snapshot) -> SnapshotTotals:
    """What a manifest list and a snapshot summary say of the whole snapshot."""
    data = [manifest for manifest in manifests if not manifest.deletes]
    deletes = [manifest for manifest in manifests if manifest.deletes]
    delete_files = _sum([manifest.live_files for manifest in deletes])
    size = snapshot.summary.get("total-files-size", "")
    return SnapshotTotals(
        manifests=len(data),
        delete_manifests=len(deletes),
        data_files=_sum([manifest.live_files for manifest in data]),
        delete_files=delete_files,
        records=_sum([manifest.live_records for manifest in data]),
        bytes=int(size) if delete_files == 0 and size.isdecimal() else None,
        spec_ids=tuple(sorted({manifest.spec_id for manifest in data})),
    )


def _sum(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(count for count in counts if count is not None)


def _count(verdict: Verdict, tallies: Tallies, *, deletes: bool) -> None:
    tally = tallies[(verdict.scan.scan_id, WHOLE_SCAN)]
    if deletes:
        tally.delete_manifests_kept += int(verdict.kept.sum())
        return
    tally.manifests_kept += int(verdict.kept.sum())
    for tally, conjunct in conjunct_tallies(verdict, tallies):
        tally.manifests_pruned += conjunct.pruned
        tally.manifests_unknown += conjunct.unknown


def conjunct_tallies(verdict: Verdict, tallies: Tallies) -> list[tuple[Tally, ConjunctVerdict]]:
    """Each conjunct's verdict, with the tally to which it adds."""
    return [
        (tallies.setdefault((verdict.scan.scan_id, position), Tally()), conjunct)
        for position, conjunct in enumerate(verdict.conjuncts)
    ]
