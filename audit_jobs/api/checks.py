"""SQL judged before it ships."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from prunescope.audit_jobs.api import html
from prunescope.audit_jobs.api.documents import arrow_of
from prunescope.audit_jobs.api.found import (
    ReportedFinding,
    findings_html,
    findings_of,
    severity_named,
)
from prunescope.audit_jobs.api.naming import (
    CONFIG,
    Config,
    path_of,
    planner_named,
    session_named,
)
from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.units import plural, size

if TYPE_CHECKING:
    import pyarrow as pa

    from prunescope.audit_jobs.jobs import check as judging

_ONLY = "query"
"""The name of a text that has none."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A text and its outcome: `replayed`, or a code that says why not, with its message.
    `bytes_kept` are those of the data files that its scans of Iceberg tables read; None is
    unknown."""

    file: str
    outcome: str
    message: str | None
    bytes_kept: int | None


@dataclass(frozen=True, slots=True)
class TooSmall:
    """The number of findings below the thresholds, and their bytes at stake."""

    findings: int
    bytes_at_stake: int


@dataclass(frozen=True, slots=True)
class Check:
    """Outcomes of SQL texts, and the findings in them, suppressed ones last. `notes` concern all
    of them: an engine may be newer than any known one."""

    files: tuple[CheckedFile, ...]
    findings: tuple[ReportedFinding, ...]
    too_small: TooSmall
    notes: tuple[str, ...] = ()

    @property
    def not_replayed(self) -> tuple[CheckedFile, ...]:
        """The texts that were not replayed."""
        return tuple(file for file in self.files if file.outcome != REPLAYED)

    @property
    def bytes_kept(self) -> int | None:
        """Bytes that all texts together read, each run once; None if some are unknown."""
        known = [file.bytes_kept for file in self.files if file.bytes_kept is not None]
        return sum(known) if len(known) == len(self.files) else None

    def at_least(self, severity: str) -> tuple[ReportedFinding, ...]:
        """The findings of a severity or a higher one that are not suppressed. Raises
        BadArgument."""
        least = severity_named(severity).rank
        return tuple(
            one
            for one in self.findings
            if one.suppressed is None and severity_named(one.severity).rank <= least
        )

    def to_arrow(self) -> pa.Table:
        """A row for each finding."""
        return arrow_of(ReportedFinding, self.findings)

    def _repr_html_(self) -> str:
        """The findings and their fixes, for a notebook."""
        read = f"{plural(len(self.files), 'text')}; read {size(self.bytes_kept)}"
        others = "".join(
            html.paragraph(f"{file.file}: {file.outcome}. {file.message or ''}")
            for file in self.not_replayed
        )
        notes = "".join(map(html.paragraph, self.notes))
        return html.paragraph(read) + findings_html(self.findings) + others + notes


def check(  # noqa: PLR0913  # the session of the texts, and what to return of them
    sql: str | Path | Mapping[str, str],
    *,
    engine: str | None = None,
    dialect: str | None = None,
    time_zone: str = "UTC",
    catalog: str | None = None,
    schema: str | None = None,
    select: Sequence[str] = (),
    small: bool = False,
    config: Config = CONFIG,
) -> Check:
    """Judges SQL as if it ran once, now, on the tables' current snapshots. Runs no query.

    Args:
        sql: A text of one or several statements; texts by their names; or, as a `Path`, a
            directory with `*.sql` at any depth.
        engine: The engine that will run it, such as `trino-482` or `spark-3.5/1.9.2`. By default
            that of the dialect.
        dialect: The dialect, by default that of the engine, else Trino's.
        time_zone: The session's, for times without a zone.
        catalog: The catalog of table names that leave it out, by default the only one that does
            not hold the audit tables.
        schema: The schema of table names that leave it out.
        select: Globs over paths of a directory; only files that one matches are judged.
        small: Return findings below the thresholds as well.
        config: The path of the configuration, of which catalogs, tables and thresholds are used.

    Raises:
        BadArgument, BadConfiguration: Nothing was judged. A text that cannot be judged does not
            raise: `not_replayed` has it.
    """
    from prunescope.audit_jobs.jobs import check as judging
    from prunescope.collectors.queries.sql_files import find_sql_files
    from prunescope.collectors.sql.planners.profiles import beyond_known

    session = session_named(engine, dialect, time_zone, catalog=catalog, schema=schema)
    asked = judging.Asked(session, small=small)
    if isinstance(sql, Path):
        files = find_sql_files(sql, select)
        if not files:
            matching = " that select matches" if select else ""
            raise judging.NoSqlFiles(f"there is no file *.sql{matching} under {sql}")
        found = judging.run_check(path_of(config), files, asked, progress=_quiet)
    else:
        texts = {_ONLY: sql} if isinstance(sql, str) else sql
        found = _checked_texts(texts, asked, path_of(config))
    outcomes = (CheckedFile(f.path, f.outcome, f.message, f.bytes_kept) for f in found.files)
    notes = () if engine is None else beyond_known(planner_named(engine))
    return Check(
        tuple(outcomes),
        findings_of(found.entries),
        TooSmall(found.too_small, found.too_small_bytes),
        notes,
    )


def _checked_texts(texts: Mapping[str, str], asked: judging.Asked, config: Path) -> judging.Check:
    from prunescope.audit_jobs.config import load_tables_config
    from prunescope.audit_jobs.jobs import check as judging
    from prunescope.collectors.queries.sql_files import SqlFile, read_sql_text

    known = load_tables_config(config)
    session = judging.with_catalog(asked.session, known)
    found = (read_sql_text(name, sql, session) for name, sql in texts.items())
    files = [SqlFile(name, Path(name)) for name in texts]
    asked = replace(asked, session=session)
    return judging.check_queries(known, found, files, asked, progress=_quiet)


def _quiet(_stage: str) -> None:
    pass
