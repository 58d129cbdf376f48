"""Checking SQL before it ships: files in, the findings that each would cause out. In-process, and
nothing is published."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.catalog_names import CatalogNames
from prunescope.audit_jobs.config import TablesConfig, load_tables_config
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.findings.entries import Entry, FileOutcome, document, entries, shapes
from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.findings_config import TableThresholds
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.jobs.tables import TableFinder
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.progress import Progress
from prunescope.audit_jobs.records import REPLAYED, Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.sums import TableKey, key_of, table_key
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import ObservedQuery, Rejected, TableName
from prunescope.collectors.outcomes import NOTHING_TO_JUDGE, Outcome
from prunescope.collectors.queries.sql_files import (
    SqlSession,
    find_sql_files,
    name_of,
    read_sql_files,
)

STAGES = 6
"""The number of stages that a check announces."""


class NoSqlFiles(PrunescopeError):
    """There is nothing to check."""

    code = "no_sql_files"


@dataclass(frozen=True, slots=True)
class Check:
    """Outcomes of all files, and the findings in order, suppressed ones last. `too_small` is the
    number of findings below the thresholds that were not asked for, `too_small_bytes` their bytes
    at stake."""

    files: tuple[FileOutcome, ...]
    entries: tuple[Entry, ...]
    too_small: int = 0
    too_small_bytes: int = 0

    @property
    def failed(self) -> tuple[FileOutcome, ...]:
        """The files that should have been judged and could not be."""
        return tuple(f for f in self.files if f.outcome not in {REPLAYED, *NOTHING_TO_JUDGE})

    @property
    def passed_over(self) -> tuple[FileOutcome, ...]:
        """The files that read no Iceberg table."""
        return tuple(file for file in self.files if file.outcome in NOTHING_TO_JUDGE)

    def at_least(self, severity: Severity) -> tuple[Entry, ...]:
        """The findings of a severity or a worse one that nobody has suppressed."""
        return tuple(
            entry
            for entry in self.entries
            if entry.finding.suppressed is None and entry.finding.severity.rank <= severity.rank
        )


def run_check(
    config_path: Path,
    directory: Path,
    session: SqlSession,
    *,
    select: Sequence[str] = (),
    small: bool = False,
    progress: Progress,
) -> Check:
    """Judges every SQL file under a directory (see `check_queries`). Raises NoSqlFiles or
    BadConfiguration. One bad file stops none of the others."""
    config = load_tables_config(config_path)
    files = find_sql_files(directory, select)
    if not files:
        selected = " that --select matches" if select else ""
        raise NoSqlFiles(f"there is no file *.sql{selected} under {directory}")
    session = with_catalog(session, config)
    progress("Reading files")
    found = read_sql_files(directory, files, session)
    return check_queries(config, found, map(name_of, files), small=small, progress=progress)


def check_queries(
    config: TablesConfig,
    found: Iterable[ObservedQuery | Rejected],
    names: Iterable[str],
    *,
    small: bool,
    progress: Progress,
) -> Check:
    """Judges queries as if each ran once, now, on the tables' current snapshots. `names` are the
    ids of all of them. With `small`, findings below the thresholds are reported as well."""
    config = _for_single_runs(config, small=small)
    now = dt.datetime.now(dt.UTC)
    # A whole day: what is drawn at random is the same for all checks of a day.
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    runner = LocalRunner()
    inputs = made_inputs(
        runner,
        [
            item if isinstance(item, Rejected) else name_tables(replace(item, started_at=now))
            for item in found
        ],
    )
    window = Window(midnight, midnight + dt.timedelta(days=1))
    result = run_audit(config, window, inputs, runner, progress)
    outcomes = tuple(_outcomes(result, names, TableFinder(config)))
    run = result.run
    return Check(outcomes, tuple(located(result)), run.too_small, run.too_small_bytes)


def with_catalog(session: SqlSession, config: TablesConfig) -> SqlSession:
    """The session, in the catalog that it names or in the configured one, if that is the only one,
    or the only one beside that of the audit tables. Raises BadConfiguration for a misspelt one:
    tables of catalogs that are not configured are not judged."""
    names = CatalogNames.of(config)
    if session.catalog is None:
        return replace(session, catalog=names.default)
    known = {*names.by_name, *(table.name.partition(".")[0].casefold() for table in config.tables)}
    close = get_close_matches(session.catalog.casefold(), sorted(known), 1)
    if close and session.catalog.casefold() not in known:
        raise BadConfiguration(f"there is no catalog {session.catalog!r}; did you mean {close[0]}?")
    return session


def _for_single_runs(config: TablesConfig, *, small: bool) -> TablesConfig:
    """The configuration without thresholds for numbers of runs, because each file counts as one run
    of its query, and for shares of a window, because a file has none; with `small`, without any."""
    single = {"min_scans": 1, "medium_share": None, "high_share": None}
    thresholds = tuple(
        one.model_copy(update=single)
        for one in (*config.findings.thresholds, TableThresholds(table="*"))
    )
    findings = config.findings.model_copy(update={"thresholds": thresholds})
    told = findings.however_small() if small else findings
    return config.model_copy(update={"findings": told})


def _outcomes(
    result: AuditResult, names: Iterable[str], finder: TableFinder
) -> Iterator[FileOutcome]:
    """One outcome per file, with the message of the record that it comes from, and the bytes that
    its scans keep."""
    message_of: dict[str | None, tuple[str, str | None]] = {}
    kept: dict[str | None, list[int | None]] = {}
    columns = ("query_id", "query_outcome", "outcome", "message", "bytes_kept", *TableKey._fields)
    for row in result.scan_plans(*columns):
        if row["outcome"] == REPLAYED:
            kept.setdefault(row["query_id"], []).append(row["bytes_kept"])
        if row["outcome"] == row["query_outcome"] and row["query_id"] not in message_of:
            message = row["message"]
            if row["outcome"] == Outcome.TABLE_NOT_FOUND and row["table"] is not None:
                namespace = tuple((row["namespace"] or "").split("."))
                table = TableName(row["catalog"], namespace, row["table"])
                message = f"{message}{finder.nearest(table)}"
            message_of[row["query_id"]] = (row["outcome"], message)
    for name in names:
        outcome, message = message_of[name]
        counts = kept.get(name, [])
        known = [count for count in counts if count is not None]
        is_known = outcome in {REPLAYED, *NOTHING_TO_JUDGE} and len(known) == len(counts)
        yield FileOutcome(name, outcome, message, sum(known) if is_known else None)


def located(result: AuditResult) -> Iterator[Entry]:
    """Findings with the files that they are about: the files of the queries that a finding names,
    if they read its table. A finding about the table alone has none."""
    files: dict[tuple[TableKey, str], dict[str, None]] = {}
    for row in result.scan_plans("outcome", "query_id", "fingerprint", *TableKey._fields):
        if row["outcome"] == REPLAYED and row["query_id"] is not None:
            shape = (table_key(row), row["fingerprint"] or "")
            files.setdefault(shape, {})[row["query_id"]] = None
    for entry in entries(result.findings):
        table = key_of(entry.finding.table)
        of_shapes = (files.get((table, shape), ()) for shape in shapes(entry.finding))
        # Rows come in any order.
        yield replace(entry, files=tuple(sorted({file for found in of_shapes for file in found})))


def check_document(check: Check) -> dict[str, Any]:
    """A check as JSON."""
    return {
        "files": dict(Counter(file.outcome for file in check.files)),
        "not_replayed": [
            {"file": file.path, "outcome": file.outcome, "message": file.message}
            for file in check.files
            if file.outcome != REPLAYED
        ],
        "findings": [document(entry) for entry in check.entries],
        "too_small": {"findings": check.too_small, "bytes_at_stake": check.too_small_bytes},
    }
