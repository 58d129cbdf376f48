"""Advice on tables, by the queries of a log."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from prunescope.audit_jobs.api import html
from prunescope.audit_jobs.api.documents import answer_of, arrow_of
from prunescope.audit_jobs.api.found import ReportedFinding, findings_html
from prunescope.audit_jobs.api.naming import CONFIG, Config, name_of, path_of
from prunescope.audit_jobs.errors import BadArgument
from prunescope.audit_jobs.units import of, plural

if TYPE_CHECKING:
    import pyarrow as pa
    from pyiceberg.table import Table as IcebergTable

    from prunescope.audit_jobs.config import AuditConfig
    from prunescope.audit_jobs.findings.history import History
    from prunescope.audit_jobs.jobs.advise import Advised
    from prunescope.audit_jobs.progress import Progress
    from prunescope.audit_jobs.records import Window


@dataclass(frozen=True, slots=True)
class TableAdvice:
    """Advice on a table: docs/advice.md has each attribute, as a key of JSON. `steps` are what to
    do, in order; `left` is what was found and has no fix to apply."""

    table: str
    bytes: int | None
    files: int | None
    scans: int
    bytes_kept: int
    bytes_at_stake: int
    steps: tuple[ReportedFinding, ...]
    left: tuple[ReportedFinding, ...]
    bloom_filters: tuple[Mapping[str, Any], ...]
    diet: Mapping[str, Any]
    beyond: Mapping[str, Any]

    def _repr_html_(self) -> str:
        """The steps, for a notebook."""
        stake = of(self.bytes_at_stake, self.bytes_kept)
        head = f"{self.table}: {plural(self.scans, 'scan')} could skip {stake}"
        steps = findings_html(self.steps) if self.steps else html.paragraph("Leave it as it is.")
        return html.paragraph(head) + steps


@dataclass(frozen=True, slots=True)
class UnadvisedTable:
    """A table without advice: a code, and its message."""

    table: str
    code: str
    message: str | None


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice by table, those with most at stake first; the tables without; and the number of scans
    that say nothing of a table's current rows, by reason. `notes` concern all of it: earlier audits
    may be unreadable."""

    tables: tuple[TableAdvice, ...]
    failed: tuple[UnadvisedTable, ...]
    left_out: Mapping[str, int]
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[TableAdvice]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __getitem__(self, index: int) -> TableAdvice:
        return self.tables[index]

    def to_arrow(self) -> pa.Table:
        """A row for each step, as `Findings.to_arrow` has them."""
        return arrow_of(ReportedFinding, [step for table in self.tables for step in table.steps])

    def _repr_html_(self) -> str:
        """The steps of all tables, for a notebook."""
        failed = (f"{one.table}: {one.message or one.code}" for one in self.failed)
        notes = "".join(map(html.paragraph, (*failed, *self.notes)))
        return "".join(table._repr_html_() for table in self.tables) + notes


def advise(
    table: str | IcebergTable | Sequence[str | IcebergTable] = "*",
    *,
    last: str | None = None,
    window: str | tuple[dt.datetime, dt.datetime] | None = None,
    zone: str = "UTC",
    config: Config = CONFIG,
) -> Advice:
    """Audits a part of the query log in this process, and says what to change in each table.
    Publishes nothing, changes no table, and needs no Spark.

    Args:
        table: One or several names, or globs over `catalog.namespace.table`, by default all tables
            of the log. A table of PyIceberg stands for its name.
        last: A length of time until now: `24h`, `30d`. By default the window is yesterday.
        window: A day, an hour, or a range: `2026-03-10`, `2026-03-10T13`, `last-hour`,
            `2026-03-01/2026-03-08` (end exclusive), or two times.
        zone: The time zone of these days and hours.
        config: The path of the configuration of an audit, with its sources.

    Raises:
        PrunescopeError: The configuration or the window is not valid. A table without a result
            does not raise: `failed` has it.
    """
    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.views.advice_json import advice_document

    if isinstance(table, Sequence) and not isinstance(table, str):
        names = [name_of(one) for one in table]
    else:
        names = [name_of(table)]
    wanted = window_named(last, window, zone, dt.datetime.now(dt.UTC))
    known = load_config(path_of(config))
    found, notes = advised(known, wanted, names, lambda _stage: None)
    document = advice_document(found, literals=known.literals == "keep")
    return replace(answer_of(Advice, document), notes=notes)


def window_named(
    last: str | None,
    window: str | tuple[dt.datetime | None, dt.datetime | None] | None,
    zone: str,
    now: dt.datetime,
) -> Window:
    """The window that arguments name; yesterday if they name none. Raises PrunescopeError."""
    from prunescope.audit_jobs import windows

    if last is not None and window is not None:
        raise BadArgument("give at most one of last and window")
    of_days = windows.zone_of(zone)
    if last is not None:
        return windows.latest(last, now)
    if isinstance(window, str):
        is_last = window.strip().lower() == windows.LAST_HOUR
        return windows.last_hour(of_days, now) if is_last else windows.named(window, of_days)
    start, end = window or (None, None)
    return windows.between(start, end, of_days, now)


def advised(
    config: AuditConfig, window: Window, names: Sequence[str], progress: Progress
) -> tuple[Advised, tuple[str, ...]]:
    """Advice on the tables of these names, beside the history of earlier audits; and why that is
    unknown, if it is."""
    from prunescope.audit_jobs.jobs.advise import run_advise

    history, notes = known_history(config, window)
    return run_advise(config, window, names, progress, history), notes


def known_history(config: AuditConfig, window: Window) -> tuple[History, tuple[str, ...]]:
    """History of earlier audits; none, and the reason, if they cannot be read."""
    from prunescope.audit_jobs.errors import HistoryUnreadable
    from prunescope.audit_jobs.findings.history import NO_HISTORY
    from prunescope.audit_jobs.sinks.published_history import read_history
    from prunescope.collectors.errors import PrunescopeError
    from prunescope.collectors.tables.catalog import load_in_time

    name = config.audit.catalog
    try:
        catalog = load_in_time(name, config.catalogs[name].properties)
    except PrunescopeError as error:
        return NO_HISTORY, (f"Findings of earlier audits are unknown: {error}",)
    try:
        return read_history(catalog, config.audit.namespace, window.start), ()
    except HistoryUnreadable as error:
        return NO_HISTORY, (str(error),)
