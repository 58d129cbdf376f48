"""Builds the tables of pairs, and audits their workloads, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.findings.history import NO_HISTORY, PastWindow
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.collectors.observed import ObservedQuery, TableName
from tests.scenarios.lake import DAY, NOW, Query, audit, week_before
from tests.workloads.blocks import Made
from tests.workloads.filters import filters_written
from tests.workloads.model import WHOLE_WEEK, Pair
from tests.workloads.physical import Layout, metadata_path, write
from tests.workloads.transactions import metadata_made_once, snapshots_numbered

_INSIDE = ("row_group_bytes", "row_groups")
"""What tells how much of a file is read, the best first."""
_ONE = 1.5
"""Row groups of a file up to which a table has one in each."""


@dataclass(frozen=True)
class Night:
    """An audit of one workload on one layout: its findings; bytes of data files and of row groups,
    data files, and manifests, that planners keep over all scans. `bytes_read` are those of data
    files, of each the share that is in row groups which readers keep, where files have several:
    others are opened as a whole. `bytes_inside` are those shares of all files. `asked` is what
    history will have of the queries, by their fingerprints."""

    findings: tuple[Finding, ...]
    bytes_kept: int
    row_group_bytes_kept: int
    bytes_read: float
    bytes_inside: float
    files_kept: int
    manifests_kept: int
    asked: Mapping[str, PastWindow] = field(default_factory=dict)


@dataclass
class Tables:
    """Tables in a directory. Pairs that have one layout share one table.

    Paths are relative to the directory, so that an audit, which draws what it draws at random by
    paths, finds the same wherever that is.
    """

    directory: Path
    _built: dict[Callable[[], Layout], str] = field(default_factory=dict)

    def of(self, pair: Pair) -> str:
        """The metadata file of a pair's table."""
        if pair.layout not in self._built:
            made = pair.layout
            name = made.folder if isinstance(made, Made) else f"{made.__module__}.{made.__name__}"
            self._built[made] = self.write(name, made())
        return self._built[pair.layout]

    def write(self, folder: str, layout: Layout) -> str:
        """Makes a table of a layout; its metadata file."""
        with chdir(self.directory), filters_written(), metadata_made_once(), snapshots_numbered():
            return metadata_path(write(folder, layout))

    def audit(
        self,
        pair: Pair,
        metadata: str,
        queries: Sequence[Query | ObservedQuery],
        past: Mapping[str, PastWindow] | None = None,
    ) -> Night:
        """A night of queries on a table that has the name of a pair's, after one that asked what is
        `past`."""
        history = week_before(pair.name) if pair.days >= WHOLE_WEEK else NO_HISTORY
        table = TableName("lake", ("db",), pair.name)
        before = {(table, name): (window,) for name, window in (past or {}).items()}
        with chdir(self.directory):
            result = audit(
                {pair.name: metadata},
                queries,
                thresholds=pair.thresholds,
                findings=pair.findings,
                history=replace(history, queries=before),
            )
            return _night(result)


def audit_pair(pair: Pair, tables: Tables) -> Night:
    """The night of a pair on its table as it is."""
    return tables.audit(pair, tables.of(pair), pair.queries)


def _night(result: AuditResult) -> Night:
    inside = [f"{of}_{which}" for of in _INSIDE for which in ("kept", "considered")]
    rows = list(result.scan_plans("bytes_kept", "data_files_kept", "manifests_kept", *inside))
    has_several = _sum(rows, "row_groups_considered") > _ONE * _sum(rows, "data_files_kept")
    kept = _sum(rows, "bytes_kept")
    read = sum(_share_read(row) * (row["bytes_kept"] or 0) for row in rows)
    return Night(
        tuple(result.findings),
        kept,
        _sum(rows, "row_group_bytes_kept"),
        read if has_several else kept,
        read,
        _sum(rows, "data_files_kept"),
        _sum(rows, "manifests_kept"),
        _asked(result),
    )


def _asked(result: AuditResult) -> dict[str, PastWindow]:
    yesterday = Window(NOW - 2 * DAY, NOW - DAY)
    found: dict[str, PastWindow] = {}
    for row in result.scan_plans("fingerprint", "bytes_kept", "bytes_total", "data_files_total"):
        name = row["fingerprint"]
        if name is None or row["bytes_kept"] is None:
            continue
        known = found.get(name, PastWindow(yesterday, 0, 0, 0, 0))
        found[name] = replace(
            known,
            scans=known.scans + 1,
            bytes_kept=known.bytes_kept + row["bytes_kept"],
            bytes_total=known.bytes_total + (row["bytes_total"] or 0),
            data_files_total=known.data_files_total + (row["data_files_total"] or 0),
        )
    return found


def _sum(rows: Iterable[Mapping[str, Any]], column: str) -> int:
    return sum(row[column] or 0 for row in rows)


def _share_read(row: Mapping[str, Any]) -> float:
    """Of the files that a scan keeps: by bytes, which are unknown where a file needs no judging, or
    by the number of row groups; all where neither is known."""
    for of in _INSIDE:
        kept, considered = row[f"{of}_kept"], row[f"{of}_considered"]
        if kept is not None and considered:
            return float(kept / considered)
    return 1.0
