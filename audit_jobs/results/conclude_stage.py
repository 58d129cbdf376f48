"""From plans to rows: the counts of a share's scans are gathered here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.conclude import conclude
from prunescope.audit_jobs.planning.gathered import OF_SCANS, Gathered
from prunescope.audit_jobs.planning.items import Item, ItemGroup
from prunescope.audit_jobs.planning.local import nothing_to_read
from prunescope.audit_jobs.planning.work import TableWork
from prunescope.audit_jobs.pruning.summaries import Summaries
from prunescope.audit_jobs.pruning.summary import SnapshotTotals
from prunescope.audit_jobs.records import ScanRecord
from prunescope.audit_jobs.results.query_records import Plans, TextOf, query_records
from prunescope.audit_jobs.results.report_records import Reports, report_records
from prunescope.audit_jobs.results.scan_parts import ROWS
from prunescope.audit_jobs.results.written import Summary, Writing, write_down
from prunescope.audit_jobs.workload.distinct import PlannedScan
from prunescope.audit_jobs.workload.extract import SHARE, Share
from prunescope.audit_jobs.workload.report_keys import ScanKey
from prunescope.collectors.arrays import IntArray
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.render import redact, render

OF_SHARES = (*OF_SCANS, SHARE)
"""The kinds of items that are concluded from."""
SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Known:
    """The driver's knowledge of tables when all scans are planned: totals by table and snapshot id,
    and by the same why a list could not be read; the tables whose scans all failed; the tables that
    could not be opened, and the own names of the opened ones; and the matches of reports."""

    totals: Mapping[tuple[str, int], SnapshotTotals]
    unlisted: Mapping[tuple[str, int], Failed]
    failed_whole: Mapping[str, Failed]
    failed: Mapping[TableName, Failed]
    opened: Mapping[TableName, TableName]
    reports: Reports


def conclude_stage(groups: Iterable[ItemGroup], known: Known, writing: Writing) -> Iterator[Item]:
    """Yields the rows of the queries of shares."""
    text_of: TextOf = render if writing.literals else redact
    summary = Summary()
    for group in groups:
        gathered = Gathered()
        for place, kind, payload in group.tasks:
            if kind != SHARE:
                gathered.add(kind, payload)
                continue
            records = _records(payload, gathered, known, text_of)
            for part in write_down(writing, records, summary):
                yield Item(ROWS, part, group.table, place)
            gathered = Gathered()
    yield Item(SUMMARY, summary)


def report_stage(groups: Iterable[ItemGroup], known: Known, writing: Writing) -> Iterator[Item]:
    """Yields the rows of reports."""
    summary = Summary()
    for group in groups:
        records = report_records(group, known.reports, known.opened, known.failed)
        for part in write_down(writing, ([record] for record in records), summary):
            yield Item(ROWS, part, group.table)
    yield Item(SUMMARY, summary)


def _records(
    share: Share, gathered: Gathered, known: Known, text_of: TextOf
) -> Iterator[Sequence[ScanRecord]]:
    plans = plans_of(share, gathered, known)
    for query in share.queries:
        scans = tuple(_with_counts(scan, share.reported, known.reports) for scan in query.scans)
        yield query_records(replace(query, scans=scans), plans, known.failed, text_of)


def _with_counts(
    scan: PlannedScan, reported: Mapping[int, ScanKey], reports: Reports
) -> PlannedScan:
    """The scan with a report's counts, unless the engine reported counts of its own."""
    if scan.ids is None or scan.ids.pushed not in reported:
        return scan
    found = reports.counters.get(reported[scan.ids.pushed])
    if found is None or (scan.observed is not None and scan.observed.counters):
        return scan
    return replace(scan, observed=found)


def plans_of(share: Share, gathered: Gathered, known: Known) -> Plans:
    """Plans by scan id, for every scan of a share whose snapshot could be read."""
    found = Plans(failures=dict(share.scans.failed))
    for unwritten in share.scans.unwritten:
        doing = "summing up scans of a table without data"
        made = attempt(
            doing, nothing_to_read, unwritten.schema_id, unwritten.specs, unwritten.scans
        )
        for place, scan in enumerate(unwritten.scans):
            if isinstance(made, PrunescopeError):
                found.failures[scan.scan_id] = Failed.of(made)
            else:
                found.summaries[scan.scan_id] = made, place
                found.specs[scan.scan_id] = ()
    for work in share.scans.works:
        _add_work(found, work, gathered, known)
    return found


def _add_work(plans: Plans, work: TableWork, gathered: Gathered, known: Known) -> None:
    # Which scans of a table that is too slow were planned before is a matter of chance.
    if work.table in known.failed_whole:
        plans.failures.update((scan.scan_id, known.failed_whole[work.table]) for scan in work.scans)
        return
    for position, why in gathered.failed(work.key).items():
        plans.failures[work.scans[position].scan_id] = why
    for snapshot_id, positions in work.block.snapshots.items():
        name = (work.table, snapshot_id)
        if name in known.totals:
            _add(plans, work, (snapshot_id, known.totals[name]), positions, gathered)
        elif name in known.unlisted:
            for position in positions.tolist():
                plans.failures[work.scans[position].scan_id] = known.unlisted[name]
    matching = gathered.matching.get(work.key)
    if matching is not None:
        for scan, of_scan in zip(work.scans, matching.of_scans(), strict=True):
            if of_scan is not None:
                plans.matching[scan.scan_id] = of_scan


def _add(
    plans: Plans,
    work: TableWork,
    snapshot: tuple[int, SnapshotTotals],
    positions: IntArray,
    gathered: Gathered,
) -> None:
    """Adds the plans of scans of one snapshot, or, if these fail together, of each scan alone."""
    doing = f"summing up scans of {work.table}"
    read = attempt(doing, concluded, work, snapshot, positions, gathered)
    if not isinstance(read, PrunescopeError):
        specs = tuple(work.specs[id_] for id_ in snapshot[1].spec_ids)
        for place, position in enumerate(positions.tolist()):
            scan_id = work.scans[position].scan_id
            plans.summaries[scan_id], plans.specs[scan_id] = (read, place), specs
    elif len(positions) > 1:
        half = len(positions) // 2
        _add(plans, work, snapshot, positions[:half], gathered)
        _add(plans, work, snapshot, positions[half:], gathered)
    else:
        scan_id = work.scans[positions[0]].scan_id
        plans.failures.setdefault(scan_id, Failed.of(read))


def concluded(
    work: TableWork, snapshot: tuple[int, SnapshotTotals], positions: IntArray, gathered: Gathered
) -> Summaries:
    """The plans of scans of one snapshot."""
    counts = gathered.counts.get(work.key, work.block.no_counts())
    snapshot_id, totals = snapshot
    about = (snapshot_id, work.block.schema_id, totals, work.specs)
    return conclude(work.scans, work.block.shapes, counts, about, positions)
