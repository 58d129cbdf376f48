"""Findings, of SQL texts and of nights."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from prunescope.audit_jobs.api import html
from prunescope.audit_jobs.api.documents import answer_of, arrow_of
from prunescope.audit_jobs.api.naming import CONFIG, Config, name_of, path_of
from prunescope.audit_jobs.errors import BadArgument
from prunescope.audit_jobs.suggestions import suggestion
from prunescope.audit_jobs.units import of, size

if TYPE_CHECKING:
    import pyarrow as pa
    from pyiceberg.table import Table as IcebergTable

    from prunescope.audit_jobs.findings.entries import Entry
    from prunescope.audit_jobs.findings.model import Severity
    from prunescope.audit_jobs.sinks.published_findings import PublishedFindings


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """A place of a finding in a SQL text: lines and columns from 1, in UTF-16 code units, the end
    exclusive; None if unknown. `replacement` selects the same rows as the condition that stands
    there; `addition` holds more, and belongs beside it."""

    file: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    is_condition: bool
    replacement: str | None
    addition: str | None
    is_known: bool


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """One cause of needless reading, and what to do about it: docs/columns.md has each attribute,
    as a column of the audit table `findings`. `files` are the names of the SQL texts that it is
    about, `places` those in them. `is_known` is True if a baseline has it."""

    finding_key: str
    rank: int
    cause: str
    severity: str
    confidence: str
    catalog: str | None
    namespace: str
    table: str
    fingerprint: str | None
    conjunct: str | None
    columns: tuple[str, ...]
    lost_at: str | None
    sentence: str
    scans: int
    bytes_read: int
    bytes_at_stake: int | None
    evidence: Mapping[str, Any]
    step: str | None
    fix_spark: tuple[str, ...]
    fix_trino: tuple[str, ...]
    rewrite: str | None
    advice: str | None
    documentation: str
    suppressed: str | None
    example_query_id: str | None
    example_user: str | None
    example_started_at: dt.datetime | None
    example_source: str | None
    example_place: str | None
    example_link: str | None
    files: tuple[str, ...] = ()
    places: tuple[FindingPlace, ...] = ()
    is_known: bool = False

    @property
    def table_name(self) -> str:
        """`catalog.namespace.table`."""
        return ".".join(filter(None, (self.catalog, self.namespace, self.table)))

    def _repr_html_(self) -> str:
        """The finding and its fix, for a notebook."""
        return findings_html([self])


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a run of the audit, in its order."""

    run_id: str
    window_start: dt.datetime
    window_end: dt.datetime
    findings: tuple[ReportedFinding, ...]

    def __iter__(self) -> Iterator[ReportedFinding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, index: int) -> ReportedFinding:
        return self.findings[index]

    def to_arrow(self) -> pa.Table:
        """A row for each finding."""
        return arrow_of(ReportedFinding, self.findings)

    def _repr_html_(self) -> str:
        """The findings and their fixes, for a notebook."""
        return findings_html(self.findings)


def findings_of(found: Sequence[Entry]) -> tuple[ReportedFinding, ...]:
    """Findings as they are told: each with the keys of its JSON."""
    from prunescope.audit_jobs.findings.entries import placed_document

    return tuple(answer_of(ReportedFinding, placed_document(entry)) for entry in found)


def findings_html(found: Sequence[ReportedFinding]) -> str:
    """A table of findings, and below it what each asks for."""
    if not found:
        return html.paragraph("no findings")
    headings = ("", "severity", "table", "cause", "could skip", "do")
    rows = [
        (
            str(one.rank),
            one.severity,
            one.table_name,
            one.cause,
            size(None) if one.bytes_at_stake is None else of(one.bytes_at_stake, one.bytes_read),
            one.step or "",
        )
        for one in found
    ]
    return html.table(headings, rows, numbers=("could skip",)) + "".join(map(_details, found))


def _details(one: ReportedFinding) -> str:
    parts = [html.paragraph(f"{one.rank}. {one.sentence}")]
    if one.conjunct is not None:
        parts.append(html.code(f"now: {one.conjunct}"))
    if one.rewrite is not None:
        parts.append(html.code(f"write: {one.rewrite}"))
    for engine, statements in (("Spark", one.fix_spark), ("Trino", one.fix_trino)):
        if statements:
            parts.append(
                html.code("\n".join((f"-- {engine}", *(f"{each};" for each in statements))))
            )
    if one.advice is not None:
        parts.append(html.paragraph(one.advice))
    return "".join(parts)


def findings(  # noqa: PLR0913  # what findings are chosen by
    table: str | IcebergTable | None = None,
    *,
    run_id: str | None = None,
    cause: str | None = None,
    severity: str = "info",
    fingerprint: str | None = None,
    suppressed: bool = False,
    small: bool = False,
    config: Config = CONFIG,
) -> Findings:
    """Reads the findings of a run of the nightly audit from its tables.

    Args:
        table: Only those of tables that this name or glob over `catalog.namespace.table` matches;
            a table of PyIceberg stands for its name.
        run_id: The run, by default that of the newest window.
        cause: Only those of this cause.
        severity: Only those of this severity or a higher one.
        fingerprint: Only those of queries with this fingerprint.
        suppressed: Return suppressed ones as well.
        small: Return those below the thresholds as well.
        config: The path of the configuration of the audit.

    Raises:
        NotAudited: There is no such run, or the audit tables cannot be read.
        BadArgument: There is no such cause or severity, or the run read no such table.
        CatalogUnavailable, BadConfiguration: Nothing could be read.
    """
    name = None if table is None else name_of(table)
    published, selected = selected_findings(
        config,
        table=name,
        run_id=run_id,
        cause=cause,
        severity=severity,
        fingerprint=fingerprint,
        suppressed=suppressed,
        small=small,
    )
    return Findings(
        published.run_id, published.window_start, published.window_end, findings_of(selected)
    )


def selected_findings(  # noqa: PLR0913  # what findings are chosen by
    config: Config,
    *,
    table: str | None,
    run_id: str | None,
    cause: str | None,
    severity: str,
    fingerprint: str | None,
    suppressed: bool,
    small: bool,
) -> tuple[PublishedFindings, list[Entry]]:
    """The findings of a run, and those of them that are asked for (see `findings`)."""
    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.findings.catalogue import BY_ID
    from prunescope.audit_jobs.findings.entries import Selection
    from prunescope.audit_jobs.sinks.published_findings import read_findings, read_tables
    from prunescope.collectors.tables.catalog import load_in_time

    if cause is not None and cause not in BY_ID:
        raise BadArgument(f"Unknown cause {cause!r}; {suggestion(cause, BY_ID)}")
    selection = Selection(table, cause, severity_named(severity), fingerprint, suppressed)
    audit = load_config(path_of(config))
    name, namespace = audit.audit.catalog, audit.audit.namespace
    catalog = load_in_time(name, audit.catalogs[name].properties)
    published = read_findings(catalog, namespace, run_id, small=small)
    if table is not None and not any(selection.is_of_table(e.finding) for e in published.entries):
        _require_table(table, read_tables(catalog, namespace, published), published.run_id)
    return published, [entry for entry in published.entries if selection.takes(entry.finding)]


def severity_named(name: str) -> Severity:
    """The severity of a name. Raises BadArgument."""
    from prunescope.audit_jobs.findings.model import Severity

    if name not in set(Severity):
        raise BadArgument(f"Unknown severity {name!r}; {suggestion(name, Severity)}")
    return Severity(name)


def _require_table(glob: str, tables: Sequence[str], run_id: str) -> None:
    """Raises BadArgument where no table that the run read has such a name: that is not a table
    without findings."""
    from prunescope.audit_jobs.suggestions import table_suggestion

    if not any(fnmatchcase(table, glob) for table in tables):
        raise BadArgument(
            f"Run {run_id} read no table {glob!r}. A name is catalog.namespace.table, "
            f"and * matches any text; {table_suggestion(glob, tables)}"
        )
