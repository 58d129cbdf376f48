"""Checking SQL before it ships: files in, the findings that each would cause out. In-process, and
nothing is published."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from prunescope.audit_jobs.catalog_names import CatalogNames
from prunescope.audit_jobs.checking.baseline import Baseline, compared
from prunescope.audit_jobs.checking.limits import NO_LIMITS, Excess, Limits, excesses, reads_of
from prunescope.audit_jobs.checking.placing import Edited, Placing
from prunescope.audit_jobs.config import TablesConfig, load_tables_config
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.findings.entries import (
    Entry,
    FileOutcome,
    entries,
    placed_document,
    shapes,
)
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
from prunescope.collectors.queries.sql_files import SqlFile, SqlSession, read_sql_files

STAGES = 6
"""The number of stages that a check announces."""


_OTHER_ZONES = ("America/New_York", "Asia/Kolkata")
"""Zones that stand for all others: a rewrite that is exact in sessions of these as well is taken to
be exact in all."""


class NoSqlFiles(PrunescopeError):
    """There is nothing to check."""

    code = "no_sql_files"


@dataclass(frozen=True, slots=True)
class Asked:
    """Requests to a check beside its files: their session, whether the zone of that is
    certain, the limits that hold, and whether findings below the thresholds are reported as
    well."""

    session: SqlSession
    is_zone_certain: bool = False
    limits: Limits = NO_LIMITS
    small: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """Outcomes of all files, and the findings in order, suppressed ones last; the files that exceed
    limits; and those that rewrites with the same rows would change. `too_small` is the number of
    findings below the thresholds that were not asked for, `too_small_bytes` their bytes at stake.
    `paths` leads from names of files to those that people edit."""

    files: tuple[FileOutcome, ...]
    entries: tuple[Entry, ...]
    too_small: int = 0
    too_small_bytes: int = 0
    excesses: tuple[Excess, ...] = ()
    edited: tuple[Edited, ...] = ()
    paths: Mapping[str, Path] = field(default_factory=dict)

    @property
    def failed(self) -> tuple[FileOutcome, ...]:
        """The files that should have been judged and could not be."""
        return tuple(f for f in self.files if f.outcome not in {REPLAYED, *NOTHING_TO_JUDGE})

    @property
    def passed_over(self) -> tuple[FileOutcome, ...]:
        """The files that read no Iceberg table."""
        return tuple(file for file in self.files if file.outcome in NOTHING_TO_JUDGE)

    def at_least(self, severity: Severity) -> tuple[Entry, ...]:
        """The findings of a severity or a worse one that nobody has suppressed and that no baseline
        knows."""
        return tuple(
            entry
            for entry in self.entries
            if entry.finding.suppressed is None
            and not entry.is_known
            and entry.finding.severity.rank <= severity.rank
        )

    def is_clean(self, severity: Severity) -> bool:
        """True if every file was judged, keeps the limits, and has no finding of a severity or a
        worse one, but for what a baseline knows."""
        return (
            not self.failed
            and not self.at_least(severity)
            and all(excess.is_known for excess in self.excesses)
        )

    def against(self, baseline: Baseline) -> Check:
        """The check, in which that is known which is no worse than in a baseline."""
        entries, excesses = compared(self.entries, self.excesses, baseline)
        return replace(self, entries=tuple(entries), excesses=tuple(excesses))

    def after_edits(self) -> Check:
        """The check without what the edits of its files mend: places with a replacement, and the
        findings that have no others."""
        names = {each.file.name for each in self.edited}
        left = []
        for entry in self.entries:
            places = tuple(
                place
                for place in entry.places
                if place.replacement is None or place.file not in names or place.line is None
            )
            if places or not entry.places or entry.finding.suppressed is not None:
                files = {place.file for place in places} if entry.files else set()
                kept = tuple(file for file in entry.files if file in files)
                left.append(replace(entry, places=places, files=kept))
        return replace(self, entries=tuple(left), edited=())


def run_check(
    config_path: Path, files: Sequence[SqlFile], asked: Asked, *, progress: Progress
) -> Check:
    """Judges SQL files (see `check_queries`). Raises NoSqlFiles or BadConfiguration. One bad file
    stops none of the others."""
    config = load_tables_config(config_path)
    if not files:
        raise NoSqlFiles("there is no file to check")
    session = with_catalog(asked.session, config)
    progress("Reading files")
    found = read_sql_files(files, session)
    return check_queries(config, found, files, replace(asked, session=session), progress=progress)


def check_queries(
    config: TablesConfig,
    found: Iterable[ObservedQuery | Rejected],
    files: Sequence[SqlFile],
    asked: Asked,
    *,
    progress: Progress,
) -> Check:
    """Judges queries of files as if each ran once, now, on the tables' current snapshots."""
    config = _for_single_runs(config, small=asked.small)
    now = dt.datetime.now(dt.UTC)
    # A whole day: what is drawn at random is the same for all checks of a day.
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    read = [item if isinstance(item, Rejected) else replace(item, started_at=now) for item in found]
    runner = LocalRunner()
    inputs = made_inputs(
        runner, (item if isinstance(item, Rejected) else name_tables(item) for item in read)
    )
    window = Window(midnight, midnight + dt.timedelta(days=1))
    result = run_audit(config, window, inputs, runner, progress)
    zone = asked.session.time_zone
    placing = Placing(
        {file.name: file for file in files},
        {item.query_id: item for item in read if isinstance(item, ObservedQuery)},
        result.tables,
        _readers(result),
        (zone,) if asked.is_zone_certain else tuple(dict.fromkeys((zone, *_OTHER_ZONES))),
    )
    entries, edited = placing.placed(located(result))
    reads = reads_of(row for row in result.scan_plans() if row["outcome"] == REPLAYED)
    return Check(
        tuple(_outcomes(result, files, TableFinder(config))),
        tuple(entries),
        result.run.too_small,
        result.run.too_small_bytes,
        tuple(excesses(reads, asked.limits, config.policy)),
        tuple(edited),
        {file.name: file.edited for file in files},
    )


def _readers(result: AuditResult) -> dict[TableName, str]:
    """The first file that reads each table."""
    first: dict[TableKey, str] = {}
    for row in result.scan_plans("outcome", "query_id", *TableKey._fields):
        if row["outcome"] == REPLAYED and row["query_id"] is not None:
            key = table_key(row)
            first[key] = min(row["query_id"], first.get(key, row["query_id"]))
    names = {key_of(table.name): table.name for table in result.tables.values()}
    return {names[key]: file for key, file in first.items() if key in names}


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
    result: AuditResult, files: Sequence[SqlFile], finder: TableFinder
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
    for file in files:
        outcome, message = message_of[file.name]
        counts = kept.get(file.name, [])
        known = [count for count in counts if count is not None]
        is_known = outcome in {REPLAYED, *NOTHING_TO_JUDGE} and len(known) == len(counts)
        read = sum(known) if is_known else None
        yield FileOutcome(file.name, outcome, message, read, file.model, file.owner)


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
        "findings": [placed_document(entry) for entry in check.entries],
        "too_small": {"findings": check.too_small, "bytes_at_stake": check.too_small_bytes},
        "over_limits": [
            {
                "file": excess.file,
                "limit": excess.limit,
                "table": excess.table,
                "bytes": excess.read,
                "total_bytes": excess.total,
                "is_known": excess.is_known,
            }
            for excess in check.excesses
        ],
        "models": {
            file.path: {"model": file.model, "owner": file.owner}
            for file in check.files
            if file.model is not None
        },
    }
