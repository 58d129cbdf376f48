"""The samples of a run, computed from its rows in the audit tables: the same whether the run was
just made or is read back, and by whatever way they leave."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol, Self, TypeVar

from audit_jobs.findings.model import REPEATED, Severity
from audit_jobs.results.columns import Row
from audit_jobs.results.sums import ScanSums, TableKey, table_key
from audit_jobs.sinks import metric_catalogue as catalogue
from audit_jobs.sinks.metric_catalogue import FUNNEL_METRICS, OTHER, Metric
from audit_jobs.sinks.run_rows import RunRows
from audit_jobs.status import VISIBLE, Status
from collectors.plain import plain

MAX_VALUES = 50
"""Values of a label other than the table's. Each has a handful by design; tables that another
version wrote may have any."""

Labels = tuple[str, ...]

_SOURCES = {"read": "storage", "cached": "cache"}
_OF_METADATA = {
    "requests": catalogue.RUN_METADATA_REQUESTS,
    "bytes": catalogue.RUN_METADATA_READ,
}
"""Of the names of what a run tells of metadata, the last word, and what it stands for."""

_DELETE_COLUMNS = dict(
    zip(
        catalogue.DELETE_FILE_KINDS,
        ("position_delete_files", "equality_delete_files", "deletion_vectors"),
        strict=True,
    )
)


class Sample(NamedTuple):
    """A value of a metric; `labels` are the values of its labels, in their order."""

    metric: Metric
    labels: Labels
    value: float


def run_samples(rows: RunRows, *, max_tables: int) -> list[Sample]:
    """The samples of a published run, as the catalogue describes them, in its order.

    At most `max_tables` tables have labels of their own: those of which most bytes were
    considered. All others are folded into `other`.
    """
    tables = _tables(rows)
    # Few enough to keep, and the same for all metrics of a table.
    kept = frozenset(
        sorted(tables, key=lambda labels: (-tables[labels].bytes, labels))[:max_tables]
    )
    folded: dict[Labels, _Table] = defaultdict(_Table)
    for labels in sorted(tables):
        folded[labels if labels in kept else (OTHER,) * 3].add(tables[labels])
    values = _Values()
    found = [sample for key in sorted(folded) for sample in folded[key].samples(key, values)]
    found += _run(rows, len(tables) - len(kept), values)
    found += attempt_samples(rows.run)
    place = {metric: number for number, metric in enumerate(catalogue.PUBLISHED)}
    return sorted(found, key=lambda sample: place[sample.metric])


def attempt_samples(run: Row) -> list[Sample]:
    """What a run of any status tells, from its row in audit_runs: also one whose rows were not
    published."""
    status = run["status"]
    return [
        *(Sample(catalogue.RUN_STATUS, (known.value,), float(known == status)) for known in Status),
        Sample(catalogue.LAST_COMPLETION, (), _seconds(run["finished_at"])),
    ]


@dataclass(slots=True)
class _Table:
    """What is exported of one table, or of several under the same labels."""

    scans: ScanSums = field(default_factory=ScanSums)
    findings: Counter[tuple[str, str]] = field(default_factory=Counter)
    stakes: Counter[str] = field(default_factory=Counter)
    sums: Counter[tuple[Metric, Labels]] = field(default_factory=Counter)
    worst: dict[Metric, float] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        """Bytes of data files that its scans considered."""
        return self.scans.passes["bytes"].considered

    def add(self, other: _Table) -> None:
        self.scans += other.scans
        self.findings.update(other.findings)
        self.stakes.update(other.stakes)
        self.sums.update(other.sums)
        for metric, value in other.worst.items():
            self.at_worst(metric, value)

    def count_finding(self, row: Row) -> None:
        self.findings[row["cause"], row["severity"]] += 1
        if row["bytes_at_stake"] is not None and row["cause"] not in REPEATED:
            self.stakes[row["cause"]] += row["bytes_at_stake"]

    def measure(self, row: Row) -> None:
        """Counts a row of table_health."""
        old = sum(
            files for spec, files in row["files_by_spec"] or () if spec != str(row["spec_id"])
        )
        counts: dict[tuple[Metric, Labels], int] = {
            (catalogue.TABLE_DATA_FILES, ()): row["data_files"],
            (catalogue.TABLE_SMALL_FILES, ()): row["small_files"],
            (catalogue.TABLE_OLD_SPEC_FILES, ()): old,
            (catalogue.TABLE_MANIFESTS, ()): row["manifests"],
            (catalogue.TABLE_SIZE, ()): row["bytes"],
        }
        for kind, column in _DELETE_COLUMNS.items():
            counts[catalogue.TABLE_DELETE_FILES, (kind,)] = row[column]
        self.sums.update(counts)
        self.at_worst(catalogue.TABLE_MANIFEST_DEPTH, row["manifest_depth"])

    def at_worst(self, metric: Metric, value: float | None) -> None:
        """Keeps the highest of what is known."""
        if value is not None:
            self.worst[metric] = max(value, self.worst.get(metric, value))

    def samples(self, labels: Labels, values: _Values) -> Iterator[Sample]:
        if self.scans.scans:
            yield from self._scans(labels, values)
        for (cause, severity), count in _merged(
            self.findings, lambda key: (values.of("finding", key[0]), key[1])
        ):
            yield Sample(catalogue.FINDINGS, (*labels, cause, severity), count)
        for cause, stake in _merged(self.stakes, lambda cause: values.of("finding", cause)):
            yield Sample(catalogue.FINDING_STAKE, (*labels, cause), stake)
        for (metric, rest), count in self.sums.items():
            yield Sample(metric, (*labels, *rest), count)
        for metric, depth in self.worst.items():
            yield Sample(metric, labels, depth)

    def _scans(self, labels: Labels, values: _Values) -> Iterator[Sample]:
        yield Sample(catalogue.SCANS, labels, self.scans.scans)
        for family in FUNNEL_METRICS:
            found = self.scans.passes[family.funnel]
            optional = {family.in_snapshot: found.total, family.allowed: found.allowed}
            if found.scans:
                yield Sample(family.considered, labels, found.considered)
                yield Sample(family.kept, labels, found.kept)
                for metric, value in optional.items():
                    if metric is not None and value is not None:
                        yield Sample(metric, labels, value)
        unknown = self.scans.scans - self.scans.passes["row_groups"].scans
        yield Sample(catalogue.SCANS_ROW_GROUPS_UNKNOWN, labels, unknown)
        yield Sample(catalogue.SCANS_ROW_GROUPS_ESTIMATED, labels, self.scans.estimated)
        for agreement, count in _merged(
            self.scans.agreements, lambda value: values.of("agreement", value)
        ):
            yield Sample(catalogue.SCANS_BY_AGREEMENT, (*labels, agreement), count)


class _Values:
    """The values of labels other than the table's: the first MAX_VALUES of each keep their own,
    the others share one."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, str]] = {"agreement": {}, "finding": {}, "outcome": {}}

    def of(self, label: str, value: str) -> str:
        """The value under which one is exported."""
        value, known = plain(value), self._known[label]
        return known.setdefault(value, value if len(known) < MAX_VALUES else OTHER)

    @property
    def folded(self) -> dict[str, int]:
        """How many share one, by label."""
        return {
            label: sum(exported == OTHER != value for value, exported in known.items())
            for label, known in self._known.items()
        }


def _tables(rows: RunRows) -> dict[Labels, _Table]:
    tables: dict[Labels, _Table] = defaultdict(_Table)
    for key, sums in rows.sums.tables.items():
        tables[_labels(key)].scans += sums
    for row in rows.findings:
        if row["suppressed"] is None:
            tables[_labels(table_key(row))].count_finding(row)
    for row in rows.table_health:
        tables[_labels(table_key(row))].measure(row)
    for row in rows.column_health:
        tables[_labels(table_key(row))].at_worst(catalogue.TABLE_WORST_COLUMN_DEPTH, row["depth"])
    return tables


def _run(rows: RunRows, tables_folded: int, values: _Values) -> Iterator[Sample]:
    run = rows.run
    queries = Counter(dict(run["queries"] or ()))
    for outcome, count in _merged(queries, lambda value: values.of("outcome", value)):
        yield Sample(catalogue.RUN_QUERIES, (outcome,), count)
    if run["findings"] is not None:
        by_severity = dict(run["findings"])
        for severity in Severity:
            yield Sample(catalogue.RUN_FINDINGS, (severity,), by_severity.get(severity, 0))
    metadata = dict(run.get("metadata") or ())
    yield from _metadata(metadata)
    for label, count in values.folded.items():
        yield Sample(catalogue.RUN_LABELS_FOLDED, (label,), count)
    # A partial run counts: one query that cannot be parsed makes a run partial, and must not raise
    # the alert that no audit is done.
    published = run["status"] in VISIBLE
    single: dict[Metric, float | None] = {
        catalogue.RUN_DURATION: run["duration_seconds"],
        catalogue.RUN_WINDOW_START: _seconds(run["window_start"]),
        catalogue.RUN_WINDOW_END: _seconds(run["window_end"]),
        catalogue.RUN_TABLES: run["tables"],
        catalogue.RUN_TABLES_FAILED: _length(run["tables_failed"]),
        catalogue.RUN_TABLES_SET_ASIDE: _length(run["tables_set_aside"]),
        catalogue.RUN_TABLES_UNMEASURED: _length(run["tables_unmeasured"]),
        catalogue.RUN_CAUSES_FAILED: _length(run["causes_failed"]),
        catalogue.RUN_TABLES_MEASURED: len(rows.table_health),
        catalogue.RUN_TABLES_FOLDED: tables_folded,
        catalogue.RUN_FINDINGS_SUPPRESSED: sum(
            row["suppressed"] is not None for row in rows.findings
        ),
        catalogue.RUN_FOOTERS_READ: run["footers_read"],
        catalogue.RUN_FOOTERS_UNREAD: run["footers_unread"],
        catalogue.RUN_FOOTERS_SKIPPED: metadata.get("footers_skipped"),
        catalogue.RUN_READ: run["read_bytes"],
        catalogue.LAST_SUCCESS: _seconds(run["finished_at"]) if published else None,
    }
    for metric, value in single.items():
        if value is not None:
            yield Sample(metric, (), value)
    version = dict(run["versions"] or ()).get("prunescope", "unknown")
    yield Sample(catalogue.BUILD_INFO, (version,), 1)


def _metadata(counts: Mapping[str, int]) -> Iterator[Sample]:
    """How metadata was read, as far as the run tells."""
    for name, count in sorted(counts.items()):
        kind, _, what = name.rpartition("_")
        if what in _SOURCES:
            yield Sample(catalogue.RUN_METADATA_FILES, (kind, _SOURCES[what]), count)
        elif what in _OF_METADATA:
            yield Sample(_OF_METADATA[what], (kind,), count)


class _Ordered(Protocol):
    def __lt__(self, other: Self, /) -> bool: ...


_Key = TypeVar("_Key")
_Name = TypeVar("_Name", bound=_Ordered)


def _merged(
    counts: Mapping[_Key, int], name: Callable[[_Key], _Name]
) -> Sequence[tuple[_Name, int]]:
    """Counts under other names, those of the same name added up, by name. The first names are
    given to what counts most."""
    merged: dict[_Name, int] = {}
    for key, count in sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))):
        named = name(key)
        merged[named] = merged.get(named, 0) + count
    return sorted(merged.items())


def _labels(key: TableKey) -> Labels:
    return plain(key.catalog or ""), plain(key.namespace or ""), plain(key.table or "")


def _length(entries: Sequence[object] | None) -> int | None:
    return None if entries is None else len(entries)


def _seconds(moment: datetime) -> float:
    return moment.timestamp()
