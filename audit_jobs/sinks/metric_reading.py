"""Readers of metrics from the rows of a run: each yields labels and a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS
from prunescope.audit_jobs.results.columns import count_of
from prunescope.audit_jobs.results.stakes import counted_stake
from prunescope.audit_jobs.status import VISIBLE, Status
from prunescope.collectors.safe_text import plain

if TYPE_CHECKING:
    from prunescope.audit_jobs.results.columns import Row
    from prunescope.audit_jobs.results.false_keeps import FalseKeepSums
    from prunescope.audit_jobs.results.sums import PassSums, ScanSums
    from prunescope.audit_jobs.sinks.run_rows import RunRows

Labels = tuple[str, ...]

Found = Iterator[tuple[Labels, float | None]]
"""Values of labels, in their order, and a count of them, None where it is unknown. What is found of
the same labels is one sample."""

Read = Callable[["RunRows"], Found]

# The columns of table_health that count delete files, by the label of their kind.
_DELETES = dict(zip(("position", "equality", "deletion_vector"), DELETE_KINDS, strict=True))

_SOURCES = {"read": "storage", "cached": "cache"}


def scans(count: Callable[[ScanSums], float]) -> Read:
    """A count of the replayed scans of each table."""

    def read(rows: RunRows) -> Found:
        for key, sums in rows.sums.tables.items():
            yield _table(*key), count(sums)

    return read


def false_keeps(count: Callable[[FalseKeepSums], float]) -> Read:
    """A count of the false keeps of each table, for tables with scans whose rows were sampled."""

    def read(rows: RunRows) -> Found:
        for key, sums in rows.sums.tables.items():
            if sums.sampled.kept:
                yield _table(*key), count(sums.sampled)

    return read


def passes(funnel: str, count: Callable[[PassSums], float | None]) -> Read:
    """A count of one funnel, for tables with scans whose funnel is known."""

    def read(rows: RunRows) -> Found:
        for key, sums in rows.sums.tables.items():
            if sums.passes[funnel].scans:
                yield _table(*key), count(sums.passes[funnel])

    return read


def agreements(rows: RunRows) -> Found:
    """Scans by their agreement with the engine's counts."""
    for key, sums in rows.sums.tables.items():
        for agreement, count in sums.agreements.items():
            yield (*_table(*key), agreement), count


def findings(rows: RunRows) -> Found:
    """Findings that are not suppressed, by cause and severity."""
    for row in rows.findings:
        if row["suppressed"] is None:
            yield (*_of_row(row), row["cause"], row["severity"]), 1


def stakes(rows: RunRows) -> Found:
    """Known bytes at stake by cause, without those that count for another cause."""
    for row in rows.findings:
        stake = counted_stake(row)
        if stake is not None:
            yield (*_of_row(row), row["cause"]), stake


def layout(count: Callable[[Row], float | None]) -> Read:
    """A count of a row of table_health."""
    return lambda rows: ((_of_row(row), count(row)) for row in rows.table_health)


def old_spec_files(row: Row) -> int:
    """The data files under other specs than new files, of a row of table_health."""
    by_spec = row["files_by_spec"] or ()
    return sum(files for spec, files in by_spec if spec != str(row["spec_id"]))


def delete_files(rows: RunRows) -> Found:
    """Delete files by kind."""
    for row in rows.table_health:
        for kind, column in _DELETES.items():
            yield (*_of_row(row), kind), row[column]


def column_depths(rows: RunRows) -> Found:
    """The depths of the columns of each table."""
    for row in rows.column_health:
        yield _of_row(row), row["depth"]


def of_run(count: Callable[[RunRows], float | None]) -> Read:
    """A value of which a run has one."""
    return lambda rows: iter([((), count(rows))])


def counted(column: str) -> Read:
    """A column of audit_runs that is a number."""
    return of_run(lambda rows: rows.run[column])


def listed(column: str) -> Read:
    """The number of entries that a column of audit_runs lists."""
    return of_run(lambda rows: count_of(rows.run, column))


def moment(column: str) -> Read:
    """A column of audit_runs that is a time, in seconds since 1970."""
    return of_run(lambda rows: rows.run[column].timestamp())


def last_success(rows: RunRows) -> Found:
    """The end of a visible run. A partial run counts: one query that cannot be parsed makes a run
    partial, and must not raise the alert that no audit is done."""
    if rows.run["status"] in VISIBLE:
        yield from moment("finished_at")(rows)


def outcomes(rows: RunRows) -> Found:
    """Inputs by outcome."""
    for outcome, count in rows.run["queries"] or ():
        yield (outcome,), count


def severities(rows: RunRows) -> Found:
    """Findings by severity, 0 for a severity without any."""
    if rows.run["findings"] is not None:
        found = dict(rows.run["findings"])
        for severity in Severity:
            yield (severity,), found.get(severity, 0)


def suppressed(rows: RunRows) -> int:
    """The number of suppressed findings."""
    return sum(row["suppressed"] is not None for row in rows.findings)


def metadata_files(rows: RunRows) -> Found:
    """Files of metadata by kind and by where they were read."""
    for kind, what, count in _metadata(rows):
        if what in _SOURCES:
            yield (kind, _SOURCES[what]), count


def metadata(wanted: str) -> Read:
    """Another count of metadata reads, by kind."""

    def read(rows: RunRows) -> Found:
        return (((kind,), count) for kind, what, count in _metadata(rows) if what == wanted)

    return read


def footers_skipped(rows: RunRows) -> int | None:
    """The footers that the budget left out."""
    return _of_metadata(rows).get("footers_skipped")


def statuses(rows: RunRows) -> Found:
    """Every status, 1 for that of the run and 0 for others."""
    for known in Status:
        yield (known.value,), float(known == rows.run["status"])


def build(rows: RunRows) -> Found:
    """The version that made a run."""
    yield (dict(rows.run["versions"] or ()).get("prunescope", "unknown"),), 1


def _table(catalog: str | None, namespace: str | None, table: str | None) -> Labels:
    return plain(catalog or ""), plain(namespace or ""), plain(table or "")


def _of_row(row: Row) -> Labels:
    return _table(row["catalog"], row["namespace"], row["table"])


def _of_metadata(rows: RunRows) -> Mapping[str, int]:
    return dict(rows.run.get("metadata") or ())


def _metadata(rows: RunRows) -> Iterator[tuple[str, str, int]]:
    """Metadata reads: kind, unit of the count, and the count."""
    for name, count in sorted(_of_metadata(rows).items()):
        kind, _, what = name.rpartition("_")
        yield kind, what, count
