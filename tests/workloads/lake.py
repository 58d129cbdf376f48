"""Builds the tables of pairs, and audits their workloads, in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import chdir, closing
from dataclasses import dataclass, field
from pathlib import Path

from pyiceberg.catalog.sql import SqlCatalog

from audit_jobs.findings.history import NO_HISTORY
from audit_jobs.findings.model import Finding
from audit_jobs.results.result import AuditResult
from collectors.observed import ObservedQuery
from tests.scenarios.lake import Query, audit, week_before
from tests.workloads.filters import filters_written
from tests.workloads.model import WHOLE_WEEK, Pair
from tests.workloads.physical import Layout, metadata_path, write
from tests.workloads.transactions import metadata_made_once


@dataclass(frozen=True)
class Night:
    """An audit of one workload on one layout: its findings; bytes of data files and of row groups,
    data files, and manifests, that planners keep over all scans."""

    findings: tuple[Finding, ...]
    bytes_kept: int
    row_group_bytes_kept: int
    files_kept: int
    manifests_kept: int


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
            made = f"{pair.layout.__module__}.{pair.layout.__name__}"
            self._built[pair.layout] = self.write(made, pair.layout())
        return self._built[pair.layout]

    def write(self, folder: str, layout: Layout) -> str:
        """Makes a table of a layout; its metadata file."""
        with chdir(self.directory), filters_written(), metadata_made_once():
            catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=folder)
            with closing(catalog):
                return metadata_path(write(catalog, "t", layout))

    def audit(self, pair: Pair, metadata: str, queries: Sequence[Query | ObservedQuery]) -> Night:
        """A night of queries on a table that has the name of a pair's."""
        with chdir(self.directory):
            result = audit(
                {pair.name: metadata},
                queries,
                thresholds=pair.thresholds,
                findings=pair.findings,
                history=week_before(pair.name) if pair.days >= WHOLE_WEEK else NO_HISTORY,
            )
            return _night(result)


def audit_pair(pair: Pair, tables: Tables) -> Night:
    """The night of a pair on its table as it is."""
    return tables.audit(pair, tables.of(pair), pair.queries)


def _night(result: AuditResult) -> Night:
    columns = ("bytes_kept", "row_group_bytes_kept", "data_files_kept", "manifests_kept")
    sums = dict.fromkeys(columns, 0)
    for row in result.scan_plans(*columns):
        for column in columns:
            sums[column] += row[column] or 0
    return Night(tuple(result.findings), *(sums[column] for column in columns))
