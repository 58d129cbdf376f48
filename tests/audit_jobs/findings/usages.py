"""Usages of a table in plain numbers: what queries keep of it, and what metadata says of it.

The table has 1,000 files of 100 MB, which is what files should have, with rows in no order, and no
partitions. Each scan is there twice.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from prunescope.audit_jobs.findings.aggregates import aggregate
from prunescope.audit_jobs.findings.catalogue import BY_ID
from prunescope.audit_jobs.findings.history import NO_HISTORY, History, PastHealth, days_seen
from prunescope.audit_jobs.findings.judge import Judgement, judge
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.trials import Trying, untried
from prunescope.audit_jobs.findings.usage import KnownTable, TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, Funnel, ScanPlanSummary
from prunescope.audit_jobs.records import REPLAYED, ConjunctRecord, Matching, ScanRecord, Window
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Predicate,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import redact
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metadata_reading import metadata_from_json
from tests.audit_jobs.findings.groups import DAY, START, WINDOW, usage_of
from tests.audit_jobs.plans import plan_of

GB = 1_000_000_000
MB = 1_000_000
FILES, FILE = 1_000, 100 * MB
BYTES = FILES * FILE
TIMES = 2

TABLE = TableName("lake", ("db",), "t")
ID = Field(1, "id", "long")
TS = Field(2, "ts", "timestamp")
NAME = Field(3, "name", "string")
AT = Field(4, "at", "timestamptz")
MONTH = Field(5, "month", "string")
KEY = Field(6, "key", "uuid")
FLAG = Field(7, "flag", "boolean")
FIELDS = (ID, TS, NAME, AT, MONTH, KEY, FLAG)


def micros(text: str) -> int:
    """A timestamp as it is stored."""
    return (dt.datetime.fromisoformat(text) - dt.datetime(1970, 1, 1)) // dt.timedelta(0, 0, 1)


def column(of: Field, **changes: Any) -> ColumnHealth:
    """A column whose values are spread over all files: ids below a million, times of 2024."""
    low: PhysicalValue | None = None
    high: PhysicalValue | None = None
    if of.type == "long":
        low, high = 0, 999_999
    elif of.type.startswith("timestamp"):
        low, high = micros("2024-01-01"), micros("2025-01-01") - 1
    elif of.type == "string":
        low, high = b"a", b"z"
    spread = ColumnHealth(of.field_id, of.name, of.type, 1.0, 1.0, 1_000.0, 0.0, 0, low, high)
    return replace(spread, **changes)


def table(*columns: ColumnHealth, **changes: Any) -> TableHealth:
    """The layout of the table, with some columns and numbers other than usual."""
    other = {column.field_id: column for column in columns}
    usual = TableHealth(
        table=TABLE,
        snapshot_id=1,
        spec_id=0,
        measured=1.0,
        manifests=1,
        manifest_bytes=1 * MB,
        manifest_depth=1.0,
        data_files=FILES,
        records=10**9,
        bytes=BYTES,
        target_file_bytes=FILE,
        small_files=0,
        files_by_spec={0: FILES},
        position_delete_files=0,
        equality_delete_files=0,
        deletion_vectors=0,
        partitions=None,
        partition_files=None,
        partition_bytes=None,
        columns=tuple(other.get(of.field_id, column(of)) for of in FIELDS),
    )
    return replace(usual, **changes)


def partitioned(count: int, *columns: ColumnHealth, **changes: Any) -> TableHealth:
    """The table in partitions of one size."""
    sizes = {"partition_files": FILES / count, "partition_bytes": BYTES / count}
    return table(*columns, **{"partitions": count, **sizes, **changes})


def compared(of: Field, op: Op, *values: PhysicalValue) -> BoundComparison:
    """A condition on a column as it is."""
    return BoundComparison(op, of, values)


def opaque(reason: Reason, text: str, redacted: str, *columns: str) -> Unsupported:
    """A condition of which planners can make nothing."""
    return Unsupported(reason, text, redacted, columns)


def matching(share: float) -> Matching:
    """What so many sampled rows tell that nothing is left to be estimated."""
    return Matching(share, share, share, 100_000, 16, 100_000)


def part(
    predicate: Predicate,
    *,
    pushed: bool | None = True,
    reason: str = "ranges_overlap",
    pruned: int = 0,
    unmeasured: int = 0,
    share: float | None = None,
) -> ConjunctRecord:
    """A condition, the files that it alone rules out, or why it rules out none, those that are kept
    as nothing is known of them, and the share of rows that match it, if any were sampled."""
    reasons = {} if pruned else {"data_files": reason}
    return ConjunctRecord(
        redact(predicate),
        "unenforced",
        pushed,
        ConjunctSummary(predicate, 0, pruned, 0, reasons, data_files_unmeasured=unmeasured),
        None if share is None else matching(share),
    )


def plan(kept: int | None, *, total: int = FILES, file: int = FILE) -> ScanPlanSummary:
    """The plan of a scan that keeps so many of the files, or nobody knows how many."""
    size = None if kept is None else kept * file
    return plan_of(
        data_files=Funnel(total, total, kept),
        bytes=Funnel(total * file, total * file, size),
    )


def scan(
    *parts: ConjunctRecord,
    kept: ScanPlanSummary | int | None = FILES,
    allowed: ScanPlanSummary | int | None = None,
    share: float | None = None,
    **changes: Any,
) -> ScanRecord:
    """A scan by some conditions, of which the engine's planner keeps some files, and the statistics
    allow to keep fewer, if `allowed` says so."""
    summary = kept if isinstance(kept, ScanPlanSummary) else plan(kept)
    potential = allowed if isinstance(allowed, ScanPlanSummary) else plan(allowed)
    usual = ScanRecord(
        scan_key="0/0",
        source="trino_events",
        location=None,
        query_id="q",
        query_outcome=REPLAYED,
        outcome=REPLAYED,
        engine="trino",
        engine_version="482",
        planner="trino, iceberg 1.11",
        started_at=START,
        fingerprint="f",
        table=TABLE,
        conjuncts=parts,
        summary=summary,
        potential=summary if allowed is None else potential,
        matching=None if share is None else matching(share),
    )
    return replace(usual, **changes)


Spec = Sequence[tuple[Field, str]]


@dataclass(frozen=True)
class Night:
    """A night of scans of the table, each of them `times` times, and all that is known beside.
    `spec` is the current partitioning, `old_spec` an earlier one, if any."""

    scans: tuple[ScanRecord, ...]
    spec: Spec = ()
    old_spec: Spec | None = None
    health: TableHealth | None = field(default_factory=table)
    properties: Mapping[str, str] = field(default_factory=dict)
    thresholds: Thresholds = field(default_factory=Thresholds)
    window: Window = WINDOW
    history: History = NO_HISTORY
    times: int = TIMES

    @property
    def records(self) -> list[ScanRecord]:
        """All scans, each under its own key."""
        return [
            replace(found, scan_key=f"{place}/{time}", query_id=f"{found.query_id}{time}")
            for place, found in enumerate(self.scans)
            for time in range(self.times)
        ]

    @property
    def metadata(self) -> TableMetadata:
        """The table's metadata."""
        specs = [self.spec] if self.old_spec is None else [self.spec, self.old_spec]
        fields = list(dict.fromkeys(found for spec in specs for found in spec))
        document = {
            "format-version": 2,
            "location": "/t",
            "schemas": [{"type": "struct", "schema-id": 0, "fields": [_column(f) for f in FIELDS]}],
            "current-schema-id": 0,
            "partition-specs": [
                {
                    "spec-id": number,
                    "fields": [_partition_field(1000 + fields.index(f), *f) for f in spec],
                }
                for number, spec in enumerate(specs)
            ],
            "default-spec-id": 0,
            "snapshots": [{"snapshot-id": 1, "timestamp-ms": 1, "manifest-list": "/l"}],
            "current-snapshot-id": 1,
            "properties": dict(self.properties),
        }
        return metadata_from_json(document, "/t/m.json")

    @property
    def usage(self) -> TableUsage:
        """What causes are given."""
        read = usage_of(
            TABLE, self.records, self.metadata, self.health, self.thresholds, self.history
        )
        return replace(read, days_seen=days_seen(self.window, read.past_health))

    def findings(self, cause: str) -> list[Finding]:
        """What one cause finds, whatever the thresholds."""
        return list(BY_ID[cause].find(self.usage))

    def judged(self, policy: Policy, trying: Trying = untried) -> Judgement:
        """What an audit tells, with all causes and thresholds."""
        health = {} if self.health is None else {TABLE: self.health}
        groups = aggregate(self.records, health, policy)
        tables = {TABLE: KnownTable(self.metadata, self.health)}
        return judge(groups, tables, policy, self.window, self.history, trying)


def _column(of: Field) -> dict[str, object]:
    return {"id": of.field_id, "name": of.name, "required": False, "type": of.type}


def _partition_field(field_id: int, of: Field, transform: str) -> dict[str, object]:
    name = transform.partition("[")[0]
    name = of.name if name == "identity" else f"{of.name}_{name}"
    return {
        "field-id": field_id,
        "source-id": of.field_id,
        "name": name,
        "transform": transform,
    }


def days_before(count: int) -> History:
    """Earlier windows of the table, on so many days."""
    days = (START - n * DAY for n in range(count, 0, -1))
    return history_of(*(Window(day, day + DAY) for day in days))


def history_of(*windows: Window) -> History:
    """Earlier windows of the table."""
    return History(tables={TABLE: tuple(PastHealth(one, 0, FILES, 0, 1) for one in windows)})


@dataclass(frozen=True)
class Told:
    """What one finding says. Statements hold the given texts, one each, in order; evidence has at
    least the given numbers. The sentence has what it `says`, and the advice none of what is
    `unsaid`."""

    columns: tuple[str, ...] = ()
    stake: int | None = None
    severity: str = "low"
    confidence: str = "high"
    lost_at: str | None = "data_files"
    spark: tuple[str, ...] = ()
    trino: tuple[str, ...] = ()
    rewrite: str | None = None
    says: str = ""
    advice: str = ""
    unsaid: str | None = None
    scans: int = TIMES
    evidence: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A night in which a cause is found, and what is told."""

    night: Night
    told: Told
